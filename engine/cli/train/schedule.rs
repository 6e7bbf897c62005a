//! The progress of a training through its stages, with the searches of its league.

use motherlode_play::{Training, TrainingProgress, TrainingStage};

use crate::lab::LabProgress;

/// A stage of the progress bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A stage of the training.
    Train(TrainingStage),
    /// A part of the search for rivals before a round of the league: the round and the part, from 0.
    Search(u32, usize),
}

/// The steps of a training, each with its number of games.
struct Steps(Vec<(Step, u64)>);

impl Steps {
    /// The steps of a training; `search` has the counts of games at which the parts of a search end.
    fn new(training: &Training, search: &[u64]) -> Self {
        let mut steps = Vec::new();
        for (stage, games) in training.stages() {
            if let TrainingStage::League(round) = stage {
                steps.extend(parts(search).enumerate().map(|(part, games)| (Step::Search(round, part), games)));
            }
            steps.push((Step::Train(stage), games));
        }
        Self(steps)
    }

    /// The counts of games at which the steps end.
    fn ends(&self) -> Vec<u64> {
        let mut end = 0;
        let ends = self.0.iter().map(|(_, games)| {
            end += games;
            end
        });
        ends.collect()
    }

    /// The number of games before a step.
    fn before(&self, step: Step) -> u64 {
        self.0.iter().take_while(|(other, _)| *other != step).map(|(_, games)| games).sum()
    }

    /// Sets the ends of the parts of a search.
    fn set_search(&mut self, round: u32, ends: &[u64]) {
        let mut lengths = parts(ends);
        for (step, games) in &mut self.0 {
            if matches!(step, Step::Search(of, _) if *of == round) {
                *games = lengths.next().unwrap_or_default();
            }
        }
    }
}

/// The lengths of parts with these ends.
fn parts(ends: &[u64]) -> impl Iterator<Item = u64> {
    let begins = std::iter::once(0).chain(ends.iter().copied());
    ends.iter().zip(begins).map(|(end, begin)| end.saturating_sub(begin))
}

/// The progress bar of a training.
pub struct Schedule {
    bar: LabProgress,
    steps: Steps,
    rounds: u32,
    /// The round of the league whose rivals are searched.
    round: u32,
    is_searching: bool,
}

impl Schedule {
    /// A bar for a training; `search` has the counts of games at which the parts of a search for rivals end at the latest.
    pub fn new(training: &Training, search: Vec<u64>) -> Self {
        let steps = Steps::new(training, &search);
        let mut bar = LabProgress::new(steps.ends().last().copied().unwrap_or_default(), "games");
        if training.league > 0 {
            bar.may_end_early();
        }
        Self { bar, steps, rounds: training.league, round: 0, is_searching: false }
    }

    /// Reports a game of the training; returns whether to continue.
    pub fn train(&mut self, progress: TrainingProgress, iterations: u32) -> bool {
        if std::mem::take(&mut self.is_searching) {
            self.round += 1;
        }
        self.bar.set_remark(Some(match progress.stage {
            TrainingStage::League(round) => format!("league, round {} of {}", round + 1, self.rounds),
            TrainingStage::Horizon => "horizon of searches".to_owned(),
            _ => format!("iteration {} of {iterations}", progress.iteration.min(iterations - 1) + 1),
        }));
        let done = self.steps.before(Step::Train(progress.stage)) + progress.in_stage;
        self.bar.done_in(done, &self.steps.ends())
    }

    /// Reports games of the search for rivals and the ends of its parts; returns whether to continue.
    pub fn search(&mut self, done: u64, ends: &[u64]) -> bool {
        self.is_searching = true;
        self.steps.set_search(self.round, ends);
        self.bar.set_remark(Some(format!("league, round {} of {}: searching rivals", self.round + 1, self.rounds)));
        let before = self.steps.before(Step::Search(self.round, 0));
        self.bar.done_in(before + done, &self.steps.ends())
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_lies_before_its_round() {
        let (random, league) = (Step::Train(TrainingStage::Random), Step::Train(TrainingStage::League(0)));
        let search = |part| Step::Search(0, part);
        let mut steps = Steps(vec![(random, 10), (search(0), 40), (search(1), 20), (search(2), 30), (league, 25)]);
        assert_eq!((steps.before(search(0)), steps.before(league)), (10, 100));
        steps.set_search(0, &[8, 8, 12]);
        assert_eq!(steps.ends(), [10, 18, 18, 22, 47]);
        assert_eq!(steps.before(league), 22);
    }
}
