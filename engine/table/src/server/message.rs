//! The messages between a table and a browser, as JSON texts.
//!
//! A browser says one of three things: `{"answer": {"decision": 4, "index": 0}}`, `{"undo": {}}` and, if another seat asks to undo,
//! `{"consent": {"request": 1, "agree": true}}`; `{"look": {"seat": 1, "step": 20}}`, if it belongs to the designer or the match is over;
//! and the designer's `{"branch": {"step": 20}}` and those of `consult.rs`. Everything else is refused.
//!
//! A table says what never changes once (`skeleton`), then what the seat sees (`table`), then what differs from that (`patch`, see
//! [`Patch`]). With both go the number of the question, the new lines of the transcript, and the result. A message that is refused is
//! answered by `refused`.

use motherlode::Game;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::face::Faces;
use crate::view::View;
use crate::wire::{Patch, Skeleton};

/// Longest message of a browser, in bytes.
pub const LONGEST: usize = 512;

/// What a browser says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Said {
    /// Chooses.
    Answer {
        /// The number that came with the question.
        decision: u32,
        /// Index of the choice.
        index: usize,
    },
    /// Takes back the last answer of this seat; where several people play, asks the others whether it may.
    Undo {},
    /// Says whether another seat may take back an answer.
    Consent {
        /// The number that came with the request.
        request: u32,
        /// Whether it may.
        agree: bool,
    },
    /// Shows the table as another seat sees it or as it was, to the designer, and once the match is over to everybody; without both it is
    /// the own seat's table, now.
    Look {
        /// The seat, from 0.
        seat: Option<u8>,
        /// The number of answers before.
        step: Option<usize>,
    },
    /// Lets the match go on after so many answers, for the designer; what came after is forgotten.
    Branch {
        /// The number of answers before.
        step: usize,
    },
    /// Plays on by the rules before the last save, or in another branch, for the designer.
    Keep {},
    /// Writes the position that is shown as a rule test, for the designer.
    Position {},
    /// Says where something of the content is set, for the designer.
    Explain {
        /// As `lode explain` takes it: `counters.gold`, `tiles.lake`.
        path: String,
    },
    /// Tries the choices that are shown in random games, for the designer.
    Estimate {},
}

/// Why a message is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It is none of the messages that there are.
    Unknown,
    /// It is longer than [`LONGEST`]; the connection ends.
    Oversize,
    /// There were too many of them; the connection ends.
    TooMany,
    /// The link is open in too many windows, and this is the oldest; the connection ends.
    Crowded,
    /// The question is not, or no longer, what this seat is asked.
    NotAsked,
    /// The question has no such choice.
    NoChoice,
    /// There is nothing that this seat may take back.
    NoUndo,
    /// Somebody asks already whether an answer may be taken back.
    Asking,
    /// The others have refused to let this answer be taken back.
    RefusedAlready,
    /// There were too many requests to take back an answer here, or they took too long.
    TooOften,
    /// Nobody asks this seat whether an answer may be taken back.
    NoRequest,
    /// Only the designer may do that.
    Designer,
    /// There is no such step or seat.
    NoStep,
    /// There are no older rules.
    NoRules,
    /// The match is kept, and stays with its rules.
    SameRules,
    /// Nothing of the content has that name.
    NoName,
    /// Nobody is asked anything there.
    NoQuestion,
    /// The table has no such tool.
    NoTool,
    /// The rules failed; the transcript says how.
    Failed,
}

impl Refusal {
    /// For the person at the browser.
    fn text(self) -> &'static str {
        match self {
            Self::Unknown => "this table does not understand that message",
            Self::Oversize => "the message is too long",
            Self::TooMany => "too many messages; reload the page to go on",
            Self::Crowded => "this link is open in too many other windows; reload the page to go on here",
            Self::NotAsked => "you are not asked that any more",
            Self::NoChoice => "there is no such choice",
            Self::NoUndo => "there is nothing that you can take back",
            Self::Asking => "somebody asks already to take back an answer",
            Self::RefusedAlready => "the others have refused that already",
            Self::TooOften => "you have asked for that too often; play on first",
            Self::NoRequest => "nobody asks you that, or not any more",
            Self::Designer => "only the designer of the game may do that",
            Self::NoStep => "there is no such step or seat",
            Self::NoRules => "the rules have not changed",
            Self::SameRules => "matches that are kept stay with their rules: files that are saved are not read again",
            Self::NoName => "nothing in the files of the game sets that",
            Self::NoQuestion => "this seat is not asked anything here",
            Self::NoTool => "this table has no tools for designers",
            Self::Failed => "the rules of the game failed; the transcript says more",
        }
    }
}

/// What a table says most of the time. Serialised as it stands: a tree of values between would cost more than the rest.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Tells<'a> {
    Table { view: &'a View, beside: Beside<'a>, place: Option<Place> },
    Patch { view: &'a Patch, beside: Beside<'a> },
}

impl Tells<'_> {
    fn text(&self) -> String {
        // Nothing in it can fail: all keys are texts.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The message that tells a browser of a refusal.
pub fn refused(why: Refusal) -> String {
    json!({ "refused": { "code": why, "text": why.text() } }).to_string()
}

/// Reads a message.
pub fn read(text: &str) -> Result<Said, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::Oversize);
    }
    serde_json::from_str(text).map_err(|_| Refusal::Unknown)
}

/// What never changes while the rules are the same: the game, and all that is printed on its cards.
pub fn skeleton(game: &Game, faces: &Faces) -> String {
    json!({ "skeleton": Skeleton::new(game, faces) }).to_string()
}

/// A line of the transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// Round, from 1; 0 before the first.
    pub round: i32,
    /// Name of the phase.
    pub phase: String,
    /// Who says it.
    pub by: Teller,
    /// What it says.
    pub text: String,
}

/// Where a line of the transcript comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Teller {
    /// The game.
    Game,
    /// The game, to this seat alone.
    Secret,
    /// It repeats an answer.
    Answer,
    /// Counters and piles that changed, of which the game says nothing.
    Change,
    /// The table itself: something was taken back, the rules failed.
    Table,
}

/// Where a browser looks that may go through the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Place {
    /// The seat through whose eyes, from 0; a seat beyond the table: what is public.
    pub seat: u8,
    /// How many answers were given before.
    pub step: usize,
    /// How many answers there are.
    pub steps: usize,
    /// Whether that is the own seat's table as it is now.
    pub live: bool,
    /// After how many answers the newest rules first made a difference.
    pub differs: Option<usize>,
    /// Whether the designer's tools are there, and the match may go on from here.
    pub designer: bool,
    /// Whether the match before an edit, or another branch, is kept.
    pub older: bool,
}

/// What a seat is told of a request to take back an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// Number of the request, which belongs to the answer.
    pub number: u32,
    /// Who asks, from 0.
    pub seat: u8,
    /// Whether something may have been revealed since.
    pub wiser: bool,
    /// Whether something has been revealed for certain.
    pub certain: bool,
    /// Whether this seat is asked, and has not said anything.
    pub waits: bool,
}

/// What goes with the view of a seat.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Beside<'a> {
    /// Number of the question.
    pub decision: u32,
    /// How many lines of the transcript that were sent before still stand.
    pub kept: usize,
    /// The lines after those.
    pub lines: &'a [Line],
    /// How the match ended.
    pub outcome: Option<&'a Value>,
    /// What a seat asks of the others.
    pub request: Option<&'a Request>,
}

/// The whole table. `place` is for the designer alone until the match is over: the number of all answers tells what other seats do.
pub fn whole(view: &View, beside: Beside<'_>, place: Option<Place>) -> String {
    Tells::Table { view, beside, place }.text()
}

/// What differs from an earlier table.
pub fn patch(patch: &Patch, beside: Beside<'_>) -> String {
    Tells::Patch { view: patch, beside }.text()
}

/// How far the match has come, for those who may go through it.
pub fn place(place: Place) -> String {
    json!({ "place": place }).to_string()
}
