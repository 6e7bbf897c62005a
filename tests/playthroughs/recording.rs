//! A match played by chance, told step by step.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use motherlode::tools::{Sight, player_name};
use motherlode::{Choice, Decision, Line, Match, Observation, TurnsView};

use super::told;
use crate::shipped::{Player, Variant};

/// The table and every seat.
fn viewers(m: &Match) -> impl Iterator<Item = Option<u8>> + use<> {
    std::iter::once(None).chain((0..m.setup().players).map(Some))
}

/// The position as one of them sees it.
struct View {
    seat: Option<u8>,
    words: Vec<i32>,
    observation: Observation,
}

impl View {
    fn of(m: &Match, seat: Option<u8>) -> Self {
        Self { seat, words: m.words_for(seat), observation: m.observe(seat) }
    }

    fn sight<'a>(&'a self, m: &'a Match) -> Sight<'a> {
        Sight { declared: m.game().declarations(), layout: m.game().layout(), words: &self.words, seat: self.seat }
    }
}

/// Longest line on which a decision and what came of it stand together.
const LONGEST: usize = 150;

/// A recording in the making.
struct Recording {
    out: String,
    /// The choices last offered, by prompt.
    offered: BTreeMap<usize, Vec<String>>,
    /// Round and phase of the last heading.
    heading: Option<(i32, usize)>,
    /// The decisions of which nothing has come yet, and who made them: they stand on one line.
    open: Option<(u8, String)>,
    /// How the transcript repeats the decisions.
    echoes: Vec<String>,
}

/// Plays a match of a variant and tells it.
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
    /// What there is before the first decision, as the table sees it: all that is not 0, and where the tokens lie.
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

    /// Who decides what, and the choice.
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

    /// The choices; of a long list only what became other since the prompt last asked.
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

    /// What the transcript says of an answer, and what it changed; returns the views after it.
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

    /// The lines of a transcript that do more than repeat a decision. Of those that repeat secret ones for their player, which the
    /// others see covered, one of each player.
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

/// What a seat is shown changes only if it is told of a change: a leak in what is shown would be none in what changed.
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
