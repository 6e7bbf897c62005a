"""Games by name and from folders, and what is wrong with them."""

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import motherlode as ml


def test_shipped_games() -> None:
    assert ml.games() == ["atacama", "imperial_miners", "krysis", "miners_lagoon", "photon"]
    photon = ml.load("photon", players=3, options={"towers": 8})
    assert (photon.num_players, photon.options["towers"]) == (3, 8)
    assert photon.fingerprint == ml.load(ROOT / "content" / "photon").fingerprint
    assert photon.action_name(photon.action("player:+1")) == "player:+1"


def test_without_machine_code() -> None:
    results = []
    for machine_code in (True, False):
        state = ml.load("photon", machine_code=machine_code).new_state(seed=5)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        results.append((state.history(), state.returns()))
    assert results[0] == results[1]


def test_unknown_names() -> None:
    with pytest.raises(FileNotFoundError, match="did you mean `photon`"):
        ml.load("photn")
    with pytest.raises(FileNotFoundError, match="the games of the package are atacama"):
        ml.load("chess960xyz")
    with pytest.raises(FileNotFoundError, match="no mod"):
        ml.load("photon", mods=["/nowhere"])
    with pytest.raises(ValueError, match="takes 2 to 6 players, not 9"):
        ml.load("photon", players=9)
    with pytest.raises(ValueError, match="did you mean `towers`"):
        ml.load("photon", options={"tower": 8})
    game = ml.load("photon")
    with pytest.raises(IndexError, match="there is no action 13"):
        game.action_name(game.num_actions)
    with pytest.raises(KeyError, match="no action is named `nothing`: see `action_name`"):
        game.action("nothing")
    with pytest.raises(KeyError, match="no action is named `label:raids`: did you mean `label:raid`"):
        game.action("label:raids")
    for players in (-1, 0, 300):
        with pytest.raises(ValueError, match=f"`players` is {players}: use 1 to 255"):
            ml.load("photon", players=players)
    with pytest.raises(TypeError, match="`players` takes a whole number, not `str`"):
        ml.load("photon", players="2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="several games"):
        ml.load(ROOT)


def test_options_are_any_mapping() -> None:
    game = ml.load("photon", options=MappingProxyType({"towers": 8}))
    assert game.options["towers"] == 8 and ml.load("photon", options=None).options["towers"] != 8
    wrong: Any
    for wrong in ([("towers", 8)], "towers", 3, {8: "towers"}):
        with pytest.raises(TypeError, match="^`options` takes values by name, not "):
            ml.load("photon", options=wrong)


def test_wrong_types_name_the_argument() -> None:
    game = ml.load("photon")
    for wrong in ("mod", 3, [3], None):
        with pytest.raises(TypeError, match="^`mods` takes a list of paths, not "):
            ml.load("photon", mods=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^`machine_code` is 1: use True or False"):
        ml.load("photon", machine_code=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^`final_observation` is 'x': use True or False"):
        game.vector(1, final_observation="x")  # type: ignore[arg-type]


def test_faults_of_the_content(tmp_path: Path) -> None:
    folder = tmp_path / "content" / "demo"
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text('name = "Demo"\nplayers = 7\n')
    with pytest.raises(ml.ContentError, match="game.toml"):
        ml.load(folder)
    with pytest.raises(ml.ContentError):
        ml.load(tmp_path)


def test_states_of_other_games() -> None:
    photon, atacama = ml.load("photon"), ml.load("atacama")
    text = atacama.new_state().serialize()
    with pytest.raises(ValueError, match="another game"):
        photon.deserialize(text)
    with pytest.raises(ValueError, match="other players or options"):
        ml.load("atacama", players=3).deserialize(text)
    for wrong in ("", "[]", "{}", '{"motherlode_state": 1}'):
        with pytest.raises(ValueError, match="state"):
            photon.deserialize(wrong)


def test_damaged_texts_of_states() -> None:
    game = ml.load("photon")
    state = game.new_state(seed=1)
    state.apply_action(state.legal_actions()[0])
    text = state.serialize()
    for old, new in (('"players":[0]', '"players":[9]'), ('"actions":[', '"actions":[9')):
        assert old in text
        with pytest.raises(ValueError, match="the state is damaged: action 0 of its list cannot be played: "):
            game.deserialize(text.replace(old, new))


def test_networks_tell_their_purpose() -> None:
    metadata = ml.load("photon", players=3, options={"towers": 8}).network_metadata
    purpose = json.loads(metadata["motherlode"])
    assert purpose["game"] == "photon" and purpose["players"] == [3] and purpose["options"]["towers"] == 8


def test_networks_for_other_players_are_refused(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="pip install onnx")
    three, two = (ml.load("photon", players=players) for players in (3, 2))
    width, count = three.observation_shape[0], three.num_actions
    assert (width, count) == (two.observation_shape[0], two.num_actions)
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "network",
        [helper.make_tensor_value_info("x", kind, [1, width])],
        [helper.make_tensor_value_info("y", kind, [1, count])],
        [onnx.numpy_helper.from_array(np.zeros((width, count), np.float32), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, three.network_metadata)
    file = tmp_path / "three.onnx"
    file.write_bytes(model.SerializeToString())
    assert ml.Bot(three, f"policy:{file}")(three.new_state()) >= 0
    with pytest.raises(ValueError, match="the network was trained for 3 players, not for 2"):
        ml.Bot(two, f"policy:{file}")(two.new_state())
    with pytest.raises(ValueError, match="environment .: the network was trained for 3 players, not for 2"):
        two.vector(4, seed=1, opponents=f"policy:{file}").reset()


def test_wrong_actions_change_nothing() -> None:
    game = ml.load("photon")
    state = game.new_state(seed=1)
    before = state.hash()
    illegal = next(action for action in range(game.num_actions) if action not in state.legal_actions())
    with pytest.raises(ml.ActionError, match="is not legal now: use one of"):
        state.apply_action(illegal)
    for unknown in (game.num_actions, -1, 2**40, 2**70, -(2**70)):
        with pytest.raises(ml.ActionError, match="there is no action"):
            state.apply_action(unknown)
    for player in (-1, 4, 2**70):
        with pytest.raises(IndexError, match="there is no player"):
            state.observation(player)
    for action in (-1, 2**70):
        with pytest.raises(IndexError, match="there is no action"):
            game.action_name(action)
    with pytest.raises(ValueError, match="`environment` is -1: use 0 to"):
        ml.episode_seed(1, -1)
    with pytest.raises(TypeError):
        state.apply_action("raid")  # type: ignore[arg-type]
    assert state.hash() == before
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(ml.ActionError, match="the match is over"):
        state.apply_action(0)


def test_players_who_do_not_decide() -> None:
    state = ml.load(ROOT / "benches" / "packs" / "content" / "kuhn").new_state(3)
    assert state.current_player() == 0
    with pytest.raises(ml.ActionError, match="^player 1 does not decide now; player 0 does$"):
        state.apply_action(0, 1)
    # Of players who decide at the same time, one has answered.
    krysis = ml.load("krysis", players=3)
    for seed in range(200):
        state = krysis.new_state(seed)
        while not state.is_terminal() and len(state.pending_players()) < 3:
            state.apply_action(state.legal_actions()[0])
        if not state.is_terminal():
            break
    state.apply_action(state.legal_actions(2)[0], 2)
    if state.pending_players() == [0, 1]:
        with pytest.raises(ml.ActionError, match="^player 2 does not decide now; players 0 and 1 do$"):
            state.apply_action(state.legal_actions()[0], 2)
