//! Tests of families, `like`, products, and counters whose values number objects.

use crate::declare::*;
use crate::{Pack, SourceFile, read};

const GAME: &str = r#"
name = "Demo"
version = "0.1.0"
players = { min = 2, max = 3 }
seats = [{ name = "Ann" }, { name = "Bob" }, { name = "Cid" }]
outcome = { score = "gold", rank = ["raw.gold"] }

[counters.gold]
per = "player"
[counters.raw]
text = "Raw {minerals}"
per = ["player", "minerals"]
start = 1
max = 9
[counters.ore]
like = "raw"
per = ["board", "minerals"]
[counters.left]
per = ["game", "cards"]
[counters.wear]
per = "cards"
[counters.chief]
per = "game"
values = "player"
start = 1
[counters.spot]
per = "player"
values = "board"
[counters.leader]
per = "game"
values = "token"
[counters.notes]
per = "game"
internal = true

[zones.deck]
text = "Deck of {minerals}"
per = ["game", "minerals"]
holds = ["cards", "spells"]
reshuffle = "waste"
visible = "count"
[zones.waste]
like = "deck"
text = "Waste"
visible = "public"
reshuffle = "hand"
[zones.hand]
per = "game"
holds = "cards"

[grids.board]
shape = "square"
columns = 3
rows = 2
show = ["ore"]

[kinds.minerals]
tokens = false
[kinds.cards]
zone = "deck.gold"
product = { suit = { clubs = "Clubs", hearts = "Hearts" }, rank = "2..4" }
name = "{rank} of {suit}"
[kinds.cards.attributes]
suit = { type = "text", values = ["clubs", "hearts"] }
rank = { type = "integer", min = 2, max = 14 }
price = { type = "amounts", of = "counter", default = {} }
[kinds.cards.hooks]
play = ["player"]
[kinds.spells]
like = "cards"
product = { suit = ["clubs"], rank = [2, 14], of = "minerals" }
name = "{of}: {rank:point|points}"
[kinds.spells.attributes]
of = { type = "minerals" }
"#;
const PHASES: &str = "[one]\noffer = { cells = 'ore.iron', equals = 1 }\nprompt = 'where'\nfirst = 'gilt'\n";
const MINERALS: &str = "[gold]\nname = 'Gold'\n[iron]\nname = 'Iron'\n";

fn pack(game: &str, cards: &str) -> Pack {
    let file = |stem: &str, text: &str| (format!("content/demo/{stem}.toml"), text.to_owned());
    let game = game.replace("[zones.deck]", "[counters.gilt]\nper = 'game'\nmin = 1\nmax = 3\nstart = 1\n[zones.deck]");
    Pack::from_files(
        "demo",
        [
            file("game", &game),
            file("phases", PHASES),
            file("prompts", "[where]\ntext = 'Where?'\nchoices = 'board'\n"),
            file("texts", "raised = '{1:counter raw.gold} {2:counter chief}'\n"),
            file("minerals", MINERALS),
            file("cards", cards),
        ],
    )
}

fn demo() -> Declarations {
    let (declared, faults) = read(&pack(GAME, "[clubs_3]\nname = 'Lucky three'\nprice = { raw.iron = 2, gold = 1 }\n"));
    assert!(faults.list.is_empty(), "{faults}");
    declared
}

fn faults(from: &str, to: &str) -> Vec<String> {
    assert!(GAME.contains(from), "{from}");
    let (_, faults) = read(&pack(&GAME.replacen(from, to, 1), "[clubs_3]\nname = 'Three'\n"));
    faults.list.iter().map(|one| format!("{}: {}", one.code, one.message)).collect()
}

#[test]
fn members_are_counters_like_any_other() {
    let d = demo();
    let names: Vec<&str> = d.counters.keys().map(String::as_str).filter(|name| name.contains(MEMBER)).collect();
    let cards = ["clubs_2", "clubs_3", "clubs_4", "hearts_2", "hearts_3", "hearts_4"].map(|id| format!("left.{id}"));
    assert_eq!(names[..4], ["raw.gold", "raw.iron", "ore.gold", "ore.iron"]);
    assert_eq!(names[4..], cards);
    let family = d.counter_families["raw"];
    assert_eq!((family.kind, family.len), (0, 2));
    assert_eq!(d.counters.get_index(family.first).unwrap().0, "raw.gold");
    let iron = &d.counters["raw.iron"];
    assert_eq!(
        (iron.per, iron.max, &iron.start, iron.text.as_str()),
        (Holder::Player, 9, &Amount::Number(1), "Raw iron")
    );
    assert_eq!(d.counters["left.hearts_2"].text, "Left: 2 of Hearts");
    assert_eq!(d.outcome.rank, [RankKey { counter: d.counters.get_index_of("raw.gold").unwrap(), least: false }]);
    let ore = d.counters.get_index_of("ore.iron").unwrap();
    assert_eq!(d.phases["one"].offer, Some(Offer::Cells { counter: ore, equals: 1 }));
    assert_eq!(d.grids["board"].show, [ore - 1, ore]);
    let lucky = d.definitions.iter().find(|one| one.id == "clubs_3").unwrap();
    let price = [("raw.iron".to_owned(), Value::Integer(2)), ("gold".to_owned(), Value::Integer(1))];
    assert_eq!(lucky.attributes[2], Value::Map(price.into_iter().collect()));
}

#[test]
fn members_of_zones_are_filled_from_their_own() {
    let d = demo();
    assert_eq!(d.zones.keys().collect::<Vec<_>>(), ["deck.gold", "deck.iron", "waste.gold", "waste.iron", "hand"]);
    assert_eq!((d.zones["deck.gold"].reshuffle, d.zones["deck.iron"].reshuffle), (Some(2), Some(3)));
    assert_eq!(d.zones["waste.iron"].reshuffle, Some(4));
    assert_eq!(
        (d.zones["deck.iron"].text.as_str(), d.zones["waste.iron"].text.as_str()),
        ("Deck of iron", "Waste: Iron")
    );
    assert_eq!((d.zones["waste.gold"].visible, d.zones["waste.gold"].holds.len()), (Visibility::Public, 2));
    assert_eq!(d.kinds["spells"].zone, Some(0));
}

#[test]
fn like_inherits_unset_keys() {
    let d = demo();
    let ore = &d.counters["ore.gold"];
    assert_eq!((ore.per, ore.max, ore.text.as_str()), (Holder::Cell(0), 9, "Raw gold"));
    let (cards, spells) = (d.kinds.get_index_of("cards").unwrap(), d.kinds.get_index_of("spells").unwrap());
    assert_eq!(d.kinds["spells"].attributes.keys().collect::<Vec<_>>().len(), 4);
    assert!(d.kinds["spells"].hooks.contains_key("play"));
    let wear = d.counters["wear"].per;
    assert!(d.is_of(wear, cards) && d.is_of(wear, spells) && !d.is_of(Holder::Token(spells), cards));
    assert_eq!((d.tokens_of(cards), d.tokens_of(spells)), (10, 4));
}

#[test]
fn like_does_not_inherit_conflicting_keys() {
    let (d, faults) = read(&pack(
        &GAME.replace(
            "[counters.left]",
            "[counters.kept]\nlike = 'raw'\nvalues = ['no', 'yes']\ninternal = true\n[counters.left]",
        ),
        "[clubs_3]\nname = 'Three'\n",
    ));
    assert!(faults.list.is_empty(), "{faults}");
    let kept = &d.counters["kept.iron"];
    assert_eq!((kept.max, &kept.start, kept.internal), (1, &Amount::Number(0), true));
}

#[test]
fn products_make_definitions() {
    let d = demo();
    let of = |kind: &str| d.definitions_of(d.kinds.get_index_of(kind).unwrap());
    let shown: Vec<(&str, &str)> = of("cards").iter().map(|one| (one.id.as_str(), one.name.as_str())).collect();
    assert_eq!(shown[..3], [("clubs_2", "2 of Clubs"), ("clubs_3", "Lucky three"), ("clubs_4", "4 of Clubs")]);
    assert_eq!(shown[5], ("hearts_4", "4 of Hearts"));
    assert_eq!(of("cards")[3].attributes[..2], [Value::Text("hearts".into()), Value::Integer(2)]);
    let spells: Vec<&str> = of("spells").iter().map(|one| one.id.as_str()).collect();
    assert_eq!(spells, ["clubs_2_gold", "clubs_2_iron", "clubs_14_gold", "clubs_14_iron"]);
    assert_eq!(of("spells")[3].name, "Iron: 14 points");
}

#[test]
fn a_product_may_set_a_pattern_for_ids() {
    let to = "product = { rank = \"2..3\", suit = [\"clubs\"] }\nid = \"{suit}_{rank}\"\nname";
    let game =
        GAME.replacen("product = { suit = { clubs = \"Clubs\", hearts = \"Hearts\" }, rank = \"2..4\" }\nname", to, 1);
    let (d, found) = read(&pack(&game, "[clubs_3]\nname = 'Three'\n"));
    assert!(found.list.is_empty(), "{found}");
    let cards = d.definitions_of(d.kinds.get_index_of("cards").unwrap());
    assert_eq!(cards.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["clubs_2", "clubs_3"]);
    let found = faults("name = \"{rank} of {suit}\"", "id = \"{suit}\"\nname = \"{rank} of {suit}\"");
    assert!(
        found.contains(&"duplicate: the product of kind `cards` makes the id `clubs` twice".to_owned()),
        "{found:?}"
    );
    let found = faults("name = \"{rank} of {suit}\"", "id = \"{sort}_{rank}\"\nname = \"{rank} of {suit}\"");
    assert!(found.iter().any(|one| one.starts_with("bad-placeholder: unknown placeholder `{sort}`")), "{found:?}");
}

#[test]
fn counters_may_mean_things() {
    let d = demo();
    let of = |name: &str| (d.counters[name].means, d.counters[name].max);
    assert_eq!(of("chief"), (Domain::Player, 3));
    assert_eq!(of("spot"), (Domain::Cell(0), 6));
    assert_eq!(of("leader"), (Domain::Token, 10));
    assert_eq!(of("gilt"), (Domain::Player, 3), "a counter that begins a phase means a player");
    assert!(d.counters["notes"].internal);
    assert_eq!((d.counters["notes"].visible, d.counters["notes"].redeal), (Visibility::Nobody, Some(Redeal::Keep)));
}

#[test]
fn faults_of_families() {
    let per = "per = [\"player\", \"minerals\"]";
    assert_eq!(
        faults(per, "per = ['player', 'mineral']"),
        ["unknown-kind: unknown kind `mineral` for `per` in counter `raw`"]
    );
    let found = faults(per, "per = ['players', 'minerals']");
    assert!(found.contains(&"unknown-kind: unknown kind or grid `players` for `per` in counter `raw`".to_owned()));
    let found = faults(per, "per = ['player', 'minerals', 'cards']");
    assert!(found.iter().any(|one| one.ends_with("must be a holder, or a holder and a kind, not a list of 3")));
    assert_eq!(faults("\"raw.gold\"", "\"raw\""), ["unknown-counter: unknown counter `raw` for `rank` in outcome"]);
    assert_eq!(
        faults("Raw {minerals}", "Raw {mineral}")[0],
        "bad-placeholder: unknown placeholder `{mineral}` in `text` in counter `raw`"
    );
    assert_eq!(
        faults("reshuffle = \"hand\"", "reshuffle = \"waste\""),
        ["conflict: `reshuffle` in zone `waste` cannot be the zone itself"]
    );
}

#[test]
fn too_large_families_are_refused() {
    let game = GAME
        .replace("columns = 3\nrows = 2", "columns = 100\nrows = 100")
        .replace("[counters.left]\nper = [\"game\", \"cards\"]", "[counters.left]\nper = [\"board\", \"cards\"]")
        .replace("rank = \"2..4\"", "rank = \"2..9\"");
    let (_, faults) = read(&pack(&game, "[clubs_3]\nname = 'Three'\n"));
    let found: Vec<String> = faults.list.iter().map(|one| one.message.clone()).collect();
    assert_eq!(found, ["family `left` has 16 members for 10000 holders; at most 100000 in all are allowed"]);
}

#[test]
fn faults_of_like() {
    assert_eq!(
        faults("like = \"raw\"", "like = \"rew\"")[0],
        "unknown-counter: unknown counter `rew` for `like` in counter `ore`"
    );
    assert_eq!(
        faults("like = \"raw\"", "like = \"ore\"")[0],
        "conflict: `like` in counter `ore` cannot be the counter itself"
    );
    let circle = faults("[counters.raw]\n", "[counters.raw]\nlike = \"ore\"\n");
    assert!(circle.contains(&"conflict: `like` of counter `raw` forms a cycle".to_owned()), "{circle:?}");
    assert_eq!(faults("like = \"raw\"", "like = 3").iter().filter(|one| one.starts_with("wrong-type")).count(), 1);
    // A fault in an inherited value is reported once.
    assert_eq!(faults("max = 9", "max = 'x'"), ["wrong-type: `max` in counter `raw` must be a whole number, not text"]);
}

#[test]
fn long_chains_of_like_are_refused() {
    let chain = |links: usize| {
        let counters: String = (1..=links).map(|n| format!("[counters.c{n}]\nlike = \"c{}\"\n", n - 1)).collect();
        let game = GAME.replace("[counters.raw]", &format!("{counters}[counters.c0]\nper = \"game\"\n[counters.raw]"));
        read(&pack(&game, "")).1.list.into_iter().filter(|one| one.message.contains("forms a chain longer")).count()
    };
    assert_eq!(chain(100), 0);
    assert_eq!(chain(101), 1);
    // The faults of a long chain are limited.
    assert_eq!(chain(1500), 100);
}

#[test]
fn too_many_attribute_values_are_refused() {
    let attributes: String = (0..1500).map(|n| format!("a{n} = {{ type = \"boolean\", default = true }}\n")).collect();
    let many = |definitions: usize| {
        let game = format!("{}\n[kinds.many]\n[kinds.many.attributes]\n{attributes}", GAME);
        let mut pack = pack(&game, "");
        let text: String = (0..definitions).map(|n| format!("[d{n}]\n")).collect();
        pack.files.push(SourceFile { path: "content/demo/many.toml".into(), text });
        let (declarations, faults) = read(&pack);
        let told =
            faults.list.iter().any(|one| one.message == "the definitions have more than 500000 attribute values");
        (declarations.definitions.len() >= definitions, told)
    };
    assert_eq!(many(300), (true, false));
    assert_eq!(many(400), (false, true));
}

#[test]
fn faults_of_products() {
    let axis = "rank = \"2..4\"";
    for (to, expected) in [
        (
            "rank = \"2-4\"",
            "unknown-kind: `2-4` for `rank` in `product` in kind `cards` is neither a kind nor a range of numbers",
        ),
        ("rank = []", "empty: `rank` in `product` in kind `cards` is empty"),
        ("rank = [2, 2]", "duplicate: `2` is listed twice in `rank` in `product` in kind `cards`"),
        (
            "rank = 2",
            "wrong-type: `rank` in `product` in kind `cards` must be a list, a range such as \"2..14\", or a kind",
        ),
        ("rank = \"1..600\"", "too-large: `product` in kind `cards` makes 1200 definitions; at most 1000 are allowed"),
        ("rank = \"1..2\"", "unknown-value: `1` for `rank` in the product of kind `cards` is not from 2 to 14"),
        ("rank = [2], level = [1]", "unknown-attribute: unknown attribute `level` in `product` in kind `cards`"),
    ] {
        let found = faults(axis, to);
        assert!(found.contains(&expected.to_owned()), "{to}: {found:?}");
    }
    let found = faults("suit = { clubs = \"Clubs\", hearts = \"Hearts\" }, rank = \"2..4\"", "rank = \"2..4\"");
    assert!(
        found
            .contains(&"bad-name: the product of kind `cards` makes the id `2`, which is not in snake_case".to_owned())
    );
    assert!(
        found
            .contains(&"missing-key: the product of kind `cards` does not set `suit`, which has no default".to_owned())
    );
    let found = faults("\"{rank} of {suit}\"", "\"{rang} of {suit}\"");
    assert!(found[0].starts_with("bad-placeholder"), "{found:?}");
}

#[test]
fn a_value_that_is_too_large_hides_no_other_fault() {
    let found = faults("rank = \"2..4\"", "rank = \"1..600\" }\ncolour = { a = 1");
    for code in ["too-large: ", "unknown-key: "] {
        assert!(found.iter().any(|fault| fault.starts_with(code)), "{code}{found:?}");
    }
}

#[test]
fn faults_of_offsets() {
    let kind = "[kinds.sides]\ntokens = false\n";
    let attributes =
        "attributes = { down = { type = 'integer', min = 0, max = 1 }, name_of = { type = 'text' } }\n[zones.deck]";
    for (offset, expected) in [
        ("['down', 'down']", None),
        ("['down']", Some("wrong-type: `offset` in kind `sides` must have two attributes, not 1")),
        ("['down', 'rigt']", Some("unknown-attribute: unknown attribute `rigt` for `offset` in kind `sides`")),
        (
            "['down', 'name_of']",
            Some("wrong-type: `name_of` in `offset` in kind `sides` must be an attribute of type `integer`"),
        ),
    ] {
        let found = faults("[zones.deck]", &format!("{kind}offset = {offset}\n{attributes}"));
        let of_offset: Vec<&String> = found.iter().filter(|fault| fault.contains("`offset`")).collect();
        assert_eq!(of_offset, expected.iter().collect::<Vec<_>>(), "{found:?}");
    }
}

#[test]
fn faults_of_values_and_internal() {
    let found = faults("values = \"board\"", "values = \"bord\"");
    assert_eq!(found, ["unknown-kind: unknown kind or grid `bord` for `values` in counter `spot`"]);
    let found = faults("values = \"board\"", "values = \"board\"\nstart = 2\nmax = 3");
    assert!(
        found.contains(&"conflict: `max` in counter `spot` cannot be set: the counter has `values`".to_owned()),
        "{found:?}"
    );
    assert!(found.iter().any(|one| one.contains("`start` in counter `spot` cannot be set")), "{found:?}");
    let found = faults("internal = true", "internal = true\nvisible = \"owner\"\nredeal = \"pool\"");
    assert_eq!(found.iter().filter(|one| one.contains("has no effect")).count(), 2, "{found:?}");
    let found = faults("show = [\"ore\"]", "show = [\"ore\"]\n[counters.hid]\nper = \"board\"\ninternal = true");
    assert!(found.is_empty(), "{found:?}");
    let amounts = |price: &str| {
        let (_, faults) = read(&pack(GAME, &format!("[clubs_3]\nprice = {price}\n")));
        faults.list.iter().map(|one| one.to_string()).collect::<Vec<_>>()
    };
    assert!(amounts("{ raw = 1 }")[0].ends_with("help: `raw` is a family: write `raw.<id> = 1`"));
    assert!(amounts("{ raw.irn = 1 }")[0].ends_with("help: did you mean `raw.iron`?"));
    assert!(amounts("{ \"raw.iron\" = 1 }").is_empty());
    assert!(amounts("{ ore.iron = 1 }")[0].ends_with("`ore.iron` is a counter, but not a player counter"));
}
