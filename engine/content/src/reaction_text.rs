//! Sentences about what listeners and modifiers of a definition do.

use super::compose::{aimed_text, filter_noun, formula_text, sentences};
use super::condition_text::{argument_text, condition_text, details, player_noun, token_noun};
use super::declare::{
    ArgFilter, AttributeType, Bearer, Declarations, Event, EventArg, Filter, Formula, Listener, ListenerAction,
    Modifier, ModifierLayer, Moment, Reference, Term, Thing, Whose,
};
use super::names::label_of;
use super::placeholder::{Form, Piece, pieces};
use super::sentence::{list, within};

/// The sentences of a definition's listeners and modifiers (index into `definitions`), in file order.
pub(crate) fn reactions(d: &Declarations, definition: usize) -> Vec<String> {
    let is_own = |bearer: Bearer| bearer == Bearer::Definition(definition);
    let listeners = d.listeners.iter().filter(|one| is_own(one.bearer)).map(|one| listener_text(d, one));
    let modifiers = d.modifiers.iter().filter(|one| is_own(one.bearer)).map(|one| modifier_text(d, one));
    listeners.chain(modifiers).filter(|said| !said.is_empty()).collect()
}

/// The sentence of a listener: `When this dies: draw 1 card.` Only its start, if a script or `set` says what it does.
#[must_use]
pub fn listener_text(d: &Declarations, listener: &Listener) -> String {
    let Some((_, event)) = d.events.get_index(listener.event) else { return String::new() };
    let start = match listener.moment {
        _ if !listener.text.is_empty() => listener.text.clone(),
        Moment::Instead if listener.may.is_some() => format!("{}, you may instead", start_of(d, event, listener)),
        Moment::Instead => format!("{}, instead", start_of(d, event, listener)),
        _ if listener.may.is_some() => format!("{}, you may", start_of(d, event, listener)),
        _ => start_of(d, event, listener),
    };
    let mut said = Vec::new();
    for (arg, formula) in &listener.set {
        let Some((name, of)) = event.args.get_index(*arg) else { continue };
        let zone =
            || d.zones.get_index(usize::try_from(formula.constant - 1).ok()?).map(|(_, zone)| within(&zone.text));
        said.push(match (of, name.as_str()) {
            (EventArg::Zone, "to") => format!("it goes to the {}.", zone().unwrap_or_default()),
            (EventArg::Zone, name) => format!("the {} is the {}.", within(&label_of(name)), zone().unwrap_or_default()),
            (_, name) => {
                let value = relative_text(*arg, formula).unwrap_or_else(|| formula_text(d, formula));
                format!("the {} is {value}.", within(&label_of(name)))
            }
        });
    }
    if let ListenerAction::Verbs(calls) = &listener.action {
        let does = sentences(d, calls);
        let does = if listener.aims.is_empty() { does } else { aimed_text(d, &listener.aims, &does) };
        said.push(if said.is_empty() { within(&does) } else { does });
    }
    said.retain(|one| !one.is_empty());
    match (said.is_empty(), listener.moment) {
        (false, _) => format!("{start}: {}", said.join(" ")),
        // Nothing happens in its place.
        (true, Moment::Instead) if matches!(listener.action, ListenerAction::Nothing) => format!("{start}: nothing."),
        // The designer says the rest in `text`.
        (true, _) => listener.text.clone(),
    }
}

/// The new value of an argument that a listener sets, compared with the old one: `1 more`, `doubled`.
fn relative_text(arg: usize, formula: &Formula) -> Option<String> {
    let [(factor, Term::Argument(of))] = formula.terms[..] else { return None };
    match (factor, formula.constant) {
        _ if of != arg => None,
        (1, change) if change > 0 => Some(format!("{change} more")),
        (1, change) if change < 0 => Some(format!("{} less", change.unsigned_abs())),
        (2, 0) => Some("doubled".to_owned()),
        _ => None,
    }
}

/// The start of a listener's sentence without its conditions, as within a sentence: `when this dies`.
#[must_use]
pub fn listener_start(d: &Declarations, listener: &Listener) -> String {
    if !listener.text.is_empty() {
        return within(&listener.text);
    }
    d.events.get_index(listener.event).map_or_else(String::new, |(_, event)| within(&moment_text(d, event, listener)))
}

/// The start of a listener's sentence with all conditions, as within a sentence: `when this dies, if your life is 1`.
#[must_use]
pub fn listener_condition(d: &Declarations, listener: &Listener) -> String {
    if !listener.text.is_empty() {
        return within(&listener.text);
    }
    d.events.get_index(listener.event).map_or_else(String::new, |(_, event)| within(&start_of(d, event, listener)))
}

/// The text of the event as the listener sees it, and whether the listener acts before it: `Before a creature dies`.
fn moment_text(d: &Declarations, event: &Event, listener: &Listener) -> String {
    let text = event_text(d, event, listener);
    match (listener.moment, text.strip_prefix("When ")) {
        (Moment::Before, Some(rest)) => format!("Before {rest}"),
        (Moment::Before, None) => format!("{text}, before that"),
        _ => text,
    }
}

/// The start of a composed sentence, with all conditions: `When one of yours dies, if your life is at most 5`.
fn start_of(d: &Declarations, event: &Event, listener: &Listener) -> String {
    let mut start = moment_text(d, event, listener);
    let shown: Vec<&str> = pieces(&event.text)
        .filter_map(|piece| if let Piece::Placeholder(placeholder) = piece { Some(placeholder.value) } else { None })
        .collect();
    let is_shown = |arg: usize, filter: &ArgFilter| {
        matches!(filter, ArgFilter::Token(_) | ArgFilter::Player(_))
            && event.args.get_index(arg).is_some_and(|(name, _)| shown.contains(&name.as_str()))
    };
    let hidden = listener.filters.iter().filter(|(arg, filter)| !is_shown(*arg, filter));
    let hidden = hidden.map(|(arg, filter)| argument_text(d, event, *arg, filter));
    let conditions: Vec<String> = hidden
        .chain(listener.conditions.iter().map(|condition| condition_text(d, condition)))
        .filter(|text| !text.is_empty())
        .collect();
    if !conditions.is_empty() {
        start += &format!(", if {}", list(&conditions));
    }
    start
}

/// The text of an event, with its arguments as the listener sees them: `When {token} dies`.
fn event_text(d: &Declarations, event: &Event, listener: &Listener) -> String {
    let shown = |name: &str| {
        let Some((index, _, of)) = event.args.get_full(name) else { return name.to_owned() };
        let filter = listener.filters.iter().find(|(arg, _)| *arg == index).map(|(_, filter)| filter);
        match (filter, of) {
            (Some(ArgFilter::Token(filter)), _) => token_noun(d, filter),
            (Some(ArgFilter::Player(filter)), _) => player_noun(d, filter),
            (None, EventArg::Player) => "a player".to_owned(),
            (_, EventArg::Integer) => "some".to_owned(),
            (_, EventArg::Zone) => "a zone".to_owned(),
            (_, EventArg::Counter) => "a counter".to_owned(),
            (_, EventArg::Phase) => "a phase".to_owned(),
            (_, EventArg::Token | EventArg::Player) => "one".to_owned(),
        }
    };
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(placeholder) => match placeholder.form {
            // `{player:draw|draws}`: you draw, a player draws.
            Form::Count(words) => {
                let who = shown(placeholder.value);
                let word = if who == "you" { words.one } else { words.many };
                format!("{who} {word}")
            }
            _ => shown(placeholder.value),
        },
    };
    pieces(&event.text).map(piece).collect()
}

/// The sentence of a modifier: `Your others get +1 attack and have flying.`
#[must_use]
pub fn modifier_text(d: &Declarations, modifier: &Modifier) -> String {
    if !modifier.text.is_empty() {
        return modifier.text.clone();
    }
    let this = Some(Reference::Thing(Thing::This));
    let filter = &modifier.of;
    let is_one = filter.is.is_some();
    let rest = details(d, &Filter { whose: None, ..filter.clone() });
    let subject = match (filter.name.as_str(), filter.whose, filter.is_not == this) {
        _ if filter.is == this => "This".to_owned(),
        _ if is_one => "Its host".to_owned(),
        ("", Some(Whose::Yours), true) => format!("Your others{rest}"),
        ("", Some(Whose::Yours), false) => format!("Yours{rest}"),
        ("", Some(Whose::Others), _) => format!("Those of other players{rest}"),
        ("", _, true) => format!("All others{rest}"),
        ("", _, false) => format!("All{rest}"),
        (_, _, true) => format!("Other {}", filter_noun(filter)),
        (_, _, false) => label_of(&filter_noun(filter)),
    };
    let (gets, has, loses) = if is_one { ("gets", "has", "loses") } else { ("get", "have", "lose") };
    let change = |(layer, attribute, formula): &(ModifierLayer, usize, Formula)| {
        let name = d.read_attributes.get_index(*attribute).map_or("", |(name, _)| name.as_str());
        let is_switch =
            d.kinds.values().filter_map(|kind| kind.attributes.get(name)).any(|one| one.of == AttributeType::Boolean);
        let (name, number) = (within(&label_of(name)), formula_text(d, formula));
        match layer {
            ModifierLayer::Set if is_switch && formula.terms.is_empty() && formula.constant == 0 => {
                format!("{loses} {name}")
            }
            ModifierLayer::Set if is_switch => format!("{has} {name}"),
            ModifierLayer::Set => format!("{has} {name} {number}"),
            ModifierLayer::Add if formula.constant < 0 && formula.terms.is_empty() => format!("{gets} {number} {name}"),
            ModifierLayer::Add if formula.terms.is_empty() => format!("{gets} +{number} {name}"),
            ModifierLayer::Add => match negated(formula) {
                Some(less) => format!("{has} {name} lowered by {}", formula_text(d, &less)),
                None => format!("{has} {name} raised by {number}"),
            },
            ModifierLayer::Multiply => format!("{has} {number} times the {name}"),
            ModifierLayer::Floor => format!("{has} at least {number} {name}"),
            ModifierLayer::Cap => format!("{has} at most {number} {name}"),
        }
    };
    let changes: Vec<String> = modifier.changes.iter().map(change).collect();
    let conditions: Vec<String> = modifier.conditions.iter().map(|condition| condition_text(d, condition)).collect();
    if conditions.is_empty() {
        return format!("{subject} {}.", list(&changes));
    }
    format!("While {}: {} {}.", list(&conditions), within(&subject), list(&changes))
}

/// The formula with all signs changed, if it has no plus.
fn negated(formula: &Formula) -> Option<Formula> {
    let is_negative = formula.constant <= 0 && formula.terms.iter().all(|(factor, _)| *factor < 0);
    let terms = || formula.terms.iter().map(|(factor, term)| (-factor, term.clone())).collect();
    is_negative.then(|| Formula { constant: -formula.constant, terms: terms() })
}
