//! Hostile events, listeners and modifiers, and matches with events that every way to play must play alike.

use motherlode::Snapshot;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::shipped::Player;

const EVENTS_GAME: &str = r#"
name = "Echoes"
version = "1.0.0"
text = "Cards that hear each other."
players = { min = 2, max = 3, default = 2 }
rounds = 12

[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"

[counters]
gold = { per = "player", start = 3, max = 1000000 }
echoes = { per = "game", max = 2000000000 }
wounds = { per = "cards", max = 1000000 }
boost = { per = "cards", min = -50, max = 50, until = "round_over" }

[zones]
deck = { per = "game", holds = "cards", visible = "count", reshuffle = "grave" }
grave = { per = "game", holds = "cards" }
hand = { per = "player", holds = "cards", visible = "owner" }
field = { per = "player", holds = "cards" }

[kinds.cards]
text = "Cards"
zone = "deck"
active = "field"
abilities = "able"
[kinds.cards.attributes]
power = { type = "integer", default = 1 }
able = { type = "boolean", default = true }

[outcome]
score = "gold"
"#;

const EVENTS_CARDS: &str = r#"
[ghoul]
name = "Ghoul"
copies = 4
power = 2
[ghoul.on.dies]
where = { token = "other" }
x = "this.power"
do = [{ gain = { gold = "x" } }]

[king]
name = "King"
copies = 2
modifies = [{ of = { kind = "cards", is_not = "this", whose = "yours" }, add = { power = 1 } }]

[shield]
name = "Shield"
copies = 3
[shield.before.damage]
where = { to = { whose = "yours" } }
set = { amount = "event.amount - 1" }

[phoenix]
name = "Phoenix"
copies = 2
[phoenix.instead.dies]
where = { token = "this" }
may = "may"
do = "script"

[hush]
name = "Hush"
copies = 1
modifies = [{ of = { kind = "cards", is_not = "this" }, set = { able = false } }]

[choir]
name = "Choir"
copies = 3
[choir.on.damage]
where = { to = "other" }
do = "script"
"#;

const REACTIONS: &str = r#"
[events]
damage = { args = { to = "token", amount = "integer", source = "token" }, order = "who" }
dies = { of = "move", where = { token = { kind = "cards" }, from = "field", to = "grave" }, order = "who" }
round_over = { of = "phase_ends", where = { phase = "act" } }
again = { args = { n = "integer" } }
ping = {}
pong = {}
spin = {}
deep = { args = { n = "integer" } }
twice = { args = { n = "integer" } }
bad = {}
gone = {}
asks = { args = { player = "player" } }
paid = { args = { player = "player" } }
flood = { args = { n = "integer" } }
nest = {}
typed = { args = { n = "integer", token = "token", player = "player", zone = "zone", counter = "counter", phase = "phase" } }

[filters]
wounded = { kind = "cards", wounds = { min = 1 } }
rich = { kind = "cards", power = { min = 3 } }

[modifiers.boost]
each = "cards"
add = { power = "this.boost" }

[listeners]
on_again = { on = "again", do = "script" }
on_ping = { on = "ping", do = "script" }
on_pong = { on = "pong", do = "script" }
on_spin = { on = "spin", do = "script" }
inside = { before = "deep", where = { n = { max = -1000 } }, do = "script" }
instead_of_twice = { instead = "twice", do = "script" }
on_bad = { on = "bad", do = "script" }
instead_of_gone = { instead = "gone", where = {}, do = "script" }
on_asks = { on = "asks", do = "script" }
on_paid = { on = "paid", do = "script" }
on_flood = { on = "flood", do = "script" }
on_nest = { on = "nest", do = "script" }
on_typed = { on = "typed", do = "script" }
"#;

const REACT: &str = r#"
return {
    damage = function(event)
        gain(event.to, "wounds", math.max(0, event.amount))
    end,
    check = function()
        for _, token in tokens_where("wounded") do
            if get(token, "wounds") >= attr(token, "power") then
                set(token, "wounds", 0)
                move(token, "grave")
            end
        end
    end,
    deep = function(event) if event.n > 0 then emit("deep", { n = event.n - 1 }) end end,
    twice = function() gain(game, "echoes", 1) end,
    on_again = function(it) emit("again", { n = it.event.n }) end,
    on_ping = function() emit("pong") end,
    on_pong = function() emit("ping") end,
    on_spin = function() while true do end end,
    inside = function() end,
    instead_of_twice = function(it) emit("twice", it.event) end,
    on_bad = function()
        gain(game, "echoes", 1)
        error("no good")
    end,
    instead_of_gone = function() error("not gone") end,
    on_asks = function(it)
        gain(game, "echoes", 1)
        gain(it.event.player, "gold", choose(it.event.player, "pick", { 10, 20 }))
        gain(game, "echoes", choose(it.event.player, "pick", { 10, 20 }))
    end,
    on_paid = function(it) for _ = 1, 2 do gain(it.player, "gold", choose(it.player, "pick", { 10, 20 })) end end,
    on_flood = function(it) for _ = 1, it.event.n do emit("ping") end end,
    on_nest = function()
        for _ = 1, 3 do assert(not pcall(emit, "gone")) end
        assert(not pcall(emit, "deep", { n = 60 }))
        emit("twice")
    end,
    on_typed = function() gain(game, "echoes", 1) end,
}
"#;

const CARD_SCRIPTS: &str = r#"
return {
    phoenix = { instead_dies = function(it)
        set(it.source, "wounds", 0)
        move(it.source, "hand", it.player)
    end },
    choir = { on_damage = function(it)
        if it.event.amount > 1 then emit("damage", { to = it.event.to, amount = 1, source = it.source }) end
        set(it.source, "boost", 1)
    end },
}
"#;

const EVENT_PROMPTS: &str = r#"
[pick]
text = "Pick."
auto = false

[who]
text = "Who acts first?"
choices = "token"

[may]
text = "Do you want it?"
auto = false
labels = { yes = "Yes", no = "No" }

[whom]
text = "Whom?"
choices = "token"
auto = false
labels = { nobody = "Nobody" }
"#;

const ECHO: &str = "scripts/echoes/phases.luau";
const REACTIONS_LUAU: &str = "scripts/echoes/reactions.luau";

fn echoes(phases: &str, script: &str) -> Pack {
    let content = [
        ("game", EVENTS_GAME),
        ("cards", EVENTS_CARDS),
        ("reactions", REACTIONS),
        ("phases", phases),
        ("prompts", EVENT_PROMPTS),
    ];
    motherlode_fixtures::pack("echoes", &content, &[("phases", script), ("reactions", REACT), ("cards", CARD_SCRIPTS)])
}

/// Plays `act` with the attacks as choices, and `fine` after them; each attack has its own line.
fn attacked(attacks: &[&str]) -> (Match, Vec<u32>) {
    let mut script = String::from("local attacks = {\n");
    let mut lines = Vec::new();
    for attack in attacks {
        writeln!(script, "    function(player) {attack} end,").unwrap();
        lines.push(script.matches('\n').count() as u32);
    }
    script.push_str(
        "}\nreturn { act = {
    offer = function() choice_numbers(0, #attacks) end,
    act = function(player, n) if n < #attacks then attacks[n + 1](player) end end,
} }",
    );
    let game = Game::load(&echoes(ACT, &script)).unwrap_or_else(|e| panic!("{e}"));
    (Match::new(&game.native(), &game.setup(Some(2), &[], 1).unwrap()).unwrap(), lines)
}

/// Events that end in an error, each with the file and the line (0: that of the attack) and a part of the message.
const FAILING: [(&str, &str, u32, &str); 24] = [
    ("emit('again', { n = 1 })", REACTIONS_LUAU, 16, "events follow each other without end: "),
    ("emit('ping')", REACTIONS_LUAU, 18, "events follow each other without end:"),
    ("emit('spin')", REACTIONS_LUAU, 19, "spent its budget"),
    ("emit('deep', { n = 60 })", REACTIONS_LUAU, 14, "events follow each other without end: deep"),
    ("emit('flood', { n = 2000 })", REACTIONS_LUAU, 33, "events follow each other without end: ping"),
    ("emit('bad')", REACTIONS_LUAU, 24, "no good"),
    ("emit('gone')", REACTIONS_LUAU, 26, "not gone"),
    ("emit('move', { token = 1 })", ECHO, 0, "the engine emits `move` itself"),
    ("emit('dies', { token = 1 })", ECHO, 0, "`dies` is a part of `move`: emit that event"),
    ("emit('pnig')", ECHO, 0, "no event `pnig`; did you mean `ping`?"),
    // Not `move`, which only the engine emits.
    ("emit('mvoe')", ECHO, 0, "no event `mvoe`"),
    ("emit('deep', { m = 1 })", ECHO, 0, "event `deep` has no argument `m`; did you mean `n`?"),
    ("emit('deep', 5)", ECHO, 0, "event `deep`: expected a table of arguments"),
    ("emit('typed', { n = 'two' })", ECHO, 0, "event `typed`: argument `n` needs a whole number, got the text `two`"),
    ("emit('typed', { n = 0.5 })", ECHO, 0, "event `typed`: argument `n` needs a whole number, got 0.5"),
    ("emit('typed', { n = 4294967296 })", ECHO, 0, "argument `n` needs a whole number, got 4294967296"),
    ("emit('typed', { token = 999 })", ECHO, 0, "event `typed`: argument `token` needs a token, got 999"),
    ("emit('typed', { token = true })", ECHO, 0, "event `typed`: argument `token` needs a token, got true"),
    ("emit('typed', { player = 3 })", ECHO, 0, "event `typed`: argument `player` needs a player from 1 to 2, got 3"),
    ("emit('typed', { player = {} })", ECHO, 0, "needs a player from 1 to 2, got a table or function"),
    (
        "emit('typed', { zone = 'decl' })",
        ECHO,
        0,
        "event `typed`: argument `zone` needs the name of a zone, got the text `decl`; did you mean `deck`?",
    ),
    ("emit('typed', { zone = 7 })", ECHO, 0, "event `typed`: argument `zone` needs the name of a zone, got 7"),
    (
        "emit('typed', { counter = 'glod' })",
        ECHO,
        0,
        "needs the name of a counter, got the text `glod`; did you mean `gold`?",
    ),
    ("emit('typed', { phase = 'atc' })", ECHO, 0, "needs the name of a phase, got the text `atc`; did you mean `act`?"),
];

#[test]
fn endless_and_failing_events_end_at_their_line() {
    let outcome = guarded(|| {
        let attacks: Vec<&str> = FAILING.iter().map(|(attack, ..)| *attack).collect();
        let (mut m, lines) = attacked(&attacks);
        let mut wrong = String::new();
        for (n, (attack, file, line, text)) in FAILING.iter().enumerate() {
            let before = position(&mut m);
            let started = Instant::now();
            match m.answer(n).map_err(script_fault) {
                Err(Ok(fault)) => {
                    let line = if *line == 0 && *file == ECHO { lines[n] } else { *line };
                    if fault.file != *file || (line > 0 && fault.line != line) || !fault.message.contains(text) {
                        writeln!(wrong, "{attack}: {}:{}: {}", fault.file, fault.line, fault.message).unwrap();
                    }
                }
                other => writeln!(wrong, "{attack}: {other:?}").unwrap(),
            }
            if started.elapsed() > Duration::from_secs(10) {
                writeln!(wrong, "{attack}: took {:?}", started.elapsed()).unwrap();
            }
            if position(&mut m) != before {
                writeln!(wrong, "{attack}: left a trace").unwrap();
            }
        }
        wrong
    });
    assert_eq!(outcome.unwrap(), "");
}

#[test]
fn wrong_arguments_of_events_are_refused() {
    let fields = ["n", "token", "player", "zone", "counter", "phase"];
    let values =
        ["0.5", "0/0", "math.huge", "-math.huge", "9007199254740993", "4294967295", "'x'", "{}", "true", "pairs"];
    let attacks: Vec<String> = fields
        .iter()
        .flat_map(|field| values.iter().map(move |value| format!("emit('typed', {{ {field} = {value} }})")))
        .chain(["token", "player"].map(|field| format!("emit('typed', {{ {field} = -1 }})")))
        .chain(["token", "player"].map(|field| format!("emit('typed', {{ {field} = 999 }})")))
        .collect();
    let attacks: Vec<&str> = attacks.iter().map(String::as_str).collect();
    let (mut m, lines) = attacked(&attacks);
    let mut wrong = String::new();
    for (n, attack) in attacks.iter().enumerate() {
        let before = position(&mut m);
        let snapshot = m.snapshot();
        match m.answer(n).map_err(script_fault) {
            Err(Ok(fault)) if fault.file == ECHO && fault.line == lines[n] => {}
            Err(fault) => writeln!(wrong, "{attack}: {fault:?}").unwrap(),
            Ok(()) => {
                writeln!(wrong, "{attack}: went through").unwrap();
                m.restore(&snapshot).unwrap();
            }
        }
        if position(&mut m) != before {
            writeln!(wrong, "{attack}: left a trace").unwrap();
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn a_chain_goes_on_after_a_caught_failure() {
    let attacks = [
        // A listener fails; the next event begins a new chain.
        "for _ = 1, 5 do assert(not pcall(emit, 'bad')) end emit('twice') emit('typed')",
        // A listener instead of an event fails, and is heard again.
        "for _ = 1, 3 do local ok, e = pcall(emit, 'gone') assert(not ok and string.find(e, 'not gone'), e) end emit('typed')",
        "assert(not pcall(emit, 'deep', { n = 60 })) emit('deep', { n = 20 }) emit('typed')",
        "assert(not pcall(emit, 'again', { n = 1 })) emit('typed')",
        "emit('twice') emit('twice')",
        "emit('nest')",
    ];
    let (mut m, _) = attacked(&attacks);
    for (n, echoes) in [7, 1, 1, 1, 2, 1].into_iter().enumerate() {
        let before = m.counter(0, 1).unwrap();
        m.answer(n).unwrap_or_else(|e| panic!("{}: {e}", attacks[n]));
        assert_eq!(m.counter(0, 1).unwrap() - before, echoes, "{}", attacks[n]);
    }
}

#[test]
fn read_only_hooks_cannot_let_listeners_write() {
    let act = |hook: &str, body: &str, player: &str| {
        let offer = if hook == "offer" { "" } else { "offer = function() choice_numbers(0, 1) end," };
        format!(
            "return {{ act = {{\n    {hook} = function({player}) {body} end,\n    {offer} act = function() end,\n}} }}"
        )
    };
    for (hook, player) in [("applies", ""), ("order", ""), ("skip", "player"), ("offer", "player")] {
        let bodies =
            ["emit('twice')", "emit('asks', { player = 1 })", "emit('ping')", "pcall(emit, 'asks', { player = 1 })"];
        for body in bodies {
            let game = Game::load(&echoes(ACT, &act(hook, body, player))).unwrap_or_else(|e| panic!("{e}"));
            let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ());
            let fault = script_fault(error.expect_err(&format!("{hook}: {body}"))).unwrap();
            assert!(fault.file.starts_with("scripts/echoes/") && fault.line > 0, "{hook}: {body}: {fault:?}");
        }
    }
}

/// Restores a position in the middle of a listener's questions, in the same match and in a new one.
#[test]
fn listeners_ask_and_continue_after_a_restore_and_a_redeal() {
    let attacks =
        ["emit('asks', { player = player }) emit('twice')", "for _ = 1, 3 do draw('deck', nil, 'hand', 2) end"];
    let (mut m, _) = attacked(&attacks);
    m.answer(1).unwrap();
    m.answer(0).unwrap();
    let finish = |m: &mut Match| {
        while m.choices() == [10, 20] {
            m.answer(1).unwrap();
        }
        m.state().hash()
    };
    let first = m.snapshot();
    m.answer(0).unwrap();
    let second: Snapshot = m.snapshot();
    assert_eq!(m.choices(), [10, 20]);
    let reached = finish(&mut m);
    assert_eq!(m.counter(0, 1), Some(1 + 20 + 1));
    for game in [m.game().interpreted(), m.game().careful(), m.game().native()] {
        let mut other = Match::new(&game, &game.setup(Some(2), &[], 9).unwrap()).unwrap();
        for _ in 0..2 {
            other.restore(&first).unwrap();
            other.answer(0).unwrap();
            assert_eq!(finish(&mut other), reached);
            other.restore(&second).unwrap();
            assert_eq!(finish(&mut other), reached);
        }
        let mut rng = Pcg64Mcg::seed_from_u64(3);
        for snapshot in [&first, &second] {
            other.restore(snapshot).unwrap();
            let seat = other.decision().unwrap().seat;
            other.redeal(seat, &mut rng).unwrap();
            finish(&mut other);
            assert!(other.counter(0, 1).is_some_and(|echoes| echoes == 22));
        }
    }
}

/// Emits in a sealed phase: only the own secret changes are allowed, and nobody else can be asked.
#[test]
fn events_in_sealed_phases_fail_like_other_effects() {
    let phases = "[act]\nname = \"Act\"\nturns = \"sealed\"\n";
    let script = |body: &str| format!("return {{ act = {{ turn = function(player)\n    {body}\nend }} }}");
    let begun = |body: &str| {
        let game = Game::load(&echoes(phases, &script(body))).unwrap_or_else(|e| panic!("{e}"));
        Match::new(&game, &game.setup(Some(2), &[], 1).unwrap())
    };
    for body in ["emit('asks', { player = 3 - player })", "emit('spin')", "emit('again')", "emit('bad')"] {
        let fault = script_fault(begun(body).map(|_| ()).expect_err(body)).unwrap();
        assert!(fault.line > 0 && fault.file.starts_with("scripts/echoes/"), "{body}: {fault:?}");
    }
    // A counter of the game is not the player's own.
    let mut m = begun("emit('asks', { player = player })").unwrap();
    let error = (0..4).find_map(|_| m.answer(0).err()).unwrap();
    assert!(error.to_string().contains("may change only what belongs to its player"), "{error}");
    let mut m = begun("emit('paid', { player = player })").unwrap();
    for _ in 0..4 {
        assert_eq!(m.choices(), [10, 20]);
        m.answer(0).unwrap();
    }
}

/// Cards are played and deal damage; their listeners and modifiers do the rest.
const BATTLE: &str = r#"
local function list(player)
    local all = { "nobody" }
    for _, token in cards("hand", player) do table.insert(all, token) end
    for _, token in cards("field", player) do table.insert(all, token) end
    return all
end
return {
    act = {
        start = function() if round() == 1 then shuffle("deck") end end,
        turn = function(player)
            local token = choose(player, "whom", list(player))
            if token == "nobody" then
                for _ = 1, 2 do draw("deck", nil, "hand", player) end
            elseif zone_of(token) == "hand" then
                move(token, "field", player)
            else
                local all = { "nobody" }
                for _, other in players() do
                    for _, target in cards("field", other) do table.insert(all, target) end
                end
                local target = choose(player, "whom", all)
                if target == "nobody" then
                    for _, one in cards("field", player) do emit("damage", { to = one, amount = 2, source = token }) end
                else
                    emit("damage", { to = target, amount = attr(token, "power"), source = token })
                end
            end
            gain(player, "gold", #tokens_where("rich"))
            if random(6) == 1 then emit("asks", { player = player }) end
            if random(6) == 1 then pcall(emit, "deep", { n = 60 }) end
            emit("twice")
        end,
    },
}
"#;

/// Plays the game of a seed and returns a hash of every state on the way, with the number of answers.
fn battle(m: &mut Match, seed: u64) -> (u64, u32) {
    let players = 2 + (seed % 2) as u8;
    m.restart(&m.game().setup(Some(players), &[], seed).unwrap()).unwrap();
    let mut player = Player::new(seed);
    let (mut digest, mut answers) = (m.state().hash(), 0);
    while !m.is_over() {
        player.step(m);
        answers += 1;
        digest = digest.rotate_left(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ m.state().hash();
    }
    (digest, answers)
}

/// Plays games in one VM.
fn battles(game: &Game, seeds: impl Iterator<Item = u64>) -> Vec<(u64, u32)> {
    let mut m = Match::new(game, &game.setup(Some(2), &[], 0).unwrap()).unwrap();
    seeds.map(|seed| battle(&mut m, seed)).collect()
}

#[test]
fn every_way_to_play_with_events_gives_the_same_bytes() {
    let phases = "[act]\nname = \"Act\"\nturns = \"once\"\n";
    let game = Game::load(&echoes(phases, BATTLE)).unwrap_or_else(|e| panic!("{e}"));
    let seeds = || 0..40_u64;
    let expected = battles(&game, seeds());
    assert!(expected.iter().any(|(_, answers)| *answers > 20), "{expected:?}");
    for (what, other) in [("native", game.native()), ("interpreted", game.interpreted()), ("careful", game.careful())] {
        assert_eq!(battles(&other, seeds()), expected, "{what}");
        let reverse: Vec<_> = battles(&other, seeds().rev()).into_iter().rev().collect();
        assert_eq!(reverse, expected, "{what}, in reverse order");
    }
    std::thread::scope(|scope| {
        for odd in [0, 1] {
            let (game, expected) = (&game, &expected);
            scope.spawn(move || {
                let half = seeds().filter(|seed| seed % 2 == odd);
                let of_half: Vec<_> = expected.iter().copied().skip(odd as usize).step_by(2).collect();
                assert_eq!(battles(game, half), of_half, "one of two threads");
            });
        }
    });
}

/// A bot looks ahead: copies, redeals at every decision, and the game goes on as if nothing had happened.
#[test]
fn redeals_and_restores_during_battles_change_nothing() {
    let phases = "[act]\nname = \"Act\"\nturns = \"once\"\n";
    let game = Game::load(&echoes(phases, BATTLE)).unwrap_or_else(|e| panic!("{e}"));
    let plain = battles(&game, 0..10);
    let mut m = Match::new(&game, &game.setup(Some(2), &[], 0).unwrap()).unwrap();
    let mut other = Match::new(&game, &game.setup(Some(2), &[], 0).unwrap()).unwrap();
    let (mut rng, mut guess) = (Pcg64Mcg::seed_from_u64(1), Player::new(1));
    for seed in 0..10_u64 {
        for m in [&mut m, &mut other] {
            m.restart(&game.setup(Some(2 + (seed % 2) as u8), &[], seed).unwrap()).unwrap();
        }
        let mut player = Player::new(seed);
        let mut digest = m.state().hash();
        while let Some(decision) = m.decision() {
            let snapshot = m.snapshot();
            other.restore(&snapshot).unwrap();
            other.redeal(decision.seat, &mut rng).unwrap();
            for _ in 0..3 {
                if !other.is_over() {
                    guess.step(&mut other);
                }
            }
            m.restore(&snapshot).unwrap();
            player.step(&mut m);
            digest = digest.rotate_left(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ m.state().hash();
        }
        assert_eq!(digest, plain[seed as usize].0, "seed {seed}");
    }
}
