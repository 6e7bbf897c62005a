"""The experiments of `motherlode.lab` on a Ray cluster: `pip install 'motherlode[ray]'`.

`ml.ray.arena(...)` takes the arguments of `ml.arena` without `threads`, and

- `address`: of a cluster, such as `auto` or `ray://host:10001`. By default, the cluster that this program has joined
  with `ray.init`, or else an embedded one on this machine, until `ray.shutdown()` or the end of the program;
- `unit`: pieces (games of `sim`, blocks otherwise) per task; by default as many as a core plays in about a second.

Tasks play pieces by their numbers, and this process adds them in order. So the result is equal to that of one machine,
to the byte, except for measurements of time: `Result.to_json(measurements=False)`. A report of `sim` has no speed.

A lost worker or node costs the tasks that it was playing; Ray plays them elsewhere. Ctrl-C raises `Stopped`, whose
`result` covers all pieces before the first missing one. Tasks that run hand in the pieces that they have played, and end
after the current ones, within about half a second if a piece takes less; waiting tasks are cancelled.

`train` splits the games: self-play and matches between values. Each iteration needs the value of the one before, so a
cluster waits between batches; fitting, the search of a league and the verdict stay in this process.

Every machine needs the same version of this package; games, mods, values and policies travel with the work.
"""

import time
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal

from . import lab
from ._motherlode import Run
from ._progress import Bar, Progress
from ._ray_training import RETRIES, WAIT, RayPlayers
from ._ship import ShippedBot, ShippedGame, ship_bot, ship_game
from .lab import AnyGame, Bots, Order, Result, Stopped
from .training import Training, training_order
from .training import perform as perform_training

TASKS_PER_CORE = 8
"""Least tasks of a stage per core of the cluster, so that all cores end at about the same time."""

TASK = 1.0
"""Seconds of a task. Ctrl-C loses the tasks after the first unfinished one."""

AHEAD = 3
"""Tasks per core that wait or run at a time. More would hold results in memory that nobody has added."""

MOST_PIECES = 20_000
"""Maximum pieces of a task: a lost worker loses no more."""

SLICE = 0.25
"""Seconds that a worker plays before it looks whether its experiment is cancelled."""

GRACE = 3.0
"""Seconds that tasks have to hand in their pieces after Ctrl-C."""

_joined: list[str | None] = []
"""The address of the cluster that `_ray` has joined."""


def _ray(address: str | None) -> Any:
    """Ray, with a cluster."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("Ray is missing: pip install 'motherlode[ray]'") from error
    if not ray.is_initialized():
        settings: dict[str, Any] = {"address": address} if address else {"include_dashboard": False}
        ray.init(logging_level="warning", log_to_driver=False, **settings)
        _joined[:] = [address]
    elif address not in (None, "auto", *_joined, ray.get_runtime_context().gcs_address):
        raise ValueError(f"this program has joined another cluster than `{address}`: call `ray.shutdown()` first")
    return ray


class _Store:
    """The names of cancelled experiments, in the store of the cluster."""

    def __init__(self) -> None:
        from ray.experimental import internal_kv

        self._kv = internal_kv

    def put(self, name: str) -> None:
        """Mark an experiment as cancelled."""
        self._kv._internal_kv_put(f"motherlode:{name}", b"cancelled")

    def has(self, name: str) -> bool:
        """Whether an experiment is cancelled."""
        return bool(self._kv._internal_kv_exists(f"motherlode:{name}"))


class _Shipped:
    """An experiment on its way to a worker."""

    def __init__(self, order: Order) -> None:
        self.kind, self.arguments = order.kind, order.arguments
        self.game: ShippedGame = ship_game(order.game)
        self.base: ShippedGame | None = ship_game(order.base) if order.base is not None else None
        self.bots: list[ShippedBot] = [ship_bot(bot) for bot in order.bots]
        after = self.arguments.get("after")
        self.after: ShippedBot | None = ship_bot(after) if after is not None else None

    def begin(self) -> Run:
        """Begin the experiment on a worker."""
        base = self.base.unpack() if self.base is not None else None
        bots = [bot.unpack() for bot in self.bots]
        arguments = self.arguments if self.after is None else {**self.arguments, "after": self.after.unpack()}
        return Order(self.kind, self.game.unpack(), bots, arguments, base=base).begin(rows=False, threads=1)


_runs: dict[tuple[str, int], Run] = {}
"""The last run of this worker."""


def _play(
    key: tuple[str, int], shipped: _Shipped, before: list[str], first: int, end: int
) -> tuple[list[str], float]:
    """Play pieces on a worker; return them with the seconds that they took. `before`: all pieces of earlier stages."""
    store = _Store()
    if store.has(key[0]):
        return [], 0.0
    run = _begin(key, shipped, before)
    begin = time.monotonic()
    return _play_pieces(run, first, end, lambda: store.has(key[0])), time.monotonic() - begin


def _begin(key: tuple[str, int], shipped: _Shipped, before: list[str]) -> Run:
    """The experiment on this worker."""
    run = _runs.get(key)
    if run is None:
        run = shipped.begin()
        run.add(before)
        _runs.clear()
        _runs[key] = run
    return run


def _play_pieces(run: Run, first: int, end: int, is_cancelled: Callable[[], bool]) -> list[str]:
    """Play pieces until the end, or until the experiment is cancelled."""
    pieces: list[str] = []
    count = 1
    while first < end:
        begin = time.monotonic()
        own = run.play(first, min(first + count, end))
        pieces += own
        first += len(own)
        if first < end and (not own or is_cancelled()):
            break
        spent = time.monotonic() - begin
        count = 2 * count if spent < SLICE / 2 else max(1, count // 2) if spent > SLICE else count
    return pieces


class _Driver:
    """Hands out the tasks of an experiment and adds their pieces in order."""

    def __init__(self, ray: Any, order: Order, run: Run, unit: int | None) -> None:
        self._ray, self._run, self._unit = ray, run, unit
        # After a loss Ray plays a task again; it also does so for results that were lost with their node.
        self._play = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        self._shipped = ray.put(_Shipped(order))
        self._name = self._shipped.hex()
        self._cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._tasks: dict[Any, tuple[int, int]] = {}
        self._arrived: dict[int, list[str]] = {}

    def play_all(self, bar: Bar) -> None:
        """Play all stages."""
        pieces: list[str] = []
        stages = self._run.stages
        for first, end in stages:
            if self._run.has_ended:
                break
            is_last = end == stages[-1][1]
            self._play_stage(first, end, pieces, keeps=not is_last, bar=bar)

    def _play_stage(self, first: int, end: int, pieces: list[str], *, keeps: bool, bar: Bar) -> None:
        before = self._ray.put(list(pieces))
        share = -(-(end - first) // (self._cores * TASKS_PER_CORE))
        most = min(max(share, 1), MOST_PIECES)
        # Nobody knows yet how long a piece takes.
        unit, start = self._unit or 1, first
        arrived = self._arrived
        while self._run.next < end and not self._run.has_ended:
            while len(self._tasks) + len(arrived) < self._cores * AHEAD and start < end:
                key, stop = (self._name, first), min(start + unit, end)
                task = self._play.remote(key, self._shipped, before, start, stop)
                self._tasks[task] = start, stop
                start = stop
            ready, _ = self._ray.wait(list(self._tasks), timeout=WAIT)
            for task in ready:
                own, seconds = self._ray.get(task)
                begin, stop = self._tasks.pop(task)
                if len(own) != stop - begin:
                    raise RuntimeError(f"a worker played {len(own)} pieces from {begin}, not all: play the run again")
                arrived[begin] = own
                if self._unit is None:
                    unit = min(max(int(len(own) * TASK / max(seconds, 1e-3)), 1), 4 * unit, most)
            while (following := arrived.pop(self._run.next, None)) is not None:
                self._run.add(following)
                if keeps:
                    pieces.extend(following)
                if self._run.has_ended:
                    break
            bar(self._run.next + sum(map(len, arrived.values())))

    def cancel(self) -> None:
        """Let waiting tasks end at once, and running ones soon."""
        if self._tasks:
            # Not `ray.cancel`: Ray 2.60 ends the program if a cancelled task ends nevertheless.
            _Store().put(self._name)
        self._tasks.clear()

    def stop(self) -> None:
        """Cancel, and add the pieces that running tasks have played until now, before the first missing one."""
        tasks = dict(self._tasks)
        self.cancel()
        try:
            ready, _ = self._ray.wait(list(tasks), num_returns=len(tasks), timeout=GRACE) if tasks else ([], [])
            for task in ready:
                self._arrived[tasks[task][0]] = self._ray.get(task)[0]
            while not self._run.has_ended and (following := self._arrived.pop(self._run.next, None)):
                self._run.add(following)
        except (KeyboardInterrupt, self._ray.exceptions.RayError):
            # A second Ctrl-C, or a lost worker: the pieces so far count.
            pass


def _perform(order: Order, rows: bool, address: str | None, unit: int | None, progress: Progress) -> Result:
    """Play an experiment on a cluster."""
    lab.check_unit(unit)
    # Errors in the arguments are found here, before anything is sent.
    run = order.begin(rows=rows, threads=1)
    driver = _Driver(_ray(address), order, run, unit)
    try:
        with Bar(progress, run.stages[-1][1], order.unit) as bar:
            driver.play_all(bar)
    except KeyboardInterrupt:
        driver.stop()
        raise Stopped(order.end(run, rows=rows, measured=False)) from None
    except BaseException:
        driver.cancel()
        raise
    driver.cancel()
    result = order.end(run, rows=rows, measured=False)
    lab.check_finished(result)
    return result


def sim(
    game: AnyGame,
    bots: Bots = "random",
    *,
    games: int = 1000,
    seed: int = 1,
    answers: Sequence[str] = (),
    rows: Literal["games", "decisions"] | None = None,
    address: str | None = None,
    unit: int | None = None,
    progress: Progress = None,
) -> Result:
    """Play many games on a cluster: see `motherlode.sim`."""
    lab.check_sim_rows(rows)
    order = lab.sim_order(game, bots, games, seed, answers, rows == "decisions")
    return _perform(order, rows is not None, address, unit, progress)


def arena(
    game: AnyGame,
    bots: Bots,
    *,
    blocks: int = 100,
    seed: int = 1,
    opening: int = 0,
    until: tuple[float, float] | None = None,
    rows: bool = False,
    address: str | None = None,
    unit: int | None = None,
    progress: Progress = None,
) -> Result:
    """Rank bots on a cluster: see `motherlode.arena`."""
    order = lab.arena_order(game, bots, blocks, seed, until, opening)
    return _perform(order, lab.keeps_rows(rows), address, unit, progress)


def compare(
    game: AnyGame,
    base: AnyGame | None = None,
    bots: Bots = "random",
    *,
    blocks: int = 400,
    seed: int = 1,
    matters: float = 0.05,
    until: bool = False,
    rows: bool = False,
    address: str | None = None,
    unit: int | None = None,
    progress: Progress = None,
) -> Result:
    """Compare two versions of a game on a cluster: see `motherlode.compare`."""
    order = lab.compare_order(game, base, bots, blocks, seed, matters, until)
    return _perform(order, lab.keeps_rows(rows), address, unit, progress)


def effects(
    game: AnyGame,
    bots: Bots | None = None,
    *,
    blocks: int = 200,
    forks: int = 100,
    seed: int = 1,
    items: Sequence[str] = (),
    after: str | None = None,
    rows: bool = False,
    address: str | None = None,
    unit: int | None = None,
    progress: Progress = None,
) -> Result:
    """Measure cards, actions and roles on a cluster: see `motherlode.effects`."""
    order = lab.effects_order(game, bots, blocks, seed, forks, items, after)
    return _perform(order, lab.keeps_rows(rows), address, unit, progress)


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
    address: str | None = None,
    unit: int | None = None,
    progress: Progress = None,
) -> Training:
    """Learn a value function by self-play on a cluster: see `motherlode.train`. `unit`: games per task."""
    lab.check_unit(unit)
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
    trainer = order.begin(threads=0)
    remote = RayPlayers(_ray(address), order, unit)
    return perform_training(trainer, out, force, keep_bad, progress, remote)
