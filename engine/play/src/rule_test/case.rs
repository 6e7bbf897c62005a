//! One running test: its match, what it has asserted, and where it stands.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mlua::Value;
use motherlode::{Automatic, Choice, Chosen, Decision, Game, Line, Match, MatchError, Setup};

use super::names::Names;
use super::values::{self, Word};

/// A game, and the match of it that one test after the other restarts.
pub(super) struct Seating {
    game: Game,
    seated: Option<Match>,
    /// Steps that the tests of this run may still take.
    pub(super) left: u64,
    /// Those that they might take.
    pub(super) all: u64,
    /// The definitions that a change concerns; none: any.
    changed: Vec<usize>,
}

impl Seating {
    /// No match yet. Its tests may take so many steps together.
    pub(super) fn new(game: Game, left: u64) -> Self {
        Self { game, seated: None, left, all: left, changed: Vec::new() }
    }

    /// Lets `t.each` give the definitions with these ids alone, if there are any.
    pub(super) fn narrow(&mut self, ids: &BTreeSet<String>) {
        let all = self.game.declarations().definitions.iter().enumerate();
        self.changed = all.filter(|(_, one)| ids.contains(&one.id)).map(|(index, _)| index).collect();
    }
}

/// The state of the running test.
pub(super) struct Case {
    pub(super) game: Game,
    /// The definitions that a change concerns; none: any.
    pub(super) changed: Vec<usize>,
    table: Option<Match>,
    /// The running test has called `t.setup`.
    set_up: bool,
    /// Checks made so far.
    pub(super) checks: u32,
    /// The test may end with a decision open.
    pub(super) left: bool,
    /// Tokens that the test put somewhere by name: they are not taken away for another zone.
    pub(super) placed: BTreeMap<i32, (usize, i32)>,
    recent: VecDeque<String>,
    /// Questions that answered themselves and are among the recent answers.
    noted: BTreeSet<Place>,
    /// Those that the test has answered, too, or has passed over.
    claimed: BTreeSet<Place>,
    /// The transcript since `t.setup`, as far as it was taken.
    told: Vec<Line>,
    work: u64,
    /// Steps of the match's hooks that have been counted.
    played: u64,
    /// Steps that this test may take, with all that come after it.
    allowed: u64,
}

/// A question that answered itself: its step, its seat, and how many of the seat were before it in that step.
type Place = (u64, u8, usize);

/// What a method of `t` was called with.
pub(super) struct Args {
    pub(super) method: &'static str,
    pub(super) values: Vec<Value>,
}

/// How many of the last answers a failure shows.
const RECENT: usize = 8;

/// How many choices of a decision a failure shows.
const MOST_CHOICES: usize = 24;

/// Most calls of `t` and answers that a test may make.
const MOST_WORK: u64 = 1_000_000;
/// What one of them counts, in steps of the test.
const WORK: u64 = 32;
/// Steps of the game's own hooks that count as one of them: tests may play whole games.
const PLAYED: u64 = 8 * WORK;
/// Most steps that all tests of a run may take together: more than twice what those of the largest shipped game do.
pub(super) const MOST_TOGETHER: u64 = 250_000_000;

impl Case {
    /// A case that plays at this table until it is [given back](Self::give_back).
    pub(super) fn new(table: &mut Seating) -> Self {
        Self {
            game: table.game.clone(),
            changed: table.changed.clone(),
            table: table.seated.take(),
            set_up: false,
            checks: 0,
            left: false,
            placed: BTreeMap::new(),
            recent: VecDeque::new(),
            noted: BTreeSet::new(),
            claimed: BTreeSet::new(),
            told: Vec::new(),
            work: 0,
            played: 0,
            allowed: MOST_TOGETHER,
        }
    }

    pub(super) fn give_back(&mut self, table: &mut Seating) {
        table.seated = self.table.take();
    }

    /// Forgets the last test. All tests together may take `left` more steps.
    pub(super) fn begin(&mut self, left: u64) {
        self.set_up = false;
        self.checks = 0;
        self.left = false;
        self.placed.clear();
        self.forget_answers();
        self.told.clear();
        self.work = 0;
        self.allowed = left;
    }

    /// What the test has asked of the engine, in steps.
    pub(super) fn worked(&self) -> u64 {
        self.work.saturating_mul(WORK)
    }

    /// Counts work that the test makes the engine do.
    pub(super) fn work(&mut self, amount: u64) -> Result<(), String> {
        self.work = self.work.saturating_add(amount);
        if self.work > MOST_WORK {
            Err(format!("the test asks too much of the engine: its calls and answers take more than {MOST_WORK} steps"))
        } else if self.worked() > self.allowed {
            Err(too_much_together())
        } else {
            Ok(())
        }
    }

    /// Counts what the hooks of the match have done since this was called last, or since it began anew.
    pub(super) fn work_played(&mut self) -> Result<(), String> {
        let now = self.table.as_ref().map_or(0, |table| table.steps().unsigned_abs());
        let before = std::mem::replace(&mut self.played, now);
        self.work(now.checked_sub(before).unwrap_or(now) / PLAYED)
    }

    pub(super) fn set_up(&mut self, setup: &Setup) -> Result<(), String> {
        self.placed.clear();
        self.forget_answers();
        self.told.clear();
        let done = match self.table.as_mut() {
            Some(table) => {
                // A match that begins without a transcript begins faster, and tests have no use for its first lines.
                table.set_logging(false);
                table.restart(setup)
            }
            None => Match::new(&self.game, setup).map(|table| self.table = Some(table)),
        };
        if let Some(table) = self.table.as_mut() {
            table.set_logging(true);
        }
        self.set_up = done.is_ok();
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
    pub(super) fn table(&mut self) -> Result<&mut Match, String> {
        self.table
            .as_mut()
            .filter(|_| self.set_up)
            .ok_or_else(|| "there is no match yet: call t.setup first".to_owned())
    }

    /// Does something with the match that the engine may refuse.
    pub(super) fn engine<T>(&mut self, act: impl FnOnce(&mut Match) -> Result<T, MatchError>) -> Result<T, String> {
        act(self.table()?).map_err(|error| error.to_string())
    }

    pub(super) fn players(&mut self) -> Result<u8, String> {
        Ok(self.table()?.setup().players)
    }

    /// Does something with the names of the game at this table.
    pub(super) fn names<T>(&mut self, act: impl FnOnce(&Names) -> Result<T, String>) -> Result<T, String> {
        let players = self.players()?;
        act(&Names::new(&self.game, players))
    }

    /// The decision that a seat has to answer now.
    pub(super) fn pending(&mut self, seat: u8) -> Result<Decision, String> {
        let pending = self.table()?.pending();
        let found = pending.into_iter().find(|decision| decision.seat == seat);
        found.ok_or_else(|| format!("player {} has nothing to answer{}", u16::from(seat) + 1, self.by_itself(seat)))
    }

    /// Whether a seat has to answer now.
    pub(super) fn is_asked(&mut self, seat: u8) -> Result<bool, String> {
        Ok(self.table()?.pending().iter().any(|decision| decision.seat == seat))
    }

    /// The questions of all seats that answered themselves since the last answer.
    fn automatic(&self) -> Vec<(Place, Automatic)> {
        let Some(table) = self.table.as_ref().filter(|_| self.set_up) else { return Vec::new() };
        let mut places: BTreeMap<(u64, u8), usize> = BTreeMap::new();
        let numbered = |automatic: Automatic| {
            let (step, seat) = (automatic.step, automatic.decision.seat);
            let before = places.entry((step, seat)).or_default();
            *before += 1;
            ((step, seat, *before - 1), automatic)
        };
        table.automatic().into_iter().map(numbered).collect()
    }

    /// Those of a seat that the test has not answered.
    fn unclaimed(&self, seat: u8) -> Vec<(Place, Automatic)> {
        let open =
            |(place, automatic): &(Place, Automatic)| automatic.decision.seat == seat && !self.claimed.contains(place);
        self.automatic().into_iter().filter(open).collect()
    }

    /// Those of a seat that the test has not answered: what was asked, and the single choice.
    pub(super) fn singles(&self, seat: u8) -> Vec<Automatic> {
        self.unclaimed(seat).into_iter().map(|(_, automatic)| automatic).collect()
    }

    /// Answers a question of a seat that has answered itself in the same way; those before it are passed over. False: there is none.
    pub(super) fn claim(&mut self, seat: u8, word: &Word) -> bool {
        let open = self.unclaimed(seat);
        let Some(at) = open.iter().position(|(_, automatic)| fit(&automatic.choice, word).is_some()) else {
            return false;
        };
        self.claimed.extend(open.into_iter().take(at + 1).map(|(place, _)| place));
        true
    }

    /// What a seat was not asked, for a failure.
    pub(super) fn by_itself(&self, seat: u8) -> String {
        let said: Vec<String> = self
            .unclaimed(seat)
            .iter()
            .map(|(_, Automatic { decision, choice, .. })| format!("{}: {}", decision.prompt(&self.game), choice.id))
            .collect();
        if said.is_empty() { String::new() } else { format!("; answered by itself: {}", said.join(", ")) }
    }

    /// Adds what has answered itself to the recent answers.
    pub(super) fn note_automatic(&mut self) {
        for (place, Automatic { decision, choice, .. }) in self.automatic() {
            if self.noted.insert(place) {
                self.remember(format!("player {} {} (by itself)", u16::from(decision.seat) + 1, choice.id));
            }
        }
    }

    fn remember(&mut self, answer: String) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(answer);
    }

    /// What a seat may choose now.
    pub(super) fn choices(&mut self, seat: u8) -> Result<Vec<Choice>, String> {
        self.pending(seat)?;
        self.engine(|table| table.legal_of(seat))
    }

    /// Answers for a seat and remembers it for the report of a failure.
    pub(super) fn answer(&mut self, seat: u8, index: usize, id: &str) -> Result<(), String> {
        self.work(1)?;
        self.engine(|table| table.answer_as(seat, index))?;
        self.work_played()?;
        self.remember(format!("player {} {id}", u16::from(seat) + 1));
        self.note_automatic();
        Ok(())
    }

    /// The transcript since `t.setup`.
    pub(super) fn told(&mut self) -> Result<&[Line], String> {
        let said = self.table()?.take_log();
        self.told.extend(said);
        Ok(&self.told)
    }

    /// Results of `t.random` that nothing has used.
    pub(super) fn chance_left(&mut self) -> usize {
        self.table().map_or(0, |table| table.edit().chance_left())
    }

    /// Whether somebody has still to answer.
    pub(super) fn is_open(&self) -> bool {
        self.set_up && self.table.as_ref().is_some_and(|table| table.decision().is_some())
    }

    /// Where the match stands, on lines of their own: phase, open decisions with their choices, last answers.
    pub(super) fn position(&mut self) -> String {
        let Ok(table) = self.table() else { return String::new() };
        let mut lines = vec![match table.outcome() {
            Some(outcome) => format!("the game is over after round {}: {}", outcome.rounds, outcome.reason),
            None => {
                let phase = table.phase();
                let mut functions = table.game().functions().iter();
                let script = functions.find(|function| function.of == phase && function.file.ends_with("/phases.luau"));
                let place = script.map(|script| format!(" ({}:{})", script.file, script.line)).unwrap_or_default();
                format!("round {}, phase {phase}{place}", table.round())
            }
        }];
        for decision in table.pending() {
            let prompt = decision.prompt(table.game()).to_owned();
            let choices = match table.legal_of(decision.seat) {
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

/// What the test says that takes the last steps of all.
pub(super) fn too_much_together() -> String {
    "the tests take too many steps together, and those after this one were not run: `lode test --filter TEXT` runs some of them".to_owned()
}

/// The ids of choices, as they are shown.
pub(super) fn ids(choices: &[Choice]) -> String {
    let mut ids: Vec<String> = choices.iter().take(MOST_CHOICES).map(|choice| choice.id.clone()).collect();
    if choices.len() > MOST_CHOICES {
        ids.push(format!("and {} more", choices.len() - MOST_CHOICES));
    }
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(", ") }
}

/// How well a choice fits what a test wrote: by its id, then by the number of its token or cell, then by its label.
fn fit(choice: &Choice, word: &Word) -> Option<u8> {
    let text = word.to_string();
    if choice.id == text {
        return Some(0);
    }
    match word {
        Word::Number(number) => match choice.what {
            Chosen::Token { token: n, .. } | Chosen::Cell { cell: n, .. } if n == *number => Some(1),
            _ => None,
        },
        Word::Text(text) if choice.label == *text => Some(2),
        _ => None,
    }
}

/// The choice that a test means; the first of those that fit equally well.
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

    /// Refuses arguments beyond those that a method takes.
    pub(super) fn at_most(&self, count: usize) -> Result<(), String> {
        let given = self.values.iter().rposition(|value| !value.is_nil()).map_or(0, |last| last + 1);
        if given > count { Err(format!("t.{} takes {count} arguments, got {given}", self.method)) } else { Ok(()) }
    }
}
