//! The versions of a game that differ in one declared number.

use std::str::FromStr;

use motherlode::declare::{AttributeType, Value};
use motherlode::tools::nearest;
use motherlode::{Game, Mod};
use motherlode_check::check;
use motherlode_content::setting::{Layers, MissingKey, Setting, setting_mod};

use crate::fault::Fault;
use crate::project::Project;

/// Maximum number of values.
const MAX_VALUES: usize = 24;
/// The number of tokens of a definition, and its default.
const COPIES: (&str, i32) = ("copies", 1);

/// A number of the content and the values to try: `cards.copper.cost=2..6`, `options.towers.default=4,6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepRange {
    /// The file without its extension, then the keys; the file `game` may be left out.
    path: Vec<String>,
    values: Vec<i32>,
}

impl SweepRange {
    /// The path as written.
    pub fn key(&self) -> String {
        self.path.join(".")
    }
}

impl FromStr for SweepRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || "use FILE.ITEM.KEY=LOW..HIGH, or =A,B,C with whole numbers".to_owned();
        let (path, values) = text.split_once('=').ok_or_else(form)?;
        let path: Vec<String> = path.split('.').map(|key| key.trim().to_owned()).collect();
        if path.len() < 2 || path.iter().any(String::is_empty) {
            return Err(form());
        }
        let number = |text: &str| text.trim().parse::<i32>().map_err(|_| form());
        let mut values: Vec<i32> = match values.split_once("..") {
            Some((low, high)) => {
                let (low, high) = (number(low)?, number(high)?);
                if i64::from(high) - i64::from(low) >= MAX_VALUES as i64 {
                    return Err(format!("at most {MAX_VALUES} values: use a shorter range"));
                }
                (low..=high).collect()
            }
            None => values.split(',').map(number).collect::<Result<_, _>>()?,
        };
        values.sort_unstable();
        values.dedup();
        match values.len() {
            0 => Err("the range has no value: write the smaller number first".to_owned()),
            1..=MAX_VALUES => Ok(Self { path, values }),
            _ => Err(format!("at most {MAX_VALUES} values: use a shorter list")),
        }
    }
}

/// The versions of a sweep.
pub struct Variants {
    /// The value in the content.
    pub current: i32,
    /// The other values, in ascending order, each with its game.
    pub games: Vec<(i32, Game)>,
}

/// Builds the versions of a game. The content itself is never changed: each value is a mod in memory, over all other mods.
///
/// # Errors
/// The path names no number, or the check refuses a value.
pub fn variants(project: &Project, game: &Game, range: &SweepRange) -> Result<Variants, Fault> {
    let id = &game.declarations().id;
    let content = |diagnostics| Fault::Content { game: id.clone(), diagnostics };
    let tables = tables(project, game, range)?;
    let current = current(game, range, &tables)?;
    let mut games = Vec::new();
    for value in range.values.iter().copied().filter(|value| *value != current) {
        let mut mods = project.mods_of(id);
        mods.push(setting_mod(id, &mods, &tables.stem, &tables.keys, value).map_err(content)?);
        let pack = project.pack_with(id, mods).map_err(content)?;
        games.push((value, check(&pack).map_err(content)?.game));
    }
    Ok(Variants { current, games })
}

/// The file of a number.
struct Tables {
    stem: String,
    /// The keys of the number below the file.
    keys: Vec<String>,
    layers: Layers,
}

/// Finds the file of a path.
fn tables(project: &Project, game: &Game, range: &SweepRange) -> Result<Tables, Fault> {
    let id = &game.declarations().id;
    let pack = project.pack(id)?;
    let files = || pack.files.iter().chain(pack.mods().iter().flat_map(Mod::files));
    let parsed = |stem: &str| {
        let own = files().filter(|file| pack.stem_of(&file.path) == Some(stem));
        Layers::parse(own.map(|file| &*file.text))
    };
    let (first, rest) = (&range.path[0], &range.path[1..]);
    let layers = parsed(first);
    if !layers.is_empty() {
        return Ok(Tables { stem: first.clone(), keys: rest.to_vec(), layers });
    }
    let layers = parsed("game");
    if layers.keys().any(|key| key == first) {
        return Ok(Tables { stem: "game".to_owned(), keys: range.path.clone(), layers });
    }
    let mut stems: Vec<&str> = files().filter_map(|file| pack.stem_of(&file.path)).collect();
    stems.extend(layers.keys());
    Err(unknown(range, first, &format!("content/{id}"), stems))
}

/// The value of the number in the content.
fn current(game: &Game, range: &SweepRange, tables: &Tables) -> Result<i32, Fault> {
    let shown = range.key();
    match tables.layers.find(&tables.keys) {
        Ok(Setting::Number(number)) => i32::try_from(number)
            .map_err(|_| Fault::usage(format!("--sweep: `{shown}` is {number}, which is no number of a game"))),
        Ok(Setting::Table(keys)) => {
            let keys: Vec<String> = keys.iter().map(|key| format!("{shown}.{key}")).collect();
            let hint =
                if keys.is_empty() { "it has no numbers".to_owned() } else { format!("use {}", keys.join(", ")) };
            Err(Fault::usage(format!("--sweep: `{shown}` is a table, not a number: {hint}")))
        }
        Ok(Setting::Other) => Err(Fault::usage(format!("--sweep: `{shown}` is not a whole number: name a number"))),
        Err(missing) => default(game, range, tables, missing),
    }
}

/// The value of a number that the content leaves out.
fn default(game: &Game, range: &SweepRange, tables: &Tables, missing: MissingKey<'_>) -> Result<i32, Fault> {
    let MissingKey { depth, known } = missing;
    let key = &tables.keys[depth];
    let kind = game.declarations().kinds.get(&tables.stem).filter(|_| depth == 1 && tables.keys.len() == 2);
    let attributes = kind.map(|kind| &kind.attributes);
    if let Some(Value::Integer(default)) =
        attributes.and_then(|attributes| attributes.get(key)).and_then(|attribute| attribute.default.as_ref())
    {
        return Ok(*default);
    }
    if attributes.is_some() && key == COPIES.0 {
        return Ok(COPIES.1);
    }
    let numbers = attributes.into_iter().flatten().filter(|(_, one)| matches!(one.of, AttributeType::Integer { .. }));
    let numbers = numbers.map(|(name, _)| name.as_str());
    let place =
        tables.keys[..depth].iter().fold(format!("{}.toml", tables.stem), |place, key| format!("`{key}` of {place}"));
    Err(unknown(range, key, &place, known.into_iter().chain(numbers).collect()))
}

/// The error for a key that does not exist.
fn unknown(range: &SweepRange, key: &str, place: &str, mut known: Vec<&str>) -> Fault {
    known.sort_unstable();
    known.dedup();
    let hint = match nearest(key, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", known.join(", ")),
    };
    Fault::usage(format!("--sweep {}: there is no `{key}` in {place}; {hint}", range.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_sorted_values() {
        let values = |text: &str| text.parse::<SweepRange>().map(|range| range.values);
        assert_eq!(values("cards.copper.cost=2..4"), Ok(vec![2, 3, 4]));
        assert_eq!(values("cards.copper.cost=-1..1"), Ok(vec![-1, 0, 1]));
        assert_eq!(values("cards.copper.cost=8, 2,2"), Ok(vec![2, 8]));
        for wrong in
            ["cost=1..2", "cards.copper.cost", "cards..cost=1", "cards.copper.cost=1.5", "a.b=0..99", "a.b=4..2"]
        {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }
}
