//! The league of a training: plans that beat a value.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use motherlode::Setup;
use motherlode_play::{Training, mix};
use tempfile::TempDir;

use crate::exploit::Exploit;
use crate::series::Series;

/// Limits of a search for plans; see [`Exploit`].
const TRIED: usize = 48;
const FINALISTS: usize = 4;
/// Games of each finalist.
const GAMES: u64 = 160;

/// The passes of a round. Cheap searches find gross plans, so that a thorough one is needed only at the end.
const PASSES: [Pass; 2] =
    [Pass { steps: 1, positions: Some(16), screened: 16 }, Pass { steps: 2, positions: None, screened: 4 }];
/// The same with mixed strategies, which are noise with few positions.
const MIXED_PASSES: [Pass; 2] =
    [Pass { steps: 1, positions: Some(100), screened: 60 }, Pass { steps: 2, positions: None, screened: 60 }];

/// The effort of a search.
///
/// The value screens plans, too: a plan that beats random play need not beat the value, and one that beats the value
/// may lose with random play as its base.
#[derive(Clone, Copy)]
struct Pass {
    /// Maximum number of steps in a plan.
    steps: usize,
    /// Positions per decision of the bot with the value; `None`: as many as `learned` evaluates.
    positions: Option<u32>,
    /// Positions per decision of the bot that screens plans.
    screened: u32,
}

/// Searches plans that beat values.
///
/// Some plans win only with some numbers of players. For example, a plan that keeps out of all fights gains nothing
/// from fights between its rivals if it has only one. So a round searches with one number of players after the other,
/// until plans beat the value; the next round begins with the next number.
pub struct League<'t> {
    training: &'t Training,
    halt: &'static AtomicBool,
    /// The values, which plans use.
    folder: TempDir,
    rounds: Vec<LeagueRound>,
    /// The place of the first number of players of the next round.
    first: usize,
}

/// A search for plans that beat a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueRound {
    /// The number of players with which plans beat the value; 0 if no plan does with any number.
    pub players: u8,
    /// The plans that beat the value.
    pub plans: Vec<String>,
}

impl<'t> League<'t> {
    /// A league without rounds; `halt` stops a search.
    ///
    /// # Errors
    /// There is no folder for temporary files.
    pub fn new(training: &'t Training, halt: &'static AtomicBool) -> io::Result<Self> {
        Ok(Self { training, halt, folder: tempfile::tempdir()?, rounds: Vec::new(), first: 0 })
    }

    /// The plans that beat a value: in new games, the 95 % interval of their win share, or lead, is above even.
    ///
    /// None if the search fails or is stopped: the training can go on without. Such a search is no round, because
    /// nobody knows whether a plan beats the value.
    ///
    /// `progress` gets the number of finished games and the ends of the stages of the search, and returns whether to
    /// continue.
    pub fn find(&mut self, text: &str, progress: impl FnMut(u64, &[u64]) -> bool) -> Vec<String> {
        let Some(round) = self.search(text, progress).filter(|_| !self.is_stopped()) else { return Vec::new() };
        self.rounds.push(round.clone());
        round.plans
    }

    /// The numbers of games at which the stages of a search end at the latest.
    #[must_use]
    pub fn most_games(&self) -> Vec<u64> {
        ends(&self.searches("").iter().map(PlanSearch::most_lengths).collect::<Vec<_>>())
    }

    /// The rounds, without the names of files.
    pub fn rounds(&self) -> impl ExactSizeIterator<Item = LeagueRound> {
        let folder = format!(":{}/", self.folder.path().display());
        self.rounds.iter().map(move |round| LeagueRound {
            plans: round.plans.iter().map(|plan| plan.replace(&folder, ":")).collect(),
            ..*round
        })
    }

    fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::SeqCst)
    }

    /// The numbers of players with rivals, in the order of the next search.
    fn numbers(&self) -> Vec<u8> {
        let mut numbers: Vec<u8> = self.training.players.iter().copied().filter(|players| *players > 1).collect();
        let first = self.first % numbers.len().max(1);
        numbers.rotate_left(first);
        numbers
    }

    /// The searches of the next round, in order, against the value in a file.
    fn searches(&self, file: &str) -> Vec<PlanSearch> {
        let numbers = self.numbers();
        let with = |pass| numbers.iter().map(move |&players| self.exploit(pass, players, file)).collect::<Vec<_>>();
        let passes = if self.training.is_mixed { MIXED_PASSES } else { PASSES };
        passes.into_iter().flat_map(with).collect()
    }

    fn exploit(&self, pass: Pass, players: u8, file: &str) -> PlanSearch {
        let Training { game, setup, threads, .. } = self.training;
        let seed = mix(mix(mix(setup.seed, self.rounds.len() as u64), players.into()), pass.steps as u64);
        let series = Series {
            threads: *threads,
            halt: Some(self.halt),
            ..Series::new((game.clone(), Setup { players, ..setup.clone() }), vec!["random".to_owned()], seed)
        };
        let look = |positions: u32| format!("look:{positions}+learned:{file}");
        let bot = pass.positions.map_or_else(|| format!("learned:{file}"), look);
        PlanSearch(Exploit {
            series,
            opening: None,
            against: bot.clone(),
            base: bot,
            screen: look(pass.screened),
            steps: pass.steps,
            tried: TRIED,
            finalists: FINALISTS,
            blocks: GAMES.div_ceil(players.into()),
        })
    }

    fn search(&mut self, text: &str, mut progress: impl FnMut(u64, &[u64]) -> bool) -> Option<LeagueRound> {
        let file = self.folder.path().join(format!("{}.value", self.rounds.len()));
        std::fs::write(&file, text).ok()?;
        let searches = self.searches(&file.display().to_string());
        let mut lengths: Vec<Vec<u64>> = searches.iter().map(PlanSearch::most_lengths).collect();
        let mut before = 0;
        for (place, search) in searches.iter().enumerate() {
            let mut games = 0;
            let report = search.0.run(|done, stages| {
                games = search.games(done);
                lengths[place] = search.lengths(stages);
                progress(before + games, &ends(&lengths))
            });
            let report = report.ok().filter(|report| !report.stopped)?;
            before += games;
            let plans: Vec<String> =
                report.plans.iter().filter(|plan| plan.is_above(report.even)).map(|plan| plan.plan.clone()).collect();
            if !plans.is_empty() {
                self.first += place + 1;
                // The other searches are left out.
                lengths.truncate(place + 1);
                progress(before, &ends(&lengths));
                return Some(LeagueRound { players: report.setup.players, plans });
            }
        }
        Some(LeagueRound { players: 0, plans: Vec::new() })
    }
}

/// A search for plans that counts games instead of blocks.
struct PlanSearch(Exploit);

impl PlanSearch {
    /// The games of this many blocks: a plan sits once in every seat of a block.
    fn games(&self, blocks: u64) -> u64 {
        blocks.saturating_mul(self.0.series.game.1.players.into())
    }

    /// The most games of each stage.
    fn most_lengths(&self) -> Vec<u64> {
        self.lengths(&self.0.stage_ends())
    }

    /// The games of stages that end after these numbers of blocks.
    fn lengths(&self, ends: &[u64]) -> Vec<u64> {
        let begins = std::iter::once(0).chain(ends.iter().copied());
        ends.iter().zip(begins).map(|(end, begin)| self.games(end.saturating_sub(begin))).collect()
    }
}

/// The numbers of games at which stages of these lengths end.
fn ends(lengths: &[Vec<u64>]) -> Vec<u64> {
    let mut end = 0u64;
    let ends = lengths.iter().flatten().map(|length| {
        end = end.saturating_add(*length);
        end
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Stall;

    static HALT: AtomicBool = AtomicBool::new(false);

    /// A value to which all positions are equal.
    fn blank(players: &str) -> String {
        let head = format!("motherlode learned value 5\ngame stall\nplayers {players}\nseed 1\ngames 0\nmade by hand");
        let [one, units] = [3, 43].map(|digits| "A".repeat(digits));
        format!("{head}\nplayouts turn\nfeatures 0\n{one} bias\n{units} base\n{units} out\nend\n")
    }

    fn training(stall: Stall) -> Training {
        let game = stall.load();
        let setup = game.setup(None, &[], 1).unwrap();
        Training { threads: 2, ..Training::new(&game, setup) }
    }

    #[test]
    fn rounds_take_turns_with_the_numbers_of_players() {
        let find = |threads| {
            let training = Training { threads, ..training(Stall { ruby: 9, ..Stall::default() }) };
            let mut league = League::new(&training, &HALT).unwrap();
            let most = league.most_games();
            assert_eq!(most.len(), 3 * PASSES.len() * training.players.len());
            for _ in 0..2 {
                let mut last = (0, Vec::new());
                let found = league.find(&blank("2 3"), |done, ends| {
                    assert!(done >= last.0 && done <= *ends.last().unwrap());
                    last = (done, ends.to_vec());
                    true
                });
                assert!(!found.is_empty());
                // Only the first number was searched, and all of its games are counted.
                assert_eq!((last.0, last.1.len()), (*last.1.last().unwrap(), 3));
                assert!(last.0 < *most.last().unwrap());
            }
            league.rounds().collect::<Vec<_>>()
        };
        let rounds = find(2);
        assert_eq!(rounds.iter().map(|round| round.players).collect::<Vec<_>>(), [2, 3]);
        assert!(
            rounds[1].plans.contains(&"plan:card:jewels.ruby+base=look:16+learned:1.value".to_owned()),
            "{rounds:?}"
        );
        assert_eq!(rounds, find(1), "results depend on threads");
    }

    #[test]
    fn a_round_without_plans_searches_every_number_of_players() {
        // All choices are equal, and so are all plans: with this seed, no interval of a finalist is above even.
        let training = training(Stall { glass: 2, ..Stall::default() });
        let mut league = League::new(&training, &HALT).unwrap();
        let mut last = (0, Vec::new());
        let found = league.find(&blank("2 3"), |done, ends| {
            last = (done, ends.to_vec());
            true
        });
        assert_eq!(found, Vec::<String>::new());
        assert_eq!((last.0, last.1.len()), (*last.1.last().unwrap(), 12));
        assert_eq!(league.rounds().next(), Some(LeagueRound { players: 0, plans: Vec::new() }));
    }

    #[test]
    fn a_search_that_is_stopped_is_no_round() {
        let training = training(Stall { ruby: 9, ..Stall::default() });
        let mut league = League::new(&training, &HALT).unwrap();
        assert!(league.find(&blank("2 3"), |done, _| done < 100).is_empty());
        assert_eq!(league.rounds().len(), 0);
    }
}
