//! Tests of whole packs in memory.

mod families;
mod hooks;

use rand::{Rng, RngExt, SeedableRng};

use indexmap::IndexMap;

use super::declare::*;
use super::document::{Document, Faults};
use super::names::Names;
use super::*;

const GAME: &str = r#"
name = "Demo"
version = "0.1.0"
text = "One of everything."
players = { min = 2, max = 3, default = 2 }
rounds = "length"

[[seats]]
name = "Ann"
colour = "red"
[[seats]]
name = "Bob"
[[seats]]
name = "Cid"
colour = "bright_cyan"

[options.length]
text = "Rounds"
default = 6
min = 4
max = 12
[options.fast]
text = "Quick"
default = false
[options.map]
text = "Board"
default = "small"
values = { small = "Small", large = "Large" }
players = [2]

[counters.gold]
text = "Gold"
per = "player"
start = 2
max = 99
[counters.starter]
per = "game"
min = 1
max = 3
start = 1
[counters.secret]
per = "player"
start = "length"
players = [3]
only = { map = "large", length = [4, 5] }
visible = "owner"
redeal = "keep"
[counters.worn]
per = "cards"
visible = "nobody"
[counters.ore]
per = "board"
values = ["none", "gold", "silver"]
start = "gold"
symbols = [" ", "G", "S"]
colours = ["", "yellow", "white"]

[zones.deck]
per = "game"
holds = "cards"
visible = "count"
reshuffle = "waste"
[zones.row]
per = "game"
holds = ["cards"]
size = 4
refill = "deck"
[zones.waste]
per = "game"
holds = ["cards"]
[zones.hand]
text = "In hand"
per = "player"
holds = ["cards"]
visible = "secret"

[grids.board]
text = "Board"
shape = "square"
columns = 9
rows = 9
holes = ["f6", "a1"]
show = ["ore"]
[grids.home]
shape = "hex"
side = 3
per = "player"
[grids.shift]
shape = "offset"
columns = 3
rows = 2

[kinds.cards]
text = "Cards"
zone = "deck"
shuffle = true
[kinds.cards.attributes]
cost = { type = "integer", min = 0, max = 13, default = 0, text = "Price" }
open = { type = "boolean", default = false }
ore = { type = "text", values = ["gold", "silver"], default = "" }
fields = { type = "list", of = "text", length = 2, default = ["a", "b"] }
gives = { type = "amounts", values = ["gold", "iron"], default = {} }
next = { type = "cards", default = "" }
from = { type = "zone", default = "deck" }
by = { type = "counter", default = "gold" }
[kinds.cards.hooks]
operate = ["player"]

[kinds.places]
tokens = false

[outcome]
score = "gold"
rank = ["gold", { least = "secret" }]
"#;

const FILES: [(&str, &str); 10] = [
    ("content/demo/game.toml", GAME),
    (
        "content/demo/phases.toml",
        "[deal]\nname = 'Deal'\ntext = 'Cards are dealt.'\nwhen = 'setup'\ntimes = 2\n\
         [build]\nturns = 'sealed'\nprompt = 'build'\nfirst = 'starter'\n",
    ),
    (
        "content/demo/prompts.toml",
        "[target]\ntext = 'Whom, {player}?'\nchoices = 'player'\nauto = false\n\
         [build]\ntext = 'What?'\nlabels = { mine = 'A mine', done = 'Nothing' }\n\
         [cell]\ntext = 'Where?'\nchoices = 'board'\n[what]\ntext = 'Which?'\nchoices = 'places'\n",
    ),
    ("content/demo/texts.toml", "raid = '{1:player} takes {2} of {3:counter ore} at {4:cell board} with {5:token}'\n"),
    (
        "content/demo/verbs.toml",
        "[advance]\ntext = 'Advance {steps}.'\nargs = { steps = { type = 'integer', min = 1 } }\n",
    ),
    (
        "content/demo/cards.toml",
        "[pump]\nname = 'Pump'\ntext = 'Water.'\ncopies = 3\ncost = 2\nnext = 'mill'\n\
         operate = [{ gain = { gold = 2 } }, { draw = { from = 'deck', to = 'hand' } }, { advance = { steps = 1 } }]\n\
         [mill]\nname = 'Mill'\ngives = { iron = 1, gold = 2 }\nore = 'silver'\n",
    ),
    ("content/demo/places.toml", "[dock]\nname = 'Dock'\n"),
    ("content/demo/rules.md", "# Demo\n## Play\n- D-1 One.\n"),
    ("scripts/demo/phases.luau", "return {}"),
    ("scripts/demo/cards.luau", "return {}"),
];

fn pack(files: &[(&str, &str)]) -> Pack {
    Pack::from_files("demo", files.iter().copied())
}

#[test]
fn a_verb_inherits_keys_and_arguments() {
    let with = |more: &str| {
        let mut pack = pack(&FILES);
        let verbs = pack.files.iter_mut().find(|file| file.path == "content/demo/verbs.toml").unwrap();
        verbs.text += more;
        read(&pack)
    };
    let (all, faults) = with(
        "[retreat]\nlike = 'advance'\ntext = 'Retreat {steps}[ in {way}].'\n\
        [retreat.args]\nway = { type = 'text', default = '' }\n",
    );
    assert_eq!(faults.to_string(), "");
    let retreat = &all.verbs["retreat"];
    assert_eq!(retreat.text, "Retreat {steps}[ in {way}].");
    assert_eq!(format!("{:?}", retreat.args["steps"]), format!("{:?}", all.verbs["advance"].args["steps"]));
    assert_eq!(retreat.args.len(), 2);
    let (_, faults) = with("[retreat]\nlike = 'advanse'\ntext = 'Retreat.'\n");
    let said = faults.to_string();
    assert!(said.contains("error[unknown-verb]: unknown verb `advanse` for `like` in verb `retreat`"), "{said}");
    assert!(said.contains("did you mean `advance`?"), "{said}");
    let (_, faults) = with("[a]\nlike = 'b'\n[b]\nlike = 'a'\n");
    assert!(faults.to_string().contains("`like` of verb `a` forms a cycle"), "{faults}");
}

#[test]
fn a_correct_pack_is_read_whole() {
    let (all, faults) = read(&pack(&FILES));
    assert_eq!(faults.to_string(), "");
    assert_eq!((all.id.as_str(), all.name.as_str(), all.version.as_str()), ("demo", "Demo", "0.1.0"));
    assert_eq!(all.players, PlayerRange { min: 2, max: 3, default: 2 });
    assert_eq!(all.rounds, Some(Amount::Option("length".into())));
    assert_eq!(all.seats.len(), 3);
    assert_eq!(all.seats[2].colour, "bright_cyan");
    assert_eq!(all.options["length"].range, Some((4, 12)));
    assert_eq!(all.options["fast"].default, OptionValue::Bool(false));
    assert_eq!(all.options["map"].default, OptionValue::Name("small".into()));
    assert_eq!(all.options["map"].players, [2]);
    assert_eq!(all.options["map"].values["large"], "Large");

    let gold = &all.counters["gold"];
    assert_eq!((gold.per, gold.min, gold.max, &gold.start), (Holder::Player, 0, 99, &Amount::Number(2)));
    assert_eq!(all.counters["starter"].text, "Starter");
    assert_eq!(all.counters["secret"].start, Amount::Option("length".into()));
    assert_eq!(
        (all.counters["secret"].visible, all.counters["secret"].redeal),
        (Visibility::Owner, Some(Redeal::Keep))
    );
    assert_eq!(all.counters["secret"].max, 1_000_000);
    let options = |map: &str, length| {
        [("map".to_owned(), OptionValue::Name(map.into())), ("length".to_owned(), OptionValue::Integer(length))].into()
    };
    let only = &all.counters["secret"].only;
    assert!(only.holds(3, &options("large", 4)) && only.holds(3, &options("large", 5)));
    assert!(!only.holds(2, &options("large", 4)) && !only.holds(3, &options("small", 4)));
    assert!(!only.holds(3, &options("large", 6)));
    assert!(all.grids["board"].only.holds(2, &options("small", 12)));
    assert_eq!(all.counters["worn"].per, Holder::Token(0));
    let ore = &all.counters["ore"];
    assert_eq!((ore.per, ore.min, ore.max, &ore.start), (Holder::Cell(0), 0, 2, &Amount::Number(1)));
    assert_eq!(ore.symbols, [" ", "G", "S"]);
}

#[test]
fn zones_boards_and_kinds_of_a_correct_pack_are_read_whole() {
    let (all, _) = read(&pack(&FILES));
    assert_eq!(all.zones["deck"].holds, [0]);
    assert_eq!(all.zones["deck"].reshuffle, Some(2));
    assert_eq!((all.zones["row"].size, all.zones["row"].refill), (Some(4), Some(0)));
    assert_eq!((all.zones["hand"].per, all.zones["hand"].visible), (Holder::Player, Visibility::Secret));
    assert_eq!(all.grids["board"].shape, Shape::Square { columns: 9, rows: 9 });
    assert_eq!(all.grids["board"].holes, ["f6", "a1"]);
    assert_eq!(all.grids["board"].show, [4]);
    assert_eq!((all.grids["home"].shape, all.grids["home"].per), (Shape::Hex { side: 3 }, Holder::Player));
    assert_eq!(all.grids["shift"].shape, Shape::Offset { columns: 3, rows: 2 });

    let cards = &all.kinds["cards"];
    assert_eq!((cards.zone, cards.shuffle, cards.tokens, cards.first, cards.len), (Some(0), true, true, 0, 2));
    assert_eq!(cards.attributes["cost"].of, AttributeType::Integer { min: 0, max: 13 });
    assert_eq!(cards.attributes["fields"].of, AttributeType::List(Box::new(AttributeType::Text(vec![])), Some(2)));
    assert_eq!(cards.attributes["next"].of, AttributeType::Id(0));
    assert_eq!(cards.hooks["operate"], ["player"]);
    assert_eq!((all.kinds["places"].first, all.kinds["places"].len, all.kinds["places"].tokens), (2, 1, false));
}

#[test]
fn definitions_and_phases_of_a_correct_pack_are_read_whole() {
    let (all, _) = read(&pack(&FILES));
    let pump = &all.definitions[0];
    assert_eq!((pump.id.as_str(), pump.kind, pump.copies), ("pump", 0, 3));
    assert_eq!(pump.place, Location { file: "content/demo/cards.toml".into(), line: 1, column: 2 });
    assert_eq!(pump.attributes[0], Value::Integer(2));
    assert_eq!(pump.attributes[3], Value::List(vec![Value::Text("a".into()), Value::Text("b".into())]));
    assert_eq!(pump.attributes[5], Value::Text("mill".into()));
    let calls = &pump.verbs["operate"];
    assert_eq!(calls.iter().map(|call| call.verb.as_str()).collect::<Vec<_>>(), ["gain", "draw", "advance"]);
    assert_eq!(calls[0].args["amounts"], Value::Map(IndexMap::from([("gold".into(), Value::Integer(2))])));
    assert_eq!(calls[1].args.keys().collect::<Vec<_>>(), ["from", "to", "count"]);
    assert_eq!(calls[1].args["count"], Value::Integer(1), "defaults are filled in");
    assert_eq!((calls[1].place.line, calls[1].place.column), (7, 39));
    let mill = &all.definitions[1];
    assert_eq!(
        mill.attributes[4],
        Value::Map(IndexMap::from([("iron".into(), Value::Integer(1)), ("gold".into(), Value::Integer(2))]))
    );
    assert_eq!(all.definitions[2].id, "dock");

    assert_eq!(all.phases.keys().collect::<Vec<_>>(), ["deal", "build"]);
    assert_eq!((all.phases["deal"].when, all.phases["deal"].times), (When::Setup, 2));
    let build = &all.phases["build"];
    assert_eq!((build.name.as_str(), build.turns, build.times), ("Build", Turns::Sealed, 1));
    assert_eq!((build.prompt, build.first), (Some(1), Some(1)));
    assert_eq!((all.prompts["target"].domain, all.prompts["target"].auto), (Domain::Player, false));
    assert!(all.prompts["build"].auto);
    assert_eq!(all.prompts["build"].labels["done"], "Nothing");
    assert_eq!((all.prompts["cell"].domain, all.prompts["what"].domain), (Domain::Cell(0), Domain::Definition(1)));
    assert_eq!(all.texts.len(), 1);
    assert_eq!(all.verbs.keys().collect::<Vec<_>>(), ["gain", "pay", "draw", "advance"]);
    assert!(all.verbs["gain"].standard && !all.verbs["advance"].standard);
    assert_eq!(all.verbs["pay"].args["amounts"].of, AttributeType::Amounts(vec!["gold".into(), "secret".into()]));
    let rank = [(0, false), (2, true)].map(|(counter, least)| RankKey { counter, least });
    assert_eq!((all.outcome.score, &all.outcome.rank[..]), (0, &rank[..]));
    assert_eq!(all.scripts.keys().collect::<Vec<_>>(), ["cards", "phases"]);
    assert_eq!(all.rules[0], Rule { number: "D-1".into(), text: "One.".into(), section: "Play".into() });
}

#[test]
fn the_engines_own_verbs_are_without_fault() {
    let source = SourceFile { path: verb::STANDARD_PATH.into(), text: verb::STANDARD.into() };
    let faults = Faults::default();
    let document = Document::parse(&source, &faults);
    let mut verbs = IndexMap::new();
    verb::read(document.root("verbs"), &Names::default(), true, &mut verbs);
    assert_eq!(faults.take(), []);
    assert_eq!(verbs.keys().collect::<Vec<_>>(), ["gain", "pay", "draw"]);
}

#[test]
fn an_empty_pack_is_two_faults() {
    let (_, faults) = read(&pack(&[]));
    assert_eq!(
        faults.to_string(),
        "content/demo/game.toml:1:1: error[missing-file]: there is no `game.toml`; every pack needs one\n\
         content/demo/phases.toml:1:1: error[missing-file]: there is no `phases.toml`; a game needs at least one phase"
    );
}

/// The faults of the pack with this change of `game.toml`.
fn faults_of(from: &str, to: &str) -> Diagnostics {
    let changed = GAME.replace(from, to);
    let mut files = FILES.to_vec();
    files[0].1 = &changed;
    read(&pack(&files)).1
}

#[test]
fn a_version_is_three_numbers() {
    let faults = faults_of("\"0.1.0\"", "\"one\"");
    assert_eq!(faults.list.len(), 1, "{faults}");
    assert!(faults.to_string().contains("error[bad-version]: `one` is not a version"), "{faults}");
}

#[test]
fn a_broken_line_is_one_fault() {
    let faults = faults_of("[counters.gold]\n", "[counters.gold\n");
    assert_eq!(faults.list.len(), 1, "{faults}");
    assert_eq!(faults.list[0].code, "syntax");
}

#[test]
fn files_outside_a_pack_and_twins_are_reported() {
    let mut files = FILES.to_vec();
    files.extend([
        ("scripts/demo/Cards.luau", "return {}"),
        ("content/demo/deep/cards.toml", ""),
        ("elsewhere.toml", ""),
        ("content/demo/cards.toml", ""),
    ]);
    let (_, faults) = read(&pack(&files));
    let found: Vec<(&str, &str)> = faults.list.iter().map(|fault| (fault.code, fault.file.as_str())).collect();
    assert_eq!(
        found,
        [
            ("duplicate-file", "content/demo/cards.toml"),
            ("duplicate-file", "scripts/demo/cards.luau"),
            ("stray-file", "content/demo/deep/cards.toml"),
            ("stray-file", "elsewhere.toml"),
            ("orphan-script", "scripts/demo/Cards.luau"),
        ]
    );
}

/// Changes a text at random: replaces, removes, doubles and swaps bytes; moves lines; inserts pieces of other files.
fn mutate(text: &str, donor: &str, random: &mut impl Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.random_range(1..6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.random_range(0..bytes.len());
        let to = random.random_range(at..bytes.len().min(at + 60));
        match random.random_range(0..7) {
            0 => bytes[at] = random.random(),
            1 => drop(bytes.drain(at..=to)),
            2 => {
                let piece = bytes[at..=to].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => bytes.swap(at, to),
            4 => bytes[at] = b"[]{}=\"'.,#\n_-0"[random.random_range(0..14)],
            5 => {
                let from = random.random_range(0..donor.len());
                let until = donor.len().min(from + random.random_range(0..80));
                bytes.splice(at..at, donor.as_bytes()[from..until].to_vec());
            }
            _ => {
                let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                let (a, b) = (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
                lines.swap(a, b);
                bytes = lines.join(&b'\n');
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_mutation_panics_or_loses_its_place() {
    let mut random = rand::rngs::StdRng::seed_from_u64(7);
    let mut faulty = 0;
    for _ in 0..4000 {
        let mut files = FILES.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let file = random.random_range(0..8);
        let donor = files[random.random_range(0..files.len())].1.clone();
        files[file].1 = mutate(&files[file].1, &donor, &mut random);
        let (all, faults) = read(&Pack::from_files("demo", files));
        faulty += usize::from(faults.has_errors());
        for fault in &faults.list {
            let length = faults.source_of(fault).map_or(0, |source| source.text.len());
            assert!(fault.start <= fault.end && fault.end <= length, "{fault}");
            assert!(fault.line >= 1 && fault.column >= 1, "{fault}");
        }
        assert_indices(&all);
    }
    assert!(faulty > 2000, "only {faulty} of 4000 mutations were found out");
}

/// Asserts facts that other crates rely on, even for a faulty pack.
fn assert_indices(all: &Declarations) {
    let holder = |holder: Holder| match holder {
        Holder::Game | Holder::Player => true,
        Holder::Token(kind) => kind < all.kinds.len(),
        Holder::Cell(grid) => grid < all.grids.len(),
    };
    assert!(all.counters.values().all(|counter| holder(counter.per) && counter.min <= counter.max));
    for zone in all.zones.values() {
        assert!(zone.holds.iter().all(|kind| *kind < all.kinds.len()));
        assert!(zone.refill.into_iter().chain(zone.reshuffle).all(|zone| zone < all.zones.len()));
    }
    for (index, kind) in all.kinds.values().enumerate() {
        assert!(kind.zone.is_none_or(|zone| zone < all.zones.len()));
        assert!(kind.first + kind.len <= all.definitions.len());
        for definition in &all.definitions[kind.first..kind.first + kind.len] {
            assert_eq!(definition.kind, index);
        }
    }
    assert!(all.grids.values().all(|grid| grid.show.iter().all(|counter| *counter < all.counters.len())));
    for phase in all.phases.values() {
        assert!(phase.prompt.is_none_or(|prompt| prompt < all.prompts.len()));
        assert!(phase.first.is_none_or(|counter| counter < all.counters.len()));
    }
}

#[test]
fn faults_quote_hidden_characters_as_marks() {
    let damaged = GAME.replace("[counters.starter]\nper = \"game\"", "[counters.starter]\nper = \"game\\u001b\"");
    assert_ne!(damaged, GAME);
    let (_, faults) = read(&Pack::from_files("demo", [("content/demo/game.toml", damaged)]));
    let text = faults.to_string();
    assert!(text.contains("`game\u{fffd}`"), "{text}");
    assert_eq!(hidden::find_hidden(&text), None, "{text}");
}
