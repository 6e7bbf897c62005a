//! Mutations that keep most of a text valid, so that readers get far: pieces swap places with pieces of the same sort,
//! from the same file or another.

use serde_json::Value;

use crate::twins::SplitMix64;

/// Pieces to insert: fragments of the languages, and text that no file should contain.
const PIECES: [&str; 58] = [
    "[",
    "]",
    "[[",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'''",
    "= ",
    ".",
    ",",
    ":",
    "\n",
    "-",
    "-- ",
    "#",
    "..",
    "true",
    "none",
    "nil",
    "null",
    "like = \"",
    "per = [",
    "per = \"player\"\n",
    "values = [\"a\", \"b\"]\n",
    "visible = \"owner\"\n",
    "turns = \"sealed\"\n",
    "again = true\n",
    "only = { board = \"hex\" }\n",
    "players = [2]\n",
    "{1:",
    "{1:coin|coins}",
    "{player}",
    "product = { a = [1, 2], b = [1, 2] }",
    "end ",
    "function() ",
    "function(...) ",
    "while true do ",
    "for i = 1, 1e9 do ",
    "repeat ",
    "return ",
    "local x = ",
    "error({}) ",
    "pcall(error) ",
    "or buffer ",
    "wrap(function(original, ...) return original(...) end)",
    "choose(1, \"\", { 1, 2 }) ",
    "random(6)",
    "(function() return 1, nil, 2 end)()",
    "`{1}`",
    "\0",
    "\r",
    "\u{1b}",
    "\u{202e}",
    "\u{feff}",
    "e\u{301}\u{1f9ff}",
    "\u{10ffff}",
];

const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "16",
    "17",
    "100",
    "101",
    "1000",
    "1001",
    "4095",
    "4096",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "0.5",
    "1e999",
    "nan",
    "0x10",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Space,
    Word,
    Number,
    Quoted,
    Mark,
}

type Token = (usize, usize, Sort);

fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let mut end = start + first.len_utf8();
        let mut take = |goes_on: &dyn Fn(char) -> bool| {
            while let Some(&(at, c)) = rest.peek()
                && goes_on(c)
            {
                end = at + c.len_utf8();
                rest.next();
            }
        };
        let sort = match first {
            '"' | '\'' => {
                take(&|c| c != first && c != '\n');
                Sort::Quoted
            }
            c if c.is_whitespace() => {
                take(&char::is_whitespace);
                Sort::Space
            }
            c if c.is_ascii_digit() => {
                take(&|c| c.is_ascii_alphanumeric() || c == '.');
                Sort::Number
            }
            c if c.is_alphabetic() || c == '_' => {
                take(&|c| c.is_alphanumeric() || c == '_');
                Sort::Word
            }
            _ => Sort::Mark,
        };
        if sort == Sort::Quoted && rest.next_if(|&(_, c)| c == first).is_some() {
            end += 1;
        }
        all.push((start, end, sort));
    }
    all
}

fn pick<T: Copy>(list: &[T], random: &mut SplitMix64) -> Option<T> {
    (!list.is_empty()).then(|| list[random.below(list.len())])
}

fn token_of(text: &str, sort: Option<Sort>, random: &mut SplitMix64) -> Option<Token> {
    let fits = |token: &Token| sort.map_or(token.2 != Sort::Space, |sort| token.2 == sort);
    let all: Vec<Token> = tokens(text).into_iter().filter(fits).collect();
    pick(&all, random)
}

/// A bracketed piece, with its brackets.
fn group(text: &str, random: &mut SplitMix64) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let mut all = Vec::new();
    for (start, end, _) in tokens(text) {
        match &text[start..end] {
            "(" | "[" | "{" => open.push(start),
            ")" | "]" | "}" => all.extend(open.pop().map(|start| (start, end))),
            _ => {}
        }
    }
    pick(&all, random)
}

/// A line with its newline.
fn line(text: &str, random: &mut SplitMix64) -> (usize, usize) {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let at = random.below(starts.len());
    (starts[at], starts.get(at + 1).copied().unwrap_or(text.len()))
}

/// A block of lines: a table, or the lines indented below a line.
fn block(text: &str, random: &mut SplitMix64) -> (usize, usize) {
    let (start, mut end) = line(text, random);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(&text[start..end]);
    while let Some(next) = text[end..].split_inclusive('\n').next() {
        let goes_on = if text[start..].starts_with('[') { !next.starts_with('[') } else { depth(next) > own };
        if !goes_on {
            break;
        }
        end += next.len();
    }
    (start, end)
}

fn with(text: &str, (start, end): (usize, usize), new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

/// Swaps two ranges of a text, unless they overlap.
fn swapped(text: &str, one: (usize, usize), other: (usize, usize)) -> String {
    let (one, other) = if one.0 <= other.0 { (one, other) } else { (other, one) };
    if one.1 > other.0 {
        return text.to_owned();
    }
    let part = |(start, end): (usize, usize)| &text[start..end];
    [&text[..one.0], part(other), &text[one.1..other.0], part(one), &text[other.1..]].concat()
}

/// The value of a line `key = value`, in content or in a script.
fn value(text: &str, (start, end): (usize, usize)) -> Option<(usize, usize)> {
    let at = text[start..end].find('=')? + start + 1;
    Some((at, at + text[at..end].trim_end().len()))
}

/// Changes a text in one place, perhaps with a piece of another text.
pub fn mangle(text: &str, other: &str, random: &mut SplitMix64) -> String {
    let changed = match random.below(16) {
        0 => token_of(text, Some(Sort::Number), random).map(|(start, end, _)| {
            let new = NUMBERS[random.below(NUMBERS.len())];
            with(text, (start, end), new)
        }),
        1 | 2 => token_of(text, None, random).and_then(|(start, end, sort)| {
            let from = if random.below(2) == 0 { text } else { other };
            let (a, b, _) = token_of(from, Some(sort), random)?;
            Some(with(text, (start, end), &from[a..b]))
        }),
        3 => token_of(text, None, random).map(|(start, end, _)| with(text, (start, end), "")),
        4 => token_of(text, None, random)
            .map(|(start, end, _)| with(text, (end, end), &format!(" {}", &text[start..end]))),
        5 => {
            let (a, b) = (line(text, random), line(text, random));
            value(text, a).zip(value(text, b)).map(|(a, b)| swapped(text, a, b))
        }
        6 => {
            let (a, b) = (line(text, random), line(other, random));
            value(text, a).zip(value(other, b)).map(|(a, b)| with(text, a, &other[b.0..b.1]))
        }
        7 => {
            let (a, b) = (line(text, random), line(text, random));
            Some(swapped(text, a, b))
        }
        8 => Some(with(text, line(text, random), "")),
        9 => {
            let (_, end) = line(text, random);
            let (a, b) = line(other, random);
            Some(with(text, (end, end), &other[a..b]))
        }
        10 => {
            let (a, b) = (block(text, random), block(text, random));
            Some(swapped(text, a, b))
        }
        11 => Some(with(text, block(text, random), "")),
        12 => {
            let (_, end) = block(text, random);
            let from = if random.below(2) == 0 { text } else { other };
            let (a, b) = block(from, random);
            Some(with(text, (end, end), &from[a..b]))
        }
        13 => {
            let from = if random.below(2) == 0 { text } else { other };
            group(text, random).zip(group(from, random)).map(|(a, b)| with(text, a, &from[b.0..b.1]))
        }
        _ => None,
    };
    changed.unwrap_or_else(|| put(text, random))
}

/// Inserts a piece anywhere: between two tokens, or within one.
fn put(text: &str, random: &mut SplitMix64) -> String {
    let piece = PIECES[random.below(PIECES.len())];
    let at = match random.below(3) {
        0 => token_of(text, None, random).map_or(0, |(_, end, _)| end),
        _ => text.floor_char_boundary(random.below(text.len() + 1)),
    };
    let end = text.floor_char_boundary((at + random.below(12)).min(text.len())).max(at);
    match random.below(8) {
        0 => text[..at].to_owned(),
        1 => with(text, (at, at), &piece.repeat(1 + random.below(2000))),
        2 | 3 => with(text, (at, end), piece),
        _ => with(text, (at, at), piece),
    }
}

/// Changes bytes of an archive or of any binary file.
pub fn mangle_bytes(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    if bytes.is_empty() {
        return bytes.push(random.bits() as u8);
    }
    let at = random.below(bytes.len());
    // Archives and headers store numbers in two or four bytes.
    let width = [1, 1, 2, 4][random.below(4)].min(bytes.len() - at);
    match random.below(7) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at..at + width].fill(0),
        2 => bytes[at..at + width].fill(0xFF),
        3 => bytes[at] = random.bits() as u8,
        4 => bytes.truncate(at),
        5 => drop(bytes.drain(at..at + width)),
        _ => {
            let part = bytes[at..(at + 1 + random.below(64)).min(bytes.len())].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, part);
        }
    }
}

/// Changes one value anywhere in JSON.
pub fn change(value: &mut Value, random: &mut SplitMix64) {
    let deeper = random.below(6) > 0;
    match value {
        Value::Object(map) if deeper && !map.is_empty() => {
            let at = random.below(map.len());
            if let Some(within) = map.values_mut().nth(at) {
                change(within, random);
            }
        }
        Value::Array(list) if deeper && !list.is_empty() => {
            let at = random.below(list.len());
            match random.below(10) {
                0 => {
                    list.remove(at);
                }
                1 => list.push(list[at].clone()),
                2 => list.swap(0, at),
                _ => change(&mut list[at], random),
            }
        }
        _ => *value = other(value, random),
    }
}

/// Returns a replacement for a value.
fn other(value: &mut Value, random: &mut SplitMix64) -> Value {
    let number = [0, 1, 2, 16, 17, 255, 256, 65535, 65536, u64::from(u32::MAX), u64::MAX][random.below(11)];
    match (&*value, random.below(8)) {
        (_, 0) => Value::Null,
        (_, 1) => Value::Array(vec![value.take()]),
        (_, 2) => true.into(),
        (_, 3) => number.into(),
        (Value::Number(old), 4..6) => old.as_i64().unwrap_or_default().wrapping_sub(1).into(),
        (Value::Number(_), _) => number.into(),
        (Value::String(old), 4) => old.chars().rev().collect::<String>().into(),
        (Value::String(old), 5) => format!("{old}\u{202e}\u{0}").into(),
        (Value::String(old), _) if old.len() == 16 => format!("{:016x}", random.bits()).into(),
        (Value::String(_), _) => ["random", "human", "", "1.0.0", "../x", "true"][random.below(6)].into(),
        (Value::Bool(old), _) => (!old).into(),
        _ => "other".into(),
    }
}
