//! The short form of verbs in a cell: `coins 3; score 1 per two_carts most 3; again`.
//!
//! `;` separates verbs, and `|` the hooks of a list. After a verb comes its main argument, then the others, each after its name.
//! Amounts are `2 gold, 1 iron`. Everything that has no short form is TOML: `{ price = { coins = 5 } }`.

use indexmap::IndexMap;

use super::data::Data;
use crate::declare::{AttributeType, Verb};
use crate::diagnostic::nearest;

/// The declared verbs by name.
pub(super) type Verbs = IndexMap<String, Verb>;

/// Word for a hook that the script implements.
const SCRIPT: &str = "script";

/// Writes the effect of a hook.
pub(super) fn write(effect: &Data, verbs: &Verbs) -> String {
    let short = match effect {
        Data::List(calls) if !calls.is_empty() => {
            calls.iter().map(|call| write_call(call, verbs)).collect::<Vec<_>>().join("; ")
        }
        Data::Text(word) if word == SCRIPT => return SCRIPT.to_owned(),
        other => return other.written(),
    };
    if read(&short, verbs).as_ref() == Ok(effect) { short } else { effect.written() }
}

/// Writes the effects of a list of hooks.
pub(super) fn write_list(effects: &Data, verbs: &Verbs) -> String {
    let Data::List(list) = effects else { return effects.written() };
    let short = list.iter().map(|effect| write(effect, verbs)).collect::<Vec<_>>().join(" | ");
    if read_list(&short, verbs).as_ref() == Ok(effects) { short } else { effects.written() }
}

/// Writes one call; TOML if it has no short form.
fn write_call(call: &Data, verbs: &Verbs) -> String {
    let short = match call {
        Data::Text(verb) => Some(verb.clone()),
        Data::Table(table) if table.len() == 1 => table.first().and_then(|(verb, args)| write_args(verb, args, verbs)),
        _ => None,
    };
    let is_same =
        |short: &String| matches!(read(short, verbs), Ok(Data::List(list)) if list.len() == 1 && list[0] == *call);
    short.filter(is_same).unwrap_or_else(|| call.written())
}

fn write_args(verb: &str, args: &Data, verbs: &Verbs) -> Option<String> {
    let only = verbs.get(verb).and_then(Verb::only_arg);
    let amounts = |of: Option<&AttributeType>, value: &Data| match (of, value) {
        (Some(AttributeType::Amounts(_)), Data::Table(table)) => write_amounts(table),
        (_, value) => Some(write_value(value)),
    };
    let of = |name: &str| Some(&verbs.get(verb)?.args.get(name)?.of);
    match args {
        Data::Table(table) if of_call(table, verb, verbs) => {
            let mut words = vec![verb.to_owned()];
            let first = only.and_then(|(name, _)| table.get_key_value(name));
            if let Some((name, value)) = first {
                words.extend((table.len() == 1).then(|| name.clone()));
                words.push(amounts(of(name), value)?);
            }
            for (name, value) in table.iter().filter(|(name, _)| first.is_none_or(|(first, _)| first != *name)) {
                words.extend([name.clone(), write_value(value)]);
            }
            Some(words.join(" "))
        }
        value => Some(format!("{verb} {}", amounts(only.map(|(_, arg)| &arg.of), value)?)),
    }
}

/// Whether the keys of a table are the names of arguments.
fn of_call(table: &IndexMap<String, Data>, verb: &str, verbs: &Verbs) -> bool {
    verbs.get(verb).is_some_and(|verb| table.keys().any(|key| verb.args.contains_key(key)))
}

/// Writes amounts: `2 gold, 1 raw.iron`. `None`: they have no short form.
pub(super) fn write_amounts(table: &IndexMap<String, Data>) -> Option<String> {
    let mut parts = Vec::new();
    for (name, amount) in table {
        match amount {
            Data::Integer(amount) => parts.push(format!("{amount} {name}")),
            Data::Table(members) => {
                for (id, amount) in members {
                    let Data::Integer(amount) = amount else { return None };
                    parts.push(format!("{amount} {name}.{id}"));
                }
            }
            _ => return None,
        }
    }
    Some(parts.join(", "))
}

fn write_value(value: &Data) -> String {
    match value {
        Data::Text(text) if is_word(text) => text.clone(),
        value => value.written(),
    }
}

/// Whether a text can be written without quotes.
fn is_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !text.is_empty()
        && text.chars().all(is_plain)
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(text, "true" | "false")
}

/// A part of an effect.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Toml(Data),
    Mark(char),
}

/// Reads the effect of a hook.
///
/// # Errors
/// Brackets or quotes are not closed, or a verb is missing: a message with the likely fix.
pub(super) fn read(cell: &str, verbs: &Verbs) -> Result<Data, String> {
    read_tokens(&tokens(cell)?, verbs)
}

/// Reads the effects of a list of hooks.
pub(super) fn read_list(cell: &str, verbs: &Verbs) -> Result<Data, String> {
    let all = tokens(cell)?;
    if let [Token::Toml(list @ Data::List(_))] = all.as_slice() {
        return Ok(list.clone());
    }
    all.split(|token| *token == Token::Mark('|'))
        .map(|hook| read_tokens(hook, verbs))
        .collect::<Result<_, _>>()
        .map(Data::List)
}

fn read_tokens(all: &[Token], verbs: &Verbs) -> Result<Data, String> {
    match all {
        [Token::Word(word)] if word == SCRIPT => return Ok(Data::text(SCRIPT)),
        [Token::Toml(Data::Table(table))] if table.contains_key("aim") || table.contains_key("do") => {
            return Ok(Data::Table(table.clone()));
        }
        [Token::Toml(list @ Data::List(_))] => return Ok(list.clone()),
        _ => {}
    }
    if all.contains(&Token::Mark('|')) {
        return Err("`|` separates the hooks of a list, and this is one hook: write `;` between verbs".to_owned());
    }
    let mut calls = Vec::new();
    let parts: Vec<&[Token]> = all.split(|token| *token == Token::Mark(';')).collect();
    for (at, part) in parts.iter().enumerate() {
        // A `;` at the end is harmless.
        if part.is_empty() && at + 1 == parts.len() && at > 0 {
            continue;
        }
        calls.push(read_call(part, verbs)?);
    }
    Ok(Data::List(calls))
}

fn read_call(tokens: &[Token], verbs: &Verbs) -> Result<Data, String> {
    let (name, rest) = match tokens {
        [] => return Err("a verb is missing: remove a `;`, or write a verb between two of them".to_owned()),
        [Token::Word(name), rest @ ..] => (name, rest),
        [Token::Toml(call)] => return Ok(call.clone()),
        [Token::Toml(_), ..] => return Err("write `;` after a verb in TOML".to_owned()),
        [Token::Mark(mark), ..] => return Err(format!("a verb begins with its name, not with `{mark}`")),
    };
    if rest.is_empty() {
        return Ok(Data::text(name.as_str()));
    }
    // The arguments of an unknown verb are no guide: they may be right.
    read_args(name, rest, verbs).map_err(|wrong| if verbs.contains_key(name) { wrong } else { unknown(name, verbs) })
}

fn unknown(verb: &str, verbs: &Verbs) -> String {
    let near = nearest(verb, verbs.keys().map(String::as_str)).map(|near| format!(": did you mean `{near}`?"));
    format!("unknown verb `{verb}`{}", near.unwrap_or_default())
}

/// Reads what follows the name of a verb.
fn read_args(name: &str, rest: &[Token], verbs: &Verbs) -> Result<Data, String> {
    let verb = verbs.get(name);
    let is_arg = |token: Option<&Token>| matches!((token, verb), (Some(Token::Word(word)), Some(verb)) if verb.args.contains_key(word));
    let mut args = IndexMap::new();
    let mut rest = rest;
    let only = verb.and_then(Verb::only_arg);
    let positional = only.filter(|_| !(is_arg(rest.first()) && rest.len() > 1));
    let main = match (verb, positional) {
        (None, _) => Some(("n", false)),
        (_, only) => only.map(|(name, arg)| (name.as_str(), matches!(arg.of, AttributeType::Amounts(_)))),
    };
    if let Some((main, has_amounts)) = main {
        let value = if has_amounts && !matches!(rest.first(), Some(Token::Toml(_))) {
            let end = rest.iter().position(|token| is_arg(Some(token))).unwrap_or(rest.len());
            let (amounts, after) = rest.split_at(end);
            rest = after;
            read_amount_tokens(amounts).map_err(|wrong| format!("{wrong} after `{name}`"))?
        } else {
            let (value, after) = rest.split_at(1);
            rest = after;
            read_value(&value[0])?
        };
        if rest.is_empty() {
            return Ok(Data::entry(name, value));
        }
        args.insert(main.to_owned(), value);
    }
    while let [argument, after @ ..] = rest {
        match (argument, after) {
            (Token::Mark(','), after) => rest = after,
            (Token::Word(argument), [value, after @ ..]) => {
                args.insert(argument.clone(), read_value(value)?);
                rest = after;
            }
            (Token::Word(argument), []) if args.is_empty() => return Ok(Data::entry(name, read_word(argument))),
            (Token::Word(argument), []) => {
                return Err(format!("`{argument}` of `{name}` has no value: write `{name} {argument} 1`"));
            }
            (Token::Toml(value), []) if args.is_empty() => return Ok(Data::entry(name, value.clone())),
            _ => return Err(format!("after `{name}` come the names of its arguments, each with a value")),
        }
    }
    Ok(Data::entry(name, Data::Table(args)))
}

fn read_value(token: &Token) -> Result<Data, String> {
    match token {
        Token::Word(word) => Ok(read_word(word)),
        Token::Toml(value) => Ok(value.clone()),
        Token::Mark(mark) => Err(format!("a value is missing before `{mark}`")),
    }
}

fn read_word(word: &str) -> Data {
    match word {
        "true" | "false" => Data::Boolean(word == "true"),
        word => word.parse().map_or_else(|_| Data::text(word), Data::Integer),
    }
}

/// Reads amounts: `2 gold, 1 raw.iron`, also `gold 2` and `gold = 2`.
///
/// # Errors
/// A number or a name is missing.
pub(super) fn read_amounts(cell: &str) -> Result<Data, String> {
    match tokens(cell)?.as_slice() {
        [Token::Toml(table)] => Ok(table.clone()),
        all => read_amount_tokens(all),
    }
}

fn read_amount_tokens(tokens: &[Token]) -> Result<Data, String> {
    let wrong = || "amounts are written `2 gold, 1 iron`".to_owned();
    let words: Vec<Data> = tokens
        .iter()
        .filter(|token| !matches!(token, Token::Mark(',')) && **token != Token::Word("=".to_owned()))
        .map(read_value)
        .collect::<Result<_, _>>()?;
    let mut amounts: IndexMap<String, Data> = IndexMap::new();
    for pair in words.chunks(2) {
        let (name, amount) = match pair {
            [amount, Data::Text(name)] if !matches!(amount, Data::Text(_)) => (name, amount),
            [Data::Text(name), amount] => (name, amount),
            _ => return Err(wrong()),
        };
        match name.split_once('.') {
            None => drop(amounts.insert(name.clone(), amount.clone())),
            Some((family, id)) => {
                let members = amounts.entry(family.to_owned()).or_insert_with(|| Data::Table(IndexMap::new()));
                let Data::Table(members) = members else { return Err(wrong()) };
                members.insert(id.to_owned(), amount.clone());
            }
        }
    }
    Ok(Data::Table(amounts))
}

/// Splits a cell into words, TOML values and marks.
fn tokens(cell: &str) -> Result<Vec<Token>, String> {
    let mut all = Vec::new();
    let mut rest = cell.trim();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ';' | '|' | ',' => {
                all.push(Token::Mark(first));
                first.len_utf8()
            }
            '{' | '[' | '"' | '\'' => {
                let end = closing(rest).ok_or_else(|| format!("`{first}` is never closed"))?;
                let value = Data::parse(&rest[..end]).ok_or_else(|| format!("`{}` is not TOML", &rest[..end]))?;
                all.push(Token::Toml(value));
                end
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || ";|,{[\"'".contains(c)).unwrap_or(rest.len());
                all.push(Token::Word(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(all)
}

/// The byte after the bracket or quote that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let (mut open, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(quoted), c) if c == quoted && !escaped => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => open += 1,
            (None, '}' | ']') => open = open.checked_sub(1)?,
            _ => {}
        }
        escaped = false;
        if open == 0 && quote.is_none() {
            return Some(at + c.len_utf8());
        }
    }
    None
}
