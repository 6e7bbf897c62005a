"""The cost of states does not grow with their history."""

import time

import numpy as np

import motherlode as ml


def test_steps_and_copies_cost_the_same_in_long_matches() -> None:
    game = ml.load("photon", players=6, options={"max_rounds": 1000})
    state = game.new_state(seed=1)
    step: dict[int, float] = {}
    copy: dict[int, float] = {}
    for stage in range(12):
        steps, copies = [], []
        for _ in range(300):
            action = state.legal_actions()[-1]
            begin = time.perf_counter()
            state.apply_action(action)
            middle = time.perf_counter()
            state.clone()
            steps.append(middle - begin)
            copies.append(time.perf_counter() - middle)
        step[stage], copy[stage] = float(np.median(steps)), float(np.median(copies))
    # 3,600 actions. Recorded histories made a step ten times as expensive, and a copy twenty times.
    assert len(state.history()) == 3600
    assert step[11] < 3 * step[0] and copy[11] < 3 * copy[0]


def test_histories_are_recorded_when_they_are_asked_for() -> None:
    game = ml.load("krysis")
    rng = np.random.default_rng(5)
    for chance in ("seed", "explicit"):
        eager, lazy = (game.new_state(seed=5, chance=chance) for _ in range(2))
        forks = []
        while not lazy.is_terminal():
            if lazy.is_chance_node():
                action = lazy.legal_actions()[0]
            else:
                action = int(rng.choice(lazy.legal_actions()))
            lazy.apply_action(action)
            eager.apply_action(action)
            # `eager` is asked after every action, `lazy` only at the end.
            told = [eager.information_state_string(player) for player in range(game.num_players)]
            if len(eager.history()) % 20 == 0:
                forks.append((eager.clone(), told))
        assert [lazy.information_state_string(player) for player in range(game.num_players)] == told
        for fork, told in forks:
            assert [fork.information_state_string(player) for player in range(game.num_players)] == told


def test_resampled_states_keep_the_history_of_their_player() -> None:
    game = ml.load("krysis")
    rng = np.random.default_rng(8)
    state = game.new_state(seed=8)
    for _ in range(60):
        state.apply_action(int(rng.choice(state.legal_actions())))
    player = state.current_player()
    before = state.events(player)
    assert before
    other = state.resample_from_infostate(player, seed=4)
    for _ in range(10):
        other.apply_action(other.legal_actions()[0])
        assert other.clone().events(player)[: len(before)] == before
