//! Declared questions of simultaneous phases: the engine lists and answers them without a script.

use crate::flow::open::{AskProgress, OpenCall, OpenCalls};
use crate::flow::plan::{AskPlan, AskedChoices};
use crate::flow::runner::Runner;
use crate::script::machine::choices::MAX_CHOICES;
use crate::script::machine::choosable::Choosable;
use crate::script::machine::{Desk, Machine, Question, Traces, Values};
use crate::state::layout::word;

impl OpenCalls {
    /// Replays a seat's answers through its declared questions. Returns true if the seat is asked.
    pub(super) fn begin_asks(&mut self, runner: &mut Runner, seat: u8) -> bool {
        let said = runner.machine.traces().forced.len();
        let one = self.seat_mut(seat);
        one.forced.clear();
        one.changes.clear();
        one.spent = 0;
        one.asking = AskProgress::default();
        let prompt = DeclaredQuestions::of(runner, one, seat).go_through(0);
        let asks = self.move_to(runner, seat, prompt);
        self.note_forced(runner, seat, said);
        asks
    }

    /// Answers the current question. Returns true if the seat is asked another one.
    pub(super) fn answer_ask(&mut self, runner: &mut Runner, seat: u8, index: usize) -> bool {
        let one = self.seat_mut(seat);
        let answered = one.call.answers.len();
        let mut asks = DeclaredQuestions::of(runner, one, seat);
        asks.take(index);
        let prompt = asks.go_through(answered);
        self.move_to(runner, seat, prompt)
    }

    fn move_to(&mut self, runner: &mut Runner, seat: u8, prompt: Option<usize>) -> bool {
        if let Some(prompt) = prompt {
            self.asked = Question { seat, prompt, values: Values::NONE };
            return true;
        }
        // The next seat needs the position in which the phase began.
        self.set_done(seat, true);
        self.take_back(runner, seat);
        false
    }
}

/// The declared questions of one seat, with the state that they read and write.
pub(super) struct DeclaredQuestions<'a> {
    asks: &'a [AskPlan],
    choosable: &'a Choosable,
    words: &'a mut [i32],
    /// The choice buffer: the number of choices, then the choices.
    room: &'a mut [i32],
    one: &'a mut OpenCall,
    /// Records questions with a single choice; `None` in a dry run.
    traces: Option<&'a mut Traces>,
    seat: u8,
    players: u8,
    /// Maximum answers to a question that may be asked again.
    most: usize,
}

impl<'a> DeclaredQuestions<'a> {
    #[inline]
    fn of(runner: &'a mut Runner, one: &'a mut OpenCall, seat: u8) -> Self {
        let phase = runner.phase_index();
        let Runner { game, machine, setup, plans, .. } = runner;
        let Desk { words, choices: room, traces, grants, .. } = machine.desk();
        Self {
            asks: &plans.phase(phase).asks,
            choosable: game.choosable(),
            words,
            room,
            one,
            traces: Some(traces),
            seat,
            players: setup.players,
            most: grants.limits.choices,
        }
    }

    /// The question to a seat in this state, and its choices. Changes nothing.
    pub(super) fn question(runner: &Runner, words: &[i32], one: &OpenCall, seat: u8) -> Option<(Question, Vec<i32>)> {
        let mut room = vec![0; MAX_CHOICES + 1];
        let prompt = DeclaredQuestions {
            asks: &runner.plan().asks,
            choosable: runner.game.choosable(),
            words: &mut words.to_vec(),
            room: &mut room,
            one: &mut one.clone(),
            traces: None,
            seat,
            players: runner.setup.players,
            most: runner.machine.grants().limits.choices,
        }
        .go_through(one.call.answers.len())?;
        let choices = room[1..=room[0] as usize].to_vec();
        Some((Question { seat, prompt, values: Values::NONE }, choices))
    }

    /// Continues through the questions, using the seat's answers from number `next` on. Skips a question without
    /// choices. Takes a single choice without asking, unless the prompt forbids that. Returns the prompt that needs
    /// an answer; `None`: the seat is done.
    fn go_through(&mut self, mut next: usize) -> Option<usize> {
        while let Some(prompt) = self.list() {
            let listed = &self.room[1..=self.room[0] as usize];
            if let Some(only) = self.choosable.single(prompt, listed) {
                if let Some(traces) = &mut self.traces {
                    let asked = Question { seat: self.seat, prompt, values: Values::NONE };
                    traces.force(asked, (self.words[word::ROUND], self.words[word::PHASE]), only);
                }
                self.take(0);
                continue;
            }
            let Some(&answer) = self.one.call.answers.get(next) else { return Some(prompt) };
            next += 1;
            self.take(usize::from(answer));
        }
        None
    }

    /// Lists the choices of the next question that has any, and returns its prompt.
    fn list(&mut self) -> Option<usize> {
        while let Some(ask) = self.asks.get(self.one.asking.step) {
            self.list_choices(ask);
            if self.room[0] > 0 {
                return Some(ask.prompt);
            }
            self.one.asking.next();
        }
        None
    }

    fn list_choices(&mut self, ask: &AskPlan) {
        let Self { ref words, ref mut room, seat, players, .. } = *self;
        let mut list = List { room, len: 0 };
        match &ask.choices {
            AskedChoices::Labels { .. } => list.extend(ask.labels.iter().copied()),
            AskedChoices::Players { others, .. } => {
                let own = if *others { i32::from(seat) + 1 } else { 0 };
                let out = words[word::OUT];
                list.extend((1..=i32::from(players)).filter(|p| *p != own && out >> (p - 1) & 1 == 0));
            }
            AskedChoices::Numbers { from, upto, most, .. } => {
                list.extend(*from..=words[upto + usize::from(seat)].min(*most));
            }
            AskedChoices::Buy { prices, .. } => {
                for (number, price) in (1..).zip(prices.iter()) {
                    if price.iter().all(|change| change.applied(words, seat).is_some()) {
                        list.extend(std::iter::once(number));
                    }
                }
                if list.len > 0 {
                    list.extend(ask.labels.iter().copied());
                }
            }
        }
        list.room[0] = list.len as i32;
    }

    /// Applies the answer to the current question.
    fn take(&mut self, index: usize) {
        let Some(ask) = self.asks.get(self.one.asking.step) else { return };
        let listed = &self.room[1..=(self.room[0].max(0) as usize).min(MAX_CHOICES)];
        let choice = listed.get(index).copied().unwrap_or(0);
        let mut stays = false;
        match &ask.choices {
            AskedChoices::Labels { store, values } => self.put(*store, values.get(index).copied().unwrap_or(0)),
            AskedChoices::Players { store, .. } | AskedChoices::Numbers { store, .. } => self.put(*store, choice),
            AskedChoices::Buy { prices, again } => {
                if let Ok(bought) = usize::try_from(choice - 1)
                    && bought < prices.len()
                {
                    for change in prices.get(bought) {
                        if let Some(value) = change.applied(self.words, self.seat) {
                            self.put(change.word, value);
                        }
                    }
                    self.one.asking.times += 1;
                    stays = *again && self.one.asking.times < self.most;
                }
            }
        }
        if !stays {
            self.one.asking.next();
        }
    }

    /// Writes a word of the seat; `first` is that of the first seat.
    fn put(&mut self, first: usize, value: i32) {
        let at = first + usize::from(self.seat);
        self.words[at] = value;
        match self.one.changes.iter_mut().find(|(known, _)| *known as usize == at) {
            Some(change) => change.1 = value,
            None => self.one.changes.push((at as u32, value)),
        }
    }
}

/// Writes choices to the choice buffer; drops those that do not fit.
struct List<'c> {
    room: &'c mut [i32],
    len: usize,
}

impl List<'_> {
    #[inline]
    fn extend(&mut self, choices: impl Iterator<Item = i32>) {
        let room = &mut self.room[1..=MAX_CHOICES];
        for choice in choices.take(MAX_CHOICES) {
            if let Some(place) = room.get_mut(self.len) {
                *place = choice;
                self.len += 1;
            }
        }
    }
}
