"""OpenSpiel's own programs on games of the package."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, edited

import motherlode as ml

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is missing: pip install 'motherlode[openspiel]'")

PACKS = ROOT / "benches" / "packs" / "content"
BETTING = 3
"""Most answers of a match of Kuhn poker."""

CFR_ITERATIONS = 300


def load(name: str) -> Any:
    """A game of OpenSpiel, for a shipped game or a pack of the benches."""
    source = name if name in ml.games() else PACKS / name
    recall = BETTING if name == "kuhn" else 8
    return pyspiel.load_game(ml.openspiel.register(ml.load(source), recall=recall))


@pytest.fixture(scope="module")
def kuhn() -> Any:
    """Kuhn poker."""
    return load("kuhn")


@pytest.mark.parametrize("name", [*ml.games(), "kuhn", "leduc"])
def test_random_sim(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=20 if name in ("kuhn", "leduc") else 1, serialize=True, verbose=False)


def test_description() -> None:
    game = load("leduc")
    assert (game.num_players(), game.min_utility(), game.max_utility()) == (2, -13.0, 13.0)
    assert game.utility_sum() == 0.0 and game.max_game_length() == ml.load(PACKS / "leduc").max_length
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert load("connect_four").get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert load("photon").get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    name = ml.openspiel.register(ml.load(PACKS / "leduc"))
    assert name == "motherlode_leduc"
    with pytest.raises(ValueError, match="another game named"):
        ml.openspiel.register(ml.load("photon"), name=name)
    with pytest.raises(ValueError, match="another `name`"):
        ml.openspiel.register(ml.load("photon"), name="kuhn_poker")
    for wrong in ("two words", "photon(players=2)", "a,b", ""):
        with pytest.raises(ValueError, match="`name` is .*: use letters, digits"):
            ml.openspiel.register(ml.load("photon"), name=wrong)
    for recall in (1.5, "3"):
        with pytest.raises(TypeError, match="`recall` takes a whole number"):
            ml.openspiel.register("photon", recall=recall)  # type: ignore[arg-type]
    for recall in (-1, 2**40):
        with pytest.raises(ValueError, match="`recall` is .*: use 0 to 100000"):
            ml.openspiel.register("photon", recall=recall)
    assert ml.openspiel.register("photon", recall=np.int64(8)) == "motherlode_photon"  # type: ignore[arg-type]
    assert ml.openspiel.register("photon") == "motherlode_photon"
    with pytest.raises(ValueError, match="recall"):
        ml.openspiel.register(ml.load("photon"), name="other", recall=-1)


def test_games_without_chance_are_deterministic(tmp_path: Path) -> None:
    from open_spiel.python.algorithms import minimax

    assert load("connect_four").get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert not ml.load(PACKS / "tictactoe").has_chance and all(ml.load(name).has_chance for name in ml.games())
    own = ml.load(edited(tmp_path, "tictactoe", "game.toml", "[outcome]", '[outcome]\ngoal = "margin"\nrange = [0, 1]'))
    game = pyspiel.load_game(ml.openspiel.register(own, name="noughts"))
    state = game.new_initial_state()
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    value, action = minimax.alpha_beta_search(game, state=state)
    assert value in (-1.0, 0.0, 1.0) and action in state.legal_actions()


def test_information_states_of_kuhn(kuhn: Any) -> None:
    """Six information states for each player, told apart by string and by tensor, as in OpenSpiel's own game."""
    states = [
        state
        for state in _all_states(kuhn.new_initial_state())
        if not state.is_chance_node() and not state.is_terminal()
    ]
    for player in (0, 1):
        own = [state for state in states if state.current_player() == player]
        strings = {state.information_state_string() for state in own}
        pairs = {(state.information_state_string(), tuple(state.information_state_tensor())) for state in own}
        tensors = {tuple(state.information_state_tensor()) for state in own}
        assert len(strings) == len(pairs) == len(tensors) == 6


def _all_states(state: Any) -> list[Any]:
    found = [state]
    for action in state.legal_actions():
        found += _all_states(state.child(action))
    return found


def test_cfr_solves_kuhn(kuhn: Any) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(CFR_ITERATIONS):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(kuhn, policy) < 1e-3
    values = expected_game_score.policy_value(kuhn.new_initial_state(), [policy] * 2)
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)


def test_the_c_plus_plus_solver_agrees(kuhn: Any) -> None:
    solver = pyspiel.CFRPlusSolver(kuhn)
    for _ in range(CFR_ITERATIONS):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(kuhn, solver.average_policy()) < 1e-3


def test_the_c_plus_plus_sampling_solver_runs(kuhn: Any) -> None:
    solver = pyspiel.ExternalSamplingMCCFRSolver(kuhn, 1)
    for _ in range(500):
        solver.run_iteration()
    assert pyspiel.exploitability(kuhn, solver.average_policy()) < 0.2


@pytest.mark.parametrize(("own", "other"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_uniform_play_is_as_exploitable_as_in_openspiel(own: str, other: str) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    games = load(own), pyspiel.load_game(other)
    ours, theirs = (exploitability.exploitability(game, policy.UniformRandomPolicy(game)) for game in games)
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", ["photon", "connect_four", "leduc"])
def test_mcts_plays(name: str) -> None:
    from open_spiel.python.algorithms import evaluate_bots, mcts
    from open_spiel.python.bots import uniform_random

    game = load(name)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 2.0, 4, evaluator, random_state=rng)]
    bots += [uniform_random.UniformRandomBot(seat, rng) for seat in range(1, game.num_players())]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
    assert len(returns) == game.num_players()


def test_information_set_mcts_plays() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = load("leduc")
    rng = np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 20, random_state=rng)
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=shares)))
            elif state.current_player() == 0:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        assert sum(state.returns()) == 0


def test_resampled_states_tell_no_hidden_facts() -> None:
    state = load("leduc").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    deal = state.history()
    other = state.resample_from_infostate(0, lambda: 0.3)
    assert other.history() == [] and str(deal) not in str(other)
    names = {other.action_to_string(action): action for action in other.legal_actions()}
    other.apply_action(names["label:call"])
    other.apply_action(names["label:call"])
    assert str(deal)[1:-1] not in str(other)
    with pytest.raises(ValueError, match="resampled"):
        pickle.dumps(other.position)


def test_states_are_copied_and_pickled(kuhn: Any) -> None:
    state = kuhn.new_initial_state()
    for action in (2, 3):
        state.apply_action(action)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["label:check", "label:bet"]
    others = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    state.apply_action(state.legal_actions()[0])
    for other in others:
        assert other.history() == [2, 3] and str(other) != str(state)
        other.apply_action(other.legal_actions()[0])
        assert str(other) == str(state)


OTHER_PROCESS = """
import pickle, sys
game, state = pickle.load(open(sys.argv[1], "rb"))
assert game.new_initial_state().legal_actions() and str(state.get_game()) == str(game)
print(state.history(), state.legal_actions())
"""


def test_games_are_pickled(kuhn: Any, tmp_path: Path) -> None:
    state = kuhn.new_initial_state()
    state.apply_action(2)
    for other in (pickle.loads(pickle.dumps(kuhn)), copy.deepcopy(kuhn)):
        assert other.new_initial_state().legal_actions() == kuhn.new_initial_state().legal_actions()
    file = tmp_path / "kuhn.pickle"
    for order in ((kuhn, state), (pickle.loads(pickle.dumps(kuhn)), state.clone())):
        file.write_bytes(pickle.dumps(order))
        # Another process registers the game by itself.
        command = [sys.executable, "-c", OTHER_PROCESS, str(file)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert told == f"[2] {state.legal_actions()}\n"


def test_observers(kuhn: Any) -> None:
    from open_spiel.python.observation import make_observation

    state = kuhn.new_initial_state()
    for action in (3, 1):
        state.apply_action(action)
    state.apply_action(state.legal_actions()[1])
    game = ml.load(PACKS / "kuhn")
    observer = make_observation(kuhn, pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    answers = observer.dict["answers"]
    assert answers.shape == (BETTING, 2 + game.num_actions + 1)
    # The other player has bet.
    assert list(np.flatnonzero(answers)) == [1, 2 + game.action("label:bet")]
    assert [part.name in observer.dict for part in game.observation_parts]
    assert (observer.tensor[: game.observation_shape[0]] == state.position.state.observation(1)).all()
    with pytest.raises(ValueError, match="one player"):
        make_observation(kuhn, pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE))
