"""Single matches."""

import copy
import pickle
import re
import threading

import numpy as np
import pytest
from conftest import ROOT, play

import motherlode as ml


def test_random_play(game: ml.Game) -> None:
    rng = np.random.default_rng(1)
    state = game.new_state(seed=7)
    while not state.is_terminal():
        player = state.current_player()
        legal = state.legal_actions()
        assert legal == sorted(set(legal)) and legal == state.legal_actions(player)
        mask = state.legal_actions_mask()
        assert mask.shape == (game.num_actions,) and list(np.flatnonzero(mask)) == legal
        assert state.returns() == state.rewards() == [0.0] * game.num_players
        action = int(rng.choice(legal))
        assert game.action(game.action_name(action)) == action
        state.apply_action(action)
    assert state.current_player() == ml.TERMINAL
    assert state.legal_actions() == [] and state.question() == ""
    utility = game.utility
    assert all(utility.min <= one <= utility.max for one in state.returns())
    assert utility.sum == "constant_sum" and sum(state.returns()) == pytest.approx(1.0)
    assert len(state.history()) <= game.max_length


def test_observations_have_named_parts(game: ml.Game) -> None:
    state = game.new_state(seed=3)
    play(state, np.random.default_rng(3), 20)
    for player in range(game.num_players):
        observation = state.observation(player)
        assert observation.shape == game.observation_shape and observation.dtype == np.float32
        for part in game.observation_parts:
            numbers = observation[part.offset : part.offset + part.size].reshape(part.shape)
            assert (numbers >= part.low).all() and (numbers <= part.high).all(), part
    parts = {part.name: part for part in game.observation_parts}
    if "max_rounds" in game.options:
        assert parts["round"].high == game.options["max_rounds"]
    over = state.clone()
    play(over, np.random.default_rng(3))
    assert over.observation(0)[parts["round"].offset] <= parts["round"].high
    assert state.observation_dict()["seat"] == state.current_player()
    assert state.events(0)[0]["type"] == "start"


def test_copies_are_independent(game: ml.Game) -> None:
    state = game.new_state(seed=5)
    play(state, np.random.default_rng(5), 40)
    others = [state.clone(), copy.copy(state), copy.deepcopy(state), game.deserialize(state.serialize())]
    before = state.hash()
    assert {one.hash() for one in others} == {before}
    for number, other in enumerate(others):
        play(other, np.random.default_rng(number), 5)
    assert state.hash() == before
    ends = []
    for other in (state, state.clone()):
        play(other, np.random.default_rng(9))
        ends.append(other.hash())
    assert ends[0] == ends[1]


def test_states_move_between_threads() -> None:
    game = ml.load("photon")
    state = game.new_state(seed=1)
    found: list[int] = []

    def advance() -> None:
        state.apply_action(state.legal_actions()[0])
        found.append(state.hash())

    for _ in range(20):
        thread = threading.Thread(target=advance)
        thread.start()
        thread.join()
    again = game.new_state(seed=1)
    for hash in found:
        again.apply_action(again.legal_actions()[0])
        assert again.hash() == hash


def test_resampled_states_look_the_same(game: ml.Game) -> None:
    state = game.new_state(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(12):
        play(state, rng, 7)
        if state.is_terminal():
            break
        player = state.current_player()
        other = state.resample_from_infostate(player, seed=3)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert (other.observation(player) == state.observation(player)).all()
        assert other.legal_actions() == state.legal_actions()
        assert other.hash() == state.resample_from_infostate(player, seed=3).hash()
        play(other, rng, 3)


def test_resampling_tries_other_deals() -> None:
    # Of 64 deals for the next player, none fits in 1 of 200 of these states.
    game = ml.load("miners_lagoon")
    rng = np.random.default_rng(1)
    for number in range(40):
        state = game.new_state(seed=number)
        while not state.is_terminal():
            player = (state.current_player() + 1) % game.num_players
            other = state.resample_from_infostate(player, number)
            assert (other.observation(player) == state.observation(player)).all()
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_resampled_states_tell_no_hidden_facts() -> None:
    for name, deal in (("kuhn", (3, 1)), ("leduc", (5, 1))):
        state = ml.load(ROOT / "benches" / "packs" / "content" / name).new_state(seed=7, chance="explicit")
        for outcome in deal:
            state.apply_action(outcome)
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        assert state.resampled_for is None and state.history()[:2] == list(deal)
        true = state.information_state_string(1)
        for seed in range(8):
            other = state.resample_from_infostate(0, seed)
            again = copy.deepcopy(other)
            again.apply_action(again.legal_actions()[0])
            for one in (other, other.clone(), again, other.resample_from_infostate(0)):
                assert one.resampled_for == 0 and "after" not in repr(one)
                for ask in (one.history, one.serialize, lambda one=one: one.events(1)):
                    with pytest.raises(ValueError, match="resampled"):
                        ask()
                with pytest.raises(ValueError, match="resampled"):
                    one.information_state_string(1)
                with pytest.raises(TypeError, match="pickle"):
                    pickle.dumps(one)
                assert "7" not in re.findall(r'"seed": ?(\d+)', str(one)) and true not in str(one)


def test_states_resampled_for_two_players_have_no_history() -> None:
    state = ml.load(ROOT / "benches" / "packs" / "content" / "kuhn").new_state(seed=7)
    other = state.resample_from_infostate(0).resample_from_infostate(1)
    assert other.resampled_for == 1
    with pytest.raises(ValueError, match="resampled for another player before it was for player 1: it has no history"):
        other.events(1)
    with pytest.raises(ValueError, match="resampled for another player than 0: it has no history"):
        other.events(0)


def test_the_seed_decides_everything(game: ml.Game) -> None:
    def end(seed: int) -> int:
        state = game.new_state(seed=seed)
        play(state, np.random.default_rng(4))
        return state.hash()

    assert end(1) == end(1)
    assert len({end(seed) for seed in range(3)}) > 1


def test_columns_have_names() -> None:
    parts = {part.name: part for part in ml.load(ROOT / "benches" / "packs" / "content" / "kuhn").observation_parts}
    assert parts["zone:hand"].columns[:3] == ["cards.jack", "cards.queen", "cards.king"]
    assert len(parts["phase"].columns) == parts["phase"].size and parts["round"].columns == []
    for name in ml.games():
        for part in ml.load(name).observation_parts:
            assert not part.columns or len(part.columns) == part.shape[-1], part
