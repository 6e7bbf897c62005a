//! States: single matches, in OpenSpiel's words.

use std::collections::BTreeMap;
use std::sync::RwLockReadGuard;

use motherlode::{Match, Observation, OpenStep, Outcome};
use motherlode_play::mix;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;

use crate::chance;
use crate::error::{ActionError, Fault};
use crate::exclusive::Exclusive;
use crate::match_state::MatchState;
use crate::number::{action, optional_player, player, seed};

/// The number of the current player when the match is over, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// The number of the current player when chance decides, as in OpenSpiel.
const CHANCE: i32 = -1;

/// One match at a decision, or at its end. A state may be copied and pickled, and used in any thread by one caller at a
/// time. A copy and an action cost the same however long the match is.
#[pyclass(frozen, module = "motherlode")]
pub struct State {
    /// The game that pickle keeps.
    game: Py<PyAny>,
    of: Exclusive<MatchState>,
}

impl State {
    /// Wraps a match.
    pub const fn new(game: Py<PyAny>, of: MatchState) -> Self {
        Self { game, of: Exclusive::new(of) }
    }

    /// The match. Raises `RuntimeError` while another thread changes it.
    pub fn of(&self) -> PyResult<RwLockReadGuard<'_, MatchState>> {
        self.of.read()
    }
}

#[pymethods]
impl State {
    /// The deciding player from 0; `CHANCE` if a random result is to be chosen; `TERMINAL` if the match is over. Players
    /// who decide at the same time do so one after the other, without seeing each other's answers.
    fn current_player(&self) -> PyResult<i32> {
        let of = self.of()?;
        let nobody = if of.is_chance() { CHANCE } else { TERMINAL };
        Ok(of.position.seat.map_or(nobody, i32::from))
    }

    /// All players who may decide now: several if they decide at the same time. A resampled state may have others: its
    /// player does not know who else has answered already.
    fn pending_players(&self) -> PyResult<Vec<u32>> {
        Ok(self.of()?.pending()?.into_iter().map(u32::from).collect())
    }

    /// Whether the match is over.
    fn is_terminal(&self) -> PyResult<bool> {
        Ok(self.of()?.is_over())
    }

    /// Whether a random result is to be chosen: only with `chance="explicit"`.
    fn is_chance_node(&self) -> PyResult<bool> {
        Ok(self.of()?.is_chance())
    }

    /// The outcomes of the open draw, each with its probability; empty unless `is_chance_node`. Raises `Error` for a
    /// draw of more numbers than `Game.max_chance_outcomes` allows.
    ///
    /// An outcome is the number drawn, from 1, or the dealt token, from 1. A shuffle is one draw for each place, from the
    /// top down.
    fn chance_outcomes(&self) -> PyResult<Vec<(u32, f64)>> {
        self.of()?.position.chance.as_ref().map_or_else(|| Ok(Vec::new()), chance::outcomes)
    }

    /// The name of an outcome of the open draw: `number:4`, or `token:king#3` with the number of the token.
    fn chance_outcome_name(&self, outcome: u32) -> PyResult<String> {
        let of = self.of()?;
        let chance = of.position.chance.as_ref().filter(|chance| chance.is_open());
        let chance = chance.ok_or_else(|| ActionError::new_err("no draw waits for a result"))?;
        chance::name(&of.environment.game, chance, outcome)
    }

    /// The legal actions of a player in ascending order; empty unless the player may decide now. For a random result,
    /// and without `player`: the outcomes.
    #[pyo3(signature = (player = None))]
    fn legal_actions(&self, #[pyo3(from_py_with = optional_player)] player: Option<i64>) -> PyResult<Vec<u32>> {
        Ok(self.of()?.legal(player)?)
    }

    /// For each action whether it is legal: booleans of shape `(num_actions,)`. All are false at a chance node: an
    /// outcome is no action of a player.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let of = self.of()?;
        let mut mask = vec![false; of.environment.actions.len()];
        let legal = if of.is_chance() { Vec::new() } else { of.legal(player)? };
        for action in legal {
            mask[action as usize] = true;
        }
        Ok(mask.into_pyarray(py))
    }

    /// Answer the current decision, or that of another of the `pending_players`; or choose an outcome of the open draw.
    /// Raises `ActionError` for an action that is not legal, and `ScriptError` if a script of the game fails; the state
    /// is then unchanged.
    #[pyo3(signature = (action, player = None))]
    fn apply_action(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = action)] action: i64,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<()> {
        let mut of = self.of.write()?;
        let of = &mut *of;
        py.detach(|| of.apply(action, player)).map_err(PyErr::from)
    }

    /// The name of an action, as `Game.action_name`; at a chance node the name of an outcome.
    fn action_to_string(&self, action: u32) -> PyResult<String> {
        let of = self.of()?;
        if of.is_chance() {
            return self.chance_outcome_name(action);
        }
        let name = of.environment.actions.name(action as usize);
        let last = of.environment.actions.len() - 1;
        let unknown = || PyIndexError::new_err(format!("there is no action {action}: use 0 to {last}"));
        name.map(str::to_owned).ok_or_else(unknown)
    }

    /// The legal actions of a player, each with its text for people; empty at a chance node.
    #[pyo3(signature = (player = None))]
    fn legal_texts(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<BTreeMap<u32, String>> {
        let of = self.of()?;
        let seat = of.seat(player)?;
        let texts = |m: &mut Match| {
            if m.decision_of_seat(seat).is_none() {
                return Ok(BTreeMap::new());
            }
            let (actions, choices) = (of.environment.actions.of(m, seat)?, m.legal_of(seat)?);
            // Of choices that share an action, the first one speaks.
            let texts = actions.into_iter().zip(choices).rev();
            Ok(texts.filter_map(|(action, choice)| Some((action?, choice.label))).collect())
        };
        Ok(if of.is_chance() { BTreeMap::new() } else { of.look(texts)?.unwrap_or_default() })
    }

    /// The result once the match is over: scores, ranks, reason and rounds. None until then.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = |m: &mut Match| m.outcome().map(|outcome| to_json(&outcome)).transpose();
        let of = self.of()?;
        let text = if of.is_over() { of.look(outcome)?.flatten() } else { None };
        text.map(|text| from_json(py, &text)).transpose()
    }

    /// The utility of each player: 0 until the match is over.
    fn returns(&self) -> PyResult<Vec<f64>> {
        Ok(self.of()?.position.returns.clone())
    }

    /// The utility that each player got with the last action. It is 0 until the match is over.
    fn rewards(&self) -> PyResult<Vec<f64>> {
        self.returns()
    }

    /// The question to the deciding player as text; empty if the match is over.
    fn question(&self) -> PyResult<String> {
        let text = |m: &mut Match| Ok(m.decision().map(|decision| decision.text(m.game())).unwrap_or_default());
        let of = self.of()?;
        Ok(if of.is_chance() { String::new() } else { of.look(text)?.unwrap_or_default() })
    }

    /// The observation of a player, by default of the deciding one: numbers of shape `Game.observation_shape`.
    #[pyo3(signature = (player = None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let of = self.of()?;
        let seat = of.seat(player)?;
        let mut out = vec![0.0; of.environment.observations.len()];
        of.look(|m| {
            of.environment.observations.write(m, seat, &mut out);
            Ok(())
        })?;
        Ok(out.into_pyarray(py))
    }

    /// The observation of a player by names, as in the messages of `lode stdio`: dictionaries and lists.
    #[pyo3(signature = (player = None))]
    fn observation_dict<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of = self.of()?;
        let seat = of.seat(player)?;
        let text = of.look(|m| to_json(&m.observe(Some(seat))))?;
        from_json(py, text.as_deref().unwrap_or("{}"))
    }

    /// Everything that a player could know so far, in order: the history as a list of dictionaries.
    #[pyo3(signature = (player = None))]
    fn events<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.information(player, false)?)
    }

    /// The information state of a player as text: the history, and the question if the player is asked one. States that
    /// the player cannot tell apart have the same text. It is made anew by each call, in a time that grows with the
    /// history.
    #[pyo3(signature = (player = None))]
    fn information_state_string(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<String> {
        self.information(player, true)
    }

    /// The actions so far, in order. Raises `ValueError` for a resampled state: the actions would tell hidden cards.
    fn history(&self) -> PyResult<Vec<u32>> {
        let of = self.of()?;
        if let Some(seat) = of.redealt {
            let message = format!(
                "the state is resampled for player {seat}: its actions would tell hidden facts, unlike its `observation`"
            );
            return Err(PyValueError::new_err(message));
        }
        Ok(of.path.actions().into_iter().map(|(action, _)| action).collect())
    }

    /// The player for whom the state is resampled; `None`: the state is not resampled.
    #[getter]
    fn resampled_for(&self) -> PyResult<Option<u8>> {
        Ok(self.of()?.redealt)
    }

    /// A random state that the player cannot tell apart from this one. It may have other `pending_players`. Raises
    /// `ScriptError` if none of 1,024 deals fits what the player has seen since a script began to run.
    ///
    /// Such a state and its copies tell only facts of the player: `history`, `serialize`, and `events` of others raise
    /// `ValueError`. A state that is resampled for one player and then for another has no `events` at all.
    #[pyo3(signature = (player, seed = 0))]
    fn resample_from_infostate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = player)] player: i64,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        let of = self.of()?;
        let of = &*of;
        let seat = of.seat(Some(player))?;
        let other = py.detach(|| of.redeal(seat, seed))?;
        Ok(Self::new(self.game.clone_ref(py), other))
    }

    /// An independent copy.
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self::new(self.game.clone_ref(py), self.of()?.clone()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.clone(py)
    }

    /// For pickle: the game and the text of `serialize`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let of = self.of()?;
        if of.redealt.is_some() {
            let message = "a resampled state cannot be pickled: the actions in it would tell hidden facts";
            return Err(PyTypeError::new_err(message));
        }
        Ok((self.game.bind(py).getattr("deserialize")?, (of.serialize(),)))
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.game.clone_ref(py)
    }

    /// The state as text, for `Game.deserialize`: setup, seed and actions. Raises `ValueError` for a resampled state.
    fn serialize(&self) -> PyResult<String> {
        let of = self.of()?;
        if of.redealt.is_some() {
            return Err(PyValueError::new_err("a resampled state has no text: its actions do not lead to it"));
        }
        Ok(of.serialize())
    }

    /// Hash of the whole position, also of its hidden facts, of the seed of its future random results, and of what has
    /// been chosen in a step that chance has not ended.
    fn hash(&self) -> PyResult<u64> {
        let of = self.of()?;
        let base = of.look(|m| Ok(m.state().hash()))?.unwrap_or_default();
        let Some(OpenStep { answer, outcomes }) = of.open_step() else { return Ok(base) };
        let answer = answer.map_or(0, |(seat, choice)| mix(choice as u64 + 1, seat.into()));
        Ok(outcomes.into_iter().fold(mix(base, answer), |hash, outcome| mix(hash, outcome.into())))
    }

    /// The position as JSON, with all hidden facts; at the end with the outcome.
    fn __str__(&self) -> PyResult<String> {
        let of = self.of()?;
        let shown = |OpenStep { answer, outcomes }| ShownChance { answer: answer.map(|answer| answer.1), outcomes };
        let chance = of.open_step().map(shown);
        let begun = of.look(|m| {
            to_json(&Shown { position: Some(m.observe(None)), outcome: m.outcome(), chance: chance.clone() })
        })?;
        Ok(begun.map_or_else(|| to_json(&Shown { position: None, outcome: None, chance }), Ok)?)
    }

    fn __repr__(&self) -> PyResult<String> {
        let of = self.of()?;
        let id = &of.environment.game.declarations().id;
        let past = match of.redealt {
            // The number of actions may depend on hidden facts.
            Some(seat) => format!("resampled for player {seat}"),
            None => format!("after {} actions", of.path.len),
        };
        Ok(match of.position.seat {
            Some(seat) => format!("<motherlode.State of '{id}' {past}, player {seat} decides>"),
            None if of.is_chance() => format!("<motherlode.State of '{id}' {past}, chance decides>"),
            None => format!("<motherlode.State of '{id}' {past}, over>"),
        })
    }
}

impl State {
    /// The history of a player as JSON; `is_asked`: with the open question.
    fn information(&self, player: Option<i64>, is_asked: bool) -> PyResult<String> {
        let of = self.of()?;
        let seat = of.seat(player)?;
        let history = |m: &mut Match| {
            let Some(entries) = m.history(seat) else {
                let message = match of.redealt {
                    Some(own) if own == seat => format!(
                        "the state was resampled for another player before it was for player {seat}: it has no history"
                    ),
                    _ => format!("the state is resampled for another player than {seat}: it has no history"),
                };
                return Err(PyValueError::new_err(message).into());
            };
            let asked = m.asked(seat).filter(|_| is_asked);
            to_json(&entries.chain(&asked).collect::<Vec<_>>())
        };
        Ok(of.look_back(history)?.unwrap_or_else(|| "[]".to_owned()))
    }
}

/// A position as text.
#[derive(Serialize)]
struct Shown {
    /// `None`: the match has not begun.
    #[serde(flatten)]
    position: Option<Observation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<ShownChance>,
}

/// The choices since the position, while chance decides.
#[derive(Clone, Serialize)]
struct ShownChance {
    /// Index of the chosen answer; `None`: the match begins.
    answer: Option<usize>,
    outcomes: Vec<u32>,
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()).into())
}

fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
