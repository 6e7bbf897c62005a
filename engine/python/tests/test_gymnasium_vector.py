"""The vector environment of Gymnasium."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, edited, sample

import motherlode as ml

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is missing: pip install 'motherlode[gymnasium]'")

PACKS = ROOT / "benches" / "packs" / "content"


def test_gymnasiums_own_wrappers(game: ml.Game) -> None:
    from gymnasium.utils.env_checker import data_equivalence
    from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

    runs: list[list[Any]] = []
    for _ in range(2):
        env = DictInfoToList(RecordEpisodeStatistics(ml.gymnasium_vector(game, 5, "random")))
        observation, infos = env.reset(seed=3)
        rng = np.random.default_rng(3)
        run: list[Any] = [observation]
        for _ in range(30):
            assert env.observation_space.contains(observation)
            mask = np.array([info["action_mask"] for info in infos], np.bool_)
            actions = sample(mask, rng)
            assert env.action_space.contains(actions)
            observation, reward, over, cut, infos = env.step(actions)
            assert reward.shape == over.shape == cut.shape == (5,) and reward.dtype == np.float64
            run += [observation, reward, over, cut]
        runs.append(run)
        env.close()
    assert data_equivalence(runs[0], runs[1], exact=True)


def test_statistics_of_episodes() -> None:
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    env = RecordEpisodeStatistics(ml.gymnasium_vector(PACKS / "kuhn", 8, "random"))
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(20):
        _, reward, over, cut, infos = env.step(sample(infos["action_mask"].astype(np.bool_), rng))
        assert not cut.any() and (reward[~over] == 0).all()
        if over.any():
            assert (infos["episode"]["r"][over] == reward[over]).all()
            ended += int(over.sum())
    assert ended > 20


def test_ends_of_matches() -> None:
    game = ml.load(PACKS / "kuhn")
    env, twin = ml.gymnasium_vector(game, 6, "first"), game.vector(6, opponents="first", final_observation=True)
    _, infos = env.reset(seed=4)
    _, _, seat = twin.reset(int(np.random.Generator(np.random.PCG64(np.random.SeedSequence(4))).integers(2**63)))
    rng = np.random.default_rng(4)
    for _ in range(12):
        before = seat.copy()
        actions = sample(infos["action_mask"].astype(np.bool_), rng)
        observation, reward, over, _, infos = env.step(actions)
        other, rewards, done, _, seat = twin.step(actions)
        assert (observation == other).all() and (over == done).all() and (infos["seat"] == seat).all()
        assert (reward == rewards[range(6), before]).all()
        for number in np.flatnonzero(done):
            assert (infos["final_obs"][number] == twin.final_observation[number]).all()
            assert infos["final_info"]["seat"][number] == before[number]
        assert done.any() == ("final_obs" in infos)


def test_truncations(tmp_path: Path) -> None:
    moves = 'set(cell, "mark", player)\n            if longest(cell, "mark") >= 3'
    game = ml.load(edited(tmp_path, "tictactoe", "phases.luau", moves, "if false"))
    env = ml.gymnasium_vector(game, 1)
    env.reset(seed=1)
    cut = np.zeros(1, np.bool_)
    for _ in range(game.max_length):
        _, reward, over, cut, infos = env.step(np.zeros(1, np.int64))
        if cut[0]:
            break
    assert cut[0] and not over[0] and not reward[0]
    assert infos["_final_obs"][0] and infos["final_obs"][0].shape == game.observation_shape


def test_games_by_name() -> None:
    ml.register()
    env = gymnasium.make_vec("motherlode/photon-v0", num_envs=3, players=3, opponents="first")
    assert env.num_envs == 3 and env.reset(seed=1)[0].shape[0] == 3
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    with pytest.raises(ml.ActionError, match="environment 0"):
        env.step(np.flatnonzero(~env.unwrapped.action_masks()[0])[:1].repeat(3))
    with pytest.raises(TypeError, match="`opponents` takes the name of a bot or a list of such names"):
        ml.gymnasium_vector("photon", 2, lambda state: 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`opponents` is None: name a bot, or use `Game.vector`"):
        ml.gymnasium_vector("photon", 2, opponents=None)  # type: ignore[arg-type]
