//! Games, with everything that is fixed before play.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use motherlode::declare::OptionValue;
use motherlode::tools::nearest;
use motherlode_play::Environment;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::chance;
use crate::content::{Content, Files};
use crate::match_state::MatchState;
use crate::number;
use crate::state::State;
use crate::vector::{Vector, VectorRecord, opponents};

/// A game with a number of players and options. It never changes and may be used in several threads.
#[pyclass(frozen, weakref, module = "motherlode")]
pub struct Game {
    environment: Arc<Environment>,
    content: Arc<Content>,
    source: Source,
    has_chance: OnceLock<bool>,
}

/// Where a game comes from: the arguments `game` and `mods` of `load`.
pub type Source = (PathBuf, Vec<PathBuf>);

impl Game {
    /// Wraps an environment.
    pub const fn new(environment: Arc<Environment>, content: Arc<Content>, source: Source) -> Self {
        Self { environment, content, source, has_chance: OnceLock::new() }
    }

    /// The best known bot: the one that the game names, else the learned value, else a search.
    pub fn best(&self) -> PyResult<String> {
        let rules = &self.environment.game;
        Ok(self.content.balance(rules)?.best_bot(rules))
    }

    /// A bot with the names of plans replaced by their specs.
    pub fn bot(&self, bot: &str) -> PyResult<String> {
        self.content.bot(&self.environment.game, bot)
    }

    /// The environment.
    pub const fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }
}

/// A part of an observation: `observation[part.offset:part.offset + part.size].reshape(part.shape)`.
#[pyclass(frozen, get_all, module = "motherlode")]
pub struct Part {
    /// Its name, after the content: `counter:gold`, `zone:hand`.
    name: String,
    /// Its shape. A first dimension of seats begins with the observing seat.
    shape: Vec<usize>,
    /// The smallest number.
    low: f32,
    /// The largest number.
    high: f32,
    /// Index of its first number in the observation.
    offset: usize,
    /// Number of numbers.
    size: usize,
    /// Names of the columns, the last dimension; empty if they have none: cards, phases, prompts, named values.
    columns: Vec<String>,
}

#[pymethods]
impl Part {
    fn __repr__(&self) -> String {
        let Self { name, shape, low, high, offset, .. } = self;
        format!("Part(name='{name}', shape={shape:?}, low={low}, high={high}, offset={offset})")
    }
}

/// The utility of every seat at the end of a match, in points.
#[pyclass(frozen, get_all, module = "motherlode")]
pub struct Utility {
    /// `rank` (the share of the first place), `score` or `margin`.
    goal: &'static str,
    /// The smallest utility.
    min: f64,
    /// The largest utility.
    max: f64,
    /// `zero_sum`, `constant_sum` (1 over all seats), `identical` or `general_sum`.
    sum: &'static str,
}

#[pymethods]
impl Utility {
    /// Whether the utilities of all seats add up to 0.
    #[getter]
    fn is_zero_sum(&self) -> bool {
        self.sum == "zero_sum"
    }

    fn __repr__(&self) -> String {
        let Self { goal, min, max, sum } = self;
        format!("Utility(goal='{goal}', min={min}, max={max}, sum='{sum}')")
    }
}

#[pymethods]
impl Game {
    /// Its id, such as `pieces`.
    #[getter]
    fn id(&self) -> &str {
        &self.environment.game.declarations().id
    }

    /// Its displayed name.
    #[getter]
    fn name(&self) -> &str {
        &self.environment.game.declarations().name
    }

    /// Hash of everything that can change a match.
    #[getter]
    fn fingerprint(&self) -> &str {
        self.environment.game.fingerprint()
    }

    /// Where it comes from: the first argument of `load`, and the mods.
    #[getter]
    fn source(&self) -> Source {
        self.source.clone()
    }

    /// Number of players of every match.
    #[getter]
    fn num_players(&self) -> u8 {
        self.environment.setup.players
    }

    /// The options of every match.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for (name, value) in &self.environment.setup.options {
            match value {
                OptionValue::Bool(value) => options.set_item(name, value)?,
                OptionValue::Integer(value) => options.set_item(name, value)?,
                OptionValue::Name(value) => options.set_item(name, value)?,
            }
        }
        Ok(options)
    }

    /// Number of actions. They are numbered from 0, for all matches of the game.
    #[getter]
    fn num_actions(&self) -> usize {
        self.environment.actions.len()
    }

    /// The name of an action, such as `token:cards.s4@hand`.
    fn action_name(&self, #[pyo3(from_py_with = number::action)] action: i64) -> PyResult<String> {
        let found = usize::try_from(action).ok().and_then(|action| self.environment.actions.name(action));
        let name = found.map(str::to_owned);
        let most = self.num_actions().saturating_sub(1);
        name.ok_or_else(|| PyIndexError::new_err(format!("there is no action {action}: use 0 to {most}")))
    }

    /// The number of the action with this name.
    fn action(&self, name: &str) -> PyResult<usize> {
        let number = self.environment.actions.number(name);
        number.ok_or_else(|| {
            let names = (0..self.num_actions()).filter_map(|action| self.environment.actions.name(action));
            let hint = match nearest(name, names.collect::<Vec<_>>()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "see `action_name`".to_owned(),
            };
            PyKeyError::new_err(format!("no action is named `{name}`: {hint}"))
        })
    }

    /// The shape of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize,) {
        (self.environment.observations.len(),)
    }

    /// The parts of an observation, in order.
    #[getter]
    fn observation_parts(&self) -> Vec<Part> {
        let Environment { game, setup, .. } = &*self.environment;
        let rounds = game.declarations().rounds.as_ref().map(|rounds| rounds.resolve(&setup.options) as f32);
        let part = |part: &motherlode_play::Part| Part {
            name: part.name.clone(),
            shape: part.shape.clone(),
            low: part.low,
            // The declared rounds are those of the options.
            high: rounds.filter(|_| part.name == "round").unwrap_or(part.high),
            offset: part.offset,
            size: part.len(),
            columns: part.columns.clone(),
        };
        self.environment.observations.parts().iter().map(part).collect()
    }

    /// The game, its actions and observed numbers, players and options as metadata for an ONNX file: a network with them
    /// plays nothing else.
    #[getter]
    fn network_metadata(&self) -> std::collections::BTreeMap<&str, String> {
        [("motherlode", self.environment.network_purpose())].into()
    }

    /// Maximum decisions of a match: four times the longest of 64 random ones, or with declared rounds four times the
    /// most decisions a round, for all rounds; at most 100,000. Longer matches are possible, but cut off.
    #[getter]
    fn max_length(&self) -> usize {
        self.environment.max_length()
    }

    /// The utility of every seat.
    #[getter]
    fn utility(&self) -> Utility {
        let utility = self.environment.utility;
        Utility { goal: utility.goal.name(), min: utility.least, max: utility.most, sum: utility.sum.name() }
    }

    /// Whether players decide at the same time in some declared phase.
    #[getter]
    fn has_simultaneous_phases(&self) -> bool {
        let phases = &self.environment.game.declarations().phases;
        phases.values().any(|phase| phase.turns == motherlode::declare::Turns::Sealed)
    }

    /// Whether every player sees everything, and nobody decides at the same time as others: perfect information.
    #[getter]
    fn is_public(&self) -> bool {
        self.environment.game.is_public()
    }

    /// Whether a match may have random results: the game shuffles, or a script calls `random` or `shuffle`.
    #[getter]
    fn has_chance(&self) -> bool {
        *self.has_chance.get_or_init(|| chance::is_used(self.environment.game.declarations()))
    }

    /// The best known bot: the one in `balance.toml`, else `learned` if the game has a learned value, else a search.
    /// Raises `ContentError` with the faults of that file.
    #[getter]
    fn best_bot(&self) -> PyResult<String> {
        self.best()
    }

    /// The plans in `balance.toml`, as bots by name; `plan:NAME` is a bot, too.
    #[getter]
    fn plans(&self) -> PyResult<std::collections::BTreeMap<String, String>> {
        Ok(self.content.balance(&self.environment.game)?.plans.clone())
    }

    /// Outcomes of chance are below this number.
    #[getter]
    fn max_chance_outcomes(&self) -> usize {
        self.environment.game.layout().tokens.len().max(chance::MOST_NUMBERS) + 1
    }

    /// A new match, at its first decision. The seed decides all its random events.
    ///
    /// With `chance="explicit"`, the program chooses their results: whenever one is needed, `State.is_chance_node` is
    /// true, and `State.chance_outcomes` has the outcomes with their probabilities.
    #[pyo3(signature = (seed = 0, *, chance = "seed"))]
    fn new_state(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        chance: &str,
    ) -> PyResult<State> {
        let explicit = match chance {
            "seed" => false,
            "explicit" => true,
            other => {
                let message = format!("`chance` is \"seed\" or \"explicit\", not \"{other}\"");
                return Err(PyValueError::new_err(message));
            }
        };
        let environment = &slf.get().environment;
        let state = py.detach(|| MatchState::new(environment, seed, explicit))?;
        Ok(State::new(slf.clone().into_any().unbind(), state))
    }

    /// The state that `State.serialize` wrote. Raises `ValueError` if it is of another game, setup or version.
    fn deserialize(slf: &Bound<'_, Self>, py: Python<'_>, text: &str) -> PyResult<State> {
        let environment = &slf.get().environment;
        let state = py.detach(|| MatchState::deserialize(environment, text))?;
        Ok(State::new(slf.clone().into_any().unbind(), state))
    }

    /// Many matches at once.
    ///
    /// `opponents` names bots for all seats but one, as `--bots` of `lode sim`: one for all of them, or a list with one
    /// for each, in the order after the played seat. The played seat changes with every match. Without opponents, the
    /// program plays all seats. Results do not depend on `threads`.
    ///
    /// A match that ends before the first decision of the program is skipped, and its result appears nowhere.
    ///
    /// `final_observation` keeps the last observation of each match in `Vector.final_observation`.
    #[pyo3(signature = (num_envs, *, seed = 0, opponents = Vec::new(), threads = 1, final_observation = false))]
    fn vector(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        num_envs: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        #[pyo3(from_py_with = opponents)] opponents: Vec<String>,
        #[pyo3(from_py_with = number::threads)] threads: usize,
        #[pyo3(from_py_with = number::final_observation)] final_observation: bool,
    ) -> PyResult<Vector> {
        let own = slf.get();
        let opponents = opponents.iter().map(|bot| own.bot(bot)).collect::<PyResult<Vec<String>>>()?;
        let game = (slf.clone().into_any().unbind(), &own.environment);
        Vector::new(py, game, num_envs, (seed, opponents), threads, final_observation)
    }

    /// The vector that `pickle` recorded.
    #[pyo3(name = "_resume_vector")]
    fn resume_vector(slf: &Bound<'_, Self>, record: VectorRecord<'_>) -> PyResult<Vector> {
        Vector::resume(slf.py(), (slf.clone().into_any().unbind(), &slf.get().environment), record)
    }

    /// The files of the game, and those of each mod, as they were loaded; none for a game of the package.
    #[pyo3(name = "_files")]
    fn files(&self) -> (Files, Vec<Files>) {
        (self.content.files.clone(), self.content.mods.clone())
    }

    fn __repr__(&self) -> String {
        format!("<motherlode.Game '{}' for {} players>", self.id(), self.num_players())
    }

    /// For pickle: everything that another process needs to load the game as it is here.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("motherlode._ship")?.call_method1("reduce_game", (slf,))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
