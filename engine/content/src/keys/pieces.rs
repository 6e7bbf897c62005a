//! Keys of counters, zones, grids, kinds and definitions.

use crate::keys::events::{AIM, aim, listener, modifier};
use crate::keys::spec::{
    KeySpec, TableSpec, ValueSpec, group, integer, internal, key, like, list, name, one_or_more, options_only, per,
    players_only, required, show, table, words,
};
use crate::limits::{COPIES, HOOK_LIST, MAX_LENGTH, MAX_LINES, MAX_SIDE};
use crate::sort::NameKind;
use crate::words::{
    BETTER, COLOURS, COUNTER_VISIBLE, ENDS, LOOKS, OUTLINES, PER, REDEAL, THINGS, TRANSCRIPT, TYPES, ZONE_VISIBLE,
};

/// Keys of a counter.
pub fn counters() -> TableSpec {
    table(
        "counter",
        [
            key(
                "text",
                ValueSpec::Text,
                "Label shown to players; default: made from the name. In a family, {<kind>} is the name of the definition: \"Raw {minerals}\"",
            ),
            required(
                "per",
                per(&["game", "player"], vec![NameKind::Kind, NameKind::Grid]),
                "Who has one: the game, every player, every token of a kind, or every cell of a grid. With a kind behind it, `[\"player\", \"minerals\"]`, \
                 it is a family: one counter for each definition of that kind, named `<counter>.<id>`",
            ),
            like("Counter (or family) whose keys this one inherits, except those that it sets itself"),
            key(
                "start",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "Starting value: a number, an option or the name of a value; default 0",
            ),
            key("min", integer(), "Smallest value; default 0"),
            key(
                "max",
                integer(),
                "Largest value; default 1,000,000. No option changes it: declare the largest that any option needs, or set it in a mod",
            ),
            key(
                "unit",
                ValueSpec::Text,
                "The fraction that the value counts: with `\"1/2\"`, the value 7 is shown as 3½; default: whole points",
            ),
            key(
                "values",
                ValueSpec::Either(vec![
                    list(ValueSpec::Text),
                    ValueSpec::Name(vec![NameKind::Kind, NameKind::Grid], THINGS.to_vec()),
                ]),
                "Names of the values 0, 1, 2 ...; or a kind, whose values are `none` and then its ids; or `player`, `token` or a grid: the value is \
                 the number of one (0: none) and shown by its name",
            ),
            key("symbols", list(ValueSpec::Text), "Symbol drawn for each value; default: its name"),
            key("colours", list(ValueSpec::Words([&[""], &COLOURS[..]].concat())), "Terminal colour of each value"),
            key(
                "amount",
                ValueSpec::Text,
                "Text for an amount of it on a card: `{n:coin|coins}`, `${n}`; default: the number and the label",
            ),
            tells(),
            key("visible", words(&COUNTER_VISIBLE), "Who sees it; default `public`"),
            key(
                "redeal",
                words(&REDEAL),
                "How a redeal treats values that a bot's seat cannot see: random values of the range (`range`, default); a random split of the sum of all hidden values (`pool`: everybody knows the sum); set by the hook `redeal` of the game (`hook`); unchanged (`keep`: everybody can infer the value); a list that fits the tokens that the seat knows (`deck_lists` of a kind)",
            ),
            internal(
                "Whether it is bookkeeping that scripts and tests see, but players do not. It must follow from what every player sees: a redeal keeps it; \
                 default `false`",
            ),
            show(),
            key(
                "transcript",
                words(&TRANSCRIPT),
                "When the transcript of `lode play` and `lode table` names its changes, for a counter of players or of the game: after each step (`always`), after \
                 a step in which the script writes no line (`silent`, default), or `never`",
            ),
            group(),
            players_only(),
            options_only(),
        ]
        .into_iter()
        .chain(ends())
        .collect(),
    )
}

/// Keys that end the values of a counter.
fn ends() -> Vec<KeySpec> {
    vec![
        key(
            "until",
            name(NameKind::Event),
            "Event after which all its values are what they were at the start: \"until end of turn\"",
        ),
        key(
            "ends",
            words(&ENDS),
            "Whose values end with `until`: `all` (default), or `own`, those of the player whom the event concerns and of the tokens in that player's \
             zones: \"until your next turn\"",
        ),
        key(
            "within",
            one_or_more(NameKind::Zone),
            "For a counter of tokens: zones in which it counts; when the token leaves them, its value is that of the start again",
        ),
    ]
}

/// The key for public statements.
fn tells() -> KeySpec {
    key(
        "tells",
        name(NameKind::Attribute),
        "For a counter of tokens: an attribute of at most 31 values about which all players are told (`tell`). The engine records \
         the values that are ruled out, and a redeal deals no token against a statement",
    )
}

/// Keys of a zone.
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
                "Zone (or family) whose keys this one inherits, except those that it sets itself and those that name it",
            ),
            required("holds", one_or_more(NameKind::Kind), "Kinds of tokens that it may hold"),
            key(
                "visible",
                words(&ZONE_VISIBLE),
                "Who sees it; `owner`: others see how many tokens; `secret`: others see nothing; `others`: all but the owner, who sees how many; `count`: everyone sees how many; `face`: each token by its face; default `public`",
            ),
            key(
                "looks",
                words(&LOOKS),
                "Who learns that a token of the zone is shown to a player (`show`): only that player (`secret`, default), or everybody (`open`)",
            ),
            key("size", ValueSpec::Integer(1, i32::from(u16::MAX)), "Largest number of tokens; default: no limit"),
            key(
                "refill",
                ValueSpec::Name(vec![NameKind::Zone, NameKind::ZoneFamily], Vec::new()),
                "Zone that refills this one up to its size after each hook: a display. In families by the same kind, each member has its own",
            ),
            key(
                "reshuffle",
                ValueSpec::Name(vec![NameKind::Zone, NameKind::ZoneFamily], Vec::new()),
                "Zone that is shuffled into this one when this one is empty: a discard pile. In families by the same kind, each member has its own",
            ),
            key(
                "listeners",
                ValueSpec::Text,
                "Definition of a kind without `zone`: listeners of tokens wait here as its tokens, each with its event, until `resolve` of the phase",
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

/// Keys of a grid.
pub fn grids() -> TableSpec {
    let shown = || ValueSpec::Name(vec![NameKind::Counter, NameKind::CounterFamily], Vec::new());
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
                "Counters of cells, or families of them, drawn on the grid, in this order",
            ),
            key(
                "names",
                name(NameKind::Kind),
                "Kind with a definition for each cell that is no hole, row by row: the board, choices and texts such as `{1:cell board}` name cells by it instead of \
                 coordinates",
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

/// Keys of a kind.
pub fn kinds() -> TableSpec {
    table(
        "kind",
        [
            key("text", ValueSpec::Text, "Description of the kind; default: made from the name"),
            like(
                "Kind whose keys this one takes over, except those that it sets itself; attributes and hooks one by one. Counters `per` that kind exist for \
                 this one, too",
            ),
            key("tokens", ValueSpec::Boolean, "Whether its definitions have tokens; default `true`"),
            key("per", words(&PER), "`player`: every player has a set of tokens; default `game`"),
            key("zone", name(NameKind::Zone), "Zone in which the tokens start; default: none"),
            key("shuffle", ValueSpec::Boolean, "Whether that zone is shuffled at the start; default `false`"),
            key(
                "deck_lists",
                name(NameKind::Counter),
                "Counter of players with `redeal = \"lists\"`: its value is the list that the player's set is. The attribute of the same name \
                 has the copies in each list; the other tokens stay in `zone`",
            ),
            key("attributes", ValueSpec::Tables(attribute), "Values that every definition has"),
            key(
                "offset",
                list(ValueSpec::Text),
                "Two `integer` attributes: how many rows down and columns right of a card the neighbouring cell is. A card on a board that lists definitions of \
                 this kind shows them at those sides",
            ),
            key(
                "active",
                one_or_more(NameKind::Zone),
                "Zones in which listeners and modifiers of its tokens act; default: everywhere",
            ),
            key(
                "becomes",
                name(NameKind::Counter),
                "Counter of its tokens with `values` of this kind: a token whose counter is a definition is a copy of it; it has its attributes, hooks, listeners and \
                 modifiers",
            ),
            key(
                "held",
                ValueSpec::Name(vec![NameKind::Counter, NameKind::CounterFamily], Vec::new()),
                "For a kind without tokens: the counter of players or of the game whose value is the definition that they have, or a family with a counter for \
                 each definition. Listeners and modifiers of a definition that somebody has act for its holder",
            ),
            key(
                "abilities",
                name(NameKind::Attribute),
                "Boolean attribute: while a modifier sets it to `false`, listeners and modifiers of the definition do not act",
            ),
            key(
                "hooks",
                ValueSpec::Map(Box::new(list(ValueSpec::Text))),
                "Effects that a definition may have, each with the names of its arguments",
            ),
            key(
                "lists",
                ValueSpec::Map(Box::new(ValueSpec::Integer(*HOOK_LIST.start(), *HOOK_LIST.end()))),
                "Hooks that form a list, each with its largest length: with `{ space = 10 }`, a definition writes `space = [[...], [...]]`, and the hooks are \
                 `space_1`, `space_2` ...; scripts name one with `in_list(\"space\", 2)`",
            ),
            key(
                "scripted",
                ValueSpec::Either(vec![ValueSpec::Text, list(ValueSpec::Text)]),
                "Hooks that the script implements for every definition that does not write them as verbs; default: none",
            ),
            key("image", ValueSpec::Text, "Image of the definitions that name no other"),
            key(
                "reads",
                ValueSpec::Text,
                "Pattern for the text of a definition, from its hooks and attributes: `[Pay {price:coin|coins}: ]{play}`; a part in brackets is omitted while its values have their defaults; `\"\"`: no text; default: the verbs of all hooks in order",
            ),
        ]
        .into_iter()
        .chain(product())
        .collect(),
    )
}

/// Keys of a kind whose definitions are a product.
fn product() -> Vec<KeySpec> {
    vec![
        key(
            "name",
            ValueSpec::Text,
            "Default name of definitions, made from their attributes: \"{rank} of {suit}\"; without it, every definition sets its own",
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
            "Ids of the definitions that the product makes: \"{suit}_{rank}\"; default: the values joined in order",
        ),
    ]
}

/// Keys of an attribute of a kind, or of an argument of a verb.
pub fn attribute() -> TableSpec {
    let of = |more: &[&'static str]| ValueSpec::Name(vec![NameKind::Kind], [&TYPES[..], more].concat());
    table(
        "attribute",
        vec![
            required("type", of(&["list"]), "Type of the value; a kind means the id of one of its definitions"),
            key("default", ValueSpec::Anything, "Default value; without one, every definition must set it"),
            key("text", ValueSpec::Text, "Its meaning"),
            key("min", integer(), "Smallest value of an `integer`"),
            key("max", integer(), "Largest value of an `integer`"),
            key("values", list(ValueSpec::Text), "Possible values of a `text`, or names of `amounts`"),
            key(
                "of",
                of(&[]),
                "Type of the elements of a `list`; for `amounts`: `counter`, or a kind whose ids are the names",
            ),
            key("length", ValueSpec::Integer(0, MAX_LENGTH), "Number of elements of a `list`"),
            key(
                "internal",
                ValueSpec::Boolean,
                "Whether only scripts use it, so that it is not printed on the card; default `false`",
            ),
            key(
                "learned",
                ValueSpec::Boolean,
                "Whether learned values of bots may depend on it; default `true`. A new attribute with `false` keeps learned values valid",
            ),
            key(
                "ability",
                ValueSpec::Boolean,
                "Whether a token that loses its abilities (`abilities` of its kind) loses this one; default `false`",
            ),
            key(
                "better",
                words(&BETTER),
                "Which way an `integer` or `amounts` is better for its holder, as far as nothing else differs: `lode effects` then finds \
                 definitions that are worse than another one in all that differs; default: unknown, except for the only number of a verb \
                 with `cost`",
            ),
        ],
    )
}

/// The keys of every definition besides the attributes and hooks of its kind.
pub fn definition() -> TableSpec {
    table(
        "definition",
        vec![
            required("name", ValueSpec::Text, "Name as printed"),
            key(
                "text",
                ValueSpec::Text,
                "Rules text as printed; `{verbs}` and `{<hook>}` insert the sentences of the verbs; default: the sentences of all verbs",
            ),
            key("copies", ValueSpec::Integer(*COPIES.start(), *COPIES.end()), "Number of tokens; default 1"),
            key("aim", aim(), AIM),
            key(
                "image",
                ValueSpec::Text,
                "File in the folder `images` beside game.toml of the game or the mod: svg, png, webp or jpg, at most 1 MiB",
            ),
            key("before", ValueSpec::Listeners(listener), "Listeners that act before an event, by event"),
            key("instead", ValueSpec::Listeners(listener), "Listeners that act instead of an event, by event"),
            key("on", ValueSpec::Listeners(listener), "Listeners that act after an event, by event"),
            key(
                "modifies",
                ValueSpec::Either(vec![ValueSpec::Table(modifier), list(ValueSpec::Table(modifier))]),
                "Changes of current values of attributes",
            ),
        ],
    )
}
