//! Explanations of current values, and the hooks of a list.

use motherlode::Match;
use motherlode::declare::ModifierLayer;
use motherlode::tools::AppliedChange;

use super::*;
use motherlode_fixtures::pack;

const GAME: &str = r#"
name = "Kings"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
counters.gold = { per = "player" }
zones.deck = { per = "game", holds = "cards", visible = "count" }
zones.field = { per = "game", holds = "cards" }
[kinds.cards]
zone = "deck"
active = "field"
hooks = { step = ["player"] }
lists = { step = 3 }
attributes = { attack = { type = "integer", default = 1 }, flying = { type = "boolean", default = false } }
[outcome]
score = "gold"
"#;

const CARDS: &str = r#"
[bear]
name = "Bear"
attack = 2
copies = 2
step = [[{ gain = { gold = 1 } }], "script"]
[king]
name = "King"
modifies = [{ of = { id = "bear" }, add = { attack = 1 }, set = { flying = true } }]
[curse]
name = "Curse"
modifies = [{ of = { id = "bear" }, set = { attack = 0 } }]
"#;

/// The game with a script of its cards.
fn kings(cards: &str, cards_luau: &str) -> Result<Game, motherlode::Diagnostics> {
    let script = "return { p = { run = function()
        for n = 1, 2 do run(1, in_list(\"step\", n), n) end
        assert(get(1, \"gold\") == 1 and get(2, \"gold\") == 5)
        assert(has_hook(1, in_list(\"step\", 2)) and not has_hook(1, in_list(\"step\", 3)))
        for _, token in { 1, 3, 4 } do move(token, \"field\") end
        choose(1, \"pick\", { \"done\", \"more\" })
    end } }";
    let prompts = "[pick]\ntext = '?'\nlabels = { done = 'Done', more = 'More' }\n";
    let content = [("game", GAME), ("cards", cards), ("phases", "[p]\n"), ("prompts", prompts)];
    Game::load(&pack("kings", &content, &[("phases", script), ("cards", cards_luau)]))
}

const STEP: &str = "return { bear = { step_2 = function(_, player) gain(player, \"gold\", 5) end } }";

#[test]
fn a_hook_of_a_script_is_in_the_toml_and_the_other_way_round() {
    let faults = |cards: &str, script: &str| kings(cards, script).unwrap_err().to_string();
    let without = CARDS.replace(", \"script\"]", "]");
    assert_eq!(
        faults(&without, STEP),
        "scripts/kings/cards.luau:1:1: error[unwritten-hook]: `bear` has a function `step_2`, but cards.toml does not say so; help: write \"script\" \
         at place 2 of `step` in `[bear]` of cards.toml, or remove the function"
    );
    assert_eq!(
        faults(CARDS, "return {}"),
        "content/kings/cards.toml:2:2: error[missing-script]: `bear` has \"script\" at place 2 of `step`, but no function `step_2`; help: write \
         `step_2 = function(token, player) ... end` under `bear` in cards.luau, or remove the word here"
    );
    let faults = |game: &str, cards: &str| {
        let content = [("game", game), ("cards", cards), ("phases", "[p]\n")];
        let scripts = [("phases", "return { p = { run = function() end } }"), ("cards", "return {}")];
        Game::load(&pack("kings", &content, &scripts)).unwrap_err().to_string()
    };
    let game = GAME.replace("lists = { step = 3 }", "scripted = [\"step\"]");
    let cards = "[bear]\nname = \"Bear\"\nstep = [{ gain = { gold = 1 } }]\n[king]\nname = \"King\"\n";
    assert_eq!(
        faults(&game, cards),
        "content/kings/cards.toml:4:2: error[missing-script]: `king` has no function `step`, which is in `scripted` of kind `cards`; help: write \
         `step = function(token, player) ... end` under `king` in cards.luau, or `step = []` here"
    );
}

#[test]
fn a_token_is_explained_by_the_modifiers_behind_its_values() {
    let game = kings(CARDS, STEP).unwrap_or_else(|faults| panic!("{faults}"));
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let d = game.declarations();
    let found = m.explain_token(Some(1), 1).unwrap();
    let name = |attribute: usize| d.read_attributes.get_index(attribute).unwrap().0.as_str();
    let values: Vec<(&str, i32, i32)> = found.values.iter().map(|(at, was, is)| (name(*at), *was, *is)).collect();
    assert_eq!(values, [("flying", 0, 1), ("attack", 2, 1)]);
    let change = |one: &AppliedChange| {
        (name(one.attribute).to_owned(), d.modifiers[one.modifier].name.as_str(), one.layer, one.source, one.value)
    };
    assert_eq!(
        found.changes.iter().map(change).collect::<Vec<_>>(),
        [
            ("flying".to_owned(), "king.modifies", ModifierLayer::Set, 3, 1),
            ("attack".to_owned(), "curse.modifies", ModifierLayer::Set, 4, 0),
            ("attack".to_owned(), "king.modifies", ModifierLayer::Add, 3, 1),
        ]
    );
    assert_eq!(m.explain_token(Some(1), 2), None, "it lies in the deck");
    assert!(m.explain_token(None, 2).is_some());
}
