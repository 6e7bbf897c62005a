//! The order of play: rounds, phases, turns. The current stage is in the state's flow words, so it is forked and
//! hashed with the rest.

use crate::flow::MatchError;
use crate::flow::call::Args;
use crate::flow::open::OpenCalls;
use crate::flow::runner::{HookRun, Runner, Stop};
use crate::flow::scores::check_final;
use crate::flow::shared_block::SharedBlock;
use crate::script::machine::fact::Fact;
use crate::script::machine::{Hook, Machine, PhaseHook, Question, Returned, Trap};
use crate::state::Position;
use crate::state::layout::{MAX_PLAYERS, flag, reason, stage as at, word};
use motherlode_content::declare::Turns;
use motherlode_content::hidden::clipped;

impl Runner {
    /// Runs hooks until a player must decide or the match is over.
    pub fn advance(&mut self) -> Result<Box<OpenCalls>, Stop> {
        let before = self.machine.traces().spent;
        for _ in 0..self.machine.grants().limits.hooks {
            // A run of hooks without a decision has a budget, too; otherwise many short hooks could run forever.
            if self.machine.traces().spent.saturating_sub(before) / 8 > self.machine.grants().limits.steps {
                break;
            }
            if self.game.is_halted() {
                return Err(MatchError::Halted.into());
            }
            let phase = self.phase_index();
            let (hook, args) = match self.word(word::STAGE) {
                at::SETUP if self.declarations().phases.is_empty() => {
                    self.set_word(word::STAGE, at::END);
                    (Hook::Setup, Args::NONE)
                }
                at::SETUP => (Hook::Setup, Args::NONE),
                at::ENTER => (Hook::Phase(phase, PhaseHook::Applies), Args::NONE),
                at::START => {
                    self.machine.traces_mut().note(|| Fact::Phase(phase));
                    (Hook::Phase(phase, PhaseHook::Start), Args::NONE)
                }
                at::ORDER => match self.plans.phase(phase).turns {
                    Turns::None => (Hook::Phase(phase, PhaseHook::Run), Args::NONE),
                    Turns::Sealed => {
                        if let Some(open) = self.begin_simultaneous()? {
                            return Ok(open);
                        }
                        self.leave_turns();
                        continue;
                    }
                    Turns::Once | Turns::Passes | Turns::Around | Turns::Priority => {
                        (Hook::Phase(phase, PhaseHook::Order), Args::NONE)
                    }
                },
                at::NEXT => {
                    self.next_turn(phase);
                    continue;
                }
                at::SKIP => (Hook::Phase(phase, PhaseHook::Skip), Args::player(self.player_on_turn())),
                at::BEGIN_TURN => (Hook::Phase(phase, PhaseHook::BeginTurn), Args::player(self.player_on_turn())),
                at::END_TURN => (Hook::Phase(phase, PhaseHook::EndTurn), Args::player(self.player_on_turn())),
                at::TURN => {
                    let player = self.player_on_turn();
                    let plan = self.plans.phase(phase);
                    if plan.has(PhaseHook::Offer) || plan.offer.is_some() {
                        if let Some(open) = self.offer(phase, player)? {
                            return Ok(open);
                        }
                        continue;
                    }
                    (Hook::Phase(phase, PhaseHook::Turn), Args::player(player))
                }
                at::RESOLVE => (Hook::Phase(phase, PhaseHook::Resolve), Args::token(self.top_of_stack(phase))),
                at::FINISH => (Hook::Phase(phase, PhaseHook::Finish), Args::NONE),
                at::END => (Hook::Finish, Args::NONE),
                _ => return Ok(self.over()),
            };
            if !self.has(hook) {
                // No hook ran, so there are no end requests and no displays to refill.
                self.step_on(hook, Returned::Nil)?;
                continue;
            }
            match self.invoke(hook, args, None)? {
                HookRun::Done(ret) => self.after(hook, ret)?,
                HookRun::Asks(open) => return Ok(open),
            }
        }
        let phase = self.phase_index();
        let declared = self.declarations().phases.get_index(phase);
        let name = declared.map_or("", |(name, _)| name.as_str());
        let why = if declared.is_some_and(|(_, phase)| phase.stack.is_some()) {
            "does `resolve` leave its token on the stack, or does an ability trigger itself?"
        } else {
            "does it ever end?"
        };
        let message = format!("too many hooks ran in phase `{name}` without a decision: {why}");
        Err(MatchError::Endless { message, phase: Some(phase) }.into())
    }

    /// Continues after a hook, and does what it requested.
    pub fn after(&mut self, hook: Hook, ret: Returned) -> Result<(), Stop> {
        // A game that has ended must not continue: that could end the round or change the reason.
        if self.word(word::FLAGS) & flag::END_GAME == 0 || self.word(word::STAGE) >= at::END {
            self.step_on(hook, ret)?;
        }
        self.refill();
        self.apply_end_requests();
        Ok(())
    }

    fn step_on(&mut self, hook: Hook, ret: Returned) -> Result<(), Stop> {
        match hook {
            Hook::Setup => {
                if self.word(word::STAGE) == at::SETUP {
                    self.set_word(word::SECTION, 0);
                    self.enter_phase(0)?;
                }
            }
            Hook::Finish => {
                check_final(&self.game, self.machine.words())?;
                self.set_word(word::STAGE, at::OVER);
            }
            Hook::Redeal => {}
            Hook::Phase(phase, which) => match which {
                PhaseHook::Applies => {
                    if ret == Returned::Bool(false) {
                        self.enter_phase(phase + 1)?;
                    } else {
                        self.set_word(word::STAGE, at::START);
                    }
                }
                PhaseHook::Start => {
                    if let Some(mut counts) = self.game.counts() {
                        counts.phases.insert(phase);
                    }
                    self.set_word(word::PASSED, 0);
                    self.set_word(word::TURN, 0);
                    self.set_word(word::IDLE, 0);
                    self.set_turns(phase, None);
                    self.set_word(word::STAGE, at::ORDER);
                }
                PhaseHook::Run => self.set_word(word::STAGE, at::FINISH),
                PhaseHook::Order => {
                    self.take_order(phase, ret)?;
                    self.set_word(word::STAGE, at::NEXT);
                }
                PhaseHook::Skip => {
                    if ret == Returned::Bool(true) {
                        self.pass_over();
                    } else {
                        self.begin_turn(phase);
                    }
                }
                PhaseHook::BeginTurn => self.set_word(word::STAGE, at::TURN),
                PhaseHook::Turn | PhaseHook::Act => self.end_turn(phase, false),
                PhaseHook::EndTurn => self.pass_turn_on(),
                PhaseHook::Resolve => self.give_priority(phase),
                PhaseHook::Finish => {
                    let times = self.word(word::TIMES) + 1;
                    if times < self.plans.phase(phase).times {
                        self.set_word(word::TIMES, times);
                        self.set_word(word::STAGE, at::START);
                    } else {
                        self.enter_phase(phase + 1)?;
                    }
                }
                PhaseHook::Offer => {}
            },
        }
        Ok(())
    }

    /// Applies the end requests of the hook.
    fn apply_end_requests(&mut self) {
        let flags = self.word(word::FLAGS);
        if flags & flag::END_GAME != 0 {
            self.set_word(word::FLAGS, flags & !flag::END_GAME & !flag::END_PHASE);
            if self.word(word::STAGE) < at::END {
                if self.word(word::REASON) == reason::NONE {
                    self.set_word(word::REASON, reason::SCRIPT);
                }
                self.record_scores();
                self.set_word(word::STAGE, at::END);
            }
        } else if flags & flag::END_PHASE != 0 && self.word(word::STAGE) != at::END_TURN {
            self.set_word(word::FLAGS, flags & !flag::END_PHASE);
            if (at::ORDER..at::FINISH).contains(&self.word(word::STAGE)) {
                self.set_word(word::STAGE, at::FINISH);
            }
        }
    }

    /// Performs a choice (its index and raw value) of the open offer, and continues.
    pub fn act(&mut self, offer: &OpenCalls, index: usize, choice: i32) -> Result<Box<OpenCalls>, Stop> {
        let player = i32::from(offer.asked.seat) + 1;
        let mut open = match self.act_alone(player, choice, Some(&offer.start))? {
            None => return self.advance(),
            Some(open) => open,
        };
        if let Some(one) = open.single_mut() {
            one.call.offered = Some(index as u16);
        }
        Ok(open)
    }

    /// Performs a choice of an offer; returns the call if it asks. `start`: as for [`invoke`](Self::invoke).
    fn act_alone(
        &mut self,
        player: i32,
        choice: i32,
        start: Option<&SharedBlock>,
    ) -> Result<Option<Box<OpenCalls>>, Stop> {
        let hook = Hook::Phase(self.phase_index(), PhaseHook::Act);
        match self.invoke(hook, Args::act(player, choice), start)? {
            HookRun::Asks(open) => Ok(Some(open)),
            HookRun::Done(ret) => {
                self.after(hook, ret)?;
                Ok(None)
            }
        }
    }

    /// Lists the choices of a turn. `None`: there are none, or the only one was taken without asking.
    fn offer(&mut self, phase: usize, player: i32) -> Result<Option<Box<OpenCalls>>, Stop> {
        let Some(prompt) = self.plans.phase(phase).prompt else { return Ok(None) };
        let (hook, seat) = (Hook::Phase(phase, PhaseHook::Offer), player as u8 - 1);
        let values = self.plainly(hook, Args::player(player), |runner| runner.list_offer(seat, prompt))?;
        if self.machine.choices().is_empty() {
            self.log_stuck(phase, player);
            if matches!(self.plans.phase(phase).turns, Turns::Passes | Turns::Priority) {
                let passed = self.word(word::PASSED) | 1 << (player - 1);
                self.set_word(word::PASSED, passed);
            }
            self.end_turn(phase, true);
            return Ok(None);
        }
        let asked = Question { seat, prompt, values };
        if let Some(only) = self.take_single(asked) {
            return self.act_alone(player, only, None);
        }
        let mut open = self.over();
        open.begin(Hook::Phase(phase, PhaseHook::Act), Args::player(player));
        open.asked = asked;
        Ok(Some(open))
    }

    /// Begins a simultaneous phase. `None`: nobody is asked.
    fn begin_simultaneous(&mut self) -> Result<Option<Box<OpenCalls>>, MatchError> {
        let said = self.machine.traces().transcript_len();
        let mut open = self.open_simultaneous();
        open.said = said;
        open.leave_out(self)?;
        open.run_to_first_question(self)?;
        if open.run(self)? {
            return Ok(Some(open));
        }
        self.spare.keep(open);
        Ok(None)
    }

    fn player_on_turn(&self) -> i32 {
        let turn = self.word(word::TURN).max(0) as usize;
        self.word(word::ORDER + turn.min(MAX_PLAYERS - 1))
    }

    /// Moves to the next player who may act, or ends the turns.
    fn next_turn(&mut self, phase: usize) {
        let plan = self.plans.phase(phase);
        let (turns, skips) = (plan.turns, plan.has(PhaseHook::Skip));
        let first = self.first_stage_of_turn(phase);
        let at_limit = self.is_at_limit(phase);
        let words = self.machine.words_mut();
        let len = words[word::ORDER_LEN].max(0) as usize;
        let from = words[word::TURN].max(0) as usize;
        let passes = matches!(turns, Turns::Passes | Turns::Priority);
        let gone = words[word::OUT] | if passes { words[word::PASSED] } else { 0 };
        let may = |i: &usize| gone >> (words[word::ORDER + i] - 1) & 1 == 0;
        let found = if turns == Turns::Once {
            (from..len).find(may)
        } else if at_limit || words[word::IDLE] >= len as i32 && turns == Turns::Around {
            None
        } else {
            // Avoids a division in most cases.
            let from = if from < len { from } else { from.checked_rem(len).unwrap_or(0) };
            (from..len).chain(0..from).find(may)
        };
        match found {
            Some(i) => {
                words[word::TURN] = i as i32;
                words[word::STAGE] = if skips { at::SKIP } else { first };
                if !skips {
                    self.note_turn(phase);
                }
            }
            None => {
                let has_stack = turns == Turns::Priority && self.top_of_stack(phase) > 0;
                self.set_word(word::STAGE, if has_stack { at::RESOLVE } else { at::FINISH });
            }
        }
    }

    /// The top token of the phase's stack; 0: none.
    fn top_of_stack(&self, phase: usize) -> i32 {
        let position = Position::new(self.game.layout(), self.machine.words());
        self.plans.phase(phase).stack.and_then(|pile| position.tokens(pile).last().copied()).unwrap_or(0)
    }

    /// After the top of the stack has resolved, the first player has priority.
    fn give_priority(&mut self, phase: usize) {
        let first = self.plans.phase(phase).first.map_or(0, |at| self.word(at));
        let words = self.machine.words_mut();
        let len = words[word::ORDER_LEN].max(0) as usize;
        words[word::PASSED] = 0;
        words[word::TURN] = (0..len).position(|at| words[word::ORDER + at] == first).unwrap_or(0) as i32;
        words[word::STAGE] = at::NEXT;
    }

    fn first_stage_of_turn(&self, phase: usize) -> i32 {
        if self.plans.phase(phase).has(PhaseHook::BeginTurn) { at::BEGIN_TURN } else { at::TURN }
    }

    fn begin_turn(&mut self, phase: usize) {
        let first = self.first_stage_of_turn(phase);
        self.set_word(word::STAGE, first);
        self.note_turn(phase);
    }

    fn is_at_limit(&self, phase: usize) -> bool {
        self.plans.phase(phase).limit.is_some_and(|limit| self.word(limit.word) >= limit.most)
    }

    /// Adds turns to the counter of a phase; `None`: begins to count.
    fn set_turns(&mut self, phase: usize, more: Option<i32>) {
        let Some(limit) = self.plans.phase(phase).limit else { return };
        let turns = more.map_or_else(
            || self.declarations().counters[limit.counter].starts_at(&self.setup.options),
            |more| self.word(limit.word).saturating_add(more).min(limit.most),
        );
        self.set_word(limit.word, turns);
        self.mark_stale();
    }

    fn note_turn(&mut self, phase: usize) {
        self.set_turns(phase, Some(1));
        let player = self.player_on_turn();
        self.machine.traces_mut().note(|| Fact::Turn(player));
    }

    /// Ends a turn that has begun.
    fn end_turn(&mut self, phase: usize, idle: bool) {
        let player = self.player_on_turn();
        let plan = self.plans.phase(phase);
        let (keeps_priority, has_end) = (plan.turns == Turns::Priority, plan.has(PhaseHook::EndTurn));
        let words = self.machine.words_mut();
        words[word::IDLE] = if idle { words[word::IDLE] + 1 } else { 0 };
        if keeps_priority && words[word::PASSED] >> (player - 1) & 1 == 0 {
            // Who acts holds priority, and everybody must pass again.
            words[word::PASSED] = 0;
            words[word::STAGE] = at::NEXT;
            return;
        }
        if has_end {
            self.set_word(word::STAGE, at::END_TURN);
        } else {
            self.pass_turn_on();
        }
    }

    /// Passes over a turn that is skipped.
    fn pass_over(&mut self) {
        self.machine.words_mut()[word::IDLE] += 1;
        self.pass_turn_on();
    }

    fn pass_turn_on(&mut self) {
        let words = self.machine.words_mut();
        words[word::TURN] += 1;
        words[word::STAGE] = at::NEXT;
    }

    /// Ends the turns when the seats of a simultaneous phase are done.
    pub fn leave_turns(&mut self) {
        self.mark_stale();
        self.set_word(word::STAGE, at::FINISH);
        self.refill();
    }

    /// Writes the turn order: the result of `order`, or clockwise from the phase's first player.
    fn take_order(&mut self, phase: usize, ret: Returned) -> Result<(), Stop> {
        let players = self.word(word::PLAYERS);
        match ret {
            Returned::List => return self.take_listed_order(phase, players),
            Returned::Nil if !self.has(Hook::Phase(phase, PhaseHook::Order)) => {}
            _ => {
                let hook = Hook::Phase(phase, PhaseHook::Order);
                let found = if ret == Returned::Nil { "nothing" } else { "something else" };
                let trap = Trap::Raised(format!(
                    "`order` returned {found}: return a list of players, such as `players()`, or remove the hook"
                ));
                return Err(self.fault(&trap, hook, &[]).into());
            }
        }
        let first = self.plans.phase(phase).first.map_or(1, |at| self.word(at)).clamp(1, players);
        let mut order = [0; MAX_PLAYERS];
        for (player, place) in (first - 1..).zip(&mut order[..players as usize]) {
            *place = player % players + 1;
        }
        self.write_order(&order[..players as usize]);
        Ok(())
    }

    /// Writes the turn order that `order` has returned.
    fn take_listed_order(&mut self, phase: usize, players: i32) -> Result<(), Stop> {
        let list = std::mem::take(&mut self.machine.traces_mut().list);
        let fits =
            list.iter().all(|p| (1..=players).contains(p)) && (1..list.len()).all(|i| !list[..i].contains(&list[i]));
        if !fits {
            let hook = Hook::Phase(phase, PhaseHook::Order);
            let trap = Trap::Raised(clipped(format!(
                "`order` returned {list:?}: expected players from 1 to {players}, each once"
            )));
            return Err(self.fault(&trap, hook, &[]).into());
        }
        self.write_order(&list);
        self.machine.traces_mut().list = list;
        Ok(())
    }

    fn write_order(&mut self, list: &[i32]) {
        let begin = self.word(word::BEGIN);
        let words = self.machine.words_mut();
        words[word::ORDER..word::END].fill(0);
        words[word::ORDER..word::ORDER + list.len()].copy_from_slice(list);
        words[word::ORDER_LEN] = list.len() as i32;
        words[word::TURN] = list.iter().position(|&p| p == begin).unwrap_or(0) as i32;
        words[word::BEGIN] = 0;
    }

    /// Enters the first phase of this section at or after `from`, or the next section.
    fn enter_phase(&mut self, from: usize) -> Result<(), MatchError> {
        self.record_scores();
        let mut from = from;
        loop {
            let section = self.word(word::SECTION).clamp(0, 2) as usize;
            if let Some(phase) = self.plans.next(section, from) {
                let applies = self.plans.phase(phase).has(PhaseHook::Applies);
                self.set_word(word::PHASE, phase as i32);
                self.set_word(word::TIMES, 0);
                self.set_word(word::STAGE, if applies { at::ENTER } else { at::START });
                return Ok(());
            }
            from = 0;
            match section {
                0 if self.plans.next(1, 0).is_some() => {
                    self.set_word(word::SECTION, 1);
                    self.begin_round(1);
                }
                0 => self.set_word(word::SECTION, 2),
                1 => self.end_round()?,
                _ => {
                    if self.word(word::REASON) == reason::NONE {
                        self.set_word(word::REASON, reason::PHASES);
                    }
                    self.set_word(word::STAGE, at::END);
                    return Ok(());
                }
            }
        }
    }

    fn end_round(&mut self) -> Result<(), MatchError> {
        let round = self.word(word::ROUND);
        if self.word(word::FLAGS) & flag::END_AFTER_ROUND != 0 {
            if self.word(word::REASON) == reason::NONE {
                self.set_word(word::REASON, reason::AFTER_ROUND);
            }
            self.set_word(word::SECTION, 2);
        } else if self.last_round.is_some_and(|last| round >= last) {
            if self.word(word::REASON) == reason::NONE {
                self.set_word(word::REASON, reason::ROUNDS);
            }
            self.set_word(word::SECTION, 2);
        } else if round >= self.machine.grants().limits.rounds {
            let message = format!("the match did not end within {round} rounds");
            return Err(MatchError::Endless { message, phase: None });
        } else {
            self.begin_round(round + 1);
        }
        Ok(())
    }

    fn begin_round(&mut self, round: i32) {
        self.set_word(word::ROUND, round);
        self.machine.traces_mut().note(|| Fact::Round(round));
    }
}
