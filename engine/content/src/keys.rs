//! Every key of every table whose keys the engine gives: what it takes and what it means.
//!
//! The reader and the schemas cannot part: the reader refuses, in debug builds, to ask for a key that is not listed here, and a
//! test reads content that makes it ask for every key that is.

use super::limits::{COPIES, MAX_LENGTH, MAX_LINES, MAX_PLAYERS, MAX_ROUNDS, MAX_SIDE, MAX_TIMES};
use super::sort::Sort;
use super::words::{
    ANSWERS, COLOURS, COUNTER_VISIBLE, DOMAINS, OUTLINES, PER, REDEAL, TURNS, TYPES, WHEN, ZONE_VISIBLE,
};

/// The keys of one sort of table.
#[derive(Debug)]
pub struct TableSpec {
    /// What the table is: `counter`.
    pub name: &'static str,
    /// Its keys, in the order in which they are best written.
    pub keys: Vec<KeySpec>,
}

/// One key.
#[derive(Debug)]
pub struct KeySpec {
    /// As it is written.
    pub name: &'static str,
    /// What it takes.
    pub of: ValueSpec,
    /// Whether it must be there.
    pub required: bool,
    /// What it means.
    pub text: &'static str,
}

/// What a key takes.
#[derive(Debug)]
pub enum ValueSpec {
    /// Any text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A whole number in a range, both ends included.
    Integer(i32, i32),
    /// One of these words.
    Words(Vec<&'static str>),
    /// The name of something declared, or of a word beside.
    Name(Vec<Sort>, Vec<&'static str>),
    /// Any value.
    Anything,
    /// One of several.
    Either(Vec<ValueSpec>),
    /// A list.
    List(Box<ValueSpec>),
    /// A table with these keys.
    Table(fn() -> TableSpec),
    /// Any number of tables with these keys, by name.
    Tables(fn() -> TableSpec),
    /// Any number of values by name.
    Map(Box<ValueSpec>),
}

fn shape(name: &'static str, keys: Vec<KeySpec>) -> TableSpec {
    TableSpec { name, keys }
}

fn key(name: &'static str, of: ValueSpec, text: &'static str) -> KeySpec {
    KeySpec { name, of, required: false, text }
}

fn required(name: &'static str, of: ValueSpec, text: &'static str) -> KeySpec {
    KeySpec { name, of, required: true, text }
}

fn words<T>(words: &[(&'static str, T)]) -> ValueSpec {
    ValueSpec::Words(words.iter().map(|(word, _)| *word).collect())
}

fn name(sort: Sort) -> ValueSpec {
    ValueSpec::Name(vec![sort], Vec::new())
}

fn list(of: ValueSpec) -> ValueSpec {
    ValueSpec::List(Box::new(of))
}

/// A list, or a single value that stands for a list of one.
fn one_or_more(sort: Sort) -> ValueSpec {
    ValueSpec::Either(vec![name(sort), list(name(sort))])
}

fn one_or_more_texts() -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Text, list(ValueSpec::Text)])
}

/// A whole number, or the option whose value it is.
fn amount(min: i32, max: i32) -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Integer(min, max), name(Sort::Option)])
}

fn integer() -> ValueSpec {
    ValueSpec::Integer(i32::MIN, i32::MAX)
}

/// `players` of something that exists in some setups only.
fn players_only() -> KeySpec {
    let text = "Numbers of players with which it exists; default: all";
    key("players", list(ValueSpec::Integer(1, MAX_PLAYERS)), text)
}

/// `only` of something that exists in some setups only.
fn options_only() -> KeySpec {
    let value = || ValueSpec::Either(vec![integer(), ValueSpec::Boolean, ValueSpec::Text]);
    let text = "Options with which it exists, each with a value or a list of values: { expert = true }; default: all";
    key("only", ValueSpec::Map(Box::new(ValueSpec::Either(vec![value(), list(value())]))), text)
}

/// `game.toml`.
pub fn game() -> TableSpec {
    shape(
        "game",
        vec![
            required("name", ValueSpec::Text, "Name as printed on the box"),
            required("version", ValueSpec::Text, "Version of the content"),
            key("text", ValueSpec::Text, "One sentence about the game"),
            required("players", ValueSpec::Table(players), "Numbers of players the game takes"),
            key(
                "rounds",
                amount(1, MAX_ROUNDS),
                "Last round: a number, or the option that names it; left out: no limit",
            ),
            required(
                "seats",
                list(ValueSpec::Table(seat)),
                "Names and colours of the seats, one for each possible player",
            ),
            key("options", ValueSpec::Tables(options), "Variant switches"),
            key("counters", ValueSpec::Tables(counters), "Whole numbers of the state"),
            key("zones", ValueSpec::Tables(zones), "Ordered piles of tokens; the last one is the top"),
            key("grids", ValueSpec::Tables(grids), "Boards of cells"),
            key("kinds", ValueSpec::Tables(kinds), "Kinds of definitions: one file each"),
            required("outcome", ValueSpec::Table(outcome), "How scores and ranks come about"),
        ],
    )
}

/// `players` of the game.
pub fn players() -> TableSpec {
    let number = || ValueSpec::Integer(1, MAX_PLAYERS);
    shape(
        "players",
        vec![
            required("min", number(), "Fewest players"),
            required("max", number(), "Most players"),
            key("default", number(), "Number used when none is given; default: the fewest"),
        ],
    )
}

/// A seat.
pub fn seat() -> TableSpec {
    let keys = vec![
        required("name", ValueSpec::Text, "Name of the seat"),
        key("colour", ValueSpec::Words(COLOURS.to_vec()), "Terminal colour of the seat"),
    ];
    shape("seat", keys)
}

/// `outcome` of the game.
pub fn outcome() -> TableSpec {
    let keys = vec![
        required("score", name(Sort::Counter), "Player counter reported as the score"),
        key(
            "rank",
            one_or_more(Sort::Counter),
            "Player counters compared in this order, most first; default: the score",
        ),
    ];
    shape("outcome", keys)
}

/// An option.
pub fn options() -> TableSpec {
    let default = ValueSpec::Either(vec![integer(), ValueSpec::Boolean, ValueSpec::Text]);
    shape(
        "option",
        vec![
            key("text", ValueSpec::Text, "What the option does"),
            required("default", default, "Value used when none is given; its type is the option's type"),
            key("min", integer(), "Least value of a whole number"),
            key("max", integer(), "Largest value of a whole number"),
            key("values", ValueSpec::Map(Box::new(ValueSpec::Text)), "Names the option may take, each with its text"),
            key(
                "players",
                list(ValueSpec::Integer(1, MAX_PLAYERS)),
                "Numbers of players for which a value other than the default is allowed; default: all",
            ),
        ],
    )
}

/// A counter.
pub fn counters() -> TableSpec {
    let per = ValueSpec::Name(vec![Sort::Kind, Sort::Grid], vec!["game", "player"]);
    shape(
        "counter",
        vec![
            key("text", ValueSpec::Text, "Label; default: the name"),
            required("per", per, "What has one: the game, every player, every token of a kind, every cell of a grid"),
            key(
                "start",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "Value at the start: a number, an option or the name of a value; default 0",
            ),
            key("min", integer(), "Least value; default 0"),
            key("max", integer(), "Largest value; default 1,000,000"),
            key(
                "values",
                ValueSpec::Either(vec![list(ValueSpec::Text), name(Sort::Kind)]),
                "Names of the values 0, 1, 2 ... of an enumerated counter; or a kind: `none` and then its ids",
            ),
            key("symbols", list(ValueSpec::Text), "What is drawn for each value; default: the names"),
            key("colours", list(ValueSpec::Words([&[""], &COLOURS[..]].concat())), "Terminal colour of each value"),
            key("visible", words(&COUNTER_VISIBLE), "Who sees it; default public"),
            key(
                "redeal",
                words(&REDEAL),
                "What a search that must not cheat does with what it cannot see: split the sum anew, or keep it",
            ),
            players_only(),
            options_only(),
        ],
    )
}

/// A zone.
pub fn zones() -> TableSpec {
    shape(
        "zone",
        vec![
            key("text", ValueSpec::Text, "Label; default: the name"),
            required("per", words(&PER), "Whether there is one, or one for each player"),
            required("holds", one_or_more(Sort::Kind), "Kinds of tokens it may hold"),
            key(
                "visible",
                words(&ZONE_VISIBLE),
                "Who sees it; owner: others see how many; secret: others see nothing; face: by each token's face; default public",
            ),
            key("size", ValueSpec::Integer(1, i32::from(u16::MAX)), "Most tokens; default: all there are"),
            key("refill", name(Sort::Zone), "A display: filled up to its size from this zone after each hook"),
            key("reshuffle", name(Sort::Zone), "When empty, that zone is shuffled into this one"),
            players_only(),
            options_only(),
        ],
    )
}

/// A grid.
pub fn grids() -> TableSpec {
    shape(
        "grid",
        vec![
            key("text", ValueSpec::Text, "Label; default: the name"),
            key("per", words(&PER), "Whether there is one, or one for each player; default game"),
            required("shape", words(&OUTLINES), "Squares, hexagons, or rows shifted by half a cell"),
            key("columns", ValueSpec::Integer(1, MAX_LINES), "Columns of a square or offset grid"),
            key("rows", ValueSpec::Integer(1, MAX_LINES), "Rows of a square or offset grid"),
            key("side", ValueSpec::Integer(1, MAX_SIDE), "Cells on a side of a hexagon"),
            key("holes", list(ValueSpec::Text), "Cells that do not exist, by name"),
            key("show", one_or_more(Sort::Counter), "Cell counters drawn in a picture, in this order"),
            players_only(),
            options_only(),
        ],
    )
}

/// A kind.
pub fn kinds() -> TableSpec {
    shape(
        "kind",
        vec![
            key("text", ValueSpec::Text, "What the kind is; default: the name"),
            key("tokens", ValueSpec::Boolean, "Whether there are tokens of it, or definitions only; default true"),
            key("per", words(&PER), "player: every player has an own set of tokens; default game"),
            key("zone", name(Sort::Zone), "Where the tokens start; default: nowhere"),
            key("shuffle", ValueSpec::Boolean, "Whether that zone is shuffled at the start; default false"),
            key("attributes", ValueSpec::Tables(attribute), "What every definition says of itself"),
            key(
                "hooks",
                ValueSpec::Map(Box::new(list(ValueSpec::Text))),
                "Effects a definition may have, each with the names of its arguments",
            ),
        ],
    )
}

/// An attribute of a kind, or an argument of a verb.
pub fn attribute() -> TableSpec {
    let of = |more: &[&'static str]| ValueSpec::Name(vec![Sort::Kind], [&TYPES[..], more].concat());
    shape(
        "attribute",
        vec![
            required("type", of(&["list"]), "Type of the value; a kind: the id of one of its definitions"),
            key("default", ValueSpec::Anything, "Value of definitions that leave it out; none: they must not"),
            key("text", ValueSpec::Text, "What it means"),
            key("min", integer(), "Least whole number"),
            key("max", integer(), "Largest whole number"),
            key("values", list(ValueSpec::Text), "The names a text may be, or amounts may have"),
            key("of", of(&[]), "Type of the elements of a list; of amounts: `counter`"),
            key("length", ValueSpec::Integer(0, MAX_LENGTH), "Number of elements of a list"),
        ],
    )
}

/// What every definition has, beside the attributes and hooks of its kind.
pub fn definition() -> TableSpec {
    shape(
        "definition",
        vec![
            required("name", ValueSpec::Text, "Name as printed"),
            key("text", ValueSpec::Text, "Rules text as printed"),
            key("copies", ValueSpec::Integer(*COPIES.start(), *COPIES.end()), "Tokens of it; default 1"),
        ],
    )
}

/// A phase.
pub fn phases() -> TableSpec {
    shape(
        "phase",
        vec![
            key("name", ValueSpec::Text, "Name; default: the id"),
            key("text", ValueSpec::Text, "What happens in it"),
            key("after", name(Sort::Phase), "For mods: the phase behind which it comes; default: as written"),
            key("before", name(Sort::Phase), "For mods: the phase before which it comes"),
            key("when", words(&WHEN), "Once before round 1, in every round (default), or once after the last"),
            key(
                "turns",
                words(&TURNS),
                "Who acts: nobody, every player once, around until all have passed, around until a script ends it, all at once in secret",
            ),
            key("prompt", name(Sort::Prompt), "Question of `offer` and `act`"),
            key("offer", ValueSpec::Table(offer), "Choices that need no script"),
            key("first", name(Sort::Counter), "Game counter that names the player who begins"),
            key(
                "asks",
                list(ValueSpec::Table(asks)),
                "Questions of a sealed phase whose answers are stored in counters",
            ),
            key("times", ValueSpec::Integer(1, MAX_TIMES), "How many times in a row it is played; default 1"),
        ],
    )
}

/// `offer` of a phase.
pub fn offer() -> TableSpec {
    shape(
        "offer",
        vec![
            key("cells", name(Sort::Counter), "Every cell whose counter is equal to `equals`"),
            key(
                "equals",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "Number or name of the value; default 0",
            ),
            key("zone", name(Sort::Zone), "Every token of the zone, of the player on turn"),
        ],
    )
}

/// One of `asks` of a phase.
pub fn asks() -> TableSpec {
    shape(
        "question",
        vec![
            required("prompt", name(Sort::Prompt), "What is asked"),
            key("store", name(Sort::Counter), "Player counter that keeps the answer"),
            key(
                "choices",
                ValueSpec::Either(vec![words(&ANSWERS), ValueSpec::Table(numbers)]),
                "What may be answered: labels of the prompt (default), players still in the game, the others, or numbers",
            ),
            key("buy", name(Sort::Kind), "Kind whose definitions may be bought"),
            key("pay", name(Sort::Attribute), "Attribute that says what is paid"),
            key("gain", name(Sort::Attribute), "Attribute that says what is gained"),
            key("again", ValueSpec::Boolean, "Whether it is asked after every purchase; default false"),
        ],
    )
}

/// Numbers as `choices` of a question.
pub fn numbers() -> TableSpec {
    shape(
        "numbers",
        vec![
            key("from", ValueSpec::Integer(0, i32::MAX), "The least; default 0"),
            required("upto", name(Sort::Counter), "Counter of the player whose value is the greatest"),
        ],
    )
}

/// A prompt.
pub fn prompts() -> TableSpec {
    let choices = ValueSpec::Name(vec![Sort::Kind, Sort::Grid], DOMAINS.to_vec());
    shape(
        "prompt",
        vec![
            required(
                "text",
                ValueSpec::Text,
                "The question; {player} is who is asked, {1} to {3} are values that scripts give, {1:coin|coins} counts",
            ),
            key(
                "choices",
                choices,
                "What integer choices are: numbers, players, tokens, cells of a grid, definitions of a kind",
            ),
            key("labels", ValueSpec::Map(Box::new(ValueSpec::Text)), "Named choices and how they read"),
            key("auto", ValueSpec::Boolean, "Whether a single choice is taken without asking; default false"),
            key(
                "secret",
                ValueSpec::Boolean,
                "Whether the transcript tells the answer to this player alone; default false",
            ),
        ],
    )
}

/// A verb.
pub fn verbs() -> TableSpec {
    let keys = vec![
        required("text", ValueSpec::Text, "What it does; {argument} is an argument, {argument:coin|coins} counts"),
        key("args", ValueSpec::Tables(attribute), "Its arguments"),
    ];
    shape("verb", keys)
}

/// `mod.toml`.
pub fn manifest() -> TableSpec {
    let versions = || ValueSpec::Either(vec![list(ValueSpec::Text), ValueSpec::Map(Box::new(ValueSpec::Text))]);
    shape(
        "mod",
        vec![
            required("id", ValueSpec::Text, "Its id, in snake_case"),
            required("game", ValueSpec::Text, "Id of the game it is for, or that it brings"),
            required("version", ValueSpec::Text, "Its version: three numbers, \"1.0.0\""),
            key("name", ValueSpec::Text, "Name as players read it"),
            key("text", ValueSpec::Text, "One sentence about it"),
            key(
                "requires",
                versions(),
                "Mods and games it needs, with ranges of versions: { harvest = \">=1.2, <2\" }",
            ),
            key("conflicts", versions(), "Mods it cannot stand beside, with ranges of versions"),
            key("load_after", one_or_more_texts(), "Mods that are loaded before it, if they are there"),
            key("remove", one_or_more_texts(), "Definitions and fields that it takes away: \"tiles.lake\""),
        ],
    )
}

/// All shapes, for tests.
#[cfg(test)]
pub(crate) fn all() -> Vec<TableSpec> {
    [
        game, players, seat, outcome, options, counters, zones, grids, kinds, attribute, phases, offer, asks, numbers,
        prompts, verbs, manifest,
    ]
    .map(|shape| shape())
    .into()
}

#[cfg(test)]
mod tests {
    use crate::document::ASKED;
    use crate::document::Faults;
    use crate::keys;
    use crate::mods::Manifest;
    use crate::{Pack, SourceFile, read};

    /// Content that makes the reader ask for every key there is.
    const GAME: &str = r#"
name = "G"
version = "1"
players = { min = 1, max = 1 }
rounds = 3
seats = [{ name = "A", colour = "red" }]
outcome = { score = "gold", rank = "gold" }
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

    #[test]
    fn the_reader_asks_for_every_key_of_the_schema_and_for_no_other() {
        let file = |stem: &str, text: &str| (format!("content/g/{stem}.toml"), text.to_owned());
        let files = [
            file("game", GAME),
            file("phases", PHASES),
            file("prompts", "[buy]\ntext = '?'\nchoices = 'cards'\nlabels = { done = '' }\n"),
            file("verbs", "[dig]\ntext = ''\nargs = { n = { type = 'integer' } }\n"),
            file("cards", "[a]\nname = 'A'\n"),
        ];
        ASKED.with_borrow_mut(std::collections::BTreeSet::clear);
        // That no other key is asked for is asserted wherever a table is finished.
        drop(read(&Pack::from_files("g", files)));
        let (path, text) = ("m/mod.toml".to_owned(), "id = 'm'\ngame = 'g'\nversion = '1.0.0'\n".to_owned());
        drop(Manifest::read(&SourceFile { path, text }, &Faults::default()));
        let asked = ASKED.with_borrow(Clone::clone);
        let listed: std::collections::BTreeSet<(&str, String)> = keys::all()
            .iter()
            .flat_map(|shape| shape.keys.iter().map(|key| (shape.name, key.name.to_owned())))
            .collect();
        let never: Vec<_> = listed.difference(&asked).collect();
        assert!(never.is_empty(), "the reader never asks for {never:?}");
        assert_eq!(listed, asked);
    }
}
