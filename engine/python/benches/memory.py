"""Resident memory of a vector over ten million steps of each shipped game.

    pip install ./engine/python numpy
    python engine/python/benches/memory.py
"""

import gc

import motherlode as ml
import numpy as np

ENVS = 1024
STEPS = 10_000_000
GAMES = ["photon", "krysis", "atacama", "miners_lagoon", "imperial_miners"]


def resident() -> float:
    """Resident memory of this process in MB (Linux)."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def main() -> None:
    for name in GAMES:
        env = ml.load(name).vector(ENVS, seed=1)
        mask = env.reset()[1]
        rng, rows = np.random.default_rng(1), np.arange(ENVS) * mask.shape[1]
        sizes = []
        for step in range(STEPS // ENVS + 1):
            if step % (STEPS // ENVS // 10) == 0:
                sizes.append(f"{resident():.0f}")
            counts = mask.sum(1)
            first = np.cumsum(counts) - counts
            env.step(np.flatnonzero(mask)[first + (rng.random(ENVS) * counts).astype(np.int64)] - rows)
        print(f"{name}: {', '.join(sizes)} MB", flush=True)


if __name__ == "__main__":
    main()
