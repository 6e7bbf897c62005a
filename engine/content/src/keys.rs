//! The specification of every key that the engine defines: its values and its meaning.
//!
//! The reader and the schemas cannot drift apart: in debug builds the reader panics if it requests a key that is not
//! specified here, and a test makes it request every specified key.
//!
//! Direction: spec <- beside, look, events <- pieces <- course, game

mod beside;
mod course;
mod events;
mod game;
mod look;
mod pieces;
mod spec;

pub(crate) use beside::MOST_GAMES;
pub use beside::{balance, expect, manifest, plan};
pub use course::{asks, numbers, offer, phases, pick, prompts, verbs};
pub use events::{aim, event, events, filter, listener, modifier, named_listener, named_modifier};
pub use game::{game, least, options, outcome, players, seat};
pub use look::{areas, choice_look, counter_look, grid_look, icon, kind_look, look, zone_look};
pub use pieces::{attribute, counters, definition, grids, kinds, zones};
pub use spec::{KeySpec, TableSpec, ValueSpec};

/// All tables, for tests.
#[cfg(test)]
pub(crate) fn all() -> Vec<TableSpec> {
    [
        game,
        players,
        seat,
        outcome,
        least,
        options,
        counters,
        zones,
        grids,
        kinds,
        attribute,
        phases,
        offer,
        asks,
        numbers,
        prompts,
        verbs,
        manifest,
        events,
        event,
        listener,
        named_listener,
        modifier,
        named_modifier,
        look,
        icon,
        kind_look,
        grid_look,
        zone_look,
        counter_look,
        choice_look,
        areas,
    ]
    .map(|table| table())
    .into()
}

#[cfg(test)]
mod tests {
    use crate::document::ASKED;
    use crate::document::Faults;
    use crate::keys;
    use crate::mods::Manifest;
    use crate::{Pack, SourceFile, read};

    /// Content that makes the reader request every key.
    const GAME: &str = r#"
name = "G"
version = "1.0.0"
players = { min = 1, max = 1 }
rounds = 3
seats = [{ name = "A", colour = "red" }]
outcome = { score = "gold", rank = { least = "gold" }, teams = "gold", shared = false }
[options]
number = { default = 1, min = 0, max = 2, players = [1], text = "" }
word = { default = "a", values = { a = "" } }
[counters]
gold = { per = "player" }
colour = { per = "board", values = ["a", "b"] }
[zones]
deck = { per = "game", holds = "cards" }
[grids]
board = { shape = "square", columns = 2, rows = 2 }
hive = { shape = "hex", side = 2 }
[kinds.cards]
[kinds.cards.attributes]
cost = { type = "integer", default = 1 }
list = { type = "list", of = "text", values = ["a"], length = 1, default = ["a"] }
price = { type = "amounts", of = "counter", default = {} }
[kinds.cards.hooks]
play = ["player"]
"#;
    const PHASES: &str = r#"
[one]
turns = "sealed"
asks = [{ prompt = "buy", buy = "cards", pay = "price", gain = "price" }, { prompt = "buy", store = "gold", choices = { upto = "gold" } }]
[two]
after = "one"
before = "one"
offer = { cells = "colour", equals = 1 }
"#;

    const REACTIONS: &str = r#"
[events.storm]
args = { player = "player" }
[filters.dear]
cost = 2
[listeners.calm]
on = "storm"
do = []
[modifiers.cheap]
of = "dear"
add = { cost = -1 }
"#;

    #[test]
    fn the_reader_asks_for_every_key_of_the_schema_and_for_no_other() {
        let file = |stem: &str, text: &str| (format!("content/g/{stem}.toml"), text.to_owned());
        let files = [
            file("game", GAME),
            file("phases", PHASES),
            file(
                "look",
                "[icons.gold]\npath = 'M0 0'\nof = 'gold'\n[kinds.cards]\npicture = 'seam'\n[kinds.cards.draws]\n[grids.board]\nground = 'sea'\n\
                 [zones.hand]\nshow = 'fan'\n[counters.gold]\nshow = 'tokens'\n[choices.buy]\nlist = true\n[table]\nwide = 'own'\n",
            ),
            file("prompts", "[buy]\ntext = '?'\nchoices = 'cards'\nlabels = { done = '' }\n"),
            file("verbs", "[dig]\ntext = ''\nargs = { n = { type = 'integer' } }\n"),
            file("cards", "[a]\nname = 'A'\nmodifies = { add = { cost = 1 } }\n[a.on.storm]\ndo = []\n"),
            file("reactions", REACTIONS),
        ];
        ASKED.with_borrow_mut(std::collections::BTreeSet::clear);
        // Finishing a table asserts that no other key is requested.
        drop(read(&Pack::from_files("g", files)));
        let (path, text) = ("m/mod.toml".to_owned(), "id = 'm'\ngame = 'g'\nversion = '1.0.0'\n".to_owned());
        drop(Manifest::read(&SourceFile { path, text }, &Faults::default()));
        let asked = ASKED.with_borrow(Clone::clone);
        let listed: std::collections::BTreeSet<(&str, String)> = keys::all()
            .iter()
            .flat_map(|table| table.keys.iter().map(|key| (table.name, key.name.to_owned())))
            .collect();
        let never: Vec<_> = listed.difference(&asked).collect();
        assert!(never.is_empty(), "the reader never asks for {never:?}");
        assert_eq!(listed, asked);
    }
}
