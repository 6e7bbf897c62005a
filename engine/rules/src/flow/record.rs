//! Records the histories of the seats: after each step, every seat gets its entries for the facts of the step and for
//! the differences of its view.
//!
//! A fact of a simultaneous phase is held until all seats have answered. Until then a seat gets only its own answers
//! and the moves in its own view. Afterwards the facts appear in the order of the seats, whoever answered first.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::flow::choice::{Choice, ChoiceItem};
use crate::flow::entry::{Entry, EntryWriter, is_counted_by_all, text};
use crate::flow::history::History;
use crate::flow::open::Kind;
use crate::flow::{Decision, Match, MatchError};
use crate::script::machine::fact::{Fact, Note, differences};
use crate::script::machine::{ForcedAnswer, Machine};
use crate::state::Position;
use crate::state::observe::Observation;
use crate::state::sight::Sight;
use motherlode_content::declare::Domain;

/// The views of all seats before a step, and the answer that begins it.
#[derive(Debug)]
pub(super) struct StepStart {
    views: Vec<Vec<i32>>,
    answer: Option<Note>,
}

/// The facts of a step.
struct StepFacts<'a> {
    /// Held facts that all seats get now.
    held: &'a [Note],
    /// Further facts of the seats that have just finished their simultaneous questions.
    revealed: &'a [Note],
    /// The answer, unless it is among the revealed facts.
    answer: Option<&'a Note>,
    /// Facts that all seats get.
    public: &'a [Note],
}

impl Match {
    /// Records the history of every seat from now on, and turns the transcript on. The answers so far are played
    /// again. Snapshots include the histories; a fork or another match that restores one must record, too.
    ///
    /// # Errors
    /// The answers do not lead to this position, because it was edited, redealt or played without recording. Or a
    /// script fails. The match is then unchanged.
    pub fn record_history(&mut self) -> Result<(), MatchError> {
        if self.history.is_some() {
            return Ok(());
        }
        let mut again = Self::idle(self.game(), self.setup())?;
        again.start_recording();
        again.begin(self.runner.machine.grants().fixed.clone())?;
        for answer in self.answers() {
            again.answer_as(answer.seat, usize::from(answer.index))?;
        }
        if again.state().hash() != self.state().hash() {
            let message =
                "the answers do not lead to this position: ask for a history before the first redeal, edit or snapshot";
            return Err(MatchError::Position(message.to_owned()));
        }
        self.history = again.history.take();
        self.start_recording();
        Ok(())
    }

    fn start_recording(&mut self) {
        self.set_logging(true);
        let traces = self.runner.machine.traces_mut();
        traces.watching = true;
        traces.notes.clear();
    }

    /// The history of a seat: everything that it could know at some time, in order. The engine derives it from the
    /// declared visibility. `None`: it is not [recorded](Self::record_history), or the match was redealt for another
    /// seat.
    #[must_use]
    pub fn history(&self, seat: u8) -> Option<impl Iterator<Item = &Entry>> {
        let history = self.history.as_ref().filter(|history| history.fits(seat))?;
        Some(history.entries(seat))
    }

    /// Hash of a seat's [history](Self::history) and of its open question: the key of its information state. Two matches
    /// that the seat cannot distinguish have the same key.
    #[must_use]
    pub fn history_key(&self, seat: u8) -> Option<u64> {
        let add = |key: u64, entry: &Entry| xxh3_64_with_seed(text(entry).as_bytes(), key);
        let key = self.history(seat)?.fold(0, add);
        Some(self.asked(seat).iter().fold(key, add))
    }

    /// The open question of a seat as an entry of its history; `None`: it is not asked.
    #[must_use]
    pub fn asked(&self, seat: u8) -> Option<Entry> {
        let decision = self.decision_of_seat(seat)?;
        let choices = self.legal_of(seat).ok()?.iter().map(|choice| choice.key().to_owned()).collect();
        let game = self.game();
        Some(Entry::Asked { prompt: decision.prompt(game).to_owned(), question: decision.text(game), choices })
    }

    /// The views of all seats, if histories are recorded.
    fn views(&self) -> Option<Vec<Vec<i32>>> {
        self.history.as_ref()?;
        Some((0..self.setup().players).map(|seat| self.words_for(Some(seat)).into_owned()).collect())
    }

    /// Begins to record a step with this answer.
    pub(super) fn begin_record(&self, decision: Decision, choice: i32) -> Option<StepStart> {
        let views = self.views()?;
        let Decision { seat, prompt, .. } = decision;
        let chosen = self.choices_in_words(seat, prompt, &[choice]).pop()?;
        let public = self.public_key(&chosen, &views[usize::from(seat)]);
        let question = (!decision.values().is_empty()).then(|| decision.text(self.game()));
        let answer = self.answer_note(seat, prompt, chosen.key().to_owned(), public, question);
        Some(StepStart { views, answer: Some(answer) })
    }

    /// Begins the histories in the position before the first hook.
    pub(super) fn begin_history(&mut self, words: Vec<i32>) -> StepStart {
        let seats = 0..self.setup().players;
        let start = |seat| Entry::Start {
            observation: Box::new(Observation::new(&self.runner.sight(&words, seat), &self.setup().options, None)),
        };
        let mut history = Box::<History>::default();
        history.add(seats.clone().map(|seat| vec![start(seat)]).collect());
        self.history = Some(history);
        StepStart { views: seats.map(|_| words.clone()).collect(), answer: None }
    }

    fn answer_note(&self, seat: u8, prompt: usize, own: String, public: String, question: Option<String>) -> Note {
        let is_secret = self.game().declarations().prompts[prompt].secret;
        let public = (!is_secret).then_some(public);
        Note { by: Some(seat), fact: Fact::Answer { seat, prompt, own, public, question } }
    }

    /// The key of a choice as other seats read it: the asked seat's own knowledge of the token is left out.
    fn public_key(&self, choice: &Choice, words: &[i32]) -> String {
        let game = self.game();
        let is_counted = |zone: usize| {
            let zone = &game.declarations().zones[zone];
            !zone.internal && is_counted_by_all(zone.visible)
        };
        let key = choice.key();
        match choice.what {
            ChoiceItem::Token { token, .. } => {
                let pile = Position { layout: game.layout(), words }.pile_of(token);
                let end = if pile.is_some_and(|pile| is_counted(game.layout().piles[pile].zone)) { '[' } else { '@' };
                key.split(['[', end]).next().unwrap_or(key).to_owned()
            }
            ChoiceItem::Hidden { zone, .. } if !zone.is_some_and(is_counted) => "place:?".to_owned(),
            _ => key.to_owned(),
        }
    }

    /// A question that the engine answered itself. Its token may have moved since, so its key has no place.
    fn forced_note(&self, forced: &ForcedAnswer, views: &[Vec<i32>]) -> Note {
        let (seat, prompt, d) = (forced.question.seat, forced.question.prompt, self.game().declarations());
        let layout = self.game().layout();
        let token = usize::try_from(forced.choice - 1).ok().filter(|_| d.prompts[prompt].domain == Domain::Token);
        let key = match token.and_then(|index| layout.tokens.get(index)) {
            Some(info) => {
                let now = self.words_for(Some(seat));
                let views = [views[usize::from(seat)].as_slice(), &now];
                let identified = |words: &&[i32]| self.runner.sight(words, seat).identifies(forced.choice);
                let kind = d.kinds.get_index(info.kind).map_or("", |(name, _)| name);
                let id = &d.definitions[info.definition].id;
                if views.iter().any(identified) { format!("token:{kind}.{id}") } else { "place:?".to_owned() }
            }
            None => {
                let choice = self.choices_in_words(seat, prompt, &[forced.choice]).pop();
                choice.map_or_else(String::new, |choice| choice.key().to_owned())
            }
        };
        self.answer_note(seat, prompt, key.clone(), key, None)
    }

    /// Records a step. `before`: the id of the simultaneous questions that were answered.
    pub(super) fn record_step(&mut self, start: Option<StepStart>, before: Option<u64>) {
        let mut notes = std::mem::take(&mut self.runner.machine.traces_mut().notes);
        let (Some(StepStart { views, answer }), Some(mut history)) = (start, self.history.take()) else { return };
        let open = self.open.simultaneous();
        let stays = open.is_some() && open.map(|(number, _)| number) == before;
        let until = if stays { 0 } else { open.map_or(notes.len(), |(_, said)| said.notes.min(notes.len())) };
        let mut later = notes.split_off(until);
        // The seats keep their forced answers until the reveal.
        later.retain(|note| !matches!(note.fact, Fact::Forced(_)));
        let (mut revealed, mut alone) = (Vec::new(), None);
        if before.is_some() && !stays {
            let mut noted = self.revealed.noted;
            notes.retain(|note| {
                let of_seats = noted > 0 && matches!(note.fact, Fact::Forced(_));
                noted -= usize::from(of_seats);
                !of_seats
            });
            let common = notes.iter().position(|note| note.by.is_none()).unwrap_or(notes.len());
            revealed.extend(answer);
            revealed.extend(notes.drain(..common));
            revealed.extend(self.revealed.forced.iter().map(|forced| self.forced_note(forced, &views)));
        } else {
            alone = answer;
        }
        for note in &mut notes {
            if let Fact::Forced(forced) = &note.fact {
                note.fact = self.forced_note(forced, &views).fact;
            }
        }
        let held = if stays { Vec::new() } else { std::mem::take(&mut history.held) };
        let facts = StepFacts { held: &held, revealed: &revealed, answer: alone.as_ref(), public: &notes };
        let seats = 0..self.setup().players;
        let fits = |seat: &u8| history.fits(*seat);
        let entries = |seat: u8| if fits(&seat) { self.entries_of(seat, &views, &facts, stays) } else { Vec::new() };
        let step = seats.map(entries).collect();
        if stays {
            history.held.extend(alone);
        }
        history.held.append(&mut later);
        history.add(step);
        self.history = Some(history);
    }

    /// The entries of a step for a seat.
    fn entries_of(&self, seat: u8, views: &[Vec<i32>], facts: &StepFacts<'_>, stays: bool) -> Vec<Entry> {
        let words = self.words_for(Some(seat));
        let writer = EntryWriter { sight: self.runner.sight(&words, seat), seat, options: &self.setup().options };
        let (mut view, mut out) = (views[usize::from(seat)].clone(), Vec::new());
        self.write_revealed(writer, &mut view, facts, &mut out);
        let before = Sight { words: &view, ..writer.sight };
        if let Some(note) = facts.answer.filter(|note| !stays || note.by == Some(seat)) {
            writer.fact(&note.fact, &mut out);
        }
        facts.public.iter().for_each(|note| writer.fact(&note.fact, &mut out));
        if self.open.kind == Kind::Simultaneous {
            let base = if stays { before.words } else { &self.open.start[..] };
            self.write_moves(writer, base, &mut out);
        }
        writer.changes(&before, &mut out);
        if self.is_over() {
            out.push(Entry::End);
        }
        out
    }

    /// Writes the facts of simultaneous questions that all seats have answered: first the seat's own, then those of
    /// the others in their order. `view`: what the seat saw before the last answer; its own changes are added.
    fn write_revealed(&self, writer: EntryWriter<'_>, view: &mut [i32], facts: &StepFacts<'_>, out: &mut Vec<Entry>) {
        let own = Some(writer.seat);
        let (answer, revealed) = facts.revealed.split_at(facts.revealed.len().min(1));
        answer.iter().filter(|note| note.by == own).for_each(|note| writer.fact(&note.fact, out));
        let own_words = |note: &Note| match &note.fact {
            Fact::Together { words, .. } if note.by == own => Some(words.clone()),
            _ => None,
        };
        if let Some(words) = revealed.iter().find_map(own_words) {
            let before = view.to_vec();
            words.iter().for_each(|&(at, value)| view[at as usize] = value);
            let writer = EntryWriter { sight: Sight { words: view, ..writer.sight }, ..writer };
            self.write_moves(writer, &before, out);
            writer.changes(&Sight { words: &before, ..writer.sight }, out);
        }
        // The seat has got its own answers before.
        let is_new = |note: &&Note| note.by != own || !matches!(note.fact, Fact::Answer { .. });
        let of_others = answer.iter().filter(|note| note.by != own);
        let rest = revealed.iter().filter(|note| own_words(note).is_none());
        let mut notes: Vec<&Note> = facts.held.iter().filter(is_new).chain(of_others).chain(rest).collect();
        notes.sort_by_key(|note| (note.by.is_none(), note.by != own, note.by));
        notes.iter().for_each(|note| writer.fact(&note.fact, out));
    }

    /// Writes the moves that a seat's view shows since these words.
    fn write_moves(&self, writer: EntryWriter<'_>, before: &[i32], out: &mut Vec<Entry>) {
        let layout = self.game().layout();
        let (before, after) = (Position { layout, words: before }, Position { layout, words: writer.sight.words });
        let tokens = 1..=layout.tokens.len() as i32;
        let moves = differences(self.game().declarations(), &before, &after, tokens);
        writer.fact(&Fact::Together { facts: moves, words: Vec::new() }, out);
    }

    /// Keeps the history of a seat in a redealt position, whose former view was `before`. The view changes only if a
    /// simultaneous phase has ended.
    pub(super) fn record_redeal(&mut self, seat: u8, before: &[i32]) {
        self.runner.machine.traces_mut().notes.clear();
        let Some(mut history) = self.history.take() else { return };
        history.keep_only(seat);
        let words = self.words_for(Some(seat));
        let writer = EntryWriter { sight: self.runner.sight(&words, seat), seat, options: &self.setup().options };
        let mut step = vec![Vec::new(); usize::from(self.setup().players)];
        if history.fits(seat) {
            writer.changes(&Sight { words: before, ..writer.sight }, &mut step[usize::from(seat)]);
        }
        history.add(step);
        self.history = Some(history);
    }
}
