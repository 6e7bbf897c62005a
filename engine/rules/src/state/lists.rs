//! Sets of tokens that are one of several declared lists (`deck_lists` of a kind).
//!
//! A player's tokens outside the zone of the kind are the list; the others stay in that zone. A seat that does not know
//! the list knows some tokens outside: those that it identifies, and those whose exchange classes are all outside. A
//! list is possible if it has these tokens, and if its other tokens can lie at the hidden places outside.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::fitting::{ToldPlace, deal_told};
use super::sight::Sight;
use crate::state::layout::Pile;
use motherlode_content::lists::copies;

/// Lists tried until the statements about tokens hold.
const TRIES: usize = 16;

/// The set of one player.
#[derive(Debug)]
pub struct ListedSet {
    /// Word of the counter with the list.
    word: usize,
    /// The number of lists.
    lists: i32,
    /// The possible lists.
    possible: Vec<PossibleList>,
    /// For each place of the split class, whether it is outside the zone of the kind.
    outside: Vec<bool>,
}

#[derive(Debug)]
struct PossibleList {
    value: i32,
    /// How likely it is, in proportion to the others.
    weight: f64,
    /// For each definition of the kind, the number of tokens of the split class that are in the list.
    taken: Vec<usize>,
    /// The definition of each token of the split class, as an index in `taken`.
    of: Vec<usize>,
}

/// The tokens of an exchange class with their places: its index, tokens and places as words.
pub type ClassPlaces<'a> = (usize, &'a [i32], &'a [Option<usize>]);

impl ListedSet {
    /// The set with this back, and the index of the class that is split between list and rest, if there is one;
    /// `None`: the set is no list.
    pub fn find(sight: &Sight<'_>, back: usize, classes: &[ClassPlaces<'_>]) -> Option<(Option<usize>, Self)> {
        let (d, layout) = (sight.declared, sight.layout);
        let info = layout.tokens[layout.backs[back].first as usize - 1];
        let kind = &d.kinds[info.kind];
        let (counter, rest) = (kind.deck_lists?, kind.zone?);
        let word = layout.counter_word(counter, info.owner).filter(|_| info.owner <= sight.players())?;
        let rest = layout.pile(rest, info.owner).or_else(|| layout.pile(rest, 0))?;
        let rest = &layout.piles[rest];
        let is_split = |class: &&ClassPlaces<'_>| {
            class.2.iter().any(|&place| is_outside(rest, place))
                && !class.2.iter().all(|&place| is_outside(rest, place))
        };
        let mut split = classes.iter().filter(is_split);
        let (class, several) = (split.next(), split.next().is_some());
        let outside: Vec<bool> =
            class.map_or_else(Vec::new, |class| class.2.iter().map(|&at| is_outside(rest, at)).collect());
        let definition = |token: i32| layout.tokens[token as usize - 1].definition - kind.first;
        let tokens = class.map_or(&[][..], |class| class.1);
        let of: Vec<usize> = tokens.iter().map(|&token| definition(token)).collect();
        let count = |tokens: &mut dyn Iterator<Item = usize>| {
            let mut counts = vec![0; kind.len];
            tokens.for_each(|at| counts[at] += 1);
            counts
        };
        let free = count(&mut of.iter().copied());
        let is_known = |token: &i32| {
            sight.pile_of(*token).is_none_or(|pile| layout.piles[pile] != *rest) && !tokens.contains(token)
        };
        let known = count(&mut layout.backs[back].tokens().filter(is_known).map(definition));
        let places = outside.iter().filter(|is_outside| **is_outside).count();
        let lists = d.counters.get_index(counter).map_or(0, |(_, counter)| counter.values.len() as i32);
        let of_lists: Vec<Vec<usize>> =
            d.definitions[kind.first..kind.first + kind.len].iter().map(|one| copies(d, one)).collect();
        let sees = sight.sees_counter(counter, info.owner);
        let mut possible = Vec::new();
        for value in (0..lists).filter(|&value| !several && (!sees || value == sight.words[word])) {
            let size = |at: usize| of_lists[at].get(value as usize).copied().unwrap_or(0);
            let taken: Option<Vec<usize>> =
                (0..kind.len).map(|at| size(at).checked_sub(known[at]).filter(|taken| *taken <= free[at])).collect();
            let Some(taken) = taken.filter(|taken| taken.iter().sum::<usize>() == places) else { continue };
            // The number of ways in which the known tokens can be those of the list.
            let ways = |at: usize| (0..known[at]).map(|n| (size(at) - n) as f64).product::<f64>();
            let weight = (0..kind.len).map(ways).product();
            possible.push(PossibleList { value, weight, taken, of: of.clone() });
        }
        let set = Self { word, lists: if sees { 0 } else { lists }, possible, outside };
        Some((class.filter(|_| !set.possible.is_empty()).map(|class| class.0), set))
    }

    /// Draws a list, sets its counter, and deals the tokens of the split class: afterwards `dealt` has the token of
    /// each place. `told` are the places about whose tokens something has been told.
    pub fn deal(&self, told: &[ToldPlace], fitting: &[i32], dealt: &mut [i32], words: &mut [i32], rng: &mut Pcg64Mcg) {
        if self.possible.is_empty() {
            if self.lists > 0 {
                words[self.word] = rng.random_range(0..self.lists);
            }
            return deal_told(told, fitting, dealt, rng);
        }
        let sorted = dealt.to_vec();
        for _ in 0..TRIES {
            let list = self.draw(rng);
            words[self.word] = list.value;
            if self.split(list, &sorted, (told, fitting), dealt, rng) {
                return;
            }
        }
    }

    fn draw(&self, rng: &mut Pcg64Mcg) -> &PossibleList {
        let total: f64 = self.possible.iter().map(|list| list.weight).sum();
        let mut left = rng.random_range(0.0..total);
        let found = self.possible.iter().find(|list| {
            left -= list.weight;
            left < 0.0
        });
        found.unwrap_or(&self.possible[0])
    }

    /// Deals the tokens of a list outside and the others to the rest. Returns whether the statements hold.
    fn split(
        &self,
        list: &PossibleList,
        sorted: &[i32],
        (told, fitting): (&[ToldPlace], &[i32]),
        dealt: &mut [i32],
        rng: &mut Pcg64Mcg,
    ) -> bool {
        let mut order: Vec<usize> = (0..sorted.len()).collect();
        order.shuffle(rng);
        let mut left = list.taken.clone();
        let mut is_listed = vec![false; sorted.len()];
        for index in order {
            if left[list.of[index]] > 0 {
                left[list.of[index]] -= 1;
                is_listed[index] = true;
            }
        }
        let mut holds = true;
        for part in [true, false] {
            let places: Vec<usize> = (0..dealt.len()).filter(|&at| self.outside[at] == part).collect();
            let mut tokens: Vec<i32> =
                (0..sorted.len()).filter(|&at| is_listed[at] == part).map(|at| sorted[at]).collect();
            let (mut here, mut fit) = (Vec::new(), Vec::new());
            for place in told {
                let Some(at) = places.iter().position(|&other| other == place.at) else { continue };
                let from = fit.len();
                fit.extend(fitting[place.fitting.clone()].iter().filter(|token| tokens.contains(token)));
                here.push(ToldPlace { at, fitting: from..fit.len() });
            }
            here.sort_by_key(|place| place.fitting.len());
            deal_told(&here, &fit, &mut tokens, rng);
            holds &= here.iter().all(|place| fit[place.fitting.clone()].contains(&tokens[place.at]));
            places.iter().zip(tokens).for_each(|(&place, token)| dealt[place] = token);
        }
        holds
    }
}

/// Whether a place, given by its word, is outside a pile. A token in no pile is not in the list.
fn is_outside(rest: &Pile, place: Option<usize>) -> bool {
    place.is_some_and(|at| !(rest.offset + 1..=rest.offset + rest.capacity).contains(&at))
}

/// Whether an exchange of two tokens would change which list a set is: one of them is in the rest, and their
/// definitions differ.
#[must_use]
pub fn leaves_list(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    let info = |token: i32| sight.layout.tokens[token as usize - 1];
    let kind = &sight.declared.kinds[info(one).kind];
    let is_rest =
        |token: i32| sight.pile_of(token).is_some_and(|pile| Some(sight.layout.piles[pile].zone) == kind.zone);
    kind.deck_lists.is_some() && info(one).definition != info(other).definition && is_rest(one) != is_rest(other)
}
