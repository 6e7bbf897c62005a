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
            required("game", ValueSpec::Text, "Id of the game that it changes or contains"),
            required("version", ValueSpec::Text, "Version of the mod, as three numbers: \"1.0.0\""),
            key("name", ValueSpec::Text, "Name shown to players"),
            key("text", ValueSpec::Text, "One sentence about the mod"),
            key(
                "requires",
                versions(),
                "Required mods (or the game), with version ranges: { harvest = \">=1.2, <2\" }",
            ),
            key("conflicts", versions(), "Incompatible mods, with version ranges"),
            key("load_after", one_or_more_texts(), "Mods to load before it, if they are active"),
            key("remove", one_or_more_texts(), "Definitions and fields that it removes: \"tiles.lake\""),
        ],
    )
}

/// Keys of `balance.toml`.
#[must_use]
pub fn balance() -> TableSpec {
    let mut keys = setting();
    let best = "The strongest bot of the game, which `lode arena --best` finds: \"learned\"; \
                default: `learned` if the game has a learned value, else `search:200`";
    keys.push(key("best", ValueSpec::Text, best));
    keys.push(key("plans", ValueSpec::Tables(plan), "Plans by name: `plan:NAME` is a bot that plays by one"));
    keys.push(key("expect", list(ValueSpec::Table(expect)), "Expectations of the game's balance: [[expect]]"));
    table("balance file", keys)
}

/// The setting: bots, players, options, and the number of games.
fn setting() -> Vec<KeySpec> {
    let bots = "Bots that rotate through the seats, as in `lode arena`: \"rollout:4\", [\"plan:sellers\", \"search:100\"]; \
         default: the best bot";
    vec![
        key("bots", one_or_more_texts(), bots),
        key("players", ValueSpec::Integer(1, MAX_PLAYERS), "Number of players; default: the game's own"),
        key("options", ValueSpec::Map(Box::new(ValueSpec::Anything)), "Options of the game: { board = \"hex\" }"),
        key(
            "games",
            ValueSpec::Integer(16, MOST_GAMES),
            "Maximum games; the expectation is undecided after them; default 400",
        ),
    ]
}

/// Keys of a plan in `balance.toml`.
pub fn plan() -> TableSpec {
    table(
        "plan",
        vec![
            key("text", ValueSpec::Text, "One sentence about the plan"),
            key(
                "prefer",
                one_or_more_texts(),
                "Preferred choices, the most preferred first: [\"shipment\", \"action=mine\", \"tools.*\"]",
            ),
            key("always", one_or_more_texts(), "Choices that exclude all others when offered"),
            key("never", one_or_more_texts(), "Choices that it avoids, unless there are no others"),
            key("base", ValueSpec::Text, "Bot for all other decisions; default: random"),
        ],
    )
}

/// Keys of an expectation in `balance.toml`.
pub fn expect() -> TableSpec {
    let mut keys = vec![
        key("text", ValueSpec::Text, "The reason, in one sentence"),
        key(
            "share",
            ValueSpec::Text,
            "If the goal is `rank`: share of first places, in percent, of each of these: `seats`, `seats.1`, the definitions that players are (`factions`, `factions.romans`), or one of `bots`",
        ),
        key("score", ValueSpec::Text, "Mean score, in points, of `all`, or of each item as in `share`"),
        key("margin", ValueSpec::Text, "If the goal is `margin`: mean margin, in points, of each item as in `share`"),
        key("taken", ValueSpec::Text, "How often one of these choices is taken when one is offered, in percent"),
        key("each_taken", ValueSpec::Text, "As `taken`, for each of these choices separately: `tools`, `action=*`"),
        key("length", ValueSpec::Words(vec!["rounds", "decisions"]), "Mean length of a game"),
        key("between", list(integer()), "Lower and upper bound: [25, 42]"),
        key("at_least", integer(), "Least"),
        key("at_most", integer(), "Most"),
    ];
    keys.extend(setting());
    table("expectation", keys)
}
