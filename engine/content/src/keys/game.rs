//! Keys of `game.toml` for the game as a whole.

use crate::keys::pieces::{counters, grids, kinds, zones};
use crate::keys::spec::{TableSpec, ValueSpec, amount, integer, key, list, name, required, table, words};
use crate::limits::{MAX_PLAYERS, MAX_ROUNDS};
use crate::sort::NameKind;
use crate::words::{COLOURS, GOALS};

/// Keys of `game.toml`.
pub fn game() -> TableSpec {
    table(
        "game",
        vec![
            required("name", ValueSpec::Text, "Name of the game, as printed on the box"),
            required("version", ValueSpec::Text, "Version of the content: three numbers, such as `1.0.0`"),
            key("text", ValueSpec::Text, "One sentence about the game"),
            required("players", ValueSpec::Table(players), "Supported numbers of players"),
            key(
                "rounds",
                amount(1, MAX_ROUNDS),
                "Number of rounds, or the option that sets it, or one of these for each switch: `{ short = 3, else = 5 }`; default: the engine's limit (1,000)",
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

/// Keys of `players` of the game.
pub fn players() -> TableSpec {
    let number = || ValueSpec::Integer(1, MAX_PLAYERS);
    table(
        "players",
        vec![
            required("min", number(), "Fewest players"),
            required("max", number(), "Most players"),
            key("default", number(), "Number of players if none is given; default: `min`"),
        ],
    )
}

/// Keys of a seat.
pub fn seat() -> TableSpec {
    let keys = vec![
        required("name", ValueSpec::Text, "Name of the seat"),
        key("colour", ValueSpec::Words(COLOURS.to_vec()), "Terminal colour of the seat"),
    ];
    table("seat", keys)
}

/// Keys of `outcome` of the game.
pub fn outcome() -> TableSpec {
    let ranked = || ValueSpec::Either(vec![name(NameKind::Counter), ValueSpec::Table(least)]);
    let keys = vec![
        required(
            "score",
            name(NameKind::Counter),
            "Player counter reported as the score; in a cooperative game (`shared`) a game counter",
        ),
        key(
            "rank",
            ValueSpec::Either(vec![ranked(), list(ranked())]),
            "Player counters compared in this order: more is better, or less with `{ least = \"debt\" }`; default: the score",
        ),
        key(
            "teams",
            name(NameKind::Counter),
            "Player counter with the number of the player's team; the counters of a team's players are added up for its score and rank",
        ),
        key("shared", ValueSpec::Boolean, "Whether all win or lose together (a cooperative game); default `false`"),
        key(
            "won",
            name(NameKind::Counter),
            "Game counter of a cooperative game: the players win if it is not 0 at the end; without it, only the score counts",
        ),
        key(
            "goal",
            words(&GOALS),
            "Utility of a player, which bots maximise: the share of the first place (`rank`, default), the score, or the score minus the best \
             other score (`margin`); a cooperative game without `won` has `score`",
        ),
        key(
            "zero_sum",
            ValueSpec::Boolean,
            "With the goal `score`: whether the scores of all players add up to 0 at the end; the engine checks it; default `false`",
        ),
        key(
            "range",
            list(integer()),
            "Smallest and largest score at the end, `[0, 40]`; another score is an error. The goals `score` and `margin` need it, unless the \
             counter of the score sets `max`. No option changes it: a mod does",
        ),
        key(
            "parts",
            list(name(NameKind::Counter)),
            "Counters that make up the score, shown beside it when the match is over",
        ),
    ];
    table("outcome", keys)
}

/// Keys of a `rank` entry in which less is better.
pub fn least() -> TableSpec {
    table("rank", vec![required("least", name(NameKind::Counter), "Player counter where less is better")])
}

/// Keys of an option.
pub fn options() -> TableSpec {
    let default = ValueSpec::Either(vec![integer(), ValueSpec::Boolean, ValueSpec::Text]);
    table(
        "option",
        vec![
            key("text", ValueSpec::Text, "Description of the option"),
            required("default", default, "Default value; its type is the type of the option"),
            key("min", integer(), "Smallest value, if the option is a whole number"),
            key("max", integer(), "Largest value, if the option is a whole number"),
            key(
                "values",
                ValueSpec::Map(Box::new(ValueSpec::Text)),
                "Possible names of the option, each with a description",
            ),
            key(
                "players",
                list(ValueSpec::Integer(1, MAX_PLAYERS)),
                "Numbers of players with which the option may differ from its default; default: all",
            ),
        ],
    )
}
