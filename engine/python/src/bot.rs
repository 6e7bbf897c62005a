//! The bots of the engine, for states.

use motherlode::{Game as Rules, Match};
use motherlode_play::{bot, mix, with_bot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{ActionError, Fault};
use crate::game::Game;
use crate::match_state::MatchState;
use crate::state::State;
use crate::vector::is_slow;
use crate::wait::run_shared;

/// A bot of the engine: `bot(state)` is the action that it takes. It knows only what the deciding player knows.
///
/// `spec` names it as in `--bots` of `lode sim`, such as `search:64`. With the same seed it takes the
/// same action in the same state. Raises `ValueError` if the spec names no bot.
#[pyclass(frozen, module = "motherlode")]
pub struct Bot {
    game: Py<Game>,
    spec: String,
    /// The spec with the names of plans replaced.
    plain: String,
    seed: u64,
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, spec, seed = 0))]
    fn new(
        game: Bound<'_, Game>,
        spec: String,
        #[pyo3(from_py_with = crate::number::seed)] seed: u64,
    ) -> PyResult<Self> {
        let plain = game.get().bot(&spec)?;
        let rules = &game.get().environment().game;
        bot(&plain, rules, seed).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { game: game.unbind(), spec, plain, seed })
    }

    /// The spec.
    #[getter]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The action for the current decision of a state of the same game. Ctrl-C ends a long search.
    fn __call__(&self, py: Python<'_>, state: &State) -> PyResult<u32> {
        let game = &self.game.get().environment().game;
        let state = state.of()?;
        let state = &*state;
        if is_slow(&self.plain) {
            Ok(run_shared(py, |halt| self.choose(&game.halted_by(halt), state))??)
        } else {
            Ok(py.detach(|| self.choose(game, state))?)
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Py<Game>, String, u64)) {
        let Self { game, spec, seed, .. } = slf.get();
        (slf.get_type().into_any(), (game.clone_ref(slf.py()), spec.clone(), *seed))
    }

    fn __repr__(&self) -> String {
        format!("<motherlode.Bot '{}'>", self.spec)
    }
}

impl Bot {
    fn choose(&self, game: &Rules, state: &MatchState) -> Result<u32, Fault> {
        if state.environment.game.fingerprint() != game.fingerprint() {
            return Err(PyValueError::new_err("the state is of another game than the bot").into());
        }
        let nothing = || Fault::from(ActionError::new_err("no player decides now"));
        let seed = mix(mix(self.seed, state.setup.seed), state.path.len as u64);
        let choose = |m: &mut Match| {
            let decision = m.decision().filter(|_| !state.position.list.actions.is_empty()).ok_or_else(nothing)?;
            Ok(with_bot(&self.plain, game, seed, |bot| bot.choose(m, decision))?)
        };
        let choice = state.look_in(game, choose)?.ok_or_else(nothing)?;
        state.position.list.actions.get(choice).copied().flatten().ok_or_else(nothing)
    }
}
