//! Many matches at once, in numpy arrays.

use std::sync::Arc;

use motherlode_play::{Environment, PlaceRecord, StepArrays, Vector as Environments, VectorOptions};
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::Fault;
use crate::exclusive::Exclusive;
use crate::number::{self, optional_seed, shown, whole};
use crate::wait::Worker;

/// Maximum environments of a vector.
const MOST_ENVIRONMENTS: u64 = 1 << 20;

/// Maximum memory of the arrays of a vector: 16 GiB.
const MOST_BYTES: u64 = 1 << 34;

/// Many matches of one game. Each finished match is followed by the next one.
///
/// All arrays belong to the environment: `reset` and `step` write into them and return the same arrays. Copy those that
/// must survive the next call. Observation and mask are read-only, because a step writes only what has changed.
///
/// | array | shape | contents |
/// | --- | --- | --- |
/// | observation | `(num_envs, observation_shape[0])`, float32 | of the deciding seats |
/// | reward | `(num_envs, num_players)`, float32 | the utility of each seat if its match has just ended, otherwise 0 |
/// | done | `(num_envs,)`, bool | whether a match has just ended |
/// | mask | `(num_envs, num_actions)`, bool | the legal actions of the deciding seats |
/// | seat | `(num_envs,)`, int32 | the deciding seats, from 0 |
///
/// `reward` is of the match that has ended, `seat` of the next one: with `opponents`, keep the old seats.
///
/// A vector with `opponents` or several threads has threads of its own. After `os.fork`, the child must make a new one:
/// calls of the old one raise `RuntimeError` there.
#[pyclass(frozen, module = "motherlode")]
pub struct Vector {
    game: Py<PyAny>,
    arrays: Arrays,
    of: Exclusive<Matches>,
}

/// The matches of a vector.
struct Matches {
    /// `None`: closed.
    environments: Option<Environments>,
    /// The thread that waits for bots; `None`: no bot takes long.
    worker: Option<Worker>,
    /// The process that has the threads; `None`: the vector has none of its own.
    process: Option<u32>,
    /// Whether Ctrl-C has ended a step.
    is_interrupted: bool,
}

struct Arrays {
    observation: Py<PyArray2<f32>>,
    mask: Py<PyArray2<bool>>,
    /// Views that a program cannot write into: a step writes only what has changed.
    shown_observation: Py<PyArray2<f32>>,
    shown_mask: Py<PyArray2<bool>>,
    reward: Py<PyArray2<f32>>,
    done: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    seat: Py<PyArray1<i32>>,
    /// `None`: the last observations of matches are not kept.
    last: Option<Py<PyArray2<f32>>>,
}

/// The bots of the other seats: one for all of them, or one for each.
pub fn opponents(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_none() {
        return Ok(Vec::new());
    }
    if let Ok(one) = given.extract::<String>() {
        return Ok(vec![one]);
    }
    let each = given.extract::<Vec<String>>().map_err(|_| {
        let shown = shown(given);
        PyTypeError::new_err(format!("`opponents` takes the name of a bot or a list of such names, not {shown}"))
    })?;
    if each.is_empty() {
        let message = "`opponents` is an empty list: name a bot, or use None to play all seats";
        return Err(PyValueError::new_err(message));
    }
    Ok(each)
}

/// A vector as pickle keeps it: number of environments, seed, opponents, threads; the matches as JSON, or none before the
/// first reset; reward, done and truncated of the last step, and the last observations if they are kept, flat.
#[derive(FromPyObject)]
pub struct VectorRecord<'py>(
    usize,
    u64,
    Vec<String>,
    usize,
    Option<String>,
    PyReadonlyArray1<'py, f32>,
    PyReadonlyArray1<'py, bool>,
    PyReadonlyArray1<'py, bool>,
    Option<PyReadonlyArray1<'py, f32>>,
);

/// The fields of a [`VectorRecord`], in order.
type RecordFields =
    (usize, u64, Vec<String>, usize, Option<String>, Py<PyAny>, Py<PyAny>, Py<PyAny>, Option<Py<PyAny>>);

type Reset = (Py<PyArray2<f32>>, Py<PyArray2<bool>>, Py<PyArray1<i32>>);
type Step = (Py<PyArray2<f32>>, Py<PyArray2<f32>>, Py<PyArray1<bool>>, Py<PyArray2<bool>>, Py<PyArray1<i32>>);

impl Vector {
    /// Prepares matches. `game` is the one that pickle keeps.
    pub fn new(
        py: Python<'_>,
        (game, environment): (Py<PyAny>, &Arc<Environment>),
        num_envs: &Bound<'_, PyAny>,
        (seed, opponents): (u64, Vec<String>),
        threads: usize,
        final_observation: bool,
    ) -> PyResult<Self> {
        let (actions, players) = (environment.actions.len(), usize::from(environment.setup.players));
        let width = environment.observations.len();
        let observations = if final_observation { 2 } else { 1 };
        let bytes = 4 * (observations * width + players + 1) + actions + 2;
        let most = (MOST_BYTES / bytes as u64).clamp(1, MOST_ENVIRONMENTS);
        let num_envs = whole("num_envs", num_envs, 1, most)? as usize;
        let worker = opponents.iter().any(|spec| is_slow(spec)).then(Worker::new).transpose()?;
        let environment = match &worker {
            None => Arc::clone(environment),
            Some(worker) => {
                let game = environment.game.halted_by(worker.halt());
                let own = Environment::new(&game, environment.setup.clone());
                Arc::new(own.map_err(PyValueError::new_err)?)
            }
        };
        let process = (worker.is_some() || threads > 1).then(std::process::id);
        let options = VectorOptions { environments: num_envs, seed, opponents, threads, final_observation };
        let environments = Environments::new(environment, options).map_err(Fault::from)?;
        let observation = PyArray2::zeros(py, [num_envs, width], false);
        let mask = PyArray2::zeros(py, [num_envs, actions], false);
        let arrays = Arrays {
            shown_observation: read_only(&observation)?,
            observation: observation.unbind(),
            shown_mask: read_only(&mask)?,
            mask: mask.unbind(),
            reward: PyArray2::zeros(py, [num_envs, players], false).unbind(),
            done: PyArray1::zeros(py, num_envs, false).unbind(),
            truncated: PyArray1::zeros(py, num_envs, false).unbind(),
            seat: PyArray1::zeros(py, num_envs, false).unbind(),
            last: final_observation.then(|| PyArray2::zeros(py, [num_envs, width], false).unbind()),
        };
        let of = Matches { environments: Some(environments), worker, process, is_interrupted: false };
        Ok(Self { game, arrays, of: Exclusive::new(of) })
    }

    /// Continues a recorded vector.
    pub fn resume(py: Python<'_>, game: (Py<PyAny>, &Arc<Environment>), record: VectorRecord<'_>) -> PyResult<Self> {
        let VectorRecord(num_envs, seed, opponents, threads, matches, reward, done, truncated, last) = record;
        let num_envs = num_envs.into_pyobject(py)?.into_any();
        let new = Self::new(py, game, &num_envs, (seed, opponents), threads, last.is_some())?;
        let damaged = |what: String| PyValueError::new_err(format!("the pickled vector is damaged: {what}"));
        let Some(matches) = matches else { return Ok(new) };
        let matches: Vec<PlaceRecord> = serde_json::from_str(&matches).map_err(|error| damaged(error.to_string()))?;
        let mut of = new.of.write()?;
        new.write(py, &mut of, |environments, arrays| Ok(environments.resume(matches, arrays)?))
            .map_err(|error| damaged(error.value(py).to_string()))?;
        let Arrays { reward: rewards, done: ends, truncated: cuts, .. } = &new.arrays;
        copy(reward.as_slice()?, rewards.bind(py).try_readwrite()?.as_slice_mut()?).map_err(damaged)?;
        copy(done.as_slice()?, ends.bind(py).try_readwrite()?.as_slice_mut()?).map_err(damaged)?;
        copy(truncated.as_slice()?, cuts.bind(py).try_readwrite()?.as_slice_mut()?).map_err(damaged)?;
        if let (Some(last), Some(lasts)) = (last, &new.arrays.last) {
            copy(last.as_slice()?, lasts.bind(py).try_readwrite()?.as_slice_mut()?).map_err(damaged)?;
        }
        drop(of);
        Ok(new)
    }

    /// Runs `work` without the lock of the interpreter.
    fn write(
        &self,
        py: Python<'_>,
        of: &mut Matches,
        work: impl FnOnce(&mut Environments, StepArrays<'_>) -> Result<(), Fault> + Send,
    ) -> PyResult<()> {
        let Some(environments) = &mut of.environments else {
            return Err(PyRuntimeError::new_err("the environment is closed: make another one with `Game.vector`"));
        };
        if of.process.is_some_and(|process| process != std::process::id()) {
            let message =
                "a fork does not copy the threads of a vector: make a new one in the child with `Game.vector`";
            return Err(PyRuntimeError::new_err(message));
        }
        let Arrays { observation, mask, reward, done, truncated, seat, last, .. } = &self.arrays;
        let mut observation = observation.bind(py).try_readwrite()?;
        let mut mask = mask.bind(py).try_readwrite()?;
        let mut reward = reward.bind(py).try_readwrite()?;
        let mut done = done.bind(py).try_readwrite()?;
        let mut truncated = truncated.bind(py).try_readwrite()?;
        let mut seat = seat.bind(py).try_readwrite()?;
        let arrays = StepArrays {
            observation: observation.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            reward: reward.as_slice_mut()?,
            done: done.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            seat: seat.as_slice_mut()?,
        };
        match &of.worker {
            None => py.detach(|| work(environments, arrays))?,
            Some(worker) => match worker.run(py, || work(environments, arrays)) {
                Ok(done) => done?,
                Err(interrupt) => {
                    of.is_interrupted = true;
                    return Err(interrupt);
                }
            },
        }
        let Some(last) = last else { return Ok(()) };
        let mut last = last.bind(py).try_readwrite()?;
        let width = environments.environment().observations.len();
        for (environment, row) in last.as_slice_mut()?.chunks_exact_mut(width).enumerate() {
            let kept = environments.final_observation(environment);
            if done.as_slice()?.get(environment) == Some(&true) && kept.len() == row.len() {
                row.copy_from_slice(kept);
            }
        }
        Ok(())
    }
}

/// A view of an array that Python cannot write into.
fn read_only<'py, T: Element, D: Dimension>(array: &Bound<'py, PyArray<T, D>>) -> PyResult<Py<PyArray<T, D>>> {
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view.cast_into::<PyArray<T, D>>().map_err(PyErr::from)?.unbind())
}

/// Copies numbers over others.
fn copy<T: Copy>(from: &[T], to: &mut [T]) -> Result<(), String> {
    if from.len() != to.len() {
        return Err(format!("an array has {} elements, not {}", from.len(), to.len()));
    }
    to.copy_from_slice(from);
    Ok(())
}

/// Whether a bot may think for long.
pub fn is_slow(spec: &str) -> bool {
    let base = spec.split(['+', ':']).next().unwrap_or_default();
    !matches!(base.trim(), "random" | "first")
}

#[pymethods]
impl Vector {
    /// Number of environments.
    #[getter]
    fn num_envs(&self, py: Python<'_>) -> usize {
        use numpy::PyUntypedArrayMethods as _;
        self.arrays.done.bind(py).len()
    }

    /// For each environment whether its last match reached `Game.max_length` decisions in the last step: `done` is then
    /// true as well, and the match has no outcome. Booleans of shape `(num_envs,)`, written in place.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.arrays.truncated.clone_ref(py)
    }

    /// The last observation of the last match of each environment: of the seat that answered last for the program. Float32
    /// of shape `(num_envs, observation_shape[0])`, written in place where `done` is true. Raises `ValueError` unless the
    /// vector was made with `final_observation=True`.
    #[getter]
    fn final_observation(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f32>>> {
        let message = "the vector keeps no last observations: make it with `final_observation=True`";
        self.arrays.last.as_ref().map(|last| last.clone_ref(py)).ok_or_else(|| PyValueError::new_err(message))
    }

    /// Begin the first match of every environment; `seed` replaces the seed of the environment.
    ///
    /// Returns observation, mask and seat.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, #[pyo3(from_py_with = optional_seed)] seed: Option<u64>) -> PyResult<Reset> {
        let mut of = self.of.write()?;
        of.is_interrupted = false;
        self.write(py, &mut of, |environments, arrays| Ok(environments.reset(seed, arrays)?))?;
        let Arrays { shown_observation: observation, shown_mask: mask, seat, .. } = &self.arrays;
        Ok((observation.clone_ref(py), mask.clone_ref(py), seat.clone_ref(py)))
    }

    /// Answer the decision of every environment: `actions` has one integer for each.
    ///
    /// Returns observation, reward, done, mask and seat. Raises `ActionError` if some action is not legal; no environment
    /// has then changed. Raises `ScriptError` if a script of the game fails; the other environments have then advanced.
    /// Ctrl-C ends a step with slow opponents at once; call `reset` then.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Step> {
        let mut of = self.of.write()?;
        if of.is_interrupted {
            return Err(PyRuntimeError::new_err("the last step was interrupted: call `reset`"));
        }
        if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i64>>() {
            let list = actions.as_array().to_vec();
            self.write(py, &mut of, |environments, arrays| Ok(environments.step(&list, arrays)?))?;
        } else {
            let list = integers(actions)?;
            self.write(py, &mut of, |environments, arrays| Ok(environments.step(&list, arrays)?))?;
        }
        let Arrays { shown_observation: observation, shown_mask: mask, reward, done, seat, .. } = &self.arrays;
        Ok((
            observation.clone_ref(py),
            reward.clone_ref(py),
            done.clone_ref(py),
            mask.clone_ref(py),
            seat.clone_ref(py),
        ))
    }

    /// Drop all matches and threads. Further calls raise `RuntimeError`; the arrays stay valid.
    fn close(&self) -> PyResult<()> {
        let mut of = self.of.write()?;
        (of.environments, of.worker) = (None, None);
        Ok(())
    }

    /// For pickle: the game, the options and the matches.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (RecordFields,))> {
        let of = self.of.read()?;
        let Some(environments) = &of.environments else {
            return Err(PyTypeError::new_err("a closed environment cannot be pickled: it has no matches"));
        };
        let matches = environments.record().filter(|_| !of.is_interrupted);
        let matches = matches.map(|matches| serde_json::to_string(&matches)).transpose();
        let matches = matches.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let VectorOptions { environments, seed, opponents, threads, .. } = environments.options().clone();
        let Arrays { reward, done, truncated, last, .. } = &self.arrays;
        let flat = |array: &Bound<'py, PyAny>| array.call_method0("ravel").map(Bound::unbind);
        let [reward, done, truncated] =
            [flat(reward.bind(py).as_any())?, flat(done.bind(py).as_any())?, flat(truncated.bind(py).as_any())?];
        let last = last.as_ref().map(|last| flat(last.bind(py).as_any())).transpose()?;
        let fields = (environments, seed, opponents, threads, matches, reward, done, truncated, last);
        Ok((self.game.bind(py).getattr("_resume_vector")?, (fields,)))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<motherlode.Vector of {} environments>", self.num_envs(py))
    }
}

/// Actions of other types than int64.
fn integers(actions: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i32>>() {
        return Ok(actions.as_array().iter().map(|&action| action.into()).collect());
    }
    let each = actions.try_iter().and_then(|each| each.map(|one| number::action(&one?)).collect());
    each.map_err(|_| {
        PyTypeError::new_err(
            "`actions` must have one integer for each environment, such as an int64 array of shape (num_envs,)",
        )
    })
}
