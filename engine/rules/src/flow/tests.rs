//! Tests of the flow on a machine without Luau: a game written in Luau and in Rust must play identically, byte for
//! byte.

mod fake;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use self::fake::{Act, Done, Fake, Script};
use crate::flow::Match;
use crate::game::Game;
use crate::script::machine::{Hook, PhaseHook, Returned};
use motherlode_fixtures::pack;

const GAME: &str = r#"
name = "Three phases"
version = "1.0.0"
players = { min = 2, max = 3 }
rounds = 3
seats = [{ name = "Ann" }, { name = "Bob" }, { name = "Cid" }]
counters.gold = { text = "Gold", per = "player", min = -99, max = 999 }
counters.bid = { text = "Bid", per = "player", max = 9, visible = "owner", redeal = "range" }
counters.pot = { text = "Pot", per = "game", max = 9999 }
outcome = { score = "gold" }
"#;

const PHASES: &str = r#"
[digging]
turns = "passes"
prompt = "dig"

[bidding]
turns = "sealed"

[paying]
"#;

const PROMPTS: &str = r#"
[dig]
text = "Dig how deep?"
labels = { stop = "Stop" }

[pay]
text = "Pay the digger?"

[bid]
text = "Bid how much?"

[keep]
text = "Keep how much?"
"#;

const TEXTS: &str = r#"
deep = "Somebody digs deep."
"#;

/// The hooks in Luau.
const SCRIPT: &str = r#"
local function after(player) return player % #players() + 1 end
return {
    digging = {
        offer = function(player)
            choice("stop")
            for depth = 1, 3 do
                if get(game, "pot") < 40 * depth then choice(depth) end
            end
        end,
        act = function(player, choice)
            if choice == "stop" then pass(player) return end
            gain(game, "pot", random(6) + choice)
            if choice == 3 then
                log("deep")
                local other = after(player)
                local paid = choose(other, "pay", if get(other, "gold") > 0 then { 0, 1, 2 } else { 0 })
                if paid == 2 then error("nobody pays two") end
                gain(other, "gold", -paid)
                gain(player, "gold", paid + random(2))
            end
        end,
    },
    bidding = {
        skip = function(player) return get(player, "gold") < 0 end,
        turn = function(player)
            local bid = choose(player, "bid", { 0, 1, 2 })
            if bid == 2 then bid += choose(player, "bid", { 0, 3 }) end
            set(player, "bid", bid)
        end,
    },
    paying = {
        run = function()
            local kept = ask_all(players(), "keep", { 1, 2 })
            for _, player in players() do
                gain(player, "gold", get(player, "bid") - kept[player])
                set(player, "bid", 0)
            end
            set(game, "pot", get(game, "pot") // 2)
        end,
    },
}
"#;

/// The same hooks in Rust.
const HOOKS: [(Hook, Script); 5] = [
    (Hook::Phase(0, PhaseHook::Offer), offer),
    (Hook::Phase(0, PhaseHook::Act), dig),
    (Hook::Phase(1, PhaseHook::Skip), skip),
    (Hook::Phase(1, PhaseHook::Turn), bid),
    (Hook::Phase(2, PhaseHook::Run), pay),
];

const STOP: i32 = -1;

fn offer(act: &mut Act<'_>, _: &[i32]) -> Done {
    act.offer(STOP);
    for depth in 1..=3 {
        if act.get("pot", 0) < 40 * depth {
            act.offer(depth);
        }
    }
    Ok(Returned::Nil)
}

fn dig(act: &mut Act<'_>, args: &[i32]) -> Done {
    let (player, choice) = (args[0], args[1]);
    if choice == STOP {
        act.pass(player);
        return Ok(Returned::Nil);
    }
    let fallen = act.random(6)?;
    act.set("pot", 0, act.get("pot", 0) + fallen + choice)?;
    if choice == 3 {
        act.say("Somebody digs deep.");
        let other = player % act.players() + 1;
        let gold = act.get("gold", other);
        let paid = act.choose(other, "pay", if gold > 0 { &[0, 1, 2] } else { &[0] })?;
        if paid == 2 {
            return act.fail("nobody pays two");
        }
        act.set("gold", other, gold - paid)?;
        let more = act.random(2)?;
        act.set("gold", player, act.get("gold", player) + paid + more)?;
    }
    Ok(Returned::Nil)
}

fn skip(act: &mut Act<'_>, args: &[i32]) -> Done {
    Ok(Returned::Bool(act.get("gold", args[0]) < 0))
}

fn bid(act: &mut Act<'_>, args: &[i32]) -> Done {
    let mut bid = act.choose(args[0], "bid", &[0, 1, 2])?;
    if bid == 2 {
        bid += act.choose(args[0], "bid", &[0, 3])?;
    }
    act.set("bid", args[0], bid)?;
    Ok(Returned::Nil)
}

fn pay(act: &mut Act<'_>, _: &[i32]) -> Done {
    let kept = act.choose_all("keep", &[1, 2])?;
    for (player, kept) in (1..).zip(kept) {
        act.set("gold", player, act.get("gold", player) + act.get("bid", player) - kept)?;
        act.set("bid", player, 0)?;
    }
    act.set("pot", 0, act.get("pot", 0) / 2)?;
    Ok(Returned::Nil)
}

fn game() -> Game {
    game_of(SCRIPT)
}

fn game_of(script: &str) -> Game {
    let content = [("game", GAME), ("phases", PHASES), ("prompts", PROMPTS), ("texts", TEXTS)];
    Game::load(&pack("g", &content, &[("phases", script)])).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Everything that is visible of a match.
fn seen(m: &mut Match) -> String {
    let log: Vec<String> = m.take_log().iter().map(|line| format!("{line:?}")).collect();
    let (legal, pending) = (m.legal(), m.pending());
    let faces = (0..m.setup().players).map(|seat| format!("{:?}", m.observe(Some(seat)))).collect::<Vec<_>>();
    format!("{:?} {pending:?} {legal:?} {log:?} {faces:?} {:?}", m.state().words(), m.outcome())
}

/// Takes the same random actions in both matches, including restores and redeals, and compares everything at every
/// step.
#[test]
fn rust_and_luau_machines_play_identically() {
    let game = game();
    let (mut steps, mut failed, mut dealt) = (0, 0, 0);
    for seed in 0..150 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let setup = game.setup(Some(2 + (seed % 2) as u8), &[], seed).unwrap();
        let mut luau = Match::with_transcript(&game, &setup).unwrap();
        let mut rust = Match::on(&game, &setup, Box::new(Fake::new(&game, &HOOKS))).unwrap();
        let mut kept = Vec::new();
        while !luau.is_over() && steps < 100_000 {
            assert_eq!(seen(&mut luau), seen(&mut rust), "seed {seed}, step {steps}");
            steps += 1;
            match rng.random_range(0..12) {
                0 => kept.push((luau.snapshot(), rust.snapshot())),
                1 => {
                    if let Some((one, other)) = kept.pop() {
                        luau.restore(&one).unwrap();
                        rust.restore(&other).unwrap();
                    }
                }
                2 => {
                    let seat = rng.random_range(0..setup.players);
                    let (one, other) = (StdRng::seed_from_u64(steps), StdRng::seed_from_u64(steps));
                    let found = luau.redeal(seat, &mut { one });
                    assert_eq!(found.is_ok(), rust.redeal(seat, &mut { other }).is_ok());
                    dealt += u32::from(found.is_ok());
                }
                _ => {
                    let pending = luau.pending();
                    let decision = pending[rng.random_range(0..pending.len())];
                    let index = rng.random_range(0..luau.legal_of(decision.seat).unwrap().len());
                    let done = luau.answer_as(decision.seat, index);
                    assert_eq!(done.is_ok(), rust.answer_as(decision.seat, index).is_ok(), "{done:?}");
                    failed += u32::from(done.is_err());
                }
            }
        }
        assert_eq!(seen(&mut luau), seen(&mut rust), "seed {seed}");
    }
    assert!(steps > 5_000 && failed > 100 && dealt > 300, "{steps} steps, {failed} failed, {dealt} deals");
}

/// In a new deal, a hook may draw fewer numbers before it waits. Its later draws must not repeat numbers of the real match.
#[test]
fn a_redealt_hook_continues_as_a_restored_one_does() {
    let script = SCRIPT.replace(
        "        run = function()\n",
        "        run = function()
            local seen, hidden, also_seen = random(900), random(2), 3
            if hidden == 1 then also_seen = random(3) end
            set(game, \"pot\", 10 * seen + also_seen)
            choose(1, \"keep\", { 1, 2 })
            set(game, \"pot\", random(999))\n",
    );
    let game = game_of(&script);
    let mut dealt = 0;
    for seed in 0..60 {
        let mut m = Match::new(&game, &game.setup(Some(2), &[], seed).unwrap()).unwrap();
        let mut random = StdRng::seed_from_u64(seed);
        while m.decision().is_some_and(|d| d.phase(&game) != "paying") {
            let index = random.random_range(0..m.choices().len());
            let _ = m.answer(index).or_else(|_| m.answer(0));
        }
        if m.redeal(0, &mut random).is_err() {
            continue;
        }
        dealt += 1;
        m.answer(0).unwrap();
        let (root, before) = (m.snapshot(), m.state().hash());
        m.answer(0).unwrap();
        m.restore(&root).unwrap();
        assert_eq!(m.state().hash(), before, "seed {seed}");
    }
    assert!(dealt > 40, "{dealt}");
}

/// A Rust hook that differs is detected.
#[test]
fn a_different_rule_is_detected() {
    fn other(act: &mut Act<'_>, args: &[i32]) -> Done {
        Ok(Returned::Bool(act.get("gold", args[0]) < 1))
    }
    let game = game();
    let mut hooks = HOOKS;
    hooks[2].1 = other;
    let setup = game.setup(Some(2), &[], 1).unwrap();
    let mut luau = Match::with_transcript(&game, &setup).unwrap();
    let mut rust = Match::on(&game, &setup, Box::new(Fake::new(&game, &hooks))).unwrap();
    let differs = (0..20).any(|_| {
        let differs = seen(&mut luau) != seen(&mut rust);
        let _ = (luau.answer(0), rust.answer(0));
        differs
    });
    assert!(differs);
}
