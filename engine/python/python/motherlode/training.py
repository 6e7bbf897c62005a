"""Training of values: the command `lode train` in this process."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ._motherlode import Game, Trainer
from ._progress import Bar, Progress
from .lab import AnyGame, Report, Stopped, as_count, as_game, as_names, check_range


class Training(Report):
    """A trained value and its report, a mapping of its parts.

    `value` is the text of the value file, `text` the output of `lode train --format json`, and `data` all of its parts.
    """

    def __init__(self, value: str, text: str) -> None:
        super().__init__(text)
        self.value = value

    @property
    def stopped(self) -> bool:
        """Whether the training was stopped before its end: `value` is then the best one so far."""
        return bool(self.data["stopped"])

    def save(self, file: str | PathLike[str]) -> str:
        """Write the value to a file. Returns the name of the bot that uses it."""
        Path(file).write_text(self.value, encoding="utf-8")
        return f"learned:{file}"

    def __repr__(self) -> str:
        rest = ", stopped" if self.stopped else ""
        return f"<motherlode.Training{rest}: {', '.join(self.data)}>"


class TrainingStopped(Stopped):
    """Ctrl-C ended a training. `result` has the best value so far; nothing was written."""

    result: Training

    def __init__(self, result: Training) -> None:
        super().__init__(result, "`result` has the best value so far")


@dataclass(frozen=True)
class TrainingOrder:
    """A training to play: the arguments of `Trainer`."""

    game: Game
    arguments: dict[str, Any]

    def begin(self, threads: int) -> Trainer:
        """Check the arguments and begin."""
        return Trainer(self.game, **self.arguments, threads=threads)


def training_order(game: AnyGame, players: Sequence[int] | None, **arguments: Any) -> TrainingOrder:
    """The order of `train`."""
    if players is not None and not isinstance(players, Iterable):
        raise TypeError(f"`players` takes a list of numbers of players, not {players!r}")
    numbers = None if players is None else list(players)
    if numbers is not None and (not numbers or len(set(numbers)) < len(numbers)):
        raise ValueError("`players` is empty or names a number twice: name each number once")
    as_count("games", arguments["games"], 1, 1_000_000)
    as_count("iterations", arguments["iterations"], 1, 1000)
    as_count("search_iterations", arguments["search_iterations"], 0, 1000)
    as_count("league", arguments["league"], 0, 20)
    as_count("matches", arguments["matches"], 1, 1_000_000)
    if arguments["lambda_"] is not None:
        check_range("lambda_", arguments["lambda_"], 0, 1)
    never, always = (as_names(name, arguments.pop(name)) for name in ("never", "always"))
    return TrainingOrder(as_game(game), {"players": numbers, "never": never, "always": always, **arguments})


def perform(
    trainer: Trainer,
    out: str | PathLike[str] | None,
    force: bool,
    keep_bad: bool,
    progress: Progress,
    players: object = None,
) -> Training:
    """Train, judge and write the value."""
    old = None
    if out is not None and Path(out).exists():
        if not force:
            raise FileExistsError(f"`{out}` exists: use another name, or `force=True`")
        old = Path(out).read_text(encoding="utf-8")
    with Bar(progress, trainer.total(old), "games") as bar:
        text, value, warning, error = trainer.run(progress=bar, players=players, old=old, keep_bad=keep_bad)
    if error is not None and not isinstance(error, KeyboardInterrupt):
        raise error
    result = Training(value, text)
    if error is not None or result.stopped:
        raise TrainingStopped(result) from None
    if warning is not None:
        warnings.warn(warning, stacklevel=3)
    if out is not None and result["written"]:
        result.save(out)
    return result


def train(
    game: AnyGame,
    *,
    players: Sequence[int] | None = None,
    games: int = 300,
    iterations: int = 6,
    search_iterations: int = 0,
    league: int = 0,
    mixed: bool = False,
    lambda_: float | None = None,
    centred: bool = False,
    matches: int = 60,
    apart: bool = False,
    never: Sequence[str] = (),
    always: Sequence[str] = (),
    seed: int = 1,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    keep_bad: bool = False,
    threads: int = 0,
    progress: Progress = None,
) -> Training:
    """Learn a value function by self-play, as `lode train`; every argument is one of its options.

    `players` are numbers of players to train with, by default all competitive ones. The value is written to `out` if it
    is better than random play, or with `keep_bad`; `result["written"]` says so. An existing file is replaced only with
    `force`, and its value is then a rival of the verdict. The same arguments give the same value, to the byte.
    Ctrl-C raises `TrainingStopped`, a kind of `Stopped` whose `result` has the best value so far; without one,
    `KeyboardInterrupt`.
    """
    order = training_order(
        game,
        players,
        games=games,
        iterations=iterations,
        search_iterations=search_iterations,
        league=league,
        mixed=mixed,
        lambda_=lambda_,
        centred=centred,
        matches=matches,
        apart=apart,
        never=never,
        always=always,
        seed=seed,
    )
    return perform(order.begin(threads), out, force, keep_bad, progress)
