//! States: single matches, in OpenSpiel's words.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use motherlode::{ActionList, Match, Setup, Snapshot};
use motherlode_play::{Environment, Utility, mix, with_match};
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::error::Fault;

/// The number of the current player when the match is over, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// Number of the format of `serialize`.
const FORMAT: u64 = 1;

/// Numbers of positions, for the matches of all threads.
static POSITIONS: AtomicU64 = AtomicU64::new(1);

/// One match at a decision, or at its end. A state may be copied, and used in any thread by one caller at a time.
#[pyclass(module = "motherlode")]
#[derive(Clone)]
pub struct State {
    environment: Arc<Environment>,
    setup: Setup,
    snapshot: Snapshot,
    /// The number of the position.
    at: u64,
    /// The deciding seat; `None`: the match is over.
    seat: Option<u8>,
    list: ActionList,
    /// The utility of each seat: 0 until the match is over.
    returns: Vec<f64>,
    actions: Vec<u32>,
    /// Whether the actions do not lead here, because the position is redealt.
    is_redealt: bool,
}

impl State {
    /// Begins a match.
    pub fn new(environment: &Arc<Environment>, seed: u64) -> Result<Self, Fault> {
        let setup = Setup { seed, ..environment.setup.clone() };
        let mut new = Self {
            environment: Arc::clone(environment),
            setup,
            snapshot: Snapshot::default(),
            at: 0,
            seat: None,
            list: ActionList::default(),
            returns: vec![0.0; usize::from(environment.setup.players)],
            actions: Vec::new(),
            is_redealt: false,
        };
        with_match(&environment.game, &new.setup.clone(), true, |m, at| {
            m.restart(&new.setup)?;
            new.store(m, at)
        })?;
        Ok(new)
    }

    /// Reads a state from text.
    pub fn deserialize(environment: &Arc<Environment>, text: &str) -> Result<Self, Fault> {
        let wrong = |message: &str| Fault::from(PyValueError::new_err(message.to_owned()));
        let read: Value = serde_json::from_str(text).map_err(|error| wrong(&format!("not a state: {error}")))?;
        if read["motherlode_state"].as_u64() != Some(FORMAT) {
            return Err(wrong("not a state of this version: use the text of `State.serialize`"));
        }
        if read["fingerprint"].as_str() != Some(environment.game.fingerprint()) {
            return Err(wrong("the state belongs to another game, or to another version of its content"));
        }
        let setup: Setup = serde_json::from_value(read["setup"].clone())
            .map_err(|error| wrong(&format!("the setup of the state is damaged: {error}")))?;
        if setup.players != environment.setup.players || setup.options != environment.setup.options {
            return Err(wrong("the state has other players or options than the game: load the game with them"));
        }
        let actions: Vec<u32> = serde_json::from_value(read["actions"].clone())
            .map_err(|error| wrong(&format!("the actions of the state are damaged: {error}")))?;
        let mut state = Self::new(environment, setup.seed)?;
        for action in actions {
            state.apply(action.into())?;
        }
        Ok(state)
    }

    /// Runs `look` on a match in this position.
    fn look<R>(&self, look: impl FnOnce(&mut Match) -> Result<R, Fault>) -> Result<R, Fault> {
        with_match(&self.environment.game, &self.setup, true, |m, at| {
            self.restore(m, at)?;
            look(m)
        })
    }

    fn restore(&self, m: &mut Match, at: &mut u64) -> Result<(), Fault> {
        if *at != self.at {
            m.resume(&self.setup, &self.snapshot)?;
            *at = self.at;
        }
        Ok(())
    }

    /// Stores the position of the match as a new one; after an error, the state is unchanged.
    fn store(&mut self, m: &mut Match, at: &mut u64) -> Result<(), Fault> {
        let mut list = ActionList::default();
        self.environment.list(m, &mut list)?;
        self.list = list;
        // Nobody reads the transcript.
        drop((m.take_log(), m.take_events()));
        m.snapshot_into(&mut self.snapshot);
        self.at = POSITIONS.fetch_add(1, Ordering::Relaxed);
        *at = self.at;
        self.seat = m.decision().map(|decision| decision.seat);
        for (seat, utility) in (0..).zip(&mut self.returns) {
            *utility = Utility::of(m, seat);
        }
        Ok(())
    }

    fn apply(&mut self, action: i64) -> Result<(), Fault> {
        let environment = Arc::clone(&self.environment);
        let choice = environment.choice(action, &self.list.actions)?;
        let setup = self.setup.clone();
        with_match(&environment.game, &setup, true, |m, at| {
            self.restore(m, at)?;
            m.answer(choice)?;
            self.store(m, at)?;
            self.actions.extend(u32::try_from(action));
            Ok(())
        })
    }

    /// The seat that a method is about: by default the deciding one, or 0 at the end.
    fn seat(&self, player: Option<i64>) -> Result<u8, Fault> {
        let players = self.setup.players;
        let seat = player.map_or_else(|| Ok(self.seat.unwrap_or(0)), u8::try_from);
        match seat {
            Ok(seat) if seat < players => Ok(seat),
            _ => {
                let (player, last) = (player.unwrap_or_default(), players - 1);
                Err(PyIndexError::new_err(format!("there is no player {player}: use 0 to {last}")).into())
            }
        }
    }

    fn legal(&self, player: Option<i64>) -> Result<Vec<u32>, Fault> {
        let seat = self.seat(player)?;
        let mut legal: Vec<u32> = match self.seat {
            Some(own) if own == seat => self.list.actions.iter().flatten().copied().collect(),
            _ => Vec::new(),
        };
        legal.sort_unstable();
        legal.dedup();
        Ok(legal)
    }
}

#[pymethods]
impl State {
    /// The deciding player from 0; `TERMINAL` if the match is over. Players who decide at the same time do so one after
    /// the other, without seeing each other's answers.
    fn current_player(&self) -> i32 {
        self.seat.map_or(TERMINAL, i32::from)
    }

    /// Whether the match is over.
    fn is_terminal(&self) -> bool {
        self.seat.is_none()
    }

    /// The legal actions of a player in ascending order; empty unless the player decides now.
    #[pyo3(signature = (player = None))]
    fn legal_actions(&self, player: Option<i64>) -> PyResult<Vec<u32>> {
        Ok(self.legal(player)?)
    }

    /// For each action whether it is legal: booleans of shape `(num_actions,)`.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.environment.actions.len()];
        for action in self.legal(player)? {
            mask[action as usize] = true;
        }
        Ok(mask.into_pyarray(py))
    }

    /// Answer the current decision. Raises `ActionError` for an action that is not legal, and `ScriptError` if a script
    /// of the game fails; the state is then unchanged.
    fn apply_action(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        py.detach(|| self.apply(action)).map_err(PyErr::from)
    }

    /// The utility of each player: 0 until the match is over.
    fn returns(&self) -> Vec<f64> {
        self.returns.clone()
    }

    /// The utility that each player got with the last action. It is 0 until the match is over.
    fn rewards(&self) -> Vec<f64> {
        self.returns.clone()
    }

    /// The question to the deciding player as text; empty if the match is over.
    fn question(&self) -> PyResult<String> {
        let text = |m: &mut Match| Ok(m.decision().map(|decision| decision.text(m.game())).unwrap_or_default());
        Ok(self.look(text)?)
    }

    /// The observation of a player, by default of the deciding one: numbers of shape `Game.observation_shape`.
    #[pyo3(signature = (player = None))]
    fn observation<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let seat = self.seat(player)?;
        let mut out = vec![0.0; self.environment.observations.len()];
        self.look(|m| {
            self.environment.observations.write(m, seat, &mut out);
            Ok(())
        })?;
        Ok(out.into_pyarray(py))
    }

    /// The observation of a player by names, as in the messages of `lode stdio`: dictionaries and lists.
    #[pyo3(signature = (player = None))]
    fn observation_dict<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(player)?;
        let text = self.look(|m| to_json(&m.observe(Some(seat))))?;
        from_json(py, &text)
    }

    /// Everything that a player could know so far, in order: the history as a list of dictionaries.
    #[pyo3(signature = (player = None))]
    fn events<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.information(player)?)
    }

    /// The information state of a player: the history as text. States that the player cannot tell apart have the
    /// same text.
    #[pyo3(signature = (player = None))]
    fn information_state_string(&self, player: Option<i64>) -> PyResult<String> {
        self.information(player)
    }

    /// The actions so far, in order.
    fn history(&self) -> Vec<u32> {
        self.actions.clone()
    }

    /// A random state that the player cannot tell apart from this one. Raises `ScriptError` if none is found.
    #[pyo3(signature = (player, seed = 0))]
    fn resample_from_infostate(&self, py: Python<'_>, player: i64, seed: u64) -> PyResult<Self> {
        let seat = self.seat(Some(player))?;
        let mut other = self.clone();
        let redeal = || {
            with_match(&self.environment.game, &self.setup, true, |m, at| {
                self.restore(m, at)?;
                *at = 0;
                m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(mix(seed, seat.into())))?;
                other.store(m, at)
            })
        };
        py.detach(redeal)?;
        other.is_redealt = true;
        Ok(other)
    }

    /// An independent copy.
    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    fn __copy__(&self) -> Self {
        Clone::clone(self)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Clone::clone(self)
    }

    /// The state as text, for `Game.deserialize`: setup, seed and actions. Raises `ValueError` for a resampled state.
    fn serialize(&self) -> PyResult<String> {
        if self.is_redealt {
            return Err(PyValueError::new_err("a resampled state has no text: its actions do not lead to it"));
        }
        let text = json!({
            "motherlode_state": FORMAT,
            "fingerprint": self.environment.game.fingerprint(),
            "setup": &self.setup,
            "actions": &self.actions,
        });
        Ok(text.to_string())
    }

    /// Hash of the whole position, also of its hidden facts.
    fn hash(&self) -> PyResult<u64> {
        Ok(self.look(|m| Ok(m.state().hash()))?)
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.look(|m| to_json(&m.observe(None)))?)
    }

    fn __repr__(&self) -> String {
        let (id, len) = (&self.environment.game.declarations().id, self.actions.len());
        match self.seat {
            Some(seat) => format!("<motherlode.State of '{id}' after {len} actions, player {seat} decides>"),
            None => format!("<motherlode.State of '{id}' after {len} actions, over>"),
        }
    }
}

impl State {
    fn information(&self, player: Option<i64>) -> PyResult<String> {
        let seat = self.seat(player)?;
        let history = |m: &mut Match| {
            let Some(entries) = m.history(seat) else {
                let message = format!("the state is resampled for another player than {seat}: it has no history");
                return Err(PyValueError::new_err(message).into());
            };
            to_json(&entries.collect::<Vec<_>>())
        };
        Ok(self.look(history)?)
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()).into())
}

fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
