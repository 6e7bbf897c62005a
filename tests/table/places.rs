//! Where choices lie: by what they are, and by what `look.toml` declares.

use motherlode::{Game, Match};

use motherlode_table::{CellTarget, ChoiceTarget, ChoiceView, Faces, PlaceTarget, View};

use crate::shipped::{Variant, load_texts};

const GAME: &str = r#"
name = "Quarry"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
[counters]
won = { per = "player" }
ship = { per = "player", max = 2, start = 2 }
foe = { per = "player", values = "player" }
goods = { per = ["player", "stones"], start = 2, text = "{stones}" }
used = { per = "yard" }
[zones]
bag = { per = "game", holds = "tiles", visible = "count" }
pit = { per = ["game", "shafts"], holds = "tiles", text = "{shafts}" }
hand = { per = "player", holds = "tiles", visible = "owner" }
[grids.yard]
shape = "square"
columns = 2
rows = 2
names = "spots"
show = "used"
[kinds]
stones = { tokens = false }
shafts = { tokens = false }
tiles = { zone = "bag" }
[kinds.spots]
tokens = false
attributes = { island = { type = "integer", min = 1, max = 2 }, act = { type = "text" } }
[kinds.spaces]
tokens = false
attributes = { shaft = { type = "shafts" }, level = { type = "integer", min = 1, max = 2 } }
[outcome]
score = "won"
"#;
const SPOTS: &str = "a = { name = \"A\", island = 1, act = \"dig\" }\n\
    b = { name = \"B\", island = 1, act = \"rest\" }\nc = { name = \"C\", island = 2, act = \"dig\" }\n\
    d = { name = \"D\", island = 2, act = \"rest\" }\n";
const PROMPTS: &str = r#"
[act]
text = "What?"
choices = "spots"
labels = { dig = "Dig", home = "Home", done = "Done" }
[island]
text = "Which island?"
choices = "1..2"
[many]
text = "How many of {1:stones}?"
choices = "0..2"
[theirs]
text = "What do you break?"
choices = "stones"
[space]
text = "Where?"
choices = "spaces"
[shaft]
text = "Which shaft?"
choices = "shafts"
"#;
const LOOK: &str = r#"
[kinds.spaces]
pile = "pit"
at = "level"
[choices]
act = { kind = "spots", where = { act = "choice", island = "ship" }, labels = { home = "hand" } }
island = { kind = "spots", where = { island = "choice" } }
many = { on = "goods" }
theirs = { on = "goods", of = "foe" }
"#;
const SCRIPT: &str = r#"
return {
    play = {
        turn = function(player)
            set(player, "foe", 2)
            choice("dig") choice("home") choice("done")
            ask(player, "act")
            choice_numbers(1, 2)
            ask(player, "island")
            choice_numbers(1, 2)
            ask(player, "many", 2)
            choice(1) choice(2)
            ask(player, "theirs")
            choice(1) choice(2) choice(3)
            ask(player, "space")
            choice(1) choice(2)
            ask(player, "shaft")
        end,
    },
}
"#;
const SETUP: &str = r#"
return {
    setup = function()
        draw("bag", game, "pit.north", game)
        draw("bag", game, "pit.north", game)
    end,
}
"#;

fn game() -> Game {
    let spaces = "n1 = { name = \"N1\", shaft = \"north\", level = 1 }\n\
        n2 = { name = \"N2\", shaft = \"north\", level = 2 }\ns1 = { name = \"S1\", shaft = \"south\", level = 1 }\n";
    let content = [
        ("game", GAME),
        ("spots", SPOTS),
        ("stones", "lime = { name = \"Lime\" }\nslate = { name = \"Slate\" }\n"),
        ("shafts", "north = { name = \"North\" }\nsouth = { name = \"South\" }\n"),
        ("spaces", spaces),
        ("tiles", "vein = { name = \"Vein\", copies = 4 }\n"),
        ("phases", "[play]\nturns = \"around\"\n"),
        ("prompts", PROMPTS),
        ("look", LOOK),
    ];
    load_texts("quarry", &content, &[("phases", SCRIPT), ("game", SETUP)])
}

/// The choices of the present question.
fn choices(game: &Game, played: &Match) -> Vec<ChoiceView> {
    View::of(played, &Faces::new(game), Some(0)).question.unwrap().choices
}

fn cells(names: &[&str]) -> ChoiceTarget {
    let cell = |name: &&str| CellTarget { board: "yard".into(), seat: None, cell: (*name).into() };
    ChoiceTarget::Places(names.iter().map(|name| PlaceTarget::Cell(cell(name))).collect())
}

fn pile(zone: &str, seat: Option<u8>, at: Option<usize>) -> ChoiceTarget {
    ChoiceTarget::Places(vec![PlaceTarget::Pile { zone: zone.into(), seat, at }])
}

fn goods(member: &str, seat: u8) -> ChoiceTarget {
    ChoiceTarget::Places(vec![PlaceTarget::Counter { counter: format!("goods.{member}"), seat: Some(seat) }])
}

#[test]
fn choices_lie_where_the_look_says() {
    let game = game();
    let mut played = Match::new(&game, &game.setup(None, &[], 3).unwrap()).unwrap();
    let on = |played: &Match| -> Vec<ChoiceTarget> { choices(&game, played).into_iter().map(|one| one.on).collect() };
    assert_eq!(on(&played), [cells(&["a2"]), pile("hand", Some(0), None), ChoiceTarget::Nothing], "ship at island 2");
    played.answer(0).unwrap();
    assert_eq!(on(&played), [cells(&["a1", "b1"]), cells(&["a2", "b2"])]);
    assert_eq!(choices(&game, &played)[1].typed, "2", "a number with a place is typed as itself");
    played.answer(0).unwrap();
    assert_eq!(on(&played), [goods("slate", 0), goods("slate", 0)], "the stone that the question names");
    played.answer(0).unwrap();
    assert_eq!(on(&played), [goods("lime", 1), goods("slate", 1)], "those of the foe");
}

#[test]
fn definitions_lie_in_their_piles_and_say_what_lies_there() {
    let game = game();
    let mut played = Match::new(&game, &game.setup(None, &[], 3).unwrap()).unwrap();
    for _ in 0..4 {
        played.answer(0).unwrap();
    }
    let spaces = choices(&game, &played);
    let on: Vec<&ChoiceTarget> = spaces.iter().map(|one| &one.on).collect();
    let place = |shaft: &str, at: usize| pile(&format!("pit.{shaft}"), None, Some(at));
    assert_eq!(on, [&place("north", 0), &place("north", 1), &place("south", 0)]);
    assert_eq!((spaces[0].note.as_str(), spaces[0].face.as_deref()), ("Vein", Some("tiles.vein")));
    assert_eq!(spaces[2].note, "", "nothing lies there");
    played.answer(0).unwrap();
    let shafts = choices(&game, &played);
    assert_eq!(shafts[1].on, pile("pit.south", None, None));
    assert_eq!(shafts.iter().map(|one| one.note.as_str()).collect::<Vec<_>>(), ["Vein, Vein", "empty"]);
}

#[test]
fn charges_lie_on_the_buildings_of_their_target() {
    let variant = Variant::of("photon", 3, &[]);
    let mut found = false;
    for seed in 0..40 {
        let mut m = variant.begin(seed);
        let mut number = seed;
        while let Some(decision) = m.pending().first().copied() {
            if decision.prompt(variant.game()) == "destroy" {
                let view = View::of(&m, &Faces::new(variant.game()), Some(decision.seat));
                for choice in view.question.unwrap().choices {
                    let ChoiceTarget::Places(places) = &choice.on else { panic!("{choice:?}") };
                    let is_other = |place: &PlaceTarget| matches!(place, PlaceTarget::Counter { seat: Some(seat), .. } if *seat != decision.seat);
                    assert!(!places.is_empty() && places.iter().all(is_other), "{choice:?}");
                    found = true;
                }
            }
            let legal = m.legal_of(decision.seat).unwrap().len();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            m.answer_as(decision.seat, (number >> 33) as usize % legal).unwrap();
        }
    }
    assert!(found, "no charge was asked for");
}
