//! Sentences: texts with named values, such as the text of a verb with its arguments.
//!
//! A part in brackets is omitted while all its values are the usual ones: `Take {n:coin|coins}[ for every {per}][, at
//! most {most}].`

use super::limits::MAX_COMPOSED;
use super::placeholder::{Form, Piece, Placeholder, pieces};

/// Maximum depth of nested brackets.
pub const MAX_DEPTH: usize = 3;

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'t> {
    /// Literal text.
    Text(&'t str),
    /// Replaced by a value.
    Placeholder(Placeholder<'t>),
    /// Omitted while the values named in it, outside inner brackets, are the usual ones.
    Optional(Vec<Part<'t>>),
}

/// A fault in the brackets of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BracketFault {
    /// A bracket without a partner.
    Unmatched,
    /// Brackets nested more than [`MAX_DEPTH`] deep.
    TooDeep,
    /// Brackets without a named value.
    WithoutValue,
}

/// The parts of a sentence, in order.
///
/// # Errors
/// The first fault of its brackets.
pub fn parts(text: &str) -> Result<Vec<Part<'_>>, BracketFault> {
    let mut open: Vec<Vec<Part<'_>>> = vec![Vec::new()];
    for piece in pieces(text) {
        let mut rest = match piece {
            Piece::Placeholder(placeholder) => {
                open.last_mut().ok_or(BracketFault::Unmatched)?.push(Part::Placeholder(placeholder));
                continue;
            }
            Piece::Text(text) => text,
        };
        while let Some(at) = rest.find(['[', ']']) {
            let (before, bracket) = rest.split_at(at);
            rest = &bracket[1..];
            let inner = open.last_mut().ok_or(BracketFault::Unmatched)?;
            if !before.is_empty() {
                inner.push(Part::Text(before));
            }
            if bracket.starts_with('[') {
                if open.len() > MAX_DEPTH {
                    return Err(BracketFault::TooDeep);
                }
                open.push(Vec::new());
                continue;
            }
            let inner = open.pop().filter(|_| !open.is_empty()).ok_or(BracketFault::Unmatched)?;
            if !inner.iter().any(|part| matches!(part, Part::Placeholder(_))) {
                return Err(BracketFault::WithoutValue);
            }
            open.last_mut().ok_or(BracketFault::Unmatched)?.push(Part::Optional(inner));
        }
        if !rest.is_empty() {
            open.last_mut().ok_or(BracketFault::Unmatched)?.push(Part::Text(rest));
        }
    }
    match open.len() {
        1 => Ok(open.pop().unwrap_or_default()),
        _ => Err(BracketFault::Unmatched),
    }
}

/// The values of a sentence.
pub trait Values {
    /// A value in the form of its placeholder.
    fn shown(&self, value: &str, form: Form<'_>) -> String;
    /// Whether a value is the usual one, so that a part in brackets can be omitted.
    fn is_usual(&self, value: &str) -> bool;
}

/// Fills a sentence with values; returns it unchanged if its brackets are faulty. Stops when the result is too long
/// to be used.
#[must_use]
pub fn fill(text: &str, values: &impl Values) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    match parts(text) {
        Ok(parts) => put(&mut out, &parts, values),
        Err(_) => out.push_str(text),
    }
    out
}

/// Fills only the placeholders of a text. Stops when the result is too long to be used.
#[must_use]
pub fn placeholders_filled(text: &str, values: &impl Values) -> String {
    let mut out = String::new();
    for piece in pieces(text) {
        match piece {
            _ if out.len() > MAX_COMPOSED => break,
            Piece::Text(text) => out.push_str(text),
            Piece::Placeholder(placeholder) => out.push_str(&values.shown(placeholder.value, placeholder.form)),
        }
    }
    out
}

/// The recursion is at most [`MAX_DEPTH`] deep.
fn put(out: &mut String, parts: &[Part<'_>], values: &impl Values) {
    for part in parts {
        match part {
            _ if out.len() > MAX_COMPOSED => return,
            Part::Text(text) => out.push_str(text),
            Part::Placeholder(placeholder) => out.push_str(&values.shown(placeholder.value, placeholder.form)),
            Part::Optional(inner) => {
                let unusual = |part: &Part<'_>| match part {
                    Part::Placeholder(placeholder) => !values.is_usual(placeholder.value),
                    _ => false,
                };
                if inner.iter().any(unusual) {
                    let before = out.len();
                    put(out, inner, values);
                    part_sentences(out, before);
                }
            }
        }
    }
}

/// Inserts a space before the sentence that begins at `at`, because a part in brackets does not know the text before
/// it.
fn part_sentences(out: &mut String, at: usize) {
    let (before, after) = out.split_at(at);
    if before.ends_with(['.', '!', '?']) && after.starts_with(char::is_alphanumeric) {
        out.insert(at, ' ');
    }
}

/// A number in the form of its placeholder.
#[must_use]
pub fn number(n: i32, form: Form<'_>) -> String {
    match form {
        Form::Plain | Form::Name(_) => n.to_string(),
        Form::Count(plural) => format!("{n} {}", plural.of(n)),
        Form::Noun(plural) => plural.of(n).to_owned(),
    }
}

/// A list in words: `a`, `a and b`, `a, b and c`; `nothing` if empty.
#[must_use]
pub fn list(items: &[String]) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A label inside a sentence: `raw copper` for `Raw copper`; `VP` stays.
#[must_use]
pub fn within(label: &str) -> String {
    let mut chars = label.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(label.chars().skip(1)).collect()
        }
        (Some(first), None) => first.to_lowercase().collect(),
        _ => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test values: `n` is 2, `one` is 1, `zero` has its usual value 0.
    struct Numbers;

    impl Values for Numbers {
        fn shown(&self, value: &str, form: Form<'_>) -> String {
            number(["zero", "one", "n"].iter().position(|name| *name == value).map_or(-1, |n| n as i32), form)
        }

        fn is_usual(&self, value: &str) -> bool {
            value == "zero"
        }
    }

    #[test]
    fn parts_in_brackets_are_left_out_with_usual_values() {
        for (text, shown) in [
            ("Take {n:coin|coins}.", "Take 2 coins."),
            ("Take {one:coin|coins}[ for every {zero}][, at most {n}].", "Take 1 coin, at most 2."),
            ("[Pay {n:coin|coins}[, {zero} less]: ]done", "Pay 2 coins: done"),
            ("[Pay {zero:coin|coins}[, {n} less]: ]done", "done"),
            ("[{zero} and {n}]", "0 and 2"),
            ("{one|a|b}{n|a|b}", "ab"),
            ("", ""),
        ] {
            assert_eq!(fill(text, &Numbers), shown, "{text}");
        }
    }

    #[test]
    fn faults_of_brackets_are_reported() {
        for (text, fault) in [
            ("a [", BracketFault::Unmatched),
            ("a ] b [", BracketFault::Unmatched),
            ("[{n}", BracketFault::Unmatched),
            ("[a]", BracketFault::WithoutValue),
            ("[[{n}]]", BracketFault::WithoutValue),
            ("[{n}[{n}[{n}[{n}]]]]", BracketFault::TooDeep),
        ] {
            assert_eq!(parts(text), Err(fault), "{text}");
            assert_eq!(fill(text, &Numbers), text);
        }
        assert_eq!(parts(&"[".repeat(100_000)), Err(BracketFault::TooDeep));
        assert!(parts("[{n}[{n}[{n}]]]").is_ok());
    }

    #[test]
    fn lists_and_labels_read_as_in_a_sentence() {
        let of = |items: &[&str]| list(&items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), "nothing");
        assert_eq!(of(&["a"]), "a");
        assert_eq!(of(&["a", "b"]), "a and b");
        assert_eq!(of(&["a", "b", "c"]), "a, b and c");
        for (label, shown) in [("Raw copper", "raw copper"), ("VP", "VP"), ("Übel", "übel"), ("X", "x"), ("", "")] {
            assert_eq!(within(label), shown);
        }
    }
}
