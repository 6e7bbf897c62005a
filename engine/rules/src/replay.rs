//! A recorded match: setup and answers, with a hash after every step that tells where a repetition differs.
//!
//! A replay is data only. It names the game and its fingerprint, is length-checked and checksummed, and is written to a
//! temporary name, synced and renamed, so that a crash leaves the old file or the new one.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::flow::{Answer, Match, MatchError, Outcome, Setup};
use crate::game::Game;
use motherlode_content::ModId;

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// Largest file that is read or written, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// The script host's exact version: another one may run a script differently.
const MLUA: &str = "0.12.2";

/// A recorded match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Version of the file format, [`FORMAT`].
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// Fingerprint of the game's content with its mods.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Version of the engine.
    pub engine: String,
    /// Version of the script host.
    pub mlua: String,
    /// What the match began from.
    pub setup: Setup,
    /// The answers, in the order in which they were given.
    pub answers: Vec<Answer>,
    /// State at the first decision.
    pub start: StateHash,
    /// State after each answer.
    pub hashes: Vec<StateHash>,
    /// The result, if the match was over.
    pub outcome: Option<Outcome>,
    /// BLAKE3 of everything above; filled in by [`Replay::save`].
    pub checksum: String,
}

/// Hash of a state, in files 16 hexadecimal digits.
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
        let hash = u64::from_str_radix(&text, 16).map(Self).map_err(|_| format!("`{text}` is no hash"))?;
        if hash.to_string() == text { Ok(hash) } else { Err(format!("`{text}` is no hash of 16 digits")) }
    }
}

/// Why a replay cannot be read, written or repeated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is larger than [`MAX_FILE`].
    #[error("the file is larger than {} MiB", MAX_FILE >> 20)]
    TooLarge,
    /// The file has another format.
    #[error("the file has format {0}, this program reads format {FORMAT}")]
    Format(u32),
    /// The file is no replay, or was cut off.
    #[error("this is no recorded match: {0}")]
    Malformed(String),
    /// The file was changed or damaged.
    #[error("the file is damaged: its checksum does not fit")]
    Checksum,
    /// It is a match of another game.
    #[error("this is a match of `{recorded}`, not of `{given}`")]
    OtherGame {
        /// Game that was recorded.
        recorded: String,
        /// Game that was given.
        given: String,
    },
    /// It was played with other mods.
    #[error("the match was played {}, not {}: {}", with(recorded), with(given), differences(recorded, given))]
    OtherMods {
        /// Mods that were recorded.
        recorded: Vec<ModId>,
        /// Mods that are active.
        given: Vec<ModId>,
    },
    /// It is a match of another version of the game.
    #[error("the content of `{0}` has changed since the match was recorded")]
    OtherContent(String),
    /// There is no such step.
    #[error("there is no step {step}; the match has {count} answers")]
    NoStep {
        /// Step that was asked for.
        step: usize,
        /// Number of answers.
        count: usize,
    },
    /// The match cannot begin.
    #[error("the match cannot begin: {0}")]
    Begin(MatchError),
    /// An answer is refused, or a script fails.
    #[error("step {step}, player {}: {error}{}", u16::from(*.seat) + 1, about(*.changed))]
    Refused {
        /// Number of the answer, from 1.
        step: usize,
        /// Seat that answers, from 0.
        seat: u8,
        /// What happened.
        error: MatchError,
        /// Whether the content has changed since.
        changed: bool,
    },
    /// A step leads to another state.
    #[error("step {step}{} differs: expected state {expected}, found {found}{}", by(*.seat), about(*.changed))]
    Differs {
        /// Number of the answer, from 1; 0: the first decision.
        step: usize,
        /// Seat that answered, from 0; `None`: the first decision.
        seat: Option<u8>,
        /// State that was recorded.
        expected: StateHash,
        /// State that was found.
        found: StateHash,
        /// Whether the content has changed since.
        changed: bool,
    },
    /// All states are equal, but not the result.
    #[error("the result differs: expected {}, found {}{}", result(.expected.as_deref()), result(.found.as_deref()), about(*.changed))]
    Outcome {
        /// Result that was recorded.
        expected: Option<Box<Outcome>>,
        /// Result that was found.
        found: Option<Box<Outcome>>,
        /// Whether the content has changed since.
        changed: bool,
    },
}

fn with(mods: &[ModId]) -> String {
    let mods: Vec<String> = mods.iter().map(ToString::to_string).collect();
    if mods.is_empty() { "without mods".to_owned() } else { format!("with the mods {}", mods.join(", ")) }
}

/// Which mods are missing, too many or others.
fn differences(recorded: &[ModId], given: &[ModId]) -> String {
    let missing = recorded.iter().filter_map(|one| match given.iter().find(|other| other.id == one.id) {
        None => Some(format!("`{}` is missing", one.id)),
        Some(other) if other.version != one.version => {
            Some(format!("`{}` was version {}, and is {}", one.id, one.version, other.version))
        }
        Some(_) => None,
    });
    let more = given.iter().filter(|one| !recorded.iter().any(|other| other.id == one.id));
    let all: Vec<String> = missing.chain(more.map(|one| format!("`{}` is one too many", one.id))).collect();
    if all.is_empty() { "they are loaded in another order".to_owned() } else { all.join(", ") }
}

fn by(seat: Option<u8>) -> String {
    seat.map(|seat| format!(" (player {})", u16::from(seat) + 1)).unwrap_or_default()
}

fn about(changed: bool) -> &'static str {
    if changed { " (the content has changed since the match was recorded)" } else { "" }
}

fn result(outcome: Option<&Outcome>) -> String {
    outcome
        .map_or_else(|| "none yet".to_owned(), |o| format!("scores {:?}, ranks {:?}, {}", o.scores, o.ranks, o.reason))
}

/// A replay that was repeated to its end with equal states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Number of answers.
    pub steps: usize,
    /// Whether the match is over.
    pub over: bool,
    /// Whether the content has changed since, in a way that this match does not notice.
    pub changed: bool,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = if self.steps == 1 { "1 step is".to_owned() } else { format!("{} steps are", self.steps) };
        write!(f, "{steps} equal, {}", if self.over { "and so is the result" } else { "the match is not finished" })?;
        f.write_str(if self.changed { "; the content has changed since, but this match is the same" } else { "" })
    }
}

impl Replay {
    /// Records a match: it is played once more for the hashes.
    ///
    /// Answers alone must lead to where the match is. If they do not (it was set by hand, redealt, or played without
    /// recording), the recorded hashes say so: verifying the replay fails.
    #[must_use]
    pub fn record(m: &Match) -> Self {
        // What fails here fails again when the replay is verified.
        let (mut states, _) = retrace(m.game(), m.setup(), m.answers());
        states.resize(m.answers().len() + 1, StateHash::default());
        if let Some(last) = states.last_mut() {
            *last = StateHash(m.state().hash());
        }
        Self::new(m.game(), m.setup(), m.answers(), states, m.outcome())
    }

    /// A replay from answers alone, such as those kept of an aborted game.
    ///
    /// # Errors
    /// The match cannot begin, or an answer is refused.
    pub fn retrace(game: &Game, setup: &Setup, answers: &[Answer]) -> Result<Self, ReplayError> {
        let (states, m) = retrace(game, setup, answers);
        Ok(Self::new(game, setup, answers, states, m?.outcome()))
    }

    /// `states` is the first state and that after each answer.
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
            answers: answers.to_vec(),
            start: states.next().unwrap_or_default(),
            hashes: states.collect(),
            outcome,
            checksum: String::new(),
        }
    }

    /// Writes the replay in place of whatever the file held; the file is the old one or the new one at any time.
    ///
    /// # Errors
    /// The file cannot be written, or would be larger than [`MAX_FILE`].
    pub fn save(&self, path: &Path) -> Result<(), ReplayError> {
        let sealed = Self { checksum: self.sum()?, ..self.clone() };
        let mut text = sealed.text()?;
        text.push(b'\n');
        if text.len() as u64 > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        // The same folder, because a name can be replaced atomically only within one file system.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&text)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The new name is safe when its folder is. Not every system can sync one; the file itself is whole either way.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Reads a replay.
    ///
    /// # Errors
    /// The file cannot be read, is too large, has another format, is no replay, or was damaged.
    pub fn load(path: &Path) -> Result<Self, ReplayError> {
        let file = File::open(path)?;
        if file.metadata()?.len() > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        // Read no more than that even if the file grows, or is none and has no length.
        let mut text = Vec::new();
        file.take(MAX_FILE + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_FILE {
            return Err(ReplayError::TooLarge);
        }
        Self::parse(&text)
    }

    fn parse(text: &[u8]) -> Result<Self, ReplayError> {
        /// What every format has.
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let malformed = |error: serde_json::Error| ReplayError::Malformed(error.to_string());
        let head: Head = serde_json::from_slice(text).map_err(malformed)?;
        if head.format != FORMAT {
            return Err(ReplayError::Format(head.format));
        }
        let replay: Self = serde_json::from_slice(text).map_err(malformed)?;
        if replay.checksum != replay.sum()? {
            return Err(ReplayError::Checksum);
        }
        if replay.hashes.len() != replay.answers.len() {
            return Err(ReplayError::Malformed("it has not one hash for each answer".to_owned()));
        }
        Ok(replay)
    }

    fn text(&self) -> Result<Vec<u8>, ReplayError> {
        serde_json::to_vec(self).map_err(|error| ReplayError::Io(error.into()))
    }

    /// Checksum of the canonical body: this replay without spaces, in the order of the fields, with an empty checksum.
    fn sum(&self) -> Result<String, ReplayError> {
        let body = Self { checksum: String::new(), ..self.clone() };
        Ok(blake3::hash(&body.text()?).to_hex().to_string())
    }

    /// The match after this many answers (`None`: all), each step compared with what was recorded.
    ///
    /// # Errors
    /// The game is another one or its content has changed; there is no such step; or the first step that differs.
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

    /// Plays the whole match again and compares every state and the result. Content that has changed since is no
    /// fault as long as the match does not notice.
    ///
    /// # Errors
    /// The game is another one, or the first step that differs.
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

    /// The mod that is another than the recorded one, else the game.
    fn changed_layer(&self, game: &Game) -> String {
        let other = |one: &&ModId| !game.mods().contains(one);
        self.mods.iter().find(other).map_or_else(|| self.game.clone(), |one| one.id.clone())
    }

    /// Whether the game's content is another than the recorded one; other mods are a fault.
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

/// The states of a match as far as it can be played, and how it ended.
fn retrace(game: &Game, setup: &Setup, answers: &[Answer]) -> (Vec<StateHash>, Result<Match, ReplayError>) {
    let mut states = Vec::with_capacity(answers.len() + 1);
    let played = trace(game, setup, answers, false, |_, state| {
        states.push(state);
        Ok(())
    });
    (states, played)
}

/// Plays answers from the start; `look` gets the number of each step, from 0 for the first decision, and its state.
fn trace(
    game: &Game,
    setup: &Setup,
    answers: &[Answer],
    changed: bool,
    mut look: impl FnMut(usize, StateHash) -> Result<(), ReplayError>,
) -> Result<Match, ReplayError> {
    let mut m = Match::new(game, setup).map_err(ReplayError::Begin)?;
    look(0, StateHash(m.state().hash()))?;
    for (step, answer) in (1..).zip(answers) {
        let refused = |error| ReplayError::Refused { step, seat: answer.seat, error, changed };
        m.answer_as(answer.seat, usize::from(answer.index)).map_err(refused)?;
        look(step, StateHash(m.state().hash()))?;
    }
    Ok(m)
}

#[cfg(test)]
mod tests;
