//! Conditions in words: filters, and conditions on the state.

use super::compose::{filter_noun, formula_text};
use super::declare::{
    ArgFilter, AttributeType, Condition, Declarations, Event, EventArg, Field, Filter, Formula, Reference, Term, Test,
    Thing, ValueRange, Whose,
};
use super::names::label_of;
use super::sentence::{list, within};

/// The tokens of a filter in words: `this`, `another one of yours with flying`, `one of the goblins`.
#[must_use]
pub fn token_noun(d: &Declarations, filter: &Filter) -> String {
    let this = Reference::Thing(Thing::This);
    let own = match filter.is {
        Some(reference) if reference == this => Some("this".to_owned()),
        Some(reference) => Some(reference_noun(d, reference)),
        None => None,
    };
    let one = if filter.is_not == Some(this) { "another one" } else { "one" };
    if !filter.name.is_empty() {
        return own.unwrap_or_else(|| format!("{one} of the {}", filter_noun(filter)));
    }
    let mut noun = own.unwrap_or_else(|| one.to_owned());
    noun.push_str(&details(d, filter));
    noun
}

/// Describes an unnamed filter without the token itself: ` of yours in the field with flying`.
pub(crate) fn details(d: &Declarations, filter: &Filter) -> String {
    let mut out = String::new();
    let names = |all: Vec<String>| all.join(" or ");
    if !filter.kinds.is_empty() {
        let kinds = filter.kinds.iter().filter_map(|kind| d.kinds.get_index(*kind));
        out += &format!(" of the {}", names(kinds.map(|(name, _)| within(&label_of(name))).collect()));
    }
    if !filter.definitions.is_empty() {
        let named = |(kind, number): &(usize, usize)| d.definitions_of(*kind).get(*number).map(|one| one.name.clone());
        out += &format!(" named {}", names(filter.definitions.iter().filter_map(named).collect()));
    }
    out += match filter.whose {
        Some(Whose::Yours) => " of yours",
        Some(Whose::Others) => " of another player",
        Some(Whose::Nobodys) => " of nobody",
        None => "",
    };
    if !filter.zones.is_empty() {
        let zones = filter.zones.iter().filter_map(|zone| d.zones.get_index(*zone));
        out += &format!(" in the {}", names(zones.map(|(_, zone)| within(&zone.text)).collect()));
    }
    if let Some(other) = filter.is_not.filter(|other| *other != Reference::Thing(Thing::This)) {
        out += &format!(" other than {}", reference_noun(d, other));
    }
    let is_state = |test: &&Test| matches!(test.field, Field::Counter(_)) && is_switch(d, test.field);
    let with: Vec<String> = filter.tests.iter().filter(|test| !is_state(test)).map(|test| test_text(d, test)).collect();
    if !with.is_empty() {
        out += &format!(" with {}", list(&with));
    }
    let states: Vec<String> = filter.tests.iter().filter(is_state).map(|test| state_text(d, test)).collect();
    if !states.is_empty() {
        out += &format!(" that is {}", list(&states));
    }
    out
}

/// The player of a filter in words: `you`, `another player with life at most 5`.
#[must_use]
pub fn player_noun(d: &Declarations, filter: &Filter) -> String {
    let who = match (filter.whose, filter.is) {
        (Some(Whose::Yours), _) => "you".to_owned(),
        (Some(Whose::Others), _) => "another player".to_owned(),
        (_, Some(reference)) => reference_noun(d, reference),
        _ => "a player".to_owned(),
    };
    let rest = details(d, &Filter { whose: None, ..filter.clone() });
    format!("{who}{rest}")
}

fn reference_noun(d: &Declarations, reference: Reference) -> String {
    match reference {
        Reference::Thing(Thing::This) => "this".to_owned(),
        Reference::Thing(Thing::You) => "you".to_owned(),
        Reference::Counter(Thing::This, counter) => format!("its {}", label(d, Field::Counter(counter))),
        Reference::Counter(_, counter) => format!("the {}", label(d, Field::Counter(counter))),
        Reference::Thing(_) => "that one".to_owned(),
    }
}

/// A counter with the values no and yes: `tapped`, `not tapped`.
fn state_text(d: &Declarations, test: &Test) -> String {
    let name = label(d, test.field);
    if test.range.max == 0 { format!("not {name}") } else { name }
}

fn is_switch(d: &Declarations, field: Field) -> bool {
    matches!(words_of(d, field), Words::Switch)
}

/// A value that must be in a range: `flying`, `cost at least 2`, `no flying`.
fn test_text(d: &Declarations, test: &Test) -> String {
    let name = label(d, test.field);
    match words_of(d, test.field) {
        Words::Switch if test.range.max == 0 => format!("no {name}"),
        Words::Switch => name,
        Words::Named(words) if test.range.min == test.range.max || !test.range.one_of.is_empty() => {
            let word = |at: &i32| match usize::try_from(*at).ok().and_then(|at| words.get(at))?.as_str() {
                "" => Some("none".to_owned()),
                word => Some(word.replace('_', " ")),
            };
            let only = [test.range.min];
            let values = if test.range.one_of.is_empty() { &only } else { test.range.one_of.as_slice() };
            format!("{name} {}", values.iter().filter_map(word).collect::<Vec<_>>().join(" or "))
        }
        _ => format!("{name} {}", range_text(d, &test.range)),
    }
}

/// The conditions on the state: `its growth is at least 1`, `this has flying`.
#[must_use]
pub fn condition_text(d: &Declarations, condition: &Condition) -> String {
    if let [(1, Term::Read(thing, field))] = condition.formula.terms[..]
        && condition.formula.constant == 0
        && condition.equals.is_none()
    {
        let test = Test { field, range: condition.range.clone() };
        let is_word = !matches!(words_of(d, field), Words::Number);
        let (is, has) = match thing {
            Thing::This => ("this is", "this has"),
            Thing::You => ("you are", "you have"),
            _ => ("it is", "it has"),
        };
        if is_word && matches!(field, Field::Counter(_)) && is_switch(d, field) {
            return format!("{is} {}", state_text(d, &test));
        }
        if is_word && test.range.bounds.is_none() {
            return format!("{has} {}", test_text(d, &test));
        }
    }
    let value = formula_text(d, &condition.formula);
    match condition.equals {
        // A label may be a noun or a state: `you are leader`, `you are on turn`.
        Some(Reference::Thing(Thing::You)) => format!("you are {}", value.strip_prefix("the ").unwrap_or(&value)),
        Some(Reference::Thing(Thing::This)) => format!("this is {value}"),
        Some(reference) => format!("{value} is {}", reference_noun(d, reference)),
        None => format!("{value} is {}", range_text(d, &condition.range)),
    }
}

/// A condition on an argument that the text of the event does not show: `the amount is at least 2`.
pub(crate) fn argument_text(d: &Declarations, event: &Event, arg: usize, filter: &ArgFilter) -> String {
    let Some((name, of)) = event.args.get_index(arg) else { return String::new() };
    let label = within(&label_of(name));
    let is = |value: String| format!("the {label} is {value}");
    match filter {
        ArgFilter::Token(filter) => is(token_noun(d, filter)),
        ArgFilter::Player(filter) => is(player_noun(d, filter)),
        ArgFilter::Range(range) => is(range_text(d, range)),
        ArgFilter::OneOf(numbers) => {
            let named = |number: &i32| {
                let index = usize::try_from(number - 1).ok()?;
                Some(match of {
                    EventArg::Zone => within(&d.zones.get_index(index)?.1.text),
                    EventArg::Counter => within(&d.counters.get_index(index)?.1.text),
                    EventArg::Phase => within(&d.phases.get_index(index)?.1.name),
                    EventArg::Integer | EventArg::Token | EventArg::Player => return None,
                })
            };
            let names: Vec<String> = numbers.iter().filter_map(named).collect();
            match (names.is_empty(), name.as_str()) {
                (true, _) => String::new(),
                (false, "from") => format!("it comes from the {}", names.join(" or ")),
                (false, "to") => format!("it goes to the {}", names.join(" or ")),
                (false, _) => is(names.join(" or ")),
            }
        }
    }
}

fn range_text(d: &Declarations, range: &ValueRange) -> String {
    if !range.one_of.is_empty() {
        return range.one_of.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    }
    let bounds = range.bounds.as_deref();
    let end = |number: i32, none: i32, formula: Option<&Formula>| match formula {
        Some(formula) => Some(formula_text(d, formula)),
        None => (number != none).then(|| number.to_string()),
    };
    let min = end(range.min, i32::MIN, bounds.and_then(|bounds| bounds.min.as_ref()));
    let max = end(range.max, i32::MAX, bounds.and_then(|bounds| bounds.max.as_ref()));
    match (min, max) {
        (Some(min), Some(max)) if min == max => min,
        (Some(min), Some(max)) => format!("from {min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "any".to_owned(),
    }
}

/// How the values of a field read.
enum Words {
    /// True or false.
    Switch,
    /// By names, from value 0.
    Named(Vec<String>),
    /// As numbers.
    Number,
}

fn words_of(d: &Declarations, field: Field) -> Words {
    match field {
        Field::Attribute(index) => {
            let Some((name, words)) = d.read_attributes.get_index(index) else { return Words::Number };
            let mut kinds = d.kinds.values().filter_map(|kind| kind.attributes.get(name.as_str()));
            if kinds.any(|attribute| attribute.of == AttributeType::Boolean) {
                Words::Switch
            } else if words.is_empty() {
                Words::Number
            } else {
                // Text n has the value n + 1.
                Words::Named(std::iter::once(String::new()).chain(words.iter().cloned()).collect())
            }
        }
        Field::Counter(counter) => match d.counters.get_index(counter) {
            Some((_, counter)) if counter.values == ["no", "yes"] => Words::Switch,
            Some((_, counter)) if !counter.values.is_empty() => Words::Named(counter.values.clone()),
            _ => Words::Number,
        },
        _ => Words::Number,
    }
}

fn label(d: &Declarations, field: Field) -> String {
    match field {
        Field::Attribute(index) => {
            d.read_attributes.get_index(index).map_or_else(String::new, |(name, _)| within(&label_of(name)))
        }
        Field::Counter(index) => {
            d.counters.get_index(index).map_or_else(String::new, |(_, counter)| within(&counter.text))
        }
        Field::Zone(index) => d.zones.get_index(index).map_or_else(String::new, |(_, zone)| within(&zone.text)),
        Field::Owner => "owner".to_owned(),
        Field::Holder => "holder".to_owned(),
    }
}
