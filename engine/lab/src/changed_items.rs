//! Finds the items that an edit changes: cards, actions and cells whose declarations or scripts differ between versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use motherlode::Game;
use motherlode::declare::{Bearer, Declarations, Listener, Location, Modifier, Value};
use serde::{Deserialize, Serialize};

use crate::item::Item;

/// How an edit changes an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemChange {
    /// Only the changed version has the item.
    Added,
    /// Only the base has the item.
    Removed,
    /// Its declaration or script differs.
    Edited,
}

/// An item that differs between versions of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedItem {
    /// Kind of the item: the kind of a card, the prompt of an action, a grid.
    pub kind: String,
    /// Display name.
    pub name: String,
    /// How it changes.
    pub change: ItemChange,
    /// The item in each version; `None` where it does not exist.
    pub versions: Vec<Option<Item>>,
}

/// Identifies an item in every version: a class, the name of its kind, prompt or grid, and its id.
type Key = (u8, String, String);

/// Returns the items that differ between versions, by kind and id. The first version is the base.
///
/// A card differs if its attributes, verbs, copies, targets, listeners, modifiers or functions do, but not if only its
/// texts or images do. An action differs if its values, or the functions of its phase do. A cell only comes or goes.
#[must_use]
pub fn changed_items(versions: &[&Game]) -> Vec<ChangedItem> {
    let [base, others @ ..] = versions else { return Vec::new() };
    let is_aligned = others.iter().all(|other| names(other.declarations()) == names(base.declarations()));
    let all: Vec<BTreeMap<Key, (Item, String)>> = versions.iter().map(|game| items(game, is_aligned)).collect();
    let keys: BTreeSet<&Key> = all.iter().flat_map(BTreeMap::keys).collect();
    let changed = keys.into_iter().filter_map(|key| {
        let found: Vec<Option<&(Item, String)>> = all.iter().map(|items| items.get(key)).collect();
        let text = |found: Option<&(Item, String)>| found.map(|(_, text)| text.clone());
        if found.iter().all(|other| text(*other) == text(found[0])) {
            return None;
        }
        let change = match found[0] {
            None => ItemChange::Added,
            Some(_) if found.contains(&None) => ItemChange::Removed,
            Some(_) => ItemChange::Edited,
        };
        let (game, item) = versions.iter().zip(&found).find_map(|(game, found)| Some((game, (*found)?.0)))?;
        let (kind, name) = item.kind_and_name(game);
        let versions = found.iter().map(|found| found.map(|(item, _)| *item)).collect();
        Some(ChangedItem { kind, name, change, versions })
    });
    changed.collect()
}

/// Returns the names that indices stand for. Debug texts of two versions are comparable only if these are equal.
fn names(d: &Declarations) -> Vec<Vec<&String>> {
    vec![
        d.counters.keys().collect(),
        d.zones.keys().collect(),
        d.kinds.keys().collect(),
        d.definitions.iter().map(|definition| &definition.id).collect(),
        d.prompts.keys().collect(),
        d.events.keys().collect(),
        d.options.keys().collect(),
        d.read_attributes.keys().collect(),
    ]
}

/// Returns all items of a game, each with a text of everything that can change its play.
fn items(game: &Game, is_aligned: bool) -> BTreeMap<Key, (Item, String)> {
    let d = game.declarations();
    let mut items = BTreeMap::new();
    for (index, definition) in d.definitions.iter().enumerate() {
        let kind = d.kinds.get_index(definition.kind).map_or("", |(name, _)| name);
        let text = definition_text(game, index, is_aligned);
        items.insert((0, kind.to_owned(), definition.id.clone()), (Item::Definition(index), text));
    }
    for (prompt, (name, declared)) in d.prompts.iter().enumerate() {
        let phases = d.phases.iter().filter(|(_, phase)| phase.prompt == Some(prompt));
        let scripts: String = phases.map(|(phase, _)| functions(game, "phases", phase)).collect();
        for label in declared.labels.keys() {
            let Some(number) = game.labels().iter().position(|known| known == label) else { continue };
            let text = format!("{:?}{scripts}", declared.values.get(label));
            items.insert((1, name.clone(), label.clone()), (Item::Label(prompt, number), text));
        }
    }
    for (grid, (name, _)) in d.grids.iter().enumerate() {
        let Some(layout) = game.layout().grids.get(grid) else { continue };
        for place in 0..layout.places() {
            items.insert((2, name.clone(), layout.name(place).to_owned()), (Item::Cell(grid, place), String::new()));
        }
    }
    items
}

/// Returns a text of everything that can change the play of a definition.
fn definition_text(game: &Game, index: usize, is_aligned: bool) -> String {
    let d = game.declarations();
    let definition = &d.definitions[index];
    let Some((name, kind)) = d.kinds.get_index(definition.kind) else { return String::new() };
    let mut text = format!("copies {};", definition.copies);
    // Writing to a string does not fail.
    for (attribute, value) in kind.attributes.keys().zip(&definition.attributes) {
        let _ = write!(text, "{attribute} = {};", value_text(value));
    }
    for (hook, calls) in &definition.verbs {
        for call in calls {
            let args: Vec<String> =
                call.args.iter().map(|(name, value)| format!("{name} = {}", value_text(value))).collect();
            let _ = write!(text, "{hook}: {}({});", call.verb, args.join(", "));
        }
    }
    if is_aligned {
        let bearer = Bearer::Definition(index);
        for listener in d.listeners.iter().filter(|listener| listener.bearer == bearer) {
            let bare = Listener { place: Location::default(), text: String::new(), ..listener.clone() };
            let _ = write!(text, "{bare:?};");
        }
        for modifier in d.modifiers.iter().filter(|modifier| modifier.bearer == bearer) {
            let bare = Modifier { place: Location::default(), text: String::new(), ..modifier.clone() };
            let _ = write!(text, "{bare:?};");
        }
        for aim in definition.aims.iter().chain(definition.hook_aims.values().flatten()) {
            let _ = write!(text, "{:?};", d.aims.get(*aim));
        }
    }
    text + &functions(game, name, &definition.id)
}

/// Returns a value as text, with formulas as written.
fn value_text(value: &Value) -> String {
    match value {
        Value::List(list) => format!("[{}]", list.iter().map(value_text).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let parts: Vec<String> =
                map.iter().map(|(name, value)| format!("{name} = {}", value_text(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Value::Formula(formula) => formula.text.clone(),
        value => format!("{value:?}"),
    }
}

/// Returns the source of all functions of a definition or a phase.
fn functions(game: &Game, stem: &str, id: &str) -> String {
    let prefix = format!("{stem}.{id}.");
    let scripts = || game.declarations().scripts.values().flatten();
    let own = game.contributions().iter().filter(|(path, _)| path.starts_with(&prefix));
    own.flat_map(|(path, parts)| parts.iter().map(move |part| (path, part)))
        .map(|(path, part)| {
            let script = scripts().find(|script| script.path == part.file);
            format!("{path}:{}", script.map_or_else(String::new, |script| block(&script.source, part.line)))
        })
        .collect()
}

/// Returns the lines of a function that begins in this line, from 1: up to the next line that is indented as little.
fn block(source: &str, line: u32) -> String {
    let first = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = source.lines().skip(first);
    let Some(head) = lines.next() else { return String::new() };
    let (mut text, depth) = (head.trim().to_owned(), indent(head));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        if indent(line) <= depth && !line.trim_start().starts_with("end") {
            break;
        }
        text.push('\n');
        text.push_str(line.trim_end());
        if indent(line) <= depth {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Stall, load};

    fn names_of(items: &[ChangedItem]) -> Vec<(&str, ItemChange)> {
        items.iter().map(|item| (item.name.as_str(), item.change)).collect()
    }

    #[test]
    fn edited_and_new_cards_are_found_at_any_index() {
        let base = Stall::default().load();
        assert_eq!(changed_items(&[&base, &base]), []);
        let other = Stall { ruby: 5, cutters: 3, idle_first: true, ..Stall::default() }.load();
        let found = changed_items(&[&base, &other]);
        let expected = [("Cutters", ItemChange::Edited), ("Agate", ItemChange::Added), ("Ruby", ItemChange::Edited)];
        assert_eq!(names_of(&found), expected);
        assert_eq!(found[2].kind, "jewels");
        let index = |game: &Game| game.declarations().definitions.iter().position(|one| one.id == "ruby");
        let ruby = |game: &Game| index(game).map(Item::Definition);
        assert_eq!(found[2].versions, [ruby(&base), ruby(&other)]);
    }

    #[test]
    fn a_function_changes_its_card_or_the_actions_of_its_phase() {
        let game = |play: &str, act: &str, others: &str| {
            let content = [
                (
                    "game",
                    "name = \"G\"\nversion = \"1.0.0\"\nrounds = 1\nplayers = { min = 2, max = 2, default = 2 }\nseats = [{ name = \"One\" }, { name = \"Two\" }]\n\
                     [counters.points]\nper = \"player\"\n[outcome]\nscore = \"points\"\n[zones]\n\
                     deck = { per = \"game\", holds = \"cards\" }\n[kinds.cards]\nzone = \"deck\"\nhooks = { play = [] }\n\
                     scripted = [\"play\"]\n",
                ),
                ("cards", "one = { name = \"One\" }\ntwo = { name = \"Two\" }\n"),
                ("phases", "[work]\nturns = \"once\"\nprompt = \"job\"\n"),
                ("prompts", "[job]\ntext = \"Which?\"\nlabels = { rest = \"Rest\", dig = \"Dig\" }\n"),
            ];
            let cards = format!(
                "return {{\n{others}    one = {{\n        play = function()\n            {play}\n        end,\n    }},\n    \
                 two = {{\n        play = function()\n        end,\n    }},\n}}\n"
            );
            let phases = format!(
                "return {{\n    work = {{\n        offer = function()\n            choice(\"rest\")\n            \
                 choice(\"dig\")\n        end,\n        act = function(player)\n            {act}\n        end,\n    }},\n}}\n"
            );
            load("g", &content, &[("cards", &cards), ("phases", &phases)])
        };
        let base = game("gain(1, \"points\", 1)", "gain(player, \"points\", 1)", "");
        let card = game("gain(1, \"points\", 2)", "gain(player, \"points\", 1)", "\n\n");
        assert_eq!(names_of(&changed_items(&[&base, &card])), [("One", ItemChange::Edited)], "lines may shift");
        let phase = game("gain(1, \"points\", 1)", "gain(player, \"points\", 2)", "");
        let expected = [("Dig", ItemChange::Edited), ("Rest", ItemChange::Edited)];
        assert_eq!(names_of(&changed_items(&[&base, &phase])), expected);
    }
}
