//! Knowledge of hidden tokens beyond their visibility: places of watched tokens, and supplies that mix with hidden
//! tokens.

use super::exchange::ALONE;
use super::sight::Sight;
use crate::state::layout::word;
use motherlode_content::declare::{Domain, Visibility};

/// A back and an exchange class. Hidden tokens that share both are exchangeable.
pub type Class = (usize, i32);

/// Tokens of one exchange class that are not in plain view, and their places. The table knows both sets, but not
/// which token is at which place, unless there is only one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedClass {
    /// The tokens, in ascending order.
    pub tokens: Vec<i32>,
    /// The places, in ascending order.
    pub places: Vec<Place>,
}

/// A place of a hidden token, as a seat knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In no zone.
    Nowhere,
    /// At this index from the bottom of a pile that the seat can count.
    At(usize, usize),
    /// In this pile, which the seat cannot count, or in which its place is unknown.
    In(usize),
    /// In one of the piles that the seat cannot count.
    Uncounted,
}

/// The exchange classes that the table distinguishes, with places as a seat sees them. Omits a class that contains
/// all hidden tokens of its back except those of class [`ALONE`].
#[must_use]
pub fn watched(sight: &Sight<'_>) -> Vec<WatchedClass> {
    let position = sight.position();
    let mut all = Vec::new();
    for back in &sight.layout.backs {
        let mut classes = back.tokens().map(|token| position.class(token));
        let first = classes.next();
        if first != Some(ALONE) && classes.all(|class| Some(class) == first) {
            continue;
        }
        let hidden = |token: &i32| position.takes_part(*token) && !position.is_open(*token);
        let mut classes: Vec<(i32, Vec<i32>)> = Vec::new();
        for token in back.tokens().filter(hidden) {
            let class = position.class(token);
            match classes.iter_mut().find(|(other, _)| class != ALONE && *other == class) {
                Some((_, tokens)) => tokens.push(token),
                None => classes.push((class, vec![token])),
            }
        }
        let is_only = classes.iter().filter(|(class, _)| *class != ALONE).count() == 1;
        let apart = classes.into_iter().filter(|(class, _)| *class == ALONE || !is_only);
        all.extend(apart.map(|(class, tokens)| {
            let mut places: Vec<Place> = tokens.iter().map(|&token| place_of(sight, token, class)).collect();
            places.sort_unstable();
            WatchedClass { tokens, places }
        }));
    }
    all
}

fn place_of(sight: &Sight<'_>, token: i32, class: i32) -> Place {
    let Some(pile) = sight.pile_of(token) else { return Place::Nowhere };
    if sight.counts(pile) && sight.position().is_mixed(token) && !sight.identifies(token) {
        Place::In(pile)
    } else if sight.counts(pile) {
        Place::At(pile, sight.tokens(pile).iter().position(|&other| other == token).unwrap_or_default())
    } else if class == ALONE {
        Place::In(pile)
    } else {
        Place::Uncounted
    }
}

/// The tokens of supplies (kinds that start in no zone) that mix with hidden tokens: the seat cannot tell which of
/// them are in play.
#[derive(Debug, Default)]
pub struct Supplies {
    /// Classes of the tokens in piles that the seat cannot identify, sorted.
    classes: Vec<Class>,
    /// Tokens named by counters that the seat sees.
    named: Vec<i32>,
}

impl Supplies {
    /// Finds them.
    #[must_use]
    pub fn new(sight: &Sight<'_>) -> Self {
        if sight.layout.backs.iter().all(|back| !back.unplaced) || sight.seat.is_none() {
            return Self::default();
        }
        let position = sight.position();
        let mut classes: Vec<Class> = Vec::new();
        for (pile, place) in sight.layout.piles.iter().enumerate().filter(|(_, at)| at.visible != Visibility::Public) {
            for &token in sight.tokens(pile).iter().filter(|&&token| !sight.identifies_in(*place, token)) {
                let class = (position.back_of(token), position.class(token));
                // Neighbours are mostly of one class, and there are few classes.
                if class.1 != ALONE && classes.last() != Some(&class) && !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        classes.sort_unstable();
        if classes.is_empty() {
            return Self::default();
        }
        let naming = sight.declared.counters.values().enumerate().filter(|(_, decl)| decl.means == Domain::Token);
        let holders = naming.flat_map(|(counter, _)| sight.holders(counter).map(move |holder| (counter, holder)));
        let seen = holders.filter(|&(counter, holder)| sight.sees_counter(counter, holder));
        let named = seen.filter_map(|(counter, holder)| sight.counter(counter, holder)).collect();
        Self { classes, named }
    }

    /// Whether a token of a supply mixes with hidden tokens.
    #[must_use]
    pub fn mix(&self, sight: &Sight<'_>, token: i32) -> bool {
        let position = sight.position();
        position.is_unplaced(token)
            && position.takes_part(token)
            && self.classes.binary_search(&(position.back_of(token), position.class(token))).is_ok()
            && !self.named.contains(&token)
    }
}

/// Words of the flow that are public.
pub const OPEN_FLOW: [usize; 9] = [
    word::ROUND,
    word::PHASE,
    word::TIMES,
    word::TURN,
    word::ORDER_LEN,
    word::PASSED,
    word::OUT,
    word::IDLE,
    word::BEGIN,
];
