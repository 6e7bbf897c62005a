//! Games written by hand in Rust, from their rules and without the engine.
//!
//! A twin is the baseline for the engine's speed, and the oracle for the game's content: tests compare every decision.
//! Each target that includes this module uses only a part of it.
#![allow(dead_code, unused_imports)]

pub mod atacama;
pub mod atacama_map;
pub mod chance;
pub mod connect_four;
pub mod krysis;
pub mod photon;

pub use atacama::Atacama;
pub use atacama_map::Maps;
pub use chance::SplitMix64;
pub use connect_four::ConnectFour;
pub use krysis::Krysis;
pub use photon::Photon;

/// A game that can be compared with the engine.
pub trait Twin {
    /// Starts a game with this seed.
    fn reset(&mut self, seed: u64);
    /// Number of choices of the pending decision; 0 when the game is over.
    fn count(&self) -> usize;
    /// Replaces `out` with the choices of the pending decision, in the twin's own codes; none when the game is over.
    fn choices(&self, out: &mut Vec<u32>);
    /// Answers the pending decision with its `index`-th choice.
    fn apply(&mut self, index: usize);
    /// Whether the game is over.
    fn over(&self) -> bool;
    /// Engine's id of the `index`-th choice: a cell's name, a label's key, or a player's number from 1.
    fn label(&self, index: usize) -> String;
    /// Current seat, from 0.
    fn seat(&self) -> u8;
    /// Rank of each seat, 1 for the winner; equal seats share a rank.
    fn ranks(&self) -> Vec<u8>;
    /// Score of each seat.
    fn scores(&self) -> Vec<i32>;
    /// Passes `see` every counter and zone that the twin and the content both keep, always in the same order.
    fn kept(&self, _see: &mut dyn FnMut(StateItem)) {}

    /// Plays random choices until the game is over; returns the number of decisions.
    fn playout(&mut self, chance: &mut SplitMix64) -> u32 {
        let mut decisions = 0;
        while !self.over() {
            self.apply(chance.below(self.count()));
            decisions += 1;
        }
        decisions
    }
}

/// A counter or a zone, by its name in the content and its holder: 0 is the game, a player or a cell counts from 1.
pub enum StateItem<'a> {
    Counter {
        name: &'static str,
        holder: i32,
        value: i32,
    },
    /// Cards, bottom first, by the twin's own numbers; `names` maps these to ids of the content.
    Zone {
        name: &'static str,
        holder: i32,
        cards: &'a [u8],
        names: fn(u8) -> &'static str,
    },
}

/// Ranks by keys, the greatest key first: a rank is one more than the number of better seats.
fn ranks_by<K: PartialOrd>(keys: &[K]) -> Vec<u8> {
    keys.iter().map(|own| 1 + keys.iter().filter(|other| *other > own).count() as u8).collect()
}

/// Name of a cell on a square grid: `a1` is top left.
fn square_cell(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Answers the pending decision with the choice of this label.
#[cfg(test)]
fn answer(twin: &mut impl Twin, label: &str) {
    let labels = labels(twin);
    let index = labels.iter().position(|known| known == label);
    twin.apply(index.unwrap_or_else(|| panic!("no choice {label} among {labels:?}")));
}

/// Labels of the pending decision.
#[cfg(test)]
fn labels(twin: &impl Twin) -> Vec<String> {
    (0..twin.count()).map(|index| twin.label(index)).collect()
}
