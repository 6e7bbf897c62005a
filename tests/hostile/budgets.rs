//! Budgets of whole matches, the blame for a spent budget, and names that would forge lines.

use std::sync::atomic::{AtomicBool, Ordering};

use motherlode::SourceFile;
use motherlode_fixtures::mod_of;
use motherlode_play::Simulation;
use motherlode_play::rule_test::{TestFiles, TestFilter};

use super::fixture::Fixture;
use super::place::{PLACES, files};
use super::*;
use crate::shipped::{Player, VARIANTS};

/// A game that spends equal steps on every answer and ends after 20 answers.
fn busy() -> Game {
    let script = r#"
return {
    act = {
        offer = function() choice("fine") choice("attack") end,
        act = function(player)
            for _ = 1, 30000 do set(game, "clock", get(game, "clock")) end
            gain(game, "clock", 1)
            if has(game, "clock", 20) then end_game("line") end
        end,
    },
}
"#;
    Game::load(&pack(ACT, script)).unwrap_or_else(|e| panic!("{e}"))
}

fn begin(game: &Game) -> Match {
    Match::new(game, &game.setup(Some(2), &[], 1).unwrap()).unwrap()
}

/// Answers until the match refuses; returns the number of answers and the error.
fn answers(m: &mut Match) -> (u32, Option<MatchError>) {
    for answered in 0..200 {
        if m.is_over() {
            return (answered, None);
        }
        if let Err(error) = m.answer(0) {
            return (answered, Some(error));
        }
    }
    (200, None)
}

#[test]
fn a_match_has_a_budget_of_its_own() {
    let game = busy();
    let mut m = begin(&game);
    m.answer(0).unwrap();
    // The third answer exceeds the budget, and the fourth is refused.
    let most = m.steps() * 5 / 2;
    let mut m = begin(&game);
    m.limits_mut().match_steps = most;
    let (before, error) = answers(&mut m);
    let Some(MatchError::Steps(message)) = error else { panic!("{error:?}") };
    assert_eq!(before, 3);
    assert!(message.contains(&format!("at most {most} are allowed (hook `act.act` took the most")), "{message}");
    // A restored position restores its spent steps.
    let mut m = begin(&game);
    m.limits_mut().match_steps = most;
    let snapshot = m.snapshot();
    assert_eq!(answers(&mut m).0, before);
    m.restore(&snapshot).unwrap();
    assert_eq!(answers(&mut m).0, before);
    // Control: without the budget the match goes on.
    let mut m = begin(&game);
    assert!(answers(&mut m).0 > before);
}

/// A match budget is meant for endless matches only.
#[test]
fn shipped_matches_use_a_small_part_of_the_budget() {
    for variant in VARIANTS {
        let mut m = variant.begin(0);
        let budget = m.limits_mut().match_steps;
        for seed in 0..3 {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            while !m.is_over() {
                player.step(&mut m);
            }
            assert!(m.steps() * 50 < budget, "{variant}: {} steps", m.steps());
        }
    }
}

#[test]
fn a_halted_game_is_not_counted() {
    static HALT: AtomicBool = AtomicBool::new(false);
    let game = busy().halted_by(&HALT);
    let setup = game.setup(Some(2), &[], 1).unwrap();
    let simulation = Simulation { games: 1000, threads: 1, ..Simulation::new(&game, setup) };
    let mut seen = 0;
    let report = simulation.run(|progress| {
        seen = progress.done;
        HALT.store(true, Ordering::Relaxed);
    });
    let report = report.unwrap();
    // The thread that plays was a few games ahead. It cut the one that it played.
    assert_eq!((seen, report.aborted.len()), (report.games, 0));
    assert!((1..1000).contains(&report.games), "{}", report.games);
    let mut m = begin(&busy());
    assert_eq!(m.answer(0), Ok(()));
    let mut m = begin(&{
        HALT.store(false, Ordering::Relaxed);
        game
    });
    HALT.store(true, Ordering::Relaxed);
    assert_eq!(m.answer(0), Err(MatchError::Halted));
}

/// The place blamed for a mod's endless loop.
fn blamed(file: &str, text: &str, place: &str) -> String {
    let fixture = Fixture::all().into_iter().find(|one| one.name == "loops/loop").unwrap();
    let place = PLACES.iter().find(|one| one.name == place).unwrap();
    let (mut game, _) = files(&fixture, *place);
    game.retain(|(path, _)| path != place.file);
    game.push((place.file.to_owned(), super::place::idle(place.file)));
    let guest = mod_of("guest", "hostile", &[], &[(file, text)]);
    let game = Game::load(&Pack::from_files("hostile", game).over(vec![guest])).unwrap_or_else(|e| panic!("{e}"));
    let setup = game.setup(Some(2), &[("context".into(), place.name.into())], 7).unwrap();
    let mut m = Match::new(&game, &setup).unwrap();
    m.limits_mut().steps = 100_000;
    let fault = script_fault(m.answer(1).unwrap_err()).unwrap();
    assert!(fault.message.contains("spent its budget"), "{fault}");
    format!("{}:{}", fault.file, fault.line)
}

#[test]
fn a_loop_in_a_mod_names_its_own_line() {
    let loops = "while true do end";
    for (file, text, place, line) in [
        // The loop is on the first line, which also holds the accessors.
        ("lib", format!("return {{ attack = replace(function(player) {loops} end) }}"), "lib", 1),
        ("verbs", format!("return {{ strike = replace(function(player) {loops} end) }}"), "verb", 1),
        ("verbs", format!("\n\nreturn {{ strike = wrap(function(original, player)\n{loops} end) }}"), "verb", 4),
        // The game's own function spends the steps, but the mod calls it in an endless loop.
        ("lib", "\nreturn { attack = wrap(function(f, player)\nwhile true do f(player) end end) }".into(), "lib", 3),
    ] {
        assert_eq!(blamed(file, &text, place), format!("guest/scripts/hostile/{file}.luau:{line}"), "{text}");
    }
}

#[test]
fn a_rule_test_pays_for_moved_elements() {
    let (game, _) = files(&Fixture::all()[0], PLACES[0]);
    let game = game.into_iter().filter(|(path, _)| path.ends_with(".toml") || path.ends_with("lib.luau"));
    let game: Vec<_> = game.chain([(SCRIPT.to_owned(), super::place::idle(SCRIPT))]).collect();
    let verbs = "scripts/hostile/verbs.luau";
    let game = game.into_iter().chain([(verbs.to_owned(), super::place::idle(verbs))]);
    let game = Game::load(&Pack::from_files("hostile", game)).unwrap_or_else(|e| panic!("{e}"));
    let said = |body: &str| {
        let text = format!("return {{ [\"it\"] = function(t)\n{body}\nt.equal(1, 1)\nend }}");
        let file = SourceFile { path: "tests/hostile/a.luau".into(), text };
        TestFiles::of([file]).run(&game, TestFilter::All).remove(0).message
    };
    let many = "local l = table.create(1000, 1) for _ = 1, 2e4 do";
    for dear in ["table.remove(l, 1) l[1000] = 1", "table.insert(l, 1, 1) l[1001] = nil", "table.sort(l)"] {
        assert!(said(&format!("{many} {dear} end")).contains("the test may never end"), "{dear}");
    }
    // Control: operations that move no elements may repeat as often.
    assert_eq!(said(&format!("{many} table.remove(l) l[1000] = 1 end")), "");
    assert_eq!(said("t.equal(table.maxn, nil) t.equal(table.foreach, nil)"), "");
    // Reading a text as a number costs its digits. Adding numbers costs little.
    let sums = "local x = 0 ".to_owned() + &"x = s + 1 ".repeat(500);
    let digits = format!("local s = string.rep(\"1\", 300) for _ = 1, 1e3 do {sums} end");
    assert!(said(&digits).contains("the test may never end"));
    assert_eq!(said("for _ = 1, 1e5 do local _ = 1 + 1 end"), "");
    // Self-containing tables are neither compared nor printed completely.
    let own = "local a, b = {}, {} for i = 1, 30 do a[i] = b b[i] = a end";
    let wide = "local a, b = {}, {} for _ = 1, 7 do a = { a, a, a, a, a, a } b = { b, b, b, b, b, b } end";
    assert!(said(&format!("{wide} t.equal(a, b)")).contains("fields cannot be compared"));
    assert!(said(&format!("{own} t.equal(a, 1)")).contains("got { { {"));
    assert!(said(&format!("{own} t.expect(a, \"gold\", 1)")).contains("expected a whole number or a name"));
    assert_eq!(said(&format!("{own} t.equal(a, a)")), "");
}
