//! The types that specify keys.

use crate::limits::MAX_PLAYERS;
use crate::sort::NameKind;
use crate::words::SHOW;

/// The keys of one type of table.
#[derive(Debug)]
pub struct TableSpec {
    /// The declared thing: `counter`.
    pub name: &'static str,
    /// Its keys, in the usual order.
    pub keys: Vec<KeySpec>,
}

/// One key of a table.
#[derive(Debug)]
pub struct KeySpec {
    /// Its name in TOML.
    pub name: &'static str,
    /// Its values.
    pub of: ValueSpec,
    /// Whether it must be set.
    pub required: bool,
    /// Its meaning.
    pub text: &'static str,
}

/// The values of a key.
#[derive(Debug)]
pub enum ValueSpec {
    /// Any text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A whole number in a range, inclusive.
    Integer(i32, i32),
    /// One of these words.
    Words(Vec<&'static str>),
    /// The name of something declared, or one of these words.
    Name(Vec<NameKind>, Vec<&'static str>),
    /// Any value.
    Anything,
    /// One of these.
    Either(Vec<ValueSpec>),
    /// A list.
    List(Box<ValueSpec>),
    /// A table with these keys.
    Table(fn() -> TableSpec),
    /// Any number of tables with these keys, by name.
    Tables(fn() -> TableSpec),
    /// Any number of values, by name.
    Map(Box<ValueSpec>),
    /// Any number of values, by the name of something declared.
    MapOf(NameKind, Box<ValueSpec>),
    /// A whole number, or a formula as text.
    Formula,
    /// Formulas, each with a range.
    Conditions,
    /// Conditions on tokens: a table, or a word or a name for one.
    Filter,
    /// Conditions on the arguments of an event, by name.
    Arguments,
    /// One verb: its name, or a table with it and its arguments.
    Verb,
    /// A list of verbs, or a word for a script.
    Verbs,
    /// Listeners by event: a table with these keys, or a list of such tables.
    Listeners(fn() -> TableSpec),
}

pub fn table(name: &'static str, keys: Vec<KeySpec>) -> TableSpec {
    TableSpec { name, keys }
}

pub fn key(name: &'static str, of: ValueSpec, text: &'static str) -> KeySpec {
    KeySpec { name, of, required: false, text }
}

pub fn required(name: &'static str, of: ValueSpec, text: &'static str) -> KeySpec {
    KeySpec { name, of, required: true, text }
}

pub fn words<T>(words: &[(&'static str, T)]) -> ValueSpec {
    ValueSpec::Words(words.iter().map(|(word, _)| *word).collect())
}

pub fn name(sort: NameKind) -> ValueSpec {
    ValueSpec::Name(vec![sort], Vec::new())
}

pub fn list(of: ValueSpec) -> ValueSpec {
    ValueSpec::List(Box::new(of))
}

/// A list, or a single value in place of a list of one.
pub fn one_or_more(sort: NameKind) -> ValueSpec {
    ValueSpec::Either(vec![name(sort), list(name(sort))])
}

pub fn one_or_more_texts() -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Text, list(ValueSpec::Text)])
}

/// A whole number, the name of the option that sets it, or one of these for each switch.
pub fn amount(min: i32, max: i32) -> ValueSpec {
    let one = || vec![ValueSpec::Integer(min, max), name(NameKind::Option)];
    let mut all = one();
    all.push(ValueSpec::Map(Box::new(ValueSpec::Either(one()))));
    ValueSpec::Either(all)
}

pub fn integer() -> ValueSpec {
    ValueSpec::Integer(i32::MIN, i32::MAX)
}

/// `per` of an item that may be a family.
pub fn per(words: &[&'static str], sorts: Vec<NameKind>) -> ValueSpec {
    let holder = || ValueSpec::Name(sorts.clone(), words.to_vec());
    let member = ValueSpec::Name([sorts.clone(), vec![NameKind::Kind]].concat(), words.to_vec());
    ValueSpec::Either(vec![holder(), list(member)])
}

/// `like` of an item. Any name is allowed, because families are not in the list of names.
pub fn like(noun: &'static str) -> KeySpec {
    key("like", ValueSpec::Text, noun)
}

/// `internal` of an item.
pub fn internal(text: &'static str) -> KeySpec {
    key("internal", ValueSpec::Boolean, text)
}

/// `show` of a displayed item.
pub fn show() -> KeySpec {
    let text = "When the table of `lode play` shows it: at any time (`always`, default), while somebody has any of it (`used`), \
                beside each player who has any of it (`held`), when the match is over (`end`), or `never`. Bots and programs get it in any case";
    key("show", words(&SHOW), text)
}

/// `group` of a displayed item.
pub fn group() -> KeySpec {
    let text = "Row of the table that it shares with others of this group; default: a row of its own, for the members of a family one row with the label \
                without their names";
    key("group", ValueSpec::Text, text)
}

/// `players` of an item that exists only in some setups.
pub fn players_only() -> KeySpec {
    let text = "Numbers of players with which it exists; default: all";
    key("players", list(ValueSpec::Integer(1, MAX_PLAYERS)), text)
}

/// `only` of an item that exists only in some setups.
pub fn options_only() -> KeySpec {
    let value = || ValueSpec::Either(vec![integer(), ValueSpec::Boolean, ValueSpec::Text]);
    let text = "Options with which it exists, each with a value or a list of values: { expert = true }; default: all";
    key("only", ValueSpec::Map(Box::new(ValueSpec::Either(vec![value(), list(value())]))), text)
}
