"""Many matches at once."""

import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ctrl_c, edited, in_child, sample

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


def test_matches_without_a_decision_are_skipped(tmp_path: Path) -> None:
    folder = edited(tmp_path, "kuhn", "phases.luau", 'draw("deck", game, "hand", player)', "end_game()")
    env = ml.load(folder).vector(2)
    with pytest.raises(ValueError, match="environment 0: 1000 matches in a row have ended before a decision"):
        env.reset()


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
    for actions in (wrong.tolist(), [*legal[:3], 10**6], [*legal[:3], -1], [*legal[:3], 2**70]):
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


def test_limits_are_told() -> None:
    game = ml.load("photon")
    wrong: Any
    for wrong in (0, -1, 2**34, 2**63, 2**70):
        with pytest.raises(ValueError, match=r"`num_envs` is -?\d+: use 1 to 1048576"):
            game.vector(wrong)
    for wrong in (-1, 1025, 10**6):
        with pytest.raises(ValueError, match=r"`threads` is -?\d+: use 0 to 1024"):
            game.vector(1, threads=wrong)
    with pytest.raises(ValueError, match="`seed` is -1: use 0 to"):
        game.vector(1, seed=-1)
    with pytest.raises(ValueError, match="`seed` is -3"):
        game.vector(1).reset(seed=-3)
    with pytest.raises(ValueError, match="empty list"):
        game.vector(1, opponents=[])
    for wrong in (3, ["random", 3], {"random": 1}.values):
        with pytest.raises(TypeError, match="`opponents` takes the name of a bot or a list of such names, not"):
            game.vector(1, opponents=wrong)
    with pytest.raises(TypeError, match="`num_envs` takes a whole number"):
        game.vector(1.5)  # type: ignore[arg-type]


def test_a_fork_needs_a_vector_of_its_own() -> None:
    game = ml.load("photon")

    def is_refused(env: ml.Vector) -> bool:
        try:
            env.reset()
        except RuntimeError as error:
            return "make a new one in the child" in str(error)
        return False

    def works(env: ml.Vector) -> bool:
        return bool(env.reset()[1].any())

    for arguments in ({"threads": 2}, {"opponents": "search:2"}):
        env = game.vector(70, **arguments)
        env.reset()
        assert in_child(lambda env=env: is_refused(env))  # type: ignore[misc]
        assert in_child(lambda arguments=arguments: works(game.vector(70, **arguments)))  # type: ignore[misc]
        assert works(env)
    plain = game.vector(4)
    assert works(plain) and in_child(lambda: works(plain))


def test_ctrl_c_ends_long_searches() -> None:
    game = ml.load("photon", players=3)
    for threads in (1, 2):
        env = game.vector(4, opponents="search:1000000", threads=threads)
        with ctrl_c():
            env.reset()
        with pytest.raises(RuntimeError, match="call `reset`"):
            env.step([0] * 4)


@pytest.mark.parametrize("opponents", [None, "first"])
def test_last_observations(game: ml.Game, opponents: str | None) -> None:
    env = game.vector(3, seed=8, opponents=opponents, final_observation=True)
    _, mask, seat = env.reset()
    rng = np.random.default_rng(8)
    states = [game.new_state(seed=ml.episode_seed(8, number)) for number in range(3)]
    ended = [False] * 3
    bot = ml.Bot(game, "first")
    for _ in range(game.max_length):
        before, actions = seat.copy(), sample(mask, rng)
        _, _, done, mask, seat = env.step(actions)
        for number, state in enumerate(states):
            while not ended[number] and not state.is_terminal() and state.current_player() != before[number]:
                state.apply_action(bot(state))
            if not ended[number]:
                state.apply_action(int(actions[number]))
                while opponents and not state.is_terminal() and state.current_player() != before[number]:
                    state.apply_action(bot(state))
                ended[number] = bool(done[number])
                if ended[number]:
                    assert state.is_terminal()
                    assert (env.final_observation[number] == state.observation(int(before[number]))).all()
        if all(ended):
            break
    assert all(ended)
    other = pickle.loads(pickle.dumps(env))
    assert (other.final_observation == env.final_observation).all()
    with pytest.raises(ValueError, match="final_observation=True"):
        _ = game.vector(1).final_observation


def test_two_threads_at_once_are_told() -> None:
    game = ml.load("photon", players=3)
    state, bot = game.new_state(seed=1), ml.Bot(game, "search:20000")
    env = game.vector(2, opponents="search:3000")
    busy: Callable[[], object]
    for busy, call in ((lambda: bot(state), lambda: state.apply_action(0)), (env.reset, env.reset), (env.reset, env.close)):
        thread = threading.Thread(target=busy)
        thread.start()
        told = ""
        while thread.is_alive() and not told:
            time.sleep(0.01)
            try:
                call()
            except RuntimeError as error:
                told = str(error)
            except ml.ActionError:
                pass
        thread.join()
        assert "two threads use this object at once" in told


def test_matches_that_reach_the_limit_are_truncated(tmp_path: Path) -> None:
    moves = 'set(cell, "mark", player)\n            if longest(cell, "mark") >= 3'
    endless = edited(tmp_path, "tictactoe", "phases.luau", moves, "if false")
    game = ml.load(endless)
    env = game.vector(1, opponents="random", final_observation=True)
    env.reset()
    for _ in range(game.max_length):
        assert not env.final_observation.any()
        _, reward, done, _, _ = env.step([0])
        assert not env.truncated[0] or done[0]
        if done[0]:
            break
    assert done[0] and env.truncated[0] and not reward.any() and env.final_observation.any()
    assert not env.step([0])[2][0] and not env.truncated[0]
    ended = ml.load("photon").vector(64, seed=2)
    _, mask, _ = ended.reset()
    rng = np.random.default_rng(2)
    for _ in range(300):
        mask = ended.step(sample(mask, rng))[3]
        assert not ended.truncated.any()
