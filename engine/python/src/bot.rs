//! The bots of the engine, for states.

use std::sync::Arc;

use motherlode::{Game as Rules, Match};
use motherlode_play::{Environment, bot, mix, with_bot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{ActionError, Fault};
use crate::game::Game;
use crate::state::State;
use crate::vector::is_slow;
use crate::wait::run_shared;

/// A bot of the engine: `bot(state)` is the action that it takes. It knows only what the deciding player knows.
///
/// `spec` names it as in `--bots` of `lode sim`, such as `search:64`. With the same seed it takes the
/// same action in the same state. Raises `ValueError` if the spec names no bot.
#[pyclass(frozen, module = "motherlode")]
pub struct Bot {
    environment: Arc<Environment>,
    spec: String,
    seed: u64,
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, spec, seed = 0))]
    fn new(game: &Game, spec: String, #[pyo3(from_py_with = crate::number::seed)] seed: u64) -> PyResult<Self> {
        let environment = Arc::clone(game.environment());
        bot(&spec, &environment.game, seed).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { environment, spec, seed })
    }

    /// The spec.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The action for the current decision of a state of the same game. Ctrl-C ends a long search.
    fn __call__(&self, py: Python<'_>, state: &State) -> PyResult<u32> {
        let game = &self.environment.game;
        if is_slow(&self.spec) {
            Ok(run_shared(py, |halt| self.choose(&game.halted_by(halt), state))??)
        } else {
            Ok(py.detach(|| self.choose(game, state))?)
        }
    }

    fn __repr__(&self) -> String {
        format!("<motherlode.Bot '{}'>", self.spec)
    }
}

impl Bot {
    fn choose(&self, game: &Rules, state: &State) -> Result<u32, Fault> {
        if state.environment().game.fingerprint() != game.fingerprint() {
            return Err(PyValueError::new_err("the state is of another game than the bot").into());
        }
        let nothing = || Fault::from(ActionError::new_err("no player decides now"));
        let seed = mix(mix(self.seed, state.setup().seed), state.len() as u64);
        let choose = |m: &mut Match| {
            let decision = m.decision().filter(|_| !state.choices().is_empty()).ok_or_else(nothing)?;
            Ok(with_bot(&self.spec, game, seed, |bot| bot.choose(m, decision))?)
        };
        let choice = state.look_in(game, choose)?.ok_or_else(nothing)?;
        state.choices().get(choice).copied().flatten().ok_or_else(nothing)
    }
}
