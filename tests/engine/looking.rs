//! Read-only hooks (`applies`, `order`, `skip`, `offer`) change nothing. Errors of sealed phases name the right lines.

use super::*;

const DEMO: &str = r#"
[kinds.cards]
text = "Cards"
zone = "deck"
[zones.deck]
per = "game"
holds = "cards"
[zones.hand]
per = "player"
holds = "cards"
"#;
const PHASES: &str = "[p]\nname = \"P\"\nturns = \"once\"\nprompt = \"pick\"\n";
const TEXTS: &str = "said = \"Said.\"\n";

/// The error of a game whose hook of this name runs this code on line 4 of the script.
fn hook(name: &str, does: &str) -> String {
    let others = if name == "offer" { "" } else { "offer = function() choice(\"done\") end," };
    let script = format!(
        "local function f(x)\n    return x\nend\nreturn {{ p = {{ {name} = function(p)\n    f({does})\n    choice(\"done\")\nend, {others} act = function() end }} }}"
    );
    error(&Pieces { game: DEMO, phases: PHASES, texts: TEXTS, phases_luau: &script, ..Pieces::default() }, 2)
}

#[test]
fn read_only_hooks_cannot_write() {
    let only = "only `start`, `run`, `turn`, `act` and `finish` of a phase may";
    for name in ["applies", "order", "skip", "offer"] {
        for (does, what) in [
            ("set(1, \"gold\", 9)", "set counter `gold` of Ada"),
            ("gain(game, \"log\", 1)", "set counter `log` of"),
            ("pay(2, \"gold\", 1)", "set counter `gold` of Bob"),
            ("move(1, \"hand\", 1)", "call `move`"),
            ("move_under(1, \"deck\")", "call `move_under`"),
            ("draw(\"deck\", nil, \"hand\", 1)", "call `draw`"),
            ("shuffle(\"deck\")", "call `shuffle`"),
            ("random(6)", "call `random`"),
            ("turn_up(1)", "call `turn_up`"),
            ("turn_down(1)", "call `turn_down`"),
            ("show(1, 1)", "call `show`"),
            ("eliminate(1)", "call `eliminate`"),
            ("pass(1)", "call `pass`"),
            ("end_phase()", "call `end_phase`"),
            ("end_game(\"said\")", "call `end_game`"),
            ("end_after_round()", "call `end_after_round`"),
            ("log(\"said\")", "call `log`"),
            ("log_to(1, \"said\")", "call `log_to`"),
        ] {
            let said = hook(name, does);
            let whole = format!("phases.luau:5: `{name}` must not {what}");
            assert!(said.contains(&whole) && said.contains(only), "{name}, {does}: {said}");
            assert!(said.contains(&format!("(in `p.{name}` of `pieces`")), "{said}");
        }
    }
}

#[test]
fn read_only_hooks_cannot_write_indirectly() {
    for does in ["pcall(set, 1, \"gold\", 9) pcall(move, 1, \"hand\", 1) error(\"late\")", "lib.earn(p)"] {
        let script = format!("return {{ p = {{ offer = function(p)\n{does}\nend, act = function() end }} }}");
        let lib = "return {\n    earn = function(p)\n        gain(p, \"gold\", 1)\n    end,\n}";
        let pieces = Pieces { game: DEMO, phases: PHASES, phases_luau: &script, lib_luau: lib, ..Pieces::default() };
        let said = error(&pieces, 2);
        let expected = if does.contains("lib") {
            "lib.luau:3: `offer` must not set counter `gold`"
        } else {
            "phases.luau:2: late"
        };
        assert!(said.contains(expected), "{said}");
    }
    // A caught write changes nothing.
    let script = "return { p = {
        offer = function(p)
            pcall(move, 1, \"hand\", 1)
            pcall(random, 6)
            choice(\"done\")
        end,
        act = function() end,
    } }";
    let m = Pieces { game: DEMO, phases: PHASES, phases_luau: script, ..Pieces::default() }.play(2);
    assert_eq!((ids(&m, "hand", 1).len(), choices(&m)), (0, vec!["done".to_owned()]));
}

/// The write fails whether or not anybody reads the transcript.
#[test]
fn a_transcript_changes_nothing() {
    let script = "return { p = {
        offer = function(p) if get(p, \"gold\") > 3 then log(\"said\") end choice(\"done\") end,
        act = function(p) gain(p % 2 + 1, \"gold\", 1) end,
    } }";
    let pieces = Pieces { phases: PHASES, texts: TEXTS, phases_luau: script, ..Pieces::default() };
    for logging in [false, true] {
        let mut m = pieces.play(2);
        m.set_logging(logging);
        let said = m.answer(0).unwrap_err().to_string();
        assert!(said.contains("phases.luau:2: `offer` must not call `log`"), "{said}");
    }
}

#[test]
fn an_empty_offer_can_log() {
    let script = "return { p = {
        offer = function(p) if get(p, \"gold\") > 2 + p then choice(\"done\") end end,
        act = function() end,
    } }";
    for turns in ["once", "sealed"] {
        let phases = format!("[p]\nname = \"P\"\nturns = \"{turns}\"\nprompt = \"pick\"\nstuck = \"stuck\"\n");
        let texts = "stuck = \"{1:player} can do nothing.\"\n";
        let script = script.replace("> 2 + p", "> p");
        let pieces = Pieces { phases: &phases, texts, phases_luau: &script, ..Pieces::default() };
        let mut m = pieces.play(4);
        m.set_logging(true);
        answer(&mut m, "done");
        answer(&mut m, "done");
        let log = m.take_log();
        let told: Vec<&str> = log.iter().map(motherlode::Line::text).filter(|line| line.contains("nothing")).collect();
        assert_eq!(told[..2], ["Cy can do nothing.", "Di can do nothing."], "{turns}");
    }
    let faults = |phases: &str, texts: &str| {
        let script = "return { p = { turn = function() end } }";
        Game::load(&Pieces { phases, texts, phases_luau: script, ..Pieces::default() }.pack()).unwrap_err().to_string()
    };
    let said = faults("[p]\nturns = \"once\"\nstuck = \"stuk\"\nprompt = \"pick\"", "stuck = \"No.\"");
    assert!(said.contains("unknown text `stuk`") && said.contains("did you mean `stuck`?"), "{said}");
    let said = faults("[p]\nturns = \"once\"\nstuck = \"stuck\"", "stuck = \"No.\"");
    assert!(said.contains("the phase has no offer"), "{said}");
    let said = faults("[p]\nturns = \"once\"\nstuck = \"stuck\"\nprompt = \"pick\"", "stuck = \"{1:player} {2}\"");
    assert!(said.contains("shows more than the player"), "{said}");
}

/// The error of a sealed turn that runs this code on line 3 of the script.
fn sealed(does: &str) -> String {
    let script = format!("return {{ p = {{ turn = function(p)\n    gain(p, \"gold\", 1)\n    {does}\nend }} }}");
    let phases = "[p]\nname = \"P\"\nturns = \"sealed\"\n";
    error(&Pieces { game: DEMO, phases, texts: TEXTS, phases_luau: &script, ..Pieces::default() }, 2)
}

#[test]
fn faults_of_sealed_hooks_name_their_line() {
    let own = "a hook of a sealed phase may change only what belongs to its player, not";
    for (does, what) in [
        ("gain(3 - p, \"gold\", 1)", "counter `gold` of"),
        ("set(game, \"log\", 1)", "counter `log` of"),
        ("move(1, \"hand\", p)", "token Red"),
        ("draw(\"deck\", game, \"hand\", p)", "zone `deck`"),
        ("turn_up(1)", "token Red"),
        ("pass(p)", "the flow of the game"),
        ("end_game()", "the flow of the game"),
        ("eliminate(p)", "the flow of the game"),
    ] {
        let said = sealed(does);
        assert!(said.contains(&format!("phases.luau:3: {own} {what}")), "{does}: {said}");
    }
    let said = sealed("choose(3 - p, \"pick\", { \"done\", \"more\" })");
    assert!(said.contains("phases.luau:3: a hook of a sealed phase may ask only its own player"), "{said}");
    let said = sealed("gain(p, \"gold\", random(3))");
    assert!(said.contains("phases.luau:3: a hook of a sealed phase cannot draw random numbers"), "{said}");
}

#[test]
fn a_wrong_order_names_the_hook_that_returned_it() {
    for list in ["{ 3 }", "{ 1, 1 }", "5", "\"x\""] {
        let script = format!(
            "return {{\n    p = {{\n        order = function()\n            return {list}\n        end,\n        turn = function() end,\n    }},\n}}"
        );
        let phases = "[p]\nname = \"P\"\nturns = \"once\"\n";
        let said = error(&Pieces { phases, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains("phases.luau:3: `order` return"), "{list}: {said}");
    }
}
