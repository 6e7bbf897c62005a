//! The role of each seat in a game: a corporation, a concession, a board.

use std::collections::BTreeMap;

use motherlode::declare::{Domain, Holder, Visibility};
use motherlode::{Decision, Game, Match};
use motherlode_play::Watch;

/// A source of roles: a public zone for one token, or a public counter that names a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoleSource {
    Zone(usize),
    Counter { counter: usize, first: usize },
}

/// Observes the role of each seat, as given by each source. A source whose content changes during a game (such
/// as the action of a turn) gives no role.
#[derive(Debug, Clone)]
pub struct Roles {
    sources: Vec<RoleSource>,
    names: Vec<String>,
    seats: u8,
    /// By source and seat: the definition, and whether it has never changed since it was first set.
    held: Vec<Vec<(Option<usize>, bool)>>,
}

impl Roles {
    /// Finds the role sources of a game.
    #[must_use]
    pub fn of(game: &Game, seats: u8) -> Self {
        let d = game.declarations();
        let zones = d.zones.iter().enumerate().filter_map(|(zone, (name, declared))| {
            let one = declared.per == Holder::Player && declared.size == Some(1) && declared.holds.len() == 1;
            (one && declared.visible == Visibility::Public && !declared.internal)
                .then(|| (RoleSource::Zone(zone), display_name(&declared.text, name)))
        });
        let counters = d.counters.iter().enumerate().filter_map(|(counter, (name, declared))| match declared.means {
            Domain::Definition(kind)
                if declared.per == Holder::Player && declared.visible == Visibility::Public && !declared.internal =>
            {
                Some((RoleSource::Counter { counter, first: d.kinds[kind].first }, display_name(&declared.text, name)))
            }
            _ => None,
        });
        let (sources, names): (Vec<RoleSource>, Vec<String>) = zones.chain(counters).unzip();
        let held = vec![vec![(None, true); usize::from(seats)]; sources.len()];
        Self { sources, names, seats, held }
    }

    /// Returns the name of each source.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the definitions (by index) that can be a role.
    #[must_use]
    pub fn definitions(&self, game: &Game) -> Vec<usize> {
        let d = game.declarations();
        let kinds = self.sources.iter().map(|source| match *source {
            RoleSource::Zone(zone) => d.zones[zone].holds.first().copied(),
            RoleSource::Counter { counter, .. } => match d.counters[counter].means {
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

    /// Resets for the next game.
    pub fn begin(&mut self) {
        self.held.iter_mut().flatten().for_each(|held| *held = (None, true));
    }

    /// Returns the role of each seat (index of a definition), by source. A source that changed for any seat
    /// gives no role.
    #[must_use]
    pub fn take(&self) -> Vec<Vec<Option<usize>>> {
        let of = |held: &Vec<(Option<usize>, bool)>| {
            let steady = held.iter().all(|(_, steady)| *steady);
            held.iter().map(|(what, _)| what.filter(|_| steady)).collect()
        };
        self.held.iter().map(of).collect()
    }

    /// Returns kind and script name of each source. A zone and a counter may share a name.
    fn keys<'g>(&self, game: &'g Game) -> impl Iterator<Item = (&'static str, &'g str)> {
        let d = game.declarations();
        self.sources.iter().map(|source| match *source {
            RoleSource::Zone(zone) => ("zone", name_of(d.zones.get_index(zone))),
            RoleSource::Counter { counter, .. } => ("counter", name_of(d.counters.get_index(counter))),
        })
    }

    fn update(&mut self, m: &Match) {
        let layout = m.game().layout();
        for (source, held) in self.sources.iter().zip(&mut self.held) {
            for (seat, held) in (0..self.seats).zip(held) {
                let holder = i32::from(seat) + 1;
                let now = match *source {
                    RoleSource::Zone(zone) => m
                        .zone(zone, holder)
                        .and_then(|tokens| tokens.first().copied())
                        .and_then(|token| layout.tokens.get(usize::try_from(token).ok()?.checked_sub(1)?))
                        .map(|token| token.definition),
                    RoleSource::Counter { counter, first } => m
                        .counter(holder, counter)
                        .and_then(|value| Some(first + usize::try_from(value).ok()?.checked_sub(1)?)),
                };
                held.1 &= now.is_some() && held.0 == now || held.0.is_none();
                held.0 = now.or(held.0);
            }
        }
    }
}

/// Maps sources and definitions of another version to the indices of the base.
///
/// A new definition shifts the indices of all definitions after it, so two versions can only be compared by the
/// indices of one of them. Anything unknown to the base gets an index past its own.
#[derive(Debug, Clone)]
pub struct BaseIndices {
    sources: Vec<usize>,
    definitions: Vec<usize>,
}

impl BaseIndices {
    /// Builds the map from the other version to the base.
    #[must_use]
    pub fn of(base: (&Game, &Roles), other: (&Game, &Roles)) -> Self {
        Self {
            sources: base_indices(base.1.keys(base.0), other.1.keys(other.0)),
            definitions: base_indices(definitions(base.0), definitions(other.0)),
        }
    }

    /// Translates the result of [`Roles::take`] for the other version to indices of the base.
    #[must_use]
    pub fn translate(&self, roles: Vec<Vec<Option<usize>>>) -> Vec<Vec<Option<usize>>> {
        let mut translated = vec![Vec::new(); self.sources.iter().max().map_or(0, |last| last + 1)];
        for (source, seats) in self.sources.iter().zip(roles) {
            let of = |own: Option<usize>| self.definitions.get(own?).copied();
            translated[*source] = seats.into_iter().map(of).collect();
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

/// Returns the base index of each key of the other version; an index past the base for unknown keys.
fn base_indices<K: Ord>(base: impl Iterator<Item = K>, other: impl Iterator<Item = K>) -> Vec<usize> {
    let base: BTreeMap<K, usize> = base.zip(0..).collect();
    other.enumerate().map(|(own, key)| base.get(&key).copied().unwrap_or(base.len() + own)).collect()
}

fn display_name(text: &str, name: &str) -> String {
    if text.is_empty() { name.to_owned() } else { text.to_owned() }
}

impl Watch for Roles {
    fn chosen(&mut self, m: &Match, _: Decision, _: usize) {
        self.update(m);
    }

    fn ended(&mut self, m: &Match) {
        self.update(m);
    }
}
