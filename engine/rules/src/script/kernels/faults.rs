//! Text kernels that report an unknown name or a bad value.

use crate::script::kernels::context::Context;
use crate::script::machine::choices::too_many;
use crate::state::layout::{GAME_HOLDER, word};
use crate::state::{Layout, PositionMut};
use crate::text::TextArg;
use motherlode_content::declare::{Declarations, EventArg, Holder};
use motherlode_content::diagnostic::nearest;
use motherlode_content::geometry::ways;

/// Maximum characters of a wrong name that are shown and compared.
const NAME: usize = 64;

/// `unknown(what, name)`: reports a name that is not declared.
pub fn unknown(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    let d = context.declarations.clone();
    let what = a.first().map(ToString::to_string).unwrap_or_default();
    let name = a.get(1).map(ToString::to_string).unwrap_or_default();
    let of = a.get(2).filter(|of| **of != TextArg::Nil).map(ToString::to_string).unwrap_or_default();
    let known = known_names(&d, position.layout, &what, &of);
    let help = suggest(context, &name, &known);
    let name: String = name.chars().take(NAME).collect();
    let tail = if of.is_empty() { String::new() } else { format!(" of `{of}`") };
    let is_family = |name: &str| d.counter_families.contains_key(name) || d.zone_families.contains_key(name);
    Err(match what.as_str() {
        "counter" if d.counter_families.contains_key(&name) => {
            format!("`{name}` is a family of counters: add an index, as in get(holder, \"{name}\", index)")
        }
        "zone" if d.zone_families.contains_key(&name) => {
            format!("`{name}` is a family of zones: name one of them with in_family(\"{name}\", index)")
        }
        "family" if d.counters.contains_key(&name) && !is_family(&name) => {
            format!("counter `{name}` is not a family: leave out the index")
        }
        "statement" => format!("no counter `{name}` with `tells`{help}"),
        "member" => format!("family `{of}` has no member {name}{help}"),
        "place" => format!("list of hooks `{of}` has no hook {name}: its length is in `lists` of the kind"),
        "list" => format!("no list of hooks `{name}`{help}"),
        "event" if known.is_empty() => format!("no event `{name}`: declare `[events.{name}]` in reactions.toml"),
        "argument" => format!("event `{of}` has no argument `{name}`{help}"),
        "holder" => wrong_holder(&d, position, &of, &name),
        "owner" => wrong_owner(&d, &of, &name),
        "cell" => format!("grid `{of}` has no cell {name}"),
        "token" => format!("no token {name}"),
        "player" => format!("no player {name}"),
        "label" => match kind_of(&d, &name) {
            Some(kind) => {
                format!("no label `{name}`; a definition is chosen by its number: number_of(\"{kind}\", \"{name}\")")
            }
            None => format!("no label `{name}`{help}"),
        },
        "way" => format!("no way `{name}` out of a cell{tail}{help}"),
        "neighbourhood" => format!("neighbours are \"diagonal\" or \"all\", not `{name}`{help}"),
        _ => format!("no {what} `{name}`{tail}{help}"),
    })
}

/// Suggests the nearest name. Charges for comparing every known name with this one, letter by letter.
fn suggest(context: &mut Context, name: &str, known: &[&str]) -> String {
    let name: String = name.chars().take(NAME).collect();
    context.budget.charge((2000 + known.len() * (name.chars().count() + 16) * 8) as i64);
    nearest(&name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The declared names of a sort; those of `of` if they depend on it.
fn known_names<'d>(d: &'d Declarations, layout: &'d Layout, what: &str, of: &str) -> Vec<&'d str> {
    match what {
        "counter" => d.counters.keys().map(String::as_str).collect(),
        "zone" => d.zones.keys().map(String::as_str).collect(),
        "family" => d.counter_families.keys().chain(d.zone_families.keys()).map(String::as_str).collect(),
        "member" => {
            let family = d.counter_families.get(of).or_else(|| d.zone_families.get(of));
            family.map_or_else(Vec::new, |family| d.definitions_of(family.kind).iter().map(|x| x.id.as_str()).collect())
        }
        "grid" => d.grids.keys().map(String::as_str).collect(),
        "kind" => d.kinds.keys().map(String::as_str).collect(),
        "option" => d.options.keys().map(String::as_str).collect(),
        "event" => {
            let own = d.events.iter().filter(|(_, event)| event.may_be_emitted());
            own.map(|(name, _)| name.as_str()).collect()
        }
        "argument" => d.events.get(of).map(|event| event.args.keys().map(String::as_str).collect()).unwrap_or_default(),
        "filter" => d.filters.keys().map(String::as_str).collect(),
        "phase" => d.phases.keys().map(String::as_str).collect(),
        "prompt" => d.prompts.keys().map(String::as_str).collect(),
        "text" => d.texts.keys().map(String::as_str).collect(),
        "verb" => d.verbs.keys().map(String::as_str).collect(),
        "label" => d.prompts.values().flat_map(|p| p.labels.keys()).map(String::as_str).collect(),
        "attribute" => d.kinds.values().flat_map(|k| k.attributes.keys()).map(String::as_str).collect(),
        "list" => d.kinds.values().flat_map(|k| k.lists.keys()).map(String::as_str).collect(),
        "hook" => d.kinds.values().flat_map(|k| k.hooks.keys()).map(String::as_str).collect(),
        "value" => {
            let values = d.counters.get(of).map(|c| c.tells.as_ref().map_or(&c.values, |tells| &tells.values));
            values.map(|values| values.iter().map(String::as_str).collect()).unwrap_or_default()
        }
        "statement" => d.counters.iter().filter(|(_, c)| c.tells.is_some()).map(|(name, _)| name.as_str()).collect(),
        "way" => d.grids.get(of).map(|grid| ways(grid.shape)).unwrap_or_default(),
        "neighbourhood" => vec!["diagonal", "all"],
        "direction" => {
            d.grids.get_index_of(of).map(|grid| layout.grids[grid].directions().collect()).unwrap_or_default()
        }
        "definition" => d
            .kinds
            .get(of)
            .map(|k| d.definitions[k.first..k.first + k.len].iter().map(|x| x.id.as_str()).collect())
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// `bad_value(holder, counter, value)`: reports a value that a counter cannot take.
pub fn bad_value(context: &mut Context, _: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.budget.charge(1000);
    let name = a.get(1).map(ToString::to_string).unwrap_or_default();
    let value = a.get(2).cloned().unwrap_or(TextArg::Nil);
    let Some(counter) = context.declarations.counters.get(&name) else {
        return Err(format!("no counter `{name}`"));
    };
    // Luau's arithmetic would convert a text to a number: show the text.
    let value = a.get(3).filter(|amount| !matches!(amount, TextArg::Number(_))).cloned().unwrap_or(value);
    let TextArg::Number(n) = value else {
        return Err(format!("counter `{name}` takes a whole number, not {value}"));
    };
    Err(if n.fract() != 0.0 || !n.is_finite() {
        format!("counter `{name}` takes whole numbers, not {n}")
    } else if n < f64::from(counter.min) {
        let min = counter.min;
        format!("counter `{name}` cannot go below {min}, it would be {n}: check `can_pay` first, or lower its `min`")
    } else {
        format!("counter `{name}` cannot go above {}, it would be {n}", counter.max)
    })
}

/// `bad_argument(event, argument, value)`: reports a value that an argument of an event cannot have.
pub fn bad_argument(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    let d = context.declarations.clone();
    let [event, argument] = [0, 1].map(|at| a.get(at).map(ToString::to_string).unwrap_or_default());
    let of = d.events.get(&event).and_then(|event| event.args.get(&argument)).copied().unwrap_or(EventArg::Integer);
    let sort = match of {
        EventArg::Integer | EventArg::Token | EventArg::Player => "",
        EventArg::Zone => "zone",
        EventArg::Counter => "counter",
        EventArg::Phase => "phase",
    };
    let mut needs = of.needs().to_owned();
    if of == EventArg::Player {
        needs += &format!(" from 1 to {}", position.words[word::PLAYERS]);
    }
    let value = a.get(2).unwrap_or(&TextArg::Nil);
    let (got, help) = match value {
        TextArg::Text(text) => {
            let known = known_names(&d, position.layout, sort, "");
            let short: String = text.chars().take(NAME).collect();
            (format!("the text `{short}`"), suggest(context, text, &known))
        }
        other => {
            context.budget.charge(1000);
            (other.to_string(), String::new())
        }
    };
    Err(format!("event `{event}`: argument `{argument}` needs {needs}, got {got}{help}"))
}

pub fn bad_choice(_: &mut Context, _: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    if a.len() > 1 {
        return Err(too_many());
    }
    Err(format!("`{}` is not a choice: expected a whole number from 0, or a label", a.first().unwrap_or(&TextArg::Nil)))
}

/// The kind that has a definition with this id.
fn kind_of<'d>(d: &'d Declarations, id: &str) -> Option<&'d str> {
    let definition = d.definitions.iter().find(|definition| definition.id == id)?;
    d.kinds.get_index(definition.kind).map(|(name, _)| name.as_str())
}

/// Message for a counter used with a holder that does not have it.
fn wrong_holder(d: &Declarations, position: &PositionMut<'_>, of: &str, holder: &str) -> String {
    let Some(counter) = d.counters.get(of) else { return format!("counter `{of}` has no holder {holder}") };
    let players = position.words[word::PLAYERS];
    let number = holder.parse::<i32>().ok();
    let token = |number: i32| position.layout.tokens.get(usize::try_from(number).ok()?.checked_sub(1)?);
    let what = match number {
        Some(GAME_HOLDER) => "`game`".to_owned(),
        Some(number) => match token(number).filter(|_| matches!(counter.per, Holder::Token(_))) {
            Some(token) => format!("{number} (token `{}`)", d.definitions[token.definition].id),
            None => number.to_string(),
        },
        None => holder.to_owned(),
    };
    match counter.per {
        Holder::Game => format!("`{of}` is a counter of the game, not of {what}: give `game` as its holder"),
        Holder::Player => {
            format!("`{of}` is a counter of the players, and {what} is not one: give a player from 1 to {players}")
        }
        Holder::Token(kind) => {
            let kind = d.kinds.get_index(kind).map_or("", |(name, _)| name.as_str());
            format!("`{of}` is a counter of the tokens of kind `{kind}`, and {what} is not one: give such a token")
        }
        Holder::Cell(grid) => {
            let grid = d.grids.get_index(grid).map_or("", |(name, _)| name.as_str());
            format!("`{of}` is a counter of the cells of grid `{grid}`, and {what} is not one: give such a cell")
        }
    }
}

/// Message for a zone or grid used with a holder that does not have one.
fn wrong_owner(d: &Declarations, of: &str, holder: &str) -> String {
    let (noun, per) = match (d.zones.get(of), d.grids.get(of)) {
        (Some(zone), _) => ("zone", zone.per),
        (None, Some(grid)) => ("grid", grid.per),
        (None, None) => return format!("zone `{of}` has no owner {holder}"),
    };
    if per == Holder::Player {
        format!("every player has a {noun} `{of}`: pass a player from 1 to {}", d.players.max)
    } else {
        format!("{noun} `{of}` belongs to the game: there is none of player {holder}")
    }
}
