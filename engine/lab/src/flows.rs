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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::load;
    use crate::series::Series;

    /// Two rounds: each player earns 3 coins, then pays 1 of them into the bank of the game.
    fn bank() -> Game {
        let content = [
            (
                "game",
                "name = \"Bank\"\nversion = \"1.0.0\"\nrounds = 2\nplayers = { min = 2, max = 2, default = 2 }\nseats = [{ name = \"One\" }, { name = \"Two\" }]\n\
                 [counters]\ncoins = { per = \"player\", unit = \"1/2\" }\nbank = { per = \"game\" }\n\
                 mood = { per = \"player\", values = [\"calm\", \"cross\"] }\n[outcome]\nscore = \"coins\"\n",
            ),
            ("phases", "[earn]\nturns = \"once\"\nprompt = \"job\"\n[pay]\nturns = \"once\"\nprompt = \"job\"\n"),
            ("prompts", "[job]\ntext = \"Which?\"\nlabels = { one = \"One\", two = \"Two\" }\n"),
        ];
        let script = "return {
            earn = {
                offer = function() choice(\"one\") choice(\"two\") end,
                act = function(player) gain(player, \"coins\", 3) set(player, \"mood\", 1) end,
            },
            pay = {
                offer = function() choice(\"one\") choice(\"two\") end,
                act = function(player) gain(player, \"coins\", -1) gain(game, \"bank\", 1) end,
            },
        }";
        load("bank", &content, &[("phases", script)])
    }

    fn observed(is_on: bool) -> Vec<(u32, GameFlows)> {
        let game = bank();
        let setup = game.setup(None, &[], 1).unwrap();
        let bots = vec!["random".to_owned()];
        let series = Series::new((game.clone(), setup), bots, 1);
        let mut found = Vec::new();
        let new = || FlowObserver::new(&game, 2, is_on);
        let end = |flows: &mut FlowObserver, game: crate::series::SeatedGame| {
            Some((game.row.rounds.unsigned_abs(), flows.take()))
        };
        let sink = |games| {
            found.extend(games);
            true
        };
        series.each(0..3, new, |flows, _| flows.begin(), end, sink).unwrap();
        found
    }

    #[test]
    fn flows_are_per_round_in_the_phase_of_the_decision() {
        let flows = counter_flows(&bank(), &observed(true), 1);
        let shown = |flow: &CounterFlow| {
            let value = |estimate: Option<Estimate>| estimate.unwrap().value;
            (flow.counter.clone(), flow.phase.clone(), value(flow.gained), value(flow.lost))
        };
        let all: Vec<(String, String, f64, f64)> = flows.iter().map(shown).collect();
        let row = |counter: &str, phase: &str, gained, lost| (counter.to_owned(), phase.to_owned(), gained, lost);
        // Two players earn 3 half coins each and pay 1 each. The mood is no amount.
        let expected = [row("coins", "earn", 3.0, 0.0), row("coins", "pay", 0.0, 1.0), row("bank", "pay", 2.0, 0.0)];
        assert_eq!(all, expected);
    }

    #[test]
    fn games_that_are_not_followed_have_no_flows() {
        assert!(observed(false).iter().all(|(_, flows)| flows.is_empty()));
    }
}
