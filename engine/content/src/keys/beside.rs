//! Keys of other files: `mod.toml`, `balance.toml`.

use crate::keys::spec::{KeySpec, TableSpec, ValueSpec, integer, key, list, one_or_more_texts, required, table};
use crate::limits::MAX_PLAYERS;

/// Maximum games of an expectation.
pub const MOST_GAMES: i32 = 1_000_000;

/// Keys of `mod.toml`.
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

/// The setting: bots, players, options, and the number of games.
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
pub fn plan() -> TableSpec {
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
pub fn expect() -> TableSpec {
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
