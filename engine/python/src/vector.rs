//! Many matches at once, in numpy arrays.

use std::sync::Arc;

use motherlode_play::{Environment, StepArrays, Vector as Environments, VectorOptions};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use crate::error::Fault;

/// Many matches of one game. Each finished match is followed by the next one.
///
/// All arrays belong to the environment: `reset` and `step` write into them and return the same arrays. Copy those that
/// must survive the next call.
///
/// | array | shape | contents |
/// | --- | --- | --- |
/// | observation | `(num_envs, observation_shape[0])`, float32 | of the deciding seats |
/// | reward | `(num_envs, num_players)`, float32 | the utility of each seat if its match has just ended, otherwise 0 |
/// | done | `(num_envs,)`, bool | whether a match has just ended |
/// | mask | `(num_envs, num_actions)`, bool | the legal actions of the deciding seats |
/// | seat | `(num_envs,)`, int32 | the deciding seats, from 0 |
#[pyclass(module = "motherlode")]
pub struct Vector {
    /// `None`: closed.
    environments: Option<Environments>,
    arrays: Arrays,
}

struct Arrays {
    observation: Py<PyArray2<f32>>,
    mask: Py<PyArray2<bool>>,
    reward: Py<PyArray2<f32>>,
    done: Py<PyArray1<bool>>,
    seat: Py<PyArray1<i32>>,
}

/// Bots of the other seats.
#[derive(FromPyObject)]
pub enum Opponents {
    /// One for all of them.
    All(String),
    /// One for each.
    Each(Vec<String>),
}

type Reset = (Py<PyArray2<f32>>, Py<PyArray2<bool>>, Py<PyArray1<i32>>);
type Step = (Py<PyArray2<f32>>, Py<PyArray2<f32>>, Py<PyArray1<bool>>, Py<PyArray2<bool>>, Py<PyArray1<i32>>);

impl Vector {
    /// Prepares matches.
    pub fn new(
        py: Python<'_>,
        environment: &Arc<Environment>,
        num_envs: usize,
        seed: u64,
        opponents: Option<Opponents>,
        threads: usize,
    ) -> PyResult<Self> {
        let opponents = match opponents {
            None => Vec::new(),
            Some(Opponents::All(one)) => vec![one],
            Some(Opponents::Each(each)) => each,
        };
        let options = VectorOptions { environments: num_envs, seed, opponents, threads };
        let environments = Environments::new(Arc::clone(environment), options).map_err(Fault::from)?;
        let (actions, players) = (environment.actions.len(), usize::from(environment.setup.players));
        let arrays = Arrays {
            observation: PyArray2::zeros(py, [num_envs, environment.observations.len()], false).unbind(),
            mask: PyArray2::zeros(py, [num_envs, actions], false).unbind(),
            reward: PyArray2::zeros(py, [num_envs, players], false).unbind(),
            done: PyArray1::zeros(py, num_envs, false).unbind(),
            seat: PyArray1::zeros(py, num_envs, false).unbind(),
        };
        Ok(Self { environments: Some(environments), arrays })
    }

    /// Runs `work` without the lock of the interpreter.
    fn write(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Environments, StepArrays<'_>) -> Result<(), Fault> + Send,
    ) -> PyResult<()> {
        let Some(environments) = &mut self.environments else {
            return Err(PyRuntimeError::new_err("the environment is closed: make another one with `Game.vector`"));
        };
        let Arrays { observation, mask, reward, done, seat } = &self.arrays;
        let mut observation = observation.bind(py).try_readwrite()?;
        let mut mask = mask.bind(py).try_readwrite()?;
        let mut reward = reward.bind(py).try_readwrite()?;
        let mut done = done.bind(py).try_readwrite()?;
        let mut seat = seat.bind(py).try_readwrite()?;
        let arrays = StepArrays {
            observation: observation.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            reward: reward.as_slice_mut()?,
            done: done.as_slice_mut()?,
            seat: seat.as_slice_mut()?,
        };
        Ok(py.detach(|| work(environments, arrays))?)
    }
}

#[pymethods]
impl Vector {
    /// Number of environments.
    #[getter]
    fn num_envs(&self, py: Python<'_>) -> usize {
        use numpy::PyUntypedArrayMethods as _;
        self.arrays.done.bind(py).len()
    }

    /// Begin the first match of every environment; `seed` replaces the seed of the environment.
    ///
    /// Returns observation, mask and seat.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<Reset> {
        self.write(py, |environments, arrays| Ok(environments.reset(seed, arrays)?))?;
        let Arrays { observation, mask, seat, .. } = &self.arrays;
        Ok((observation.clone_ref(py), mask.clone_ref(py), seat.clone_ref(py)))
    }

    /// Answer the decision of every environment: `actions` has one integer for each.
    ///
    /// Returns observation, reward, done, mask and seat. Raises `ActionError` if some action is not legal; no environment
    /// has then changed. Raises `ScriptError` if a script of the game fails; the other environments have then advanced.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Step> {
        if let Ok(actions) = actions.extract::<PyReadonlyArray1<'_, i64>>() {
            let list = actions.as_array().to_vec();
            self.write(py, |environments, arrays| Ok(environments.step(&list, arrays)?))?;
        } else {
            let list = integers(actions)?;
            self.write(py, |environments, arrays| Ok(environments.step(&list, arrays)?))?;
        }
        let Arrays { observation, mask, reward, done, seat } = &self.arrays;
        Ok((
            observation.clone_ref(py),
            reward.clone_ref(py),
            done.clone_ref(py),
            mask.clone_ref(py),
            seat.clone_ref(py),
        ))
    }

    /// Drop all matches. Further calls raise `RuntimeError`; the arrays stay valid.
    fn close(&mut self) {
        self.environments = None;
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
    actions.extract::<Vec<i64>>().map_err(|_| {
        PyTypeError::new_err(
            "`actions` must have one integer for each environment, such as an int64 array of shape (num_envs,)",
        )
    })
}
