"""Names and texts for people: of choices, scores, bots and registered environments."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, edited, play

import motherlode as ml

PACKS = ROOT / "benches" / "packs" / "content"


def test_choices_have_names_and_texts(game: ml.Game) -> None:
    state = game.new_state(seed=6)
    rng = np.random.default_rng(6)
    while not state.is_terminal():
        for player in range(game.num_players):
            texts = state.legal_texts(player)
            assert list(texts) == state.legal_actions(player) and all(texts.values())
        for action in state.legal_actions():
            assert game.action(state.action_to_string(action)) == action
        play(state, rng, 7)
    assert state.legal_texts() == {}
    with pytest.raises(IndexError, match="there is no action"):
        state.action_to_string(game.num_actions)


def test_names_of_chance() -> None:
    state = ml.load(PACKS / "kuhn").new_state(chance="explicit")
    assert state.action_to_string(3) == "token:king#3" and state.legal_texts() == {}
    state.apply_action(3)
    state.apply_action(1)
    assert state.legal_texts() == {state.game.action("label:bet"): "Bet", state.game.action("label:check"): "Check"}


def test_terminal_states_tell_the_scores(game: ml.Game) -> None:
    state = game.new_state(seed=2)
    assert state.outcome() is None and '"outcome"' not in str(state)
    play(state, np.random.default_rng(2))
    outcome = state.outcome()
    assert outcome is not None and len(outcome["scores"]) == game.num_players
    first = outcome["ranks"].count(1)
    assert state.returns() == pytest.approx([(rank == 1) / first for rank in outcome["ranks"]])
    assert f'"scores":{str(outcome["scores"]).replace(" ", "")}' in str(state)


def finish(env: Any, info: dict[str, Any]) -> None:
    """Play an environment of Gymnasium to its end."""
    rng = np.random.default_rng(3)
    over = False
    while not over:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        assert set(info["choices"]) == set(np.flatnonzero(info["action_mask"])) and info["choices"][action]
        _, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert dict(info["choices"]) == {}


def test_gymnasium_makes_the_games_by_name() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    ml.register()
    ml.register()
    assert all(f"motherlode/{name}-v0" in gymnasium.registry for name in ml.games())
    env = gymnasium.make("motherlode/photon-v0", players=3, options={"towers": 8}, opponents="first", render_mode="ansi")
    assert env.unwrapped._game.options["towers"] == 8 and env.render_mode == "ansi"
    _, info = env.reset(seed=1)
    text = env.render()
    assert text.startswith("player ") and all(one in text for one in info["choices"].values())
    finish(env, info)
    assert "the match is over" in env.render() and "player 2: score" in env.render()
    many = gymnasium.make_vec("motherlode.envs:motherlode/krysis-v0", num_envs=2, vectorization_mode="sync")
    assert many.reset(seed=1)[0].shape[0] == 2


def test_modes_of_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo")
    pytest.importorskip("gymnasium")
    for make in (ml.pettingzoo.aec, ml.pettingzoo.parallel, ml.gymnasium):
        env: Any = make("photon", render_mode="human")
        env.reset(seed=2)
        assert env.render() is None and "player" in capsys.readouterr().out
        env = make("photon", render_mode=None)
        env.reset(seed=2)
        with pytest.raises(ValueError, match='render_mode="ansi"'):
            env.render()
        wrong: Any = "rgb_array"
        with pytest.raises(ValueError, match="`render_mode` is 'rgb_array'"):
            make("photon", render_mode=wrong)
    turns: Any = ml.pettingzoo.aec("photon")
    turns.reset(seed=2)
    agent = turns.agent_selection
    mask = turns.observe(agent)["action_mask"]
    assert set(turns.infos[agent]["choices"]) == set(np.flatnonzero(mask))


def test_best_bots_of_the_package() -> None:
    # As in tests/photon/balance.toml.
    photon = ml.load("photon")
    assert photon.best_bot == "search:200+learned" and photon.plans["defenders"].startswith("plan:action=defend")
    assert ml.load(ROOT / "content" / "photon").best_bot == photon.best_bot
    assert ml.load(PACKS / "kuhn").best_bot == "search:200"
    named = ml.arena(photon, ["plan:defenders", "random"], blocks=2)
    plain = ml.arena(photon, [photon.plans["defenders"], "random"], blocks=2)
    assert named.to_json(measurements=False) == plain.to_json(measurements=False)
    env = photon.vector(2, opponents="plan:defenders")
    env.reset()
    with pytest.raises(ValueError, match="there is no plan `defendrs`; did you mean `plan:defenders`"):
        ml.Bot(photon, "plan:defendrs")


def test_faults_of_balance_files(tmp_path: Path) -> None:
    folder = edited(tmp_path, "kuhn", "game.toml", "[outcome]", "[outcome]")
    (folder / "tests" / "kuhn").mkdir(parents=True)
    (folder / "tests" / "kuhn" / "balance.toml").write_text('best = "serch:9"')
    game = ml.load(folder)
    with pytest.raises(ml.ContentError, match=r"balance\.toml"):
        assert game.best_bot
    with pytest.raises(ml.ContentError, match=r"balance\.toml"):
        ml.effects(game, blocks=2)


def test_only_calls_are_chance(tmp_path: Path) -> None:
    start = "return {"
    for number, (head, has_chance) in enumerate(
        [
            ("-- random, shuffle\nreturn {", False),
            ('local text = "random" .. `shuffle {1}`\nreturn {', False),
            ("--[[ shuffle(deck) ]]\nreturn {", False),
            ("local function _roll()\n    return random(6)\nend\nreturn {", True),
            ("local _text = `shuffle {random(6)}`\nreturn {", True),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert ml.load(edited(folder, "tictactoe", "phases.luau", start, head)).has_chance == has_chance, head


def test_matches_are_shorter_than_the_maximum(game: ml.Game) -> None:
    assert game.max_length == ml.load(game.id).max_length < 20_000
    longest = int(ml.sim(game, games=300, seed=9, rows="games").rows["decisions"].max())
    assert longest < game.max_length
    # The most decisions of a random round are counted for all declared rounds.
    if game.id == "photon":
        longer = ml.load("photon", options={"max_rounds": 1000})
        assert longer.max_length == pytest.approx(5 * game.max_length, rel=0.01)
    assert ml.load(PACKS / "kuhn").max_length == 12
