//! Records a match decision by decision, and finds where two matches diverge.

use motherlode::{Game, Match, Outcome, Replay, Setup};
use motherlode_play::mix;

/// Maximum decisions of a trace.
const MAX_DECISIONS: usize = 5_000;

/// A match played to its end.
#[derive(Debug)]
pub struct Trace {
    pub setup: Setup,
    steps: Vec<Step>,
    /// The outcome, or the error of the script that ended the match.
    end: Result<Option<Outcome>, String>,
}

/// One decision and its answer.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    round: i32,
    phase: String,
    seat: u8,
    prompt: String,
    choices: Vec<String>,
    answer: Answered,
}

/// An answer. Equal copies of a token have one id, and what follows may depend on which of them was chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    index: usize,
    id: String,
}

impl Answered {
    /// The same choice among these, or one with its id.
    fn among(&self, choices: &[String]) -> Option<usize> {
        let is_same = choices.get(self.index).is_some_and(|id| *id == self.id);
        if is_same { Some(self.index) } else { choices.iter().position(|id| *id == self.id) }
    }
}

impl Trace {
    /// Plays a match with these answers as long as they are legal, then with answers that depend only on the seed.
    pub fn follow(game: &Game, setup: &Setup, answers: &[Answered]) -> Result<Self, String> {
        let mut played = Match::new(game, setup).map_err(|error| error.to_string())?;
        let mut steps = Vec::new();
        let mut wanted = answers.iter();
        while let Some(decision) = played.decision() {
            if steps.len() == MAX_DECISIONS {
                break;
            }
            let choices: Vec<String> = played.legal().into_iter().map(|choice| choice.id).collect();
            let asked = wanted.next().and_then(|wanted| wanted.among(&choices));
            // Once an answer is illegal, the later ones belong to other questions.
            if asked.is_none() {
                wanted = [].iter();
            }
            let random = (mix(setup.seed, steps.len() as u64) % choices.len().max(1) as u64) as usize;
            let index = asked.unwrap_or(random);
            steps.push(Step {
                round: played.round(),
                phase: played.phase().to_owned(),
                seat: decision.seat,
                prompt: decision.prompt(game).to_owned(),
                answer: Answered { index, id: choices.get(index).cloned().unwrap_or_default() },
                choices,
            });
            if let Err(error) = played.answer(index) {
                return Ok(Self { setup: setup.clone(), steps, end: Err(error.to_string()) });
            }
        }
        Ok(Self { setup: setup.clone(), steps, end: Ok(played.outcome()) })
    }

    /// Plays a recorded match and continues from its end.
    pub fn repeat(game: &Game, replay: &Replay) -> Result<Self, String> {
        let mut played = Match::new(game, &replay.setup).map_err(|error| error.to_string())?;
        let mut answers = Vec::new();
        for answer in &replay.answers {
            played.focus(answer.seat).map_err(|error| error.to_string())?;
            let index = usize::from(answer.index);
            let raw = played.choices().get(index).copied();
            answers.extend(raw.map(|raw| Answered { index, id: played.describe(raw).id }));
            played.answer(index).map_err(|error| error.to_string())?;
        }
        Self::follow(game, &replay.setup, &answers)
    }

    /// The answers.
    pub fn answers(&self) -> Vec<Answered> {
        self.steps.iter().map(|step| step.answer.clone()).collect()
    }
}

/// Describes where a match diverges from its earlier version.
pub fn difference(game: &Game, before: &Result<Trace, String>, now: &Result<Trace, String>) -> String {
    let (before, now) = match (before, now) {
        (_, Err(error)) => return format!("The match cannot be played any more: {error}"),
        (Err(_), Ok(_)) => return "The match can be played again".to_owned(),
        (Ok(before), Ok(now)) => (before, now),
    };
    let question = |step: &Step| {
        let seat = crate::paint::seat_name(game.declarations(), step.seat);
        format!("round {}, phase {}: {seat} is asked {}", step.round, step.phase, step.prompt)
    };
    for (number, (old, new)) in (1..).zip(before.steps.iter().zip(&now.steps)) {
        let change = format!("The match changes at decision {number}");
        if (old.seat, &old.phase, &old.prompt, old.round) != (new.seat, &new.phase, &new.prompt, new.round) {
            return format!("{change}\n  Before: {}\n  Now: {}", question(old), question(new));
        }
        if old.choices != new.choices {
            let (old, new) = differing_choices(&old.choices, &new.choices);
            return format!("{change}, {}\n  Before: {old}\n  Now: {new}", question(&now.steps[number - 1]));
        }
    }
    let (old, new) = (before.steps.len(), now.steps.len());
    if let Err(error) = &now.end {
        return format!("The match fails after decision {new}: {error}");
    }
    if old != new {
        return format!("The match ends after {new} decisions instead of {old}");
    }
    if before.end != now.end {
        let scores = |trace: &Trace| match &trace.end {
            Ok(Some(outcome)) => format!("scores {:?}", outcome.scores),
            Ok(None) => "no result".to_owned(),
            Err(error) => error.clone(),
        };
        let (old, now) = (scores(before), scores(now));
        return format!(
            "The result of the match changes after the same {new} decisions\n  Before: {old}\n  Now: {now}"
        );
    }
    format!("The match is unchanged: all {new} decisions and the result are the same")
}

/// Describes both lists of choices by the choices that the other lacks.
fn differing_choices(old: &[String], new: &[String]) -> (String, String) {
    let describe = |all: &[String], others: &[String], label: &str| {
        let count = crate::paint::plural(all.len(), "choice");
        match missing(all, others) {
            own if own.is_empty() => count,
            own => format!("{count}, {label}: {}", own.join(", ")),
        }
    };
    if missing(old, new).is_empty() && missing(new, old).is_empty() {
        return (old.join(", "), new.join(", "));
    }
    (describe(old, new, "no longer offered"), describe(new, old, "newly offered"))
}

/// Items of one list that the other lacks, counting duplicates.
fn missing<'a>(from: &'a [String], in_this: &[String]) -> Vec<&'a str> {
    let mut rest: Vec<&String> = in_this.iter().collect();
    let mut found = Vec::new();
    for choice in from {
        match rest.iter().position(|other| *other == choice) {
            Some(at) => drop(rest.swap_remove(at)),
            None => found.push(choice.as_str()),
        }
    }
    found
}
