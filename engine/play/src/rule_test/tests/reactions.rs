//! Events, current values, and full names of tokens.

use super::*;
use motherlode_fixtures::pack;

fn duel() -> Game {
    let game = r#"
name = "Duel"
version = "1.0.0"
text = "Two cards fight."
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
counters.wounds = { per = "cards" }
counters.life = { per = "player", start = 20 }
counters.luck = { per = "game" }
zones.deck = { per = "player", holds = "cards", visible = "count" }
zones.field = { per = "player", holds = "cards" }
zones.grave = { per = "player", holds = "cards" }
kinds.cards.zone = "deck"
kinds.cards.active = "field"
kinds.cards.attributes.attack = { type = "integer", default = 1 }
kinds.cards.attributes.flying = { type = "boolean", default = false }
kinds.cards.attributes.cost = { type = "integer", default = 3 }
kinds.cards.per = "player"
outcome.score = "life"
"#;
    let cards = r#"
[bear]
name = "Bear"
copies = 2
attack = 2
[king]
name = "King"
copies = 1
modifies = [{ of = { kind = "cards", is_not = "this", whose = "yours" }, add = { attack = 1 }, set = { flying = true } }]
[ghoul]
name = "Ghoul"
copies = 1
[ghoul.on.dies]
where = { token = "other" }
do = [{ gain = { life = 1 } }]
"#;
    let reactions = r#"
[events.damage]
args = { to = "token", player = "player", amount = "integer" }
[events.dies]
text = "When a card dies"
of = "move"
where = { from = "field", to = "grave" }
"#;
    let phases = "[fight]\nturns = \"around\"\n";
    let prompts = "[whom]\ntext = \"Whom?\"\nchoices = \"token\"\nlabels = { nobody = \"Nobody\" }\nauto = false\n";
    let script = r#"return { fight = { turn = function(player)
        local all = { "nobody" }
        for _, other in players() do
            for _, token in cards("field", other) do table.insert(all, token) end
        end
        local token = choose(player, "whom", all)
        if token ~= "nobody" then emit("damage", { to = token, amount = attr(token, "attack") }) end
    end } }"#;
    let acts = r#"return { damage = function(event)
        gain(event.to, "wounds", event.amount)
        move(event.to, "grave", owner(event.to))
    end }"#;
    let content =
        [("game", game), ("cards", cards), ("reactions", reactions), ("phases", phases), ("prompts", prompts)];
    let pack = pack("duel", &content, &[("phases", script), ("reactions", acts)]);
    Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn a_reference_to_several_tokens_suggests_one_that_works() {
    let duel = duel();
    let message = "there are 2 tokens `bear@1`: write `bear#1@1` for the first";
    assert_eq!(wrong(&duel, "t.state('bear@1', 'wounds')"), message);
    let message = "there are 4 tokens `bear`: write `bear#1@1` for the first of player 1";
    assert_eq!(wrong(&duel, "t.state('bear', 'wounds')"), message);
    for works in ["bear#1@1", "bear#1"] {
        assert_eq!(message_of_state(&duel, works), "");
    }
}

fn message_of_state(game: &Game, token: &str) -> String {
    message(game, &format!("t.expect('{token}', 'wounds', 0) t.left()"))
}

#[test]
fn an_answer_picks_the_second_copy() {
    let body = r#"
        t.put("field", 1, { "bear#1@1", "bear#2@1" })
        t.go("fight", { first = 2 })
        t.answer(2, "bear#2@1")
        t.expect("bear#1@1", "wounds", 0) t.expect("bear#2@1", "wounds", 2) t.left()"#;
    assert_eq!(message(&duel(), body), "");
}

#[test]
fn game_is_a_holder_as_in_scripts() {
    let body = r#"t.set(game, "luck", 4) t.expect(game, "luck", 4) t.expect("game", "luck", 4) t.left()"#;
    assert_eq!(message(&duel(), body), "");
}

#[test]
fn a_test_may_stop_at_a_question_with_a_single_choice() {
    let game = "name = \"Demo\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\nrounds = 2\n\
        seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\n\
        counters.won = { per = \"player\" }\noutcome = { score = \"won\" }\n";
    let phases = "[play]\nturns = \"once\"\nprompt = \"pick\"\n";
    let prompts = "[pick]\ntext = \"Pick.\"\nlabels = { done = \"Done\" }\n";
    let script = "return { play = { offer = function() choice('done') end, act = function(player) gain(player, 'won', 1) end } }";
    let pack = pack("demo", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)]);
    let demo = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(message(&demo, "t.over { scores = { 2, 2 }, ranks = { 1, 1 } }"), "");
    let body = r#"
        t.setup { auto = false }
        t.answer(1, "done") t.choices(2, { "done" }) t.expect(1, "won", 1) t.expect(2, "won", 0)
        t.setup {}
        t.over { scores = { 2, 2 }, ranks = { 1, 1 } }"#;
    assert_eq!(message(&demo, body), "");
    assert_eq!(wrong(&demo, "t.setup { auto = 1 }"), "auto is 1: use true or false");
}

#[test]
fn events_and_current_values_are_checked() {
    let duel = duel();
    let source = r#"return {
        ["D-1 a test sees events"] = function(t)
            t.setup { seed = 1 }
            t.put("field", 1, { "bear#1@1", "king@1", "ghoul@1" })
            t.put("field", 2, { "bear#1@2", "bear#2@2" })
            t.go("fight")
            t.current("bear#1@1", "attack", 3) t.current("bear#1@2", "attack", 2)
            t.current("bear#1@1", "flying", true)
            t.equal(t.value("king@1", "attack"), 1) t.equal(t.value("king@1", "cost"), 3)
            t.emitted("damage", nil, 0)
            t.offers(1, "bear#2@2") t.refuses(1, "bear#2@1")
            t.choices(1, { "nobody", "bear#1@1", "king@1", "ghoul@1", "bear#2@2", "bear#1@2" })
            t.answer(1, "bear#2@2")
            t.emitted("damage") t.emitted("damage", nil, 1)
            t.emitted("damage", { to = "bear#2@2", amount = 2 })
            t.emitted("damage", { to = "bear#1@2" }, 0)
            t.emitted("damage", { player = "none" }, 1)
            t.emitted("dies", { token = "bear#2@2", from = "field", player = 2 }, 1)
            t.zone("grave", 2, { "bear" }) t.zone("field", 2, { "bear" })
            t.expect(1, "life", 21)
            t.told("Ghoul: when a card dies", 1)
            t.answer(2, "bear#1@1")
            t.emitted("damage", { amount = 3 }, 1) t.emitted("dies", nil, 2)
            t.setup { seed = 1 }
            t.emitted("damage", nil, 0)
            t.left()
        end,
    }"#;
    for result in run_text(&duel, "tests/duel.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    for (body, message) in [
        ("t.emitted('damge')", "unknown event `damge`, did you mean `damage`?"),
        (
            "t.emitted('damage', { amont = 1 })",
            "event `damage`: unknown field `amont`, did you mean `amount`?; use one of: to, player, amount",
        ),
        ("t.emitted('damage', { amount = 'x' })", "argument `amount` of event `damage` cannot be `x`"),
        ("t.emitted('damage')", "events `damage` with these arguments: 0, expected at least 1"),
        ("t.current('king@1', 'attack', 2)", "attack of king@1 is 1, expected 2"),
        ("t.current('bear@2', 'attack', 2)", "there are 2 tokens `bear@2`: write `bear#1@2` for the first"),
        ("t.current('bear', 'attack', 2)", "there are 4 tokens `bear`: write `bear#1@1` for the first of player 1"),
        ("t.current('king', 'attack', 2)", "there are 2 tokens `king`: write `king@1` for player 1's own"),
        ("t.value('king@1', 'atack')", "`king@1` has no attribute `atack`, did you mean `attack`?"),
    ] {
        assert_eq!(wrong(&duel, body), message, "{body}");
    }
    let shown = message(
        &duel,
        "t.put('field', 1, { 'king@1' }) t.go('fight') t.answer(1, 'king') t.emitted('damage', { amount = 5 })",
    );
    assert!(shown.contains("0, expected at least 1\n  event: damage { to = king, amount = 1 }"), "{shown}");
}

/// A game without a stack: lists of verbs and listeners ask for their targets when they act.
fn archery() -> Game {
    let game = r#"
name = "Archery"
version = "1.0.0"
text = "Cards shoot at each other."
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
counters.wounds = { per = "cards" }
counters.life = { per = "player", start = 20 }
counters.hidden = { per = "cards", values = ["no", "yes"] }
zones.deck = { per = "player", holds = "cards", visible = "count" }
zones.field = { per = "player", holds = "cards" }
kinds.cards.zone = "deck"
kinds.cards.active = "field"
kinds.cards.attributes.attack = { type = "integer", default = 1 }
kinds.cards.hooks.shoot = ["player"]
kinds.cards.hooks.cheer = ["player"]
kinds.cards.per = "player"
outcome.score = "life"
"#;
    let cards = r#"
[archer]
name = "Archer"
attack = 2
aim = "foe"
shoot = [{ hit = "this.attack" }]
cheer = { aim = "friend", do = [{ hit = "max(target.attack, 4)" }] }
[wall]
name = "Wall"
copies = 2
[wall.on.hurt]
where = { to = "this" }
aim = { whom = "opponent" }
do = [{ taunt = 1 }]
"#;
    let reactions = r#"
[events.hurt]
args = { to = "token" }
[filters]
foe = { kind = "cards", whose = "others", hidden = "no", players = "others", prompt = "whom" }
friend = { kind = "cards", whose = "yours", is_not = "this", prompt = "whom" }
opponent = { players = "others", prompt = "who" }
"#;
    let prompts = r#"
whom = { text = "At whom does {1:token} shoot?", choices = "token", labels = { player = "{1:player}" } }
who = { text = "Who?", choices = "player", auto = false }
act = { text = "What?", labels = { wait = "Wait", shoot = "Shoot", cheer = "Cheer" }, auto = false }
"#;
    let verbs = "[hit]\ntext = \"Hit for {n}.\"\nargs.n = { type = \"integer\" }\n\
        [taunt]\ntext = \"Taunt for {n}.\"\nargs.n = { type = \"integer\" }\n";
    let phases = r#"return { fight = { turn = function(player)
        local archer = cards("field", player)[1]
        local may = { "wait" }
        for _, hook in { "shoot", "cheer" } do
            if archer and can_run(archer, hook, player) then table.insert(may, hook) end
        end
        local chosen = choose(player, "act", may)
        if chosen ~= "wait" then run(archer, chosen, player) end
    end } }"#;
    let acts = r#"return {
        hit = function(_, args, it)
            if it.target_player then return pay(it.target_player, "life", args.n) end
            gain(it.target, "wounds", args.n)
            emit("hurt", { to = it.target })
        end,
        taunt = function(_, args, it) pay(it.whom_player, "life", args.n) end,
    }"#;
    let content = [
        ("game", game),
        ("cards", cards),
        ("reactions", reactions),
        ("prompts", prompts),
        ("verbs", verbs),
        ("phases", "[fight]\nturns = \"around\"\n"),
    ];
    let pack = pack("archery", &content, &[("phases", phases), ("verbs", acts)]);
    Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn hooks_and_listeners_ask_for_targets() {
    let source = r#"return {
        ["A-1 targets are asked when a list runs"] = function(t)
            t.setup { seed = 1 }
            t.put("field", 1, { "archer@1" })
            t.put("field", 2, { "archer@2", "wall#1@2" })
            t.set("archer@2", "hidden", 1)
            t.go("fight")
            t.choices(1, { "wait", "shoot" })
            t.answer(1, "shoot")
            t.choices(1, { "wall", "player 2" })
            t.answer(1, "wall")
            t.answer(2, 1)
            t.expect("wall#1@2", "wounds", 2)
            t.expect(1, "life", 19)
            t.answer(2, "cheer")
            t.answer(2, 1)
            t.expect("wall#1@2", "wounds", 6)
            t.expect(1, "life", 18)
            t.left()
        end,
        ["A-2 a player is a target, too"] = function(t)
            t.setup { seed = 1 }
            t.put("field", 1, { "archer@1" })
            t.go("fight")
            t.answer(1, "shoot")
            t.expect(2, "life", 18)
            t.left()
        end,
    }"#;
    for result in run_text(&archery(), "tests/archery.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
}
