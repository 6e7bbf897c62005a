//! Machine code of scripts equals Luau to the byte.
//!
//! `determinism.rs` compares whole games. These tests compare random programs, spent budgets, and matches that begin in one and
//! end in the other. `LODE_PROGRAMS=20000 cargo test --release --test tests machine_code` tries that many programs.

mod program;

use motherlode::{Game, Match, MatchError};
use motherlode_fixtures::pack;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use self::program::Program;
use crate::shipped::{Player, VARIANTS};

const GAME: &str = r#"
name = "Programs"
version = "1.0.0"
text = "A game that runs a program."
players = { min = 2, max = 3, default = 2 }
rounds = 3
[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"
[counters.out]
text = "A result"
per = "player"
max = 1000002
[counters.gold]
text = "Gold"
per = "player"
start = 3
min = -1000000
max = 1000000
[kinds.cards]
text = "Cards"
attributes = { worth = { type = "integer" }, colour = { type = "text" } }
zone = "deck"
[zones.deck]
text = "Deck"
per = "game"
holds = ["cards"]
[zones.hand]
text = "Hand"
per = "player"
holds = ["cards"]
[outcome]
score = "out"
"#;

const CARDS: &str = r#"
[one]
name = "One"
text = ""
copies = 3
worth = 1
colour = "red"
[two]
name = "Two"
text = ""
copies = 2
worth = 2
colour = "blue"
"#;

const PROMPTS: &str = r#"
[pick]
text = "Pick a number"
labels = { done = "Done", more = "More" }
"#;

fn game_of(program: &str) -> Game {
    game_with(GAME, &[("phases", program)])
}

fn game_with(game: &str, scripts: &[(&str, &str)]) -> Game {
    let content: &[(&str, &str)] = &[
        ("game", game),
        ("cards", CARDS),
        ("prompts", PROMPTS),
        ("phases", "[main]\nname = \"Main\"\nturns = \"once\"\n"),
    ];
    let pack = pack("programs", content, scripts);
    Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}\n{scripts:?}"))
}

/// A state of a match as a hash, its choices, and the steps so far.
type Moment = (u64, Vec<i32>, i64);

/// Plays a match with random answers; returns its moments, and the error that ended it.
fn course(game: &Game, seed: u64) -> (Vec<Moment>, Option<String>) {
    let setup = game.setup(None, &[], seed).unwrap();
    let mut m = match Match::new(game, &setup) {
        Ok(m) => m,
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    m.limits_mut().steps = 20_000;
    let mut rng = StdRng::seed_from_u64(seed);
    let mut seen = Vec::new();
    while !m.is_over() && seen.len() < 200 {
        seen.push((m.state().hash(), m.choices().to_vec(), m.steps()));
        if let Err(error) = m.answer(rng.random_range(0..m.choices().len().max(1))) {
            return (seen, Some(error.to_string()));
        }
    }
    seen.push((m.state().hash(), Vec::new(), m.steps()));
    (seen, None)
}

/// Whole numbers that Luau keeps outside the array of a table.
#[test]
fn tables_with_gaps_do_the_same_as_in_luau() {
    let each = "n = 0 for i, v in ipairs(t) do n = n * 2 + i * v end";
    for body in [
        "local t = { 1, 2, 3 } table.remove(t, 1) t = table.clone(t) t[4] = 3 n = #t",
        "local t = {} t[4] = p t[2] = p t[1] = 1 n = #t",
        "local t = { [1] = 1, [2] = p, [4] = 3 } n = #t",
        "local t = { 1, 2, x = 4 } t[4] = p n = #t",
        "local t = {} table.insert(t, p) t[4] = 3 table.insert(t, p) n = #t",
        "local t = { 1, 2, x = 4 } t[p + 2] = 3 t[4] = 1 table.remove(t) n = (table.find(t, 3) or 0)",
        &format!("local t = {{}} for i = 3, 1, -1 do t[i] = p end {each}"),
        &format!("local t = {{ [2] = p }} t[1] = 5 {each}"),
        &format!("local t = {{ [1] = 1, [2] = 2 }} t[#t] = p t[#t + 1] = 3 {each}"),
        "local t = { [1] = 1, [2] = 2, [3] = p } for i, v in t do n = n * 2 + i * v end",
        "local t = table.clone({ [3] = 1, [1] = 2, [2] = p }) for i, v in t do n = n * 2 + i * v end",
        "local t = table.clone(K) t[4] = p for i, v in t do n = n * 2 + i * v end",
        "local t = players() n = #t t[1] = 9 n = t[1]",
        "local t = players() table.insert(t, 9) n = #t",
        "local t = players() table.remove(t) n = #t",
        "if table.isfrozen(players()) then n = 7 end",
        "local t = {} for i = 1, 16 do t[i] = i end t[18] = p for i = 19, 40 do t[i] = i end n = #t",
        "local t = {} for i = 1, 70 do t[i * 5] = i end n = t[350]",
        "local t = {} for i = 60, 1, -1 do t[i] = i end n = #t for i, v in t do n += i * v end",
        "local t = { x = 1 } for i = 1, 40 do t[i * 3] = p t[i * 2] = nil end t.x = nil t.y = 3 n = #t",
        "local t = {} for i = 1, 9 do t[i * 9] = i end t[18] = nil for i = 1, 9 do t[i * 10] = i end n = t[27]",
        "local t = {} for i = 1, 33 do t[i * 9] = i end t = table.clone(t) t[1] = 2 n = t[9] + #t",
        "local t = table.create(20, p) for i = 41, 22, -1 do t[i] = i end n = #t t[21] = 1 n += #t",
        "local function f(...) return { 1, ... } end local t = f(2, 3, 4) for i = 5, 40 do t[i] = i end n = #t",
        "local t = { [1] = p } for i = 2, 40 do t[i] = i t[-i] = 1 end n = #t",
        "local function f(k) if k < 2 then return k end return f(k - 1) + f(k - 2) end n = f(9)",
        "local t = { 5, 3, 9 } local function f(i, s) n = math.max(n, s) for j = i, #t do f(j + 1, s + t[j]) end end f(1, 0)",
        "local low = math.huge local function f(x) if x < low then low = x end end f(p + 3) f(4) n = low",
        "local low = math.huge for i = 3, 5 do low = math.min(low, i + p) end n = low + 2",
        "local high = -math.huge for i = 3, 5 do high = math.max(high, i - 0.5) end n = high * 2",
    ] {
        let known = "local K = { [3] = 4, [1] = 2, [2] = 9 }";
        let source =
            format!("{known} return {{ main = {{ turn = function(p) local n = 0 {body} set(p, \"out\", n) end }} }}");
        let game = game_of(&source);
        assert_eq!(course(&game.native(), 1), course(&game.interpreted(), 1), "{body}");
    }
}

#[test]
fn random_programs_do_the_same_as_in_luau() {
    let count = std::env::var("LODE_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(120);
    let (mut ends, mut faults) = (0, 0);
    for seed in 0..count {
        let source = Program::new(seed).source();
        let game = game_of(&source);
        let (native, luau) = (course(&game.native(), seed), course(&game.interpreted(), seed));
        assert_eq!(native, luau, "seed {seed}:\n{source}");
        if luau.1.is_some() {
            faults += 1;
        } else {
            ends += 1;
        }
    }
    // Both kinds of programs are tried.
    assert!(ends > count / 10 && faults > count / 20, "{ends} programs ended, {faults} failed");
}

#[test]
fn a_spent_budget_ends_a_hook_at_the_same_step() {
    let program = "return { main = { turn = function(p)
        local n, list = 0, {}
        for i = 1, 40 do
            if i % 3 == 0 then table.insert(list, i) else n += #list end
            gain(p, \"gold\", 1)
        end
        for _, x in list do n += x end
        set(p, \"out\", n)
        choice(1) choice(2)
        if ask(p, \"pick\") == 2 then set(p, \"out\", 7) end
    end } }";
    let game = game_of(program);
    let end = |game: &Game, steps: i64| {
        let mut m = Match::new(game, &game.setup(None, &[], 1).unwrap())?;
        m.limits_mut().steps = steps;
        m.restart(&game.setup(None, &[], 1).unwrap())?;
        m.answer(1)?;
        Ok::<_, MatchError>((m.state().hash(), m.work()))
    };
    let mut kinds = [0, 0];
    for steps in (1..6000).step_by(97) {
        let (native, luau) = (end(&game.native(), steps), end(&game.interpreted(), steps));
        kinds[usize::from(luau.is_ok())] += 1;
        assert_eq!(
            native.map_err(|error| error.to_string()),
            luau.map_err(|error| error.to_string()),
            "with {steps} steps"
        );
    }
    assert!(kinds.iter().all(|count| *count > 5), "{kinds:?}");
}

#[test]
fn a_match_may_begin_in_one_and_end_in_the_other() {
    for variant in VARIANTS.iter().take(8) {
        let game = variant.game();
        let [mut native, mut luau] =
            [game.native(), game.interpreted()].map(|game| Match::new(&game, &variant.setup(5)).unwrap());
        let mut player = Player::new(5);
        let mut turns = 0;
        while !native.is_over() && turns < 120 {
            player.step(&mut native);
            turns += 1;
            // Every few answers the other one goes on, often in the middle of a hook.
            luau.restore(&native.snapshot()).unwrap();
            assert_eq!((luau.choices(), luau.state().hash()), (native.choices(), native.state().hash()), "{variant}");
            if turns % 5 == 0 {
                std::mem::swap(&mut native, &mut luau);
            }
        }
    }
}

#[test]
fn the_hook_of_redeals_knows_for_whom_it_deals() {
    let declared =
        "[counters.secret]\ntext = \"Secret\"\nper = \"player\"\nmax = 9\nvisible = \"owner\"\nredeal = \"hook\"\n";
    let rules = "return { redeal = function(player)
        for _, p in players() do if p ~= player then set(p, \"secret\", random(9)) end end
    end }";
    let turn = "return { main = { turn = function(p) choice(1) choice(2) set(p, \"out\", ask(p, \"pick\")) end } }";
    let game = game_with(&format!("{GAME}{declared}"), &[("game", rules), ("phases", turn)]);
    let dealt = [game.native(), game.interpreted()].map(|game| {
        let mut m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
        let mut rng = StdRng::seed_from_u64(3);
        [0, 1, 0, 1].map(|seat| {
            m.redeal(seat, &mut rng).unwrap();
            m.state().hash()
        })
    });
    assert_eq!(dealt[0], dealt[1]);
    assert!(dealt[0].iter().any(|hash| *hash != dealt[0][0]), "every deal is the same");
}

/// Deals, their number, choices and steps are the same, at every decision and for every seat, and so is the answer after it.
#[test]
fn a_redealt_match_is_the_same_in_both() {
    let mut in_hooks = 0;
    for (variant, seed) in VARIANTS.iter().zip(21..) {
        let game = variant.game();
        let new = |game: &Game| Match::new(game, &variant.setup(seed)).unwrap();
        let games = [game.native(), game.interpreted()];
        let (mut real, mut dealt) = (games.each_ref().map(new), games.each_ref().map(new));
        let mut rng = StdRng::seed_from_u64(seed);
        for _ in 0..120 {
            if real[0].is_over() {
                break;
            }
            let seat = rng.random_range(0..real[0].setup().players);
            let deal: u64 = rng.random();
            let [native, luau] = std::array::from_fn(|at| {
                let m = &mut dealt[at];
                m.restore(&real[at].snapshot()).unwrap();
                let deals = m.redeal(seat, &mut StdRng::seed_from_u64(deal));
                let first = (format!("{deals:?}"), m.choices().to_vec(), m.state().hash());
                let after = (!m.is_over()).then(|| m.answer(deal as usize % m.choices().len()));
                (first, format!("{after:?}"), m.state().hash(), m.steps())
            });
            assert_eq!(native, luau, "{variant}, seat {seat}");
            in_hooks += usize::from(real[0].is_mid_hook());
            let index = rng.random_range(0..real[0].choices().len());
            real.iter_mut().for_each(|m| m.answer(index).unwrap());
        }
    }
    assert!(in_hooks > 100, "only {in_hooks} redeals in the middle of a hook");
}

/// A copied hook goes on as a repeated one does: both matches return to the same snapshots again and again.
#[test]
fn a_restored_match_is_the_same_in_both() {
    let mut in_hooks = 0;
    for (variant, seed) in VARIANTS.iter().zip(11..) {
        let game = variant.game();
        let mut both = [game.native(), game.interpreted()].map(|game| Match::new(&game, &variant.setup(seed)).unwrap());
        let mut rng = StdRng::seed_from_u64(seed);
        let mut taken = vec![both.each_ref().map(Match::snapshot)];
        for _ in 0..400 {
            if both[0].is_over() || rng.random_range(0..5) == 0 {
                let snapshot = &taken[rng.random_range(0..taken.len())];
                both.iter_mut().zip(snapshot).for_each(|(m, snapshot)| m.restore(snapshot).unwrap());
                in_hooks += usize::from(both[0].is_mid_hook() || both[0].is_simultaneous());
            } else {
                let pending = both[0].pending();
                let seat = pending[rng.random_range(0..pending.len())].seat;
                both.iter_mut().for_each(|m| m.focus(seat).unwrap());
                let index = rng.random_range(0..both[0].choices().len());
                both.iter_mut().for_each(|m| m.answer(index).unwrap());
            }
            let [native, luau] = both.each_ref().map(|m| {
                let questions: Vec<_> = m.pending().iter().map(|asked| m.legal_of(asked.seat).unwrap()).collect();
                (m.choices().to_vec(), m.state().hash(), questions)
            });
            assert_eq!(native, luau, "{variant}");
            let [native, luau] = both.each_ref().map(|m| (m.work(), m.steps()));
            assert_eq!(native, luau, "{variant}");
            let place = rng.random_range(0..8);
            if place >= taken.len() {
                taken.push(both.each_ref().map(Match::snapshot));
            } else if place % 3 == 0 {
                both.iter().zip(&mut taken[place]).for_each(|(m, snapshot)| m.snapshot_into(snapshot));
            }
        }
    }
    assert!(in_hooks > 300, "only {in_hooks} restores in the middle of a hook");
}

#[test]
fn the_hooks_of_the_shipped_games_are_machine_code() {
    let (mut whole, mut all, mut left) = (0, 0, Vec::new());
    let mut ids = std::collections::BTreeSet::new();
    for variant in VARIANTS {
        let game = variant.game();
        if !ids.insert(game.declarations().id.clone()) {
            continue;
        }
        let Some(hooks) = game.machine_code().unwrap() else { return };
        for hook in hooks {
            all += 1;
            if hook.is_compiled && hook.ends.is_empty() {
                whole += 1;
            } else {
                left.push(format!("{} {}", game.declarations().id, hook.hook));
            }
        }
    }
    assert!(whole * 100 >= all * 75, "only {whole} of {all} hooks are whole; not {left:#?}");
}
