"""PettingZoo's own tests on games of the package."""

import warnings
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import motherlode as ml

pytest.importorskip("pettingzoo", reason="PettingZoo is missing: pip install 'motherlode[pettingzoo]'")

PACKS = ROOT / "benches" / "packs" / "content"
GAMES = [*ml.games(), "kuhn", "leduc"]
TOGETHER = ["imperial_miners", "krysis", "miners_lagoon", "photon"]
"""The games with a phase in which players decide at the same time."""


def load(name: str) -> ml.Game:
    """A shipped game, or a pack of the benches."""
    return ml.load(name if name in ml.games() else PACKS / name)


@pytest.fixture(autouse=True)
def _without_noise() -> Any:
    # Observations with a mask are dictionaries. PettingZoo warns about all but those of its own games.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", GAMES)
def test_aec_api(name: str) -> None:
    from pettingzoo.test import api_test

    api_test(ml.pettingzoo.aec(load(name)), num_cycles=1000)


@pytest.mark.parametrize("name", GAMES)
def test_aec_seeds(name: str) -> None:
    from pettingzoo.test import seed_test

    game = load(name)
    seed_test(lambda: ml.pettingzoo.aec(game), num_cycles=100)


@pytest.mark.parametrize("name", TOGETHER)
def test_parallel_api(name: str) -> None:
    from pettingzoo.test import parallel_api_test

    parallel_api_test(ml.pettingzoo.parallel(load(name)), num_cycles=1000)


@pytest.mark.parametrize("name", sorted(set(GAMES) - set(TOGETHER)))
def test_games_of_turns_are_not_parallel(name: str) -> None:
    with pytest.raises(ValueError, match="no phase in which players decide at the same time"):
        ml.pettingzoo.parallel(load(name))


@pytest.mark.parametrize("name", GAMES)
def test_aec_is_the_state(name: str) -> None:
    """A match through PettingZoo is the match of the state."""
    game = load(name)
    env: Any = ml.pettingzoo.aec(game)
    env.reset(seed=3)
    seed = int(np.random.default_rng(3).integers(2**63))
    state = game.new_state(seed=seed)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        told, reward, over, cut, _ = env.last()
        if over or cut:
            assert reward == state.returns()[int(agent.split("_")[1])]
            env.step(None)
            continue
        assert agent == f"player_{state.current_player()}" and reward == 0
        assert told["observation"].tobytes() == state.observation().tobytes()
        assert list(np.flatnonzero(told["action_mask"])) == state.legal_actions()
        action = rng.choice(state.legal_actions())
        env.step(action)
        state.apply_action(int(action))
    assert state.is_terminal()


@pytest.mark.parametrize("name", TOGETHER)
def test_parallel_is_the_state(name: str) -> None:
    """Matches of both environments end alike if they get the same answers."""
    env: Any = ml.pettingzoo.parallel(load(name))
    told, _ = env.reset(seed=5)
    rng = np.random.default_rng(5)
    together, total = 0, 0.0
    while env.agents:
        asked = [agent for agent in env.agents if told[agent]["action_mask"].any()]
        together += len(asked) > 1
        actions = {agent: rng.choice(np.flatnonzero(told[agent]["action_mask"])) for agent in asked}
        told, rewards, over, cut, _ = env.step(actions)
        total += sum(rewards.values())
    assert together > 0 and all(over.values()) and not any(cut.values())
    assert total == pytest.approx(1.0)


def test_illegal_actions_change_nothing() -> None:
    env: Any = ml.pettingzoo.parallel(ml.load("photon"))
    told, _ = env.reset(seed=1)
    asked = [agent for agent in env.agents if told[agent]["action_mask"].any()]
    actions = {agent: int(np.flatnonzero(told[agent]["action_mask"])[0]) for agent in asked}
    wrong = {**actions, asked[-1]: int(np.flatnonzero(told[asked[-1]]["action_mask"] == 0)[0])}
    with pytest.raises(ml.ActionError, match="is not legal now"):
        env.step(wrong)
    with pytest.raises(ml.ActionError, match="has no action"):
        env.step({})
    other: Any = ml.pettingzoo.parallel(ml.load("photon"))
    other.reset(seed=1)
    first, second = env.step(actions)[0], other.step(actions)[0]
    for agent in first:
        assert (first[agent]["observation"] == second[agent]["observation"]).all()
    turns: Any = ml.pettingzoo.aec(ml.load("photon"))
    turns.reset(seed=1)
    with pytest.raises(ml.ActionError):
        turns.step(10**6)
    assert isinstance(turns.render(), str)


def test_wrong_calls_are_explained() -> None:
    with pytest.raises(TypeError, match="`game` must be"):
        ml.pettingzoo.aec(7)  # type: ignore[arg-type]
    env = ml.pettingzoo.aec("photon")
    parallel = ml.pettingzoo.parallel("photon")
    with pytest.raises(RuntimeError, match="call `reset`"):
        env.step(0)
    with pytest.raises(RuntimeError, match="call `reset`"):
        parallel.step({})
    env.reset(seed=1)
    with pytest.raises(TypeError, match="must be an integer, not 1.5"):
        env.step(1.5)
    told, _ = parallel.reset(seed=1)
    with pytest.raises(TypeError, match="the action of `player_0` must be an integer, not 1.5"):
        parallel.step(dict.fromkeys(told, 1.5))


def test_only_agents_that_decide_have_choices() -> None:
    env = ml.pettingzoo.aec(ml.load("photon", players=3))
    env.reset(seed=1)
    assert [agent for agent in env.agents if "choices" in env.infos[agent]] == [env.agent_selection]
    _, infos = ml.pettingzoo.parallel("krysis").reset(seed=1)
    assert all("choices" in info for info in infos.values())
