//! Measures how much of each counter the players and the game gain and lose per round, by phase.

use std::collections::BTreeMap;

use motherlode::declare::{Counter, Domain, Holder};
use motherlode::{Decision, Game, Match};
use motherlode_play::{Watch, mix};
use serde::{Deserialize, Serialize};

use crate::ratio::{Estimate, Ratio};

/// Derives the seeds of resamples from the seed of the series.
const FLOWS: u64 = 0x0066_6c6f_7773;

/// Gains and losses of one counter in one phase, summed over all players, per round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CounterFlow {
    /// Name of the counter.
    pub counter: String,
    /// Name of the phase of the decision before the change.
    pub phase: String,
    /// Amount gained per round, in wholes of the counter.
    pub gained: Option<Estimate>,
    /// Amount lost per round, in wholes of the counter.
    pub lost: Option<Estimate>,
}

/// Amounts gained and lost in one game, by counter (index into `counters`) and phase.
pub type GameFlows = BTreeMap<(usize, String), (i64, i64)>;

/// Compares the counters of the game and the players before and after each answer.
pub struct FlowObserver {
    /// The observed counters (indices into `counters`) with their holders.
    counters: Vec<(usize, i32)>,
    /// The values before the answer; empty before the first one.
    before: Vec<i32>,
    phase: String,
    flows: GameFlows,
}

impl FlowObserver {
    /// Creates an observer. If `is_on` is false, it observes nothing.
    #[must_use]
    pub fn new(game: &Game, players: u8, is_on: bool) -> Self {
        let declared = game.declarations().counters.values().enumerate().filter(|_| is_on);
        let is_amount = |of: &Counter| !of.internal && of.values.is_empty() && of.means == Domain::Number;
        let holders = |per: Holder| {
            let (first, last) = match per {
                Holder::Game => (0, 0),
                Holder::Player => (1, i32::from(players)),
                // Tokens and cells are many, and their sums say little.
                Holder::Token(_) | Holder::Cell(_) => (1, 0),
            };
            first..=last
        };
        let amounts = declared.filter(|(_, counter)| is_amount(counter));
        let counters = amounts.flat_map(|(index, counter)| holders(counter.per).map(move |holder| (index, holder)));
        Self { counters: counters.collect(), before: Vec::new(), phase: String::new(), flows: GameFlows::new() }
    }

    /// Resets for the next game.
    pub fn begin(&mut self) {
        self.before.clear();
        self.flows.clear();
    }

    /// Takes the flows of the game.
    pub fn take(&mut self) -> GameFlows {
        std::mem::take(&mut self.flows)
    }

    fn values(&self, m: &Match) -> Vec<i32> {
        self.counters.iter().map(|(counter, holder)| m.counter(*holder, *counter).unwrap_or_default()).collect()
    }
}

impl Watch for FlowObserver {
    fn chosen(&mut self, m: &Match, decision: Decision, _: usize) {
        if self.counters.is_empty() {
            return;
        }
        decision.phase(m.game()).clone_into(&mut self.phase);
        if self.before.is_empty() {
            self.before = self.values(m);
        }
    }

    fn accepted(&mut self, m: &Match) {
        if self.before.is_empty() {
            return;
        }
        let after = self.values(m);
        for ((counter, before), after) in self.counters.iter().zip(&self.before).zip(&after) {
            let change = i64::from(*after) - i64::from(*before);
            if change != 0 {
                let sum = self.flows.entry((counter.0, self.phase.clone())).or_default();
                *sum = (sum.0 + change.max(0), sum.1 + (-change).max(0));
            }
        }
        self.before = after;
    }
}

/// Returns the mean flows per round over games, each with its number of rounds; by counter, largest first.
#[must_use]
pub fn counter_flows(game: &Game, games: &[(u32, GameFlows)], seed: u64) -> Vec<CounterFlow> {
    let mut keys: Vec<&(usize, String)> = games.iter().flat_map(|(_, flows)| flows.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let flow = |(number, key): (u64, &(usize, String))| {
        let (name, counter) = game.declarations().counters.get_index(key.0)?;
        let mut ratios = [Ratio::default(), Ratio::default()];
        for (rounds, flows) in games {
            let (gained, lost) = flows.get(key).copied().unwrap_or_default();
            for (ratio, amount) in ratios.iter_mut().zip([gained, lost]) {
                #[expect(clippy::cast_precision_loss, reason = "no game moves 2^53 of a counter")]
                ratio.push(amount as f64 / f64::from(counter.unit.max(1)), f64::from((*rounds).max(1)));
            }
        }
        let [gained, lost] = [0, 1].map(|side: u8| {
            ratios[usize::from(side)].estimate(mix(mix(seed, FLOWS), 2 * number + u64::from(side)), None)
        });
        Some(CounterFlow { counter: name.clone(), phase: key.1.clone(), gained, lost })
    };
    let mut flows: Vec<(usize, CounterFlow)> =
        (0..).zip(keys).filter_map(|(number, key)| Some((key.0, flow((number, key))?))).collect();
    let size = |flow: &CounterFlow| [flow.gained, flow.lost].iter().flatten().map(|one| one.value).sum::<f64>();
    flows.sort_by(|(one, own), (other, their)| one.cmp(other).then(size(their).total_cmp(&size(own))));
    flows.into_iter().map(|(_, flow)| flow).collect()
}
