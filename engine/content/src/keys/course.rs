//! Keys of phases, prompts and verbs.

use crate::keys::pieces::attribute;
use crate::keys::spec::{
    TableSpec, ValueSpec, integer, key, like, list, name, one_or_more_texts, required, table, words,
};
use crate::limits::MAX_TIMES;
use crate::sort::NameKind;
use crate::words::{ANSWERS, DOMAINS, PICKED_PLAYERS, TURNS, WHEN};

/// Keys of a phase.
pub fn phases() -> TableSpec {
    table(
        "phase",
        vec![
            key("name", ValueSpec::Text, "Name shown to players; default: made from the id"),
            key("text", ValueSpec::Text, "Description of the phase"),
            key("after", name(NameKind::Phase), "For mods: the phase that it follows; default: the order in the file"),
            key("before", name(NameKind::Phase), "For mods: the phase that it precedes"),
            key("when", words(&WHEN), "Once before round 1, in every round (default), or once after the last round"),
            key(
                "turns",
                words(&TURNS),
                "Who acts: nobody (`none`, default); every player once; in turn until all have passed; in turn until a script ends the phase; in turn until all pass in a row, when the top of `stack` resolves (`priority`); all at the same time and in secret (`sealed`)",
            ),
            key("prompt", name(NameKind::Prompt), "Prompt for the choices of `offer`"),
            key("offer", ValueSpec::Table(offer), "Choices listed without a script"),
            key("stuck", name(NameKind::Text), "Transcript text if a player has no choices; {1} is the player"),
            key("first", name(NameKind::Counter), "Game counter with the number of the player who begins"),
            key(
                "limit",
                name(NameKind::Counter),
                "Game counter that counts the turns of an `around` or `passes` phase, from its `start`; when a turn ends at its `max`, the phase ends",
            ),
            key("asks", list(ValueSpec::Table(asks)), "Questions of a sealed phase; counters store the answers"),
            key(
                "stack",
                name(NameKind::Zone),
                "Zone of the game whose top resolves when all have passed, with `turns = \"priority\"`",
            ),
            key(
                "times",
                ValueSpec::Integer(1, MAX_TIMES),
                "Number of times in a row that the phase is played; default 1",
            ),
        ],
    )
}

/// Keys of `offer` of a phase.
pub fn offer() -> TableSpec {
    table(
        "offer",
        vec![
            key("cells", name(NameKind::Counter), "Cell counter: every cell whose value is `equals` is a choice"),
            key(
                "equals",
                ValueSpec::Either(vec![integer(), ValueSpec::Text]),
                "The value, as a number or a name; default 0",
            ),
            key(
                "zone",
                name(NameKind::Zone),
                "Zone whose tokens are choices; if every player has one, that of the player on turn",
            ),
        ],
    )
}

/// Keys of one of `asks` of a phase.
pub fn asks() -> TableSpec {
    table(
        "question",
        vec![
            required("prompt", name(NameKind::Prompt), "Prompt of the question"),
            key("store", name(NameKind::Counter), "Player counter that stores the answer"),
            key(
                "choices",
                ValueSpec::Either(vec![words(&ANSWERS), ValueSpec::Table(numbers)]),
                "Possible answers: the prompt's labels (default), the players still in the game, the other players, or numbers",
            ),
            key("buy", name(NameKind::Kind), "Kind whose definitions may be bought"),
            key("pay", name(NameKind::Attribute), "Attribute with the price"),
            key("gain", name(NameKind::Attribute), "Attribute with the gain"),
            key(
                "again",
                ValueSpec::Boolean,
                "Whether the question is asked again after each purchase; default `false`",
            ),
        ],
    )
}

/// Keys of `choices` of a question, for numbers.
pub fn numbers() -> TableSpec {
    table(
        "numbers",
        vec![
            key("from", ValueSpec::Integer(0, i32::MAX), "Smallest number; default 0"),
            required("upto", name(NameKind::Counter), "Player counter whose value is the largest number"),
        ],
    )
}

/// Keys of a prompt.
pub fn prompts() -> TableSpec {
    let names = || ValueSpec::Name(vec![NameKind::Kind, NameKind::Grid], DOMAINS.to_vec());
    let choices = || ValueSpec::Either(vec![names(), ValueSpec::Text]);
    // Tokens may be hidden, and the list of actions is public and finite.
    let listed = || ValueSpec::Name(vec![NameKind::Kind, NameKind::Grid], vec!["player"]);
    let sets = || ValueSpec::Either(vec![listed(), ValueSpec::Text]);
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
                choices(),
                "What whole-number choices mean: numbers (default), numbers of a range such as \"0..20\", players, tokens, definitions of a kind, or cells of a grid",
            ),
            key(
                "labels",
                ValueSpec::Map(Box::new(ValueSpec::Text)),
                "Named choices, each with its text; {1} to {3} are values of a choice such as `choice({ \"sum\", 7, 9 })`",
            ),
            key(
                "values",
                ValueSpec::Map(Box::new(list(sets()))),
                "For each label with values, the set of each value: players, definitions of a kind (in place of tokens), cells of a grid, or a range: `{ sum = [\"0..20\", \"spots\"] }`; `lode actions` lists them. One value is at most 1048575, each of two values 1023, each of three 100",
            ),
            key(
                "reads",
                ValueSpec::Text,
                "Text of a choice that is a number: \"Raid {choice}\"; default: the name of the chosen thing",
            ),
            key(
                "none",
                name(NameKind::Text),
                "Text that says why the cells that are not listed cannot be chosen, for players who ask; a reason that a script gives replaces it",
            ),
            key("distinct", ValueSpec::Boolean, "Whether equal copies of a token are offered once; default `false`"),
            key(
                "auto",
                ValueSpec::Boolean,
                "Whether a single choice is taken without asking, and shown in the transcript; default `true`",
            ),
            key(
                "several",
                ValueSpec::Boolean,
                "Whether a person may mark several choices and give them at once, in the order of the list: the script asks again until enough are made, their order does not matter, and {1} is the number still to make; default `false`",
            ),
            key(
                "secret",
                ValueSpec::Boolean,
                "Whether the transcript shows the answer to this player alone; default `false`",
            ),
        ],
    )
}

/// Keys of a verb.
pub fn verbs() -> TableSpec {
    let keys = vec![
        like("Verb whose keys this one inherits, except those that it sets itself; arguments are inherited one by one"),
        required(
            "text",
            ValueSpec::Text,
            "Its effect as a sentence; {argument} is the value of an argument, {argument:coin|coins} counts it; a part in brackets is omitted while its arguments have their defaults",
        ),
        key("args", ValueSpec::Tables(attribute), "Its arguments"),
        key(
            "cost",
            ValueSpec::Boolean,
            "Whether it is a cost, which must be payable in full before the other verbs of the list can be used; default `false`: an effect, which does as much as it can",
        ),
        key(
            "choose",
            ValueSpec::Tables(pick),
            "Its choices by name, in order; the verb is possible if each can be made. A function of this name in verbs.luau says which candidates may be chosen, and `run` receives the choices after the player",
        ),
        key(
            "times",
            ValueSpec::Either(vec![ValueSpec::Integer(1, 1000), ValueSpec::Text]),
            "How often it acts, with new choices each time: a number, or an argument of the verb; it ends early if nothing can be chosen",
        ),
        key("done", name(NameKind::Label), "Label of its first prompt with which the player stops"),
        key(
            "least",
            ValueSpec::Integer(0, 1000),
            "Times before the player may stop with `done`; default 1; 0: the player need not do it at all",
        ),
        key(
            "none",
            name(NameKind::Text),
            "Text that says why the verb is impossible; default: its sentence after `You cannot`",
        ),
    ];
    table("verb", keys)
}

/// Keys of a choice of a verb.
pub fn pick() -> TableSpec {
    let keys = vec![
        key("prompt", name(NameKind::Prompt), "Prompt of the question; default: the one with the name of the choice"),
        key("zone", name(NameKind::Zone), "Candidates: the tokens of the zone, of the player if it belongs to players"),
        key("cells", name(NameKind::Grid), "Candidates: the cells of the grid, of the player if it belongs to players"),
        key(
            "players",
            words(&PICKED_PLAYERS),
            "Candidates: the players still in the game, or those but the one who chooses",
        ),
        key("kind", name(NameKind::Kind), "Candidates: the definitions of the kind"),
        key("filter", name(NameKind::Filter), "Candidates: the tokens that pass the filter"),
        key(
            "upto",
            ValueSpec::Either(vec![ValueSpec::Integer(0, 1000), name(NameKind::Counter)]),
            "Candidates: whole numbers up to this one, or up to the value of the player counter",
        ),
        key("from", ValueSpec::Integer(0, 1000), "Smallest number, with `upto`; default 0"),
        key(
            "list",
            ValueSpec::Words(vec!["script"]),
            "Candidates: those that the function of the choice lists with `choice`",
        ),
        key(
            "labels",
            list(ValueSpec::Text),
            "Labels of the prompt that are candidates, too; default: all of them, if there are no other candidates",
        ),
        key(
            "verbs",
            ValueSpec::Map(Box::new(ValueSpec::Verb)),
            "Labels of the prompt, each with a verb: a label is a candidate while its verb is possible, and the verb acts when it is chosen",
        ),
        key(
            "same",
            ValueSpec::Integer(1, 1000),
            "How often the same choice may be made while the verb repeats; default: without limit",
        ),
        key(
            "shows",
            one_or_more_texts(),
            "Values in the text of the prompt: `time` (from 1), arguments of the verb, earlier choices, player counters",
        ),
        key("none", name(NameKind::Text), "Text that says why nothing can be chosen"),
    ];
    table("choice", keys)
}
