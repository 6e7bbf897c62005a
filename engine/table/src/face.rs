//! The printed text of cards.

use indexmap::IndexMap;
use motherlode::Game;
use motherlode::declare::{
    Attribute, AttributeType, CardSize, Declarations, Definition, Kind, Shape, Value as Printed,
};
use motherlode_content::compose;
use motherlode_content::placeholder::{Piece, pieces};
use motherlode_content::sentence::{Part, parts};
use serde::{Deserialize, Serialize};

use crate::sides::{self, Side};

/// The printed side of a card, a tile, a figure or a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Face {
    /// Kind and id: `tools.drill`.
    pub id: String,
    /// Label of the kind.
    pub kind: String,
    /// Name of the card.
    pub name: String,
    /// Printed values, such as cost and points.
    pub facts: Vec<Fact>,
    /// Rules text.
    pub text: String,
    /// Displayed path of its image; `None`: the page draws a picture.
    pub image: Option<String>,
    /// Entries of its chart, row by row; empty: it has none.
    #[serde(default)]
    pub chart: Vec<String>,
    /// Texts of the effects, by the name of the hook.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub effects: IndexMap<String, String>,
}

/// A printed value of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fact {
    /// Name of the attribute.
    pub of: String,
    /// Name of the value; empty: the value explains itself.
    pub label: String,
    /// The value; empty: the label says everything.
    pub value: String,
    /// Open sides of the card, if the attribute lists some.
    pub sides: Vec<Side>,
}

/// The faces of all cards of a game, by id.
#[derive(Debug, Clone)]
pub struct Faces {
    all: IndexMap<String, Face>,
}

impl Faces {
    /// Builds the faces of a game.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let d = game.declarations();
        let face = |one: &Definition| Face::new(d, one).map(|face| (face.id.clone(), face));
        Self { all: d.definitions.iter().filter_map(face).collect() }
    }

    /// The face with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Face> {
        self.all.get(id)
    }

    /// All faces, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = &Face> {
        self.all.values()
    }

    /// Finds faces by name or id; else by the start of the name; else by the start of a word in the name.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<&Face> {
        let wanted = name.trim().to_lowercase();
        let fits = |test: &dyn Fn(&str) -> bool| -> Vec<&Face> {
            self.iter().filter(|face| test(&face.name.to_lowercase())).collect()
        };
        let by_id = |face: &&Face| face.id == wanted || face.id.split_once('.').is_some_and(|(_, id)| id == wanted);
        let exact: Vec<&Face> = self.iter().filter(|face| face.name.to_lowercase() == wanted || by_id(face)).collect();
        // Match only at the start of a word: `mine` does not match `Examine`.
        let within =
            |name: &str| name.match_indices(&wanted).any(|(at, _)| !name[..at].ends_with(char::is_alphanumeric));
        let found = [exact, fits(&|name| name.starts_with(&wanted)), fits(&within)];
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

impl Face {
    /// The face of a definition.
    #[must_use]
    pub fn new(d: &Declarations, one: &Definition) -> Option<Self> {
        let (kind_name, kind) = d.kinds.get_index(one.kind)?;
        let effect = |(hook, calls): (&String, &Vec<_>)| (hook.clone(), compose::sentences(d, calls));
        Some(Self {
            id: id_of(d, one)?,
            kind: if kind.text.is_empty() { kind_name.clone() } else { kind.text.clone() },
            name: one.name.clone(),
            facts: facts(d, kind, one),
            image: one.image.clone(),
            chart: chart(d, kind_name, kind, one).unwrap_or_default(),
            text: if one.text.is_empty() { linked(d, kind, one) } else { one.text.clone() },
            effects: one.verbs.iter().map(effect).filter(|(_, text)| !text.is_empty()).collect(),
        })
    }

    /// The facts and the text in one line: `cost 3 · 2 VP · Draw a card.`
    #[must_use]
    pub fn line(&self) -> String {
        let facts = self.facts.iter().map(|fact| match (fact.label.is_empty(), fact.value.is_empty()) {
            (true, _) => fact.value.clone(),
            (_, true) => fact.label.clone(),
            _ => format!("{} {}", fact.label, fact.value),
        });
        let text = (!self.text.is_empty()).then(|| self.text.clone());
        facts.chain(text).collect::<Vec<_>>().join(" · ")
    }
}

/// Id of the face of a definition. The kind is part of the id, because kinds may share ids.
pub fn id_of(d: &Declarations, one: &Definition) -> Option<String> {
    d.kinds.get_index(one.kind).map(|(kind, _)| format!("{kind}.{}", one.id))
}

/// The declared size of the cards of a kind (index into `kinds`); `None`: the kind is not printed unless it is named.
///
/// A kind is printed if it has tokens, or if `look.toml` gives it a face.
#[must_use]
pub fn declared_size(d: &Declarations, kind: usize) -> Option<CardSize> {
    let (name, kind) = d.kinds.get_index(kind)?;
    let size = match d.look.kinds.get(name) {
        Some(look) => look.paper_size(),
        None if kind.tokens => CardSize::Poker,
        None => CardSize::None,
    };
    (size != CardSize::None).then_some(size)
}

/// The printed values that are missing from the text and the name.
fn facts(d: &Declarations, kind: &Kind, one: &Definition) -> Vec<Fact> {
    let said = said(kind, one);
    // The grid of the game that shifts its rows, if there is one.
    let shape = d.grids.values().map(|grid| grid.shape).find(|shape| matches!(shape, Shape::Offset { .. }));
    let mut facts = Vec::new();
    // Follow the order of the base kind: attributes that this kind adds come last.
    let like = kind.like.and_then(|like| d.kinds.get_index(like)).map(|(_, like)| like);
    let place = |name: &str| like.and_then(|like| like.attributes.get_index_of(name)).unwrap_or(usize::MAX);
    let mut printed: Vec<_> = kind.attributes.iter().zip(&one.attributes).collect();
    printed.sort_by_key(|((name, _), _)| place(name));
    for ((name, attribute), value) in printed {
        if attribute.internal || said.contains(&name.as_str()) || is_empty(value, attribute.default.as_ref()) {
            continue;
        }
        let (of, label) = (name.clone(), name.replace('_', " "));
        let sides = sides::listed(d, shape, attribute, value);
        facts.push(match value {
            Printed::Boolean(_) => Fact { of, label, value: String::new(), sides },
            // A counter with this name formats its own amounts.
            Printed::Integer(n) if d.counters.get(name).is_some_and(|counter| !counter.amount.is_empty()) => {
                Fact { of, label: String::new(), value: compose::amount(d, name, *n), sides }
            }
            // Names of values are words.
            Printed::Text(word) if matches!(&attribute.of, AttributeType::Text(names) if !names.is_empty()) => {
                Fact { of, label, value: word.replace('_', " "), sides }
            }
            value => Fact { of, label, value: compose::value_text(d, value, &attribute.of), sides },
        });
    }
    facts
}

/// The entries of the list that the look of the kind draws.
fn chart(d: &Declarations, name: &str, kind: &Kind, one: &Definition) -> Option<Vec<String>> {
    let list = &d.look.kinds.get(name)?.chart;
    if kind.lists.contains_key(list) {
        // A track: its first space is at the bottom.
        let space = |(hook, calls): (&String, &Vec<_>)| {
            let (_, place) = kind.list_of(hook).filter(|(of, _)| of == list)?;
            Some((place, format!("{place} {}", compose::sentences(d, calls))))
        };
        let mut spaces: Vec<(usize, String)> = one.verbs.iter().filter_map(space).collect();
        spaces.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        return Some(spaces.into_iter().map(|(_, space)| space).collect());
    }
    let (at, _, attribute) = kind.attributes.get_full(list)?;
    let (AttributeType::List(of, _), Printed::List(list)) = (&attribute.of, one.attributes.get(at)?) else {
        return None;
    };
    Some(list.iter().map(|value| compose::value_text(d, value, of)).collect())
}

/// Text of a definition without its own text: the texts of the definitions that its attributes name, such as
/// the action of a space.
fn linked(d: &Declarations, kind: &Kind, one: &Definition) -> String {
    let text = |((_, attribute), value): ((&String, &Attribute), &Printed)| match (&attribute.of, value) {
        (AttributeType::Id(of), Printed::Text(id)) if !attribute.internal => {
            d.definitions_of(*of).iter().find(|other| other.id == *id).map(|other| other.text.clone())
        }
        _ => None,
    };
    let texts = kind.attributes.iter().zip(&one.attributes).filter_map(text).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}

/// Attributes that the text or the name of a definition already shows.
fn said<'k>(kind: &'k Kind, one: &'k Definition) -> Vec<&'k str> {
    let mut said = Vec::new();
    let plain = |text: &'k str| {
        pieces(text).filter_map(|piece| match piece {
            Piece::Placeholder(placeholder) => Some(placeholder.value),
            Piece::Text(_) => None,
        })
    };
    said.extend(plain(&kind.name).chain(plain(&one.written)));
    if let Some(reads) = kind.reads.as_ref().filter(|_| one.written.is_empty() || one.written.contains("{verbs}")) {
        collect(&parts(reads).unwrap_or_default(), &mut said);
    }
    said
}

fn collect<'k>(parts: &[Part<'k>], into: &mut Vec<&'k str>) {
    for part in parts {
        match part {
            Part::Text(_) => {}
            Part::Placeholder(placeholder) => into.push(placeholder.value),
            Part::Optional(inner) => collect(inner, into),
        }
    }
}

/// Whether there is nothing to print: an empty value, or a default of 0.
fn is_empty(value: &Printed, usual: Option<&Printed>) -> bool {
    match value {
        Printed::Boolean(set) => !set,
        Printed::Integer(n) => *n == 0 && usual == Some(value),
        Printed::Text(text) => text.is_empty() || text == "none",
        Printed::List(list) => list.is_empty(),
        Printed::Map(map) => map.is_empty(),
        Printed::Formula(_) => false,
    }
}
