"""Shared helpers of the tests."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import motherlode as ml

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=ml.games())
def game(request: pytest.FixtureRequest) -> ml.Game:
    """Every shipped game."""
    return ml.load(request.param)


def sample(mask: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """A random legal action for each row of a mask."""
    counts = mask.sum(1)
    legal = np.flatnonzero(mask)
    first = np.cumsum(counts) - counts
    chosen: NDArray[np.int64] = legal[first + (rng.random(len(mask)) * counts).astype(np.int64)]
    chosen -= np.arange(len(mask)) * mask.shape[1]
    return chosen


def play(state: ml.State, rng: np.random.Generator, most: int = 10**6) -> int:
    """Play at random, explicit chance by its probabilities; return the number of actions."""
    for step in range(most):
        if state.is_terminal():
            return step
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=shares)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return most
