//! Simultaneous phases (`sealed` in content): every seat's hook runs against the same position, and seats answer in
//! any order. After the last answer, the changes are merged in seat order.

use std::borrow::Cow;

use crate::flow::MatchError;
use crate::flow::ask::DeclaredQuestions;
use crate::flow::call::{Args, Call};
use crate::flow::open::{AskProgress, OpenCall, OpenCalls, Suspended};
use crate::flow::runner::Runner;
use crate::script::machine::fact::{Fact, Note, differences};
use crate::script::machine::guard::{self, Guard};
use crate::script::machine::{CallEnd, Hook, Machine, PhaseHook, Question, Returned, Trap, Values, guarded, replay};
use crate::state::layout::word;
use crate::state::{Layout, Position};

impl OpenCalls {
    /// Resets the phase: nobody has answered, and seats that are out of the game are done.
    pub fn begin_anew(&mut self) {
        self.set_all_done(self.start[word::OUT].cast_unsigned());
        self.spent = 0;
        for seat in self.calls_mut() {
            seat.changes.clear();
            seat.spent = 0;
            seat.asking = AskProgress::default();
            seat.question = None;
            seat.forced.clear();
            seat.suspended = None;
        }
    }

    /// A seat's question, and its choices; `None`: it has nothing to decide now.
    pub fn question<'a>(&'a self, runner: &'a Runner, seat: u8) -> Option<(Question, Cow<'a, [i32]>)> {
        if seat == self.asked.seat {
            return self.asked().map(|asked| (asked, runner.machine.choices().into()));
        }
        if !self.is_open(seat) {
            return None;
        }
        if let Some(one) = self.single() {
            return Some((Question { seat, ..self.asked }, one.together.choices_of(seat).into()));
        }
        let one = self.seat(seat);
        if runner.plan().has_asks() {
            let mut words = self.start.to_vec();
            one.changes.iter().for_each(|&(at, value)| words[at as usize] = value);
            return DeclaredQuestions::question(runner, &words, one, seat)
                .map(|(asked, choices)| (asked, choices.into()));
        }
        one.question.map(|asked| (asked, one.choices.as_slice().into()))
    }

    /// Marks the seats that `skip` passes over as done, in the position in which the phase begins.
    pub fn leave_out(&mut self, runner: &mut Runner) -> Result<(), MatchError> {
        let hook = Hook::Phase(runner.phase_index(), PhaseHook::Skip);
        if !runner.plan().has(PhaseHook::Skip) {
            return Ok(());
        }
        let before = runner.machine.traces().spent;
        for seat in 0..self.calls().len() as u8 {
            if !self.is_open(seat) {
                continue;
            }
            runner.machine.words_mut().copy_from_slice(&self.start);
            let args = [i32::from(seat) + 1];
            let skipped =
                runner.without_transcript(|runner| runner.in_seat(seat, |runner| runner.call_silent(hook, &args)));
            let skipped = skipped.map_err(|trap| {
                MatchError::from(
                    runner.in_seat(seat, |runner| runner.machine.explain(&trap, hook, &args, &self.start, &[])),
                )
            });
            self.set_done(seat, skipped? == Returned::Bool(true));
        }
        self.spent = runner.machine.traces().spent.saturating_sub(before);
        runner.machine.words_mut().copy_from_slice(&self.start);
        Ok(())
    }

    /// Runs the hooks of all seats except the first asked one to their first questions. So the order of answers does
    /// not affect whether a seat has a turn and what it sees of it. Transcript lines of a hook appear at its seat's
    /// own time.
    pub fn run_to_first_question(&mut self, runner: &mut Runner) -> Result<(), MatchError> {
        let Some(first) = self.first_open().filter(|_| runner.plan().runs_ahead) else { return Ok(()) };
        runner.without_transcript(|runner| {
            let mut outcome = Ok(());
            for seat in first + 1..self.calls().len() as u8 {
                if self.is_open(seat) {
                    outcome = outcome.and(self.run_ahead(runner, seat));
                }
            }
            outcome
        })
    }

    /// Runs the hook of a seat that has not answered yet, and takes its changes back until the seat's own time.
    fn run_ahead(&mut self, runner: &mut Runner, seat: u8) -> Result<(), MatchError> {
        if self.start_seat(runner, seat)? {
            self.set_aside(runner, seat);
            self.take_back(runner, seat);
        }
        self.set_done(seat, false);
        Ok(())
    }

    /// Runs the hooks of unfinished seats in order until one asks; merges the changes when none is left. Returns true
    /// if a seat is asked.
    pub fn run(&mut self, runner: &mut Runner) -> Result<bool, MatchError> {
        // A finished hook takes its changes back, so the state here is always that of the beginning.
        while let Some(seat) = self.first_open() {
            if self.start_seat(runner, seat)? {
                return Ok(true);
            }
        }
        self.merge(runner);
        self.note_changes(runner);
        Ok(false)
    }

    /// Makes the changes of all seats.
    fn merge(&self, runner: &mut Runner) {
        let mut position = runner.machine.desk().position();
        let places = position.layout.token_pile..position.layout.token_seen + position.layout.tokens.len();
        let first_pile = position.layout.counter_words.end;
        let mut moved = false;
        for seat in self.calls() {
            for &(at, value) in &seat.changes {
                position.words[at as usize] = value;
                moved |= places.contains(&(at as usize)) || at as usize >= first_pile;
            }
        }
        if moved {
            let changes = self.calls().iter().flat_map(|seat| &seat.changes);
            position.update_classes(&self.start, changes.map(|&(at, _)| at as usize));
        }
    }

    /// Records the changes of each seat for the histories.
    fn note_changes(&self, runner: &mut Runner) {
        if !runner.machine.traces().watching {
            return;
        }
        let (d, layout) = (runner.declarations(), runner.game.layout());
        let before = Position { layout, words: &self.start[..] };
        let after = Position { layout, words: runner.machine.words() };
        let tokens = layout.tokens.len();
        let of_seat = |one: &OpenCall| {
            let token = |at: usize| (at - layout.token_pile) % tokens;
            let words = one.changes.iter().map(|&(at, _)| at as usize);
            let mut changed: Vec<i32> = words
                .filter(|at| (layout.token_pile..layout.token_seen + tokens).contains(at))
                .map(|at| token(at) as i32 + 1)
                .collect();
            changed.sort_unstable();
            changed.dedup();
            let facts = differences(d, &before, &after, changed.into_iter());
            Fact::Together { facts, words: one.changes.clone() }
        };
        let notes: Vec<Note> =
            (0..).zip(self.calls()).map(|(seat, one)| Note { by: Some(seat), fact: of_seat(one) }).collect();
        runner.machine.traces_mut().notes.extend(notes);
    }

    /// Answers for the seat in focus. Returns true if a seat is asked.
    pub fn answer(&mut self, runner: &mut Runner, index: usize) -> Result<bool, MatchError> {
        let seat = self.asked.seat;
        let (said, before) = (runner.machine.traces().forced.len(), runner.machine.traces().spent);
        let call = &mut self.seat_mut(seat).call;
        if runner.plan().has_asks() {
            call.answers.push(index as u16);
            let asks = self.answer_ask(runner, seat, index);
            self.note_forced(runner, seat, said);
            return Ok(asks || self.run(runner)?);
        }
        let asks = if call.is_offer() {
            call.offered = Some(index as u16);
            self.take_offered(runner, seat, index)?
        } else {
            call.answers.push(index as u16);
            let ended = runner.in_seat(seat, |runner| runner.machine.resume(&[index as u16]));
            self.ended(runner, seat, ended)?
        };
        self.note_forced(runner, seat, said);
        let one = self.seat_mut(seat);
        one.spent = one.spent.saturating_add(runner.machine.traces().spent.saturating_sub(before));
        Ok(asks || self.run(runner)?)
    }

    /// Runs a seat's hook from the start through its answers. Returns true if it asks.
    pub fn run_seat(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        runner.machine.words_mut().copy_from_slice(&self.start);
        self.start_seat(runner, seat)
    }

    /// As [`run_seat`](Self::run_seat), in the state in which the phase began.
    fn start_seat(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        if runner.plan().has_asks() {
            return Ok(self.begin_asks(runner, seat));
        }
        if self.resume_suspended(runner, seat) {
            return Ok(true);
        }
        let before = runner.machine.traces().spent;
        let asks = self.begin_seat(runner, seat)?;
        self.seat_mut(seat).spent = runner.machine.traces().spent.saturating_sub(before);
        Ok(asks)
    }

    fn begin_seat(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        let said = runner.machine.traces().forced.len();
        self.seat_mut(seat).forced.clear();
        runner.machine.forget_written();
        // There are answers only if the seat was in focus before.
        let answered = self.seat(seat).call.answered();
        let turn = Hook::Phase(runner.phase_index(), PhaseHook::Turn);
        let asks = if runner.plan().has(PhaseHook::Turn) {
            let call = &mut self.seat_mut(seat).call;
            (call.hook, call.args) = (turn, Args::player(i32::from(seat) + 1));
            self.replay(runner, seat)?
        } else {
            self.begin_offer(runner, seat)?
        };
        self.note_forced(runner, seat, said);
        if asks && answered > 0 {
            self.set_aside(runner, seat);
        }
        Ok(asks)
    }

    /// Repeats a seat's call with its answers. Returns true if it asks.
    fn replay(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        let Call { hook, args, answers, .. } = &self.seat(seat).call;
        let mut rest = answers.as_slice();
        let ended = runner.in_seat(seat, |runner| {
            replay(runner, *hook, args.list(), |runner, given| runner.machine.traces().take_answers(&mut rest, given))
        });
        self.ended(runner, seat, ended)
    }

    /// Replays a seat's answer to an offer. Returns true if the seat is asked.
    fn begin_offer(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        let Some(prompt) = runner.plan().prompt else {
            return self.collect(runner, seat).map(|()| false);
        };
        let asked = Question { seat, prompt, values: self.list_offer(runner, seat, prompt)? };
        if runner.machine.choices().is_empty() {
            runner.log_stuck(runner.phase_index(), i32::from(seat) + 1);
            self.collect(runner, seat)?;
            return Ok(false);
        }
        if let Some(only) = runner.take_single(asked) {
            return self.act(runner, seat, only);
        }
        if let Some(index) = self.seat(seat).call.offered {
            return self.take_offered(runner, seat, usize::from(index));
        }
        self.asked = asked;
        Ok(true)
    }

    /// Lists a seat's choices; returns the values of its question.
    fn list_offer(&mut self, runner: &mut Runner, seat: u8, prompt: usize) -> Result<Values, MatchError> {
        let hook = Hook::Phase(runner.phase_index(), PhaseHook::Act);
        let OpenCall { call, question, choices, .. } = self.seat_mut(seat);
        // The offer was listed when the phase began, in the same position.
        if let Some(asked) = question.filter(|_| call.is_offer() && call.offered.is_none()) {
            runner.machine.set_choices(choices);
            return Ok(asked.values);
        }
        *question = None;
        (call.hook, call.args) = (hook, Args::player(i32::from(seat) + 1));
        let listed = runner.in_seat(seat, |runner| runner.list_offer(seat, prompt));
        listed.map_err(|trap| self.explain(runner, seat, &trap))
    }

    /// Applies the listed choice with this index. Returns true if the seat is asked again.
    fn take_offered(&mut self, runner: &mut Runner, seat: u8, index: usize) -> Result<bool, MatchError> {
        let list = runner.machine.choices();
        let choice = *list.get(index).ok_or(MatchError::BadChoice { index, count: list.len() })?;
        self.act(runner, seat, choice)
    }

    /// Applies a seat's choice of an offer, and answers the questions that follow. Returns true if it asks again.
    fn act(&mut self, runner: &mut Runner, seat: u8, choice: i32) -> Result<bool, MatchError> {
        let args = Args::act(i32::from(seat) + 1, choice);
        let call = &mut self.seat_mut(seat).call;
        call.args = args;
        let hook = call.hook;
        if !runner.asks(hook) {
            runner.machine.set_choices(&[]);
            let (said, spent) = (runner.machine.traces().transcript_len(), runner.machine.traces().spent);
            match runner.in_seat(seat, |runner| runner.machine.call(hook, args.list()).map(CallEnd::Done)) {
                Err(trap @ (Trap::Asks | Trap::Unfinished)) => {
                    if trap == Trap::Asks {
                        runner.remember_asks(hook);
                    }
                    // Forgets the aborted hook.
                    runner.machine.traces_mut().truncate_transcript(said);
                    runner.machine.traces_mut().spent = spent;
                    runner.machine.words_mut().copy_from_slice(&self.start);
                }
                ended => return self.ended(runner, seat, ended),
            }
        }
        self.replay(runner, seat)
    }

    /// Resumes a seat's hook where it is suspended. Returns false if the hook must run again: it is not suspended, or
    /// its transcript is wanted.
    fn resume_suspended(&mut self, runner: &mut Runner, seat: u8) -> bool {
        let one = self.seat_mut(seat);
        let suspended =
            one.suspended.take().filter(|suspended| suspended.fits(runner.renewals, &one.call) && !runner.logging());
        let (Some(Suspended { spent, .. }), Some(asked)) = (suspended, one.question) else { return false };
        self.redo_changes(runner, seat);
        let one = self.seat(seat);
        runner.machine.set_choices(&one.choices);
        let traces = runner.machine.traces_mut();
        traces.question = Some(asked);
        traces.spent_asking = spent;
        // The same steps as a second run, which happens if the transcript is on.
        traces.spent = traces.spent.saturating_add(spent);
        traces.forced.extend_from_slice(&one.forced);
        self.asked = asked;
        true
    }

    /// Repeats the changes that a seat's hook has made in the state in which the phase began.
    pub fn redo_changes(&self, runner: &mut Runner, seat: u8) {
        let changes = &self.seat(seat).changes;
        runner.machine.forget_written();
        if changes.is_empty() && !runner.has_current {
            return;
        }
        let words = runner.machine.words_mut();
        changes.iter().for_each(|&(at, value)| words[at as usize] = value);
        runner.machine.mark_written(&mut changes.iter().map(|&(at, _)| at as usize));
        runner.mark_stale();
        runner.refresh();
    }

    /// Records the single choices that were taken without asking the seat.
    pub fn note_forced(&mut self, runner: &Runner, seat: u8, since: usize) {
        let forced = &runner.machine.traces().forced;
        if since < forced.len() {
            self.seat_mut(seat).forced.extend_from_slice(&forced[since..]);
        }
    }

    /// Handles the end or the question of a seat's hook. Returns true if it asks.
    pub fn ended(&mut self, runner: &mut Runner, seat: u8, ended: Result<CallEnd, Trap>) -> Result<bool, MatchError> {
        match ended {
            Ok(CallEnd::Asks) => {
                let asked = runner.asked();
                match runner.check_questions(self.seat(seat).call.answers.len()) {
                    Ok(()) => {
                        self.asked = asked;
                        Ok(true)
                    }
                    Err(trap) => Err(self.explain(runner, seat, &trap)),
                }
            }
            Ok(CallEnd::Done(_)) => {
                self.collect(runner, seat)?;
                Ok(false)
            }
            Err(trap) => Err(self.explain(runner, seat, &trap)),
        }
    }

    fn fault(&self, runner: &mut Runner, seat: u8, message: String) -> MatchError {
        self.explain(runner, seat, &Trap::Raised(message))
    }

    /// Explains a failure of a seat's hook.
    pub fn explain(&self, runner: &mut Runner, seat: u8, trap: &Trap) -> MatchError {
        if *trap == Trap::Unfinished {
            return runner.repeat();
        }
        let player = i32::from(seat) + 1;
        let Call { hook, args, answers, .. } = &self.seat(seat).call;
        let offer = Hook::Phase(runner.phase_index(), PhaseHook::Offer);
        let hook = if self.seat(seat).call.is_offer() { offer } else { *hook };
        let own = Guard::Own { player, owners: runner.owners().to_vec() };
        let explain = |runner: &mut Runner| runner.machine.explain(trap, hook, args.list(), &self.start, answers);
        runner.in_seat(seat, |runner| guarded(runner, own, explain)).into()
    }

    /// Records the changes and the question of the seat in focus, before the focus moves.
    fn set_aside(&mut self, runner: &Runner, seat: u8) {
        if runner.plan().has_asks() {
            return; // Declared questions are recorded when answered and need no script.
        }
        self.note(runner, seat);
        let asked = self.asked;
        let one = self.seat_mut(seat);
        one.question = Some(asked);
        one.choices.clear();
        one.choices.extend_from_slice(runner.machine.choices());
        // An offer has no suspended hook.
        let spent = if one.call.is_offer() { 0 } else { runner.machine.traces().spent_asking };
        one.suspended = Some(Suspended::after(&one.call, spent, runner.renewals));
    }

    /// Records the words that a seat's hook has changed so far; no other hook has run since it began.
    fn note(&mut self, runner: &Runner, seat: u8) {
        if self.seat(seat).call.is_offer() {
            // Hooks that list an offer change nothing.
            return self.seat_mut(seat).changes.clear();
        }
        let mut changes = std::mem::take(&mut self.seat_mut(seat).changes);
        self.written(runner, &mut changes);
        self.seat_mut(seat).changes = changes;
    }

    /// Lists the words that the running hook of a seat has changed, with their values.
    pub fn written(&self, runner: &Runner, changes: &mut Vec<(u32, i32)>) {
        let layout = runner.game.layout();
        let has_derived = layout.reactions.are_used();
        changes.clear();
        runner.machine.each_changed(&self.start, &mut |at, value| {
            if !(has_derived && layout.is_derived(at as usize)) {
                changes.push((at, value));
            }
        });
    }

    /// Undoes a seat's changes.
    pub fn take_back(&self, runner: &mut Runner, seat: u8) {
        let changes = &self.seat(seat).changes;
        if changes.is_empty() && !runner.has_current {
            return;
        }
        let words = runner.machine.words_mut();
        for &(at, _) in changes {
            words[at as usize] = self.start[at as usize];
        }
        runner.mark_stale();
        runner.refresh();
    }

    /// Records the changes of a seat's finished hook, after checking that they are allowed.
    pub fn collect(&mut self, runner: &mut Runner, seat: u8) -> Result<(), MatchError> {
        self.note(runner, seat);
        self.take_back(runner, seat);
        self.set_done(seat, true);
        self.seat_mut(seat).question = None;
        runner.owners();
        let (layout, player) = (runner.game.layout(), i32::from(seat) + 1);
        let is_own = |at: usize| {
            i32::from(runner.owners[at]) == player || self.holder_of_token(layout, at).is_some_and(|of| of == player)
        };
        match self.seat(seat).changes.iter().find(|&&(at, _)| !is_own(at as usize)) {
            None => Ok(()),
            Some(&(at, _)) => {
                self.set_done(seat, false);
                let what = guard::name_of(runner.declarations(), runner.game.layout(), at as usize);
                Err(self.fault(runner, seat, guard::foreign(&what)))
            }
        }
    }

    /// The player in whose zone a token was when the phase began, or whose set it belongs to; `None`: the word says
    /// nothing of a token's place.
    fn holder_of_token(&self, layout: &Layout, at: usize) -> Option<i32> {
        let is_of = |first: &usize| (*first..first + layout.tokens.len()).contains(&at);
        let token = at - [layout.token_pile, layout.token_seen].iter().find(|first| is_of(first))?;
        let pile = usize::try_from(self.start[layout.token_pile + token] - 1);
        Some(pile.map_or(layout.tokens[token].owner, |pile| layout.piles[pile].holder))
    }

    /// Moves the focus to another seat that has a decision; otherwise the focus stays.
    pub fn move_focus(&mut self, runner: &mut Runner, seat: u8) -> Result<(), MatchError> {
        let now = self.asked.seat;
        if now == seat {
            return Ok(());
        }
        if !self.is_open(seat) || (!runner.plan().has_asks() && self.seat(seat).question.is_none()) {
            return Err(MatchError::NotPending { seat });
        }
        // The seat keeps seeing its own changes.
        self.set_aside(runner, now);
        let focused = self.focus(runner, seat);
        if focused.is_err() {
            // The other seat's hook ended without a question, or failed: resume the former one.
            runner.replace_undecided()?;
            self.focus(runner, now)?;
        }
        focused
    }

    /// Moves the focus to an open seat.
    pub fn focus(&mut self, runner: &mut Runner, seat: u8) -> Result<(), MatchError> {
        let asks = runner.without_transcript(|runner| self.run_seat(runner, seat))?;
        if asks { Ok(()) } else { Err(MatchError::NotPending { seat }) }
    }

    /// Restores the phase from its start state, its answers and the finished seats (`done`, bits); everything else is
    /// derived.
    pub fn reopen(&mut self, runner: &mut Runner, done: u32) -> Result<(), MatchError> {
        self.begin_anew();
        self.leave_out(runner)?;
        let runs_ahead = runner.plan().runs_ahead;
        runner.without_transcript(|runner| {
            let mut outcome = Ok(());
            for seat in 0..self.calls().len() as u8 {
                if !self.is_open(seat) {
                    continue; // Out of the game.
                }
                let ran = self.seat(seat).call.answered() > 0 || done >> seat & 1 != 0;
                let next = if ran {
                    self.run_seat(runner, seat).map(|_| ())
                } else if runs_ahead {
                    runner.machine.words_mut().copy_from_slice(&self.start);
                    self.run_ahead(runner, seat)
                } else {
                    Ok(())
                };
                outcome = outcome.and(next);
            }
            outcome
        })
    }
}

impl Runner {
    /// A simultaneous phase that begins in the present state.
    pub fn open_simultaneous(&mut self) -> Box<OpenCalls> {
        let mut open = self.over();
        open.begin_simultaneous(self.setup.players, self.spare.next_number());
        open.begin_anew();
        open
    }

    /// The owner of each word.
    fn owners(&mut self) -> &[u8] {
        if self.owners.is_empty() {
            self.owners = guard::owners(self.declarations(), self.game.layout());
        }
        &self.owners
    }

    /// Runs a hook for one seat of a simultaneous phase.
    pub fn in_seat<T>(&mut self, seat: u8, call: impl FnOnce(&mut Self) -> T) -> T {
        self.machine.grants_mut().seat = Some(seat);
        self.machine.traces_mut().seat = Some(seat);
        let out = call(self);
        self.machine.grants_mut().seat = None;
        self.machine.traces_mut().seat = None;
        out
    }
}
