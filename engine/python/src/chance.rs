//! Explicit chance: outcomes with names and probabilities.

use full_moon::tokenizer::Token;
use full_moon::visitors::Visitor;
use full_moon::{LuaVersion, parse_fallible};
use motherlode::declare::{Declarations, Script};
use motherlode::{ExplicitChance, Game, Match, MatchError, Setup};
use pyo3::prelude::*;

use crate::error::{ActionError, Error, Fault};

/// Maximum numbers of a draw of numbers whose outcomes are listed.
pub const MOST_NUMBERS: usize = 1000;

/// Functions of scripts with random results.
const DRAWS: [&str; 3] = ["random", "random_hidden", "shuffle"];

/// Begins a match; the result is its chance if the program chooses it.
pub fn begin(m: &mut Match, setup: &Setup, explicit: bool) -> Result<Option<ExplicitChance>, MatchError> {
    m.restart(setup)?;
    explicit.then(|| ExplicitChance::begin(m)).transpose()
}

/// Gives the open draw its result.
pub fn choose(chance: &mut ExplicitChance, m: &mut Match, outcome: i64) -> Result<(), Fault> {
    let Ok(outcome) = u32::try_from(outcome) else {
        return Err(ActionError::new_err(format!("the open draw has no outcome {outcome}")).into());
    };
    Ok(chance.choose(m, outcome)?)
}

/// The outcomes of the open draw with their probabilities.
pub fn outcomes(chance: &ExplicitChance) -> PyResult<Vec<(u32, f64)>> {
    if !chance.deals() && chance.count() > MOST_NUMBERS {
        let message = format!("a draw of {} numbers has too many outcomes: at most {MOST_NUMBERS}", chance.count());
        return Err(Error::new_err(message));
    }
    let outcomes = chance.outcomes();
    let whole: u32 = outcomes.iter().map(|outcome| outcome.weight).sum();
    Ok(outcomes.iter().map(|outcome| (outcome.id, f64::from(outcome.weight) / f64::from(whole))).collect())
}

/// The name of an outcome.
pub fn name(game: &Game, chance: &ExplicitChance, outcome: u32) -> PyResult<String> {
    if !chance.outcomes().iter().any(|one| one.id == outcome) {
        return Err(Fault::from(MatchError::BadOutcome { outcome }).into());
    }
    let token = game.layout().tokens.get(outcome as usize - 1).filter(|_| chance.deals());
    Ok(match token {
        None => format!("number:{outcome}"),
        Some(token) => format!("token:{}#{outcome}", game.declarations().definitions[token.definition].id),
    })
}

/// Whether a match may have random results: the game shuffles, or a script names a function that does.
pub fn is_used(d: &Declarations) -> bool {
    d.kinds.values().any(|kind| kind.shuffle)
        || d.zones.values().any(|zone| zone.reshuffle.is_some())
        || d.all_scripts().any(draws)
}

/// Whether a script names a function with random results; comments and texts do not count.
fn draws(script: &Script) -> bool {
    let parsed = parse_fallible(&script.source, LuaVersion::luau());
    let mut names = DrawNames { is_found: !parsed.errors().is_empty() && is_draw(&script.source) };
    names.visit_ast(parsed.ast());
    names.is_found
}

/// Finds the names of functions with random results.
struct DrawNames {
    is_found: bool,
}

impl Visitor for DrawNames {
    fn visit_identifier(&mut self, name: &Token) {
        let name = name.to_string();
        self.is_found |= DRAWS.contains(&name.trim());
    }
}

/// Whether a text contains the name of such a function.
fn is_draw(text: &str) -> bool {
    DRAWS.iter().any(|name| text.contains(name))
}
