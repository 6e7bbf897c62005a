"""The example `ppo.py`, for some seconds."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import ROOT

import motherlode as ml


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    """The example as a module."""
    pytest.importorskip("torch", reason="pip install torch onnx")
    spec = importlib.util.spec_from_file_location("ppo", ROOT / "engine" / "python" / "examples" / "ppo.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    return module


def test_advantages_belong_to_seats(ppo: ModuleType) -> None:
    batch = ppo.Batch(ml.load("photon", players=2), ppo.Settings(envs=1, steps=5))
    batch.seat[:, 0] = [0, 1, 0, 1, 0]
    batch.value[:, 0] = ppo.torch.tensor([0.5, 0.25, 0.5, 0.5, 0.75])
    batch.done[2] = True
    batch.reward[2, 0] = [1.0, 0.0]
    advantages, known = batch.advantages(gae=0.5, discount=1.0)
    # Seat 0: first (0.5 - 0.5) + half of the next advantage, then 1 - 0.5. Seat 1 loses. Nobody knows the second match.
    assert advantages[:, 0].tolist() == [0.25, -0.25, 0.5, 0.0, 0.0]
    assert known[:, 0].tolist() == [True, True, True, False, False]


def test_the_example_learns_and_exports(ppo: ModuleType, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="pip install torch onnx")
    game = ml.load("photon", players=2)
    out = tmp_path / "photon.onnx"
    ppo.train(game, ppo.Settings(envs=64, steps=32), minutes=0.05, opponents="random", seed=1, out=str(out))
    model = onnx.load(out)
    ends = [end.type.tensor_type.shape.dim for end in (*model.graph.input, *model.graph.output)]
    shapes = [[size.dim_value for size in end] for end in ends]
    assert shapes == [[1, *game.observation_shape], [1, game.num_actions]]
    # The Rust side checks operators against the same list.
    usual = {"Sub", "Div", "Clip", "Gemm", "MatMul", "Add", "Relu", "Constant", "Identity", "Cast"}
    assert {node.op_type for node in model.graph.node} <= usual
    assert np.isfinite(ppo.judge(game, ppo.Network(*game.observation_shape, game.num_actions, 8), "random", 8, 1)).all()
