//! The state of a running test: its match, checks and recent answers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mlua::Value;
use motherlode::tools::EmittedEvent;
use motherlode::{AutomaticAnswer, Choice, ChoiceItem, Decision, Game, Line, Match, MatchError, Setup};

use super::names::Names;
use super::values::{self, Word};

/// A game and its match, which all tests of a run restart in turn.
pub(super) struct Seating {
    game: Game,
    current: Option<Match>,
    /// Steps left for the tests of this run.
    pub(super) left: u64,
    /// Step budget of the run.
    pub(super) all: u64,
    /// The definitions affected by a change; empty for all.
    changed: Vec<usize>,
}

impl Seating {
    /// A seating without a match yet. Its tests may take `left` steps together.
    pub(super) fn new(game: Game, left: u64) -> Self {
        Self { game, current: None, left, all: left, changed: Vec::new() }
    }

    /// Restricts `t.each` to the definitions with these ids, if the game has any of them.
    pub(super) fn narrow(&mut self, ids: &BTreeSet<String>) {
        let all = self.game.declarations().definitions.iter().enumerate();
        self.changed = all.filter(|(_, one)| ids.contains(&one.id)).map(|(index, _)| index).collect();
    }
}

/// The state of the running test.
pub(super) struct Case {
    pub(super) game: Game,
    /// The definitions affected by a change; empty for all.
    pub(super) changed: Vec<usize>,
    current: Option<Match>,
    /// Whether the engine takes single choices itself in this match.
    auto: bool,
    /// Whether the test has called `t.setup`.
    is_set_up: bool,
    /// Number of checks so far.
    pub(super) checks: u32,
    /// Whether the test may end with an open decision.
    pub(super) may_end_open: bool,
    /// Tokens that the test has placed by name, with their zones. `t.put` does not move them to another zone.
    pub(super) placed: BTreeMap<i32, (usize, i32)>,
    recent: VecDeque<String>,
    /// Automatic answers that `recent` already contains.
    noted: BTreeSet<AutomaticKey>,
    /// Automatic answers that the test has answered explicitly or passed over.
    claimed: BTreeSet<AutomaticKey>,
    /// The transcript since `t.setup`, as far as it was read.
    transcript: Vec<Line>,
    /// The events since `t.setup`, as far as they were read.
    events: Vec<EmittedEvent>,
    work: u64,
    /// Steps of the match's hooks that are already counted.
    played: u64,
    /// Steps left for this test and all later tests.
    allowed: u64,
}

/// An automatic answer: its step, its seat, and its index among the seat's automatic answers in that step.
type AutomaticKey = (u64, u8, usize);

/// A call of a method of `t`.
pub(super) struct Args {
    pub(super) method: &'static str,
    pub(super) values: Vec<Value>,
}

/// Number of recent answers that a failure shows.
const RECENT: usize = 8;

/// Maximum choices of a decision that a failure shows.
const MOST_CHOICES: usize = 24;

/// Maximum units of work per test: calls of `t` and answers.
const MOST_WORK: u64 = 1_000_000;
/// Cost of a unit of work, in steps of the test.
const WORK: u64 = 32;
/// Steps of the game's own hooks per unit of work: cheap, because tests may play whole games.
const PLAYED: u64 = 8 * WORK;
/// Maximum steps of all tests of a run: more than twice those of the largest shipped game.
pub(super) const MOST_TOGETHER: u64 = 250_000_000;

impl Case {
    /// A case that uses the match of this seating until [`give_back`](Self::give_back).
    pub(super) fn new(seating: &mut Seating) -> Self {
        Self {
            game: seating.game.clone(),
            changed: seating.changed.clone(),
            current: seating.current.take(),
            auto: true,
            is_set_up: false,
            checks: 0,
            may_end_open: false,
            placed: BTreeMap::new(),
            recent: VecDeque::new(),
            noted: BTreeSet::new(),
            claimed: BTreeSet::new(),
            transcript: Vec::new(),
            events: Vec::new(),
            work: 0,
            played: 0,
            allowed: MOST_TOGETHER,
        }
    }

    pub(super) fn give_back(&mut self, seating: &mut Seating) {
        seating.current = self.current.take().filter(|_| self.auto);
    }

    /// Resets the case for the next test. `left` steps remain for this and all later tests.
    pub(super) fn begin(&mut self, left: u64) {
        self.is_set_up = false;
        self.checks = 0;
        self.may_end_open = false;
        self.placed.clear();
        self.forget_answers();
        self.transcript.clear();
        self.events.clear();
        self.work = 0;
        self.allowed = left;
    }

    /// Steps for the work of this test.
    pub(super) fn work_steps(&self) -> u64 {
        self.work.saturating_mul(WORK)
    }

    /// Counts work that the test makes the engine do.
    pub(super) fn work(&mut self, amount: u64) -> Result<(), String> {
        self.work = self.work.saturating_add(amount);
        if self.work > MOST_WORK {
            Err(format!("the test does too much work: its calls and answers take more than {MOST_WORK} steps"))
        } else if self.work_steps() > self.allowed {
            Err(too_much_together())
        } else {
            Ok(())
        }
    }

    /// Counts the steps of the match's hooks since the last call or the last restart.
    pub(super) fn work_played(&mut self) -> Result<(), String> {
        let now = self.current.as_ref().map_or(0, |m| m.steps().unsigned_abs());
        let before = std::mem::replace(&mut self.played, now);
        self.work(now.checked_sub(before).unwrap_or(now) / PLAYED)
    }

    /// Sets whether the engine takes single choices itself from the next match on.
    pub(super) fn set_auto(&mut self, auto: bool) {
        if self.auto != auto {
            self.current = None;
        }
        self.auto = auto;
    }

    pub(super) fn set_up(&mut self, setup: &Setup) -> Result<(), String> {
        self.placed.clear();
        self.forget_answers();
        self.transcript.clear();
        self.events.clear();
        let done = match self.current.as_mut() {
            Some(m) => {
                // A match starts faster without a transcript, and tests do not need its first lines.
                m.set_logging(false);
                m.restart(setup)
            }
            None if self.auto => Match::new(&self.game, setup).map(|m| self.current = Some(m)),
            None => Match::new(&self.game.asking(), setup).map(|m| self.current = Some(m)),
        };
        if let Some(m) = self.current.as_mut() {
            m.set_logging(true);
        }
        self.is_set_up = done.is_ok();
        done.map_err(|error| error.to_string())?;
        self.note_automatic();
        Ok(())
    }

    fn forget_answers(&mut self) {
        self.recent.clear();
        self.noted.clear();
        self.claimed.clear();
    }

    /// The match, once `t.setup` has been called.
    pub(super) fn current_match(&mut self) -> Result<&mut Match, String> {
        self.current.as_mut().filter(|_| self.is_set_up).ok_or_else(|| "no match yet: call t.setup first".to_owned())
    }

    /// Calls an engine function that may fail.
    pub(super) fn engine<T>(&mut self, act: impl FnOnce(&mut Match) -> Result<T, MatchError>) -> Result<T, String> {
        act(self.current_match()?).map_err(|error| error.to_string())
    }

    pub(super) fn players(&mut self) -> Result<u8, String> {
        Ok(self.current_match()?.setup().players)
    }

    /// Calls `act` with the names of the current match.
    pub(super) fn names<T>(&mut self, act: impl FnOnce(&Names) -> Result<T, String>) -> Result<T, String> {
        let players = self.players()?;
        act(&Names::new(&self.game, players))
    }

    /// The pending decision of a seat.
    pub(super) fn pending(&mut self, seat: u8) -> Result<Decision, String> {
        let pending = self.current_match()?.pending();
        let found = pending.into_iter().find(|decision| decision.seat == seat);
        found
            .ok_or_else(|| format!("player {} has nothing to answer{}", u16::from(seat) + 1, self.automatic_note(seat)))
    }

    /// Whether a seat has a pending decision.
    pub(super) fn is_asked(&mut self, seat: u8) -> Result<bool, String> {
        Ok(self.current_match()?.pending().iter().any(|decision| decision.seat == seat))
    }

    /// The automatic answers of all seats since the last explicit answer.
    fn automatic(&self) -> Vec<(AutomaticKey, AutomaticAnswer)> {
        let Some(m) = self.current.as_ref().filter(|_| self.is_set_up) else { return Vec::new() };
        let mut places: BTreeMap<(u64, u8), usize> = BTreeMap::new();
        let numbered = |automatic: AutomaticAnswer| {
            let (step, seat) = (automatic.step, automatic.decision.seat);
            let before = places.entry((step, seat)).or_default();
            *before += 1;
            ((step, seat, *before - 1), automatic)
        };
        m.automatic().into_iter().map(numbered).collect()
    }

    /// Automatic answers of a seat that the test has not claimed.
    fn unclaimed(&self, seat: u8) -> Vec<(AutomaticKey, AutomaticAnswer)> {
        let open = |(place, automatic): &(AutomaticKey, AutomaticAnswer)| {
            automatic.decision.seat == seat && !self.claimed.contains(place)
        };
        self.automatic().into_iter().filter(open).collect()
    }

    /// Unclaimed automatic answers of a seat: the decision and its single choice.
    pub(super) fn singles(&self, seat: u8) -> Vec<AutomaticAnswer> {
        self.unclaimed(seat).into_iter().map(|(_, automatic)| automatic).collect()
    }

    /// Claims an automatic answer of a seat that matches `word`, and passes over those before it. Returns whether
    /// there was one.
    pub(super) fn claim(&mut self, seat: u8, word: &Word) -> bool {
        let open = self.unclaimed(seat);
        let Some(at) = open.iter().position(|(_, automatic)| fit(&automatic.choice, word).is_some()) else {
            return false;
        };
        self.claimed.extend(open.into_iter().take(at + 1).map(|(place, _)| place));
        true
    }

    /// A note on the automatic answers of a seat, for a failure.
    pub(super) fn automatic_note(&self, seat: u8) -> String {
        let said: Vec<String> = self
            .unclaimed(seat)
            .iter()
            .map(|(_, AutomaticAnswer { decision, choice, .. })| {
                format!("{}: {}", decision.prompt(&self.game), choice.id)
            })
            .collect();
        if said.is_empty() { String::new() } else { format!("; answered automatically: {}", said.join(", ")) }
    }

    /// Adds automatic answers to the recent answers.
    pub(super) fn note_automatic(&mut self) {
        for (place, AutomaticAnswer { decision, choice, .. }) in self.automatic() {
            if self.noted.insert(place) {
                self.remember(format!("player {} {} (automatic)", u16::from(decision.seat) + 1, choice.id));
            }
        }
    }

    fn remember(&mut self, answer: String) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(answer);
    }

    /// The legal choices of a seat.
    pub(super) fn choices(&mut self, seat: u8) -> Result<Vec<Choice>, String> {
        self.pending(seat)?;
        self.engine(|m| m.legal_of(seat))
    }

    /// Answers for a seat, and records the answer for failures.
    pub(super) fn answer(&mut self, seat: u8, index: usize, id: &str) -> Result<(), String> {
        self.work(1)?;
        self.engine(|m| m.answer_as(seat, index))?;
        self.work_played()?;
        self.remember(format!("player {} {id}", u16::from(seat) + 1));
        self.note_automatic();
        Ok(())
    }

    /// The transcript since `t.setup`.
    pub(super) fn transcript(&mut self) -> Result<&[Line], String> {
        let said = self.current_match()?.take_log();
        self.transcript.extend(said);
        Ok(&self.transcript)
    }

    /// The events since `t.setup`.
    pub(super) fn events(&mut self) -> Result<&[EmittedEvent], String> {
        let happened = self.current_match()?.take_events();
        self.events.extend(happened);
        Ok(&self.events)
    }

    /// The word of a choice, with the number of a token in place of its full name: `mine#2@1`.
    pub(super) fn choice_word(&mut self, word: &Word) -> Word {
        let is_full = matches!(word, Word::Text(text) if text.contains(['#', '@']));
        let token = if is_full { self.names(|names| names.token(word)).ok() } else { None };
        token.map_or_else(|| word.clone(), Word::Number)
    }

    /// Number of unused results of `t.random`.
    pub(super) fn chance_left(&mut self) -> usize {
        self.current_match().map_or(0, |m| m.edit().chance_left())
    }

    /// Whether a decision is pending.
    pub(super) fn is_open(&self) -> bool {
        self.is_set_up && self.current.as_ref().is_some_and(|m| m.decision().is_some())
    }

    /// The position, one fact per line: phase, pending decisions with their choices, last answers.
    pub(super) fn position(&mut self) -> String {
        let Ok(m) = self.current_match() else { return String::new() };
        let mut lines = vec![match m.outcome() {
            Some(outcome) => format!("the game is over after round {}: {}", outcome.rounds, outcome.reason),
            None => {
                let phase = m.phase();
                let mut functions = m.game().functions().iter();
                let script = functions.find(|function| function.of == phase && function.file.ends_with("/phases.luau"));
                let place = script.map(|script| format!(" ({}:{})", script.file, script.line)).unwrap_or_default();
                format!("round {}, phase {phase}{place}", m.round())
            }
        }];
        for decision in m.pending() {
            let prompt = decision.prompt(m.game()).to_owned();
            let choices = match m.legal_of(decision.seat) {
                Ok(choices) => ids(&choices),
                Err(error) => error.to_string(),
            };
            lines.push(format!("player {} is asked {prompt}: {choices}", u16::from(decision.seat) + 1));
        }
        if !self.recent.is_empty() {
            lines.push(format!(
                "last answers: {}",
                self.recent.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
            ));
        }
        lines.iter().map(|line| format!("\n  {line}")).collect()
    }
}

/// The message of the test that exceeds the budget of the run.
pub(super) fn too_much_together() -> String {
    "the tests together take too many steps, and the tests after this one were not run: select tests with `lode test --filter TEXT`".to_owned()
}

/// The ids of choices, for messages.
pub(super) fn ids(choices: &[Choice]) -> String {
    let mut ids: Vec<String> = choices.iter().take(MOST_CHOICES).map(|choice| choice.id.clone()).collect();
    if choices.len() > MOST_CHOICES {
        ids.push(format!("and {} more", choices.len() - MOST_CHOICES));
    }
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(", ") }
}

/// The quality of a match between a choice and a word, best first: id, token or cell number, label.
fn fit(choice: &Choice, word: &Word) -> Option<u8> {
    let text = word.to_string();
    if choice.id == text {
        return Some(0);
    }
    match word {
        Word::Number(number) => match choice.what {
            ChoiceItem::Token { token: n, .. } | ChoiceItem::Cell { cell: n, .. } if n == *number => Some(1),
            _ => None,
        },
        Word::Text(text) if choice.label == *text => Some(2),
        _ => None,
    }
}

/// The index of the choice that a word means; the first among equally good matches.
pub(super) fn find(choices: &[Choice], word: &Word) -> Option<usize> {
    let fits = choices.iter().enumerate().filter_map(|(index, choice)| Some((fit(choice, word)?, index)));
    fits.min().map(|(_, index)| index)
}

impl Args {
    pub(super) fn get(&self, index: usize) -> Value {
        self.values.get(index).cloned().unwrap_or(Value::Nil)
    }

    pub(super) fn text(&self, index: usize, what: &str) -> Result<String, String> {
        values::text(&self.get(index), what)
    }

    pub(super) fn word(&self, index: usize, what: &str) -> Result<Word, String> {
        values::word(&self.get(index), what)
    }

    pub(super) fn number(&self, index: usize, what: &str) -> Result<i32, String> {
        values::number(&self.get(index), what)
    }

    /// Refuses more than `count` arguments.
    pub(super) fn at_most(&self, count: usize) -> Result<(), String> {
        let given = self.values.iter().rposition(|value| !value.is_nil()).map_or(0, |last| last + 1);
        if given > count { Err(format!("t.{} takes {count} arguments, got {given}", self.method)) } else { Ok(()) }
    }
}
