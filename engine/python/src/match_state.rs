//! A match at one decision, as data that any thread can continue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use motherlode::{ActionList, ExplicitChance, Game, Match, MatchError, OpenStep, Setup, Snapshot};
use motherlode_play::{Environment, Utility, mix, with_match};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::chance;
use crate::error::{ActionError, Fault};
use crate::path::{Path, Recorded, Step};

/// Number of the format of `serialize`.
const FORMAT: u64 = 3;

/// The number of chance among the players of a serialized state.
const CHANCE: i64 = -1;

/// Times that a state is dealt anew before no deal fits. The engine tries 64 deals each time.
const ATTEMPTS: u64 = 16;

/// Numbers of positions, for the matches of all threads.
static POSITIONS: AtomicU64 = AtomicU64::new(1);

/// A match at one decision. A copy shares everything, so that it costs the same however long the match is.
///
/// The matches that play record no histories: these are as long as the match, and few programs ask for them. Whoever asks
/// makes the engine play again what is not recorded yet; see [`Path`].
#[derive(Debug, Clone)]
pub struct MatchState {
    pub environment: Arc<Environment>,
    pub setup: Arc<Setup>,
    pub position: Arc<Position>,
    pub path: Arc<Path>,
    /// The seat for which the position is redealt: the actions do not lead here, and are those of the true match.
    pub redealt: Option<u8>,
}

/// A position with the facts that programs often ask for.
#[derive(Debug, Clone, Default)]
pub struct Position {
    snapshot: Snapshot,
    /// The number of the position.
    at: u64,
    /// The deciding seat; `None`: the match is over, or chance decides.
    pub seat: Option<u8>,
    /// Whether several seats may decide now.
    pub is_simultaneous: bool,
    /// The results of chance that the program chose; `None`: the seed decides.
    pub chance: Option<ExplicitChance>,
    pub list: ActionList,
    /// The utility of each seat: 0 until the match is over.
    pub returns: Vec<f64>,
}

impl MatchState {
    /// Begins a match; `explicit`: the program chooses the results of chance.
    pub fn new(environment: &Arc<Environment>, seed: u64, explicit: bool) -> Result<Self, Fault> {
        let setup = Arc::new(Setup { seed, ..environment.setup.clone() });
        let returns = vec![0.0; usize::from(setup.players)];
        let mut new = Self {
            environment: Arc::clone(environment),
            setup,
            position: Arc::new(Position { returns, ..Position::default() }),
            path: Path::begin(),
            redealt: None,
        };
        let setup = Arc::clone(&new.setup);
        with_match(&environment.game, &setup, false, |m, at| {
            m.set_recording(false);
            let begun = chance::begin(m, &setup, explicit).map_err(Fault::from);
            let done = begun.and_then(|chance| new.store(m, at, chance));
            ExplicitChance::leave(m);
            done
        })?;
        Ok(new)
    }

    /// The state as text: setup, seed and actions.
    pub fn serialize(&self) -> String {
        let (mut actions, mut players) = (Vec::new(), Vec::new());
        for (action, of) in self.path.actions() {
            actions.push(action);
            players.push(of.map_or(CHANCE, i64::from));
        }
        let text = json!({
            "motherlode_state": FORMAT,
            "fingerprint": self.environment.game.fingerprint(),
            "setup": &*self.setup,
            "explicit_chance": self.position.chance.is_some(),
            "actions": actions,
            "players": players,
        });
        text.to_string()
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
        let list = |name: &str| {
            serde_json::from_value::<Vec<i64>>(read[name].clone())
                .map_err(|error| wrong(&format!("the {name} of the state are damaged: {error}")))
        };
        let (actions, players) = (list("actions")?, list("players")?);
        if actions.len() != players.len() {
            return Err(wrong("the players of the state are damaged: there is not one for each action"));
        }
        let mut state = Self::new(environment, setup.seed, explicit)?;
        for (number, (action, player)) in actions.into_iter().zip(players).enumerate() {
            if (player == CHANCE) != state.is_chance() {
                return Err(wrong("the players of the state are damaged: they differ from those of the match"));
            }
            state.apply(action, (player != CHANCE).then_some(player)).map_err(|fault| {
                let error = PyErr::from(fault);
                Python::attach(|py| {
                    let is_wrong = error.is_instance_of::<PyIndexError>(py) || error.is_instance_of::<ActionError>(py);
                    if !is_wrong {
                        return Fault::from(error);
                    }
                    let why = error.value(py);
                    wrong(&format!("the state is damaged: action {number} of its list cannot be played: {why}"))
                })
            })?;
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
        if !self.has_begun() {
            return Ok(None);
        }
        let done = with_match(game, &self.setup, false, |m, at| {
            let done = self.restore(m, at).and_then(|()| look(m));
            ExplicitChance::leave(m);
            done
        });
        done.map(Some)
    }

    /// Runs `look` on a match in this position that has recorded the histories of the seats; `None`: the match has not
    /// begun.
    pub fn look_back<R>(&self, look: impl FnOnce(&mut Match) -> Result<R, Fault>) -> Result<Option<R>, Fault> {
        if !self.has_begun() {
            return Ok(None);
        }
        let done = with_match(&self.environment.game, &self.setup, true, |m, at| {
            m.set_recording(false);
            let done = self.restore_recorded(m, at).and_then(|()| look(m));
            ExplicitChance::leave(m);
            done
        });
        done.map(Some)
    }

    fn has_begun(&self) -> bool {
        self.position.chance.as_ref().is_none_or(ExplicitChance::has_begun)
    }

    fn restore(&self, m: &mut Match, at: &mut u64) -> Result<(), Fault> {
        let position = &self.position;
        m.set_recording(false);
        self.resume(m, (*at != position.at).then_some(&position.snapshot), position.chance.as_ref())?;
        *at = position.at;
        Ok(())
    }

    /// Continues at a snapshot; `None`: the match is there already.
    fn resume(&self, m: &mut Match, snapshot: Option<&Snapshot>, chance: Option<&ExplicitChance>) -> Result<(), Fault> {
        match (chance, snapshot) {
            (Some(chance), _) => chance.resume(m, &self.setup, snapshot)?,
            (None, Some(snapshot)) => m.resume(&self.setup, snapshot)?,
            (None, None) => {}
        }
        Ok(())
    }

    /// Restores the recorded position, after recording the missing steps.
    fn restore_recorded(&self, m: &mut Match, at: &mut u64) -> Result<(), Fault> {
        let here = std::mem::take(at);
        let resume = |m: &mut Match, to: &Recorded| {
            self.resume(m, (here != to.at).then_some(&to.snapshot), to.chance.as_ref()).map(|()| to.at)
        };
        if let Some(done) = self.path.with_recorded(|recorded| resume(m, recorded)) {
            *at = done?;
            return Ok(());
        }
        let (before, missing) = self.path.recorded_before();
        if let Some(before) = &before {
            resume(m, before)?;
        }
        let mut chance = before.and_then(|before| before.chance);
        // Another state that goes on from here will begin here as well.
        let fork = missing.iter().rev().skip(1).find(|step| step.is_shared()).copied();
        for step in missing {
            match step.kind {
                Step::Begin => chance = chance::begin(m, &self.setup, self.position.chance.is_some())?,
                Step::Action { action, of } => answer(m, &mut chance, action.into(), of)?,
                Step::Redeal { seat, seed } => redeal(m, &mut chance, seat, seed)?,
            }
            // Nobody reads the transcript.
            drop((m.take_log(), m.take_events()));
            if Arc::ptr_eq(step, &self.path) || fork.is_some_and(|fork| Arc::ptr_eq(step, fork)) {
                *at = POSITIONS.fetch_add(1, Ordering::Relaxed);
                step.keep(Box::new(Recorded { snapshot: m.snapshot(), chance: chance.clone(), at: *at }));
            }
        }
        Ok(())
    }

    /// Stores the position of the match as a new one; after an error, the state is unchanged.
    fn store(&mut self, m: &mut Match, at: &mut u64, chance: Option<ExplicitChance>) -> Result<(), Fault> {
        let mut list = ActionList::default();
        let is_open = chance.as_ref().is_some_and(ExplicitChance::is_open);
        if !is_open {
            self.environment.list(m, &mut list)?;
        }
        if Arc::get_mut(&mut self.position).is_none() {
            // Other states have this position.
            self.position = Arc::new(Position { returns: self.position.returns.clone(), ..Position::default() });
        }
        let position = Arc::make_mut(&mut self.position);
        (position.list, position.chance) = (list, chance);
        m.snapshot_into(&mut position.snapshot);
        position.at = POSITIONS.fetch_add(1, Ordering::Relaxed);
        *at = position.at;
        position.is_simultaneous = !is_open && m.is_simultaneous();
        position.seat = m.decision().filter(|_| !is_open).map(|decision| decision.seat);
        if is_open {
            return Ok(());
        }
        for (seat, utility) in (0..).zip(&mut position.returns) {
            *utility = Utility::of(m, seat);
        }
        Ok(())
    }

    /// Answers a decision, or chooses an outcome of the open draw.
    pub fn apply(&mut self, action: i64, player: Option<i64>) -> Result<(), Fault> {
        let seat = if self.is_chance() { None } else { Some(self.seat(player)?) };
        let others;
        let legal = match seat {
            Some(seat) if self.position.seat != Some(seat) => {
                others = self.list_of(seat)?;
                if others.is_empty() && !self.is_over() {
                    return Err(self.not_asked(seat)?);
                }
                &others
            }
            _ => &self.position.list.actions,
        };
        let of = match seat {
            None => None,
            Some(seat) => Some((seat, self.environment.choice(action, legal)?)),
        };
        let (environment, setup) = (Arc::clone(&self.environment), Arc::clone(&self.setup));
        with_match(&environment.game, &setup, false, |m, at| {
            let mut chance = self.position.chance.clone();
            let done = self.restore(m, at).and_then(|()| {
                answer(m, &mut chance, action, of)?;
                self.store(m, at, chance)
            });
            ExplicitChance::leave(m);
            done
        })?;
        // A legal action and an outcome are small numbers.
        let action = u32::try_from(action).unwrap_or_default();
        self.path = self.path.then(Step::Action { action, of });
        Ok(())
    }

    /// The players who may decide now.
    pub fn pending(&self) -> Result<Vec<u8>, Fault> {
        if !self.position.is_simultaneous {
            return Ok(self.position.seat.into_iter().collect());
        }
        let pending = |m: &mut Match| Ok(m.pending().iter().map(|decision| decision.seat).collect());
        Ok(self.look(pending)?.unwrap_or_default())
    }

    /// The error of an answer for a player whom nothing asks.
    fn not_asked(&self, seat: u8) -> Result<Fault, Fault> {
        let pending: Vec<String> = self.pending()?.iter().map(u8::to_string).collect();
        let asked = match pending.as_slice() {
            [one] => format!("player {one} does"),
            [others @ .., last] => format!("players {} and {last} do", others.join(", ")),
            [] => "nobody does".to_owned(),
        };
        Ok(ActionError::new_err(format!("player {seat} does not decide now; {asked}")).into())
    }

    /// A random state that the seat cannot tell apart from this one.
    pub fn redeal(&self, seat: u8, seed: u64) -> Result<Self, Fault> {
        let mut other = self.clone();
        with_match(&self.environment.game, &self.setup, false, |m, at| {
            let mut chance = self.position.chance.clone();
            let done = self.restore(m, at).and_then(|()| {
                *at = 0;
                redeal(m, &mut chance, seat, seed)?;
                other.store(m, at, chance)
            });
            ExplicitChance::leave(m);
            done
        })?;
        other.path = self.path.then(Step::Redeal { seat, seed });
        other.redealt = Some(seat);
        Ok(other)
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.position.seat.is_none() && !self.is_chance()
    }

    /// The step that waits for chance.
    pub fn open_step(&self) -> Option<OpenStep> {
        self.position.chance.as_ref().and_then(ExplicitChance::open_step)
    }

    /// Whether chance decides.
    pub fn is_chance(&self) -> bool {
        self.position.chance.as_ref().is_some_and(ExplicitChance::is_open)
    }

    /// The actions of a seat that is not the current one, in the order of its choices.
    pub fn list_of(&self, seat: u8) -> Result<Vec<Option<u32>>, Fault> {
        if !self.position.is_simultaneous {
            return Ok(Vec::new());
        }
        let of = |m: &mut Match| match m.decision_of_seat(seat) {
            None => Ok(Vec::new()),
            Some(_) => Ok(self.environment.actions.of(m, seat)?),
        };
        Ok(self.look(of)?.unwrap_or_default())
    }

    /// The seat that a method is about: by default the deciding one, or 0 at the end.
    pub fn seat(&self, player: Option<i64>) -> Result<u8, Fault> {
        let players = self.setup.players;
        let seat = player.map_or_else(|| Ok(self.position.seat.unwrap_or(0)), u8::try_from);
        match seat {
            Ok(seat) if seat < players => Ok(seat),
            _ => {
                let (player, last) = (player.unwrap_or_default(), players - 1);
                Err(PyIndexError::new_err(format!("there is no player {player}: use 0 to {last}")).into())
            }
        }
    }

    /// The legal actions of a seat, or the outcomes of the open draw, in ascending order.
    pub fn legal(&self, player: Option<i64>) -> Result<Vec<u32>, Fault> {
        let Position { seat: own, chance, list, .. } = &*self.position;
        if let Some(chance) = chance.as_ref().filter(|chance| player.is_none() && chance.is_open()) {
            return Ok(chance::outcomes(chance)?.iter().map(|outcome| outcome.0).collect());
        }
        let seat = self.seat(player)?;
        let mut legal: Vec<u32> = match own {
            Some(own) if *own == seat => list.actions.iter().flatten().copied().collect(),
            _ => self.list_of(seat)?.into_iter().flatten().collect(),
        };
        legal.sort_unstable();
        legal.dedup();
        Ok(legal)
    }
}

/// Answers for a seat with the choice of this index, or chooses an outcome of the open draw.
fn answer(
    m: &mut Match,
    chance: &mut Option<ExplicitChance>,
    action: i64,
    of: Option<(u8, usize)>,
) -> Result<(), Fault> {
    match (chance, of) {
        (Some(chance), None) => chance::choose(chance, m, action)?,
        (Some(chance), Some((seat, choice))) => chance.answer(m, seat, choice)?,
        (None, of) => {
            let (seat, choice) = of.unwrap_or_default();
            m.answer_as(seat, choice)?;
        }
    }
    Ok(())
}

/// Deals anew for a seat. If no deal fits, others are tried.
fn redeal(m: &mut Match, chance: &mut Option<ExplicitChance>, seat: u8, seed: u64) -> Result<(), Fault> {
    let begin = mix(seed, seat.into());
    let mut tried = 0;
    for attempt in 0..ATTEMPTS {
        let rng = &mut Pcg64Mcg::seed_from_u64(if attempt == 0 { begin } else { mix(begin, attempt) });
        let dealt = match chance {
            Some(chance) => chance.redeal(m, seat, rng),
            None => m.redeal(seat, rng),
        };
        match dealt {
            // The match is unchanged.
            Err(MatchError::NoDeal { tries }) => tried += tries,
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
    Err(MatchError::NoDeal { tries: tried }.into())
}
