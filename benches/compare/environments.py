"""Decisions a CPU second with observation and mask, random legal actions: vectors beside other Python packages.

    pip install ./engine/python open_spiel==2.0.2 'pettingzoo[classic]==1.27.0' rlcard pgx jax
    python benches/compare/environments.py

Every decision gets the observation and the legal actions of its player. A package that is missing, or does not have a
game, has no figure. CPU time counts all threads, so Pgx gains nothing from more cores.
"""

import random
import time
from collections.abc import Callable

import numpy as np

SECONDS = 3.0
ENVS = 1024
GAMES = {
    # Motherlode, OpenSpiel, PettingZoo, RLCard, Pgx
    "Connect Four": ("connect_four", "connect_four", "connect_four_v3", None, "connect_four"),
    "Leduc poker": ("leduc", "leduc_poker", "leduc_holdem_v4", "leduc-holdem", "leduc_holdem"),
    "Backgammon": ("tables_race", "backgammon", None, None, "backgammon"),
}


def motherlode(name: str) -> Callable[[], int]:
    """A vector of Motherlode; numpy samples from the mask."""
    import motherlode as ml

    env = ml.load(f"benches/packs/content/{name}").vector(ENVS, seed=1)
    mask = env.reset()[1]
    rng, rows = np.random.default_rng(1), np.arange(ENVS) * mask.shape[1]

    def step() -> int:
        counts = mask.sum(1)
        first = np.cumsum(counts) - counts
        env.step(np.flatnonzero(mask)[first + (rng.random(ENVS) * counts).astype(np.int64)] - rows)
        return ENVS

    return step


def open_spiel(name: str) -> Callable[[], int]:
    """States of OpenSpiel in a Python loop."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, shares)[0])
            else:
                state.observation_tensor(), state.legal_actions_mask()
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def pettingzoo(name: str) -> Callable[[], int]:
    """An environment of PettingZoo."""
    import importlib

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if ended or cut else int(random.choice(legal)))
            decisions += not (ended or cut)
        return decisions

    return play


def rlcard(name: str) -> Callable[[], int]:
    """An environment of RLCard."""
    import rlcard

    env = rlcard.make(name)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def pgx(name: str) -> Callable[[], int]:
    """A compiled batch of Pgx on the CPU, which samples its actions itself."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    following = auto_reset(env.step, env.init)

    @jax.jit
    def advance(states: "pgx.State", key: jax.Array) -> tuple["pgx.State", jax.Array]:
        key, choosing, stepping = jax.random.split(key, 3)
        logits = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choosing, logits, axis=-1)
        return jax.vmap(following)(states, actions, jax.random.split(stepping, ENVS)), key

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), ENVS))
    now = [states, jax.random.PRNGKey(2)]

    def step() -> int:
        now[:] = jax.block_until_ready(advance(*now))
        return ENVS

    return step


def rate(step: Callable[[], int]) -> float:
    """Decisions a CPU second."""
    for _ in range(3):
        step()
    decisions, begin = 0, time.process_time()
    while time.process_time() - begin < SECONDS:
        decisions += step()
    return decisions / (time.process_time() - begin)


def main() -> None:
    packages = [motherlode, open_spiel, pettingzoo, rlcard, pgx]
    print(f"{'':14}", *(f"{package.__name__:>12}" for package in packages))
    for game, names in GAMES.items():
        cells = []
        for package, name in zip(packages, names, strict=True):
            try:
                cells.append(f"{rate(package(name)):,.0f}" if name else "")
            except ImportError:
                cells.append("missing")
        print(f"{game:14}", *(f"{cell:>12}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
