//! The interface between the flow and the machine that runs the hooks: permissions of a hook, traces of a hook, and
//! the calls between them. The flow knows nothing else of Luau.
//!
//! Direction: budget, chance, fixed, guard, hook, limits, question, refusal, returned, together, verb_place <- choices, fact,
//! fault, hook_copy <- choosable, grants, traces <- desk <- machine

pub mod budget;
pub mod chance;
pub mod choices;
pub mod choosable;
mod desk;
pub mod fact;
mod fault;
pub mod fixed;
mod grants;
pub mod guard;
mod hook;
mod hook_copy;
mod limits;
#[expect(clippy::module_inception, reason = "the trait after which the room is named")]
mod machine;
mod question;
pub mod refusal;
mod returned;
mod together;
mod traces;
mod verb_place;

pub use desk::Desk;
pub use fault::ScriptFault;
pub use grants::Grants;
pub use hook::{GAME_HOOKS, Hook, LOOKING_HOOKS, PHASE_HOOKS, PhaseHook};
pub use hook_copy::HookCopy;
pub use limits::Limits;
pub use machine::{Machine, guarded, replay};
pub use question::{ForcedAnswer, NIL, Question, Values};
pub use returned::{CallEnd, Returned, Trap};
pub use together::Together;
pub use traces::{EmittedEvent, Traces, TranscriptLength};
pub use verb_place::VerbPlace;
