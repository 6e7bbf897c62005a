"""Experiments in this process."""

import functools
import json
import os
import re
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import motherlode as ml
from conftest import ROOT, edited

Observation = NDArray[np.float32]
Mask = NDArray[np.bool_]


class RandomPolicy:
    """Random legal actions, repeated for a seed."""

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, observation: Observation, mask: Mask) -> np.int64:
        choice: np.int64 = self.rng.choice(np.flatnonzero(mask))
        return choice


def first_policy(observation: Observation, mask: Mask) -> int:
    """The first legal action."""
    return int(mask.argmax())


class PressCtrlC:
    """Progress that sends SIGINT to this process after some pieces."""

    def __init__(self, after: int = 1) -> None:
        self.after, self.is_pressed = after, False

    def __call__(self, done: int, total: int) -> None:
        if done >= self.after and not self.is_pressed:
            self.is_pressed = True
            os.kill(os.getpid(), signal.SIGINT)


def test_simulations_do_not_depend_on_threads() -> None:
    one, two = (ml.sim("photon", games=60, seed=3, rows="games", threads=threads) for threads in (1, 2))
    assert one.to_json(measurements=False) == two.to_json(measurements=False)
    assert one["games"] == one["wanted"] == 60 and not one.stopped
    assert list(one.rows) == list(two.rows)
    assert all((one.rows[name] == two.rows[name]).all() for name in one.rows)
    assert one.rows["seed"].dtype == np.uint64 and len(set(one.rows["seed"])) == 60


def test_rows_are_numpy_and_arrow() -> None:
    result = ml.sim("photon", games=5, rows="decisions")
    assert len(result.rows["seat"]) == sum(ml.sim("photon", games=5, rows="games").rows["decisions"])
    arrow = pytest.importorskip("pyarrow")
    table = ml.arena("photon", ["random", "first"], blocks=3, rows=True).table()
    assert isinstance(table, arrow.Table) and table.num_rows == 6
    assert set(table["bot_1"].to_pylist()) == {"random", "first"}
    with pytest.raises(ValueError, match="use the argument `rows`"):
        ml.sim("photon", games=2).rows


def test_wrong_arguments_raise() -> None:
    for number in (1.5, "two"):
        with pytest.raises(TypeError, match="`games` takes a whole number, not"):
            ml.sim("photon", games=number)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="`forks` takes a whole number, not"):
            ml.effects("photon", "random", blocks=2, forks=number)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`forks` is -1: use 0 to"):
        ml.effects("photon", "random", blocks=2, forks=-1)
    with pytest.raises(TypeError, match="`answers` takes a name or a list of names, not 3"):
        ml.sim("photon", games=2, answers=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`progress` takes True, False, None or a callable, not 3"):
        ml.sim("photon", games=2, progress=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="did you mean `random`"):
        ml.sim("photon", "randon")
    with pytest.raises(ValueError, match="unknown prompt"):
        ml.sim("photon", answers=["nothing"])
    with pytest.raises(ValueError, match="use 2 to"):
        ml.arena("photon", "random", blocks=1)
    with pytest.raises(ValueError, match="the smaller one first"):
        ml.arena("photon", "random", until=(0.6, 0.4))
    with pytest.raises(ValueError, match="give a base"):
        ml.compare("photon")
    with pytest.raises(TypeError, match="is no bot"):
        ml.sim("photon", [3])  # type: ignore[list-item]
    wrong: Any
    for wrong in (3, 3.5, None):
        with pytest.raises(TypeError, match=f"`bots` takes bots, each a name or a callable, not {wrong}"):
            ml.sim("photon", wrong)
    with pytest.raises(ValueError, match="`blocks` is 1: use 2 to 1000000000$"):
        ml.arena("photon", "random", blocks=1)
    with pytest.raises(TypeError, match="`blocks` takes a whole number, not 'many'"):
        ml.arena("photon", "random", blocks="many")  # type: ignore[arg-type]
    for wrong in (3, (0.1, 0.2, 0.3), "ab"):
        with pytest.raises(ValueError, match="`until` is .*: use two shares"):
            ml.arena("photon", "random", until=wrong)
    with pytest.raises(TypeError, match="`matters` takes a number"):
        ml.compare("photon", "photon", matters="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`players` takes a list"):
        ml.train("photon", players=2)  # type: ignore[arg-type]


def test_a_policy_is_a_bot() -> None:
    result = ml.arena("photon", ["random", first_policy, RandomPolicy()], blocks=20, rows=True)
    names = [bot["bot"] for bot in result["bots"]]
    assert names == ["random", "call:first_policy", "call:RandomPolicy"]
    again = ml.arena("photon", ["random", first_policy, RandomPolicy()], blocks=20)
    assert result.to_json(measurements=False) == again.to_json(measurements=False)
    # The bot `first` takes the first choice, which need not be the smallest action, but a policy that is a bot's
    # equal in all but its name has the same games.
    two = ml.arena("photon", [first_policy, first_policy], blocks=20)
    assert [bot["bot"] for bot in two["bots"]] == ["call:first_policy", "call:first_policy-2"]
    named = RandomPolicy()
    named.name = "mine"  # type: ignore[attr-defined]
    result = ml.arena("photon", [named, functools.partial(first_policy)], blocks=2)
    assert [bot["bot"] for bot in result["bots"]] == ["call:mine", "call:first_policy"]


def test_faults_of_a_policy_are_raised() -> None:
    def wrong(observation: Observation, mask: Mask) -> int:
        raise ZeroDivisionError("of the policy")

    with pytest.raises(ZeroDivisionError, match="of the policy") as raised:
        ml.arena("photon", ["random", wrong], blocks=3)
    with pytest.raises(ml.ActionError, match="is not legal now"):
        ml.sim("photon", lambda observation, mask: int(mask.argmin()), games=3)
    # Python 3.10 has no notes.
    for note in getattr(raised.value, "__notes__", []):
        assert re.fullmatch(r"asked as player \d of `photon`, in a match with seed \d+", note)
    # The run leaves nothing behind.
    assert ml.arena("photon", ["random", first_policy], blocks=3)["blocks"] == 3


def test_ctrl_c_keeps_the_games_so_far() -> None:
    with pytest.raises(ml.Stopped) as stopped:
        ml.sim("photon", games=10**9, rows="games", progress=PressCtrlC())
    result = stopped.value.result
    assert result.stopped and 0 < result["games"] < 10**9 and len(result.rows["seed"]) == result["games"]
    # Games that take long are dropped after a second.
    krysis = ml.load("krysis")
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(ml.Stopped) as stopped:
        ml.arena(krysis, "search:100000", blocks=2)
    assert stopped.value.result["blocks"] == 0
    assert ml.sim("photon", games=10)["games"] == 10


def test_effects_measure_the_named_items_alone() -> None:
    arguments: dict[str, Any] = {"blocks": 10, "forks": 5}
    every, raids = (ml.effects("photon", "random", items=items, **arguments) for items in ([], ["raid"]))
    assert {item["name"] for item in raids["items"]} == {"Raid"} < {item["name"] for item in every["items"]}
    assert ml.effects("photon", "random", after="first", **arguments)["after"] == "first"
    with pytest.raises(ValueError, match="nothing"):
        ml.effects("photon", "random", items=["nothing"], **arguments)


def test_progress_counts_pieces() -> None:
    told: list[tuple[int, int]] = []
    ml.effects("photon", "random", blocks=20, forks=5, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40, 40)


def test_comparisons_pair_games(tmp_path: Path) -> None:
    for room in ("content", "scripts"):
        (tmp_path / room / "photon").mkdir(parents=True)
        for file in (ROOT / room / "photon").rglob("*"):
            target = tmp_path / file.relative_to(ROOT)
            if file.is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.write_bytes(file.read_bytes())
    same = ml.compare(tmp_path, ml.load("photon"), blocks=10)
    assert same["same"] == same["pairs"] == 10 and json.loads(same.text) == same.data


def test_comparisons_need_two_versions_of_one_game(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="`photon` and `krysis` are different games"):
        ml.compare("photon", "krysis")
    with pytest.raises(ValueError, match="3 and 2 players"):
        ml.compare(ml.load("photon", players=3), ml.load("photon", players=2))
    with pytest.raises(ValueError, match="option `towers`"):
        ml.compare(ml.load("photon", options={"towers": 8}), "photon")


def test_results_are_mappings() -> None:
    result = ml.sim("photon", games=2)
    assert "seats" in result and "nothing" not in result and list(result) == list(result.data)
    with pytest.raises(KeyError, match="no part `seat`: did you mean `seats`"):
        result["seat"]
    with pytest.raises(KeyError, match="no part `xyz`: the parts are .*seats"):
        result["xyz"]
    assert result.get("xyz") is None
    assert dict(result.items()) == result.data and len(result.keys()) == len(result)
    assert "seats" in repr(result) and result == result and result != ml.sim("photon", games=2)


def test_callables_that_are_no_policies() -> None:
    photon = ml.load("photon")
    wrong: Any = ml.Bot(photon, "first")
    with pytest.raises(TypeError, match='is no policy: pass its spec "first"$'):
        ml.arena(photon, [wrong, "random"], blocks=2)
    wrong = RandomPolicy
    with pytest.raises(TypeError, match="is no policy: it is a class, so pass an object of it$"):
        ml.arena(photon, [wrong, "random"], blocks=2)


def test_policies_compare_and_have_effects() -> None:
    assert ml.compare("photon", "photon", first_policy, blocks=2)["bots"] == ["call:first_policy"]
    assert ml.effects("photon", first_policy, blocks=2, forks=2)["bots"] == ["call:first_policy"]


def test_aborted_games(tmp_path: Path) -> None:
    broken = edited(tmp_path, "tictactoe", "phases.luau", "set(cell", "error('broken') set(cell")
    with pytest.raises(ml.Error, match="3 of 3 games aborted.*broken"):
        ml.sim(broken, games=3)
    with pytest.raises(ml.Error, match="4 of 4 games aborted"):
        ml.arena(broken, ["random", "first"], blocks=2)


def test_wrong_arguments_are_explained() -> None:
    game = ml.load("photon")
    wrong: Any
    for wrong in ("game", "rows", 1, True):
        with pytest.raises(ValueError, match="`rows` is"):
            ml.sim(game, rows=wrong)
    for wrong in ("games", 1, None):
        with pytest.raises(ValueError, match="`rows` is"):
            ml.arena(game, ["random", "first"], rows=wrong)
    with pytest.raises(ValueError, match="unknown prompt `turn`"):
        ml.sim(game, answers="turn")
    with pytest.raises(ValueError, match="`seed` is -1: use 0 to 18446744073709551615"):
        ml.sim(game, seed=-1)
    for wrong in (-1, 1025, 10**9, 2**70):
        with pytest.raises(ValueError, match="`threads` is .*: use 0 to 1024"):
            ml.sim(game, threads=wrong)
    with pytest.raises(TypeError, match="`threads` takes a whole number, not `float`"):
        ml.sim(game, threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`game` must be"):
        ml.sim(7)  # type: ignore[arg-type]

    def half(observation: Observation, mask: Mask) -> float:
        return 1.5

    with pytest.raises(TypeError, match="bot `half` returned 1.5"):
        ml.sim(game, [half, *["random"] * (game.num_players - 1)], games=1)


def test_trainings_are_repeatable(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"players": [2], "games": 20, "iterations": 2, "matches": 8}
    one, two = (ml.train("photon", threads=threads, **arguments) for threads in (1, 2))
    assert one.value == two.value and one.text == two.text
    assert one["games"] > 0 and len(one["iterations"][0]) == 2
    assert "verdict" in one and "nothing" not in one and list(one) == list(one.data) and dict(one) == one.data
    assert one.get("nothing") is None and one == one and one != two and "verdict" in repr(one)
    bot = one.save(tmp_path / "new.value")
    assert ml.arena("photon", [bot, "random"], blocks=2)["blocks"] == 2
    with pytest.raises(FileExistsError, match="force=True"):
        ml.train("photon", out=tmp_path / "new.value", **arguments)
    with pytest.raises(KeyboardInterrupt):
        ml.train("photon", games=100_000, progress=PressCtrlC())
    with pytest.raises(ml.Stopped, match="has the best value so far") as stopped:
        ml.train("photon", players=[2], games=20, iterations=1000, matches=8, progress=PressCtrlC(100))
    assert isinstance(stopped.value, ml.TrainingStopped) and stopped.value.result.value


def test_plans_that_beat_a_bot() -> None:
    few: dict[str, Any] = {"steps": 1, "tried": 8, "finalists": 2, "blocks": 6, "seed": 2}
    seen: list[int] = []
    one = ml.exploit("photon", "random", **few, threads=1, progress=lambda done, total: seen.append(done))
    assert one.text == ml.exploit("photon", "random", **few, threads=2).text and seen[-1] > 0
    assert one["opening"] == 0 and ml.exploit("photon", "random", opening=3, **few)["opening"] == 3
    assert 0 < one["tried"] <= 8 and len(one["plans"]) <= 2 and one["against"] == "random"
    assert ml.exploit("photon", first_policy, **few)["plans"]
    with pytest.raises(ml.Stopped) as stopped:
        ml.exploit("photon", "random", blocks=10**6, progress=PressCtrlC(30))
    assert stopped.value.result["stopped"]
    with pytest.raises(ValueError, match="`steps` is 9: use 1 to 8"):
        ml.exploit("photon", steps=9)
    with pytest.raises(ValueError, match="`opening` is -1: use 0 to"):
        ml.exploit("photon", opening=-1)
    with pytest.raises(ValueError, match="at least two players"):
        ml.exploit(ml.load("imperial_miners", players=1))
