//! The messages between a table and a browser, as JSON texts.
//!
//! A browser sends `{"answer": {"decision": 4, "index": 0}}`, `{"several": {"decision": 4, "indices": [0, 2]}}`,
//! `{"why": {"decision": 4}}`, `{"preview": {"decision": 4, "index": 0}}`, `{"undo": {}}`, `{"rematch": {}}` or
//! `{"rules": {}}`; and, if another seat requests an undo, `{"consent": {"request": 1, "agree": true}}`. The designer, and after the match everybody, may send
//! `{"look": {"seat": 1, "step": 20}}`. Only the designer may send `{"branch": {"step": 20}}` and the messages
//! of `consult.rs`. Any other message is refused.
//!
//! A table sends the constant parts of the game once (`skeleton`), then the whole view (`table`), then
//! differences (`patch`, see [`Patch`]). `table` and `patch` carry the number of the question, the new lines of
//! the transcript, and the result. `refused` replies to a refused message. If several people play, `presence` names
//! the seats of people, and those who have the table open, whenever a person comes or goes.

use motherlode::Game;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::editor::CardDraft;
use crate::rulebook::Rulebook;
use crate::view::View;
use crate::wire::{Patch, Skeleton};

/// Maximum length of a browser's message, in bytes.
pub const LONGEST: usize = 512;

/// Maximum length of a designer's message, in bytes: it may hold a whole card.
pub const LONGEST_OF_DESIGNER: usize = 32 << 10;

/// A message from a browser.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Answers the pending question.
    Answer {
        /// Number of the question.
        decision: u32,
        /// Index of the choice.
        index: usize,
    },
    /// Answers the pending question several times, in this order.
    Several {
        /// Number of the question.
        decision: u32,
        /// Indices of the choices.
        indices: Vec<usize>,
    },
    /// Asks which choices the pending question does not have, and why.
    Why {
        /// Number of the question.
        decision: u32,
    },
    /// Asks what a choice would change.
    Preview {
        /// Number of the question.
        decision: u32,
        /// Index of the choice.
        index: usize,
    },
    /// Undoes the last answer of this seat. Among several people, this requests their consent.
    Undo {},
    /// Asks for another match at this table, after the end.
    Rematch {},
    /// Answers another seat's undo request.
    Consent {
        /// Number of the request.
        request: u32,
        /// Whether the seat agrees.
        agree: bool,
    },
    /// Shows the table from another seat or at another step; without both, the browser's own live table. For
    /// the designer, and for everybody after the match.
    Look {
        /// The seat, from 0.
        seat: Option<u8>,
        /// Number of answers before.
        step: Option<usize>,
    },
    /// Continues the match from an earlier step and drops the later answers. For the designer.
    Branch {
        /// Number of answers that remain.
        step: usize,
    },
    /// Returns to the rules before the last save, or to another branch. For the designer.
    Keep {},
    /// Exports the displayed position as a rule test. For the designer.
    Position {},
    /// Shows the source of a value in the content. For the designer.
    Explain {
        /// Path as in `lode explain`: `counters.gold`, `tiles.lake`.
        path: String,
    },
    /// Estimates the displayed choices by random games. For the designer.
    Estimate {},
    /// Requests the rules of the game.
    Rules {},
    /// Requests the form of a card. For the designer.
    Form {
        /// Kind and id: `tools.drill`.
        card: String,
    },
    /// Checks an edited card. For the designer.
    Draft {
        /// Number that the reply repeats.
        number: u32,
        /// The card.
        card: CardDraft,
    },
    /// Saves an edited card, if the check finds no error. For the designer.
    Save {
        /// Number that the reply repeats.
        number: u32,
        /// The card.
        card: CardDraft,
    },
    /// Takes back the last save of a card. For the designer.
    TakeBack {},
}

/// Why a message is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Unknown message.
    Unknown,
    /// The message is longer than [`LONGEST`]; the connection ends.
    Oversize,
    /// Too many messages; the connection ends.
    TooMany,
    /// Too many sockets use the link, and this one is the oldest; the connection ends.
    Crowded,
    /// The question is not pending, or not this seat's.
    NotAsked,
    /// The question has no such choice.
    NoChoice,
    /// Some of several choices were made; the question did not offer the others again.
    Partly,
    /// The seat has no answer to undo.
    NoUndo,
    /// Another undo request is pending.
    Asking,
    /// An earlier undo request of this seat failed, and the match has not advanced since.
    RefusedAlready,
    /// Too many undo requests here, or they took too long.
    TooOften,
    /// The match is not over, is only displayed, or the browser has no seat.
    NoRematch,
    /// No undo request waits for this seat's consent.
    NoRequest,
    /// Only the designer may do this.
    Designer,
    /// No such step or seat.
    NoStep,
    /// There are no older rules.
    NoRules,
    /// A match in a journal keeps its rules.
    SameRules,
    /// The content sets no such name.
    NoName,
    /// No question is pending there.
    NoQuestion,
    /// The table has no designer tools.
    NoTool,
    /// The rules failed; the transcript has the error.
    Failed,
}

impl Refusal {
    /// The explanation for the person at the browser.
    fn text(self) -> &'static str {
        match self {
            Self::Unknown => "the table does not know this message",
            Self::Oversize => "the message is too long",
            Self::TooMany => "too many messages: reload the page to go on",
            Self::Crowded => "this link is open in too many windows: reload the page to go on here",
            Self::NotAsked => "this question is no longer pending",
            Self::NoChoice => "there is no such choice",
            Self::Partly => "only some of your choices could be made",
            Self::NoUndo => "you have no answer to undo",
            Self::NoRematch => "no rematch is possible now",
            Self::Asking => "another undo request is pending",
            Self::RefusedAlready => "your last undo request failed: play on first",
            Self::TooOften => "too many undo requests: play on first",
            Self::NoRequest => "no undo request waits for you",
            Self::Designer => "only the designer of the game may do this",
            Self::NoStep => "there is no such step or seat",
            Self::NoRules => "there are no older rules",
            Self::SameRules => "a match in a journal keeps its rules: saved files are not read again",
            Self::NoName => "the files of the game do not set this",
            Self::NoQuestion => "this seat has no pending question here",
            Self::NoTool => "this table has no designer tools",
            Self::Failed => "the rules of the game failed: see the transcript",
        }
    }
}

/// The frequent messages of a table. They are serialized directly, because building JSON values first would
/// dominate the cost.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum TableMessage<'a> {
    Table { view: &'a View, beside: Extras<'a>, place: Option<Viewpoint> },
    Patch { view: &'a Patch, beside: Extras<'a> },
}

impl TableMessage<'_> {
    fn text(&self) -> String {
        // Serialization cannot fail: all map keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The message about a refusal.
pub fn refused(why: Refusal) -> String {
    json!({ "refused": { "code": why, "text": why.text() } }).to_string()
}

/// The message that names the seats of people, and those of them who have the table open.
pub fn presence(people: &[u8], here: &[u8]) -> String {
    json!({ "presence": { "people": people, "here": here } }).to_string()
}

/// Parses a browser's message of at most `longest` bytes.
pub fn read(text: &str, longest: usize) -> Result<ClientMessage, Refusal> {
    if text.len() > longest {
        return Err(Refusal::Oversize);
    }
    serde_json::from_str(text).map_err(|_| Refusal::Unknown)
}

/// The message with the constant parts of a game.
pub fn skeleton(skeleton: &Skeleton) -> String {
    json!({ "skeleton": skeleton }).to_string()
}

/// The message with the rules of a game.
pub fn rulebook(game: &Game) -> String {
    json!({ "rulebook": Rulebook::new(game) }).to_string()
}

/// A line of the transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// Round, from 1; 0 before the first round.
    pub round: i32,
    /// Name of the phase.
    pub phase: String,
    /// Source of the line.
    pub by: LineSource,
    /// Text of the line.
    pub text: String,
    /// The answer that the line repeats, if the viewer may read it.
    pub answer: Option<AnswerLine>,
}

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerLine {
    /// The seat that answered, from 0.
    pub seat: u8,
    /// The question as people read it.
    pub question: String,
    /// The choice as people read it.
    pub choice: String,
}

/// The source of a transcript line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LineSource {
    /// The game, to everybody.
    Game,
    /// The game, to this seat only.
    Secret,
    /// An answer of a seat.
    Answer,
    /// Changed counters and piles that no game line mentions.
    Change,
    /// The table itself, such as an undo or a failure of the rules.
    Table,
}

/// The seat and the step that a browser displays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Viewpoint {
    /// The viewing seat, from 0; a seat beyond the table sees public information only.
    pub seat: u8,
    /// Number of answers before the displayed position.
    pub step: usize,
    /// Number of all answers.
    pub steps: usize,
    /// Whether this is the browser's own seat at the current step.
    pub live: bool,
    /// First step at which the newest rules made a difference.
    pub differs: Option<usize>,
    /// Whether the browser has the designer's permissions.
    pub designer: bool,
    /// Whether the match can return to older rules or to another branch.
    pub older: bool,
}

/// The changes that a choice would make, as far as its seat can know them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChoicePreview {
    /// Certain changes, in words.
    pub certain: Vec<String>,
    /// Whether more changes depend on hidden information or on chance.
    pub varies: bool,
}

/// Choices that a seat does not have now, for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusedChoice {
    /// Texts of the choices.
    pub label: String,
    /// Why the seat does not have it.
    pub reason: String,
}

/// An undo request, as shown to a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UndoRequestView {
    /// Number of the request, which the reply repeats.
    pub number: u32,
    /// The requesting seat, from 0.
    pub seat: u8,
    /// The request in words, with what it takes back.
    pub text: String,
    /// Whether something may have been revealed since the answer.
    #[serde(rename = "wiser")]
    pub revealed_since: bool,
    /// Whether the request waits for this seat's consent.
    pub waits: bool,
    /// The seats that have not agreed yet.
    pub missing: Vec<u8>,
}

/// The data beside a view: question number, transcript, result and undo request.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Extras<'a> {
    /// Number of the question.
    pub decision: u32,
    /// Number of earlier transcript lines that stay.
    pub kept: usize,
    /// The transcript lines after those.
    pub lines: &'a [Line],
    /// Result of the match.
    pub outcome: Option<&'a Value>,
    /// The pending undo request.
    pub request: Option<&'a UndoRequestView>,
}

/// The message with the whole table. Until the end of the match only the designer may receive `place`, because
/// the total number of answers reveals the actions of other seats.
pub fn whole(view: &View, beside: Extras<'_>, place: Option<Viewpoint>) -> String {
    TableMessage::Table { view, beside, place }.text()
}

/// The message with the differences from the previous table.
pub fn patch(patch: &Patch, beside: Extras<'_>) -> String {
    TableMessage::Patch { view: patch, beside }.text()
}

/// The message about the progress of the match, for browsers that may step through it.
pub fn place(place: Viewpoint) -> String {
    json!({ "place": place }).to_string()
}
