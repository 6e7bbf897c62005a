"""Decisions per CPU second on one core: vectors beside `lode sim`, random play.

    python engine/python/benches/speed.py [LODE] [GAME ...]

A vector writes observation and mask for every decision; numpy samples the legal actions from the mask. `lode sim` picks
a choice without either. CPU time is the same on a busy and on an idle machine, as far as caches allow.
"""

import os
import re
import resource
import subprocess
import sys
import time

import numpy as np

import motherlode as ml

SECONDS = 3.0
SIZES = (64, 1024)


def vector(game: ml.Game, num_envs: int) -> float:
    """Decisions per CPU second of a vector."""
    env = game.vector(num_envs, seed=1)
    mask = env.reset()[1]
    rng = np.random.default_rng(1)
    rows = np.arange(num_envs) * mask.shape[1]
    count, begin = 0, 0.0
    for warm in (True, False):
        count, begin = 0, time.process_time()
        while time.process_time() - begin < (SECONDS / 5 if warm else SECONDS):
            counts = mask.sum(1)
            legal = np.flatnonzero(mask)
            first = np.cumsum(counts) - counts
            env.step(legal[first + (rng.random(num_envs) * counts).astype(np.int64)] - rows)
            count += num_envs
    return count / (time.process_time() - begin)


def simulation(lode: str, game: str) -> float:
    """Decisions per CPU second of `lode sim`."""
    games, cpu = 200, 0.0
    while True:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        command = [lode, "sim", game, "--games", str(games), "--bots", "random", "--threads", "1", "--seed", "1"]
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if cpu > SECONDS / 2:
            break
        games *= 4
    found = re.search(r"decisions per game\s+([0-9.]+)", shown)
    assert found, shown
    return games * float(found[1]) / cpu


def main() -> None:
    lode = sys.argv[1] if len(sys.argv) > 1 else "lode"
    print(f"{'game':16} {'actions':>7} {'numbers':>7} {'lode sim':>10}", *(f"{size:>8} envs" for size in SIZES))
    for name in sys.argv[2:] or ml.games():
        game = ml.load(name)
        base = simulation(lode, name)
        rates = [vector(game, size) for size in SIZES]
        shown = (f"{rate:>8,.0f} {rate / base:>4.0%}" for rate in rates)
        print(f"{name:16} {game.num_actions:>7} {game.observation_shape[0]:>7} {base:>10,.0f}", *shown, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
