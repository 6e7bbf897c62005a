//! Determinization: randomizes the facts that a seat cannot know, for fair searches and for the leak test.

use std::ops::Range;

use indexmap::IndexMap;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64Mcg;

use super::exchange::{ALONE, MIXED};
use super::fitting::{ToldPlace, deal_told};
use super::lists::{ClassPlaces, ListedSet, leaves_list};
use super::scatter::{scatter, uncounted};
use super::sight::Sight;
use super::split::pool;
use super::watched::{Class, Supplies};
use crate::state::layout::{Column, SEEN};
use crate::state::{Layout, Position, PositionMut};
use motherlode_content::declare::{Counter, Declarations, Domain, Holder, OptionValue, Redeal, Visibility};

/// The bits of a token's word that stay with the place.
const OF_PLACE: i32 = SEEN | MIXED;

/// Replaces the position by a random one that fits the observation of the seat.
///
/// - Tokens that the seat cannot identify are exchanged within their exchange class ([`exchange`](super::exchange)
///   defines the classes, and where they are exact or broader than the truth). Public counters stay at the place,
///   because everybody sees them there.
/// - Tokens of sorted hands are exchanged within their hand ([`mixing`](super::mixing)).
/// - Where something has been told about a token, only tokens that fit are dealt ([`fitting`](super::fitting)).
/// - Piles that the seat cannot count share out their unwatched tokens at random, see [`scatter`](super::scatter).
/// - Faces that the seat does not see are turned down, and witnesses that it does not know are forgotten. Public
///   counters of tokens in piles that it cannot count are reset to their start.
/// - Counters hidden from the seat are dealt as declared: each within its range, or from a pool whose sum the seat
///   knows. Counters that a hook deals are blank afterwards, so the hook cannot read the old values.
/// - The seed is replaced, and the counts of its streams begin at 0, so that neither past secret draws nor future
///   ones leak.
///
/// The seat's [`Observation`](super::observe::Observation) stays the same. The result depends only on the observation
/// and on `rng`, except for counters with `redeal = "keep"`, sums of pools, and internal items: the content declares
/// that these are known.
///
/// `options` are those of the setup: a counter that does not exist in it is not dealt.
pub fn redeal(
    declared: &Declarations,
    layout: &Layout,
    options: &IndexMap<String, OptionValue>,
    words: &mut [i32],
    seat: u8,
    rng: &mut Pcg64Mcg,
    hidden: &mut HiddenParts,
) {
    if hidden.seat != Some(seat) || hidden.words != words {
        hidden.find(&Sight { declared, layout, words, seat: Some(seat) }, options);
    }
    for &(at, value) in &hidden.blanks {
        words[at] = value;
    }
    hidden.permute(words, rng);
    hidden.mix(layout, words, rng);
    scatter(declared, layout, words, seat, &hidden.uncounted, rng);
    hidden.rename(declared, layout, words, seat, rng);
    hidden.deal_counters(declared, layout, words, seat, rng);
    let mut position = Position::new(layout, words);
    position.seed(rng.next_u64());
    position.refresh_all(declared);
}

/// The words of a counter that are hidden from the seat.
pub fn hidden_words(sight: &Sight<'_>, counter: usize) -> Vec<usize> {
    let hidden = sight.holders(counter).filter(|&holder| !sight.sees_counter(counter, holder));
    hidden.filter_map(|holder| sight.layout.counter_word(counter, holder)).collect()
}

/// Whether a redeal changes the hidden values of a counter.
fn is_dealt(decl: &Counter) -> bool {
    decl.visible != Visibility::Public && !matches!(decl.dealt(), Redeal::Keep | Redeal::Lists)
}

/// The parts of a position that a seat does not know. Cached, because a search redeals the same position for every
/// playout, and finding the parts takes several times as long as dealing them.
#[derive(Debug, Default)]
pub struct HiddenParts {
    seat: Option<u8>,
    /// The position.
    words: Vec<i32>,
    /// Words with the same value in every deal, which differs from the position's.
    blanks: Vec<(usize, i32)>,
    /// The classes, sorted.
    classes: Vec<Exchange>,
    /// The tokens of the classes, each class in ascending order.
    tokens: Vec<i32>,
    /// The same tokens, ordered by place.
    occupants: Vec<i32>,
    /// The places as words of piles; `None`: in no pile.
    places: Vec<Option<usize>>,
    /// Columns whose values differ between the places of a class and stay with the places, with their value for each
    /// place.
    columns: Vec<Column>,
    records: Vec<i32>,
    /// Places about whose tokens something has been told, each with its range of `fitting`.
    told: Vec<ToldPlace>,
    /// The tokens that could lie at these places.
    fitting: Vec<i32>,
    /// Places of mixed tokens as words of piles, by pile and back, and the ends of these groups.
    mixed: Vec<usize>,
    mixed_ends: Vec<usize>,
    /// Sets that are one of several lists, and the index of the class that is split between list and rest.
    listed: Vec<(Option<usize>, ListedSet)>,
    /// Piles that the seat cannot count, and their tokens that it cannot identify.
    uncounted: Vec<usize>,
    lost: Vec<i32>,
    /// Whether some counter's value names a token that is exchanged.
    renames: bool,
    /// The dealt counters, each with its range of `slots`. `None`: the deal of the tokens determines which of them
    /// have a hidden one.
    counters: Vec<(usize, Option<Range<usize>>)>,
    slots: Vec<usize>,
    /// Buffer for a deal.
    dealt: Vec<i32>,
    values: Vec<i32>,
}

/// The range of a class in the lists of [`HiddenParts`].
#[derive(Debug, Clone)]
struct Exchange {
    members: Range<usize>,
    columns: Range<usize>,
    records: Range<usize>,
    told: Range<usize>,
}

/// A token that is exchanged within its class.
#[derive(Debug, Clone, Copy)]
struct Spot {
    class: Class,
    token: i32,
    place: Option<usize>,
}

impl HiddenParts {
    /// The position before the last deal.
    #[must_use]
    pub fn position(&self) -> &[i32] {
        &self.words
    }

    /// Drops the cache, because options may have changed.
    pub fn forget(&mut self) {
        self.seat = None;
    }

    /// Finds the parts that the seat does not know.
    fn find(&mut self, sight: &Sight<'_>, options: &IndexMap<String, OptionValue>) {
        self.seat = sight.seat;
        self.words.clear();
        self.words.extend_from_slice(sight.words);
        self.uncounted = uncounted(sight);
        let supplies = Supplies::new(sight);
        self.find_blanks(sight, &supplies, options);
        let mut blank = self.words.clone();
        self.blanks.iter().for_each(|&(at, value)| blank[at] = value);
        self.find_tokens(sight, &supplies, &blank);
        self.find_mixed(sight);
        self.find_lists(sight);
        let mut named = sight.layout.naming.iter().flat_map(|words| &blank[words.clone()]);
        self.renames = named.any(|token| self.occupants.contains(token) || self.lost.contains(token));
        self.find_counters(sight, options);
    }

    /// Finds faces, witnesses and counters of tokens that no observation shows.
    fn find_blanks(&mut self, sight: &Sight<'_>, supplies: &Supplies, options: &IndexMap<String, OptionValue>) {
        self.blanks.clear();
        let (declared, layout) = (sight.declared, sight.layout);
        let mut blank = |at: usize, value: i32| {
            if sight.words[at] != value {
                self.blanks.push((at, value));
            }
        };
        for token in 1..=layout.tokens.len() as i32 {
            let at = layout.token_seen + token as usize - 1;
            if sight.words[at] & OF_PLACE != 0 {
                // Nobody sees a sort of a pile that the seat cannot count.
                let mark = if sight.pile_of(token).is_some_and(|pile| sight.counts(pile)) { MIXED } else { 0 };
                blank(at, sight.words[at] & (!OF_PLACE | mark) | sight.known_seen(token));
            }
        }
        for (counter, decl) in declared.counters.values().enumerate().filter(|(_, decl)| !decl.internal) {
            if !matches!(decl.per, Holder::Token(_)) {
                continue;
            }
            let (slot, start) = (&layout.counters[counter], decl.starts_at(options));
            let words = (slot.first..).zip(slot.offset..slot.offset + slot.len);
            for (token, at) in words.filter(|(_, at)| sight.words[*at] != start) {
                let is_open = match sight.pile_of(token) {
                    None => sight.sees_counter(counter, token) && !supplies.mix(sight, token),
                    Some(_) => decl.visible != Visibility::Public || sight.sees_counter(counter, token),
                };
                if !is_open {
                    blank(at, start);
                }
            }
        }
    }

    /// `blank`: the position without facts that no observation shows.
    fn find_tokens(&mut self, sight: &Sight<'_>, supplies: &Supplies, blank: &[i32]) {
        let layout = sight.layout;
        let mut spots = self.find_spots(sight, supplies);
        // The sort is stable: the places of a class keep their order.
        spots.sort_by_key(|spot| spot.class);
        self.classes.clear();
        self.tokens.clear();
        self.places.clear();
        self.columns.clear();
        self.records.clear();
        self.told.clear();
        self.fitting.clear();
        self.occupants.clear();
        self.occupants.extend(spots.iter().map(|spot| spot.token));
        for spots in spots.chunk_by(|one, other| one.class == other.class) {
            let (first, column, record) = (self.tokens.len(), self.columns.len(), self.records.len());
            let kind = layout.tokens[spots[0].token as usize - 1].kind;
            let value = |column: &Column, spot: &Spot| blank[column.of(spot.token)];
            let differs = |column: &&Column| spots.iter().any(|spot| value(column, spot) != value(column, &spots[0]));
            self.columns.extend(layout.columns[kind].iter().filter(differs));
            for spot in spots {
                self.tokens.push(spot.token);
                self.places.push(spot.place);
                self.records.extend(self.columns[column..].iter().map(|column| value(column, spot)));
            }
            self.tokens[first..].sort_unstable();
            let told = self.told.len();
            self.find_told(layout, blank, spots, first);
            self.classes.push(Exchange {
                members: first..self.tokens.len(),
                columns: column..self.columns.len(),
                records: record..self.records.len(),
                told: told..self.told.len(),
            });
        }
    }

    /// Finds the places of a class about whose tokens something has been told, those with the fewest fitting tokens
    /// first. The tokens of the class begin at `first` in the list of all.
    fn find_told(&mut self, layout: &Layout, blank: &[i32], spots: &[Spot], first: usize) {
        let begin = self.told.len();
        for (at, spot) in spots.iter().enumerate().filter(|(_, spot)| layout.is_told(blank, spot.token)) {
            let from = self.fitting.len();
            let tokens = self.tokens[first..].iter().copied();
            self.fitting.extend(tokens.filter(|&token| layout.could_be(blank, spot.token, token)));
            self.told.push(ToldPlace { at, fitting: from..self.fitting.len() });
        }
        self.told[begin..].sort_by_key(|place| place.fitting.len());
    }

    /// The hidden tokens with their places. Those that the seat can count come first, because they do not depend on
    /// the number of others.
    fn find_spots(&mut self, sight: &Sight<'_>, supplies: &Supplies) -> Vec<Spot> {
        let layout = sight.layout;
        let position = Position { layout, words: sight.words };
        let class_of = |token: i32| (position.back_of(token), position.class(token));
        let (mut spots, mut elsewhere) = (Vec::new(), Vec::new());
        self.lost.clear();
        for (pile, place) in layout.piles.iter().enumerate() {
            if place.visible == Visibility::Public {
                continue;
            }
            let counts = sight.counts(pile);
            for (i, &token) in sight.tokens(pile).iter().enumerate() {
                if sight.identifies_in(*place, token) {
                    continue;
                }
                if !counts {
                    self.lost.push(token);
                }
                let class = class_of(token);
                if class.1 != ALONE {
                    let list = if counts { &mut spots } else { &mut elsewhere };
                    list.push(Spot { class, token, place: Some(place.offset + 1 + i) });
                }
            }
        }
        spots.append(&mut elsewhere);
        for back in layout.backs.iter().filter(|back| back.unplaced) {
            let mixed = back.tokens().filter(|&token| supplies.mix(sight, token));
            spots.extend(mixed.map(|token| Spot { class: class_of(token), token, place: None }));
        }
        spots
    }

    /// Finds the mixed tokens that the seat cannot identify. Those of class [`ALONE`] are not exchanged otherwise.
    fn find_mixed(&mut self, sight: &Sight<'_>) {
        self.mixed.clear();
        self.mixed_ends.clear();
        let position = sight.position();
        for (pile, place) in sight.layout.piles.iter().enumerate() {
            if place.visible == Visibility::Public || !sight.counts(pile) {
                continue;
            }
            let first = self.mixed.len();
            let places = (place.offset + 1..).zip(sight.tokens(pile));
            let hidden = places.filter(|&(_, &token)| position.is_mixed(token) && !sight.identifies_in(*place, token));
            for (at, &token) in hidden {
                self.mixed.push(at);
                if position.class(token) == ALONE {
                    self.occupants.push(token);
                    self.places.push(Some(at));
                }
            }
            let back = |at: usize| position.back_of(sight.words[at]);
            self.mixed[first..].sort_by_key(|&at| back(at));
            let groups = self.mixed[first..].chunk_by(|&one, &other| back(one) == back(other));
            let mut end = first;
            for group in groups {
                end += group.len();
                self.mixed_ends.push(end);
            }
        }
    }

    /// Finds the sets of players that are one of several lists.
    fn find_lists(&mut self, sight: &Sight<'_>) {
        self.listed.clear();
        for (back, declared) in sight.layout.backs.iter().enumerate() {
            let of_back = |exchange: &Exchange| declared.tokens().contains(&self.tokens[exchange.members.start]);
            let classes = self.classes.iter().enumerate().filter(|(_, exchange)| of_back(exchange));
            let classes: Vec<ClassPlaces<'_>> = classes
                .map(|(at, one)| (at, &self.tokens[one.members.clone()], &self.places[one.members.clone()]))
                .collect();
            self.listed.extend(ListedSet::find(sight, back, &classes));
        }
    }

    fn find_counters(&mut self, sight: &Sight<'_>, options: &IndexMap<String, OptionValue>) {
        self.counters.clear();
        self.slots.clear();
        let players = u8::try_from(sight.players()).unwrap_or(u8::MAX);
        for (counter, decl) in sight.declared.counters.values().enumerate() {
            if is_dealt(decl) && decl.only.holds(players, options) {
                let first = self.slots.len();
                let is_fixed = !matches!(decl.per, Holder::Token(_));
                if is_fixed {
                    self.slots.extend(hidden_words(sight, counter));
                }
                self.counters.push((counter, is_fixed.then_some(first..self.slots.len())));
            }
        }
    }

    /// Exchanges tokens within their classes.
    fn permute(&mut self, words: &mut [i32], rng: &mut Pcg64Mcg) {
        for (class, Exchange { members, columns, records, told }) in self.classes.iter().enumerate() {
            self.dealt.clear();
            self.dealt.extend_from_slice(&self.tokens[members.clone()]);
            if let Some((_, set)) = self.listed.iter().find(|(split, _)| *split == Some(class)) {
                set.deal(&self.told[told.clone()], &self.fitting, &mut self.dealt, words, rng);
            } else {
                deal_told(&self.told[told.clone()], &self.fitting, &mut self.dealt, rng);
            }
            for (place, &token) in self.places[members.clone()].iter().zip(&self.dealt) {
                if let Some(place) = *place {
                    words[place] = token;
                }
            }
            let columns = &self.columns[columns.clone()];
            for (record, &token) in self.records[records.clone()].chunks_exact(columns.len().max(1)).zip(&self.dealt) {
                for (column, &value) in columns.iter().zip(record) {
                    words[column.of(token)] = value;
                }
            }
        }
        for (_, set) in self.listed.iter().filter(|(split, _)| split.is_none()) {
            set.deal(&[], &[], &mut [], words, rng);
        }
    }

    /// Exchanges mixed tokens within their piles. A token keeps its class; everything else that is seen of a token stays
    /// with the place.
    fn mix(&mut self, layout: &Layout, words: &mut [i32], rng: &mut Pcg64Mcg) {
        let mut first = 0;
        for &end in &self.mixed_ends {
            let places = &self.mixed[std::mem::replace(&mut first, end)..end];
            let before: Vec<i32> = places.iter().map(|&at| words[at]).collect();
            self.dealt.clone_from(&before);
            // The order before must not matter: it is hidden.
            self.dealt.sort_unstable();
            self.dealt.shuffle(rng);
            for column in &layout.columns[layout.tokens[before[0] as usize - 1].kind] {
                let is_seen = column.of(before[0]) == layout.token_seen + before[0] as usize - 1;
                let of_place = if is_seen { OF_PLACE } else { !0 };
                self.values.clear();
                let of_token = before
                    .iter()
                    .zip(&self.dealt)
                    .map(|(&old, &token)| words[column.of(old)] & of_place | words[column.of(token)] & !of_place);
                self.values.extend(of_token);
                for (&token, &value) in self.dealt.iter().zip(&self.values) {
                    words[column.of(token)] = value;
                }
            }
            for (&at, &token) in places.iter().zip(&self.dealt) {
                words[at] = token;
            }
        }
    }

    /// Adjusts values that name a hidden token, so that they follow its place. In piles that the seat cannot count,
    /// any token there will do.
    fn rename(&self, declared: &Declarations, layout: &Layout, words: &mut [i32], seat: u8, rng: &mut Pcg64Mcg) {
        if !self.renames {
            return;
        }
        let mut lost_now: Option<Vec<i32>> = None;
        let naming = declared.counters.values().enumerate().filter(|(_, decl)| decl.means == Domain::Token);
        for (counter, decl) in naming {
            let slot = &layout.counters[counter];
            for (holder, at) in (slot.first..).zip(slot.offset..slot.offset + slot.len) {
                let sight = Sight { declared, layout, words, seat: Some(seat) };
                let named = words[at];
                if named == 0 || is_dealt(decl) && !sight.sees_counter(counter, holder) {
                    continue;
                }
                if self.lost.contains(&named) {
                    let now = lost_now.get_or_insert_with(|| {
                        let tokens = self.uncounted.iter().flat_map(|&pile| sight.tokens(pile));
                        let mut now: Vec<i32> = tokens.copied().filter(|&token| !sight.identifies(token)).collect();
                        now.sort_unstable();
                        now
                    });
                    words[at] = now.choose(rng).copied().unwrap_or(named);
                } else if let Some(place) = self.occupants.iter().position(|&token| token == named)
                    && let Some(place) = self.places[place]
                {
                    words[at] = words[place];
                }
            }
        }
    }

    /// Deals counters, after the tokens.
    fn deal_counters(
        &mut self,
        declared: &Declarations,
        layout: &Layout,
        words: &mut [i32],
        seat: u8,
        rng: &mut Pcg64Mcg,
    ) {
        for (counter, slots) in &self.counters {
            let decl = &declared.counters[*counter];
            let of_tokens =
                slots.is_none().then(|| hidden_words(&Sight { declared, layout, words, seat: Some(seat) }, *counter));
            let slots =
                slots.clone().map_or_else(|| of_tokens.as_deref().unwrap_or_default(), |slots| &self.slots[slots]);
            let values = &mut self.values;
            values.clear();
            values.extend(slots.iter().map(|&slot| words[slot]));
            match decl.dealt() {
                Redeal::Range => values.fill_with(|| rng.random_range(decl.min..=decl.max)),
                Redeal::Hook => values.fill(0.clamp(decl.min, decl.max)),
                Redeal::Pool => pool(decl, values, rng),
                Redeal::Keep | Redeal::Lists => {}
            }
            for (&slot, &value) in slots.iter().zip(values.iter()) {
                words[slot] = value;
            }
        }
    }
}

/// Whether two tokens may be exchanged, as far as the seat knows.
#[must_use]
pub fn exchangeable(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    let fits = |here: i32, token: i32| sight.layout.could_be(sight.words, here, token);
    let is_free = !leaves_list(sight, one, other) && fits(one, other) && fits(other, one);
    (share_class(sight, one, other) && is_free || share_pile(sight, one, other) || are_mixed(sight, one, other))
        && is_hidden(sight, one)
        && is_hidden(sight, other)
}

/// Whether two tokens may be exchanged, apart from what was told about them.
#[must_use]
pub fn indistinguishable(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    share_class(sight, one, other) && is_hidden(sight, one) && is_hidden(sight, other)
}

fn is_hidden(sight: &Sight<'_>, token: i32) -> bool {
    let position = Position { layout: sight.layout, words: sight.words };
    let unplaced = position.is_unplaced(token) && position.takes_part(token);
    unplaced || !sight.identifies(token) && position.pile_of(token).is_some()
}

fn share_class(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    let position = Position { layout: sight.layout, words: sight.words };
    let class_of = |token: i32| (position.back_of(token), position.class(token));
    class_of(one).1 != ALONE && class_of(one) == class_of(other)
}

/// Whether two tokens are in one pile that the seat cannot count, so that it does not know their order.
fn share_pile(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    sight.pile_of(one).is_some_and(|pile| !sight.counts(pile)) && sight.pile_of(one) == sight.pile_of(other)
}

/// Whether two tokens may lie at each other's place of a sorted pile.
fn are_mixed(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    let position = sight.position();
    position.back_of(one) == position.back_of(other)
        && sight.pile_of(one) == sight.pile_of(other)
        && [one, other].iter().all(|&token| position.is_mixed(token))
}

/// Exchanges two [exchangeable] tokens.
pub fn swap(declared: &Declarations, layout: &Layout, words: &mut [i32], seat: u8, (one, other): (i32, i32)) {
    let only_order = share_pile(&Sight { declared, layout, words, seat: Some(seat) }, one, other);
    let position = Position { layout, words: &*words };
    let place = |token: i32| {
        let pile = position.pile_of(token)?;
        position.places(pile).find(|&at| words[at] == token)
    };
    let (here, there) = (place(one), place(other));
    let classes = [one, other].map(|token| position.class(token));
    if let Some(here) = here {
        words[here] = other;
    }
    if let Some(there) = there {
        words[there] = one;
    }
    if only_order {
        return;
    }
    for column in &layout.columns[layout.tokens[one as usize - 1].kind] {
        words.swap(column.of(one), column.of(other));
    }
    for (token, class) in [one, other].into_iter().zip(classes) {
        PositionMut { layout, words: &mut *words }.set_class(token, class);
    }
    // A value that names a token follows its place.
    for word in layout.naming.iter().flat_map(Clone::clone) {
        words[word] = match words[word] {
            token if token == one => other,
            token if token == other => one,
            token => token,
        };
    }
}

#[cfg(test)]
mod tests;
