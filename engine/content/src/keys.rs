//! Every key that the engine defines: what it takes and what it means.
//!
//! The reader and the schemas cannot drift apart: in debug builds the reader panics if it asks for a key that is not listed here,
//! and a test makes it ask for every key that is.

use super::limits::{COPIES, MAX_LENGTH, MAX_LINES, MAX_PLAYERS, MAX_ROUNDS, MAX_SIDE, MAX_TIMES};
use super::sort::Sort;
use super::words::{
    ANSWERS, COLOURS, COUNTER_VISIBLE, DOMAINS, LOOKS, OUTLINES, PER, REDEAL, SHOW, THINGS, TURNS, TYPES, WHEN,
    ZONE_VISIBLE,
};

/// The keys of one type of table.
#[derive(Debug)]
pub struct TableSpec {
    /// What the table declares: `counter`.
    pub name: &'static str,
    /// Its keys, in the order in which they are usually written.
    pub keys: Vec<KeySpec>,
}

/// One key of a table.
#[derive(Debug)]
pub struct KeySpec {
    /// As written in TOML.
    pub name: &'static str,
    /// What it takes.
    pub of: ValueSpec,
    /// Whether it must be set.
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
    /// The name of something declared, or one of these words.
    Name(Vec<Sort>, Vec<&'static str>),
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
}

/// Most games of an expectation.
pub(crate) const MOST_GAMES: i32 = 1_000_000;

fn table(name: &'static str, keys: Vec<KeySpec>) -> TableSpec {
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

/// A whole number, or the name of the option that sets it.
fn amount(min: i32, max: i32) -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Integer(min, max), name(Sort::Option)])
}

fn integer() -> ValueSpec {
    ValueSpec::Integer(i32::MIN, i32::MAX)
}

/// `per` of what may be a family.
fn per(words: &[&'static str], sorts: Vec<Sort>) -> ValueSpec {
    let holder = || ValueSpec::Name(sorts.clone(), words.to_vec());
    let member = ValueSpec::Name([sorts.clone(), vec![Sort::Kind]].concat(), words.to_vec());
    ValueSpec::Either(vec![holder(), list(member)])
}

/// `like` of something; a family may be meant, which is no name of its sort.
fn like(noun: &'static str) -> KeySpec {
    key("like", ValueSpec::Text, noun)
}

/// `internal` of something.
fn internal(text: &'static str) -> KeySpec {
    key("internal", ValueSpec::Boolean, text)
}

/// `show` of something that a table shows.
fn show() -> KeySpec {
    let text = "When the table of `lode play` shows it: at any time (`always`, default), while somebody has any of it (`used`), when the match is over (`end`), or \
                `never`. Bots and programs get it in any case";
    key("show", words(&SHOW), text)
}

/// `group` of something that a table shows.
fn group() -> KeySpec {
    let text = "Row of the table that it shares with others of this group; default: a row of its own, for the members of a family one row with the label \
                without their names";
    key("group", ValueSpec::Text, text)
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
    table(
        "game",
        vec![
            required("name", ValueSpec::Text, "Name of the game, as printed on the box"),
            required("version", ValueSpec::Text, "Version of the content"),
            key("text", ValueSpec::Text, "One sentence about the game"),
            required("players", ValueSpec::Table(players), "How many players the game is for"),
            key(
                "rounds",
                amount(1, MAX_ROUNDS),
                "Number of rounds, or the option that sets it; without it there is no limit but the engine's own (1,000)",
            ),
            required(
                "seats",
                list(ValueSpec::Table(seat)),
                "Names and colours of the seats, one for each possible player",
            ),
            key("options", ValueSpec::Tables(options), "Options that players may choose"),
            key(
                "counters",
                ValueSpec::Tables(counters),
                "Whole numbers that belong to the game, a player, a token or a cell",
            ),
            key("zones", ValueSpec::Tables(zones), "Ordered piles of tokens; the last token is the top"),
            key("grids", ValueSpec::Tables(grids), "Boards of cells"),
            key(
                "kinds",
                ValueSpec::Tables(kinds),
                "Kinds of definitions (cards, tiles ...), each with a file of its own",
            ),
            required("outcome", ValueSpec::Table(outcome), "How players are scored and ranked"),
        ],
    )
}

/// `players` of the game.
pub fn players() -> TableSpec {
    let number = || ValueSpec::Integer(1, MAX_PLAYERS);
    table(
        "players",
        vec![
            required("min", number(), "Fewest players"),
            required("max", number(), "Most players"),
            key("default", number(), "Number of players when none is given; default: `min`"),
        ],
    )
}

/// A seat.
pub fn seat() -> TableSpec {
    let keys = vec![
        required("name", ValueSpec::Text, "Name of the seat"),
        key("colour", ValueSpec::Words(COLOURS.to_vec()), "Terminal colour of the seat"),
    ];
    table("seat", keys)
}

/// `outcome` of the game.
pub fn outcome() -> TableSpec {
    let ranked = || ValueSpec::Either(vec![name(Sort::Counter), ValueSpec::Table(least)]);
    let keys = vec![
        required(
            "score",
            name(Sort::Counter),
            "Player counter reported as the score; in a cooperative game (`shared`) a game counter",
        ),
        key(
            "rank",
            ValueSpec::Either(vec![ranked(), list(ranked())]),
            "Player counters compared in this order: more is better, or less with `{ least = \"debt\" }`; default: the score",
        ),
        key(
            "teams",
            name(Sort::Counter),
            "Player counter whose value is the same for players who win and lose together; scores and ranks are those of the team, whose counters are added up",
        ),
        key("shared", ValueSpec::Boolean, "Whether all win or lose together (a cooperative game); default `false`"),
        key("won", name(Sort::Counter), "Game counter of a cooperative game: all have won if it is not 0 at the end"),
        key(
            "parts",
            list(name(Sort::Counter)),
            "Counters of which the score is made, shown beside it when the match is over",
        ),
    ];
    table("outcome", keys)
}

/// A counter in `rank` of which less is better.
pub fn least() -> TableSpec {
    table("rank", vec![required("least", name(Sort::Counter), "Player counter of which less is better")])
}

/// An option.
pub fn options() -> TableSpec {
    let default = ValueSpec::Either(vec![integer(), ValueSpec::Boolean, ValueSpec::Text]);
    table(
        "option",
        vec![
            key("text", ValueSpec::Text, "What the option does"),
            required("default", default, "Value when none is given; its type is the type of the option"),
            key("min", integer(), "Smallest value, if the option is a whole number"),
            key("max", integer(), "Largest value, if the option is a whole number"),
            key(
                "values",
                ValueSpec::Map(Box::new(ValueSpec::Text)),
                "Names that the option may be, each with a description",
            ),
            key(
                "players",
                list(ValueSpec::Integer(1, MAX_PLAYERS)),
                "Numbers of players with which the option may differ from its default; default: all",
            ),
        ],
    )
}

/// A counter.
pub fn counters() -> TableSpec {
    table(
        "counter",
        vec![
            key(
                "text",
                ValueSpec::Text,
                "Label shown to players; default: made from the name. In a family, {<kind>} is the name of the definition: \"Raw {minerals}\"",
            ),
            required(
                "per",
                per(&["game", "player"], vec![Sort::Kind, Sort::Grid]),
                "Who has one: the game, every player, every token of a kind, or every cell of a grid. With a kind behind it, `[\"player\", \"minerals\"]`, \
                 it is a family: one counter for each definition of that kind, named `<counter>.<id>`",
            ),
            like("Counter (or family) whose keys this one takes over, except those that it sets itself"),
            key(
                "start",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "Starting value: a number, an option or the name of a value; default 0",
            ),
            key("min", integer(), "Smallest value; default 0"),
            key("max", integer(), "Largest value; default 1,000,000"),
            key(
                "values",
                ValueSpec::Either(vec![
                    list(ValueSpec::Text),
                    ValueSpec::Name(vec![Sort::Kind, Sort::Grid], THINGS.to_vec()),
                ]),
                "Names of the values 0, 1, 2 ...; or a kind, whose values are `none` and then its ids; or `player`, `token` or a grid: the value is \
                 the number of one (0: none) and shown by its name",
            ),
            key("symbols", list(ValueSpec::Text), "Symbol drawn for each value; default: its name"),
            key("colours", list(ValueSpec::Words([&[""], &COLOURS[..]].concat())), "Terminal colour of each value"),
            key(
                "amount",
                ValueSpec::Text,
                "How an amount of it reads in the text of a card: `{n:coin|coins}`, `${n}`; default: the number and the label",
            ),
            key("visible", words(&COUNTER_VISIBLE), "Who sees it; default `public`"),
            key(
                "redeal",
                words(&REDEAL),
                "How a bot's redeal deals what its seat cannot see: any value of the range (`range`, default); the sum of all that the seat cannot see, split at random (`pool`: everybody knows the sum); by the hook `redeal` of the game (`hook`); not at all (`keep`: everybody can conclude the value)",
            ),
            internal(
                "Whether it is bookkeeping that scripts and tests see, but players do not. It must follow from what every player sees: a redeal keeps it; \
                 default `false`",
            ),
            show(),
            group(),
            players_only(),
            options_only(),
        ],
    )
}

/// A zone.
pub fn zones() -> TableSpec {
    table(
        "zone",
        vec![
            key(
                "text",
                ValueSpec::Text,
                "Label shown to players; default: made from the name. In a family, {<kind>} is the name of the definition: \"Column {sites}\"",
            ),
            required(
                "per",
                per(&["game", "player"], Vec::new()),
                "Whether there is one zone, or one for each player. With a kind behind it, `[\"game\", \"sites\"]`, it is a family: one zone for each \
                 definition of that kind, named `<zone>.<id>`",
            ),
            like(
                "Zone (or family) whose keys this one takes over, except those that it sets itself and those that name it",
            ),
            required("holds", one_or_more(Sort::Kind), "Kinds of tokens that it may hold"),
            key(
                "visible",
                words(&ZONE_VISIBLE),
                "Who sees it; `owner`: others see how many tokens; `secret`: others see nothing; `count`: everyone sees how many; `face`: each token by its face; default `public`",
            ),
            key(
                "looks",
                words(&LOOKS),
                "Who learns that a token of the zone is shown to a player (`show`): only that player (`secret`, default), or everybody (`open`)",
            ),
            key("size", ValueSpec::Integer(1, i32::from(u16::MAX)), "Largest number of tokens; default: no limit"),
            key(
                "refill",
                ValueSpec::Name(vec![Sort::Zone, Sort::ZoneFamily], Vec::new()),
                "Zone from which this one is filled up to its size after each hook: a display. Of a family by the same kind, each member is filled from its own",
            ),
            key(
                "reshuffle",
                ValueSpec::Name(vec![Sort::Zone, Sort::ZoneFamily], Vec::new()),
                "Zone that is shuffled into this one when this one is empty: a discard pile. Of a family by the same kind, each member has its own",
            ),
            internal(
                "Whether it is bookkeeping that scripts and tests see, but players do not. What it holds must follow from what every player sees: a redeal \
                 keeps it; default `false`",
            ),
            show(),
            group(),
            players_only(),
            options_only(),
        ],
    )
}

/// A grid.
pub fn grids() -> TableSpec {
    let shown = || ValueSpec::Name(vec![Sort::Counter, Sort::CounterFamily], Vec::new());
    table(
        "grid",
        vec![
            key("text", ValueSpec::Text, "Label shown to players; default: made from the name"),
            key("per", words(&PER), "Whether there is one grid, or one for each player; default `game`"),
            required("shape", words(&OUTLINES), "Squares, a hexagon of hexagons, or rows shifted by half a cell"),
            key("columns", ValueSpec::Integer(1, MAX_LINES), "Columns of a square or offset grid"),
            key("rows", ValueSpec::Integer(1, MAX_LINES), "Rows of a square or offset grid"),
            key("side", ValueSpec::Integer(1, MAX_SIDE), "Cells on each side of a hex grid"),
            key("holes", list(ValueSpec::Text), "Names of cells that do not exist"),
            key(
                "show",
                ValueSpec::Either(vec![shown(), list(shown())]),
                "Counters of cells, or families of them, drawn in the picture of the grid, in this order",
            ),
            key(
                "names",
                name(Sort::Kind),
                "Kind with a definition for each cell, row by row: people read their names and texts instead of coordinates",
            ),
            players_only(),
            options_only(),
        ],
    )
}

/// Values of an attribute in a product.
fn axis() -> ValueSpec {
    let listed = list(ValueSpec::Either(vec![integer(), ValueSpec::Text]));
    ValueSpec::Either(vec![ValueSpec::Text, listed, ValueSpec::Map(Box::new(ValueSpec::Text))])
}

/// A kind.
pub fn kinds() -> TableSpec {
    table(
        "kind",
        vec![
            key("text", ValueSpec::Text, "What the kind is; default: made from the name"),
            like(
                "Kind whose keys this one takes over, except those that it sets itself; attributes and hooks one by one. Counters `per` that kind exist for \
                 this one, too",
            ),
            key("tokens", ValueSpec::Boolean, "Whether its definitions have tokens; default `true`"),
            key("per", words(&PER), "`player`: every player has a set of tokens; default `game`"),
            key("zone", name(Sort::Zone), "Zone in which the tokens start; default: none"),
            key("shuffle", ValueSpec::Boolean, "Whether that zone is shuffled at the start; default `false`"),
            key("attributes", ValueSpec::Tables(attribute), "Values that every definition has"),
            key(
                "hooks",
                ValueSpec::Map(Box::new(list(ValueSpec::Text))),
                "Effects that a definition may have, each with the names of its arguments",
            ),
            key(
                "reads",
                ValueSpec::Text,
                "How hooks and attributes make the text of a definition: `[Pay {price:coin|coins}: ]{play}`; what stands in brackets is left out while its values have their defaults; `\"\"`: they make none; default: the verbs of all hooks in order",
            ),
            key(
                "name",
                ValueSpec::Text,
                "Name of definitions that set none, made from their attributes: \"{rank} of {suit}\"; default: every definition sets its own",
            ),
            key(
                "product",
                ValueSpec::Map(Box::new(axis())),
                "Attributes with lists of values: every combination is a definition with an id such as `clubs_2`. A range \"2..14\" is a list of numbers, a \
                 kind one of its ids; `{ clubs = \"Clubs\" }` says how a value reads in names. A table in the kind's file changes single definitions",
            ),
            key(
                "id",
                ValueSpec::Text,
                "Ids of the definitions that the product makes: \"{suit}_{rank}\"; default: the values one after the other",
            ),
        ],
    )
}

/// An attribute of a kind, or an argument of a verb.
pub fn attribute() -> TableSpec {
    let of = |more: &[&'static str]| ValueSpec::Name(vec![Sort::Kind], [&TYPES[..], more].concat());
    table(
        "attribute",
        vec![
            required("type", of(&["list"]), "Type of the value; a kind means the id of one of its definitions"),
            key("default", ValueSpec::Anything, "Value of definitions that do not set it; without a default they must"),
            key("text", ValueSpec::Text, "What it means"),
            key("min", integer(), "Smallest value of an `integer`"),
            key("max", integer(), "Largest value of an `integer`"),
            key("values", list(ValueSpec::Text), "Names that a `text` may be, or that `amounts` may have"),
            key(
                "of",
                of(&[]),
                "Type of the elements of a `list`; for `amounts`: `counter`, or a kind whose ids are the names",
            ),
            key("length", ValueSpec::Integer(0, MAX_LENGTH), "Number of elements of a `list`"),
            key(
                "internal",
                ValueSpec::Boolean,
                "Whether it is for scripts alone: the table does not print it on the card; default `false`",
            ),
        ],
    )
}

/// What every definition has in addition to the attributes and hooks of its kind.
pub fn definition() -> TableSpec {
    table(
        "definition",
        vec![
            required("name", ValueSpec::Text, "Name as printed"),
            key(
                "text",
                ValueSpec::Text,
                "Rules text as printed, if it says more than the verbs; `{verbs}` and `{<hook>}` stand for what they say; default: what the verbs say",
            ),
            key("copies", ValueSpec::Integer(*COPIES.start(), *COPIES.end()), "Number of tokens; default 1"),
        ],
    )
}

/// A phase.
pub fn phases() -> TableSpec {
    table(
        "phase",
        vec![
            key("name", ValueSpec::Text, "Name shown to players; default: made from the id"),
            key("text", ValueSpec::Text, "What happens in it"),
            key("after", name(Sort::Phase), "For mods: the phase that it follows; default: the order in the file"),
            key("before", name(Sort::Phase), "For mods: the phase that it precedes"),
            key("when", words(&WHEN), "Once before round 1, in every round (default), or once after the last round"),
            key(
                "turns",
                words(&TURNS),
                "Who acts: nobody (`none`, default); every player once; in turn until all have passed; in turn until a script ends the phase; all at the same time and in secret (`sealed`)",
            ),
            key("prompt", name(Sort::Prompt), "Prompt with which the choices of `offer` are asked"),
            key("offer", ValueSpec::Table(offer), "Choices listed without a script"),
            key("stuck", name(Sort::Text), "Line told when a player is offered nothing; {1} is the player"),
            key("first", name(Sort::Counter), "Game counter with the number of the player who begins"),
            key("asks", list(ValueSpec::Table(asks)), "Questions of a sealed phase whose answers go into counters"),
            key("times", ValueSpec::Integer(1, MAX_TIMES), "How many times in a row the phase is played; default 1"),
        ],
    )
}

/// `offer` of a phase.
pub fn offer() -> TableSpec {
    table(
        "offer",
        vec![
            key("cells", name(Sort::Counter), "Cell counter: every cell whose value is `equals` is a choice"),
            key(
                "equals",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "The value, as a number or a name; default 0",
            ),
            key(
                "zone",
                name(Sort::Zone),
                "Zone whose tokens are choices; if players have it, that of the player whose turn it is",
            ),
        ],
    )
}

/// One of `asks` of a phase.
pub fn asks() -> TableSpec {
    table(
        "question",
        vec![
            required("prompt", name(Sort::Prompt), "Prompt that is asked"),
            key("store", name(Sort::Counter), "Player counter that stores the answer"),
            key(
                "choices",
                ValueSpec::Either(vec![words(&ANSWERS), ValueSpec::Table(numbers)]),
                "Possible answers: the prompt's labels (default), the players still in the game, the other players, or numbers",
            ),
            key("buy", name(Sort::Kind), "Kind whose definitions may be bought"),
            key("pay", name(Sort::Attribute), "Attribute with the price"),
            key("gain", name(Sort::Attribute), "Attribute with the gain"),
            key(
                "again",
                ValueSpec::Boolean,
                "Whether the question is asked again after each purchase; default `false`",
            ),
        ],
    )
}

/// Numbers as `choices` of a question.
pub fn numbers() -> TableSpec {
    table(
        "numbers",
        vec![
            key("from", ValueSpec::Integer(0, i32::MAX), "Smallest number; default 0"),
            required("upto", name(Sort::Counter), "Player counter whose value is the largest number"),
        ],
    )
}

/// A prompt.
pub fn prompts() -> TableSpec {
    let choices = ValueSpec::Name(vec![Sort::Kind, Sort::Grid], DOMAINS.to_vec());
    table(
        "prompt",
        vec![
            required(
                "text",
                ValueSpec::Text,
                "The question; {player} is the player asked, {1} to {3} are values that scripts pass (`offer` returns them), {1:coin|coins} counts one of them",
            ),
            key(
                "choices",
                choices,
                "What the whole numbers among the choices are: numbers (default), players, tokens, definitions of a kind, or cells of a grid",
            ),
            key(
                "labels",
                ValueSpec::Map(Box::new(ValueSpec::Text)),
                "Named choices, each with its text; {1} to {3} are values of a choice such as `choice({ \"sum\", 7, 9 })`",
            ),
            key(
                "reads",
                ValueSpec::Text,
                "How choices are worded that are numbers: \"Raid {choice}\"; default: the name of what the number stands for",
            ),
            key("distinct", ValueSpec::Boolean, "Whether equal copies of a token are offered once; default `false`"),
            key(
                "auto",
                ValueSpec::Boolean,
                "Whether a single choice is taken without asking, and told; default `true`",
            ),
            key(
                "secret",
                ValueSpec::Boolean,
                "Whether the transcript shows the answer to this player alone; default `false`",
            ),
        ],
    )
}

/// A verb.
pub fn verbs() -> TableSpec {
    let keys = vec![
        required(
            "text",
            ValueSpec::Text,
            "What it does, as a sentence; {argument} is the value of an argument, {argument:coin|coins} counts it; what stands in brackets is left out while its arguments have their defaults",
        ),
        key("args", ValueSpec::Tables(attribute), "Its arguments"),
        key(
            "cost",
            ValueSpec::Boolean,
            "Whether it must be payable in full for the verbs beside it to be used; default `false`: an effect, which does as much as it can",
        ),
    ];
    table("verb", keys)
}

/// `mod.toml`.
pub fn manifest() -> TableSpec {
    let versions = || ValueSpec::Either(vec![list(ValueSpec::Text), ValueSpec::Map(Box::new(ValueSpec::Text))]);
    table(
        "mod",
        vec![
            required("id", ValueSpec::Text, "Id of the mod, in snake_case"),
            required("game", ValueSpec::Text, "Id of the game that it changes or brings"),
            required("version", ValueSpec::Text, "Version of the mod, as three numbers: \"1.0.0\""),
            key("name", ValueSpec::Text, "Name shown to players"),
            key("text", ValueSpec::Text, "One sentence about the mod"),
            key(
                "requires",
                versions(),
                "Mods (or the game) that it needs, with version ranges: { harvest = \">=1.2, <2\" }",
            ),
            key("conflicts", versions(), "Mods that it does not work with, with version ranges"),
            key("load_after", one_or_more_texts(), "Mods that are loaded before it if they are active"),
            key("remove", one_or_more_texts(), "Definitions and fields that it removes: \"tiles.lake\""),
        ],
    )
}

/// Keys of `balance.toml`.
#[must_use]
pub fn balance() -> TableSpec {
    let mut keys = setting();
    keys.push(key("plans", ValueSpec::Tables(plan), "Plans by name: `plan:NAME` is a bot that plays by one"));
    keys.push(key("expect", list(ValueSpec::Table(expect)), "What is expected of the game: [[expect]]"));
    table("balance file", keys)
}

/// Who plays what, and how often.
fn setting() -> Vec<KeySpec> {
    let bots = "Bots that take turns in the seats, as `lode arena` takes them: \"rollout:4\", [\"plan:sellers\", \"search:100\"]";
    vec![
        key("bots", one_or_more_texts(), bots),
        key("players", ValueSpec::Integer(1, MAX_PLAYERS), "Number of players; default: the game's own"),
        key("options", ValueSpec::Map(Box::new(ValueSpec::Anything)), "Options of the game: { board = \"hex\" }"),
        key("games", ValueSpec::Integer(16, MOST_GAMES), "Games after which it is left undecided; default 400"),
    ]
}

/// Keys of a plan in `balance.toml`.
pub(crate) fn plan() -> TableSpec {
    table(
        "plan",
        vec![
            key("text", ValueSpec::Text, "What it is, in a sentence"),
            key(
                "prefer",
                one_or_more_texts(),
                "What it takes, first things first: [\"shipment\", \"action=mine\", \"tools.*\"]",
            ),
            key("always", one_or_more_texts(), "What excludes everything else where it is offered"),
            key("never", one_or_more_texts(), "What it leaves alone, unless there is nothing else"),
            key("base", ValueSpec::Text, "Bot that decides where the plan does not; default: random"),
        ],
    )
}

/// Keys of an expectation in `balance.toml`.
pub(crate) fn expect() -> TableSpec {
    let mut keys = vec![
        key("text", ValueSpec::Text, "Why it is expected, in a sentence"),
        key(
            "share",
            ValueSpec::Text,
            "Part of the first places, in percent, of each of these: `seats`, `seats.1`, what players are (`factions`, `factions.romans`), or one of `bots`",
        ),
        key("score", ValueSpec::Text, "Mean score: of `all`, or of each of those that `share` takes"),
        key("taken", ValueSpec::Text, "How often, in percent, one of these choices is taken where one is offered"),
        key("each_taken", ValueSpec::Text, "The same for each of these choices by itself: `tools`, `action=*`"),
        key("length", ValueSpec::Words(vec!["rounds", "decisions"]), "Mean length of a game"),
        key("between", list(integer()), "Least and most: [25, 42]"),
        key("at_least", integer(), "Least"),
        key("at_most", integer(), "Most"),
    ];
    keys.extend(setting());
    table("expectation", keys)
}

/// All tables, for tests.
#[cfg(test)]
pub(crate) fn all() -> Vec<TableSpec> {
    [
        game, players, seat, outcome, least, options, counters, zones, grids, kinds, attribute, phases, offer, asks,
        numbers, prompts, verbs, manifest,
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

    /// Content that makes the reader ask for every key there is.
    const GAME: &str = r#"
name = "G"
version = "1"
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
            .flat_map(|table| table.keys.iter().map(|key| (table.name, key.name.to_owned())))
            .collect();
        let never: Vec<_> = listed.difference(&asked).collect();
        assert!(never.is_empty(), "the reader never asks for {never:?}");
        assert_eq!(listed, asked);
    }
}
