//! Conversion and display of Lua values.

use mlua::{Lua, Table, Value};

/// A choice, value or holder as written in a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    Number(i32),
    Text(String),
    Boolean(bool),
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text}"),
            Self::Boolean(boolean) => write!(f, "{boolean}"),
        }
    }
}

/// Maximum length of a list.
const MOST_ELEMENTS: usize = 10_000;

/// A 32-bit integer; `None` for fractions, strings of digits and everything else.
pub(super) fn whole(value: &Value) -> Option<i32> {
    match value {
        Value::Integer(number) => i32::try_from(*number).ok(),
        Value::Number(number)
            if number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(number) =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number in range")]
            Some(*number as i32)
        }
        _ => None,
    }
}

pub(super) fn word(value: &Value, what: &str) -> Result<Word, String> {
    match value {
        Value::String(text) => Ok(Word::Text(text.to_string_lossy())),
        Value::Boolean(boolean) => Ok(Word::Boolean(*boolean)),
        _ => whole(value)
            .map(Word::Number)
            .ok_or_else(|| format!("{what}: expected a whole number or a name, got {}", show(value))),
    }
}

pub(super) fn number(value: &Value, what: &str) -> Result<i32, String> {
    whole(value).ok_or_else(|| format!("{what}: expected a whole number, got {}", show(value)))
}

pub(super) fn text(value: &Value, what: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        _ => Err(format!("{what}: expected a name, got {}", show(value))),
    }
}

/// A list of any values.
pub(super) fn list(value: &Value, what: &str) -> Result<Vec<Value>, String> {
    let Value::Table(table) = value else { return Err(format!("{what}: expected a list, got {}", show(value))) };
    let len = list_len(table, what)?;
    Ok((1..=len).map(|i| table.raw_get::<Value>(i).unwrap_or(Value::Nil)).collect())
}

/// A list of numbers and names.
pub(super) fn words(value: &Value, what: &str) -> Result<Vec<Word>, String> {
    let Value::Table(table) = value else { return Err(format!("{what}: expected a list, got {}", show(value))) };
    let len = list_len(table, what)?;
    (1..=len).map(|i| word(&table.raw_get::<Value>(i).unwrap_or(Value::Nil), what)).collect()
}

/// A list of integers.
pub(super) fn numbers(value: &Value, what: &str) -> Result<Vec<i32>, String> {
    words(value, what)?
        .into_iter()
        .map(|word| match word {
            Word::Number(number) => Ok(number),
            word => Err(format!("{what}: expected whole numbers, got `{word}`")),
        })
        .collect()
}

/// Length of a table that is a list without gaps and without named fields.
fn list_len(table: &Table, what: &str) -> Result<usize, String> {
    let len = table.raw_len();
    if len > MOST_ELEMENTS {
        return Err(format!("{what}: a list of more than {MOST_ELEMENTS} elements"));
    }
    let fields = table.pairs::<Value, Value>().count();
    if fields == len { Ok(len) } else { Err(format!("{what}: expected a list without gaps or named fields")) }
}

/// The named fields of a table, all of which must be in `known` unless that is empty.
pub(super) fn fields(value: &Value, what: &str, known: &[&str]) -> Result<Vec<(String, Value)>, String> {
    let Value::Table(table) = value else {
        return Err(format!("{what}: expected a table of named fields, got {}", show(value)));
    };
    let mut fields = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let key = text(&key, what)?;
        if !known.is_empty() && !known.contains(&key.as_str()) {
            return Err(format!(
                "{what}: unknown field `{key}`{}; use one of: {}",
                super::suggest::did_you_mean(&key, known.iter().copied()),
                known.join(", ")
            ));
        }
        fields.push((key, value));
        if fields.len() > MOST_ELEMENTS {
            return Err(format!("{what}: a table of more than {MOST_ELEMENTS} fields"));
        }
    }
    // Luau iterates in the order of its hash table.
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(fields)
}

/// Maximum depth of tables that are compared or shown.
const DEEPEST: usize = 8;
/// Maximum fields compared, and maximum values shown: a table may contain itself several times.
const MOST_COMPARED: usize = 20_000;
const MOST_NODES: usize = 200;
/// Maximum list elements shown, and maximum size of a table whose named fields are shown.
const MOST_SHOWN: usize = 40;
const LARGEST: usize = 1000;

/// Whether two values are equal (tables by content), and the number of compared fields.
///
/// # Errors
/// The values are too large to compare.
pub(super) fn equal(a: &Value, b: &Value) -> (Result<bool, String>, usize) {
    let mut left = MOST_COMPARED;
    let equal = equal_to(a, b, DEEPEST, &mut left);
    let found = equal.ok_or_else(|| format!("tables with more than {MOST_COMPARED} fields cannot be compared"));
    (found, MOST_COMPARED - left)
}

/// `None` if the budget of fields is exhausted.
fn equal_to(a: &Value, b: &Value, depth: usize, left: &mut usize) -> Option<bool> {
    let (Value::Table(a), Value::Table(b)) = (a, b) else { return Some(a == b) };
    if a == b {
        return Some(true);
    }
    if depth == 0 {
        return Some(false);
    }
    let mut fields = 0_usize;
    for pair in a.pairs::<Value, Value>() {
        *left = left.checked_sub(1)?;
        fields += 1;
        let Ok((key, value)) = pair else { return Some(false) };
        let Ok(other) = b.raw_get::<Value>(key) else { return Some(false) };
        if !equal_to(&value, &other, depth - 1, left)? {
            return Some(false);
        }
    }
    for _ in b.pairs::<Value, Value>() {
        *left = left.checked_sub(1)?;
        let Some(less) = fields.checked_sub(1) else { return Some(false) };
        fields = less;
    }
    Some(fields == 0)
}

/// A value in Luau syntax.
pub(super) fn show(value: &Value) -> String {
    show_to(value, DEEPEST, &mut MOST_NODES.clone())
}

fn show_to(value: &Value, depth: usize, left: &mut usize) -> String {
    if *left == 0 {
        return "...".to_owned();
    }
    *left -= 1;
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Boolean(boolean) => boolean.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text = text.to_string_lossy();
            let short: String = text.chars().take(200).collect();
            format!("{short:?}")
        }
        Value::Table(table) if depth > 0 => show_table(table, depth - 1, left),
        other => format!("a {}", other.type_name()),
    }
}

fn show_table(table: &Table, depth: usize, left: &mut usize) -> String {
    let len = table.raw_len();
    let mut named = Vec::new();
    let mut shown: Vec<String> = (1..=len.min(MOST_SHOWN).min(*left))
        .map(|i| show_to(&table.raw_get::<Value>(i).unwrap_or(Value::Nil), depth, left))
        .collect();
    let rest = if len > LARGEST || *left == 0 { 0 } else { len + MOST_SHOWN };
    for (key, value) in table.pairs::<Value, Value>().flatten().take(rest) {
        if whole(&key).is_some_and(|key| usize::try_from(key).is_ok_and(|key| (1..=len).contains(&key))) {
            continue;
        }
        let key = if let Value::String(key) = &key {
            key.to_string_lossy()
        } else {
            format!("[{}]", show_to(&key, depth, left))
        };
        named.push(format!("{key} = {}", show_to(&value, depth, left)));
    }
    named.sort();
    shown.append(&mut named);
    if len > MOST_SHOWN {
        shown.push("...".to_owned());
    }
    if shown.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", shown.join(", ")) }
}

/// A content value as a Lua value.
pub(super) fn from_content(lua: &Lua, value: &motherlode::declare::Value) -> mlua::Result<Value> {
    use motherlode::declare::Value as Content;
    Ok(match value {
        Content::Boolean(boolean) => Value::Boolean(*boolean),
        Content::Integer(number) => Value::Number(f64::from(*number)),
        Content::Text(text) => Value::String(lua.create_string(text)?),
        Content::Formula(written) => Value::String(lua.create_string(&written.text)?),
        Content::List(list) => {
            let table = lua.create_table()?;
            for value in list {
                table.raw_push(from_content(lua, value)?)?;
            }
            Value::Table(table)
        }
        Content::Map(map) => {
            let table = lua.create_table()?;
            for (key, value) in map {
                table.raw_set(key.as_str(), from_content(lua, value)?)?;
            }
            Value::Table(table)
        }
    })
}
