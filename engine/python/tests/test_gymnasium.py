"""Gymnasium's own checks on games of the package."""

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, ctrl_c, edited

import motherlode as ml

pytest.importorskip("gymnasium", reason="Gymnasium is missing: pip install 'motherlode[gymnasium]'")

PACKS = ROOT / "benches" / "packs" / "content"


def load(name: str) -> ml.Game:
    """A shipped game, or a pack of the benches."""
    return ml.load(name if name in ml.games() else PACKS / name)


@pytest.mark.parametrize("name", [*ml.games(), "kuhn", "leduc", "connect_four"])
def test_check_env(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        # Some numbers have no bound.
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(ml.gymnasium(load(name), "random"), skip_render_check=True)


def episode(env: Any, seed: int) -> tuple[list[bytes], float, dict[str, Any]]:
    """The observations of a match at random, with its reward and last info."""
    rng = np.random.default_rng(seed)
    told, info = env.reset(seed=seed)
    seen, over, cut, reward = [told.tobytes()], False, False, 0.0
    while not over and not cut:
        assert (info["action_mask"] == env.action_masks()).all()
        told, reward, over, cut, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        seen.append(told.tobytes())
    return seen, reward, info


def test_seeds_and_seats(game: ml.Game) -> None:
    env = ml.gymnasium(game, "random")
    first, again = episode(env, 1), episode(ml.gymnasium(game, "random"), 1)
    assert first[:2] == again[:2]
    assert game.utility.min <= first[1] <= game.utility.max
    seats = {env.reset()[1]["seat"] for _ in range(40)}
    assert seats == set(range(game.num_players))
    fixed = ml.gymnasium(game, "random", seat=1)
    assert all(fixed.reset()[1]["seat"] == 1 for _ in range(5))


def test_opponents_may_be_functions() -> None:
    game = ml.load("photon", players=3)
    asked = set()

    def last(state: ml.State) -> int:
        asked.add(state.current_player())
        return state.legal_actions()[-1]

    env = ml.gymnasium(game, ["search:2", last], seat=1)
    episode(env, 2)
    assert asked == {0}


def test_an_opponent_that_fails_ends_the_match() -> None:
    game = ml.load("photon", players=2)
    asked = []

    def fails(state: ml.State) -> int:
        asked.append(state.current_player())
        if len(asked) == 2:
            raise KeyError("a mistake")
        return state.legal_actions()[0]

    env = ml.gymnasium(game, fails, seat=0)
    with pytest.raises(KeyError, match="a mistake"):
        for seed in range(20):
            episode(env, seed)
    with pytest.raises(RuntimeError, match="an opponent failed or was interrupted"):
        env.step(np.int64(0))
    episode(env, 1)
    env = ml.gymnasium(game, lambda _: 999, seat=0)
    with pytest.raises(ValueError, match="opponent 1, player 1: there is no action 999"):
        for seed in range(20):
            episode(env, seed)


def test_functions_get_a_copy_of_the_state() -> None:
    game = ml.load("photon", players=2)

    def last(state: ml.State) -> int:
        return state.legal_actions()[-1]

    def tries(state: ml.State) -> int:
        action = last(state)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        return action

    plain, other = (ml.gymnasium(game, one, seat=0) for one in (last, tries))
    assert episode(plain, 3)[:2] == episode(other, 3)[:2]


def test_actions_are_integers() -> None:
    env = ml.gymnasium(load("kuhn"), seat=0)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="`action` must be an integer, not 1.5"):
        env.step(1.5)  # type: ignore[arg-type]
    env = ml.gymnasium("photon", lambda state: 1.5, seat=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the action of an opponent must be an integer"):
        env.reset(seed=1)


def test_ctrl_c_ends_long_searches() -> None:
    env = ml.gymnasium("krysis", "search:1000000", seat=3)
    with ctrl_c():
        env.reset(seed=1)
    assert episode(ml.gymnasium("photon", "search:2"), 1)


def test_illegal_actions() -> None:
    game = load("kuhn")
    lenient, strict = ml.gymnasium(game, seat=0), ml.gymnasium(game, seat=0, illegal="raise")
    with pytest.raises(RuntimeError, match="call `reset`"):
        lenient.step(np.int64(0))
    for env in (lenient, strict):
        env.reset(seed=1)
    illegal = np.int64(np.flatnonzero(~strict.action_masks())[0])
    _, reward, over, cut, info = lenient.step(illegal)
    assert (reward, over, cut, info["illegal"]) == (-2.0, True, False, True)
    with pytest.raises(RuntimeError, match="is over"):
        lenient.step(illegal)
    with pytest.raises(ml.ActionError):
        strict.step(illegal)
    strict.step(np.int64(np.flatnonzero(strict.action_masks())[0]))


def test_matches_without_a_decision_are_skipped(tmp_path: Path) -> None:
    # The first answer ends each match.
    folder = edited(tmp_path, "kuhn", "phases.luau", 'if action == "fold"', 'if player == 1 or action == "fold"')
    env = ml.gymnasium(folder)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0}
    with pytest.raises(RuntimeError, match="1000 matches in a row have ended before the first decision"):
        ml.gymnasium(folder, seat=1).reset(seed=1)


def test_wrong_arguments() -> None:
    game = ml.load("photon", players=4)
    with pytest.raises(ValueError, match="2 opponents for 4 players: give one for all, or 3"):
        ml.gymnasium(game, ["random", "random"])
    for wrong in (3, [1, 2, 3], None):
        with pytest.raises(TypeError, match="`opponents` takes names of bots and functions of a state, not"):
            ml.gymnasium(game, wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no seat 4"):
        ml.gymnasium(game, seat=4)
    with pytest.raises(TypeError, match="`seat` takes a whole number, not 'a'"):
        ml.gymnasium(game, seat="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`opponents` has the class .*: use an object of it"):
        ml.gymnasium(game, Counter)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="search"):
        ml.gymnasium(game, "serch:2")
    with pytest.raises(ValueError, match='"lose" or "raise"'):
        ml.gymnasium(game, illegal="skip")  # type: ignore[arg-type]
