//! Trainings of values by self-play, with games played here or by other processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use motherlode::Setup;
use motherlode_lab::{IterationSummary, League, TrainingSummary, ValueVerdict};
use motherlode_play::{
    Failures, Limits, LocalPlayers, Pattern, Targets, Training, TrainingBatch, TrainingError, TrainingPiece,
    TrainingPlayers, TrainingProgress,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{Error, Fault};
use crate::game::Game;
use crate::number;
use crate::wait::{Flags, OwnFlags, beside};

/// The training of a value. `motherlode.train` runs it here, `motherlode.ray` on many machines.
#[pyclass(frozen, module = "motherlode")]
pub struct Trainer {
    training: Training,
    /// Whether each number of players has a value of its own.
    apart: bool,
    flags: OwnFlags,
}

/// The result of a training: its report as JSON, the value, a warning, and the exception that ended it.
type Trained = (String, String, Option<String>, Option<PyErr>);

/// Values for all numbers of players.
#[derive(Default)]
struct Values {
    text: String,
    games: u64,
    failures: Failures,
    iterations: Vec<Vec<IterationSummary>>,
    stopped: bool,
}

#[pymethods]
impl Trainer {
    #[new]
    #[pyo3(signature = (
        game, *, players, games, iterations, search_iterations, league, mixed, lambda_, centred, matches, apart,
        never, always, seed, threads
    ))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn new(
        game: &Game,
        players: Option<Vec<u8>>,
        games: u64,
        iterations: u32,
        search_iterations: u32,
        league: u32,
        mixed: bool,
        lambda_: Option<f64>,
        centred: bool,
        matches: u64,
        apart: bool,
        never: Vec<String>,
        always: Vec<String>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        #[pyo3(from_py_with = number::threads)] threads: usize,
    ) -> PyResult<Self> {
        let flags = OwnFlags::take();
        let environment = game.environment();
        let rules = environment.game.halted_by(&flags.0.halt);
        let setup = Setup { seed, ..environment.setup.clone() };
        let patterns =
            |names: &[String]| Pattern::all(&rules, names).map_err(|error| PyValueError::new_err(error.to_string()));
        let limits = Limits { never: patterns(&never)?, always: patterns(&always)? };
        if let Some(both) = Pattern::both(&limits.never, &limits.always) {
            return Err(PyValueError::new_err(format!("`never` and `always` both name `{both}`")));
        }
        let usual = Targets::default();
        let mut training = Training {
            games,
            iterations,
            search_iterations,
            league,
            is_mixed: mixed,
            targets: Targets { lambda: lambda_.unwrap_or(usual.lambda), is_centred: centred },
            matches,
            searches: matches,
            limits: (limits != Limits::default()).then(|| limits.into()),
            threads,
            ..Training::new(&rules, setup)
        };
        training.players = players.unwrap_or(training.players);
        if league > 0 && (training.players.iter().all(|players| *players < 2) || rules.declarations().outcome.shared) {
            return Err(PyValueError::new_err("`league` needs a competitive game for at least two players"));
        }
        Ok(Self { training, apart, flags })
    }

    /// The number of games to play, with the blocks of the verdict. `old` is the text of the value to replace.
    fn total(&self, old: Option<&str>) -> u64 {
        let games: u64 = self.groups().iter().map(Training::all_games).sum();
        games + self.verdict().stages(old).last().unwrap_or(&0)
    }

    /// Trains and judges. `players` plays the games elsewhere; `old` is the text of the value to replace. Returns the
    /// report as JSON, the text of the value, a warning about aborted games, and the exception that ended the training
    /// early.
    #[pyo3(signature = (*, progress = None, players = None, old = None, keep_bad = false))]
    fn run(
        &self,
        py: Python<'_>,
        progress: Option<Bound<'_, PyAny>>,
        players: Option<Bound<'_, PyAny>>,
        old: Option<String>,
        keep_bad: bool,
    ) -> PyResult<Trained> {
        let raised = Mutex::new(None);
        let (flags, players) = (self.flags.0, players.map(Bound::unbind));
        let (trained, interrupt) = beside(py, &self.flags, progress.as_ref(), |done| {
            let mut local = LocalPlayers;
            let mut remote = players.map(|players| RemotePlayers { players, flags, raised: &raised });
            let players: &mut dyn TrainingPlayers = match &mut remote {
                Some(remote) => remote,
                None => &mut local,
            };
            self.train_and_judge(players, old.as_deref(), keep_bad, done)
        })?;
        if let Some(error) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        match (trained, interrupt) {
            (Ok((report, value, warning)), interrupt) => Ok((report, value, warning, interrupt)),
            (Err(_), Some(interrupt)) => Err(interrupt),
            (Err(error), None) => Err(error),
        }
    }

    /// Plays games of a batch, whose league has these bots; returns the results as JSON.
    fn play(&self, py: Python<'_>, batch: &str, rivals: Vec<String>, first: u64, end: u64) -> PyResult<Vec<String>> {
        let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        let mut batch: TrainingBatch = serde_json::from_str(batch).map_err(wrong)?;
        batch.rivals = rivals;
        let (training, flags) = (&self.training, self.flags.0);
        let (played, interrupt) = beside(py, &self.flags, None, |_| {
            let (mut pieces, mut failed) = (Vec::new(), None);
            let played = batch.play(training, first..end, &mut |piece| {
                match serde_json::to_string(&piece) {
                    Ok(text) => pieces.push(text),
                    Err(error) => failed = Some(error),
                }
                failed.is_none() && !flags.stop.load(Ordering::Relaxed)
            });
            failed.map_or(Ok(()), |error| Err(wrong(error)))?;
            played.map_err(of_training).map(|_| pieces)
        })?;
        interrupt.map_or(played, Err)
    }
}

impl Trainer {
    /// The trainings of all values.
    fn groups(&self) -> Vec<Training> {
        if !self.apart {
            return vec![self.training.clone()];
        }
        let of = |players: &u8| Training { players: vec![*players], ..self.training.clone() };
        self.training.players.iter().map(of).collect()
    }

    fn verdict(&self) -> ValueVerdict<'_> {
        ValueVerdict {
            game: &self.training.game,
            setup: &self.training.setup,
            players: ValueVerdict::ends(&self.training.players),
            games: self.training.matches,
            threads: self.training.threads,
            halt: &self.flags.0.stop,
        }
    }

    fn train(&self, players: &mut dyn TrainingPlayers, done: &AtomicU64) -> PyResult<Values> {
        let stop = &self.flags.0.stop;
        let mut values = Values::default();
        let mut before = 0;
        for training in self.groups() {
            let mut league = League::new(&training, stop)?;
            let trained = training.run_against(
                |TrainingProgress { done: games, .. }| {
                    done.store(before + games, Ordering::Relaxed);
                    !stop.load(Ordering::Relaxed)
                },
                |text| league.find(text, |_, _| !stop.load(Ordering::Relaxed)),
                players,
            );
            let trained = match trained {
                // Keep the values learned before.
                Err(TrainingError::Stopped) if !values.text.is_empty() => {
                    values.stopped = true;
                    break;
                }
                trained => trained.map_err(of_training)?,
            };
            before += training.all_games();
            values.text += &trained.text;
            values.games += trained.origin.games;
            values.failures.append(&trained.failures);
            values.iterations.push(trained.iterations.iter().map(IterationSummary::from).collect());
            values.stopped = trained.stopped;
            if values.stopped {
                break;
            }
        }
        Ok(values)
    }

    /// The report, the value, and a warning.
    fn train_and_judge(
        &self,
        players: &mut dyn TrainingPlayers,
        old: Option<&str>,
        keep_bad: bool,
        done: &AtomicU64,
    ) -> PyResult<(String, String, Option<String>)> {
        let Values { text, games, mut failures, iterations, stopped } = self.train(players, done)?;
        let stop = &self.flags.0.stop;
        let before: u64 = self.groups().iter().map(Training::all_games).sum();
        // A stopped training has no verdict: its user waits for the end.
        let (rows, failed) = if stopped {
            Default::default()
        } else {
            let judged = self.verdict().play(&text, old, |blocks| {
                done.store(before + blocks, Ordering::Relaxed);
                !stop.load(Ordering::Relaxed)
            });
            judged.map_err(|error| Error::new_err(error.to_string()))?
        };
        failures.append(&failed);
        let warning = failures.told(games + rows.iter().map(|row| row.games).sum::<u64>());
        let written = keep_bad || !rows.iter().any(motherlode_lab::VerdictRow::is_fault);
        let stopped = stopped || stop.load(Ordering::Relaxed);
        let summary = TrainingSummary { games, iterations, verdict: &rows, written, stopped };
        let report = serde_json::to_string_pretty(&summary);
        Ok((report.map_err(|error| Error::new_err(error.to_string()))?, text, warning))
    }
}

fn of_training(error: TrainingError) -> PyErr {
    match error {
        TrainingError::Match(error) => Fault::from(error).into(),
        error => Error::new_err(error.to_string()),
    }
}

/// Players behind a Python object: `begin(batch, rivals, count)` hands out the games of a batch, `take()` returns the
/// next results, an empty list while there are none, or `None` after the last, and `cancel()` ends the batch.
struct RemotePlayers<'r> {
    players: Py<PyAny>,
    flags: &'static Flags,
    raised: &'r Mutex<Option<PyErr>>,
}

impl RemotePlayers<'_> {
    fn hand_out(&self, batch: &TrainingBatch, sink: &mut dyn FnMut(TrainingPiece) -> bool) -> PyResult<bool> {
        let wrong = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        let text = serde_json::to_string(batch).map_err(wrong)?;
        Python::attach(|py| self.players.call_method1(py, "begin", (text, batch.rivals.clone(), batch.count)))?;
        loop {
            let taken: Option<Vec<String>> = Python::attach(|py| self.players.call_method0(py, "take")?.extract(py))?;
            let Some(pieces) = taken else { return Ok(true) };
            for piece in pieces {
                if !sink(serde_json::from_str(&piece).map_err(wrong)?) {
                    return Ok(false);
                }
            }
            if self.flags.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
    }
}

impl TrainingPlayers for RemotePlayers<'_> {
    fn play(
        &mut self,
        _: &Training,
        batch: &TrainingBatch,
        sink: &mut dyn FnMut(TrainingPiece) -> bool,
    ) -> Result<bool, TrainingError> {
        let played = self.hand_out(batch, sink);
        let cancelled = Python::attach(|py| self.players.call_method0(py, "cancel").map(drop));
        let goes_on = played.and_then(|goes_on| cancelled.map(|()| goes_on));
        Ok(goes_on.unwrap_or_else(|error| {
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            false
        }))
    }
}
