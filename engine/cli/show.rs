//! `lode show`: prints the decks of a game as tables, or one card in full.
//!
//! Direction: self <- card <- deck

mod card;
mod deck;

use std::io::Write;

use motherlode::declare::{Attribute, Declarations, Definition, Kind, Value};
use motherlode::tools::{FunctionPlace, nearest};
use motherlode::{Game, Pack};
use motherlode_check::CheckedGame;
use serde_json::json;

use crate::fault::Fault;
use crate::format::Format;
use crate::project::{GlobalArgs, Project};
use crate::setup;

/// Show the decks of a game as tables, or one card in full
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Id or name of a card, a deck, or both as DECK.CARD [default: all decks]
    id: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints the decks or cards.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, id) = Project::locate(global, &args.game)?;
    let (pack, CheckedGame { game, .. }) = project.open(&id)?;
    let decks = Deck::all(&game);
    let found = match args.id.as_deref() {
        None => Selection::Decks(decks),
        Some(id) => find(decks, id)?,
    };
    match (found, args.format) {
        (Selection::Decks(decks), Format::Json) => {
            let list: Vec<_> = decks.iter().map(|deck| deck::data(deck, &pack)).collect();
            writeln!(out, "{:#}", json!(list))?;
        }
        (Selection::Decks(decks), Format::Text) => {
            if !game.mods().is_empty() {
                writeln!(out, "{}\n", setup::title(&game))?;
            }
            for deck in &decks {
                deck::draw(out, deck, &pack)?;
            }
        }
        (Selection::Cards(cards), Format::Json) => {
            let list: Vec<_> = cards.iter().map(|card| card::in_full(card, &pack)).collect();
            writeln!(out, "{:#}", json!(list))?;
        }
        (Selection::Cards(cards), Format::Text) => {
            for card in &cards {
                card::draw(out, card, &pack)?;
            }
        }
    }
    Ok(())
}

/// A kind with its definitions.
#[derive(Clone, Copy)]
struct Deck<'g> {
    game: &'g Game,
    name: &'g str,
    kind: &'g Kind,
}

/// One definition of a kind.
#[derive(Clone, Copy)]
struct Card<'g> {
    deck: Deck<'g>,
    definition: &'g Definition,
}

/// The result of a search by id.
enum Selection<'g> {
    Decks(Vec<Deck<'g>>),
    Cards(Vec<Card<'g>>),
}

impl<'g> Deck<'g> {
    fn all(game: &'g Game) -> Vec<Self> {
        game.declarations().kinds.iter().map(|(name, kind)| Self { game, name, kind }).collect()
    }

    fn declarations(&self) -> &'g Declarations {
        self.game.declarations()
    }

    fn cards(&self) -> Vec<Card<'g>> {
        let definitions = &self.declarations().definitions[self.kind.first..self.kind.first + self.kind.len];
        definitions.iter().map(|definition| Card { deck: *self, definition }).collect()
    }

    /// Path of the file that holds the deck: its own, or that of the game, which may declare it as a product.
    fn file(&self, pack: &Pack) -> String {
        let id = &self.declarations().id;
        let own = format!("content/{id}/{}.toml", self.name);
        if pack.file(&own).is_some() { own } else { format!("content/{id}/game.toml") }
    }
}

impl<'g> Card<'g> {
    /// Index of the definition.
    fn index(&self) -> usize {
        let all = &self.deck.declarations().definitions;
        all.iter().position(|one| std::ptr::eq(one, self.definition)).unwrap_or(all.len())
    }

    fn attributes(&self) -> impl Iterator<Item = (&'g str, &'g Attribute, &'g Value)> {
        let values = self.definition.attributes.iter();
        self.deck.kind.attributes.iter().zip(values).map(|((name, attribute), value)| (name.as_str(), attribute, value))
    }

    /// The functions of this definition in the script of its kind.
    fn functions(&self) -> impl Iterator<Item = &'g FunctionPlace> {
        let scripts = self.deck.declarations().scripts_of(self.deck.name);
        let id = self.definition.id.as_str();
        let all = self.deck.game.functions().iter();
        all.filter(move |function| function.of == id && scripts.iter().any(|script| script.path == function.file))
    }
}

/// Finds a deck by its name, or the cards with an id, which several kinds may have; without one, the cards with a name.
fn find<'g>(decks: Vec<Deck<'g>>, id: &str) -> Result<Selection<'g>, Fault> {
    if let Some(deck) = decks.iter().find(|deck| deck.name == id) {
        return Ok(Selection::Decks(vec![*deck]));
    }
    let (kind, card_id) = id.split_once('.').map_or((None, id), |(kind, id)| (Some(kind), id));
    let cards = || decks.iter().filter(|deck| kind.is_none_or(|kind| kind == deck.name)).flat_map(Deck::cards);
    let found: Vec<Card<'_>> = cards().filter(|card| card.definition.id == card_id).collect();
    if !found.is_empty() {
        return Ok(Selection::Cards(found));
    }
    let named: Vec<Card<'_>> = cards().filter(|card| card.definition.name.eq_ignore_ascii_case(card_id)).collect();
    if !named.is_empty() {
        return Ok(Selection::Cards(named));
    }
    let names = decks.iter().map(|deck| deck.name);
    if let Some(kind) = kind.filter(|kind| !decks.iter().any(|deck| deck.name == *kind)) {
        let hint = nearest(kind, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(Fault::usage(format!("there is no deck `{kind}`{hint}")));
    }
    let ids = cards().map(|card| card.definition.id.as_str());
    let hint = match nearest(card_id, ids.chain(names)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the decks are {}", decks.iter().map(|deck| deck.name).collect::<Vec<_>>().join(", ")),
    };
    Err(Fault::usage(format!("there is no card or deck `{id}`; {hint}")))
}

/// A value for people: `2 gold, 1 iron`, `a, b`.
fn value_text(value: &Value) -> String {
    match value {
        Value::Boolean(value) => if *value { "yes" } else { "no" }.to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Formula(written) => written.text.clone(),
        Value::List(list) => list.iter().map(value_text).collect::<Vec<_>>().join(", "),
        Value::Map(map) => {
            let pairs = map.iter().map(|(name, value)| match value {
                Value::Integer(number) => format!("{number} {name}"),
                other => format!("{name} {}", value_text(other)),
            });
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}
