//! Asks a person for a decision.

use std::io::{BufRead, IsTerminal, Write};

use motherlode::declare::{Declarations, Rule, Turns, Visibility};
use motherlode::tools::nearest;
use motherlode::{Decision, MatchError};
use motherlode_table::refused::by_reason;
use motherlode_table::{Question, View};

use super::pick::pick;
use super::session::{Session, Turn, UndoResult};
use crate::fault::Fault;
use crate::paint;

/// The text for `?`.
const HELP: &str = "\
  3         choose: type a choice's number, or the start of its name
  ? NAME    show a card, a tile, a place or a phase in full; for any other word, show the rules that mention it
  u         undo: go back to your previous decision
  why       show what you cannot choose now, and why not
  o         show the whole table
  k         show what the symbols of the table mean
  l         show the log of the match
  t         print this position as a rule test, with hidden information (alone, or if the game hides nothing)
  q         leave (a match with --save can be resumed)
  ?         this help";

/// Maximum cards shown for a name, or rules for a word.
const MAX_SHOWN: usize = 6;
/// Maximum letters of an ending: `collapse` finds `collapses`.
const ENDING: usize = 2;
/// Minimum letters of a stem that may have another ending.
const STEM: usize = 4;

impl Session<'_> {
    /// Asks a person until the answer is legal.
    pub(super) fn person(
        &mut self,
        decision: Decision,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> Result<Turn, Fault> {
        let seat = decision.seat;
        self.played.focus(seat)?;
        self.hand_over(seat, input, out)?;
        let text = motherlode_table::Text::new(&self.faces, paint::width());
        self.transcript.heading(self.game, &text, (self.played.round(), decision.phase_index()), out)?;
        if self.seats.guests() > 1 {
            self.transcript.print_private(seat, out)?;
        }
        let view = View::of(&self.played, &self.faces, Some(seat));
        let Some(question) = view.question.clone() else { return Err(MatchError::NotPending { seat }.into()) };
        let table = match self.shown[usize::from(seat)].replace(view.clone()) {
            Some(before) => text.changes(&before, &view),
            None => text.whole(&view),
        };
        if !table.trim_end().is_empty() {
            writeln!(out, "{}", table.trim_end())?;
        }
        self.ask(&view, &question, out)?;
        loop {
            write!(out, "{}> ", paint::seat(self.game.declarations(), seat))?;
            out.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(out)?;
                return Ok(Turn::Left);
            };
            let typed = line.trim();
            match typed.to_lowercase().as_str() {
                "" => {}
                "q" | "quit" | "exit" | "leave" => return Ok(Turn::Left),
                "help" => writeln!(out, "{HELP}")?,
                "w" | "why" => self.explain_refusals(seat, out)?,
                "o" | "table" => {
                    write!(out, "{}", self.text().whole(&view))?;
                    self.ask(&view, &question, out)?;
                }
                "k" | "key" => match self.text().key(&view) {
                    key if key.is_empty() => writeln!(out, "this table has no symbols")?,
                    key => write!(out, "{key}")?,
                },
                "l" | "log" => {
                    let text = motherlode_table::Text::new(&self.faces, paint::width());
                    self.transcript.print_all(self.game, &text, seat, out)?;
                }
                "t" if self.seats.guests() > 1 && hides_anything(self.game.declarations()) => {
                    writeln!(out, "this shows hidden information, so it works only if you play alone")?
                }
                "t" => write!(out, "{}", motherlode_play::rule_test::position(&self.played)?.text)?,
                "u" | "undo" => {
                    let undone = self.undo(seat)?;
                    let (text, is_undone) = told(undone);
                    writeln!(out, "{text}")?;
                    if is_undone {
                        return Ok(Turn::Undone);
                    }
                }
                asked if asked.starts_with('?') => match typed.trim_matches(['?', ' ']) {
                    "" | "help" => writeln!(out, "{HELP}")?,
                    name => self.explain(&view, name, out)?,
                },
                _ => match pick(&question.choices, typed) {
                    Ok(index) => {
                        let point = self.undo_point(seat);
                        self.save_on_failure(self.check(index))?;
                        let done = self.answer(seat, index, out);
                        self.save_on_failure(done)?;
                        self.history.push(point);
                        return Ok(Turn::Answered);
                    }
                    Err(hint) => writeln!(out, "{hint}")?,
                },
            }
        }
    }

    /// Checks that a choice exists; if not, the program has a bug.
    fn check(&self, index: usize) -> Result<(), Fault> {
        let count = self.played.choices().len();
        if index < count { Ok(()) } else { Err(MatchError::BadChoice { index, count }.into()) }
    }

    fn ask(&mut self, view: &View, question: &Question, out: &mut dyn Write) -> Result<(), Fault> {
        let faint = paint::faint();
        write!(out, "\n{}", self.text().question(view, question))?;
        if !std::mem::replace(&mut self.keys_shown, true) {
            writeln!(
                out,
                "{faint}? shows help, ? NAME shows a card or a rule; u undo, o table, k symbols, l log, q leave{faint:#}"
            )?;
        }
        Ok(())
    }

    /// Shows what a seat cannot choose now, and why.
    fn explain_refusals(&self, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        let refusals = self.played.refusals(seat)?;
        if refusals.is_empty() {
            writeln!(out, "nothing is refused: the choices are all that the rules list now")?;
        }
        for (names, reason) in by_reason(refusals) {
            write!(out, "{}", paint::hanging(&format!("{names}:"), 4, &reason, paint::width()))?;
        }
        Ok(())
    }

    /// Shows the places and cards with a name; else the cards whose name contains the word, the phase, or the rules that mention it.
    fn explain(&self, view: &View, name: &str, out: &mut dyn Write) -> Result<(), Fault> {
        let places = self.text().places(view, name);
        write!(out, "{places}")?;
        let mut found = self.faces.named(name);
        if !places.is_empty() {
            found.retain(|face| face.name.eq_ignore_ascii_case(name));
        }
        for face in found.iter().take(MAX_SHOWN) {
            write!(out, "{}", self.text().card(face))?;
        }
        if found.len() > MAX_SHOWN {
            let names: Vec<&str> = found.iter().skip(MAX_SHOWN).map(|face| face.name.as_str()).collect();
            write!(out, "{}", paint::hanging("and", 4, &names.join(", "), paint::width()))?;
        }
        if !places.is_empty() || found.iter().any(|face| face.name.eq_ignore_ascii_case(name)) {
            return Ok(());
        }
        let phases = &self.game.declarations().phases;
        let is = |phase: &&motherlode::declare::Phase| phase.name.eq_ignore_ascii_case(name);
        let phase = phases.get(name).or_else(|| phases.values().find(is));
        if let Some(phase) = phase.filter(|phase| !phase.text.is_empty()) {
            write!(out, "{}", paint::hanging(&format!("{}:", phase.name), 4, &phase.text, paint::width()))?;
            return Ok(());
        }
        let rules = &self.game.declarations().rules;
        let of_number = rules.iter().find(|rule| rule.number.eq_ignore_ascii_case(name));
        let with = |words: &str, ending| rules.iter().filter(|rule| mentions(rule, words, ending)).collect();
        let mut found_rules: Vec<&Rule> = of_number.map_or_else(|| with(name, ENDING), |rule| vec![rule]);
        // `scoring` also finds `scores`.
        if let Some((stem, _)) = name.char_indices().nth_back(ENDING).map(|(at, _)| name.split_at(at))
            && found_rules.is_empty()
            && stem.chars().count() >= STEM
        {
            found_rules = with(stem, 2 * ENDING);
        }
        for rule in found_rules.iter().take(MAX_SHOWN) {
            write!(out, "{}", paint::hanging(&rule.number, 6, &rule.text.replace('*', ""), paint::width()))?;
        }
        if found_rules.len() > MAX_SHOWN {
            let more = paint::plural(found_rules.len() - MAX_SHOWN, "more rule");
            writeln!(out, "and {more}; see all with `lode rules {}`", self.game.declarations().id)?;
        }
        if found.is_empty() && found_rules.is_empty() {
            let names = self.faces.iter().map(|face| face.name.as_str());
            let near = nearest(name, names).map(|near| format!("; did you mean `{near}`?"));
            let hint =
                near.unwrap_or_else(|| format!("; see the rules with `lode rules {}`", self.game.declarations().id));
            writeln!(out, "no card is called `{name}`, and no rule mentions it{hint}")?;
        }
        Ok(())
    }

    /// Clears the screen between people who share a terminal, if the game has secrets.
    fn hand_over(&mut self, seat: u8, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Fault> {
        let before = self.shown_to.replace(seat);
        let secrets =
            has_secrets(self.game.declarations()) || self.played.is_simultaneous() || self.transcript.has_secrets();
        let alone = self.seats.guests() < 2 || before == Some(seat) || !secrets;
        if alone || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Ok(());
        }
        // Bypass `out`, which would replace this escape sequence as if it came from content.
        out.flush()?;
        write!(anstream::stdout(), "\x1b[2J\x1b[H")?;
        write!(out, "{}: press Enter when nobody else is looking ", paint::seat(self.game.declarations(), seat))?;
        out.flush()?;
        read_line(input)?;
        // The table is not on the screen any more.
        self.shown[usize::from(seat)] = None;
        Ok(())
    }
}

/// The result of an undo in words, and whether anything was taken back.
fn told(undone: UndoResult) -> (&'static str, bool) {
    match undone {
        UndoResult::First => ("this is your first decision", false),
        UndoResult::Refused => ("cannot undo: another player has answered, or something was revealed", false),
        UndoResult::Clean => ("back to your previous decision", true),
        UndoResult::AfterReveal => ("back to your previous decision; you have seen what followed it", true),
    }
}

/// Whether a rule has these words in this order, each whole except for `ending` letters at the end.
fn mentions(rule: &Rule, words: &str, ending: usize) -> bool {
    let wanted = words.to_lowercase();
    let text = format!("{} {}", rule.section, rule.text).to_lowercase();
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    let ends = |at: usize| {
        let rest: Vec<char> = text[at..].chars().take_while(|letter| letter.is_alphanumeric()).collect();
        rest.len() <= ending && rest.iter().all(|letter| letter.is_alphabetic())
    };
    text.match_indices(&wanted).any(|(at, _)| begins(at) && ends(at + wanted.len()))
}

/// Whether a player can have information that another has not.
fn has_secrets(game: &Declarations) -> bool {
    let own = |visible: Visibility| {
        matches!(visible, Visibility::Owner | Visibility::Secret | Visibility::Others | Visibility::Face)
    };
    game.counters.values().any(|counter| own(counter.visible))
        || game.zones.values().any(|zone| own(zone.visible))
        || game.phases.values().any(|phase| phase.turns == Turns::Sealed)
        || game.prompts.values().any(|prompt| prompt.secret)
}

/// Whether somebody cannot see all of a position.
fn hides_anything(game: &Declarations) -> bool {
    let hidden = |visible: Visibility| visible != Visibility::Public;
    has_secrets(game)
        || game.counters.values().any(|counter| !counter.internal && hidden(counter.visible))
        || game.zones.values().any(|zone| !zone.internal && hidden(zone.visible))
}

/// Reads a line of input; `None` at the end. Replaces invalid UTF-8, which makes a wrong answer.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, Fault> {
    let mut line = Vec::new();
    let read = input.read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
