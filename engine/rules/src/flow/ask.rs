//! Declared questions of simultaneous phases: the engine lists and answers them without a script.

use crate::flow::open::{AskProgress, OpenCall, OpenCalls};
use crate::flow::runner::Runner;
use crate::script::machine::choices::MAX_CHOICES;
use crate::script::machine::choosable::Choosable;
use crate::script::machine::{Desk, Machine, Question, Traces, Values};
use crate::state::Layout;
use crate::state::layout::word;
use motherlode_content::declare::{Ask, AskChoices, Change, Declarations};

impl OpenCalls {
    /// Replays a seat's answers through its declared questions. Returns true if the seat is asked.
    pub(super) fn begin_asks(&mut self, runner: &mut Runner, seat: u8) -> bool {
        let one = self.seat_mut(seat);
        one.changes.clear();
        one.asking = AskProgress::default();
        let prompt = DeclaredQuestions::of(runner, one, seat).go_through(0);
        self.move_to(runner, seat, prompt)
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
        self.seat_mut(seat).done = true;
        self.take_back(runner, seat);
        false
    }
}

/// The declared questions of one seat, with the state that they read and write.
pub(super) struct DeclaredQuestions<'a> {
    asks: &'a [Ask],
    d: &'a Declarations,
    layout: &'a Layout,
    choosable: &'a Choosable,
    labels_of: &'a [Vec<i32>],
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
    fn of(runner: &'a mut Runner, one: &'a mut OpenCall, seat: u8) -> Self {
        let phase = runner.phase_index();
        let most = runner.machine.grants().limits.choices;
        let Runner { game, machine, setup, labels_of, .. } = runner;
        let d = game.declarations();
        let Desk { layout, words, choices: room, traces, .. } = machine.desk();
        let (traces, players) = (Some(traces), setup.players);
        Self {
            asks: &d.phases[phase].asks,
            d,
            layout,
            choosable: game.choosable(),
            labels_of,
            words,
            room,
            one,
            traces,
            seat,
            players,
            most,
        }
    }

    /// The question to a seat in this state, and its choices. Changes nothing.
    pub(super) fn question(runner: &Runner, words: &[i32], one: &OpenCall, seat: u8) -> Option<(Question, Vec<i32>)> {
        let d = runner.declarations();
        let mut room = vec![0; MAX_CHOICES + 1];
        let prompt = DeclaredQuestions {
            asks: &d.phases[runner.phase_index()].asks,
            d,
            layout: runner.game.layout(),
            choosable: runner.game.choosable(),
            labels_of: &runner.labels_of,
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
            let asked = Question { seat: self.seat, prompt, values: Values::NONE };
            let moment = (self.words[word::ROUND], self.words[word::PHASE]);
            let listed = &self.room[1..=self.room[0] as usize];
            if let Some(only) = self.choosable.single(prompt, listed) {
                if let Some(traces) = &mut self.traces {
                    traces.force(asked, moment, only);
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

    fn list_choices(&mut self, ask: &Ask) {
        let Self { d, layout, labels_of, ref words, ref mut room, seat, players, .. } = *self;
        let mut list = List { room, len: 0 };
        match &ask.choices {
            AskChoices::Labels { .. } => list.extend(labels_of[ask.prompt].iter().copied()),
            AskChoices::Players { others, .. } => {
                let own = if *others { i32::from(seat) + 1 } else { 0 };
                let out = words[word::OUT];
                list.extend((1..=i32::from(players)).filter(|p| *p != own && out >> (p - 1) & 1 == 0));
            }
            AskChoices::Numbers { store, from, upto } => {
                // Numbers outside the range of the counter cannot be stored.
                let (most, kept) = (words[word_of(layout, *upto, seat)], &d.counters[*store]);
                list.extend((*from).max(kept.min)..=most.min(kept.max));
            }
            AskChoices::Buy { prices, .. } => {
                let can = |price: &&Vec<Change>| price.iter().all(|c| changed(d, layout, words, seat, *c).is_some());
                list.extend((1..).zip(prices).filter(|(_, price)| can(price)).map(|(number, _)| number));
                if list.len > 0 {
                    list.extend(labels_of[ask.prompt].iter().copied());
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
            AskChoices::Labels { store, values } => self.put(*store, values.get(index).copied().unwrap_or(0)),
            AskChoices::Players { store, .. } | AskChoices::Numbers { store, .. } => self.put(*store, choice),
            AskChoices::Buy { prices, again, .. } => {
                if let Some(price) = usize::try_from(choice - 1).ok().and_then(|at| prices.get(at)) {
                    for change in price {
                        if let Some(value) = changed(self.d, self.layout, self.words, self.seat, *change) {
                            self.put(change.counter, value);
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

    fn put(&mut self, counter: usize, value: i32) {
        let at = word_of(self.layout, counter, self.seat);
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
    fn extend(&mut self, choices: impl Iterator<Item = i32>) {
        for choice in choices.take(MAX_CHOICES) {
            if let Some(place) = self.room[..=MAX_CHOICES].get_mut(self.len + 1) {
                *place = choice;
                self.len += 1;
            }
        }
    }
}

fn word_of(layout: &Layout, counter: usize, seat: u8) -> usize {
    layout.counters[counter].offset + usize::from(seat)
}

/// The new value of a counter of the player; `None`: it would be out of range.
fn changed(d: &Declarations, layout: &Layout, words: &[i32], seat: u8, change: Change) -> Option<i32> {
    let declared = &d.counters[change.counter];
    let value = words[word_of(layout, change.counter, seat)].checked_add(change.by)?;
    (declared.min..=declared.max).contains(&value).then_some(value)
}
