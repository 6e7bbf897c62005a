//! The way to a state: its actions since the beginning, shared between copies.

use std::sync::{Arc, Mutex, PoisonError};

use motherlode::{ExplicitChance, Snapshot};

/// One step on the way to a state, with all earlier ones. Copies of a state share them, so that a copy and an action
/// cost the same however long the match is.
#[derive(Debug)]
pub struct Path {
    pub kind: Step,
    before: Option<Arc<Self>>,
    /// Number of actions.
    pub len: usize,
    /// The position with the histories of the seats, once somebody has asked for these.
    recorded: Mutex<Option<Box<Recorded>>>,
}

/// A kind of step.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// The beginning of the match.
    Begin,
    /// The action of a seat, with the index of its choice; or the outcome of the open draw.
    Action { action: u32, of: Option<(u8, usize)> },
    /// A new deal for a seat, by the generator of this seed.
    Redeal { seat: u8, seed: u64 },
}

/// A position with the histories of the seats.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub snapshot: Snapshot,
    pub chance: Option<ExplicitChance>,
    /// The number of the position.
    pub at: u64,
}

impl Path {
    /// The beginning of a match.
    pub fn begin() -> Arc<Self> {
        Arc::new(Self { kind: Step::Begin, before: None, len: 0, recorded: Mutex::default() })
    }

    /// This way with one more step.
    pub fn then(self: &Arc<Self>, kind: Step) -> Arc<Self> {
        let len = self.len + usize::from(matches!(kind, Step::Action { .. }));
        Arc::new(Self { kind, before: Some(Arc::clone(self)), len, recorded: Mutex::default() })
    }

    /// The steps, the last one first.
    fn backwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |step| step.before.as_deref())
    }

    /// The actions, each with its seat, in order; chance has no seat.
    pub fn actions(&self) -> Vec<(u32, Option<u8>)> {
        let mut actions = Vec::with_capacity(self.len);
        actions.extend(self.backwards().filter_map(|step| match step.kind {
            Step::Action { action, of } => Some((action, of.map(|(seat, _)| seat))),
            Step::Begin | Step::Redeal { .. } => None,
        }));
        actions.reverse();
        actions
    }

    /// Runs `work` on the recorded position of this step, if there is one.
    pub fn with_recorded<R>(&self, work: impl FnOnce(&Recorded) -> R) -> Option<R> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).as_deref().map(work)
    }

    /// The last recorded position before this step, and all steps since then, with this one. `None`: nothing is recorded,
    /// and the steps begin with [`Step::Begin`].
    ///
    /// The position is taken away from a step to which nothing leads but this way: it is nearly as long as the match.
    pub fn recorded_before(self: &Arc<Self>) -> (Option<Box<Recorded>>, Vec<&Arc<Self>>) {
        let (mut missing, mut found) = (vec![self], None);
        let (mut at, mut is_own) = (self.before.as_ref(), true);
        while let Some(step) = at {
            is_own &= Arc::strong_count(step) == 1;
            let mut recorded = step.recorded.lock().unwrap_or_else(PoisonError::into_inner);
            found = if is_own { recorded.take() } else { recorded.clone() };
            if found.is_some() {
                break;
            }
            missing.push(step);
            at = step.before.as_ref();
        }
        missing.reverse();
        (found, missing)
    }

    /// Whether another way or state goes on from this step.
    pub fn is_shared(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1
    }

    /// Keeps the recorded position of this step.
    pub fn keep(&self, recorded: Box<Recorded>) {
        *self.recorded.lock().unwrap_or_else(PoisonError::into_inner) = Some(recorded);
    }
}

impl Drop for Path {
    /// Drops the earlier steps one by one, because a chain of thousands would exhaust the stack.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut step) = before.and_then(Arc::into_inner) {
            before = step.before.take();
        }
    }
}
