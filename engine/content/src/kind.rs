//! Kinds, and their definitions.

use indexmap::{IndexMap, IndexSet};

use super::aim;
use super::compose::VERBS;
use super::declare::{
    Attribute, AttributeType, Declarations, Definition, Held, Holder, Kind, Listener, Modifier, Value,
};
use super::diagnostic::{list, nearest};
use super::document::{Document, Key, Table};
use super::formula::Scope;
use super::hook;
use super::image;
use super::keys;
use super::like::LIKE;
use super::limits::{COPIES, MAX_VALUES};
use super::listener;
use super::lists;
use super::modifier;
use super::names::{ATTRIBUTE, COUNTER, NameUse, Names, ZONE, check_name, check_name_as, is_name, label_of};
use super::product::{self, Product};
use super::text::{ValueForm, check_named, check_sentence};
use super::value::{read_attribute, read_value, written_value};
use super::zone::game_or_player;

/// Keys every definition has.
const OWN_KEYS: [&str; 9] = ["name", "text", "copies", "before", "instead", "on", "modifies", "aim", "image"];

/// The parts of a kind's definitions that cannot be checked, because the kind's declaration is faulty.
#[derive(Debug, Default)]
pub(crate) struct UncheckedParts {
    /// Whether nothing can be checked: the whole declaration is unusable.
    all: bool,
    /// Attributes whose types are unknown.
    attributes: Vec<String>,
}

/// Reads `[kinds]`, after the zones.
pub(crate) fn read(game: &Table<'_>, names: &Names, into: &mut Declarations) -> Vec<UncheckedParts> {
    let mut all = Vec::new();
    for (key, table) in game.tables("kinds", "kind") {
        check_name_as(&key, "kind", NameUse::Type);
        let mut unchecked = UncheckedParts { all: table.is_none(), ..UncheckedParts::default() };
        let mut kind = Kind { text: label_of(key.text), tokens: true, ..Kind::default() };
        if let Some(table) = table {
            read_kind(table, &mut kind, into.kinds.len(), &mut unchecked, names, into);
        }
        all.push(unchecked);
        into.kinds.insert(key.text.to_owned(), kind);
    }
    all
}

fn read_kind(
    table: Table<'_>,
    kind: &mut Kind,
    index: usize,
    unchecked: &mut UncheckedParts,
    names: &Names,
    known: &Declarations,
) {
    if let Some(text) = table.text("text") {
        kind.text = text;
    }
    kind.like = table.get(LIKE).and_then(|node| node.as_text()).and_then(|name| names.kinds.get_index_of(name));
    kind.tokens = table.boolean("tokens", true);
    kind.per = game_or_player(&table).unwrap_or_default();
    kind.shuffle = table.boolean("shuffle", false);
    read_zone(&table, kind, index, names, known);
    for (key, attribute) in table.tables("attributes", "attribute") {
        check_name(&key, "attribute");
        if OWN_KEYS.contains(&key.text) {
            let message = format!("`{}` cannot be an attribute: every definition already has that key", key.text);
            key.fault("reserved-name", message, None);
            continue;
        }
        let attribute = attribute.and_then(|mut attribute| {
            attribute.what = format!("{} of {}", attribute.what, table.what);
            read_attribute(attribute, names)
        });
        let attribute = attribute.unwrap_or_else(|| {
            unchecked.attributes.push(key.text.to_owned());
            Attribute {
                text: String::new(),
                of: AttributeType::Boolean,
                default: None,
                internal: false,
                learned: true,
                ability: false,
                better: None,
            }
        });
        kind.attributes.insert(key.text.to_owned(), attribute);
    }
    read_offset(&table, kind, unchecked);
    kind.deck_lists = lists::read(&table, kind, names, known);
    hook::read(&table, kind, &OWN_KEYS);
    kind.image = image::read(&table, &names.images);
    read_activity(&table, kind, index, names, known);
    if let Some(node) = table.get("reads") {
        kind.reads = node.text().map(str::to_owned);
        if unchecked.attributes.is_empty() {
            check_sentence(&node, &shown_values(kind));
        }
    }
    read_name(&table, kind, unchecked);
    if let Some(node) = table.get("product") {
        let attributes: Vec<&str> = kind.attributes.keys().map(String::as_str).collect();
        Product::check(&node, &attributes, &names.kinds, &names.ids);
        kind.product = names.products.get(index).map(|made| made.axes.keys().cloned().collect()).unwrap_or_default();
    }
    if let Some(node) = table.get("id") {
        if !table.has("product") {
            node.fault("conflict", format!("{} has no effect without `product`", node.what), None);
        } else if !kind.product.is_empty() {
            check_named(&node, &kind.product.iter().map(|name| (name.as_str(), ValueForm::Name)).collect::<Vec<_>>());
        }
    }
    table.finish(keys::kinds);
}

/// Reads the zone in which the tokens of a kind start.
fn read_zone(table: &Table<'_>, kind: &mut Kind, index: usize, names: &Names, known: &Declarations) {
    if let Some(node) = table.get("zone") {
        kind.zone = node.reference(&ZONE, &names.zones);
        if let Some((name, zone)) = kind.zone.and_then(|zone| known.zones.get_index(zone)) {
            if kind.tokens && !zone.holds.contains(&index) && !zone.holds.is_empty() {
                let message = format!("{} is `{name}`, which does not hold this kind", node.what);
                node.fault("wrong-holder", message, Some(format!("add the kind to `holds` in zone `{name}`")));
            }
            if zone.internal && kind.tokens && kind.shuffle {
                let message =
                    format!("{} is `{name}`, which is internal, but `shuffle` makes its order secret", node.what);
                let help = format!("remove `internal` from zone `{name}`, and set `visible`: \"nobody\" or \"count\"");
                node.fault("conflict", message, Some(help));
            }
            if zone.per == Holder::Player && kind.per == Holder::Game {
                let message = format!("every player has a zone `{name}`, but {} belongs to the game", table.what);
                node.fault("wrong-holder", message, Some("add `per = \"player\"` to the kind".to_owned()));
            }
        }
    }
    if !kind.tokens {
        for key in ["per", "zone", "shuffle"] {
            if let Some(node) = table.get(key) {
                node.fault("conflict", format!("{} has no effect: the kind has no tokens", node.what), None);
            }
        }
    } else if let Some(node) = table.get("shuffle").filter(|_| kind.shuffle && table.get("zone").is_none()) {
        node.fault("conflict", format!("{} has no effect without `zone`", node.what), None);
    }
}

/// The values that texts of a kind's definitions can show.
fn shown_values(kind: &Kind) -> Vec<(&str, ValueForm)> {
    let hooks = kind.hooks.keys().chain(kind.lists.keys()).map(|hook| (hook.as_str(), ValueForm::Name));
    shown_attributes(kind).chain(hooks).collect()
}

fn shown_attributes(kind: &Kind) -> impl Iterator<Item = (&str, ValueForm)> {
    kind.attributes.iter().map(|(name, attribute)| (name.as_str(), ValueForm::of(&attribute.of)))
}

/// Reads the default name of definitions: a text with attributes as placeholders.
fn read_name(table: &Table<'_>, kind: &mut Kind, unchecked: &UncheckedParts) {
    let Some(node) = table.get("name") else { return };
    kind.name = table.need_text("name");
    if unchecked.attributes.is_empty() {
        check_named(&node, &shown_attributes(kind).collect::<Vec<_>>());
    }
}

/// Reads the two attributes that say where a neighbouring cell is.
fn read_offset(table: &Table<'_>, kind: &mut Kind, unchecked: &UncheckedParts) {
    let Some(node) = table.get("offset") else { return };
    let Some(elements) = node.list(false) else { return };
    let names: IndexSet<String> = kind.attributes.keys().cloned().collect();
    let found: Vec<Option<usize>> = elements.iter().map(|element| element.reference(&ATTRIBUTE, &names)).collect();
    for (element, at) in elements.iter().zip(&found) {
        let Some((name, attribute)) = at.and_then(|at| kind.attributes.get_index(at)) else { continue };
        if !matches!(attribute.of, AttributeType::Integer { .. }) && !unchecked.attributes.contains(name) {
            let message = format!("`{name}` in {} must be an attribute of type `integer`", node.what);
            element.fault("wrong-type", message, None);
        }
    }
    match found.as_slice() {
        [row, column] => kind.offset = row.zip(*column).map(Into::into),
        _ => {
            let help = "write `offset = [\"row\", \"column\"]`: rows down, then columns right".to_owned();
            node.fault(
                "wrong-type",
                format!("{} must have two attributes, not {}", node.what, found.len()),
                Some(help),
            );
        }
    }
}

/// Reads where and while when listeners and modifiers of the kind's tokens act.
fn read_activity(table: &Table<'_>, kind: &mut Kind, index: usize, names: &Names, known: &Declarations) {
    if let Some(node) = table.get("active") {
        kind.active =
            node.list(true).unwrap_or_default().iter().filter_map(|one| one.reference(&ZONE, &names.zones)).collect();
    }
    kind.becomes = read_becomes(table, index, names, known);
    kind.held = read_held(table, kind, index, names, known);
    let Some(node) = table.get("abilities") else { return };
    let known: IndexSet<String> = kind.attributes.keys().cloned().collect();
    let Some(attribute) = node.reference(&ATTRIBUTE, &known) else { return };
    let declared = &kind.attributes[attribute];
    if declared.of != AttributeType::Boolean {
        node.fault("wrong-type", format!("{} must be a boolean attribute", node.what), None);
    } else if declared.default != Some(Value::Boolean(true)) {
        let message = format!("{} must be true by default: a card acts only while it is true", node.what);
        let help = format!("declare `{} = {{ type = \"boolean\", default = true }}`", known[attribute]);
        node.fault("out-of-range", message, Some(help));
    } else {
        kind.abilities = Some(known[attribute].clone());
    }
}

/// Reads the counter with the definition that a token is a copy of.
fn read_becomes(table: &Table<'_>, index: usize, names: &Names, known: &Declarations) -> Option<usize> {
    let node = table.get("becomes")?;
    let counter = node.reference(&COUNTER, &names.counters)?;
    let (_, declared) = known.counters.get_index(counter)?;
    let is_over = declared.values.len() == names.ids.get(index).map_or(0, |ids| ids.len() + 1);
    if declared.per != Holder::Token(index) || !is_over {
        let kind = names.kinds.get_index(index).map_or("", String::as_str);
        let message = format!("{} must be a counter `per` this kind with `values = \"{kind}\"`", node.what);
        node.fault("wrong-holder", message, None);
        return None;
    }
    Some(counter)
}

/// Reads the counter by which definitions without tokens are held.
fn read_held(table: &Table<'_>, kind: &Kind, index: usize, names: &Names, known: &Declarations) -> Option<Held> {
    let node = table.get("held")?;
    let name = node.text()?;
    if kind.tokens {
        let help = "set `tokens = false`, or remove it: `active` names the zones of tokens".to_owned();
        node.fault("conflict", format!("{} has no effect: the kind has tokens", node.what), Some(help));
        return None;
    }
    if let Some(family) = names.counter_families.get(name).filter(|family| family.kind == index) {
        return Some(Held::Family(family.first));
    }
    let counter = node.reference(&COUNTER, &names.counters)?;
    let (_, declared) = known.counters.get_index(counter)?;
    let is_over = declared.values.len() == names.ids.get(index).map_or(0, |ids| ids.len() + 1);
    if !is_over || !matches!(declared.per, Holder::Player | Holder::Game) {
        let kind = names.kinds.get_index(index).map_or("", String::as_str);
        let message = format!("{} must be a counter of players or of the game with `values = \"{kind}\"`", node.what);
        node.fault("wrong-holder", message, None);
        return None;
    }
    Some(Held::One(counter))
}

/// Reads the definitions of the kind at `index`: first those of its product, which the file `<kind>.toml` may change,
/// then those that are only in the file.
pub(crate) fn read_definitions(
    game: Option<&Document<'_>>,
    root: Option<&Table<'_>>,
    index: usize,
    unchecked: &UncheckedParts,
    names: &Names,
    into: &mut Declarations,
) {
    let mut written: IndexMap<&str, (Key<'_>, Option<Table<'_>>)> = IndexMap::new();
    for (key, table) in root.into_iter().flat_map(|root| root.children("definition")) {
        check_name(&key, "definition");
        written.insert(key.text, (key, table));
    }
    let made = names.products.get(index).map_or(0, |made| made.len().unwrap_or(0));
    if is_too_much(into, index, made + written.len()) {
        let message = format!("the definitions have more than {MAX_VALUES} attribute values");
        let help = Some("declare fewer attributes, or fewer definitions".to_owned());
        match (root, game) {
            (Some(root), _) => root.fault("too-large", message, help),
            (None, Some(game)) => game.root("the game").fault("too-large", message, help),
            (None, None) => {}
        }
        return;
    }
    if let (Some(made), Some(game)) = (names.products.get(index), game) {
        let axes = typed_axes(made, index, unchecked, names, into, game);
        for combination in made.combinations() {
            let id = made.id(&combination);
            let of_axis = |(picked, (name, values)): (&usize, (&String, &Vec<Value>))| {
                Some((name.clone(), values.get(*picked)?.clone()))
            };
            let given: IndexMap<String, Value> = combination.iter().zip(&axes).filter_map(of_axis).collect();
            let mut definition = Definition { place: made.place.clone(), ..empty(&id, index) };
            definition.name.clear();
            let Some((_, kind)) = into.kinds.get_index(index) else { continue };
            let mut found = Reactions::default();
            match written.shift_remove(id.as_str()) {
                Some((key, table)) => {
                    definition.place = key.place();
                    if let Some(table) = table {
                        found = read_definition(table, &mut definition, kind, unchecked, Some(&given), names, into);
                    }
                }
                None => {
                    definition.attributes = made_values(kind, &given);
                    definition.scripted = kind.scripted.iter().cloned().collect();
                    definition.image = kind.image.clone();
                }
            }
            into.definitions.push(definition);
            found.add_to(into);
        }
    }
    for (key, table) in written.into_values() {
        let Some((_, kind)) = into.kinds.get_index(index) else { continue };
        let mut definition = Definition { place: key.place(), ..empty(key.text, index) };
        let mut found = Reactions::default();
        if let Some(table) = table {
            found = read_definition(table, &mut definition, kind, unchecked, None, names, into);
        }
        into.definitions.push(definition);
        found.add_to(into);
    }
}

/// Whether this many definitions of a kind, with those of earlier kinds, have too many attribute values.
fn is_too_much(d: &Declarations, index: usize, definitions: usize) -> bool {
    let before: usize = d.definitions.iter().map(|one| one.attributes.len()).sum();
    let attributes = d.kinds.get_index(index).map_or(0, |(_, kind)| kind.attributes.len());
    attributes.saturating_mul(definitions).saturating_add(before) > MAX_VALUES
}

fn empty(id: &str, kind: usize) -> Definition {
    Definition {
        id: id.to_owned(),
        kind,
        name: label_of(id),
        text: String::new(),
        written: String::new(),
        says: String::new(),
        copies: 1,
        attributes: Vec::new(),
        aims: Vec::new(),
        hook_aims: IndexMap::new(),
        verbs: IndexMap::new(),
        scripted: IndexSet::new(),
        image: None,
        place: super::declare::Location::default(),
    }
}

/// The attributes of a definition that exists only through the product.
fn made_values(kind: &Kind, given: &IndexMap<String, Value>) -> Vec<Value> {
    let value = |(name, attribute): (&String, &Attribute)| {
        given.get(name).cloned().or_else(|| attribute.default.clone()).unwrap_or_else(Value::none)
    };
    kind.attributes.iter().map(value).collect()
}

/// Converts the values of a product to the types of the attributes. Reports values of a wrong type, ids that are not
/// valid names, and required attributes that are not set.
fn typed_axes(
    made: &Product,
    index: usize,
    unchecked: &UncheckedParts,
    names: &Names,
    d: &Declarations,
    game: &Document<'_>,
) -> IndexMap<String, Vec<Value>> {
    let mut axes = IndexMap::new();
    let Some((name, kind)) = d.kinds.get_index(index).filter(|_| !made.axes.is_empty()) else { return axes };
    let fault = |code, message| game.fault(made.span, code, message, None);
    let template = || made.axes.keys().map(|axis| format!("{{{axis}}}")).collect::<Vec<_>>().join("_");
    for (attribute, values) in &made.axes {
        let of = kind.attributes.get(attribute).filter(|_| !unchecked.attributes.contains(attribute));
        let typed = |value: &product::Value| {
            let typed = of.map(|of| written_value(&value.written, &of.of, names));
            typed.unwrap_or(Ok(Value::none())).unwrap_or_else(|wrong| {
                fault(
                    "unknown-value",
                    format!("`{}` for `{attribute}` in the product of kind `{name}` {wrong}", value.written),
                );
                Value::none()
            })
        };
        axes.insert(attribute.clone(), values.iter().map(typed).collect());
    }
    let mut ids = IndexSet::new();
    if let Some(id) = made.combinations().map(|one| made.id(&one)).find(|id| !ids.insert(id.clone())) {
        fault("duplicate", format!("the product of kind `{name}` makes the id `{id}` twice"));
    }
    // A definition with a bad id has its own fault.
    let is_reported = |combination: &Vec<usize>| {
        made.values(combination).any(|(attribute, value)| {
            let of = kind.attributes.get(attribute).map(|attribute| &attribute.of);
            matches!(of, Some(AttributeType::Id(_))) && !is_name(&value.written)
        })
    };
    let mut unreported = made.combinations().filter(|one| !is_reported(one)).map(|one| made.id(&one));
    if let Some(id) = unreported.find(|id| !is_name(id)) {
        let message = format!("the product of kind `{name}` makes the id `{id}`, which is not in snake_case");
        let help = Some(format!("set a pattern for ids: `id = \"{name}_{}\"`", template()));
        game.fault(made.span, "bad-name", message, help);
    }
    let missing = |(name, attribute): &(&String, &Attribute)| {
        attribute.default.is_none() && !made.axes.contains_key(*name) && !unchecked.attributes.contains(name)
    };
    if let Some((attribute, _)) = kind.attributes.iter().find(missing) {
        let message = format!("the product of kind `{name}` does not set `{attribute}`, which has no default");
        fault("missing-key", message);
    }
    axes
}

/// The listeners and modifiers of a definition.
#[derive(Default)]
struct Reactions {
    listeners: Vec<Listener>,
    modifiers: Vec<Modifier>,
}

impl Reactions {
    fn add_to(self, d: &mut Declarations) {
        d.listeners.extend(self.listeners);
        d.modifiers.extend(self.modifiers);
    }
}

fn read_definition(
    table: Table<'_>,
    definition: &mut Definition,
    kind: &Kind,
    unchecked: &UncheckedParts,
    given: Option<&IndexMap<String, Value>>,
    names: &Names,
    known: &Declarations,
) -> Reactions {
    definition.name = match near_id(&table, definition, names) {
        // The name is made from the attributes once all of them are known.
        _ if (given.is_some() || !kind.name.is_empty()) && !table.has("name") => {
            table.get("name");
            String::new()
        }
        Some(near) => {
            // Marks `name` as requested, so that a misspelt `name` gets it as a suggestion.
            table.get("name");
            let message = format!("{} needs `name`", table.what);
            table.fault("missing-key", message, Some(format!("did you mean definition `{near}`?")));
            String::new()
        }
        None => table.need_text("name"),
    };
    if let Some(node) = table.get("text") {
        definition.written = node.text().unwrap_or_default().to_owned();
        if !unchecked.all && unchecked.attributes.is_empty() {
            let mut known = shown_values(kind);
            known.push((VERBS, ValueForm::Name));
            check_named(&node, &known);
        }
    }
    if let Some(node) = table.get("copies") {
        if kind.tokens || unchecked.all {
            let copies = node.integer(COPIES).and_then(|copies| u16::try_from(copies).ok());
            definition.copies = copies.unwrap_or(1);
        } else {
            node.fault("conflict", format!("{} has no effect: the kind has no tokens", node.what), None);
        }
    }
    definition.image = image::read(&table, &names.images).or_else(|| kind.image.clone());
    let index = known.definitions.len();
    let reactions = Reactions {
        listeners: listener::of_definition(&table, &definition.id, index, names, known),
        modifiers: modifier::of_definition(&table, &definition.id, index, names, known),
    };
    if unchecked.all {
        return reactions;
    }
    for (name, attribute) in &kind.attributes {
        let value = if unchecked.attributes.contains(name) {
            table.get(name);
            None
        } else {
            attribute_value(&table, name, attribute, given.and_then(|given| given.get(name)), names)
        };
        definition.attributes.push(value.or_else(|| attribute.default.clone()).unwrap_or_else(Value::none));
    }
    let plain = Scope { d: known, names, event: None, borne: true, targets: &[] };
    definition.aims = aim::read(&table, plain);
    hook::read_of(&table, definition, kind, plain);
    table.finish_names();
    reactions
}

/// Reports zones that are too small for the tokens that start in them, with the maximum number of players.
pub(crate) fn check_places(game: &Table<'_>, d: &Declarations) {
    let zones = game.get("zones").filter(|node| node.is_table()).and_then(|node| node.table("zones"));
    let Some(zones) = zones else { return };
    for (index, (name, zone)) in d.zones.iter().enumerate() {
        let Some(size) = zone.size.map(usize::from) else { continue };
        let here = || d.kinds.iter().filter(|(_, kind)| kind.tokens && kind.zone == Some(index));
        let tokens = |kind: &Kind| {
            let copies = d.definitions[kind.first..kind.first + kind.len].iter().map(|one| usize::from(one.copies));
            let sets = if kind.per == Holder::Player && zone.per == Holder::Game { d.players.max } else { 1 };
            copies.sum::<usize>() * usize::from(sets)
        };
        let start = here().map(|(_, kind)| tokens(kind)).sum::<usize>();
        if start <= size {
            continue;
        }
        let node = zones.get(name).and_then(|node| node.table("").and_then(|table| table.get("size")));
        let Some(node) = node else { continue };
        let kinds: Vec<&str> = here().map(|(kind, _)| kind.as_str()).collect();
        let message =
            format!("zone `{name}` has room for {size} tokens, but {start} start in it: all of {}", list(&kinds));
        let help = format!("set `size` to {start} or more, or let them start in another zone and move them in `setup`");
        node.fault("out-of-range", message, Some(help));
    }
}

/// The definition that a definition without a name may be meant to change: a definition in a mod often has no name.
fn near_id<'n>(table: &Table<'_>, definition: &Definition, names: &'n Names) -> Option<&'n str> {
    if table.has("name") {
        return None;
    }
    let ids = names.ids.get(definition.kind)?.iter().map(String::as_str);
    nearest(&definition.id, ids.filter(|id| *id != definition.id))
}

fn attribute_value(
    table: &Table<'_>,
    name: &str,
    attribute: &Attribute,
    given: Option<&Value>,
    names: &Names,
) -> Option<Value> {
    match (table.get(name), given.or(attribute.default.as_ref())) {
        (Some(node), default) => {
            let optional = default.is_some_and(|default| *default == Value::none());
            read_value(&node, &attribute.of, names, optional)
        }
        (None, Some(default)) => Some(default.clone()),
        (None, None) => table.need(name).and(None),
    }
}
