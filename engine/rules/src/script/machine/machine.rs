//! A machine: whatever runs the hooks of a game.

use std::fmt::Debug;
use std::ops::Range;

use indexmap::IndexMap;

use crate::script::machine::desk::Desk;
use crate::script::machine::fault::ScriptFault;
use crate::script::machine::grants::Grants;
use crate::script::machine::guard::Guard;
use crate::script::machine::hook::Hook;
use crate::script::machine::returned::{Ended, Returned, Trap};
use crate::script::machine::traces::Traces;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Diagnostic;

/// Runs the hooks of one game on the state block that it holds, for one match after another.
#[cfg_attr(test, auto_impl::auto_impl(Box))]
pub trait Machine: Debug {
    /// Sets the options of the next match.
    fn set_options(&mut self, options: &IndexMap<String, OptionValue>);

    /// The state block.
    fn words(&self) -> &[i32];

    /// The state block, for writing.
    fn words_mut(&mut self) -> &mut [i32];

    /// The choices listed so far.
    fn choices(&self) -> &[i32];

    /// Replaces the list of choices; those beyond [`MAX_CHOICES`](crate::script::machine::choices::MAX_CHOICES) are left out.
    fn set_choices(&mut self, list: &[i32]);

    /// All buffers, for writing.
    fn desk(&mut self) -> Desk<'_>;

    /// Permissions of the next call.
    fn grants(&self) -> &Grants;

    /// Permissions of the next call, for writing.
    fn grants_mut(&mut self) -> &mut Grants;

    /// Traces of the calls so far.
    fn traces(&self) -> &Traces;

    /// Traces of the calls so far, for writing.
    fn traces_mut(&mut self) -> &mut Traces;

    /// Whether scripts are told that the transcript is wanted.
    fn logging(&self) -> bool;

    /// Tells scripts whether the transcript is wanted.
    fn set_logging(&mut self, on: bool);

    /// Forgets what hooks have written so far.
    fn forget_written(&mut self);

    /// Marks these words as written, too.
    fn mark_written(&mut self, words: &mut dyn Iterator<Item = usize>);

    /// Whether hooks have written a counter since [`forget_written`](Self::forget_written).
    fn has_written(&self) -> bool;

    /// Visits the words among which are all that the hooks of a simultaneous phase have changed since
    /// [`forget_written`](Self::forget_written).
    fn each_written(&self, visit: &mut dyn FnMut(Range<usize>));

    /// Whether the game has this hook.
    fn has(&self, hook: Hook) -> bool;

    /// Calls a hook that does not ask. Negative arguments are labels. A hook that the game does not have returns nothing.
    ///
    /// # Errors
    /// [`Trap::Asks`] if it asks; otherwise why it failed.
    fn call(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap>;

    /// Starts a hook, up to its first question. The hook of each [seat](Grants::seat) waits by itself.
    ///
    /// # Errors
    /// Why it failed.
    fn start(&mut self, hook: Hook, args: &[i32]) -> Result<Ended, Trap>;

    /// Answers the question of the hook that waits: with the index of a choice, from 0, for each seat that is asked. The hook goes on in the
    /// state as it is now, in which the flow may have changed words, as a redeal changes the seed.
    ///
    /// # Errors
    /// Why it failed.
    fn resume(&mut self, given: &[u16]) -> Result<Ended, Trap>;

    /// Describes the failure of a hook that began in this state and was given these answers.
    fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], state: &[i32], answers: &[u16]) -> ScriptFault;

    /// Whether it cannot be used again.
    fn is_broken(&self) -> bool;

    /// Whether the failure of the last call says nothing of the script alone, so that a machine that is [renewed](Self::renew) has to decide.
    fn is_undecided(&self) -> bool;

    /// Becomes a new machine of the same game with the same options and limits, with room to spare until that is [taken](Self::take_room).
    ///
    /// # Errors
    /// Memory has run out.
    fn renew(&mut self) -> Result<(), Vec<Diagnostic>>;

    /// Takes the room back that a new machine had to decide about a step.
    fn take_room(&mut self) {}

    /// Adds what has run to the game's coverage, if that is counted; before the machine is dropped.
    fn count(&self) {}
}

/// Runs a hook from its beginning. At each question `answer` says what each seat that is asked answers; false: the hook waits there.
///
/// # Errors
/// Why it failed.
pub fn replay<M: Machine, O: AsMut<M>>(
    owner: &mut O,
    hook: Hook,
    args: &[i32],
    mut answer: impl FnMut(&mut O, &mut Vec<u16>) -> bool,
) -> Result<Ended, Trap> {
    let mut given = std::mem::take(&mut owner.as_mut().traces_mut().given);
    let mut ended = owner.as_mut().start(hook, args);
    while ended == Ok(Ended::Asks) {
        given.clear();
        if !answer(owner, &mut given) {
            break;
        }
        ended = owner.as_mut().resume(&given);
    }
    owner.as_mut().traces_mut().given = given;
    ended
}

/// Lets hooks change only what a guard allows while `run` runs them.
pub fn guarded<M: Machine, O: AsMut<M>, T>(owner: &mut O, guard: Guard, run: impl FnOnce(&mut O) -> T) -> T {
    let machine = owner.as_mut();
    let logging = machine.logging();
    // A line that must not be written is refused whether or not anybody reads it.
    machine.set_logging(logging || matches!(guard, Guard::Looks(_)));
    machine.grants_mut().guard = guard;
    let out = run(owner);
    let machine = owner.as_mut();
    machine.grants_mut().guard = Guard::Open;
    machine.set_logging(logging);
    out
}
