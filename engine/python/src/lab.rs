//! Experiments: simulations, arenas, comparisons and effects, whole or piece by piece.
//!
//! Direction: running <- guest, training <- self

mod guest;
mod running;
mod training;

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use motherlode::Setup;
use motherlode_lab::{Arena, Compare, Effects, Exploit, Hypotheses, Series};
use motherlode_play::{Cell, GuestBot, Kind, Pattern, Simulation};
use numpy::IntoPyArray as _;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyType};

pub use self::training::Trainer;

use self::running::{Play, RowTable, Running};
use crate::bot::Bot;
use crate::game::Game;
use crate::number;
use crate::wait::{OwnFlags, beside};

/// An experiment with the sum of its first pieces. `motherlode.lab` runs it here, `motherlode.ray` on many machines.
#[pyclass(frozen, module = "motherlode")]
pub struct Run {
    running: Mutex<Box<dyn Play>>,
    flags: OwnFlags,
    /// Python callables among the bots.
    guests: Vec<GuestBot>,
    /// The first exception of a callable.
    raised: Arc<Mutex<Option<PyErr>>>,
}

/// The arguments of every experiment.
struct Common {
    bots: Vec<String>,
    guests: Vec<GuestBot>,
    flags: OwnFlags,
    raised: Arc<Mutex<Option<PyErr>>>,
    threads: usize,
}

impl Common {
    /// Reads the bots. With a callable among them, one thread plays: others would wait for the interpreter.
    fn new(game: &Game, bots: &[Bound<'_, PyAny>], threads: usize) -> PyResult<Self> {
        let (flags, raised) = (OwnFlags::take(), Arc::default());
        let (mut specs, mut guests) = (Vec::new(), Vec::new());
        for bot in bots {
            if let Ok(spec) = bot.cast::<PyString>() {
                specs.push(game.bot(spec.to_str()?.trim())?);
            } else if let Some(advice) = advice(bot) {
                return Err(PyTypeError::new_err(format!("{} is no policy: {advice}", bot.repr()?)));
            } else if bot.is_callable() {
                let guest = guest::register(bot, game.environment(), flags.0, &raised);
                specs.push(guest.spec().to_owned());
                guests.push(guest);
            } else {
                let message = format!("{} is no bot: use a bot's name or a callable", bot.repr()?);
                return Err(PyTypeError::new_err(message));
            }
        }
        let threads = if guests.is_empty() { threads } else { 1 };
        Ok(Self { bots: specs, guests, flags, raised, threads })
    }

    fn setup(game: &Game, seed: u64) -> Setup {
        Setup { seed, ..game.environment().setup.clone() }
    }

    fn series(&self, game: &Game, other: Option<&Game>, seed: u64) -> Series {
        let version = |game: &Game| (game.environment().game.halted_by(&self.flags.0.halt), Self::setup(game, seed));
        Series {
            others: other.map(version).into_iter().collect(),
            threads: self.threads,
            halt: Some(&self.flags.0.stop),
            ..Series::new(version(game), self.bots.clone(), seed)
        }
    }

    fn run(self, running: Result<Box<dyn Play>, String>) -> PyResult<Run> {
        let Self { guests, flags, raised, .. } = self;
        let running = Mutex::new(running.map_err(PyValueError::new_err)?);
        Ok(Run { running, flags, guests, raised })
    }
}

/// The advice for a callable that is no policy: the object to pass in its place.
fn advice(bot: &Bound<'_, PyAny>) -> Option<String> {
    if let Ok(bot) = bot.cast::<Bot>() {
        return Some(format!("pass its spec \"{}\"", bot.get().spec()));
    }
    bot.cast::<PyType>().is_ok().then(|| "it is a class, so pass an object of it".to_owned())
}

/// Checks that two games are versions of one game with one setup. An option may differ if each version has its own
/// default: then the default is the edit.
fn check_versions(game: &Game, base: &Game) -> PyResult<()> {
    let (own, other) = (game.environment(), base.environment());
    let (id, other_id) = (&own.game.declarations().id, &other.game.declarations().id);
    if id != other_id {
        let message = format!("`{id}` and `{other_id}` are different games: compare two versions of one game");
        return Err(PyValueError::new_err(message));
    }
    let (players, others) = (own.setup.players, other.setup.players);
    if players != others {
        let message = format!("the versions have {players} and {others} players: load both with the same number");
        return Err(PyValueError::new_err(message));
    }
    let defaults = |of: &motherlode_play::Environment| of.game.setup(Some(players), &[], 0).map(|setup| setup.options);
    for (name, value) in &own.setup.options {
        let Some(base) = other.setup.options.get(name).filter(|base| *base != value) else { continue };
        let is_default = |of, value| defaults(of).is_ok_and(|defaults| defaults.get(name) == Some(value));
        if !is_default(own, value) || !is_default(other, base) {
            let message = format!("the versions have other values of option `{name}`: load both with the same options");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(())
}

/// Makes an experiment a running one.
fn boxed<P: Play + 'static>(running: Result<P, String>) -> Result<Box<dyn Play>, String> {
    running.map(|running| Box::new(running) as Box<dyn Play>)
}

/// A name, a type and the cells of a column, and which of them are missing.
type PyColumn<'py> = (String, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

#[pymethods]
impl Run {
    /// Many games of one seating.
    #[staticmethod]
    #[pyo3(signature = (game, bots, *, games, seed, answers, rows, decisions, threads))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn sim(
        game: &Game,
        bots: Vec<Bound<'_, PyAny>>,
        games: u64,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        answers: Vec<String>,
        rows: bool,
        decisions: bool,
        #[pyo3(from_py_with = number::threads)] threads: usize,
    ) -> PyResult<Self> {
        let common = Common::new(game, &bots, threads)?;
        let halted = game.environment().game.halted_by(&common.flags.0.halt);
        let simulation = Simulation {
            games,
            threads: common.threads,
            bots: common.bots.clone(),
            answers,
            decisions,
            ..Simulation::new(&halted, Common::setup(game, seed))
        };
        let running = Running::new(simulation, rows, |simulation, mut report, stopped, is_measured| {
            report.speed = report.speed.filter(|_| is_measured);
            let mut value = serde_json::to_value(&report)?;
            value["wanted"] = simulation.games.into();
            value["stopped"] = stopped.into();
            serde_json::to_string_pretty(&value)
        });
        common.run(boxed(running))
    }

    /// Bots against each other.
    #[staticmethod]
    #[pyo3(signature = (game, bots, *, blocks, seed, opening, until, rows, threads))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn arena(
        game: &Game,
        bots: Vec<Bound<'_, PyAny>>,
        blocks: u64,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        opening: u32,
        until: Option<(f64, f64)>,
        rows: bool,
        #[pyo3(from_py_with = number::threads)] threads: usize,
    ) -> PyResult<Self> {
        let common = Common::new(game, &bots, threads)?;
        let until = until.map(|(h0, h1)| Hypotheses { h0, h1 });
        let series = Series { opening, ..common.series(game, None, seed) };
        let arena = Arena { series, blocks, until };
        let running = Running::new(arena, rows, |_, report, _, _| serde_json::to_string_pretty(&report));
        common.run(boxed(running))
    }

    /// Two versions of a game by the same bots.
    #[staticmethod]
    #[pyo3(signature = (game, base, bots, *, blocks, seed, matters, until, rows, threads))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn compare(
        game: &Game,
        base: &Game,
        bots: Vec<Bound<'_, PyAny>>,
        blocks: u64,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        matters: f64,
        until: bool,
        rows: bool,
        #[pyo3(from_py_with = number::threads)] threads: usize,
    ) -> PyResult<Self> {
        check_versions(game, base)?;
        let common = Common::new(game, &bots, threads)?;
        let compare = Compare { series: common.series(base, Some(game), seed), blocks, matters, until };
        let running = Running::new(compare, rows, |_, report, _, _| serde_json::to_string_pretty(&report));
        common.run(boxed(running))
    }

    /// The value of cards, actions and roles.
    #[staticmethod]
    #[pyo3(signature = (game, bots, *, blocks, seed, forks, items, after, rows, threads))]
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    fn effects(
        game: &Game,
        bots: Vec<Bound<'_, PyAny>>,
        blocks: u64,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        forks: u32,
        items: Vec<String>,
        after: Option<String>,
        rows: bool,
        #[pyo3(from_py_with = number::threads)] threads: usize,
    ) -> PyResult<Self> {
        let common = Common::new(game, &bots, threads)?;
        let items =
            Pattern::all(&game.environment().game, &items).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let effects = Effects { series: common.series(game, None, seed), blocks, forks, items, after };
        let running = Running::new(effects, rows, |_, report, _, _| serde_json::to_string_pretty(&report));
        common.run(boxed(running))
    }

    /// First and end of the numbers of the pieces of each stage. A stage needs all earlier pieces.
    #[getter]
    fn stages(&self) -> PyResult<Vec<(u64, u64)>> {
        Ok(self.running()?.stages().into_iter().map(|stage| (stage.start, stage.end)).collect())
    }

    /// The number of the next piece.
    #[getter]
    fn next(&self) -> PyResult<u64> {
        Ok(self.running()?.next())
    }

    /// Whether a sequential test has a verdict, so that no further piece is needed.
    #[getter]
    fn has_ended(&self) -> PyResult<bool> {
        Ok(self.running()?.has_ended())
    }

    /// Plays all missing pieces. Calls `progress` with the number of pieces so far. Returns the exception that ended
    /// the run early, such as `KeyboardInterrupt`; the pieces until then count.
    #[pyo3(signature = (progress = None))]
    fn finish(&self, py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<Option<PyErr>> {
        let mut running = self.running()?;
        let running = &mut **running;
        let flags = self.flags.0;
        let (played, interrupt) = beside(py, &self.flags, progress.as_ref(), move |done| {
            running.finish(&mut |number| {
                done.store(number, Ordering::Relaxed);
                if flags.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        })?;
        self.check_raised()?;
        played.map_err(PyValueError::new_err)?;
        Ok(interrupt)
    }

    /// Plays pieces of the stage that begins at `next`, as JSON.
    fn play(&self, py: Python<'_>, first: u64, end: u64) -> PyResult<Vec<String>> {
        let running = self.running()?;
        let running = &**running;
        let flags = self.flags.0;
        let mut pieces = Vec::new();
        let into = &mut pieces;
        let (played, interrupt) = beside(py, &self.flags, None, move |_| {
            running.play(first..end, &mut |piece| {
                into.push(piece);
                if flags.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        })?;
        self.check_raised()?;
        played.map_err(PyValueError::new_err)?;
        interrupt.map_or(Ok(pieces), Err)
    }

    /// Adds the next pieces. Stops without an error when a sequential test has its verdict.
    fn add(&self, py: Python<'_>, pieces: Vec<String>) -> PyResult<()> {
        let mut running = self.running()?;
        let running = &mut **running;
        let added = py.detach(|| {
            for piece in pieces {
                if running.has_ended() {
                    break;
                }
                running.add(&piece)?;
            }
            Ok(())
        });
        added.map_err(|message: String| PyValueError::new_err(message))
    }

    /// The report as JSON and the rows by column; the run is over afterwards. `measured`: whether the speed of a
    /// simulation is part of the report.
    #[pyo3(signature = (*, measured))]
    fn report<'py>(&self, py: Python<'py>, measured: bool) -> PyResult<(String, Vec<PyColumn<'py>>)> {
        let mut running = self.running()?;
        let running = &mut **running;
        let (text, rows) = py.detach(|| running.report(measured)).map_err(PyValueError::new_err)?;
        Ok((text, columns(py, rows)?))
    }

    fn __repr__(&self) -> String {
        format!("<motherlode.Run with {} callables>", self.guests.len())
    }
}

impl Run {
    fn running(&self) -> PyResult<MutexGuard<'_, Box<dyn Play>>> {
        self.running.try_lock().or_else(|error| match error {
            std::sync::TryLockError::Poisoned(poisoned) => Ok(poisoned.into_inner()),
            std::sync::TryLockError::WouldBlock => Err(PyRuntimeError::new_err("another thread uses this run")),
        })
    }

    fn check_raised(&self) -> PyResult<()> {
        check_raised(&self.raised)
    }
}

/// Raises the exception of a callable.
fn check_raised(raised: &Mutex<Option<PyErr>>) -> PyResult<()> {
    raised.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
}

/// Searches simple plans that beat a bot, as `lode exploit`. `bots` are the bot to beat, the base of the plans and the bot
/// of the preselection.
///
/// Returns the report as JSON, and the exception that ended the search early.
#[pyfunction]
#[pyo3(signature = (game, bots, *, steps, tried, finalists, blocks, opening, seed, threads, progress = None))]
#[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
pub fn exploit(
    py: Python<'_>,
    game: &Game,
    bots: [Bound<'_, PyAny>; 3],
    steps: usize,
    tried: usize,
    finalists: usize,
    blocks: u64,
    opening: Option<u32>,
    #[pyo3(from_py_with = number::seed)] seed: u64,
    #[pyo3(from_py_with = number::threads)] threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Option<PyErr>)> {
    let environment = game.environment();
    if environment.setup.players < 2 {
        return Err(PyValueError::new_err("`exploit` needs at least two players: load the game with 2 or more"));
    }
    if environment.game.declarations().outcome.shared {
        let message = "`exploit` needs a competitive game, but this game is cooperative";
        return Err(PyValueError::new_err(message));
    }
    let common = Common::new(game, &bots, threads)?;
    let [against, base, screen] = [0, 1, 2].map(|at| common.bots[at].clone());
    let series = common.series(game, None, seed);
    let search = Exploit { series, opening, against, base, screen, steps, tried, finalists, blocks };
    let flags = common.flags.0;
    let (found, interrupt) = beside(py, &common.flags, progress.as_ref(), move |done| {
        search.run(|number, _| {
            done.store(number, Ordering::Relaxed);
            !flags.stop.load(Ordering::Relaxed)
        })
    })?;
    check_raised(&common.raised)?;
    let report = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let text = serde_json::to_string_pretty(&report).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((text, interrupt))
}

/// The bot that effects use by default: the best known one of the game.
#[pyfunction]
pub fn default_bot(game: &Game) -> PyResult<String> {
    game.best()
}

/// Columns as arrays of numpy; text as lists.
fn columns(py: Python<'_>, rows: RowTable) -> PyResult<Vec<PyColumn<'_>>> {
    let RowTable { columns, cells } = rows;
    let column = |(column, cells): (motherlode_play::Column, Vec<Cell>)| {
        let missing: Vec<bool> = cells.iter().map(|cell| *cell == Cell::Missing).collect();
        let missing = missing.contains(&true).then(|| missing.into_pyarray(py).into_any());
        let values = match column.kind {
            Kind::Number => {
                let number = |cell| if let Cell::Number(number) = cell { number } else { 0 };
                cells.into_iter().map(number).collect::<Vec<i64>>().into_pyarray(py).into_any()
            }
            Kind::Seed => {
                let number = |cell| if let Cell::Seed(number) = cell { number } else { 0 };
                cells.into_iter().map(number).collect::<Vec<u64>>().into_pyarray(py).into_any()
            }
            Kind::Flag => {
                let flag = |cell| cell == Cell::Flag(true);
                cells.into_iter().map(flag).collect::<Vec<bool>>().into_pyarray(py).into_any()
            }
            Kind::Text => {
                let text = |cell| if let Cell::Text(text) = cell { Some(text) } else { None };
                PyList::new(py, cells.into_iter().map(text))?.into_any()
            }
        };
        Ok((column.name, values, missing))
    };
    columns.into_iter().zip(cells).map(column).collect()
}
