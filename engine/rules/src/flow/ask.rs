//! Declared questions of sealed phases: listed and answered without a script.

use crate::flow::matches::{Match, Pending};
use crate::flow::sealed::Progress;
use crate::script::choices::MAX_CHOICES;
use crate::state::Layout;
use crate::state::layout::word;
use motherlode_content::declare::{AskChoices, Change, Declarations};

/// Where the seat in focus is among the questions of its phase.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// The question.
    step: usize,
    /// How often it was answered.
    times: usize,
}

impl Asking {
    fn next(&mut self) {
        self.step += 1;
        self.times = 0;
    }
}

impl Match {
    /// Whether the phase declares its questions: then no script runs.
    pub(super) fn has_asks(&self) -> bool {
        !self.declarations().phases[self.phase_index()].asks.is_empty()
    }

    /// Takes a seat through the questions with the answers it gave so far. True: it is asked.
    pub(super) fn begin_asks(&mut self, seat: u8) -> bool {
        let progress = &mut self.sealed.seats[usize::from(seat)];
        progress.changes.clear();
        let answers = std::mem::take(&mut progress.answers);
        (self.sealed.asking.step, self.sealed.asking.times) = (0, 0);
        let asks = self.go_through(seat, &answers);
        self.sealed.seats[usize::from(seat)].answers = answers;
        asks
    }

    /// Answers the question that stands; true: the seat is asked another one.
    pub(super) fn answer_ask(&mut self, seat: u8, index: usize) -> bool {
        self.take_ask(seat, index);
        self.go_through(seat, &[])
    }

    /// Goes on from where the seat stands. A question without a choice is left out; one with a single choice, too, if its prompt
    /// says so.
    fn go_through(&mut self, seat: u8, given: &[u16]) -> bool {
        let mut given = given.iter();
        while self.list_ask(seat) {
            let auto = match self.pending {
                Pending::Sealed { prompt, .. } => {
                    self.host.choices().len() == 1 && self.declarations().prompts[prompt].auto
                }
                _ => false,
            };
            match given.next() {
                _ if auto => self.take_ask(seat, 0),
                Some(&answer) => self.take_ask(seat, usize::from(answer)),
                None => return true,
            }
        }
        self.finish_asks(seat);
        false
    }

    /// Lists the choices of the next question that has some; false: there is none.
    fn list_ask(&mut self, seat: u8) -> bool {
        let phase = self.phase_index();
        let Self { game, host, sealed, pending, setup, labels_of, .. } = self;
        let d = game.declarations();
        let asks = &d.phases[phase].asks;
        let (layout, words, room) = host.buffers_mut();
        let asking = &mut sealed.asking;
        while let Some(ask) = asks.get(asking.step) {
            let mut list = List { room, len: 0 };
            match &ask.choices {
                AskChoices::Labels { .. } => list.extend(labels_of[ask.prompt].iter().copied()),
                AskChoices::Players { others, .. } => {
                    let own = if *others { i32::from(seat) + 1 } else { 0 };
                    let out = words[word::OUT];
                    list.extend((1..=i32::from(setup.players)).filter(|p| *p != own && out >> (p - 1) & 1 == 0));
                }
                AskChoices::Numbers { store, from, upto } => {
                    // No number that the counter could not keep.
                    let (most, kept) = (words[word_of(layout, *upto, seat)], &d.counters[*store]);
                    list.extend((*from).max(kept.min)..=most.min(kept.max));
                }
                AskChoices::Buy { prices, .. } => {
                    let can =
                        |price: &&Vec<Change>| price.iter().all(|c| changed(d, layout, words, seat, *c).is_some());
                    list.extend((1..).zip(prices).filter(|(_, price)| can(price)).map(|(number, _)| number));
                    if list.len > 0 {
                        list.extend(labels_of[ask.prompt].iter().copied());
                    }
                }
            }
            list.room[0] = list.len as i32;
            if list.len > 0 {
                *pending = Pending::Sealed { seat, prompt: ask.prompt };
                return true;
            }
            asking.next();
        }
        false
    }

    /// Carries out the answer to the question the seat stands at.
    fn take_ask(&mut self, seat: u8, index: usize) {
        let phase = self.phase_index();
        let Self { game, host, sealed, .. } = self;
        let (d, layout) = (game.declarations(), game.layout());
        let Some(ask) = d.phases[phase].asks.get(sealed.asking.step) else { return };
        let choice = host.choices().get(index).copied().unwrap_or(0);
        let most = host.limits.choices;
        let (words, progress) = (host.words_mut(), &mut sealed.seats[usize::from(seat)]);
        let mut stays = false;
        match &ask.choices {
            AskChoices::Labels { store, values } => {
                put(layout, words, progress, seat, *store, values.get(index).copied().unwrap_or(0));
            }
            AskChoices::Players { store, .. } | AskChoices::Numbers { store, .. } => {
                put(layout, words, progress, seat, *store, choice)
            }
            AskChoices::Buy { prices, again } => {
                if let Some(price) = usize::try_from(choice - 1).ok().and_then(|at| prices.get(at)) {
                    for change in price {
                        let value = changed(d, layout, words, seat, *change);
                        value.into_iter().for_each(|v| put(layout, words, progress, seat, change.counter, v));
                    }
                    sealed.asking.times += 1;
                    stays = *again && sealed.asking.times < most;
                }
            }
        }
        if !stays {
            sealed.asking.next();
        }
    }

    /// The seat is done: the position is as the phase began, for the next one.
    fn finish_asks(&mut self, seat: u8) {
        let Self { sealed, host, .. } = self;
        let progress = &mut sealed.seats[usize::from(seat)];
        progress.done = true;
        let words = host.words_mut();
        for &(at, _) in &progress.changes {
            words[at as usize] = sealed.start[at as usize];
        }
    }
}

/// Choices being listed in the choice buffer; what finds no place is left out.
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

/// What a counter of the player would be; `None`: out of its range.
fn changed(d: &Declarations, layout: &Layout, words: &[i32], seat: u8, change: Change) -> Option<i32> {
    let declared = &d.counters[change.counter];
    let value = words[word_of(layout, change.counter, seat)].checked_add(change.by)?;
    (declared.min..=declared.max).contains(&value).then_some(value)
}

fn put(layout: &Layout, words: &mut [i32], progress: &mut Progress, seat: u8, counter: usize, value: i32) {
    let at = word_of(layout, counter, seat);
    words[at] = value;
    match progress.changes.iter_mut().find(|(known, _)| *known as usize == at) {
        Some(change) => change.1 = value,
        None => progress.changes.push((at as u32, value)),
    }
}
