//! The tables behind events, listeners and current values.

use std::collections::BTreeSet;

use mlua::{Lua, Table, Value as LuaValue};

use crate::script::luau::aims;
use crate::state::Layout;
use motherlode_content::aim::stack_of;
use motherlode_content::declare::{ArgFilter, AttributeType, Declarations, EventArg, Holder, ListenerAction, Moment};

/// Adds the tables of events and listeners, and of current values.
pub(super) fn fill(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    events(lua, t, d, layout)?;
    listeners(lua, t, d)?;
    stack(lua, t, d)?;
    moves(lua, t, d, layout)?;
    numbers(lua, t, d)?;
    counters(lua, t, d, layout)?;
    aims::fill(lua, t, d)?;
    current_values(lua, t, d, layout)
}

fn events(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    let (numbers, args) = (lua.create_table()?, lua.create_table()?);
    let (before, after) = (lua.create_table()?, lua.create_table()?);
    for (index, (name, event)) in d.events.iter().enumerate() {
        numbers.set(name.as_str(), index)?;
        let (list, known) = (lua.create_table()?, lua.create_table()?);
        for (arg, of) in &event.args {
            let one = lua.create_table()?;
            one.set("name", arg.as_str())?;
            one.set("of", word_of_arg(*of))?;
            list.raw_push(one)?;
            known.set(arg.as_str(), true)?;
        }
        list.set("name", name.as_str())?;
        list.set("known", known)?;
        list.set("standard", event.standard)?;
        let base = event.of.and_then(|base| d.events.get_index(base));
        list.set("of", base.map(|(name, _)| name.as_str()))?;
        args.raw_set(index, list)?;
        let heard = |moment| layout.reactions.is_heard(index, moment);
        before.raw_set(index, heard(Moment::Before) || heard(Moment::Instead))?;
        after.raw_set(index, heard(Moment::On))?;
    }
    t.set("__EVENT", numbers)?;
    t.set("__EVENT_ARGS", args)?;
    t.set("__HEARD_BEFORE", before)?;
    t.set("__HEARD_AFTER", after)?;
    for name in ["__RUN", "__CAN_REACT", "__ACTION", "__GIVEN"] {
        t.set(name, lua.create_table()?)?;
    }
    Ok(())
}

fn listeners(lua: &Lua, t: &Table, d: &Declarations) -> mlua::Result<()> {
    let listeners = lua.create_table()?;
    let prompt =
        |index: Option<usize>| index.and_then(|index| d.prompts.get_index(index)).map(|(name, _)| name.as_str());
    for listener in &d.listeners {
        let one = lua.create_table()?;
        let event = d.events.get_index(listener.event).map(|(_, event)| event);
        let base = event.and_then(|event| d.events.get_index(event.of?)).map(|(_, event)| event);
        one.set("name", listener.name.as_str())?;
        one.set("may", prompt(listener.may))?;
        let asked = listener.may.and_then(|may| d.prompts.get_index(may));
        one.set("shows_token", asked.is_some_and(|(_, prompt)| prompt.shows > 0))?;
        one.set("order", prompt(event.and_then(|event| event.order).or(base.and_then(|event| event.order))))?;
        if !listener.aims.is_empty() {
            one.set("aims", aims::list(lua, &listener.aims)?)?;
        }
        one.set("waits", listener.can_wait())?;
        one.set("instead", listener.moment == Moment::Instead)?;
        one.set("event", listener.event)?;
        one.set("resets", matches!(listener.action, ListenerAction::Reset(_)))?;
        one.set_readonly(true);
        listeners.raw_push(one)?;
    }
    t.set("__LISTENER", listeners)
}

/// Adds the zone in which listeners wait, with the definition as whose tokens.
fn stack(lua: &Lua, t: &Table, d: &Declarations) -> mlua::Result<()> {
    let Some((zone, (kind, number))) = stack_of(d) else { return Ok(()) };
    let one = lua.create_table()?;
    one.set("zone", d.zones.get_index(zone).map(|(name, _)| name.as_str()))?;
    one.set("kind", d.kinds.get_index(kind).map(|(name, _)| name.as_str()))?;
    one.set("id", d.definitions_of(kind).get(number).map(|definition| definition.id.as_str()))?;
    one.set_readonly(true);
    t.set("__QUEUE", one)
}

/// Adds the numbers of names, for kernels.
fn numbers(lua: &Lua, t: &Table, d: &Declarations) -> mlua::Result<()> {
    let filters = lua.create_table()?;
    for (index, name) in d.filters.keys().enumerate() {
        filters.set(name.as_str(), index)?;
    }
    t.set("__FILTER", filters)?;
    t.set("__ZONE_NUMBER", numbered(lua, d.zones.keys())?)?;
    t.set("__COUNTER_NUMBER", numbered(lua, d.counters.keys())?)?;
    let ids = lua.create_table()?;
    for (index, id) in d.phases.keys().enumerate() {
        ids.raw_set(index, id.as_str())?;
    }
    t.set("__PHASE_ID", ids)?;
    t.set("__PHASE_NUMBER", numbered(lua, d.phases.keys())?)
}

/// Adds what holds each counter, and which counters are heard or watched.
fn counters(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    let (holders, heard) = (lua.create_table()?, lua.create_table()?);
    for (name, counter) in &d.counters {
        let of = match counter.per {
            Holder::Player => "player",
            Holder::Token(_) => "token",
            Holder::Cell(_) => "cell",
            Holder::Game => "game",
        };
        holders.set(name.as_str(), of)?;
    }
    for name in heard_counters(d) {
        heard.set(name, true)?;
    }
    let watched = lua.create_table()?;
    for (index, name) in d.counters.keys().enumerate() {
        if layout.reactions.is_watched(index) {
            watched.set(name.as_str(), true)?;
        }
    }
    t.set("__WATCHED", watched)?;
    t.set("__COUNTER_OF", holders)?;
    t.set("__HEARD", heard)
}

fn current_values(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    let becomes = lua.create_table()?;
    for (name, kind) in &d.kinds {
        let counter = kind.becomes.and_then(|counter| d.counters.get_index(counter));
        becomes.set(name.as_str(), counter.map(|(name, _)| name.as_str()))?;
    }
    t.set("__BECOMES", becomes)?;
    if d.kinds.values().any(|kind| kind.becomes.is_some()) {
        // By token, the byte of the counter that makes it a copy; `false`: it is never one.
        let copy = lua.create_table_with_capacity(layout.tokens.len(), 0)?;
        for token in 0..layout.tokens.len() {
            match layout.reactions.copy_word(token) {
                Some(word) => copy.raw_push(word * 4)?,
                None => copy.raw_push(false)?,
            }
        }
        t.set("__COPY", copy)?;
    }
    t.set("__TOKEN_PILE", layout.token_pile * 4)?;
    let (current, switches) = (lua.create_table()?, lua.create_table()?);
    for &attribute in &d.current {
        let Some((name, _)) = d.read_attributes.get_index(attribute) else { continue };
        let Some(first) = layout.reactions.current_of(attribute) else { continue };
        // The first token has number 1.
        current.set(name.as_str(), (first as i32 - 1) * 4)?;
        let mut kinds = d.kinds.values().filter_map(|kind| kind.attributes.get(name.as_str()));
        switches.set(name.as_str(), kinds.any(|attribute| attribute.of == AttributeType::Boolean))?;
    }
    t.set("__CURRENT", current)?;
    t.set("__IS_SWITCH", switches)
}

/// Adds the pairs of zones, `from * zones + to` (numbers from 1, 0 for none), between which something listens to moves:
/// before them, after them looking back, and after them. `true` in place of a table: between all.
fn moves(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    /// Maximum zones for tables of pairs.
    const MOST: usize = 64;
    let Some((event, _, declared)) = d.events.get_full("move") else { return Ok(()) };
    let (Some(from), Some(to)) = (declared.args.get_index_of("from"), declared.args.get_index_of("to")) else {
        return Ok(());
    };
    let count = d.zones.len() + 1;
    for (name, moments, back) in [
        ("__MOVE_BEFORE", &[Moment::Before, Moment::Instead][..], None),
        ("__MOVE_BACK", &[Moment::On][..], Some(true)),
        ("__MOVE_AFTER", &[Moment::On][..], Some(false)),
    ] {
        let pairs = lua.create_table()?;
        let mut is_all = false;
        for &listener in moments.iter().flat_map(|moment| layout.reactions.listeners_of(event, *moment)) {
            if back.is_some_and(|back| back != layout.reactions.is_looking_back(listener)) {
                continue;
            }
            let listener = &d.listeners[listener];
            let part =
                d.events.get_index(listener.event).map(|(_, event)| event.filters.as_slice()).unwrap_or_default();
            let zones = |arg: usize| {
                let filters = part.iter().chain(&listener.filters).filter(move |(at, _)| *at == arg);
                let mut zones: Vec<usize> = (0..count).collect();
                for (_, filter) in filters {
                    if let ArgFilter::OneOf(values) = filter {
                        zones.retain(|zone| values.contains(&(*zone as i32)));
                    }
                }
                zones
            };
            let (from, to) = (zones(from), zones(to));
            is_all |= count > MOST || from.len() * to.len() == count * count;
            for from in from.iter().filter(|_| !is_all) {
                for to in &to {
                    pairs.raw_set(from * count + to, true)?;
                }
            }
        }
        t.set(name, if is_all { LuaValue::Boolean(true) } else { LuaValue::Table(pairs) })?;
    }
    t.set("__ZONES", count)
}

/// Numbers from 1 by name.
fn numbered<'a>(lua: &Lua, names: impl Iterator<Item = &'a String>) -> mlua::Result<Table> {
    let numbers = lua.create_table()?;
    for (index, name) in names.enumerate() {
        numbers.set(name.as_str(), index + 1)?;
    }
    Ok(numbers)
}

fn word_of_arg(of: EventArg) -> &'static str {
    match of {
        EventArg::Integer => "integer",
        EventArg::Token => "token",
        EventArg::Player => "player",
        EventArg::Zone => "zone",
        EventArg::Counter => "counter",
        EventArg::Phase => "phase",
    }
}

/// Whether a listener to an event of phases concerns this phase.
pub(super) fn concerns_phase(d: &Declarations, layout: &Layout, event: usize, phase: &str) -> bool {
    let Some((_, declared)) = d.events.get_index(event) else { return false };
    let arg = declared.args.get_index_of("phase");
    let number = d.phases.get_index_of(phase).map_or(0, |phase| phase as i32 + 1);
    let mut listeners = Moment::ALL.iter().flat_map(|moment| layout.reactions.listeners_of(event, *moment));
    listeners.any(|listener| {
        let listener = &d.listeners[*listener];
        let part = d.events.get_index(listener.event).map(|(_, event)| event.filters.as_slice()).unwrap_or_default();
        part.iter().chain(&listener.filters).all(|(at, filter)| match filter {
            ArgFilter::OneOf(values) if Some(*at) == arg => values.contains(&number),
            _ => true,
        })
    })
}

/// The counters that listeners to changes name.
pub(super) fn heard_counters(d: &Declarations) -> BTreeSet<String> {
    let Some(change) = d.events.get_index_of("change") else { return BTreeSet::new() };
    let mut heard = BTreeSet::new();
    for listener in &d.listeners {
        let Some((_, event)) = d.events.get_index(listener.event) else { continue };
        if event.of.unwrap_or(listener.event) != change {
            continue;
        }
        let Some(counter) = event.args.get_index_of("counter") else { continue };
        for (arg, filter) in event.filters.iter().chain(&listener.filters) {
            if let (true, ArgFilter::OneOf(values)) = (*arg == counter, filter) {
                let name =
                    |value: &i32| d.counters.get_index((*value - 1).max(0) as usize).map(|(name, _)| name.clone());
                heard.extend(values.iter().filter_map(name));
            }
        }
    }
    heard
}
