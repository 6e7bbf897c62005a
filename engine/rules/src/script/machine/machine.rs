//! The machine interface: an implementation runs the hooks of a game.

use std::fmt::Debug;

use indexmap::IndexMap;

use crate::script::machine::desk::Desk;
use crate::script::machine::fault::ScriptFault;
use crate::script::machine::grants::Grants;
use crate::script::machine::guard::Guard;
use crate::script::machine::hook::Hook;
use crate::script::machine::hook_copy::HookCopy;
use crate::script::machine::returned::{CallEnd, Returned, Trap};
use crate::script::machine::traces::Traces;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Diagnostic;

/// Runs the hooks of one game on its state block, for one match after another.
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

    /// Replaces the list of choices; drops those beyond
    /// [`MAX_CHOICES`](crate::script::machine::choices::MAX_CHOICES).
    fn set_choices(&mut self, list: &[i32]);

    /// All buffers, mutable.
    fn desk(&mut self) -> Desk<'_>;

    /// Permissions of the next call.
    fn grants(&self) -> &Grants;

    /// Permissions of the next call, mutable.
    fn grants_mut(&mut self) -> &mut Grants;

    /// Traces of the calls so far.
    fn traces(&self) -> &Traces;

    /// Traces of the calls so far, mutable.
    fn traces_mut(&mut self) -> &mut Traces;

    /// Whether scripts see that the transcript is on.
    fn logging(&self) -> bool;

    /// Tells scripts whether the transcript is on.
    fn set_logging(&mut self, on: bool);

    /// Forgets all recorded writes.
    fn forget_written(&mut self);

    /// Records these words as written.
    fn mark_written(&mut self, words: &mut dyn Iterator<Item = usize>);

    /// Whether hooks have written a counter since [`forget_written`](Self::forget_written).
    fn has_written(&self) -> bool;

    /// Visits the words that hooks of a simultaneous phase have changed since
    /// [`forget_written`](Self::forget_written), with their values. `before` is the state in which the phase began.
    fn each_changed(&self, before: &[i32], visit: &mut dyn FnMut(u32, i32));

    /// Whether the game has this hook.
    fn has(&self, hook: Hook) -> bool;

    /// Calls a hook that does not ask. Negative arguments are labels. A missing hook returns nothing.
    ///
    /// # Errors
    /// [`Trap::Asks`] if it asks; otherwise why it failed.
    fn call(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap>;

    /// Starts a hook and runs it to its first question. Each [seat](Grants::seat) has a suspended hook of its own.
    ///
    /// # Errors
    /// Why it failed.
    fn start(&mut self, hook: Hook, args: &[i32]) -> Result<CallEnd, Trap>;

    /// Answers the suspended hook's question: the index of a choice, from 0, for each asked seat. The hook continues
    /// in the current state, in which the flow may have changed words; a redeal changes the seed.
    ///
    /// # Errors
    /// Why it failed.
    fn resume(&mut self, given: &[u16]) -> Result<CallEnd, Trap>;

    /// Copies the hook that waits for an answer: the sealed hook of a seat, or the one that is not sealed. False: it cannot
    /// be copied, and must be repeated.
    fn copy_hook(&self, _seat: Option<u8>, _into: &mut HookCopy) -> bool {
        false
    }

    /// Lets a copied hook wait again, in place of the one that waits there. False: it was copied from another machine, and
    /// nothing has changed.
    fn put_hook(&mut self, _seat: Option<u8>, _from: &HookCopy) -> bool {
        false
    }

    /// Explains the failure of a hook that began in this state and received these answers.
    fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], state: &[i32], answers: &[u16]) -> ScriptFault;

    /// Whether the machine cannot be used again.
    fn is_broken(&self) -> bool;

    /// Whether the last failure may be due to earlier work of the machine; a [renewed](Self::renew) machine must then
    /// decide.
    fn is_undecided(&self) -> bool;

    /// Replaces itself by a new machine with the same game, options and limits, and with extra memory until
    /// [`take_room`](Self::take_room).
    ///
    /// # Errors
    /// Memory has run out.
    fn renew(&mut self) -> Result<(), Vec<Diagnostic>>;

    /// Ends the extra memory of a new machine.
    fn take_room(&mut self) {}

    /// Adds to the game's coverage, if counted; called before the machine is dropped.
    fn count(&self) {}
}

/// Runs a hook from its start. At each question, `answer` supplies the answers of the asked seats; on false, the hook
/// stays suspended.
///
/// # Errors
/// Why it failed.
pub fn replay<M: Machine, O: AsMut<M>>(
    owner: &mut O,
    hook: Hook,
    args: &[i32],
    mut answer: impl FnMut(&mut O, &mut Vec<u16>) -> bool,
) -> Result<CallEnd, Trap> {
    let mut given = std::mem::take(&mut owner.as_mut().traces_mut().given);
    let mut ended = owner.as_mut().start(hook, args);
    while ended == Ok(CallEnd::Asks) {
        given.clear();
        if !answer(owner, &mut given) {
            break;
        }
        ended = owner.as_mut().resume(&given);
    }
    owner.as_mut().traces_mut().given = given;
    ended
}

/// Runs `run` with hooks restricted by a guard.
pub fn guarded<M: Machine, O: AsMut<M>, T>(owner: &mut O, guard: Guard, run: impl FnOnce(&mut O) -> T) -> T {
    let machine = owner.as_mut();
    let logging = machine.logging();
    // A forbidden transcript line is an error whether or not the transcript is on.
    machine.set_logging(logging || matches!(guard, Guard::Looks(_)));
    machine.grants_mut().guard = guard;
    let out = run(owner);
    let machine = owner.as_mut();
    machine.grants_mut().guard = Guard::Open;
    machine.set_logging(logging);
    out
}
