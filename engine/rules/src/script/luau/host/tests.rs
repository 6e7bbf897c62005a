//! Tests of budgets and costs, independent of the VM that runs the hooks.

use super::*;
use crate::Game;
use crate::script::machine::PhaseHook;
use motherlode_fixtures::pack;

fn game(phases: &str) -> Game {
    let game = r#"
name = "G"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "A" }, { name = "B" }]
counters.gold = { text = "Gold", per = "player" }
outcome = { score = "gold" }
"#;
    let content = [("game", game), ("phases", "[act]\nname = \"Act\"\nturns = \"around\"\n")];
    Game::load(&pack("g", &content, &[("phases", phases)])).unwrap()
}

#[test]
fn machine_code_and_luau_spend_a_budget_in_the_same_step() {
    let ends_within_budget = |game: &Game| crate::Match::new(game, &game.setup(Some(2), &[], 1).unwrap()).is_ok();
    let ended: Vec<bool> = (0..12)
        .map(|size| {
            let rounds = 100_000.0 * 1.3_f64.powi(size);
            let game = game(&format!(
                "return {{ act = {{ turn = function(player)
                    for i = 1, {rounds:.0} do
                        for j = i, i + player do
                            if j > 0 then break end
                        end
                    end
                    end_game()
                end }} }}"
            ));
            let interpreted = ends_within_budget(&game.interpreted());
            assert_eq!(ends_within_budget(&game.native()), interpreted, "{rounds} rounds");
            interpreted
        })
        .collect();
    assert!(ended[0] && !ended[11], "{ended:?}");
}

/// A value that a VM caches costs nothing to the hook that creates it.
#[test]
fn a_hook_costs_the_same_in_every_vm() {
    let game = game("return { act = { turn = function(player) for i = 1, 3 do if #players() ~= i then end end end } }");
    for game in [game.clone(), game.interpreted(), game.careful()] {
        let mut host = game.machine().unwrap();
        let turn = Hook::Phase(0, PhaseHook::Turn);
        host.words_mut()[crate::state::layout::word::PLAYERS] = 2;
        let costs: Vec<i64> = (0..3)
            .map(|_| {
                let before = host.traces().spent;
                host.call(turn, &[1]).unwrap();
                host.traces().spent - before
            })
            .collect();
        assert!(costs[0] > 3 && costs == [costs[0]; 3], "{costs:?}");
    }
}

#[test]
fn a_coroutine_returns_its_first_value_as_a_plain_call_does() {
    let game = game("return { act = { turn = function(player) return 7, {}, 5 end } }");
    let mut host = game.machine().unwrap();
    let turn = Hook::Phase(0, PhaseHook::Turn);
    assert_eq!(host.call(turn, &[1]), Ok(Returned::Int(7)));
    assert_eq!(host.start(turn, &[1]), Ok(CallEnd::Done(Returned::Int(7))));
}
