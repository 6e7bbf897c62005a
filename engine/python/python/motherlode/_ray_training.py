"""Plays the games of a training on a Ray cluster."""

import os
from typing import Any

from ._motherlode import Trainer
from ._ship import ShippedBot, ship_bot, ship_game
from .training import TrainingOrder

AHEAD = 2
"""Batches per core that wait or run at a time."""

TASKS_PER_CORE = 4
"""Tasks of a batch per core. Batches are small, and each begins when the last one has ended."""

RETRIES = 8
"""Attempts to play a task whose worker or node is lost."""

WAIT = 0.2
"""Seconds between two looks at the results."""


class _ShippedTraining:
    """A training on its way to a worker."""

    def __init__(self, order: TrainingOrder) -> None:
        self.game, self.arguments = ship_game(order.game), order.arguments

    def begin(self) -> Trainer:
        """Begin on a worker."""
        return TrainingOrder(self.game.unpack(), self.arguments).begin(threads=1)


_trainers: dict[str, Trainer] = {}
"""The last training of this worker."""


def _play_games(
    name: str, shipped: _ShippedTraining, batch: str, rivals: list[ShippedBot], first: int, end: int
) -> list[str]:
    """Play games of a batch on a worker."""
    trainer = _trainers.get(name)
    if trainer is None:
        trainer = shipped.begin()
        _trainers.clear()
        _trainers[name] = trainer
    return trainer.play(batch, [str(rival.unpack()) for rival in rivals], first, end)


class RayPlayers:
    """Hands out the games of batches and returns their results in order."""

    def __init__(self, ray: Any, order: TrainingOrder, unit: int | None) -> None:
        self._ray, self._unit = ray, unit
        self._play = ray.remote(num_cpus=1, max_retries=RETRIES)(_play_games)
        self._shipped = ray.put(_ShippedTraining(order))
        self._name = f"{os.getpid()}-{self._shipped.hex()}"
        self._cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._units: list[tuple[int, int]] = []
        self._tasks: list[Any] = []

    def begin(self, batch: str, rivals: list[str], count: int) -> None:
        """Begin a batch of `count` games."""
        self.cancel()
        unit = self._unit or max(1, -(-count // (self._cores * TASKS_PER_CORE)))
        self._units = [(first, min(first + unit, count)) for first in range(0, count, unit)]
        self._batch = self._ray.put(batch)
        self._rivals = [ship_bot(rival) for rival in rivals]

    def take(self) -> list[str] | None:
        """The next results: none yet if the list is empty; `None` after the last."""
        while self._units and len(self._tasks) < self._cores * AHEAD:
            first, end = self._units.pop(0)
            task = self._play.remote(self._name, self._shipped, self._batch, self._rivals, first, end)
            self._tasks.append(task)
        if not self._tasks:
            return None
        ready, _ = self._ray.wait(self._tasks[:1], timeout=WAIT)
        if not ready:
            return []
        pieces: list[str] = self._ray.get(self._tasks.pop(0))
        return pieces

    def cancel(self) -> None:
        """Hand out no more games of the batch."""
        self._units.clear()
        self._tasks.clear()
