"""Shared helpers of the tests."""

import os
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def edited(folder: Path, name: str, file: str, old: str, new: str) -> Path:
    """A copy of a pack of the benches with an edit in `content/NAME/FILE` or `scripts/NAME/FILE`."""
    for room in ("content", "scripts"):
        shutil.copytree(ROOT / "benches" / "packs" / room / name, folder / room / name)
    path = next(path for path in folder.rglob(file))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return folder


def in_child(check: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether `check` is true in a fork of this process that ends in time."""
    with warnings.catch_warnings():
        # Python warns of forks beside threads: those are the subject.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if check() else 1
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@contextmanager
def ctrl_c(seconds: float = 0.3) -> Iterator[None]:
    """Send SIGINT to this process while the block runs. The block must raise `KeyboardInterrupt`."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        timer.cancel()
