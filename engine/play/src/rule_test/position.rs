//! Writes a position of a match as a rule test, for designers who meet it at the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use motherlode::declare::{Domain, Holder, OptionValue};
use motherlode::tools::{Change, Spot, diff, word};
use motherlode::{Choice, ChoiceItem, Game, Match, MatchError, Observation, Setup, TurnsView};

use super::case::{self, Case, MOST_TOGETHER, Seating};
use super::names::Names;
use super::values::Word;

/// A position as a rule test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionTest {
    /// The test, for the table that a test file returns.
    pub text: String,
    /// Facts that a test cannot set, in words; the text lists them too.
    pub unset: Vec<String>,
}

/// Maximum answers of a phase that a test repeats, if it can begin later.
const MANY: usize = 24;

/// The note for a player who is out of the game, which a test cannot set.
const OUT: &str = "is out of the game";

/// Maximum columns of a line.
const WIDTH: usize = 120;

/// Writes the position of a match: the setup, the differences from its beginning, the phase, and the answers since
/// the phase or turn began.
///
/// Each step is executed while it is written, so the test passes.
///
/// # Errors
/// The answers of the match cannot be replayed.
pub fn position(played: &Match) -> Result<PositionTest, MatchError> {
    let history = History::of(played)?;
    // A later start makes a shorter test; a start before the phase preserves more of the match.
    let mut starts = vec![(history.phase, true), (history.turn, true), (history.phase, false), (history.turn, false)];
    if history.steps.len() - 1 - history.phase > MANY {
        starts.swap(0, 1);
    }
    let mut best: Option<TestWriter<'_>> = None;
    for (from, early) in starts {
        let Ok(writer) = TestWriter::write(&history, from, early) else { continue };
        let exact = writer.unset.is_empty();
        if best.as_ref().is_none_or(|best| writer.unset.len() < best.unset.len()) {
            best = Some(writer);
        }
        if exact {
            break;
        }
    }
    // As a last resort, repeat all answers, which always leads to the same position.
    let writer = match best {
        Some(writer) => writer,
        None => TestWriter::write(&history, 0, true).map_err(MatchError::Position)?,
    };
    Ok(writer.finish(played))
}

/// The path to a position.
struct History<'m> {
    game: &'m Game,
    setup: &'m Setup,
    /// The position after each number of answers.
    steps: Vec<HistoryStep>,
    /// The answers: seat and choice.
    answers: Vec<(u8, Choice)>,
    /// Number of answers before the phase began, and before the turn began.
    phase: usize,
    turn: usize,
}

/// A position on the path.
struct HistoryStep {
    words: Vec<i32>,
    seen: Observation,
    round: i32,
    phase: usize,
    /// Pending decisions: seat, prompt and choice ids.
    asked: Vec<(u8, usize, Vec<String>)>,
    /// Whether several seats decide at once.
    is_simultaneous: bool,
    /// Whether a hook waits for an answer; its effects so far cannot be set.
    is_mid_hook: bool,
}

impl HistoryStep {
    fn of(m: &Match) -> Result<Self, MatchError> {
        let ask = |one: motherlode::Decision| {
            let ids = m.legal_of(one.seat)?.into_iter().map(|choice| choice.id).collect();
            Ok((one.seat, one.prompt_index(), ids))
        };
        Ok(Self {
            words: m.state().words().to_vec(),
            // A test begins its phase anew, so turn order and watched exchanges cannot be set.
            seen: Observation {
                turns: TurnsView::default(),
                watched: Vec::new(),
                current: Default::default(),
                ..m.observe(None)
            },
            round: m.round(),
            phase: m.game().declarations().phases.get_index_of(m.phase()).unwrap_or_default(),
            asked: m.pending().into_iter().map(ask).collect::<Result<_, MatchError>>()?,
            is_simultaneous: m.is_simultaneous(),
            is_mid_hook: m.is_mid_hook(),
        })
    }
}

impl<'m> History<'m> {
    fn of(played: &'m Match) -> Result<Self, MatchError> {
        let mut again = Match::new(played.game(), played.setup())?;
        let mut steps = vec![HistoryStep::of(&again)?];
        let mut answers = Vec::new();
        let (mut phase, mut turn) = (0, 0);
        for (at, answer) in (1..).zip(played.answers()) {
            let choices = again.legal_of(answer.seat)?;
            let index = usize::from(answer.index);
            let chosen = choices.get(index).ok_or(MatchError::BadChoice { index, count: choices.len() })?;
            answers.push((answer.seat, chosen.clone()));
            again.answer_as(answer.seat, index)?;
            let step = HistoryStep::of(&again)?;
            let before = &steps[at - 1];
            // The last answer ends the game; the test must give it.
            if !again.is_over() {
                if (before.round, before.phase) != (step.round, step.phase) {
                    (phase, turn) = (at, at);
                } else if !step.is_simultaneous && !step.is_mid_hook {
                    turn = at;
                }
            }
            steps.push(step);
        }
        Ok(Self { game: played.game(), setup: played.setup(), steps, answers, phase, turn })
    }
}

/// Writes the lines of a test and executes them.
struct TestWriter<'m> {
    history: &'m History<'m>,
    case: Case,
    lines: Vec<String>,
    unset: Vec<String>,
}

impl<'m> TestWriter<'m> {
    /// Begins after `from` answers. With `early`, also sets the position before the phase begins.
    fn write(history: &'m History<'m>, from: usize, early: bool) -> Result<Self, String> {
        let case = Case::new(&mut Seating::new(history.game.interpreted(), MOST_TOGETHER));
        let mut writer = Self { history, case, lines: Vec::new(), unset: Vec::new() };
        writer.set_up()?;
        if from > 0 {
            let start = &history.steps[from];
            if early {
                writer.become_like(start);
            }
            writer.go(start)?;
            writer.become_like(start);
        }
        for (at, (seat, choice)) in history.answers.iter().enumerate().skip(from) {
            writer.answer(*seat, choice)?;
            writer.become_like(&history.steps[at + 1]);
        }
        writer.compare()?;
        Ok(writer)
    }

    fn set_up(&mut self) -> Result<(), String> {
        let Setup { players, options, seed } = self.history.setup;
        let (seed, fits) = i32::try_from(*seed).map_or((1, false), |seed| (seed, true));
        let mut parts = vec![format!("players = {players}"), format!("seed = {seed}")];
        let declared = &self.history.game.declarations().options;
        let other = options.iter().filter(|(name, value)| declared.get(*name).is_none_or(|one| one.default != **value));
        let other: Vec<String> = other.map(|(name, value)| format!("{name} = {}", option(value))).collect();
        if !other.is_empty() {
            parts.push(format!("options = {{ {} }}", other.join(", ")));
        }
        self.lines.push(format!("t.setup {{ {} }}", parts.join(", ")));
        let setup = Setup { seed: if fits { self.history.setup.seed } else { 1 }, ..self.history.setup.clone() };
        self.case.begin(MOST_TOGETHER);
        self.case.set_up(&setup)
    }

    fn go(&mut self, start: &HistoryStep) -> Result<(), String> {
        let d = self.history.game.declarations();
        let (name, _) = d.phases.get_index(start.phase).ok_or("no such phase")?;
        let first = start.asked.first().filter(|_| !start.is_simultaneous).map(|(seat, ..)| *seat);
        let with = first.map(|seat| format!(", first = {}", u16::from(seat) + 1)).unwrap_or_default();
        let (phase, round) = (start.phase, start.round);
        self.case.engine(|m| m.edit().begin_phase(phase, Some(round), first))?;
        self.case.note_automatic();
        self.lines.push(format!("t.go({name:?}, {{ round = {round}{with} }})"));
        Ok(())
    }

    fn answer(&mut self, seat: u8, meant: &Choice) -> Result<(), String> {
        let player = u16::from(seat) + 1;
        let id = Word::Text(meant.id.clone());
        // An automatic answer with the same id would be claimed in place of this one.
        while self.case.claim(seat, &id) {
            self.lines.push(format!("t.answer({player}, {:?})", meant.id));
        }
        let choices = self.case.choices(seat)?;
        let same = |one: &Choice| one.key() == meant.key();
        let index = choices.iter().position(|one| one.what == meant.what && same(one));
        let index = index.or_else(|| choices.iter().position(same));
        let index = index.ok_or_else(|| format!("{} is not offered", meant.id))?;
        let number = match choices[index].what {
            ChoiceItem::Token { token, .. } => Some(token),
            ChoiceItem::Cell { cell, .. } => Some(cell),
            _ => None,
        };
        let exact = case::find(&choices, &id) == Some(index);
        let word = match number.filter(|_| !exact) {
            Some(number) => Word::Number(number),
            None if exact => id,
            None => return Err(format!("{} is offered twice", meant.id)),
        };
        if case::find(&choices, &word) != Some(index) {
            return Err(format!("{} is indistinguishable from another choice", meant.id));
        }
        self.lines.push(format!("t.answer({player}, {})", quote(&word)));
        self.case.answer(seat, index, &meant.id)
    }

    /// Sets all differences from `wanted`; [`Self::compare`] finds those that cannot be set.
    fn become_like(&mut self, wanted: &HistoryStep) {
        self.put(wanted);
        self.turn(wanted);
        for change in self.changes(wanted) {
            if let Change::Counter { counter, holder, to: Some(value), .. } = change {
                self.set(counter, holder, value);
            }
        }
    }

    fn changes(&mut self, wanted: &HistoryStep) -> Vec<Change> {
        let layout = self.history.game.layout();
        self.case.current_match().map(|m| diff(layout, m.state().words(), &wanted.words)).unwrap_or_default()
    }

    /// Fills the piles that differ.
    fn put(&mut self, wanted: &HistoryStep) {
        let mut piles = BTreeSet::new();
        for change in self.changes(wanted) {
            match change {
                Change::Moved { from, to, .. } => {
                    piles.extend([from, to].into_iter().filter_map(|spot| match spot {
                        Spot::Pile(pile) => Some(pile),
                        Spot::Nowhere | Spot::Unseen => None,
                    }));
                }
                Change::Order { pile } => {
                    piles.insert(pile);
                }
                _ => {}
            }
        }
        let (game, players) = (self.history.game, self.history.setup.players);
        let names = Names::new(game, players);
        for pile in piles {
            let of = &game.layout().piles[pile];
            let Some((zone, declared)) = game.declarations().zones.get_index(of.zone) else { continue };
            let len = usize::try_from(wanted.words[of.offset]).unwrap_or_default();
            let tokens = wanted.words[of.offset + 1..=of.offset + len].to_vec();
            let list: Vec<String> =
                tokens.iter().map(|&token| reference(&names, game, token, &declared.holds, of.holder)).collect();
            let list: Vec<String> = list.iter().map(|name| format!("{name:?}")).collect();
            if self.case.engine(|m| m.edit().set_zone(of.zone, of.holder, &tokens)).is_ok() {
                let whose = if of.holder == 0 { String::new() } else { format!("{}, ", of.holder) };
                self.lines.extend(wrap_call(&format!("t.put({zone:?}, {whose}{{"), &list, "})"));
            }
        }
    }

    /// Turns tokens, and shows them to players.
    fn turn(&mut self, wanted: &HistoryStep) {
        let game = self.history.game;
        let names = Names::new(game, self.history.setup.players);
        let kinds: Vec<usize> = (0..game.declarations().kinds.len()).collect();
        let kinds: Vec<usize> = kinds.into_iter().filter(|&kind| game.declarations().kinds[kind].tokens).collect();
        for change in self.changes(wanted) {
            match change {
                Change::Face { token: Some(token), up, .. }
                    if self.case.engine(|m| m.edit().set_face_up(token, up)).is_ok() =>
                {
                    let name = reference(&names, game, token, &kinds, 0);
                    self.lines.push(format!("t.turn_{}({name:?})", if up { "up" } else { "down" }));
                }
                Change::Witness { token, player, seen: true } => {
                    let Some(seat) = u8::try_from(player - 1).ok() else { continue };
                    if self.case.engine(|m| m.edit().show(token, seat)).is_ok() {
                        let name = reference(&names, game, token, &kinds, 0);
                        self.lines.push(format!("t.show({name:?}, {player})"));
                    }
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, counter: usize, holder: i32, value: i32) {
        let game = self.history.game;
        let d = game.declarations();
        let names = Names::new(game, self.history.setup.players);
        let Some((name, declared)) = d.counters.get_index(counter) else { return };
        let of = match declared.per {
            Holder::Game => "\"game\"".to_owned(),
            Holder::Player => holder.to_string(),
            Holder::Cell(grid) => format!("{:?}", names.cell_name(grid, holder)),
            Holder::Token(_) => {
                let kinds: Vec<usize> = (0..d.kinds.len()).filter(|&kind| d.is_of(declared.per, kind)).collect();
                format!("{:?}", reference(&names, game, holder, &kinds, 0))
            }
        };
        let text = match declared.means {
            Domain::Token if value != 0 => {
                let kinds: Vec<usize> = (0..d.kinds.len()).filter(|&kind| d.kinds[kind].tokens).collect();
                format!("{:?}", reference(&names, game, value, &kinds, 0))
            }
            Domain::Player => value.to_string(),
            _ => {
                let shown = names.show_value(counter, value);
                if shown == value.to_string() { shown } else { format!("{shown:?}") }
            }
        };
        if self.case.engine(|m| m.edit().set_counter(holder, counter, value)).is_ok() {
            self.lines.push(format!("t.set({of}, {name:?}, {text})"));
        }
    }

    /// Records the remaining differences from the position.
    fn compare(&mut self) -> Result<(), String> {
        let wanted = &self.history.steps[self.history.steps.len() - 1];
        let reached = HistoryStep::of(self.case.current_match()?).map_err(|error| error.to_string())?;
        if reached.asked != wanted.asked {
            self.unset.push("the pending decisions".to_owned());
        }
        let names = Names::new(self.history.game, self.history.setup.players);
        let left =
            reached.seen.players.iter().zip(&wanted.seen.players).filter(|(here, there)| here.is_in != there.is_in);
        self.unset.extend(left.map(|(_, seat)| format!("{} {}", seat.name, OUT)));
        let before = self.unset.len();
        if reached.seen != wanted.seen {
            let d = self.history.game.declarations();
            for change in diff(self.history.game.layout(), &reached.words, &wanted.words) {
                match change {
                    Change::Counter { counter, holder, to: Some(value), .. } => {
                        let shown = names.show_value(counter, value);
                        let of = names.show_counter(counter, &Word::Number(holder));
                        self.unset.push(format!("{of}: {shown}"));
                    }
                    Change::Moved { to: Spot::Pile(pile), .. } | Change::Order { pile } => {
                        let of = &self.history.game.layout().piles[pile];
                        self.unset.push(names.show_zone(of.zone, of.holder));
                    }
                    _ => {}
                }
            }
            if self.unset.len() == before
                && !self.unset.iter().any(|one| one.ends_with(OUT))
                && reached.words[word::ROUND] == wanted.words[word::ROUND]
            {
                let phase = d.phases.get_index(wanted.phase).map_or("", |(name, _)| name.as_str());
                self.unset.push(format!("the current turn in phase {phase}"));
            }
        }
        self.unset.dedup();
        Ok(())
    }

    fn finish(mut self, played: &Match) -> PositionTest {
        let d = self.history.game.declarations();
        let mut checks = Vec::new();
        match played.outcome() {
            Some(outcome) => {
                let list = |numbers: Vec<String>| numbers.join(", ");
                let ranks = list(outcome.ranks.iter().map(ToString::to_string).collect());
                let scores = list(outcome.scores.iter().map(ToString::to_string).collect());
                checks.push(format!("t.over {{ ranks = {{ {ranks} }}, scores = {{ {scores} }} }}"));
            }
            None if self.unset.is_empty() => {
                let wanted = &self.history.steps[self.history.steps.len() - 1];
                for (seat, prompt, ids) in &wanted.asked {
                    let player = u16::from(*seat) + 1;
                    let name = d.prompts.get_index(*prompt).map_or("", |(name, _)| name.as_str());
                    checks.push(format!("t.prompt({player}, {name:?})"));
                    let ids: Vec<String> = ids.iter().map(|id| format!("{id:?}")).collect();
                    checks.extend(wrap_call(&format!("t.choices({player}, {{"), &ids, "})"));
                }
                checks.push("t.left()".to_owned());
            }
            None => {
                let phase = self.case.current_match().map(|m| m.phase().to_owned()).unwrap_or_default();
                checks.extend([format!("t.phase({phase:?})"), "t.left()".to_owned()]);
            }
        }
        let answers = self.history.answers.len();
        let mut text =
            format!("[\"{}, seed {}, after {answers} answers\"] = function(t)\n", d.id, self.history.setup.seed);
        let unset = self.unset.iter().map(|what| format!("-- not set: {what}"));
        for line in self.lines.drain(..).chain(unset).chain(checks) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {line}");
        }
        text.push_str("end,\n");
        PositionTest { text, unset: self.unset }
    }
}

/// A token in test syntax, among those of these kinds that a holder may have: its id, with its number if there are
/// several.
fn reference(names: &Names<'_>, game: &Game, token: i32, kinds: &[usize], holder: i32) -> String {
    let id = names.id(token);
    let at = usize::try_from(token - 1).unwrap_or_default();
    let owner = game.layout().tokens.get(at).map_or(0, |info| info.owner);
    let among = |text: &str| names.tokens_of(text, kinds, holder).unwrap_or_default();
    let whose = format!("{id}@{owner}");
    let (all, text) = match among(id) {
        all if owner == 0 || all.len() == 1 => (all, (id.to_owned(), String::new())),
        _ => (among(&whose), (id.to_owned(), format!("@{owner}"))),
    };
    let which = all.iter().position(|&one| one == token).filter(|_| all.len() > 1);
    let which = which.map(|which| format!("#{}", which + 1)).unwrap_or_default();
    format!("{}{which}{}", text.0, text.1)
}

fn quote(word: &Word) -> String {
    match word {
        Word::Text(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}

fn option(value: &OptionValue) -> String {
    match value.to_string() {
        plain if plain.parse::<i32>().is_ok() || plain == "true" || plain == "false" => plain,
        text => format!("{text:?}"),
    }
}

/// A call with a list, wrapped to the line width.
fn wrap_call(begin: &str, list: &[String], end: &str) -> Vec<String> {
    let flat = format!("{begin} {} {end}", list.join(", "));
    if list.is_empty() {
        return vec![format!("{begin}{end}")];
    }
    if flat.len() + 4 <= WIDTH {
        return vec![flat];
    }
    let mut lines = vec![begin.to_owned()];
    let mut line = String::new();
    for item in list {
        if !line.is_empty() && line.len() + item.len() + 10 > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(if line.is_empty() { "    " } else { " " });
        let _ = write!(line, "{item},");
    }
    lines.extend([line, end.to_owned()]);
    lines
}
