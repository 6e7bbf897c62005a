//! Environments for learners: a fixed set of actions, observations as numbers, and many matches at once.
//!
//! A match is not bound to an environment: `desk` holds one match for each game and thread, and an environment keeps
//! its position as a snapshot. So ten thousand environments need no more script machines than threads.
//!
//! Direction: desk, utility <- length <- self <- vector

pub(crate) mod desk;
pub(crate) mod length;
pub(crate) mod utility;
pub(crate) mod vector;

use std::sync::OnceLock;

use motherlode::{ActionList, Actions, Game, Match, MatchError, Setup};

use self::utility::Utility;
use crate::bots::network::names_of;
use crate::observation::ObservationSpace;
use crate::onnx::Purpose;

/// A game with its setup, actions, observations and utility: everything that a learner knows before it plays.
#[derive(Debug)]
pub struct Environment {
    /// The game.
    pub game: Game,
    /// Players and options of every match; its seed is unused.
    pub setup: Setup,
    /// The actions.
    pub actions: Actions,
    /// The observations.
    pub observations: ObservationSpace,
    /// The utility of every seat.
    pub utility: Utility,
    max_length: OnceLock<usize>,
}

/// An action that a seat does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The game has no action with this number.
    #[error("there is no action {action}: use 0 to {}", count - 1)]
    Unknown {
        /// The action.
        action: i64,
        /// Number of actions.
        count: usize,
    },
    /// The seat cannot choose it now.
    #[error("action {action} (`{name}`) is not legal now: use one of {legal}")]
    Illegal {
        /// The action.
        action: usize,
        /// Its name.
        name: String,
        /// The legal actions.
        legal: String,
    },
    /// The match is over.
    #[error("the match is over: begin a new one")]
    Over,
}

impl Environment {
    /// The environment of a game.
    ///
    /// # Errors
    /// Some prompt accepts any number, so that the actions have no fixed number.
    pub fn new(game: &Game, setup: Setup) -> Result<Self, String> {
        let (actions, observations) = (Actions::new(game)?, ObservationSpace::new(game));
        Ok(Self {
            utility: Utility::new(&game.declarations().outcome, &setup, game),
            game: game.clone(),
            setup,
            actions,
            observations,
            max_length: OnceLock::new(),
        })
    }

    /// Maximum decisions of a match. A match that reaches them counts as cut off.
    ///
    /// A script may ask any number of questions, so this is an estimate: four times the longest of 64 random matches.
    /// With declared rounds, it is four times the most decisions a round, for all rounds. At most 100,000, which is also
    /// the estimate if a random match does not end.
    #[must_use]
    pub fn max_length(&self) -> usize {
        *self.max_length.get_or_init(|| length::estimate(&self.game, &self.setup))
    }

    /// The purpose of a network that learns in this environment, as JSON: for the metadata `motherlode` of its file.
    #[must_use]
    pub fn network_purpose(&self) -> String {
        let Self { game, setup, actions, observations, .. } = self;
        let purpose = Purpose {
            game: Some(game.declarations().id.clone()),
            names: Some(names_of(actions, observations)),
            players: vec![setup.players],
            options: setup.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        };
        serde_json::to_string(&purpose).unwrap_or_default()
    }

    /// Replaces a list by the actions of the current decision.
    ///
    /// # Errors
    /// The prompt declares labels alone, but offers a number.
    pub fn list(&self, m: &Match, list: &mut ActionList) -> Result<(), MatchError> {
        self.actions.list(m, list);
        if list.actions.iter().all(Option::is_some) {
            return Ok(());
        }
        let prompt = m.decision().map_or("", |decision| decision.prompt(&self.game)).to_owned();
        Err(MatchError::Position(format!(
            "prompt `{prompt}` offers a number that is no action: set its `choices` to a range such as `\"0..20\"`"
        )))
    }

    /// The choice that an action selects among the actions of a decision.
    ///
    /// # Errors
    /// The action does not exist, or is not among them.
    pub fn choice(&self, action: i64, legal: &[Option<u32>]) -> Result<usize, ActionError> {
        let wanted = u32::try_from(action).ok();
        match legal.iter().position(|one| one.is_some() && *one == wanted) {
            Some(choice) => Ok(choice),
            None => Err(self.illegal(action, legal)),
        }
    }

    fn illegal(&self, action: i64, legal: &[Option<u32>]) -> ActionError {
        /// Actions that the message lists.
        const SHOWN: usize = 12;
        let count = self.actions.len();
        let known = usize::try_from(action).ok().and_then(|number| Some((number, self.actions.name(number)?)));
        let Some((action, name)) = known else { return ActionError::Unknown { action, count } };
        if legal.is_empty() {
            return ActionError::Over;
        }
        let mut shown: Vec<u32> = legal.iter().flatten().copied().collect();
        shown.sort_unstable();
        shown.dedup();
        let end = if shown.len() > SHOWN { ", ..." } else { "" };
        let shown: Vec<String> = shown.iter().take(SHOWN).map(u32::to_string).collect();
        ActionError::Illegal { action, name: name.to_owned(), legal: shown.join(", ") + end }
    }
}
