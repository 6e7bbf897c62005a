//! States: single matches, in OpenSpiel's words.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use motherlode::{ActionList, ExplicitChance, Game, Match, Setup, Snapshot};
use motherlode_play::{Environment, Utility, mix, with_match};
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::chance;
use crate::error::{ActionError, Fault};

/// The number of the current player when the match is over, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// The number of the current player when chance decides, as in OpenSpiel.
const CHANCE: i32 = -1;

/// Number of the format of `serialize`.
const FORMAT: u64 = 2;

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
    /// The deciding seat; `None`: the match is over, or chance decides.
    seat: Option<u8>,
    /// Whether several seats may decide now.
    is_simultaneous: bool,
    /// The results of chance that the program chose; `None`: the seed decides.
    chance: Option<ExplicitChance>,
    list: ActionList,
    /// The utility of each seat: 0 until the match is over.
    returns: Vec<f64>,
    actions: Vec<u32>,
    /// The seat for which the position is redealt: the actions do not lead here, and are those of the true match.
    redealt: Option<u8>,
}

impl State {
    /// Begins a match; `explicit`: the program chooses the results of chance.
    pub fn new(environment: &Arc<Environment>, seed: u64, explicit: bool) -> Result<Self, Fault> {
        let setup = Setup { seed, ..environment.setup.clone() };
        let mut new = Self {
            environment: Arc::clone(environment),
            setup,
            snapshot: Snapshot::default(),
            at: 0,
            seat: None,
            is_simultaneous: false,
            chance: None,
            list: ActionList::default(),
            returns: vec![0.0; usize::from(environment.setup.players)],
            actions: Vec::new(),
            redealt: None,
        };
        with_match(&environment.game, &new.setup.clone(), true, |m, at| {
            let begun = chance::begin(m, &new.setup, explicit).map_err(Fault::from);
            let done = begun.and_then(|chance| new.store(m, at, chance));
            ExplicitChance::leave(m);
            done
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
        let explicit = read["explicit_chance"].as_bool().ok_or_else(|| wrong("the chance of the state is damaged"))?;
        let actions: Vec<u32> = serde_json::from_value(read["actions"].clone())
            .map_err(|error| wrong(&format!("the actions of the state are damaged: {error}")))?;
        let mut state = Self::new(environment, setup.seed, explicit)?;
        for action in actions {
            state.apply(action.into(), None)?;
        }
        Ok(state)
    }

    /// Runs `look` on a match in this position; `None`: the match has not begun.
    pub fn look<R>(&self, look: impl FnOnce(&mut Match) -> Result<R, Fault>) -> Result<Option<R>, Fault> {
        self.look_in(&self.environment.game, look)
    }

    /// Runs `look` on a match of this copy of the game, for example one with a halt flag.
    pub fn look_in<R>(
        &self,
        game: &Game,
        look: impl FnOnce(&mut Match) -> Result<R, Fault>,
    ) -> Result<Option<R>, Fault> {
        if self.chance.as_ref().is_some_and(|chance| !chance.has_begun()) {
            return Ok(None);
        }
        self.work_in(game, |m, _| look(m)).map(Some)
    }

    /// Runs `work` on a match in this position.
    fn work<R>(&self, work: impl FnOnce(&mut Match, &mut u64) -> Result<R, Fault>) -> Result<R, Fault> {
        self.work_in(&self.environment.game, work)
    }

    fn work_in<R>(&self, game: &Game, work: impl FnOnce(&mut Match, &mut u64) -> Result<R, Fault>) -> Result<R, Fault> {
        with_match(game, &self.setup, true, |m, at| {
            let done = self.restore(m, at).and_then(|()| work(m, at));
            ExplicitChance::leave(m);
            done
        })
    }

    fn restore(&self, m: &mut Match, at: &mut u64) -> Result<(), Fault> {
        let snapshot = (*at != self.at).then_some(&self.snapshot);
        match (&self.chance, snapshot) {
            (Some(chance), _) => chance.resume(m, &self.setup, snapshot)?,
            (None, Some(snapshot)) => m.resume(&self.setup, snapshot)?,
            (None, None) => {}
        }
        *at = self.at;
        Ok(())
    }

    /// Stores the position of the match as a new one; after an error, the state is unchanged.
    fn store(&mut self, m: &mut Match, at: &mut u64, chance: Option<ExplicitChance>) -> Result<(), Fault> {
        let mut list = ActionList::default();
        let is_open = chance.as_ref().is_some_and(ExplicitChance::is_open);
        if !is_open {
            self.environment.list(m, &mut list)?;
        }
        (self.list, self.chance) = (list, chance);
        // Nobody reads the transcript.
        drop((m.take_log(), m.take_events()));
        m.snapshot_into(&mut self.snapshot);
        self.at = POSITIONS.fetch_add(1, Ordering::Relaxed);
        *at = self.at;
        self.is_simultaneous = !is_open && m.is_simultaneous();
        self.seat = m.decision().filter(|_| !is_open).map(|decision| decision.seat);
        if is_open {
            return Ok(());
        }
        for (seat, utility) in (0..).zip(&mut self.returns) {
            *utility = Utility::of(m, seat);
        }
        Ok(())
    }

    fn apply(&mut self, action: i64, player: Option<i64>) -> Result<(), Fault> {
        let seat = if self.is_chance() { None } else { Some(self.seat(player)?) };
        let others;
        let legal = match seat {
            Some(seat) if self.seat != Some(seat) => {
                others = self.list_of(seat)?;
                &others
            }
            _ => &self.list.actions,
        };
        let choice = match seat {
            None => 0,
            Some(_) => self.environment.choice(action, legal)?,
        };
        let (environment, setup, mut chance) = (Arc::clone(&self.environment), self.setup.clone(), self.chance.clone());
        with_match(&environment.game, &setup, true, |m, at| {
            let done = self.restore(m, at).and_then(|()| {
                match (&mut chance, seat) {
                    (Some(chance), None) => chance::choose(chance, m, action)?,
                    (Some(chance), Some(seat)) => chance.answer(m, seat, choice)?,
                    (None, seat) => m.answer_as(seat.unwrap_or_default(), choice)?,
                }
                self.store(m, at, chance)
            });
            ExplicitChance::leave(m);
            done
        })?;
        self.actions.extend(u32::try_from(action));
        Ok(())
    }

    fn is_chance(&self) -> bool {
        self.chance.as_ref().is_some_and(ExplicitChance::is_open)
    }

    /// The actions of a seat that is not the current one, in the order of its choices.
    fn list_of(&self, seat: u8) -> Result<Vec<Option<u32>>, Fault> {
        if !self.is_simultaneous {
            return Ok(Vec::new());
        }
        let of = |m: &mut Match| match m.decision_of_seat(seat) {
            None => Ok(Vec::new()),
            Some(_) => Ok(self.environment.actions.of(m, seat)?),
        };
        Ok(self.look(of)?.unwrap_or_default())
    }

    /// The environment.
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// Players, options and seed.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The actions of the choices of the current decision.
    pub fn choices(&self) -> &[Option<u32>] {
        &self.list.actions
    }

    /// Number of actions so far.
    pub fn len(&self) -> usize {
        self.actions.len()
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
        if let Some(chance) = self.chance.as_ref().filter(|chance| player.is_none() && chance.is_open()) {
            return Ok(chance::outcomes(chance)?.iter().map(|outcome| outcome.0).collect());
        }
        let seat = self.seat(player)?;
        let mut legal: Vec<u32> = match self.seat {
            Some(own) if own == seat => self.list.actions.iter().flatten().copied().collect(),
            _ => self.list_of(seat)?.into_iter().flatten().collect(),
        };
        legal.sort_unstable();
        legal.dedup();
        Ok(legal)
    }
}

#[pymethods]
impl State {
    /// The deciding player from 0; `CHANCE` if a random result is to be chosen; `TERMINAL` if the match is over. Players
    /// who decide at the same time do so one after the other, without seeing each other's answers.
    fn current_player(&self) -> i32 {
        let nobody = if self.is_chance() { CHANCE } else { TERMINAL };
        self.seat.map_or(nobody, i32::from)
    }

    /// All players who may decide now: several if they decide at the same time.
    fn pending_players(&self) -> PyResult<Vec<u32>> {
        if !self.is_simultaneous {
            return Ok(self.seat.map(u32::from).into_iter().collect());
        }
        let pending = |m: &mut Match| Ok(m.pending().iter().map(|decision| decision.seat.into()).collect());
        Ok(self.look(pending)?.unwrap_or_default())
    }

    /// Whether the match is over.
    fn is_terminal(&self) -> bool {
        self.seat.is_none() && !self.is_chance()
    }

    /// Whether a random result is to be chosen: only with `chance="explicit"`.
    fn is_chance_node(&self) -> bool {
        self.is_chance()
    }

    /// The outcomes of the open draw, each with its probability; empty unless `is_chance_node`. Raises `Error` for a
    /// draw of more numbers than `Game.max_chance_outcomes` allows.
    ///
    /// An outcome is the number drawn, from 1, or the dealt token, from 1. A shuffle is one draw for each place, from the
    /// top down.
    fn chance_outcomes(&self) -> PyResult<Vec<(u32, f64)>> {
        self.chance.as_ref().map_or_else(|| Ok(Vec::new()), chance::outcomes)
    }

    /// The name of an outcome of the open draw: `number:4`, or `token:king#3` with the number of the token.
    fn chance_outcome_name(&self, outcome: u32) -> PyResult<String> {
        let chance = self.chance.as_ref().filter(|chance| chance.is_open());
        let chance = chance.ok_or_else(|| ActionError::new_err("no draw waits for a result"))?;
        chance::name(&self.environment.game, chance, outcome)
    }

    /// The legal actions of a player in ascending order; empty unless the player may decide now. For a random result,
    /// and without `player`: the outcomes.
    #[pyo3(signature = (player = None))]
    fn legal_actions(&self, player: Option<i64>) -> PyResult<Vec<u32>> {
        Ok(self.legal(player)?)
    }

    /// For each action whether it is legal: booleans of shape `(num_actions,)`.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.environment.actions.len()];
        let legal = if self.is_chance() { Vec::new() } else { self.legal(player)? };
        for action in legal {
            mask[action as usize] = true;
        }
        Ok(mask.into_pyarray(py))
    }

    /// Answer the current decision, or that of another of the `pending_players`; or choose an outcome of the open draw.
    /// Raises `ActionError` for an action that is not legal, and `ScriptError` if a script of the game fails; the state
    /// is then unchanged.
    #[pyo3(signature = (action, player = None))]
    fn apply_action(&mut self, py: Python<'_>, action: i64, player: Option<i64>) -> PyResult<()> {
        py.detach(|| self.apply(action, player)).map_err(PyErr::from)
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
        Ok(if self.is_chance() { String::new() } else { self.look(text)?.unwrap_or_default() })
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
        from_json(py, text.as_deref().unwrap_or("{}"))
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

    /// The actions so far, in order. Raises `ValueError` for a resampled state: the actions would tell hidden cards.
    fn history(&self) -> PyResult<Vec<u32>> {
        if let Some(seat) = self.redealt {
            let message = format!(
                "the state is resampled for player {seat}: its actions would tell hidden facts, use `events({seat})`"
            );
            return Err(PyValueError::new_err(message));
        }
        Ok(self.actions.clone())
    }

    /// The player for whom the state is resampled; `None`: the state is not resampled.
    #[getter]
    const fn resampled_for(&self) -> Option<u8> {
        self.redealt
    }

    /// A random state that the player cannot tell apart from this one. Raises `ScriptError` if none is found.
    ///
    /// Such a state and its copies tell only facts of the player: `history`, `serialize`, and `events` of others raise
    /// `ValueError`.
    #[pyo3(signature = (player, seed = 0))]
    fn resample_from_infostate(
        &self,
        py: Python<'_>,
        player: i64,
        #[pyo3(from_py_with = crate::number::seed)] seed: u64,
    ) -> PyResult<Self> {
        let seat = self.seat(Some(player))?;
        let mut other = self.clone();
        let redeal = || {
            self.work(|m, at| {
                *at = 0;
                let mut chance = self.chance.clone();
                let rng = &mut Pcg64Mcg::seed_from_u64(mix(seed, seat.into()));
                match &mut chance {
                    Some(chance) => chance.redeal(m, seat, rng)?,
                    None => m.redeal(seat, rng)?,
                };
                other.store(m, at, chance)
            })
        };
        py.detach(redeal)?;
        other.redealt = Some(seat);
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
        if self.redealt.is_some() {
            return Err(PyValueError::new_err("a resampled state has no text: its actions do not lead to it"));
        }
        let text = json!({
            "motherlode_state": FORMAT,
            "fingerprint": self.environment.game.fingerprint(),
            "setup": &self.setup,
            "explicit_chance": self.chance.is_some(),
            "actions": &self.actions,
        });
        Ok(text.to_string())
    }

    /// Hash of the whole position, also of its hidden facts. An open draw is not part of it.
    fn hash(&self) -> PyResult<u64> {
        Ok(self.look(|m| Ok(m.state().hash()))?.unwrap_or_default())
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.look(|m| to_json(&m.observe(None)))?.unwrap_or_else(|| "{}".to_owned()))
    }

    fn __repr__(&self) -> String {
        let id = &self.environment.game.declarations().id;
        let past = match self.redealt {
            // The number of actions may depend on hidden facts.
            Some(seat) => format!("resampled for player {seat}"),
            None => format!("after {} actions", self.actions.len()),
        };
        match self.seat {
            Some(seat) => format!("<motherlode.State of '{id}' {past}, player {seat} decides>"),
            None if self.is_chance() => format!("<motherlode.State of '{id}' {past}, chance decides>"),
            None => format!("<motherlode.State of '{id}' {past}, over>"),
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
        Ok(self.look(history)?.unwrap_or_else(|| "[]".to_owned()))
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()).into())
}

fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
