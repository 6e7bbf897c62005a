//! Keys of `reactions.toml`, and of the listeners and modifiers of definitions.

use crate::keys::spec::{KeySpec, TableSpec, ValueSpec, key, list, name, one_or_more, table, words};
use crate::sort::NameKind;
use crate::words::EVENT_ARGS;

/// Keys of `reactions.toml`.
pub fn events() -> TableSpec {
    table(
        "events file",
        vec![
            key("events", ValueSpec::Tables(event), "Events that scripts emit, and parts of built-in events"),
            key("filters", ValueSpec::Tables(filter), "Conditions on tokens, by name"),
            key("listeners", ValueSpec::Tables(named_listener), "Reactions to events, by name"),
            key("modifiers", ValueSpec::Tables(named_modifier), "Changes of current values, by name"),
        ],
    )
}

/// Keys of an event.
pub fn event() -> TableSpec {
    table(
        "event",
        vec![
            key(
                "text",
                ValueSpec::Text,
                "Start of a sentence on a card: \"When {token} dies\"; {<argument>} says which one. Default: made from the name",
            ),
            key(
                "args",
                ValueSpec::Map(Box::new(words(&EVENT_ARGS))),
                "Its arguments, each with its type; at most 6. Scripts may omit any of them",
            ),
            key(
                "of",
                name(NameKind::Event),
                "Event of which this one is a part: it happens whenever that one passes `where`",
            ),
            key("where", ValueSpec::Arguments, "Conditions on the arguments of that event"),
            key(
                "order",
                name(NameKind::Prompt),
                "Prompt with tokens as choices that asks a player which of several listeners acts first; default: the engine's order",
            ),
        ],
    )
}

/// Keys of a declared filter of tokens. Other keys are attributes and counters.
pub fn filter() -> TableSpec {
    table(
        "filter",
        vec![
            key("text", ValueSpec::Text, "Its tokens in words, for cards: `goblins in play`; default: its name"),
            key("kind", one_or_more(NameKind::Kind), "Kinds of tokens"),
            key("id", one_or_more_ids(), "Definitions of tokens"),
            key("zone", one_or_more(NameKind::Zone), "Zones that they are in"),
            key(
                "whose",
                ValueSpec::Words(vec!["yours", "others", "nobodys"]),
                "Whose zone they are in; in a zone of the game, whose set they belong to",
            ),
            key(
                "is",
                ValueSpec::Text,
                "Token that it must be: `this`, `event.<argument>`, or one that a counter numbers: `this.host`",
            ),
            key("is_not", ValueSpec::Text, "Token that it must not be"),
            key(
                "prompt",
                name(NameKind::Prompt),
                "Prompt that asks who aims (`aim`): with tokens as choices, and for players the label `player` with the player as its value; or with \
                 players as choices",
            ),
            key(
                "players",
                ValueSpec::Words(vec!["all", "you", "others"]),
                "Players at whom one may aim besides the tokens; a filter with no other condition selects players alone",
            ),
            key(
                "untargetable",
                ValueSpec::Boolean,
                "Whether nobody may aim at the tokens; `whose` is seen from the player who aims",
            ),
        ],
    )
}

fn one_or_more_ids() -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Text, list(ValueSpec::Text)])
}

/// Keys of a listener of a definition: `[bear.on.dies]`.
pub fn listener() -> TableSpec {
    table("listener", listener_keys())
}

/// Keys of a listener with a name of its own.
pub fn named_listener() -> TableSpec {
    let event = |moment, text| key(moment, name(NameKind::Event), text);
    let mut keys = vec![
        event("before", "Event before which it acts; it may change arguments"),
        event("instead", "Event that does not happen; the listener acts instead"),
        event("on", "Event after which it acts"),
        key("each", name(NameKind::Kind), "Kind: each of its tokens has the listener; default: the game has it"),
        key("for", ValueSpec::Words(vec!["players"]), "`players`: each player has the listener"),
    ];
    keys.extend(listener_keys());
    table("named listener", keys)
}

fn listener_keys() -> Vec<KeySpec> {
    vec![
        key(
            "where",
            ValueSpec::Arguments,
            "Conditions on the arguments of the event: `{ to = { kind = \"creatures\", whose = \"yours\" } }`",
        ),
        key(
            "in",
            one_or_more(NameKind::Zone),
            "Zones in which the token acts; default: `active` of its kind, else everywhere",
        ),
        key(
            "while",
            ValueSpec::Conditions,
            "Conditions on the state, each a formula with a range: `{ \"your.life\" = { max = 5 } }`",
        ),
        key(
            "set",
            ValueSpec::Map(Box::new(ValueSpec::Formula)),
            "New values of arguments, before the event: `{ amount = \"event.amount + 1\" }`",
        ),
        key("x", ValueSpec::Formula, "Number for its verbs, computed when the listener is found"),
        key("aim", aim(), AIM),
        key("do", ValueSpec::Verbs, "What it does: a list of verbs, or `\"script\"` for a script function"),
        key(
            "may",
            name(NameKind::Prompt),
            "Prompt with the labels `yes` and `no` that asks whether it acts; default: it always acts",
        ),
        key(
            "waits",
            ValueSpec::Boolean,
            "Whether it waits on the stack of a game with a zone for `listeners`; default `true`; only `on`, and only of tokens",
        ),
        key("text", ValueSpec::Text, "Start of its sentence on the card; default: the text of the event"),
    ]
}

/// `aim` of a definition or a listener.
pub fn aim() -> ValueSpec {
    ValueSpec::Either(vec![name(NameKind::Filter), ValueSpec::Map(Box::new(ValueSpec::Filter))])
}

pub(super) const AIM: &str =
    "Filter with `prompt`: the player chooses a target, `it.target`; or filters by the names of at most 2 targets";

/// Keys of a modifier of a definition, in the list `modifies`.
pub fn modifier() -> TableSpec {
    table("modifier", modifier_keys())
}

/// Keys of a modifier with a name of its own.
pub fn named_modifier() -> TableSpec {
    let mut keys = vec![
        key("each", name(NameKind::Kind), "Kind: each of its tokens has the modifier; default: the game has it"),
        key("for", ValueSpec::Words(vec!["players"]), "`players`: each player has the modifier"),
    ];
    keys.extend(modifier_keys());
    table("named modifier", keys)
}

fn modifier_keys() -> Vec<KeySpec> {
    let changes = |word, text| key(word, ValueSpec::MapOf(NameKind::Attribute, Box::new(formula_or_switch())), text);
    vec![
        key(
            "of",
            ValueSpec::Filter,
            "Tokens that it changes: a filter, `\"this\"` or `\"other\"`; default: the token itself",
        ),
        key(
            "in",
            one_or_more(NameKind::Zone),
            "Zones in which the token acts; default: `active` of its kind, else everywhere",
        ),
        key("while", ValueSpec::Conditions, "Conditions on the state, each a formula with a range"),
        changes("set", "Attributes with the values that replace theirs"),
        changes("add", "Attributes with the numbers added to them, after all `set`"),
        changes("multiply", "Attributes with the numbers that multiply them, after all `add`"),
        changes("cap", "Attributes with their largest values, after all `multiply`"),
        changes("floor", "Attributes with their smallest values, after all `cap`"),
        key("text", ValueSpec::Text, "Its sentence on the card; default: made from the other keys"),
    ]
}

fn formula_or_switch() -> ValueSpec {
    ValueSpec::Either(vec![ValueSpec::Boolean, ValueSpec::Formula])
}
