//! Placeholders in printed texts: one grammar for questions, labels, transcript texts and verbs.
//!
//! | written | shown for 2 |
//! | --- | --- |
//! | `{1}` | `2` |
//! | `{1:player}`, `{1:cell board}` | the name of player 2, of cell 2 |
//! | `{1:coin\|coins}` | `2 coins` |
//! | `{1\|coin\|coins}` | `coins` |
//!
//! A value has a number if a script gives a list of values, and a name if it is declared: `{steps:step|steps}`.

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Literal text; a brace in it has no partner.
    Text(&'t str),
    /// Replaced by a value.
    Placeholder(Placeholder<'t>),
}

/// The content of a pair of braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placeholder<'t> {
    /// All of it: `1:coin|coins`.
    pub inside: &'t str,
    /// Number (from 1) or name of the value.
    pub value: &'t str,
    /// How the value is shown.
    pub form: Form<'t>,
}

/// The form in which a value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form<'t> {
    /// `{1}`: the plain value.
    Plain,
    /// `{1:player}`, `{1:cell board}`: the name of the numbered object.
    Name(&'t str),
    /// `{1:coin|coins}`: a number with its noun.
    Count(Plural<'t>),
    /// `{1|coin|coins}`: the noun alone.
    Noun(Plural<'t>),
}

/// A word for one, and a word for any other number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plural<'t> {
    /// The word for 1; empty if it is missing.
    pub one: &'t str,
    /// The word for 0, 2, 3 ...; empty if it is missing.
    pub many: &'t str,
}

impl<'t> Plural<'t> {
    fn parse(words: &'t str) -> Self {
        let (one, many) = words.split_once('|').unwrap_or((words, ""));
        Self { one: one.trim(), many: many.trim() }
    }

    /// The word that goes with a number.
    #[must_use]
    pub fn of(self, number: i32) -> &'t str {
        if number == 1 { self.one } else { self.many }
    }
}

impl<'t> Placeholder<'t> {
    fn parse(inside: &'t str) -> Self {
        let Some(at) = inside.find([':', '|']) else { return Self { inside, value: inside, form: Form::Plain } };
        let (value, rest) = (inside[..at].trim(), &inside[at + 1..]);
        let form = match inside.as_bytes()[at] {
            b'|' => Form::Noun(Plural::parse(rest)),
            _ if rest.contains('|') => Form::Count(Plural::parse(rest)),
            _ => Form::Name(rest),
        };
        Self { inside, value, form }
    }
}

/// The pieces of a text, in order.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let close = rest.strip_prefix('{').and_then(|inside| Some((inside, inside.find(['{', '}'])?)));
        if let Some((inside, close)) = close.filter(|&(inside, close)| inside[close..].starts_with('}')) {
            rest = &inside[close + 1..];
            return Some(Piece::Placeholder(Placeholder::parse(&inside[..close])));
        }
        let end = rest.char_indices().skip(1).find(|(_, c)| *c == '{').map_or(rest.len(), |(open, _)| open);
        let (text, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Text(text))
    })
}

/// The placeholders of a text, in order.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Placeholder(placeholder) => Some(placeholder),
        Piece::Text(_) => None,
    })
}

/// The largest number among the placeholders of a text, which is the number of values that it shows.
#[must_use]
pub fn values_shown(text: &str) -> usize {
    placeholders(text).filter_map(|placeholder| placeholder.value.parse().ok()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Placeholder<'_> {
        let all: Vec<Piece<'_>> = pieces(text).collect();
        let [Piece::Placeholder(placeholder)] = all[..] else { panic!("{text}: {all:?}") };
        placeholder
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(only("{1}"), Placeholder { inside: "1", value: "1", form: Form::Plain });
        assert_eq!(only("{1:cell board}").form, Form::Name("cell board"));
        let coins = Plural { one: "coin", many: "coins" };
        assert_eq!(
            only("{2:coin|coins}"),
            Placeholder { inside: "2:coin|coins", value: "2", form: Form::Count(coins) }
        );
        assert_eq!(only("{n|coin|coins}"), Placeholder { inside: "n|coin|coins", value: "n", form: Form::Noun(coins) });
        let spaced = only("{n : coin | coins }");
        assert_eq!((spaced.value, spaced.form), ("n", Form::Count(coins)));
        assert_eq!(only("{1|gold coin|gold coins: all}").form, {
            Form::Noun(Plural { one: "gold coin", many: "gold coins: all" })
        });
    }

    #[test]
    fn one_is_the_only_singular() {
        let coins = Plural { one: "coin", many: "coins" };
        assert_eq!([-1, 0, 1, 2, 21].map(|n| coins.of(n)), ["coins", "coins", "coin", "coins", "coins"]);
    }

    #[test]
    fn braces_without_a_partner_stay_text() {
        let of = |text| pieces(text).collect::<Vec<_>>();
        let one = Piece::Placeholder(Placeholder { inside: "1", value: "1", form: Form::Plain });
        assert_eq!(of("a {1} b"), [Piece::Text("a "), one, Piece::Text(" b")]);
        assert_eq!(of("{1"), [Piece::Text("{1")]);
        assert_eq!(of("{x {1}"), [Piece::Text("{x "), one]);
        assert_eq!(of("é} {1}"), [Piece::Text("é} "), one]);
        assert_eq!(of(""), []);
    }

    #[test]
    fn values_are_counted_by_their_largest_number() {
        assert_eq!(values_shown("{1:player} {3|coin|coins} {2:card|cards} {player}"), 3);
        assert_eq!(values_shown("nothing"), 0);
    }
}
