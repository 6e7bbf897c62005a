"""Explicit chance, answers of any pending player, and bots."""

import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, ctrl_c, in_child, play

import motherlode as ml

PACKS = ROOT / "benches" / "packs" / "content"


def courses(state: ml.State, share: float = 1.0) -> list[tuple[float, list[float]]]:
    """The probability and the returns of every course of a match whose players take their first action."""
    if state.is_terminal():
        return [(share, state.returns())]
    outcomes = state.chance_outcomes() if state.is_chance_node() else [(state.legal_actions()[0], 1.0)]
    found = []
    for action, probability in outcomes:
        child = state.clone()
        child.apply_action(action)
        found += courses(child, share * probability)
    return found


COIN = {
    "content/coin/game.toml": """
name = "Coin"
version = "0.1.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
rounds = 1
counters.points = { per = "player", min = -1, max = 1 }
outcome = { score = "points", goal = "score", zero_sum = true, range = [-1, 1] }
""",
    "content/coin/phases.toml": 'flip = { turns = "once" }',
    "content/coin/prompts.toml": """
[say]
text = "The coin shows {1}. Which side is it?"
labels = { one = "One", two = "Two" }
[sure]
text = "Are you sure?"
labels = { yes = "Yes", no = "No" }
""",
    "scripts/coin/phases.luau": """
return {
    flip = {
        turn = function(player)
            if player > 1 then return end
            local side = random(2)
            local said = choose(player, "say", { "one", "two" }, side)
            choose(player, "sure", { "yes", "no" })
            local points = if (said == "one") == (side == 1) then 1 else -1
            set(1, "points", points)
            set(2, "points", -points)
        end,
    },
}
""",
}


def test_a_player_knows_what_a_question_shows(tmp_path: Path) -> None:
    for name, text in COIN.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    game = ml.load(tmp_path)
    one = game.new_state(chance="explicit")
    two = one.clone()
    for state, side in ((one, 1), (two, 2)):
        state.apply_action(side)
        assert state.question() == f"The coin shows {side}. Which side is it?"
    assert one.information_state_string(0) != two.information_state_string(0)
    assert one.information_state_string(1) == two.information_state_string(1)
    for state in (one, two):
        state.apply_action(game.action("label:one"))
    # The answer keeps what its question has shown.
    assert one.information_state_string(0) != two.information_state_string(0)
    assert one.information_state_string(1) == two.information_state_string(1)
    assert one.events(0)[-1]["question"].startswith("The coin shows 1")


def test_chance_of_kuhn() -> None:
    game = ml.load(PACKS / "kuhn")
    state = game.new_state(chance="explicit")
    assert state.is_chance_node() and not state.is_terminal() and state.current_player() == ml.CHANCE
    assert state.chance_outcomes() == [(1, 1 / 3), (2, 1 / 3), (3, 1 / 3)] and state.legal_actions() == [1, 2, 3]
    assert {state.chance_outcome_name(one) for one in (1, 2, 3)} == {"token:jack#1", "token:queen#2", "token:king#3"}
    assert not state.legal_actions_mask().any() and state.pending_players() == []
    assert state.events(0) == [] and not state.observation(0).any() and state.question() == ""
    ends = courses(state)
    # Three cards in order are six courses; both players check, and the higher card wins the stake.
    assert len(ends) == 6 and sum(share for share, _ in ends) == pytest.approx(1.0)
    assert sorted(returns[0] for _, returns in ends) == [-1.0] * 3 + [1.0] * 3
    other = state.clone()
    other.apply_action(1)
    state.apply_action(3)
    # What chance has chosen so far is part of the position.
    assert len({state.hash(), other.hash(), game.new_state(chance="explicit").hash()}) == 3
    assert '"chance":{"answer":null,"outcomes":[3]}' in str(state) and str(state) != str(other)
    assert [outcome for outcome, _ in state.chance_outcomes()] == [1, 2]
    state.apply_action(1)
    assert not state.is_chance_node() and state.chance_outcomes() == []
    # The first player holds the king.
    assert "king" in state.information_state_string(0) and "king" not in state.information_state_string(1)
    assert state.history() == [3, 1]


def test_wrong_outcomes_change_nothing() -> None:
    state = ml.load(PACKS / "leduc").new_state(chance="explicit")
    for wrong in (0, 7, -1, 2**40):
        with pytest.raises(ml.ActionError, match="no outcome"):
            state.apply_action(wrong)
    with pytest.raises(ml.ActionError, match="no outcome 9"):
        state.chance_outcome_name(9)
    with pytest.raises(ml.ActionError, match="draw waits"):
        state.resample_from_infostate(0)
    assert state.history() == [] and state.is_chance_node()
    # Copies of a card share an outcome.
    assert len(state.chance_outcomes()) == 3
    with pytest.raises(ValueError, match='"seed" or "explicit"'):
        ml.load("photon").new_state(chance="dice")  # type: ignore[arg-type]


def test_explicit_matches_can_be_copied_and_written(game: ml.Game) -> None:
    rng = np.random.default_rng(1)
    state = game.new_state(chance="explicit")
    other = game.new_state(seed=0)
    for step in range(150):
        if state.is_terminal():
            break
        if step % 30 == 0:
            again = game.deserialize(state.serialize())
            assert again.hash() == state.hash() and again.legal_actions() == state.legal_actions()
        copy = state.clone()
        before = copy.history()
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            assert sum(shares) == pytest.approx(1.0) and max(outcomes) < game.max_chance_outcomes
            action = int(rng.choice(outcomes, p=shares))
        else:
            action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        # Matches with and without explicit chance share a machine.
        if not other.is_terminal():
            other.apply_action(other.legal_actions()[0])
        assert copy.history() == before
        copy.apply_action(action)
        assert copy.hash() == state.hash()
    plain = game.new_state(seed=0)
    while len(plain.history()) < len(other.history()):
        plain.apply_action(plain.legal_actions()[0])
    assert plain.hash() == other.hash()


def test_the_seed_has_no_influence() -> None:
    game = ml.load("photon")
    hashes = set()
    for seed in (1, 2):
        rng = np.random.default_rng(3)
        state = game.new_state(seed=seed, chance="explicit")
        play(state, rng, 200)
        hashes.add(str(state))
    assert len(hashes) == 1


def test_resampled_explicit_states() -> None:
    game = ml.load(PACKS / "leduc")
    state = game.new_state(chance="explicit")
    for outcome in (5, 1, *state.legal_actions()):
        if state.is_chance_node() and outcome in state.legal_actions():
            state.apply_action(outcome)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    texts = set()
    for seed in range(30):
        other = state.resample_from_infostate(0, seed)
        assert other.information_state_string(0) == state.information_state_string(0)
        texts.add(str(other.observation_dict(1)))
        while not other.is_terminal():
            other.apply_action(other.legal_actions()[-1])
    assert len(texts) == 3


def test_any_pending_player_may_answer() -> None:
    game = ml.load("photon")
    state = game.new_state(seed=1)
    while len(state.pending_players()) < 2:
        state.apply_action(state.legal_actions()[0])
    players = state.pending_players()
    last = players[-1]
    seen = state.observation(last)
    legal = state.legal_actions(last)
    assert legal and state.current_player() != last
    reverse = state.clone()
    for player in players:
        assert player != last or (state.observation(last) == seen).all()
        state.apply_action(state.legal_actions(player)[0], player)
    for player in reversed(players):
        reverse.apply_action(reverse.legal_actions(player)[0], player)
    assert state.hash() == reverse.hash()
    with pytest.raises(ml.ActionError):
        ml.load("atacama").new_state().apply_action(0, 1)


def test_bots(game: ml.Game) -> None:
    bots = [ml.Bot(game, "random", seed) for seed in range(2)]
    states = [game.new_state(seed=4), game.new_state(seed=4)]
    for state in states:
        for _ in range(20):
            if not state.is_terminal():
                state.apply_action(bots[state.current_player() % 2](state))
    assert states[0].hash() == states[1].hash()
    with pytest.raises(ValueError, match="search"):
        ml.Bot(game, "serch:2")
    other = ml.load(PACKS / "kuhn")
    with pytest.raises(ValueError, match="another game"):
        ml.Bot(other, "random")(states[0])
    with pytest.raises(ml.ActionError, match="no player decides"):
        ml.Bot(other, "random")(other.new_state(chance="explicit"))


def test_ctrl_c_ends_long_searches() -> None:
    game = ml.load("krysis")
    state = game.new_state(seed=1)
    for spec in ("search:1000000", "rollout:1000000", "flat:1000000"):
        with ctrl_c():
            ml.Bot(game, spec)(state)
        # Threads and bots are usable afterwards.
        assert ml.Bot(game, "search:16")(state) in state.legal_actions()


def test_bots_in_threads_and_after_a_fork() -> None:
    game = ml.load("photon")
    bot = ml.Bot(game, "search:16")
    state = game.new_state(seed=3)
    wanted = bot(state)
    chosen: list[int] = []
    threads = [threading.Thread(target=lambda: chosen.append(bot(state))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert chosen == [wanted] * 4
    assert in_child(lambda: bot(state) == wanted)
