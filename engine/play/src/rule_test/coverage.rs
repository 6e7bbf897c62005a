//! Coverage: content that tests and random games never exercised.

use std::collections::BTreeSet;

use motherlode::declare::{AttributeType, Declarations, Definition, Domain, ListenerAction, OptionValue, Value};
use motherlode::tools::Coverage;
use motherlode::{Game, Match, MatchError, Setup};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use crate::bots::reuse::restart;
use crate::seeds::mix;
use crate::simulation::failures::Failures;

/// Maximum decisions of a random game; a longer one would show nothing new.
const MOST_DECISIONS: u64 = 20_000;

/// The coverage of one category of content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoverageRow {
    /// The category: `cards`, `prompts`, ...
    pub sort: &'static str,
    /// Number of items.
    pub all: usize,
    /// Number of exercised items.
    pub exercised: usize,
    /// The items that were never exercised.
    pub never: Vec<UncoveredItem>,
}

/// An item that was never exercised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UncoveredItem {
    /// Its name, for example `buildings.mine` or `target.done`.
    pub name: String,
    /// Its declaration, if known, for example `content/checkers/cards.toml:12`.
    pub place: Option<String>,
}

/// Mean decisions of a random game: with more, fewer games are played, because long games show little new.
const MEAN_DECISIONS: u64 = 2_000;

/// Every so many matches and decisions, the seat to move has its hidden facts redealt, as bots do that look ahead.
const REDEALS: (u64, u64) = (10, 10);

/// Plays random matches of a [counted](Game::counted) game, with all numbers of players and random options. `goes_on`
/// receives the number of matches so far; play ends when it returns false or the game is halted. Returns the number of
/// matches, fewer if they are long, and those aborted by a failing script.
pub fn play_randomly(game: &Game, games: u64, seed: u64, mut goes_on: impl FnMut(u64) -> bool) -> (u64, Failures) {
    let mut failures = Failures::default();
    let mut earlier: Option<Match> = None;
    let mut in_all = 0;
    for number in 0..games {
        if in_all >= games.saturating_mul(MEAN_DECISIONS) || !goes_on(number) {
            return (number, failures);
        }
        let mut draws = 0;
        let mut draw = |below: usize| {
            draws += 1;
            // A list of choices is never empty, and its length fits.
            (mix(mix(seed, number), draws) % below.max(1) as u64) as usize
        };
        let Some(setup) = some_setup(game, number, mix(mix(seed, number), 0), &mut draw) else { continue };
        let m = match restart(&mut earlier, game, &setup) {
            Ok(m) => m,
            Err(MatchError::Halted) => return (number, failures),
            Err(error) => {
                failures.add(&error.to_string(), setup.seed);
                continue;
            }
        };
        m.set_recording(false);
        let redeals = number.is_multiple_of(REDEALS.0);
        let mut decisions = 0;
        while !m.is_over() && decisions < MOST_DECISIONS {
            decisions += 1;
            if let (true, Some(decision)) = (redeals && decisions.is_multiple_of(REDEALS.1), m.decision()) {
                match m.redeal(decision.seat, &mut Pcg64Mcg::seed_from_u64(mix(setup.seed, decisions))) {
                    Ok(_) | Err(MatchError::NoDeal { .. }) => {}
                    Err(MatchError::Halted) => return (number, failures),
                    Err(error) => {
                        failures.add(&error.to_string(), setup.seed);
                        break;
                    }
                }
            }
            let index = draw(m.choices().len());
            match m.answer(index) {
                Ok(()) => {}
                Err(MatchError::Halted) => return (number, failures),
                Err(error) => {
                    failures.add(&error.to_string(), setup.seed);
                    break;
                }
            }
        }
        in_all += decisions;
    }
    (games, failures)
}

/// A setup with the next number of players and random options, or default options if those exclude each other.
fn some_setup(game: &Game, number: u64, seed: u64, draw: &mut impl FnMut(usize) -> usize) -> Option<Setup> {
    let d = game.declarations();
    let span = u64::from(d.players.max - d.players.min) + 1;
    // At most 16.
    let players = d.players.min + (number % span) as u8;
    let value = |option: &motherlode::declare::OptionDecl, draw: &mut dyn FnMut(usize) -> usize| match &option.default {
        OptionValue::Bool(_) => (draw(2) == 1).to_string(),
        OptionValue::Name(name) => {
            let names: Vec<&String> = option.values.keys().collect();
            names.get(draw(names.len())).map_or_else(|| name.clone(), |name| (*name).clone())
        }
        OptionValue::Integer(default) => match option.range {
            Some((min, max)) if i64::from(max) - i64::from(min) < 1000 => {
                (min + draw((max - min + 1) as usize) as i32).to_string()
            }
            _ => default.to_string(),
        },
    };
    // Every other game uses the default options.
    let options: Vec<(String, String)> = if number.is_multiple_of(2) {
        Vec::new()
    } else {
        d.options.iter().map(|(name, option)| (name.clone(), value(option, draw))).collect()
    };
    game.setup(Some(players), &options, seed).or_else(|_| game.setup(Some(players), &[], seed)).ok()
}

/// Compares the exercised content with all content.
#[must_use]
pub fn rows(game: &Game, found: &Coverage) -> Vec<CoverageRow> {
    let d = game.declarations();
    let kind_name = |kind: usize| d.kinds.get_index(kind).map_or("", |(name, _)| name.as_str());
    let place = |place: &motherlode::declare::Location| Some(format!("{}:{}", place.file, place.line));
    let phases = d.phases.iter().enumerate().map(|(index, (name, phase))| {
        (found.phases.contains(&index), UncoveredItem { name: name.clone(), place: place(&phase.place) })
    });
    let prompts = d
        .prompts
        .keys()
        .enumerate()
        .map(|(index, name)| (found.prompts.contains(&index), UncoveredItem { name: name.clone(), place: None }));
    let labels = d.prompts.iter().enumerate().flat_map(|(index, (name, prompt))| {
        prompt.labels.keys().enumerate().map(move |(label, key)| {
            (found.labels.contains(&(index, label)), UncoveredItem { name: format!("{name}.{key}"), place: None })
        })
    });
    let reached = with_named(d, &found.definitions);
    let cards = d.definitions.iter().enumerate().filter(|(_, one)| can_be_exercised(game, one)).map(|(index, one)| {
        let name = format!("{}.{}", kind_name(one.kind), one.id);
        (reached.contains(&index), UncoveredItem { name, place: place(&one.place) })
    });
    let effects = d.definitions.iter().enumerate().flat_map(|(index, one)| {
        one.verbs.iter().map(move |(hook, calls)| {
            let name = format!("{}.{}.{hook}", kind_name(one.kind), one.id);
            let place = calls.first().and_then(|call| place(&call.place));
            (found.hooks.contains(&(index, hook.clone())), UncoveredItem { name, place })
        })
    });
    let named = |verb: &str| d.definitions.iter().any(|one| one.verbs.values().flatten().any(|call| call.verb == verb));
    let verbs = d.verbs.iter().filter(|(name, verb)| !verb.standard || named(name)).map(|(name, verb)| {
        let ends = if verb.standard { "engine/verbs.luau" } else { "/verbs.luau" };
        let mut functions = game.functions().iter();
        let function = functions.find(|f| f.name == *name && f.of.is_empty() && f.file.ends_with(ends));
        let reached = function.is_some_and(|function| {
            found.functions.iter().any(|(f, reached)| *reached && f.file == function.file && f.line == function.line)
        });
        let place = function.map(|function| format!("{}:{}", function.file, function.line));
        (reached, UncoveredItem { name: name.clone(), place })
    });
    let listeners = d.listeners.iter().enumerate().filter(|(_, one)| !matches!(one.action, ListenerAction::Reset(_)));
    let listeners = listeners.map(|(index, one)| {
        (found.listeners.contains(&index), UncoveredItem { name: one.name.clone(), place: place(&one.place) })
    });
    let modifiers = d.modifiers.iter().enumerate().map(|(index, one)| {
        (found.modifiers.contains(&index), UncoveredItem { name: one.name.clone(), place: place(&one.place) })
    });
    let functions = found.functions.iter().filter(|(function, _)| function.file.starts_with("scripts/")).map(
        |(function, reached)| {
            let name = if function.name.is_empty() { "(without a name)" } else { &function.name };
            (
                *reached,
                UncoveredItem { name: name.to_owned(), place: Some(format!("{}:{}", function.file, function.line)) },
            )
        },
    );
    let mut rows = vec![
        row("phases", phases),
        row("prompts", prompts),
        row("labels", labels),
        row("cards", cards),
        row("effects as verbs", effects),
        row("verbs", verbs),
        row("functions", functions),
    ];
    // Most games have neither.
    rows.extend([row("listeners", listeners), row("modifiers", modifiers)].into_iter().filter(|row| row.all > 0));
    rows
}

/// These definitions, and all that their attributes name.
fn with_named(d: &Declarations, exercised: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut reached = exercised.clone();
    let mut open: Vec<usize> = exercised.iter().copied().collect();
    while let Some(index) = open.pop() {
        let one = &d.definitions[index];
        for (attribute, value) in d.kinds[one.kind].attributes.values().zip(&one.attributes) {
            let named = named(d, &attribute.of, value).into_iter().filter(|named| reached.insert(*named));
            open.extend(named);
        }
    }
    reached
}

/// The definitions that a value of an attribute names.
fn named(d: &Declarations, of: &AttributeType, value: &Value) -> Vec<usize> {
    match (of, value) {
        (AttributeType::Id(kind), Value::Text(id)) => {
            let place = d.definitions_of(*kind).iter().position(|one| one.id == *id);
            place.map(|place| d.kinds[*kind].first + place).into_iter().collect()
        }
        (AttributeType::List(of, _), Value::List(list)) => list.iter().flat_map(|value| named(d, of, value)).collect(),
        _ => Vec::new(),
    }
}

fn row(sort: &'static str, all: impl Iterator<Item = (bool, UncoveredItem)>) -> CoverageRow {
    let mut row = CoverageRow { sort, all: 0, exercised: 0, never: Vec::new() };
    for (exercised, one) in all {
        row.all += 1;
        if exercised {
            row.exercised += 1;
        } else {
            row.never.push(one);
        }
    }
    row
}

/// Whether play can exercise a definition. A definition that is only read, never moved or chosen, and has no effect,
/// cannot be exercised.
fn can_be_exercised(game: &Game, one: &Definition) -> bool {
    let d = game.declarations();
    let Some((name, kind)) = d.kinds.get_index(one.kind) else { return false };
    let chosen = d.prompts.values().any(|prompt| prompt.domain == Domain::Definition(one.kind));
    let scripts = d.scripts_of(name);
    let own = |file: &str| scripts.iter().any(|script| script.path == file);
    let acts = !one.verbs.is_empty() || game.functions().iter().any(|f| f.of == one.id && own(&f.file));
    kind.tokens || chosen || acts
}
