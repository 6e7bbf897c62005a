//! What a seat is in a game: a corporation, a concession, a board.

use std::collections::BTreeMap;

use motherlode::declare::{Domain, Holder, Visibility};
use motherlode::{Decision, Game, Match};
use motherlode_play::Watch;

/// Where a game keeps what a seat is: a public zone for one token, or a public counter that names a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeper {
    Zone(usize),
    Counter { counter: usize, first: usize },
}

/// Notes what each seat is. What changes in the middle of a game (the action of a turn) is no role, and is left out of it.
#[derive(Debug, Clone)]
pub struct Roles {
    keepers: Vec<Keeper>,
    names: Vec<String>,
    seats: u8,
    /// By keeper and seat: what it holds, and whether it has always held that once it held anything.
    held: Vec<Vec<(Option<usize>, bool)>>,
}

impl Roles {
    /// The places of a game that may say what a seat is.
    #[must_use]
    pub fn of(game: &Game, seats: u8) -> Self {
        let d = game.declarations();
        let zones = d.zones.iter().enumerate().filter_map(|(zone, (name, declared))| {
            let one = declared.per == Holder::Player && declared.size == Some(1) && declared.holds.len() == 1;
            (one && declared.visible == Visibility::Public && !declared.internal)
                .then(|| (Keeper::Zone(zone), shown(&declared.text, name)))
        });
        let counters = d.counters.iter().enumerate().filter_map(|(counter, (name, declared))| match declared.means {
            Domain::Definition(kind)
                if declared.per == Holder::Player && declared.visible == Visibility::Public && !declared.internal =>
            {
                Some((Keeper::Counter { counter, first: d.kinds[kind].first }, shown(&declared.text, name)))
            }
            _ => None,
        });
        let (keepers, names): (Vec<Keeper>, Vec<String>) = zones.chain(counters).unzip();
        let held = vec![vec![(None, true); usize::from(seats)]; keepers.len()];
        Self { keepers, names, seats, held }
    }

    /// The name of each place.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What seats may be: indices of definitions.
    #[must_use]
    pub fn definitions(&self, game: &Game) -> Vec<usize> {
        let d = game.declarations();
        let kinds = self.keepers.iter().map(|keeper| match *keeper {
            Keeper::Zone(zone) => d.zones[zone].holds.first().copied(),
            Keeper::Counter { counter, .. } => match d.counters[counter].means {
                Domain::Definition(kind) => Some(kind),
                _ => None,
            },
        });
        kinds
            .flatten()
            .filter_map(|kind| d.kinds.get_index(kind))
            .flat_map(|(_, kind)| kind.first..kind.first + kind.len)
            .collect()
    }

    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.held.iter_mut().flatten().for_each(|held| *held = (None, true));
    }

    /// What each seat was (indices of definitions), by place; a place whose content changed for any seat says nothing.
    #[must_use]
    pub fn take(&self) -> Vec<Vec<Option<usize>>> {
        let of = |held: &Vec<(Option<usize>, bool)>| {
            let steady = held.iter().all(|(_, steady)| *steady);
            held.iter().map(|(what, _)| what.filter(|_| steady)).collect()
        };
        self.held.iter().map(of).collect()
    }

    /// What the places are called in scripts. A zone and a counter may have the same name.
    fn keys<'g>(&self, game: &'g Game) -> impl Iterator<Item = (&'static str, &'g str)> {
        let d = game.declarations();
        self.keepers.iter().map(|keeper| match *keeper {
            Keeper::Zone(zone) => ("zone", name_of(d.zones.get_index(zone))),
            Keeper::Counter { counter, .. } => ("counter", name_of(d.counters.get_index(counter))),
        })
    }

    fn look(&mut self, m: &Match) {
        let layout = m.game().layout();
        for (keeper, held) in self.keepers.iter().zip(&mut self.held) {
            for (seat, held) in (0..self.seats).zip(held) {
                let holder = i32::from(seat) + 1;
                let now = match *keeper {
                    Keeper::Zone(zone) => m
                        .zone(zone, holder)
                        .and_then(|tokens| tokens.first().copied())
                        .and_then(|token| layout.tokens.get(usize::try_from(token).ok()?.checked_sub(1)?))
                        .map(|token| token.definition),
                    Keeper::Counter { counter, first } => m
                        .counter(holder, counter)
                        .and_then(|value| Some(first + usize::try_from(value).ok()?.checked_sub(1)?)),
                };
                held.1 &= now.is_some() && held.0 == now || held.0.is_none();
                held.0 = now.or(held.0);
            }
        }
    }
}

/// The numbers that a game has for the places and the definitions of another version of it. One definition more shifts those of all that
/// follow, so versions can only be compared by the numbers of one of them. What that one does not have gets numbers past its own.
#[derive(Debug, Clone)]
pub struct Numbers {
    places: Vec<usize>,
    definitions: Vec<usize>,
}

impl Numbers {
    /// The numbers that the base has for what is in the other version.
    #[must_use]
    pub fn of(base: (&Game, &Roles), other: (&Game, &Roles)) -> Self {
        Self {
            places: numbers(base.1.keys(base.0), other.1.keys(other.0)),
            definitions: numbers(definitions(base.0), definitions(other.0)),
        }
    }

    /// What [`Roles::take`] gives of the other version, in the numbers of the base.
    #[must_use]
    pub fn translate(&self, roles: Vec<Vec<Option<usize>>>) -> Vec<Vec<Option<usize>>> {
        let mut translated = vec![Vec::new(); self.places.iter().max().map_or(0, |last| last + 1)];
        for (place, seats) in self.places.iter().zip(roles) {
            let of = |own: Option<usize>| self.definitions.get(own?).copied();
            translated[*place] = seats.into_iter().map(of).collect();
        }
        translated
    }
}

fn definitions(game: &Game) -> impl Iterator<Item = (&str, &str)> {
    let d = game.declarations();
    d.definitions.iter().map(|definition| (name_of(d.kinds.get_index(definition.kind)), definition.id.as_str()))
}

fn name_of<'g, T>(declared: Option<(&'g String, &T)>) -> &'g str {
    declared.map_or("", |(name, _)| name)
}

/// For each of these the number of the same thing in the base, or one past all of them.
fn numbers<K: Ord>(base: impl Iterator<Item = K>, other: impl Iterator<Item = K>) -> Vec<usize> {
    let base: BTreeMap<K, usize> = base.zip(0..).collect();
    other.enumerate().map(|(own, key)| base.get(&key).copied().unwrap_or(base.len() + own)).collect()
}

fn shown(text: &str, name: &str) -> String {
    if text.is_empty() { name.to_owned() } else { text.to_owned() }
}

impl Watch for Roles {
    fn chosen(&mut self, m: &Match, _: Decision, _: usize) {
        self.look(m);
    }

    fn ended(&mut self, m: &Match) {
        self.look(m);
    }
}
