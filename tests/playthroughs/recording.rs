//! Records a random match step by step.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use motherlode::tools::{Sight, player_name};
use motherlode::{Choice, Decision, Line, Match, Observation, TurnsView};

use super::told;
use crate::shipped::{Player, Variant};

/// The table (`None`) and every seat.
fn viewers(m: &Match) -> impl Iterator<Item = Option<u8>> + use<> {
    std::iter::once(None).chain((0..m.setup().players).map(Some))
}

/// The position as a viewer sees it.
struct View {
    seat: Option<u8>,
    words: Vec<i32>,
    observation: Observation,
}

impl View {
    fn of(m: &Match, seat: Option<u8>) -> Self {
        Self { seat, words: m.words_for(seat).into_owned(), observation: m.observe(seat) }
    }

    fn sight<'a>(&'a self, m: &'a Match) -> Sight<'a> {
        Sight { declared: m.game().declarations(), layout: m.game().layout(), words: &self.words, seat: self.seat }
    }
}

/// Maximum length of a line that joins a decision and its results.
const LONGEST: usize = 150;

/// A recording in progress.
struct Recording {
    out: String,
    /// The last choices of each prompt.
    offered: BTreeMap<usize, Vec<String>>,
    /// Round and phase of the last heading.
    heading: Option<(i32, usize)>,
    /// Decisions without a result so far, with their seat. They share one line.
    open: Option<(u8, String)>,
    /// The transcript lines that repeat the decisions.
    echoes: Vec<String>,
}

/// Plays a match of a variant and records it.
pub fn record(variant: Variant, seed: u64) -> String {
    let (mut m, mut player) = (variant.begin(seed), Player::new(seed));
    m.set_logging(true);
    let name = &m.game().declarations().name;
    let mut recording = Recording {
        out: format!("{name}, {} players, seed {seed}\n", variant.players),
        offered: BTreeMap::new(),
        heading: None,
        open: None,
        echoes: Vec::new(),
    };
    for (name, value) in &m.setup().options {
        let _ = writeln!(recording.out, "{name} = {value}");
    }
    let mut views: Vec<View> = viewers(&m).map(|seat| View::of(&m, seat)).collect();
    recording.start(&m, &views[0]);
    while let Some(decision) = m.decision() {
        let index = player.choose(m.choices());
        recording.decision(&m, decision, index);
        m.answer(index).unwrap_or_else(|error| panic!("{variant}: {error}"));
        views = recording.came_of_it(&mut m, decision, &views);
    }
    let outcome = m.outcome().expect("the match is over");
    recording.close();
    let _ = writeln!(recording.out, "\nover: {} in round {}", outcome.reason, outcome.rounds);
    let _ = writeln!(recording.out, "scores {:?}\nranks {:?}", outcome.scores, outcome.ranks);
    recording.out
}

impl Recording {
    /// Records the start as the table sees it: all values other than 0, and the places of the tokens.
    fn start(&mut self, m: &Match, table: &View) {
        let nothing = View { words: vec![0; table.words.len()], ..View::of(m, None) };
        let there = told::told(told::changes(&nothing.sight(m), &table.sight(m)), Vec::new());
        let _ = writeln!(self.out, "\n{}", there.join("\n"));
    }

    fn close(&mut self) {
        if let Some((_, decisions)) = self.open.take() {
            let _ = writeln!(self.out, "{decisions}");
        }
    }

    /// Records a decision: the seat, the prompt and the choice.
    fn decision(&mut self, m: &Match, decision: Decision, index: usize) {
        let heading = (m.round(), decision.phase_index());
        if self.heading != Some(heading) {
            self.close();
            self.heading = Some(heading);
            let _ = writeln!(self.out, "\nround {}, {}", m.round(), m.phase());
        }
        let player = i32::from(decision.seat) + 1;
        let prompt = decision.prompt(m.game());
        let choices = m.legal();
        let Choice { id, label, .. } = &choices[index];
        let name = player_name(m.game().declarations(), player);
        self.echoes.push(format!("{name}: {} {label}", decision.text(m.game())));
        let ids = choices.iter().map(|choice| choice.id.clone()).collect();
        let decided = format!("{prompt}: {id} of {}", self.among(decision.prompt_index(), ids));
        match &mut self.open {
            Some((seat, decisions)) if *seat == decision.seat => {
                let _ = write!(decisions, "; {decided}");
            }
            _ => {
                self.close();
                self.open = Some((decision.seat, format!("player {player} {decided}")));
            }
        }
    }

    /// The choices. A long list shows only the changes since the prompt last asked.
    fn among(&mut self, prompt: usize, choices: Vec<String>) -> String {
        let all = choices.join(" ");
        let mut gone = self.offered.insert(prompt, choices.clone()).unwrap_or_default();
        let mut delta = choices.len().to_string();
        for choice in &choices {
            match gone.iter().position(|old| old == choice) {
                Some(at) => drop(gone.remove(at)),
                None => delta += &format!(" +{choice}"),
            }
        }
        for choice in gone {
            delta += &format!(" -{choice}");
        }
        if choices.len() > 6 && delta.len() < all.len() { delta } else { all }
    }

    /// Records the transcript lines and changes of an answer; returns the views after it.
    fn came_of_it(&mut self, m: &mut Match, decision: Decision, before: &[View]) -> Vec<View> {
        let log = m.take_log();
        let after: Vec<View> = before.iter().map(|view| View::of(m, view.seat)).collect();
        let mut spoken = Vec::new();
        let mut changed = Vec::new();
        let news = self.news(&log);
        for (old, new) in before.iter().zip(&after) {
            let changes = told::changes(&old.sight(m), &new.sight(m));
            check(m, decision, old, new, changes.is_empty());
            changed.push(changes);
            spoken.push(news.iter().map(|&(line, echo)| told::spoken(line, echo, new.seat)).collect());
        }
        if !log.is_empty() {
            self.echoes.clear();
        }
        let [spoken, mut changed] = [spoken, changed].map(|mut said| {
            let table = said.remove(0);
            told::told(table, said)
        });
        if m.game().layout().chance().any(|at| before[0].words[at] != after[0].words[at]) {
            changed.push("chance moved on".to_owned());
        }
        if spoken.is_empty() && changed.is_empty() {
            return after;
        }
        let (_, mut line) = self.open.take().unwrap_or_default();
        if !spoken.is_empty() {
            let _ = write!(line, " > {}", spoken.join(" "));
        }
        if !changed.is_empty() {
            let changed = changed.join("; ");
            let between = if line.len() + changed.len() < LONGEST { " | " } else { "\n    " };
            let _ = write!(line, "{between}{changed}");
        }
        let _ = writeln!(self.out, "{line}");
        after
    }

    /// The transcript lines that do more than repeat a decision. Secret echoes give one line per player, because the
    /// others see them covered.
    fn news<'l>(&self, log: &'l [Line]) -> Vec<(&'l Line, bool)> {
        let mut news: Vec<(&Line, bool)> = Vec::new();
        for line in log {
            let echo = self.echoes.iter().any(|echo| echo == line.text());
            let again = news.iter().any(|(other, echo)| *echo && other.seat() == line.seat());
            if !echo || line.seat().is_some() && !again {
                news.push((line, echo));
            }
        }
        news
    }
}

/// Checks that a seat's view changes only with a recorded change. Otherwise a leak in the view would not appear in the text.
fn check(m: &Match, decision: Decision, old: &View, new: &View, unchanged: bool) {
    let seen = |view: &View| {
        let turns = TurnsView::default();
        Observation { round: 0, phase: String::new(), player: None, turns, ..view.observation.clone() }
    };
    assert!(
        !unchanged || seen(old) == seen(new),
        "what {:?} is shown changed, though nothing it sees did: round {}, {}, after an answer of player {}",
        new.seat,
        m.round(),
        m.phase(),
        decision.seat + 1
    );
}
