"""Pickles and deep copies: of games, states, bots, vectors and environments."""

import copy
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, play, sample

import motherlode as ml

PACKS = ROOT / "benches" / "packs" / "content"


def again(thing: Any) -> Any:
    """The thing after a pickle, which must not change with the next one."""
    text = pickle.dumps(thing)
    other = pickle.loads(text)
    assert pickle.dumps(other) == text
    return other


def test_games(game: ml.Game) -> None:
    other = again(game)
    assert other.fingerprint == game.fingerprint and other.source == game.source
    assert other.options == game.options and other.num_players == game.num_players
    assert copy.deepcopy(game) is game and copy.copy(game) is game
    photon = again(ml.load("photon", players=3, options={"towers": 8}))
    assert (photon.num_players, photon.options["towers"]) == (3, 8)


def test_games_travel_as_they_were_loaded(tmp_path: Path) -> None:
    for room in ("content", "scripts"):
        shutil.copytree(ROOT / room / "photon", tmp_path / room / "photon")
    (tmp_path / "tests" / "photon").mkdir(parents=True)
    (tmp_path / "tests" / "photon" / "balance.toml").write_text('best = "flat:9"')
    game = ml.load(tmp_path)
    file = tmp_path / "content" / "photon" / "game.toml"
    file.write_text(file.read_text().replace("start = 2 ", "start = 3 "))
    edited = ml.load(tmp_path)
    assert edited.fingerprint != game.fingerprint
    texts = [pickle.dumps(one) for one in (game, edited)]
    shutil.rmtree(tmp_path)
    found = [pickle.loads(text) for text in texts]
    assert [one.fingerprint for one in found] == [game.fingerprint, edited.fingerprint]
    assert [pickle.dumps(one) for one in found] == texts
    assert found[0].best_bot == "flat:9"


def test_games_with_mods(tmp_path: Path) -> None:
    mod = tmp_path / "rich"
    (mod / "content" / "photon").mkdir(parents=True)
    (mod / "mod.toml").write_text('id = "rich"\nversion = "1.0.0"\ngame = "photon"\n')
    (mod / "content" / "photon" / "game.toml").write_text("[counters]\ngold.start = 5\n")
    game = ml.load("photon", mods=[mod])
    shutil.rmtree(mod)
    other = again(game)
    assert other.fingerprint == game.fingerprint != ml.load("photon").fingerprint
    # The game without its mods comes from the same files.
    assert ml.compare(game, blocks=2)["blocks"] == 2


@pytest.mark.parametrize("chance", ["seed", "explicit"])
def test_states(game: ml.Game, chance: Any) -> None:
    rng = np.random.default_rng(3)
    state = game.new_state(seed=3, chance=chance)
    while True:
        other = again(state)
        assert other.hash() == state.hash() and other.history() == state.history()
        assert other.legal_actions() == state.legal_actions() and str(other) == str(state)
        assert other.events(1) == state.events(1)
        if state.is_terminal():
            break
        play(state, rng, 40)
    assert other.returns() == state.returns()
    pair = pickle.loads(pickle.dumps([state, game.new_state()]))
    assert pair[0].game is pair[1].game


def test_states_with_answers_out_of_order() -> None:
    state = ml.load("photon").new_state(seed=1)
    pending = state.pending_players()
    assert len(pending) > 1
    last = pending[-1]
    state.apply_action(state.legal_actions(last)[-1], last)
    other = again(state)
    assert other.hash() == state.hash() and other.pending_players() == state.pending_players()
    assert [other.legal_actions(one) for one in range(4)] == [state.legal_actions(one) for one in range(4)]


def test_resampled_states_stay_here() -> None:
    state = ml.load(PACKS / "kuhn").new_state(seed=7)
    with pytest.raises(TypeError, match="resampled state cannot be pickled"):
        pickle.dumps(state.resample_from_infostate(0))


def test_bots() -> None:
    state = ml.load("photon").new_state(seed=2)
    for spec in ("search:8", "plan:raiders"):
        bot = ml.Bot(state.game, spec, seed=4)
        other = again(bot)
        assert other.spec == spec and other(state) == bot(state)


@pytest.mark.parametrize("opponents", [None, "random"])
def test_vectors(game: ml.Game, opponents: str | None) -> None:
    env = game.vector(9, seed=4, opponents=opponents, threads=2)
    assert not again(env).truncated.any()
    rng = np.random.default_rng(4)
    _, mask, _ = env.reset()
    for _ in range(60):
        mask = env.step(sample(mask, rng))[3]
    actions = sample(mask, rng)
    for other in (again(env), copy.deepcopy(env)):
        first = other.step(actions)
        one = [array.copy() for array in first]
        if opponents is None:
            # Both go on by themselves.
            first = other.step(sample(first[3], np.random.default_rng(1)))
        two = copy.deepcopy(env).step(actions)
        assert all((a == b).all() for a, b in zip(one, two, strict=True))
    # The vector itself has not moved.
    three = env.step(actions)
    assert all((a == b).all() for a, b in zip(one, three, strict=True))
    env.close()
    with pytest.raises(TypeError, match="closed"):
        pickle.dumps(env)


def test_rewards_and_ends_of_vectors() -> None:
    env = ml.load(PACKS / "kuhn").vector(64, seed=1)
    _, mask, _ = env.reset()
    rng = np.random.default_rng(1)
    while True:
        _, reward, done, mask, _ = env.step(sample(mask, rng))
        if done.any():
            break
    reduced: Any = env.__reduce__()
    state = reduced[1][0]
    assert (state[5].reshape(64, 2) == reward).all() and (state[6] == done).all()
    again(env)


def test_environments() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    env = ml.gymnasium("photon", ["search:2", "first", "random"])
    _, info = env.reset(seed=5)
    assert gymnasium and isinstance(pickle.loads(pickle.dumps(info["choices"])), dict)
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        twin, mask = copy.deepcopy(env), info["action_mask"]
        for _ in range(30):
            action = np.int64(np.flatnonzero(mask)[-1])
            one, two = twin.step(action), other.step(action)
            assert (one[0] == two[0]).all() and one[1:4] == two[1:4]
            if one[2]:
                break
            mask = one[4]["action_mask"]
    turns, parallel = ml.pettingzoo.aec("photon"), ml.pettingzoo.parallel("photon")
    for pettingzoo in (turns, parallel):
        pettingzoo.reset(seed=5)
        other = pickle.loads(pickle.dumps(pettingzoo))
        assert other.render() == pettingzoo.render() and other.agents == pettingzoo.agents


def test_damaged_pickles_raise() -> None:
    game = ml.load(PACKS / "kuhn")
    state = game.new_state(seed=1)
    play(state, np.random.default_rng(1), 1)
    before = state.hash()
    good = pickle.dumps(state)
    for old, new in ((b'"seed"', b'"sead"'), (b'"actions"', b'"octions"'), (b"[outcome]", b"[outcame]")):
        assert old in good
        with pytest.raises((ValueError, pickle.UnpicklingError)):
            pickle.loads(good.replace(old, new))
    for cut in (3, len(good) // 2, len(good) - 2):
        with pytest.raises((EOFError, ValueError, pickle.UnpicklingError)):
            pickle.loads(good[:cut])
    reduced: Any = game.__reduce__()
    rebuild, values = reduced
    for wrong in (values[:-1], (*values[:5], "other", values[6]), ("photon", *values[1:]), (1, 2, 3, 4, 5, 6, 7)):
        with pytest.raises((ValueError, FileNotFoundError)):
            rebuild(*wrong)
    with pytest.raises(ValueError, match="leads out"):
        rebuild(values[0], ((("../x", b"")), *values[1])[:1], *values[2:])
    env = game.vector(4)
    env.reset()
    reduced = env.__reduce__()
    resume, (record,) = reduced
    for place, value in ((4, "[]"), (4, "x"), (4, record[4].replace('"choices":[', '"choices":[900')), (5, record[5][1:])):
        with pytest.raises(ValueError, match="damaged"):
            resume((*record[:place], value, *record[place + 1 :]))
    assert state.hash() == before and pickle.loads(good).hash() == before
