//! Items that declarations alone tell apart.

use motherlode::Game;

use crate::effects::dominance::declared_pairs;
use crate::samples::load;

/// A game of these tools and verbs, none of which is used.
fn tools(tools: &str, attributes: &str) -> Game {
    let game = format!(
        r#"
        name = "Tools"
        version = "1.0.0"
        players = {{ min = 1, max = 1, default = 1 }}
        rounds = 1
        seats = [{{ name = "One" }}]
        [counters.coins]
        per = "player"
        [kinds.tools]
        tokens = false
        hooks = {{ use = ["player"] }}
        [kinds.tools.attributes]
        {attributes}
        [outcome]
        score = "coins"
    "#
    );
    let verbs = r#"
        [earn]
        text = "Earn {n}."
        args = { n = { type = "integer", min = 0, max = 9, better = "more" } }
        [spend]
        text = "Pay {n}."
        cost = true
        args = { n = { type = "integer", min = 0, max = 9 } }
    "#;
    // The script knows the ladder.
    let script = r#"return {
        working = {
            offer = function(player) choice("off") end,
            act = function(player, tool) if tool == "ladder" then gain(player, "coins", 1) end end,
        },
    }"#;
    let verb_script = r#"return {
        earn = { can = function() return true end, run = function(player, n) gain(player, "coins", n) end },
        spend = { can = function() return true end, run = function(player, n) end },
    }"#;
    let content = [
        ("game", game.as_str()),
        ("tools", tools),
        ("verbs", verbs),
        ("phases", "[working]\nturns = \"once\"\nprompt = \"work\"\n"),
        ("prompts", "[work]\ntext = \"What?\"\nlabels = { off = \"Off\" }\n"),
    ];
    load("tools", &content, &[("phases", script), ("verbs", verb_script)])
}

/// `Pick < Drill (cost 3 > 2)`, or `Pick = Drill (...)` without a declared direction.
fn pairs(game: &Game) -> Vec<String> {
    let name = |index: usize| &game.declarations().definitions[index].name;
    let text = |pair: &crate::effects::dominance::DeclaredPair| {
        let relation = if pair.is_worse { "<" } else { "=" };
        format!("{} {relation} {} ({})", name(pair.definition), name(pair.than), pair.differences)
    };
    declared_pairs(game).iter().map(text).collect()
}

const DIRECTED: &str = r#"
    price = { type = "integer", min = 0, max = 9, better = "less" }
    yields = { type = "amounts", values = ["gold", "iron"], better = "more", default = {} }
    colour = { type = "text", values = ["red", "blue"], default = "red" }
"#;

#[test]
fn a_dearer_tool_with_no_better_number_is_dominated() {
    let game = tools(
        r#"
        pick = { name = "Pick", price = 3, yields = { gold = 1 } }
        drill = { name = "Drill", price = 2, yields = { gold = 1, iron = 1 } }
        lamp = { name = "Lamp", price = 1 }
        rope = { name = "Rope", price = 9, colour = "blue" }
        ladder = { name = "Ladder", price = 9 }
    "#,
        DIRECTED,
    );
    // The lamp is cheaper and yields less, the rope has another colour, the script names the ladder.
    assert_eq!(pairs(&game), ["Pick < Drill (price 3 > 2, yields iron 0 < 1)"]);
}

#[test]
fn verbs_count_as_far_as_their_arguments_have_a_direction() {
    let game = tools(
        r#"
        pick = { name = "Pick", price = 1, use = [{ spend = 2 }, { earn = 3 }] }
        drill = { name = "Drill", price = 1, use = [{ spend = 1 }, { earn = 3 }] }
        auger = { name = "Auger", price = 1, use = [{ spend = 3 }, { earn = 4 }] }
        lever = { name = "Lever", price = 1, use = [{ earn = 9 }] }
    "#,
        DIRECTED,
    );
    assert_eq!(pairs(&game), ["Pick < Drill (n of spend 2 > 1)"]);
}

#[test]
fn a_number_without_a_direction_makes_a_pair() {
    let cards = "pick = { name = \"Pick\", price = 3 }\ndrill = { name = \"Drill\", price = 2 }\n";
    let game = tools(cards, "price = { type = \"integer\", min = 0, max = 9 }");
    assert_eq!(pairs(&game), ["Pick = Drill (price 3 > 2)"]);
}
