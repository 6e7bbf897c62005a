//! Runs hooks as machine code on the state block of a VM.

use std::ptr;

use crate::script::luau::raw::vm::Vm;
use crate::script::machine::choices::MAX_CHOICES;
use crate::script::machine::{CallEnd, HookCopy, Returned, Trap};
use crate::script::native::raw::arena::{Arena, Value};
use crate::script::native::raw::code::EntryPoint;
use crate::script::native::raw::frame::{Frame, MOST_STORED, PASSED, next_number, status};
use crate::script::native::raw::table::NewTable;
use crate::script::native::ty::tag;

impl Vm {
    /// Makes the memory that machine code needs.
    pub fn make_frames(&mut self) {
        let count = 1 + self.threads.len();
        self.frames = (0..count).map(|_| self.make_frame()).collect();
    }

    fn make_frame(&mut self) -> Frame {
        let (steps, price) = self.context().budget.cells();
        let shared = self.shared_mut();
        let mut frame = Frame {
            state: shared.state,
            choices: shared.choices,
            marks: shared.marks,
            steps,
            price,
            status: status::RUNS,
            floor: 0,
            resumes: 0,
            answer: 0,
            stored: ptr::null_mut(),
            first: ptr::null_mut(),
            options: ptr::null(),
            upvalues: 0,
            arguments: [Value::NIL; PASSED],
            results: [Value::NIL; PASSED],
            scratch: [0; PASSED],
            store: vec![0; MOST_STORED].into(),
            arena: Arena::new(),
            context: &raw mut shared.context,
            layout: std::sync::Arc::as_ptr(&shared.layout),
            state_len: shared.state_len,
            players: (0, ptr::null_mut()),
            kept: Value::FALSE,
            number: next_number(),
        };
        frame.first = frame.store.as_mut_ptr();
        frame.stored = frame.first;
        frame
    }

    /// Whether the options of a match are set.
    pub fn has_options(&self, count: usize) -> bool {
        self.option_values.len() == count
    }

    /// Sets the options of the match, in the order of the machine code.
    pub fn set_compiled_options(&mut self, options: Vec<Value>) {
        self.option_values = options;
        for frame in &mut self.frames {
            frame.options = self.option_values.as_ptr();
        }
    }

    /// The number of the coroutine of the seat whose sealed hook runs, or of all other hooks.
    pub fn coroutine(&self) -> usize {
        coroutine_of(self.context().grants.seat)
    }

    /// The arguments that machine code gets: in plain calls, or in a coroutine by its number from 1. Empty: there is no
    /// machine code.
    #[inline]
    pub fn arguments(&mut self, number: usize) -> &mut [Value] {
        self.frames.get_mut(number).map_or(&mut [], |frame| &mut frame.arguments)
    }

    /// Calls a hook as machine code with the [arguments](Self::arguments). `None`: Luau must call it, in the state and
    /// with the choices of before.
    #[inline]
    pub fn call_compiled(&mut self, entry: EntryPoint, steps: i64) -> Option<Result<Returned, Trap>> {
        self.prepare(steps, false);
        self.context_mut().drew = false;
        let frame: *mut Frame = &raw mut *self.frames.first_mut()?;
        // SAFETY: the frame belongs to this VM, and so does all that it points to; no reference to either is alive while
        // the code runs, and the caller holds the code.
        let ended = unsafe { entry.run(&mut *frame) };
        match ended {
            status::NEEDS_COROUTINE => Some(Err(Trap::Asks)),
            ended => self.done(0, ended),
        }
    }

    /// Starts a hook as machine code that may ask, with the [arguments](Self::arguments). `None`: Luau must start it, in
    /// the state of before.
    #[inline]
    pub fn start_compiled(&mut self, entry: EntryPoint, steps: i64) -> Option<Result<CallEnd, Trap>> {
        self.prepare(steps, true);
        self.context_mut().drew = false;
        self.clear_choices();
        let number = 1 + self.coroutine();
        let frame: *mut Frame = &raw mut *self.frames.get_mut(number)?;
        // SAFETY: as in `call_compiled`.
        let ended = unsafe { entry.run(&mut *frame) };
        self.ended_or_asks(number, ended)
    }

    /// Answers the question of a hook that was started as machine code with the index of a choice, from 0. `None`: Luau
    /// must run the hook again from its start.
    #[inline]
    pub fn resume_compiled(&mut self, entry: EntryPoint, index: usize, steps: i64) -> Option<Result<CallEnd, Trap>> {
        self.prepare(steps, true);
        let choice = self.choices().get(index).copied().unwrap_or(0);
        self.clear_choices();
        let number = 1 + self.coroutine();
        let frame: *mut Frame = &raw mut *self.frames.get_mut(number)?;
        // SAFETY: as in `call_compiled`; the caller resumes only what it has started in this frame, and what has asked.
        let ended = unsafe { entry.resume(&mut *frame, choice) };
        self.ended_or_asks(number, ended)
    }

    /// Copies the hook that waits for an answer in the coroutine of a seat, or in that of all other hooks.
    pub fn copy_hook(&self, coroutine: usize, into: &mut HookCopy) -> bool {
        let Some(frame) = self.frames.get(1 + coroutine) else { return false };
        frame.copy_hook(into);
        into.drew = self.context().drew;
        true
    }

    /// Puts a copied hook back. False: it is of another VM.
    pub fn put_hook(&mut self, coroutine: usize, from: &HookCopy) -> bool {
        let is_put = self.frames.get_mut(1 + coroutine).is_some_and(|frame| frame.put_hook(from));
        if is_put {
            self.context_mut().drew = from.drew;
        }
        is_put
    }

    #[inline]
    fn ended_or_asks(&mut self, frame: usize, ended: i64) -> Option<Result<CallEnd, Trap>> {
        match ended {
            status::ASKS if !self.trapped() && !self.context().ended => Some(Ok(CallEnd::Asks)),
            ended => self.done(frame, ended).map(|done| done.map(CallEnd::Done)),
        }
    }

    /// The result of a hook that has ended.
    #[inline]
    fn done(&mut self, frame: usize, ended: i64) -> Option<Result<Returned, Trap>> {
        if ended != status::RUNS || self.trapped() {
            return None;
        }
        let out = self.returned(frame)?;
        if self.context().ended {
            return Some(self.take_back(Ok(())).map(|()| Returned::Nil));
        }
        Some(Ok(out))
    }

    /// The result of a hook; `None`: Luau must say why it is not allowed.
    #[inline]
    fn returned(&mut self, frame: usize) -> Option<Returned> {
        // Machine code writes the two halves of a value one by one: reading them so is faster than reading the value.
        let value = &self.frames[frame].results[0];
        Some(match value.tag as u8 {
            tag::NIL => Returned::Nil,
            tag::FALSE => Returned::Bool(false),
            tag::TRUE => Returned::Bool(true),
            tag::INT => Returned::Int(i32::try_from(value.payload).ok()?),
            tag::NEW => return self.returned_list(frame),
            _ => return None,
        })
    }

    /// Keeps the list that a hook returns.
    fn returned_list(&mut self, frame: usize) -> Option<Returned> {
        let table = self.frames[frame].results[0].payload as *const NewTable;
        // SAFETY: a table of the frame's arena, as its tag says; the arena is not cleared before the next hook.
        let table = unsafe { &*table };
        let list = table.listed();
        let end = list.iter().position(|one| one.tag == 0).unwrap_or(list.len());
        let numbers = &mut self.context_mut().traces.list;
        numbers.clear();
        for one in list[..end].iter().take(MAX_CHOICES) {
            if one.tag != i64::from(tag::INT) {
                return None;
            }
            numbers.push(i32::try_from(one.payload).ok()?);
        }
        (!table.has_others()).then_some(Returned::List)
    }
}

/// The number of the coroutine of the sealed hook of a seat, or of all other hooks.
#[must_use]
pub fn coroutine_of(seat: Option<u8>) -> usize {
    seat.map_or(0, |seat| usize::from(seat) + 1)
}
