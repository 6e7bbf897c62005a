//! A recorded match: setup and answers, with a hash after every step that locates a difference on playback.
//!
//! A replay is plain data. It contains the game's name and fingerprint, a checksum, and has a maximum size. It is
//! written to a temporary file, synced and renamed, so that a crash leaves either the old file or the new one.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::flow::{Answer, Match, MatchError, Outcome};
use crate::game::Game;
use crate::setup::Setup;
use motherlode_content::{ModId, hidden};
use motherlode_files::{Draft, read_regular, reason};

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// Maximum size of a replay file in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// The exact version of the script host, because another version may run a script differently.
const MLUA: &str = "0.12.2";

/// A recorded match: [`Replay::record`] makes it, [`Replay::verify`] plays it again. The [front page](crate) has an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Version of the file format, at present 1.
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// Fingerprint of the game's content with its mods.
    pub fingerprint: String,
    /// The mods, in load order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Version of the engine.
    pub engine: String,
    /// Version of the script host.
    pub mlua: String,
    /// The setup of the match.
    pub setup: Setup,
    /// The player of each seat, as `lode play` accepts it: `human`, `rollout:50`; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<String>,
    /// The answers, in the order given.
    pub answers: Vec<Answer>,
    /// Hash of the state at the first decision.
    pub start: StateHash,
    /// Hash of the state after each answer.
    pub hashes: Vec<StateHash>,
    /// The result, if the match is over.
    pub outcome: Option<Outcome>,
    /// BLAKE3 of everything above; filled in by [`Replay::save`].
    pub checksum: String,
}

/// Hash of a state; in files, 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct StateHash(pub u64);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<StateHash> for String {
    fn from(hash: StateHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for StateHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let hash = u64::from_str_radix(&text, 16).map(Self).map_err(|_| format!("`{text}` is not a hash"))?;
        if hash.to_string() == text {
            Ok(hash)
        } else {
            Err(format!("`{text}` is not a hash of 16 hexadecimal digits"))
        }
    }
}

/// Why a replay cannot be read, written or replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read or written.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
    /// The file is larger than 64 MiB.
    #[error("the file is larger than {} MiB", MAX_FILE >> 20)]
    TooLarge,
    /// The file has a different format.
    #[error("the file has format {0}, but this program reads format {FORMAT}")]
    Format(u32),
    /// The file is not a replay, or is incomplete.
    #[error("this is not a recorded match: {0}")]
    Malformed(String),
    /// The file was changed or damaged.
    #[error("the file is damaged: its checksum does not match")]
    Checksum,
    /// The replay belongs to another game.
    #[error("this is a match of `{recorded:.100}`, not of `{given}`")]
    OtherGame {
        /// The recorded game.
        recorded: String,
        /// The given game.
        given: String,
    },
    /// The replay was recorded with other mods.
    #[error("the match was played {:.500}, not {}: {:.500}", with(recorded), with(given), differences(recorded, given))]
    OtherMods {
        /// The recorded mods.
        recorded: Vec<ModId>,
        /// The active mods.
        given: Vec<ModId>,
    },
    /// The content of the game or of a mod has changed.
    #[error("the content of `{0}` has changed since the match was recorded")]
    OtherContent(String),
    /// The step does not exist.
    #[error("there is no step {step}; the match has {}", answers(*.count))]
    NoStep {
        /// The requested step.
        step: usize,
        /// Number of answers.
        count: usize,
    },
    /// The match cannot begin.
    #[error("the match cannot begin: {:.2000}", .0.to_string())]
    Begin(MatchError),
    /// An answer was refused, or a script failed.
    #[error("step {step}, player {}: {:.2000}{}", u16::from(*.seat) + 1, .error.to_string(), about(*.changed))]
    Refused {
        /// Number of the answer, from 1.
        step: usize,
        /// Seat that answered, from 0.
        seat: u8,
        /// Why it failed.
        error: MatchError,
        /// Whether the content has changed since the match was recorded.
        changed: bool,
    },
    /// A step leads to a different state.
    #[error("{}: expected state {expected}, found {found}{}", differs(*.step, *.seat), about(*.changed))]
    Differs {
        /// Number of the answer, from 1; 0 for the first decision.
        step: usize,
        /// Seat that answered, from 0; `None` for the first decision.
        seat: Option<u8>,
        /// The recorded state.
        expected: StateHash,
        /// The state on playback.
        found: StateHash,
        /// Whether the content has changed since the match was recorded.
        changed: bool,
    },
    /// All states are equal, but the result differs.
    #[error("the result differs: expected {:.500}, found {}{}", result(.expected.as_deref()), result(.found.as_deref()), about(*.changed))]
    Outcome {
        /// The recorded result.
        expected: Option<Box<Outcome>>,
        /// The result on playback.
        found: Option<Box<Outcome>>,
        /// Whether the content has changed since the match was recorded.
        changed: bool,
    },
}

fn with(mods: &[ModId]) -> String {
    let mods: Vec<String> = mods.iter().map(ToString::to_string).collect();
    if mods.is_empty() { "without mods".to_owned() } else { format!("with the mods {}", mods.join(", ")) }
}

/// Lists missing mods, new mods, and mods of another version.
fn differences(recorded: &[ModId], given: &[ModId]) -> String {
    let missing = recorded.iter().filter_map(|one| match given.iter().find(|other| other.id == one.id) {
        None => Some(format!("`{}` is missing", one.id)),
        Some(other) if other.version != one.version => {
            Some(format!("`{}` was version {}, and is {}", one.id, one.version, other.version))
        }
        Some(_) => None,
    });
    let more = given.iter().filter(|one| !recorded.iter().any(|other| other.id == one.id));
    let all: Vec<String> = missing.chain(more.map(|one| format!("`{}` was not active", one.id))).collect();
    if all.is_empty() { "they are loaded in a different order".to_owned() } else { all.join(", ") }
}

fn answers(count: usize) -> String {
    if count == 1 { "1 answer".to_owned() } else { format!("{count} answers") }
}

fn differs(step: usize, seat: Option<u8>) -> String {
    let Some(seat) = seat else { return "the match begins with another position".to_owned() };
    let before = match step {
        0 | 1 => "the start matches".to_owned(),
        2 => "step 1 matches".to_owned(),
        _ => format!("steps 1 to {} match", step - 1),
    };
    format!("{before}, but step {step}, an answer of player {}, leads to another position", u16::from(seat) + 1)
}

fn about(changed: bool) -> &'static str {
    if changed { " (the content has changed since the match was recorded)" } else { "" }
}

fn result(outcome: Option<&Outcome>) -> String {
    outcome
        .map_or_else(|| "none yet".to_owned(), |o| format!("scores {:?}, ranks {:?}, {}", o.scores, o.ranks, o.reason))
}

/// A replay whose playback gave the same states and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Number of answers.
    pub steps: usize,
    /// Whether the match is over.
    pub over: bool,
    /// Whether the content has changed since the match was recorded, in a way that does not affect it.
    pub changed: bool,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = if self.steps == 1 { "1 step matches".to_owned() } else { format!("{} steps match", self.steps) };
        write!(f, "{steps}, {}", if self.over { "and so does the result" } else { "the match is not finished" })?;
        f.write_str(if self.changed { "; the content has changed since, which does not affect this match" } else { "" })
    }
}

impl Replay {
    /// Records a match. Plays it once more to get the hashes.
    ///
    /// The answers alone must lead to the state of the match. If they do not, because the match was edited, redealt,
    /// or played without recording, then verifying the replay fails.
    #[must_use]
    pub fn record(m: &Match) -> Self {
        // An error here occurs again when the replay is verified.
        let (mut states, _) = retrace(m.game(), m.setup(), m.answers());
        states.resize(m.answers().len() + 1, StateHash::default());
        if let Some(last) = states.last_mut() {
            *last = StateHash(m.state().hash());
        }
        Self::new(m.game(), m.setup(), m.answers(), states, m.outcome())
    }

    /// A replay from answers alone, such as those of an aborted game.
    ///
    /// # Errors
    /// The match cannot begin, or an answer is refused.
    pub fn retrace(game: &Game, setup: &Setup, answers: &[Answer]) -> Result<Self, ReplayError> {
        let (states, m) = retrace(&game.unhalted(), setup, answers);
        Ok(Self::new(game, setup, answers, states, m?.outcome()))
    }

    /// `states` has the first state and the state after each answer.
    fn new(game: &Game, setup: &Setup, answers: &[Answer], states: Vec<StateHash>, outcome: Option<Outcome>) -> Self {
        let mut states = states.into_iter();
        Self {
            format: FORMAT,
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            mlua: MLUA.to_owned(),
            setup: setup.clone(),
            seats: Vec::new(),
            answers: answers.to_vec(),
            start: states.next().unwrap_or_default(),
            hashes: states.collect(),
            outcome,
            checksum: String::new(),
        }
    }

    /// Writes the replay, replacing the file atomically.
    ///
    /// # Errors
    /// The file cannot be written, or would be larger than 64 MiB.
    pub fn save(&self, path: &Path) -> Result<(), ReplayError> {
        let sealed = Self { checksum: self.sum()?, ..self.clone() };
        let mut text = sealed.text()?;
        text.push(b'\n');
        if text.len() as u64 > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        let mut file = Draft::begin(path)?;
        file.write_all(&text)?;
        Ok(file.keep(true)?)
    }

    /// Reads a replay.
    ///
    /// # Errors
    /// The file cannot be read, is too large, has a different format, is not a replay, or is damaged.
    pub fn load(path: &Path) -> Result<Self, ReplayError> {
        match read_regular(path, MAX_FILE) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(ReplayError::TooLarge),
            Err(error) => Err(error.into()),
        }
    }

    fn parse(text: &[u8]) -> Result<Self, ReplayError> {
        /// The keys that all formats share.
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let malformed = |error: serde_json::Error| {
            ReplayError::Malformed(match error.classify() {
                Category::Syntax | Category::Io => format!("line {} is not JSON", error.line()),
                Category::Eof => "it ends too early".to_owned(),
                // The parser's message quotes the file.
                Category::Data => hidden::name(&format!("{:.500}", error.to_string())),
            })
        };
        let head: Head = serde_json::from_slice(text).map_err(malformed)?;
        if head.format != FORMAT {
            return Err(ReplayError::Format(head.format));
        }
        let replay: Self = serde_json::from_slice(text).map_err(malformed)?;
        if replay.checksum != replay.sum()? {
            return Err(ReplayError::Checksum);
        }
        if replay.hashes.len() != replay.answers.len() {
            return Err(ReplayError::Malformed("it needs one hash for each answer".to_owned()));
        }
        Ok(replay)
    }

    fn text(&self) -> Result<Vec<u8>, ReplayError> {
        serde_json::to_vec(self).map_err(|error| ReplayError::Io(error.into()))
    }

    /// Checksum of the canonical form: this replay as JSON without spaces, with its fields in order and an empty checksum.
    fn sum(&self) -> Result<String, ReplayError> {
        let body = Self { checksum: String::new(), ..self.clone() };
        Ok(blake3::hash(&body.text()?).to_hex().to_string())
    }

    /// Plays the first `steps` answers (`None`: all of them), compares each step with the recording, and returns the
    /// match.
    ///
    /// # Errors
    /// The game is a different one, or its content has changed; there is no such step; or the first step that
    /// differs.
    pub fn play(&self, game: &Game, steps: Option<usize>) -> Result<Match, ReplayError> {
        if self.changed(game)? {
            return Err(ReplayError::OtherContent(self.changed_layer(game)));
        }
        let count = self.answers.len();
        let steps = steps.unwrap_or(count);
        if steps > count {
            return Err(ReplayError::NoStep { step: steps, count });
        }
        self.compare(game, steps, false)
    }

    /// Plays the whole match again and compares every state and the result. Changed content is no error as long as it
    /// does not affect the match.
    ///
    /// # Errors
    /// The game is a different one or has different mods, or the first step that differs.
    pub fn verify(&self, game: &Game) -> Result<Verified, ReplayError> {
        let changed = self.changed(game)?;
        let m = self.compare(game, self.answers.len(), changed)?;
        let found = m.outcome();
        if found != self.outcome {
            let expected = self.outcome.clone().map(Box::new);
            return Err(ReplayError::Outcome { expected, found: found.map(Box::new), changed });
        }
        Ok(Verified { steps: self.answers.len(), over: found.is_some(), changed })
    }

    /// The id of the mod that differs from the recorded one; otherwise that of the game.
    fn changed_layer(&self, game: &Game) -> String {
        let other = |one: &&ModId| !game.mods().contains(one);
        self.mods.iter().find(other).map_or_else(|| self.game.clone(), |one| one.id.clone())
    }

    /// Whether the game's content differs from the recorded one; different mods are an error.
    fn changed(&self, game: &Game) -> Result<bool, ReplayError> {
        let given = &game.declarations().id;
        if *given != self.game {
            return Err(ReplayError::OtherGame { recorded: self.game.clone(), given: given.clone() });
        }
        let set = |mods: &[ModId]| mods.iter().map(|one| (one.id.clone(), one.version.clone())).collect::<Vec<_>>();
        if set(game.mods()) != set(&self.mods) {
            return Err(ReplayError::OtherMods { recorded: self.mods.clone(), given: game.mods().to_vec() });
        }
        Ok(game.fingerprint() != self.fingerprint)
    }

    fn compare(&self, game: &Game, steps: usize, changed: bool) -> Result<Match, ReplayError> {
        let expected =
            |step: usize| step.checked_sub(1).map_or(Some(self.start), |index| self.hashes.get(index).copied());
        trace(game, &self.setup, &self.answers[..steps], changed, |step, found| {
            let expected = expected(step).unwrap_or_default();
            if expected == found {
                return Ok(());
            }
            let seat = step.checked_sub(1).map(|index| self.answers[index].seat);
            Err(ReplayError::Differs { step, seat, expected, found, changed })
        })
    }
}

/// The states of a match, as far as it can be replayed, and the match or its error.
fn retrace(game: &Game, setup: &Setup, answers: &[Answer]) -> (Vec<StateHash>, Result<Match, ReplayError>) {
    let mut states = Vec::with_capacity(answers.len() + 1);
    let played = trace(game, setup, answers, false, |_, state| {
        states.push(state);
        Ok(())
    });
    (states, played)
}

/// Plays answers from the start. `visit` gets the number of each step (0 for the first decision) and its match.
fn trace(
    game: &Game,
    setup: &Setup,
    answers: &[Answer],
    changed: bool,
    mut visit: impl FnMut(usize, StateHash) -> Result<(), ReplayError>,
) -> Result<Match, ReplayError> {
    let mut m = Match::new(game, setup).map_err(ReplayError::Begin)?;
    visit(0, StateHash(m.state().hash()))?;
    for (step, answer) in (1..).zip(answers) {
        let refused = |error| ReplayError::Refused { step, seat: answer.seat, error, changed };
        m.answer_as(answer.seat, usize::from(answer.index)).map_err(refused)?;
        visit(step, StateHash(m.state().hash()))?;
    }
    Ok(m)
}

#[cfg(test)]
mod tests;
