//! Mistakes in TOML, at every key and every value of every file.

use std::ops::Range;

use motherlode::declare::{AttributeType, Turns};

use super::case::{Case, Change, Mistake};
use super::entry::{Entry, Role, ValueType, role};
use super::scripts::TokenKind;
use crate::twins::SplitMix64;

impl Case {
    /// Whether a text names an item that is declared elsewhere.
    pub fn is_name_used(&self, entry: &Entry) -> bool {
        !entry.is_printed() && !entry.is_declared() && !self.is_free(entry)
    }

    /// Whether the value is a free text that only scripts interpret.
    fn is_free(&self, entry: &Entry) -> bool {
        matches!(self.type_of(entry), Some(AttributeType::Text(values)) if values.is_empty())
    }

    /// The declared type of a value in a definition, or of an argument of a verb in it.
    fn type_of(&self, entry: &Entry) -> Option<AttributeType> {
        let d = self.game.declarations();
        let kind = d.kinds.get(&entry.stem)?;
        let path = entry.path();
        let (of, rest) = match path.get(1..)? {
            [hook, "#", verb, rest @ ..] if kind.hooks.contains_key(*hook) => {
                let verb = d.verbs.get(*verb)?;
                match rest.first().and_then(|name| verb.args.get(*name)) {
                    Some(arg) => (&arg.of, &rest[1..]),
                    // The value of a single argument follows the verb directly.
                    None => (&verb.only_arg()?.1.of, rest),
                }
            }
            [attribute, rest @ ..] => (&kind.attributes.get(*attribute)?.of, rest),
            [] => return None,
        };
        match (of, rest) {
            (of, []) => Some(of.clone()),
            (AttributeType::List(of, _), ["#"]) => Some((**of).clone()),
            (AttributeType::Amounts(_), [_]) => Some(AttributeType::Integer { min: i32::MIN, max: i32::MAX }),
            _ => None,
        }
    }

    fn keys(&self, wanted: Role) -> impl Iterator<Item = (usize, Range<usize>, &str)> {
        let entries = self.content.entries.iter().filter(move |entry| entry.role() == wanted);
        let keys = entries.filter_map(|entry| Some((entry.file, entry.key.clone()?, entry.name())));
        let parts = self.content.parts.iter().filter(move |part| role(&part.stem, &part.path) == wanted);
        keys.chain(parts.map(|part| (part.file, part.span.clone(), part.path.last().map_or("", String::as_str))))
    }

    fn misspelt<'s>(
        &'s self,
        places: impl Iterator<Item = (usize, Range<usize>, &'s str)>,
        random: &mut SplitMix64,
    ) -> Vec<Mistake> {
        let make = |(file, span, name): (usize, Range<usize>, &str)| {
            Some(Mistake::misspelt(file, span, name, self.typo(name, random)?))
        };
        places.filter_map(make).collect()
    }
}

/// Keys defined by the engine.
pub fn engine_key(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    case.misspelt(case.keys(Role::Engine), random)
}

/// Uses of attributes, verbs, arguments and names of amounts.
pub fn own_key(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    case.misspelt(case.keys(Role::Own), random)
}

/// Declared names. An unreferenced one may have any spelling.
pub fn declared(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let keys = case.keys(Role::Declares).filter(|(file, span, name)| case.is_named(name, *file, span));
    let keys: Vec<_> = keys.filter(|(file, span, name)| case.is_needed_by_name(*file, span, name)).collect();
    let listed = case.content.entries.iter().filter(|entry| matches!(entry.path().as_slice(), [.., "values", "#"]));
    let listed = listed.filter_map(|entry| {
        let text = entry.text()?;
        let named =
            case.is_named(text, entry.file, &entry.value) && case.is_needed_by_name(entry.file, &entry.value, text);
        named.then(|| (entry.file, inside(entry), text))
    });
    let listed: Vec<_> = listed.collect();
    case.misspelt(keys.into_iter().chain(listed), random)
}

impl Case {
    /// Whether the uses of this name must mean this declaration. Only a script names a phase. If the name is also an
    /// id, a label, a value or an attribute, the uses are ambiguous, and the other declaration still exists.
    fn is_needed_by_name(&self, file: usize, place: &Range<usize>, name: &str) -> bool {
        let all = self.content.entries.iter().filter_map(|entry| {
            let listed = matches!(entry.path().as_slice(), [.., "values", "#"]).then(|| entry.text()).flatten();
            let key = (entry.role() == Role::Declares).then(|| entry.name());
            let at = entry.key.as_ref().unwrap_or(&entry.value);
            Some((entry.file, at, &entry.path, listed.or(key)?))
        });
        let parts =
            self.content.parts.iter().filter(|part| part.last && role(&part.stem, &part.path) == Role::Declares);
        let parts = parts.map(|part| (part.file, &part.span, &part.path, part.path.last().map_or("", String::as_str)));
        let all: Vec<_> = all.chain(parts).filter(|(.., other)| *other == name).collect();
        let Some((.., path, _)) = all.iter().find(|(at, span, ..)| *at == file && *span == place) else { return true };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match (self.stem(file), path.as_slice()) {
            ("phases", [phase]) => self.has_section(phase),
            ("game", ["counters" | "zones" | "grids" | "kinds" | "options", _]) => true,
            ("prompts" | "texts" | "verbs", [_]) | ("verbs", [_, "args", _]) => true,
            ("game", ["options", ..]) | ("prompts", _) => all.len() == 1 && self.is_text(name),
            // The product of another kind may make the same id.
            _ => all.len() == 1 && self.definitions(name) < 2,
        }
    }

    /// Number of definitions with this id.
    fn definitions(&self, id: &str) -> usize {
        self.game.declarations().definitions.iter().filter(|definition| definition.id == id).count()
    }

    /// Whether a script contains this text literal.
    fn is_text(&self, name: &str) -> bool {
        let mut all = self.scripts.iter().flat_map(|(file, tokens)| tokens.iter().map(move |token| (*file, token)));
        all.any(|(file, token)| token.what == TokenKind::Text && self.piece(file, &token.span) == name)
    }
}

/// A text without its quotes.
fn inside(entry: &Entry) -> Range<usize> {
    entry.value.start + 1..entry.value.end - 1
}

/// The engine's words, and names declared elsewhere.
pub fn reference(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let entries = case.content.entries.iter().filter(|entry| case.is_name_used(entry));
    let entries: Vec<_> = entries.filter_map(|entry| Some((entry.file, inside(entry), entry.text()?))).collect();
    case.misspelt(entries.into_iter(), random)
}

/// Placeholders in printed texts, except the words of plurals.
pub fn placeholder(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut places = Vec::new();
    for entry in case.content.entries.iter().filter(|entry| entry.is_printed()) {
        let text = case.piece(entry.file, &entry.value);
        for (at, _) in text.match_indices('{') {
            let Some(inside) = text[at + 1..].split('}').next() else { continue };
            let inside =
                if inside.contains('|') { inside.split([':', '|']).next().unwrap_or_default() } else { inside };
            let mut from = at + 1;
            for word in inside.split_inclusive([':', ' ']) {
                let name = word.trim_end_matches([':', ' ']);
                let start = entry.value.start + from;
                places.push((entry.file, start..start + name.len(), name));
                from += word.len();
            }
        }
    }
    case.misspelt(places.into_iter(), random)
}

/// A value of another type, also in place of a list or a table.
pub fn wrong_type(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let entries = case.content.entries.iter();
    let make = |entry: &Entry| {
        let by = match entry.of {
            ValueType::Text(_) => ["1", "true", "[]", "2.5", "{}"],
            ValueType::Integer(_) => ["\"x\"", "true", "[]", "1.5", "{}"],
            ValueType::Boolean => ["1", "\"yes\"", "[]", "0.5", "{}"],
            ValueType::List => ["1", "\"x\"", "true", "1.5", "{}"],
            ValueType::Table | ValueType::Section => ["1", "\"x\"", "true", "1.5", "[]"],
        }[random.below(5)];
        // `{ enrich = {} }` is valid if the argument has a default.
        let by = if by == "{}" && matches!(entry.path().as_slice(), [_, _, "#", _]) { "[]" } else { by };
        Mistake::text(entry.file, entry.value.clone(), by)
    };
    entries.map(make).collect()
}

/// A number outside the range that the engine or the game declares.
pub fn out_of_range(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for entry in &case.content.entries {
        let ValueType::Integer(_) = entry.of else { continue };
        let outside: Vec<i64> = range_of(case, entry)
            .map(|(min, max)| {
                [(min > i64::from(i32::MIN)).then(|| min - 1), (max < i64::from(i32::MAX)).then(|| max + 1)]
            })
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        if !outside.is_empty() {
            let by = outside[random.below(outside.len())];
            made.push(Mistake::text(entry.file, entry.value.clone(), by.to_string()));
        }
    }
    made
}

/// The valid range of a number.
fn range_of(case: &Case, entry: &Entry) -> Option<(i64, i64)> {
    const ANY: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
    let d = case.game.declarations();
    if let Some(AttributeType::Integer { min, max }) = case.type_of(entry) {
        return Some((i64::from(min), i64::from(max)));
    }
    let path = entry.path();
    let beside = |key: &str| {
        let mut path = entry.path.clone();
        *path.last_mut()? = key.to_owned();
        let other = case.content.entries.iter().find(|other| other.file == entry.file && other.path == path)?;
        if let ValueType::Integer(n) = other.of { Some(n) } else { None }
    };
    match (entry.stem.as_str(), path.as_slice()) {
        ("game", ["players", "min"]) => Some((1, beside("max")?)),
        ("game", ["players", "max"]) => Some((beside("min")?, 16)),
        ("game", ["players", "default"]) => Some((beside("min")?, beside("max")?)),
        ("game", ["rounds"]) => Some((1, 1000)),
        ("game", [_, _, "players", "#"]) => Some((i64::from(d.players.min), i64::from(d.players.max))),
        ("game", ["counters", name, "start"]) => {
            let counter = d.counters.get(*name)?;
            Some((i64::from(counter.min), i64::from(counter.max)))
        }
        ("game", [_, _, "default"] | ["kinds", _, "attributes", _, "default"])
        | ("verbs", [_, "args", _, "default"]) => {
            Some((beside("min").unwrap_or(ANY.0), beside("max").unwrap_or(ANY.1)))
        }
        ("game" | "verbs", [.., "min"]) => Some((ANY.0, beside("max").unwrap_or(ANY.1))),
        ("game", ["counters", _, "max"]) => Some((beside("min").unwrap_or(0), ANY.1)),
        ("game" | "verbs", [.., "max"]) => Some((beside("min").unwrap_or(ANY.0), ANY.1)),
        ("game", ["grids", _, "columns" | "rows"]) => Some((1, 100)),
        ("game", ["grids", _, "side"]) => Some((1, 50)),
        ("game", ["zones", _, "size"]) => Some((1, 65535)),
        ("game", ["kinds", _, "attributes", _, "length"]) => Some((0, 1000)),
        ("phases", [_, "times"]) => Some((1, 1000)),
        ("phases", [.., "from"]) => Some((0, ANY.1)),
        (kind, [_, "copies"]) if d.kinds.contains_key(kind) => Some((0, 1000)),
        _ => None,
    }
}

/// Replaces a word or a name by nothing, a misspelling, an unknown word, or the name of another item.
pub fn bad_value(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let d = case.game.declarations();
    let others = d.prompts.keys().chain(d.counters.keys()).chain(d.phases.keys());
    // A name shared with another item may be valid.
    let is_other = |name: &str| {
        d.kinds.contains_key(name) || d.grids.contains_key(name) || d.definitions.iter().any(|one| one.id == name)
    };
    let others: Vec<&String> = others.filter(|name| !is_other(name)).collect();
    let mut made = Vec::new();
    for entry in case.content.entries.iter().filter(|entry| case.is_name_used(entry)) {
        // Any name of the right sort is valid in place of "none".
        let Some(text) = entry.text().filter(|text| !text.is_empty()) else { continue };
        let by = match random.below(4) {
            0 => String::new(),
            1 => text.to_uppercase(),
            2 => "nothing".to_owned(),
            _ => others[random.below(others.len())].clone(),
        };
        // "" means "none" where the declaration allows it, and a colour may be empty.
        let none =
            by.is_empty() && (case.default_is_none(entry) || entry.path.iter().any(|key| key.starts_with("colour")));
        let same = [d.prompts.contains_key(text), d.counters.contains_key(text), d.phases.contains_key(text)];
        let by_same = [d.prompts.contains_key(&by), d.counters.contains_key(&by), d.phases.contains_key(&by)];
        if same.iter().zip(by_same).any(|(same, by)| *same && by) {
            continue;
        }
        let right = !by.is_empty()
            && case.content.entries.iter().any(|other| {
                other.stem == entry.stem && other.path.last() == entry.path.last() && other.text() == Some(&by)
            });
        if by != text && !none && !right {
            made.push(Mistake::text(entry.file, inside(entry), by));
        }
    }
    made
}

/// A required key, including attributes and arguments without a default.
pub fn deleted_key(case: &Case, _: &mut SplitMix64) -> Vec<Mistake> {
    let entries = case.content.entries.iter().filter(|entry| entry.key.is_some() && is_needed(case, entry));
    entries.map(|entry| Mistake::text(entry.file, taken_out(case, entry), "")).collect()
}

fn is_needed(case: &Case, entry: &Entry) -> bool {
    let d = case.game.declarations();
    let has = |key: &str| {
        let mut path = entry.path.clone();
        path.pop();
        path.push(key.to_owned());
        case.content.entries.iter().any(|other| other.file == entry.file && other.path == path)
    };
    let path = entry.path();
    match (entry.stem.as_str(), path.as_slice()) {
        ("game", ["name" | "version" | "players" | "outcome"] | ["players", "min" | "max"] | ["outcome", "score"]) => {
            true
        }
        ("game", ["seats", "#", "name"] | ["options", _, "default" | "values"]) => true,
        ("game", ["counters", _, "per"] | ["zones", _, "per" | "holds"]) => true,
        ("game", ["zones", _, "size"]) => has("refill"),
        ("game", ["grids", _, "shape" | "columns" | "rows" | "side"]) => true,
        ("game" | "verbs", ["kinds", _, "attributes", _, "type"] | [_, "args", _, "type"]) => true,
        // Amounts may omit `of`, and then accept any names.
        ("game", ["kinds", _, "attributes", _, "of"]) => entry.text() != Some("counter"),
        ("phases", [_, "asks", "#", "prompt" | "store"] | [_, "asks", "#", "choices", "upto"]) => true,
        ("phases", [_, "asks", "#", "buy" | "pay" | "gain"]) => true,
        ("phases", [_, "prompt"]) => has("offer") || case.has_hook(path[0], "offer"),
        ("phases", [phase, "turns"]) => d.phases.get(*phase).is_some_and(|phase| phase.turns != Turns::None),
        ("prompts" | "verbs", [_, "text"]) => true,
        (kind, [_, "name"]) if d.kinds.contains_key(kind) => true,
        (kind, [_, attribute]) => {
            d.kinds.get(kind).and_then(|kind| kind.attributes.get(*attribute)).is_some_and(|a| a.default.is_none())
        }
        (kind, [_, hook, "#", verb, arg]) => d.kinds.get(kind).is_some_and(|kind| {
            let arg = d.verbs.get(*verb).and_then(|verb| verb.args.get(*arg));
            kind.hooks.contains_key(*hook) && arg.is_some_and(|arg| arg.default.is_none())
        }),
        _ => false,
    }
}

impl Case {
    /// Whether the declared default of a value is "none".
    fn default_is_none(&self, entry: &Entry) -> bool {
        let d = self.game.declarations();
        let blank = |default: &Option<motherlode::declare::Value>| matches!(default, Some(motherlode::declare::Value::Text(text)) if text.is_empty());
        match entry.path().as_slice() {
            // The default itself, and the type of a value whose default is "none".
            [.., "default"] => true,
            [_, _, "#", verb, arg] => {
                d.verbs.get(*verb).and_then(|verb| verb.args.get(*arg)).is_some_and(|arg| blank(&arg.default))
            }
            [_, attribute] => d
                .kinds
                .get(&entry.stem)
                .and_then(|kind| kind.attributes.get(*attribute))
                .is_some_and(|attribute| blank(&attribute.default)),
            _ => false,
        }
    }
}

/// The range of a key with its value and the separator after it.
fn taken_out(case: &Case, entry: &Entry) -> Range<usize> {
    let text = &case.files[entry.file].text;
    let (start, end) = (entry.key.as_ref().map_or(entry.value.start, |key| key.start), entry.value.end);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    if text[line..start].trim().is_empty() && entry.key.is_some() {
        return line..text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    }
    let after = text[end..].len() - text[end..].trim_start().len();
    if text[end + after..].starts_with(',') {
        return start..end + after + 1;
    }
    let before = text[..start].trim_end();
    if before.ends_with(',') { before.len() - 1..end } else { start..end }
}

/// Removes an item that is declared here and named elsewhere: a table, a key, an element of a list, or a file.
pub fn dangling(case: &Case, _: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for part in case.content.parts.iter().filter(|part| part.last && role(&part.stem, &part.path) == Role::Declares) {
        let tables = case
            .content
            .parts
            .iter()
            .filter(|other| other.last && other.file == part.file && other.path.starts_with(&part.path));
        let spans: Vec<Range<usize>> = tables.map(|table| table.table.clone()).collect();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { continue };
        let name = part.path.last().map_or("", String::as_str);
        let named = case.is_named(name, part.file, &(first.start..last.end));
        if named && case.is_needed_by_name(part.file, &part.span, name) {
            let change = |span: Range<usize>| Change::Text { file: part.file, span, by: String::new() };
            made.push(Mistake { changes: spans.into_iter().map(change).collect(), names: None });
        }
    }
    for entry in &case.content.entries {
        let listed = matches!(entry.path().as_slice(), [.., "values", "#"]).then(|| entry.text()).flatten();
        let key = (entry.role() == Role::Declares).then(|| entry.name());
        let start = entry.key.as_ref().map_or(entry.value.start, |key| key.start);
        let place = entry.key.as_ref().unwrap_or(&entry.value);
        let named = |name: &str| {
            case.is_named(name, entry.file, &(start..entry.value.end))
                && case.is_needed_by_name(entry.file, place, name)
        };
        if listed.or(key).is_some_and(named) {
            made.push(Mistake::text(entry.file, taken_out(case, entry), ""));
        }
    }
    for (file, _) in case.files.iter().enumerate().filter(|(_, file)| file.path.ends_with(".toml")) {
        made.push(Mistake { changes: vec![Change::Moved { file, to: None }], names: None });
    }
    made
}

/// A file of no kind, or one with a misspelt name.
pub fn orphan(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for stem in ["foo", "hook", "readme", "lib", "sub/game"] {
        let path = format!("content/{}/{stem}.toml", case.id);
        let text = "[foo]\nname = \"Foo\"\n".to_owned();
        made.push(Mistake { changes: vec![Change::Added { path, text }], names: None });
    }
    renamed(case, ".toml", random, &mut made);
    made
}

/// Renames every file of this sort to a misspelt name.
pub fn renamed(case: &Case, ending: &str, random: &mut SplitMix64, made: &mut Vec<Mistake>) {
    for (file, source) in case.files.iter().enumerate().filter(|(_, source)| source.path.ends_with(ending)) {
        let Some(wrong) = case.typo(source.stem(), random) else { continue };
        let to = source.path.replace(&format!("/{}.", source.stem()), &format!("/{wrong}."));
        let names = Some((source.stem().to_owned(), wrong));
        made.push(Mistake { changes: vec![Change::Moved { file, to: Some(to) }], names });
    }
}
