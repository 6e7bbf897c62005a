"""Many matches at once."""

from typing import Any

import numpy as np
import pytest
from conftest import sample

import motherlode as ml


def test_vector_and_state_give_the_same_numbers(game: ml.Game) -> None:
    count = 6
    env = game.vector(count, seed=11)
    observation, mask, seat = env.reset()
    rng = np.random.default_rng(0)
    histories: list[list[int]] = [[] for _ in range(count)]
    for _ in range(20):
        actions = sample(mask, rng)
        for history, action in zip(histories, actions, strict=True):
            history.append(int(action))
        observation, reward, done, mask, seat = env.step(actions)
        assert not done.any() and not reward.any()
    for number, history in enumerate(histories):
        state = game.new_state(seed=ml.episode_seed(11, number))
        for action in history:
            state.apply_action(action)
        assert state.observation().tobytes() == observation[number].tobytes()
        assert state.legal_actions_mask().tobytes() == mask[number].tobytes()
        assert state.current_player() == seat[number]


def test_arrays_are_written_in_place(game: ml.Game) -> None:
    env = game.vector(8, seed=1)
    first = env.reset()
    rng = np.random.default_rng(1)
    observation, reward, done, mask, seat = env.step(sample(first[1], rng))
    assert observation is first[0] and mask is first[1] and seat is first[2]
    assert observation.shape == (8, *game.observation_shape)
    assert mask.shape == (8, game.num_actions) and mask.dtype == np.bool_
    assert reward.shape == (8, game.num_players) and done.shape == seat.shape == (8,)


def test_finished_matches_are_followed_by_others() -> None:
    game = ml.load("photon")
    env = game.vector(64, seed=2)
    observation, mask, seat = env.reset()
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(600):
        observation, reward, done, mask, seat = env.step(sample(mask, rng))
        assert np.allclose(reward.sum(1), done)
        assert mask.any(1).all()
        ended += int(done.sum())
    assert ended > 64


def test_results_do_not_depend_on_threads() -> None:
    game = ml.load("krysis")
    runs = []
    for threads in (1, 2):
        env = game.vector(130, seed=3, threads=threads)
        observation, mask, _ = env.reset()
        rng = np.random.default_rng(3)
        for _ in range(20):
            observation, _, _, mask, _ = env.step(sample(mask, rng))
        runs.append(observation.tobytes())
    assert runs[0] == runs[1]


def test_bots_play_the_others() -> None:
    game = ml.load("photon", players=3)
    env = game.vector(16, seed=4, opponents=["random", "search:2"])
    _, mask, seat = env.reset()
    own = seat.copy()
    rng = np.random.default_rng(4)
    for _ in range(60):
        _, _, done, mask, seat = env.step(sample(mask, rng))
        assert (seat == own)[~done].all()
        own = seat.copy()


def test_a_reset_begins_again() -> None:
    game = ml.load("atacama")
    env = game.vector(5, seed=6)
    first = env.reset()[0].copy()
    rng = np.random.default_rng(6)
    for _ in range(9):
        env.step(sample(env.reset()[1], rng))
    assert (env.reset()[0] == first).all()
    other = env.reset(seed=7)[0].copy()
    assert (env.reset()[0] == other).all()
    assert (game.vector(5, seed=7).reset()[0] == other).all()


def test_refused_calls_lose_nothing() -> None:
    game = ml.load("photon")
    env = game.vector(4, seed=5)
    with pytest.raises(RuntimeError, match="call `reset` before `step`"):
        env.step([0] * 4)
    observation, mask, _ = env.reset()
    before = observation.copy()
    legal = sample(mask, np.random.default_rng(0))
    wrong = legal.copy()
    wrong[2] = int(np.flatnonzero(~mask[2])[0])
    for actions in (wrong.tolist(), [*legal[:3], 10**6], [*legal[:3], -1]):
        with pytest.raises(ml.ActionError, match="environment [23]"):
            env.step(actions)
    with pytest.raises(ValueError, match="`actions` has 3 elements: use 4"):
        env.step(legal[:3])
    others: list[Any] = [legal.astype(np.float64), legal.reshape(2, 2), "ab", None]
    for other in others:
        with pytest.raises((TypeError, ValueError)):
            env.step(other)
    assert (observation == before).all()
    env.step(legal.astype(np.int32))
    env.close()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(legal)
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()
    with pytest.raises(ValueError, match="num_envs"):
        game.vector(0)
    with pytest.raises(ValueError, match="search"):
        game.vector(1, opponents="serch:2")
