//! Reads a pack into declarations, and reports every fault at once.

use std::sync::Arc;

use indexmap::IndexMap;

use super::compose::compose;
use super::declare::{Declarations, Layer, Script};
use super::diagnostic::{Diagnostic, Diagnostics, nearest};
use super::document::{Document, Faults};
use super::files::{Files, LayerFile};
use super::hidden::{find_hidden, hidden_message};
use super::merge;
use super::mods::Mod;
use super::names::{Names, STEMS, is_name};
use super::pack::Pack;
use super::product::Product;
use super::reaction_text::reactions;
use super::source::{LIB, SourceFile};
use super::{
    aim, complete, event, family, game, keys, kind, like, listener, look, modifier, phase, pick, prompt, rules, text,
    verb,
};

/// Reads a pack. The declarations are complete only if the diagnostics contain no error.
///
/// Does not check whether scripts define the hooks that phases, verbs and definitions need.
pub fn read(pack: &Pack) -> (Declarations, Diagnostics) {
    let faults = Faults::default();
    for fault in pack.faults.iter().chain(pack.mods.iter().flat_map(|one| &one.faults)) {
        faults.push(fault.clone());
    }
    let files = Files::of_pack(pack, &faults);
    let mut docs = merge::merge(&files.content, &pack.mods, &faults);
    fill_in(&mut docs);
    let standard = SourceFile { path: verb::STANDARD_PATH.to_owned(), text: verb::STANDARD.to_owned() };
    let standard_faults = Faults::default();
    let standard = Document::parse(&standard, &standard_faults);
    let standard_events = SourceFile { path: event::STANDARD_PATH.to_owned(), text: event::STANDARD.to_owned() };
    let standard_events = Document::parse(&standard_events, &standard_faults);

    let mut names = read_names(&docs, &standard, &standard_events);
    names.images = pack.images_by_name();
    let mut into = Declarations { id: pack.id.clone(), ..Declarations::default() };
    let unchecked = match docs.get("game") {
        Some(doc) => game::read(doc.root("the game"), &mut names, &mut into),
        None => {
            missing(&docs, &faults, &pack.id, "game", "every pack needs one");
            Vec::new()
        }
    };
    verb::read(standard.root("verbs"), &names, true, &mut into.verbs);
    if let Some(doc) = docs.get("verbs") {
        verb::read(doc.root("verbs"), &names, false, &mut into.verbs);
    }
    if let Some(doc) = docs.get("texts") {
        into.texts = text::read(doc.root("texts"), &names);
    }
    if let Some(doc) = docs.get("prompts") {
        into.prompts = prompt::read(doc.root("prompts"), &names, &into.texts);
    }
    read_reactions(&docs, &standard_events, &mut names, &mut into);
    if let Some(doc) = docs.get("verbs") {
        pick::read(&doc.root("verbs"), &names, &mut into);
    }
    for (index, unchecked) in unchecked.iter().enumerate() {
        let first = into.definitions.len();
        let name = names.kinds.get_index(index).map_or("", String::as_str);
        let root = docs.get(name).filter(|_| !STEMS.contains(&name)).map(|doc| doc.root(format!("`{name}`")));
        kind::read_definitions(docs.get("game"), root.as_ref(), index, unchecked, &names, &mut into);
        if let Some(root) = root.filter(|_| into.definitions.len() == first) {
            root.fault("empty", format!("kind `{name}` has no definitions"), None);
        }
        let len = into.definitions.len() - first;
        if let Some((_, kind)) = into.kinds.get_index_mut(index) {
            (kind.first, kind.len) = (first, len);
        }
    }
    complete::definitions(&mut into, &names);
    complete::events(&mut into, &names);
    into.listeners.extend(listener::resets(&into));
    if let Some(game) = docs.get("game") {
        family::check_sizes(game, &into);
        kind::check_places(&game.root("the game"), &into);
    }
    match docs.get("phases") {
        Some(doc) => into.phases = phase::read(doc.root("phases"), &names, &docs, &into),
        None => missing(&docs, &faults, &pack.id, "phases", "a game needs at least one phase"),
    }
    complete::players(&mut into);
    read_rules_and_look(&files, &docs, &names, &mut into, &faults);
    compose(&mut into, &docs, reactions);
    aim::add_counters(&mut into, &faults);
    check_files(&docs, &names, &faults);
    into.scripts = read_scripts(&files, &docs, &names, &faults);
    let layer = |one: &Mod| Layer { id: one.id().to_owned(), knows: one.knows.clone() };
    into.layers = pack.mods.iter().map(layer).collect();
    into.removed = merge::removed(&pack.mods, &docs.keys().copied().collect::<Vec<_>>());
    let mut list = faults.take();
    let written = files.rules.iter().copied().chain(files.scripts.values().flatten().map(|(_, source)| *source));
    list.extend(written.filter_map(hidden_character));
    hide_follow_ons(&mut list, pack);
    let sources = pack.mods.iter().flat_map(|one| one.files.iter().chain([&one.source]));
    let mut diagnostics = Diagnostics { list, sources: Arc::new(pack.files.iter().chain(sources).cloned().collect()) };
    diagnostics.sort();
    (into, diagnostics)
}

/// Reads `rules.md`, and `look.toml`, which refers to rules.
fn read_rules_and_look(
    files: &Files<'_>,
    docs: &IndexMap<&str, Document<'_>>,
    names: &Names,
    into: &mut Declarations,
    faults: &Faults,
) {
    into.rules = rules::read(&files.rules, faults);
    into.rule_texts = files.rules.iter().map(|source| source.text.clone()).collect();
    if let Some(doc) = docs.get("look") {
        into.look = look::read(doc.root("look.toml"), names, into);
    }
}

/// Fills in the keys that declarations inherit with `like`.
fn fill_in(docs: &mut IndexMap<&str, Document<'_>>) {
    if let Some(game) = docs.get_mut("game") {
        like::fill_in(game);
    }
    if let Some(verbs) = docs.get_mut("verbs") {
        like::fill_in_verbs(verbs);
    }
}

/// Reads the built-in events and `reactions.toml`.
fn read_reactions(
    docs: &IndexMap<&str, Document<'_>>,
    standard: &Document<'_>,
    names: &mut Names,
    into: &mut Declarations,
) {
    event::read(&standard.root("events.toml"), names, true, into);
    let Some(doc) = docs.get("reactions") else { return };
    let root = doc.root("reactions.toml");
    names.filters = event::read_filters(&root, names, into);
    event::read(&root, names, false, into);
    let (listeners, modifiers) = (listener::read(&root, names, into), modifier::read(&root, names, into));
    (into.listeners, into.modifiers) = (listeners, modifiers);
    root.finish(keys::events);
}

/// The fault of a hidden character in a script or in the rules. For Luau, a NUL byte ends a script.
fn hidden_character(source: &SourceFile) -> Option<Diagnostic> {
    let (at, c) = find_hidden(&source.text)?;
    let mut fault = Diagnostic::of_file("hidden-character", &source.path, hidden_message(c));
    (fault.line, fault.column) = source.position(at);
    (fault.start, fault.end) = (at, at + c.len_utf8());
    Some(fault)
}

fn missing(docs: &IndexMap<&str, Document<'_>>, faults: &Faults, id: &str, stem: &str, why: &str) {
    let path = format!("content/{id}/{stem}.toml");
    let mut fault = Diagnostic::of_file("missing-file", path, format!("there is no `{stem}.toml`; {why}"));
    let others = docs.keys().copied().filter(|other| !STEMS.contains(other));
    fault.help = nearest(stem, others).map(|near| format!("rename `{near}.toml` to `{stem}.toml`"));
    faults.push(fault);
}

/// The first pass: all declared names, including those of faulty declarations.
fn read_names(docs: &IndexMap<&str, Document<'_>>, standard: &Document<'_>, standard_events: &Document<'_>) -> Names {
    let of_file = |stem: &str| docs.get(stem).map(|doc| doc.root("").own_names()).unwrap_or_default();
    let mut names = Names::default();
    if let Some(game) = docs.get("game").map(|doc| doc.root("")) {
        names.options = game.silent_names("options");
        names.grids = game.silent_names("grids");
        names.kinds = game.silent_names("kinds");
    }
    names.ids = names.kinds.iter().map(|kind| of_file(kind)).collect();
    if let Some(game) = docs.get("game").map(|doc| doc.root("")) {
        let kinds = game.get("kinds").and_then(|kinds| kinds.as_table());
        for (index, name) in names.kinds.iter().enumerate() {
            let kind = kinds.as_ref().and_then(|kinds| kinds.get(name)).and_then(|kind| kind.as_table());
            let made = kind.map(|kind| Product::read(&kind, &names.kinds, &names.ids)).unwrap_or_default();
            let written = std::mem::take(&mut names.ids[index]);
            names.ids[index] = made.combinations().map(|one| made.id(&one)).chain(written).collect();
            names.products.push(made);
        }
        let section = |section: &str| game.get(section).and_then(|section| section.as_table());
        (names.counters, names.counter_families) = family::expand(section("counters"), &names.kinds, &names.ids);
        (names.zones, names.zone_families) = family::expand(section("zones"), &names.kinds, &names.ids);
    }
    names.prompts = of_file("prompts");
    names.verbs = standard.root("").own_names();
    names.verbs.extend(of_file("verbs"));
    names.events = standard_events.root("").silent_names("events");
    names.events.extend(docs.get("reactions").map(|doc| doc.root("").silent_names("events")).unwrap_or_default());
    names.phases = of_file("phases");
    names
}

/// Reports content files without a kind, and kinds without a file.
fn check_files(docs: &IndexMap<&str, Document<'_>>, names: &Names, faults: &Faults) {
    for (stem, doc) in docs {
        if STEMS.contains(stem) || names.kinds.contains(*stem) {
            continue;
        }
        let message = format!("there is no kind `{stem}`");
        let known = STEMS.into_iter().chain(names.kinds.iter().map(String::as_str));
        let mut fault = Diagnostic::of_file("unknown-file", doc.path(), message);
        fault.help = Some(match nearest(stem, known) {
            Some(right) => format!("did you mean `{right}.toml`?"),
            None if *stem == "events" => {
                "declare events in `reactions.toml`, or `[kinds.events]` in `game.toml`".to_owned()
            }
            None => format!("declare `[kinds.{stem}]` in `game.toml`"),
        });
        faults.push(fault);
    }
    let Some(game) = docs.get("game") else { return };
    let Some(kinds) = game.root("").get("kinds").filter(|node| node.is_table()) else { return };
    for (key, _) in kinds.table("").into_iter().flat_map(|table| table.entries()) {
        let is_made = names.kinds.get_index_of(key.text).and_then(|kind| names.products.get(kind));
        if is_made.is_some_and(|made| !made.axes.is_empty()) {
            continue;
        }
        if !docs.contains_key(key.text) && is_name(key.text) {
            let message = format!("kind `{}` has no file `{}.toml`", key.text, key.text);
            let strays = docs.keys().copied().filter(|stem| !STEMS.contains(stem) && !names.kinds.contains(*stem));
            let other = || nearest(key.text, names.kinds.iter().map(String::as_str).filter(|kind| *kind != key.text));
            let help = nearest(key.text, strays)
                .map(|stray| format!("rename `{stray}.toml` to `{}.toml`", key.text))
                .or_else(|| other().map(|kind| format!("did you mean kind `{kind}`?")));
            key.fault("missing-file", message, help);
        }
    }
}

fn read_scripts(
    files: &Files<'_>,
    docs: &IndexMap<&str, Document<'_>>,
    names: &Names,
    faults: &Faults,
) -> IndexMap<String, Vec<Script>> {
    let mut scripts = IndexMap::new();
    for (stem, layers) in &files.scripts {
        let known = match *stem {
            "game" | "phases" | LIB => true,
            "reactions" | "verbs" => docs.contains_key(*stem),
            kind => names.kinds.contains(kind),
        };
        if known {
            let script = |(layer, source): &LayerFile<'_>| Script {
                path: source.path.clone(),
                source: source.text.clone(),
                layer: *layer,
            };
            scripts.insert((*stem).to_owned(), layers.iter().map(script).collect());
            continue;
        }
        let Some((_, source)) = layers.first() else { continue };
        let message = format!("script `{stem}` is never used: there is no kind `{stem}`");
        let mut fault = Diagnostic::of_file("orphan-script", &source.path, message);
        let stems =
            ["game", "phases", "reactions", "verbs", LIB].into_iter().chain(names.kinds.iter().map(String::as_str));
        if matches!(*stem, "reactions" | "verbs") {
            fault.message = format!("script `{stem}` is never used: there is no `{stem}.toml`");
            fault.help = Some(format!("declare the {stem} in `{stem}.toml`"));
        } else if STEMS.contains(stem) {
            fault.message = format!("`{stem}` cannot have a script");
        } else {
            fault.help = nearest(stem, stems).map(|right| format!("did you mean `{right}.luau`?"));
        }
        faults.push(fault);
    }
    scripts
}

/// Removes consequential faults: those of keys on a broken line, and of names in a broken file.
fn hide_follow_ons(list: &mut Vec<Diagnostic>, pack: &Pack) {
    let breaks = |code: &str| matches!(code, "syntax" | "not-utf8");
    let unread = |code: &str| matches!(code, "too-large" | "not-a-file" | "unreadable");
    let whole: Vec<String> = list.iter().filter(|fault| unread(fault.code)).map(|fault| fault.file.clone()).collect();
    // A fault with a place in its file is of one value: the rest of the file was read.
    let is_unread = |fault: &&Diagnostic| unread(fault.code) && fault.end == 0;
    let unread_files: Vec<String> = list.iter().filter(is_unread).map(|fault| fault.file.clone()).collect();
    let lines: Vec<(String, u32)> =
        list.iter().filter(|fault| breaks(fault.code)).map(|fault| (fault.file.clone(), fault.line)).collect();
    let game = format!("content/{}/game.toml", pack.id);
    let no_game = list.iter().any(|fault| fault.code == "missing-file" && fault.file == game && fault.end == 0);
    let broken = |file: &str| whole.iter().any(|other| other == file) || lines.iter().any(|(other, _)| other == file);
    let broken_files = || whole.iter().chain(lines.iter().map(|(file, _)| file));
    let broken_stem =
        |stem: &str| broken_files().any(|file| pack.stem_of(file) == Some(stem)) || stem == "game" && no_game;
    let kind_broken = broken_files().any(|file| pack.stem_of(file).is_some_and(|stem| !STEMS.contains(&stem)));
    let kind_faulty = list
        .iter()
        .filter(|fault| fault.code != "free-purchase")
        .any(|fault| pack.stem_of(&fault.file).is_some_and(|stem| !STEMS.contains(&stem)));
    // A mod that lacks a required mod cannot be checked further.
    let alone: Vec<String> = list
        .iter()
        .filter(|fault| fault.code == "missing-mod")
        .filter_map(|fault| fault.file.split_once('/').map(|(id, _)| format!("{id}/")))
        .collect();
    list.retain(|fault| {
        let guess = fault.code == "missing-key" || fault.code.starts_with("unknown-");
        if guess && alone.iter().any(|id| fault.file.starts_with(id.as_str())) {
            return false;
        }
        if breaks(fault.code) || unread(fault.code) {
            return true;
        }
        let hidden = match fault.code {
            "missing-key" | "empty" | "wrong-length" => broken(&fault.file),
            "unknown-option" | "unknown-counter" | "unknown-zone" | "unknown-grid" | "unknown-kind"
            | "unknown-type" | "unknown-file" | "orphan-script" => broken_stem("game"),
            "unknown-prompt" => broken_stem("prompts"),
            "unknown-phase" => broken_stem("phases"),
            "unknown-verb" => broken_stem("verbs"),
            "unknown-event" | "unknown-filter" => broken_stem("reactions"),
            "unknown-id" => kind_broken,
            // A price that could not be read counts as none.
            "free-purchase" => kind_faulty,
            _ => false,
        };
        let on_broken_line =
            lines.iter().any(|(file, line)| *file == fault.file && *line == fault.line && fault.end > 0);
        !hidden && !on_broken_line && !unread_files.contains(&fault.file)
    });
}
