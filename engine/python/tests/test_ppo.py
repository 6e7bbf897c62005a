"""The example `ppo.py`, for some seconds."""

import importlib.util
import sys
from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT

import motherlode as ml


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    """The example as a module."""
    for package in ("torch", "onnx"):
        pytest.importorskip(package, reason="pip install torch onnx")
    spec = importlib.util.spec_from_file_location("ppo", ROOT / "engine" / "python" / "examples" / "ppo.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    return module


def test_advantages_belong_to_seats(ppo: ModuleType) -> None:
    batch = ppo.Batch(ml.load("photon", players=2), ppo.Settings(envs=1, steps=5), longest=100)
    batch.seat[:, 0] = [0, 1, 0, 1, 0]
    batch.value[:, 0] = ppo.torch.tensor([0.5, 0.25, 0.5, 0.5, 0.75])
    batch.done[2] = True
    batch.reward[2, 0] = [1.0, 0.0]
    advantages, known = batch.advantages(gae=0.5, discount=1.0)
    # Seat 0: first (0.5 - 0.5) + half of the next advantage, then 1 - 0.5. Seat 1 loses. Nobody knows the second match.
    assert advantages[:, 0].tolist() == [0.25, -0.25, 0.5, 0.0, 0.0]
    assert known[:, 0].tolist() == [True, True, True, False, False]


def test_long_matches_pay_nobody(ppo: ModuleType) -> None:
    game = ml.load("photon", players=2)
    settings = ppo.Settings(envs=16, steps=150, league=0.5)
    batch, env = ppo.Batch(game, settings, longest=12), game.vector(16, seed=1)
    network = ppo.Network(*game.observation_shape, game.num_actions, 8)
    batch.play(env, network, network, env.reset())
    # No match of Photon ends within 12 decisions. Nobody learns from the random ones after them.
    assert batch.done[11].all() and not batch.done[:11].any() and not batch.reward[11].any()
    assert batch.own[:12, 8:].all() and not batch.own[12].any()
    advantages, known = batch.advantages(gae=1.0, discount=1.0)
    assert ppo.torch.allclose(advantages[:12, 8:], -batch.value[:12, 8:], atol=1e-6)
    # In the league, the network learns from one seat only.
    assert (batch.own[:12, :8] == (batch.seat[:12, :8] == np.arange(8) % 2)).all()
    assert (known.numpy() <= batch.own).all()
    # The next match counts its decisions from 0.
    start = batch.done[12:].argmax(0) + 13
    for row in range(8, 16):
        assert batch.own[start[row] : start[row] + 12, row].all()


def test_noise_is_not_amplified(ppo: ModuleType) -> None:
    game = ml.load("photon", players=2)
    # A gradient step of plain descent shows the size of the gradient.
    settings = ppo.Settings(envs=4, steps=32, league=0.0, epochs=1, clip=10.0)
    env = game.vector(4, seed=1)
    changes = []
    for floor in (1e-8, 0.1):
        ppo.torch.manual_seed(1)
        network = ppo.Network(*game.observation_shape, game.num_actions, 8)
        ppo.nn.init.zeros_(network.value.weight)
        ppo.nn.init.zeros_(network.value.bias)
        batch = ppo.Batch(game, settings, longest=1000)
        batch.play(env, network, network, env.reset(1))
        batch.reward[:] *= 1e-4
        settings.floor = floor
        ppo.update(network, ppo.torch.optim.SGD(network.parameters(), 1.0), batch, settings, entropy=0.0)
        changes.append(float(network.policy.weight.detach().norm()))
    assert changes[1] < 0.01 * changes[0]


def test_the_best_network_is_kept(ppo: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    game, written = ml.load("photon", players=2), []
    results = iter([0.5, 0.7, 0.6, 0.7])
    monkeypatch.setattr(ppo, "judge", lambda *_: (next(results, 0.0), 0.1))
    monkeypatch.setattr(ppo, "export", lambda network, game, path: written.append(path))
    # A clock that moves a second at each look makes the number of updates certain.
    monkeypatch.setattr(ppo, "time", SimpleNamespace(monotonic=map(float, count()).__next__))
    settings = ppo.Settings(envs=8, steps=8, judgement=0.0)
    ppo.train(game, settings, minutes=0.3, opponents="random", seed=1, out="photon.onnx")
    # A network that is as good as the best one has learned longer.
    assert next(results, None) is None and len(written) == 3


def test_the_example_learns_and_exports(ppo: ModuleType, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="pip install torch onnx")
    game = ml.load("photon", players=2)
    out = tmp_path / "photon.onnx"
    ppo.train(game, ppo.Settings(envs=64, steps=32, matches=32), minutes=0.05, opponents="random", seed=1, out=str(out))
    model = onnx.load(out)
    ends = [end.type.tensor_type.shape.dim for end in (*model.graph.input, *model.graph.output)]
    shapes = [[size.dim_value for size in end] for end in ends]
    assert shapes == [[1, *game.observation_shape], [1, game.num_actions]]
    # The Rust side checks operators against the same list.
    usual = {"Sub", "Div", "Clip", "Gemm", "MatMul", "Add", "Relu", "Constant", "Identity", "Cast"}
    assert {node.op_type for node in model.graph.node} <= usual
    network = ppo.Network(*game.observation_shape, game.num_actions, 8)
    assert np.isfinite(ppo.judge(game, network, "random", 8, 100)).all()


def test_endless_matches_are_lost(ppo: ModuleType) -> None:
    game = ml.load("photon", players=2)
    network = ppo.Network(*game.observation_shape, game.num_actions, 8)
    assert ppo.judge(game, network, "random", 8, 1) == (0.0, 0.0)
