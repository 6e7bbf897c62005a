"""Experiments: the commands `lode sim`, `arena`, `compare` and `effects` in this process.

Every function plays on all cores without the GIL and returns a `Result`, whose `text` is the output of the command
with `--format json`. Ctrl-C ends a run after the games that are being played: `Stopped` is raised, and its `result`
covers everything until then.

The unit of all experiments but `sim` is a block: one seed, played in every seating of the bots. Results depend on the
game, the bots and the seed, never on the number of threads.

**Policies.** All of them also take Python callables as bots. `policy(observation, mask)` gets the observation of
the deciding seat (`float32`, shape `Game.observation_shape`) and its legal actions (`bool`, shape `(num_actions,)`),
and returns an action. Its name in tables is `call:` with its `__name__` or `name`, or else with its type. If it has a
method `reset(seed)`, that is called before every game; a policy with random choices needs one, so that results can be
repeated. A run with a policy plays on one thread. An exception in a policy ends the run and is raised.
"""

import difflib
import json
import operator
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._motherlode import Error, Game, Run, default_bot, load
from ._motherlode import exploit as search_plans
from ._progress import Bar, Progress

if TYPE_CHECKING:
    import pyarrow

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]
"""A bot: gets an observation and a mask of legal actions, returns an action."""

AnyGame = Game | str | PathLike[str]
"""A game, or what `load` accepts."""

Bots = str | Policy | Sequence[str | Policy]
"""One bot, or several: names as in `--bots`, or policies. A text may list names, separated by commas."""

MEASURED = ("speed", "cost")
"""Parts of a report that differ from run to run."""


class Report(Mapping[str, Any]):
    """A report as a mapping of its parts: `text` is the JSON, `data` all parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data: dict[str, Any] = json.loads(text)

    @property
    def stopped(self) -> bool:
        """Whether the run was stopped before its end."""
        return bool(self.data["stopped"])

    def __getitem__(self, name: str) -> Any:
        return part_of(self.data, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    # Reports are compared by identity, as all objects that have a run.
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Result(Report):
    """The report of an experiment: a mapping of its parts.

    `result["bots"]` is the part `bots` of the report; `data` is all of it.
    """

    def __init__(self, kind: str, text: str, columns: list[Any] | None) -> None:
        super().__init__(text)
        self.kind = kind
        self._columns = columns

    def to_json(self, *, measurements: bool = True) -> str:
        """The report as JSON; without measurements of time it is the same, to the byte, on every machine."""
        if measurements:
            return self.text
        return json.dumps({name: part for name, part in self.data.items() if name not in MEASURED}, indent=2)

    @property
    def rows(self) -> dict[str, NDArray[Any]]:
        """The rows by column, as in `--out`. Columns with missing cells are masked arrays; text has `dtype=object`.

        Raises `ValueError` if the run kept no rows.
        """
        if self._columns is None:
            raise ValueError("the run kept no rows: use the argument `rows`")
        table: dict[str, NDArray[Any]] = {}
        for name, values, missing in self._columns:
            if isinstance(values, list):
                values = np.array(values, dtype=object)
            elif missing is not None:
                values = np.ma.MaskedArray(values, missing)
            table[name] = values
        return table

    def table(self) -> "pyarrow.Table":
        """The rows as a table of pyarrow, which must be installed."""
        import pyarrow as pa

        arrays = {}
        for name, values in self.rows.items():
            if isinstance(values, np.ma.MaskedArray):
                arrays[name] = pa.array(values.data, mask=np.ma.getmaskarray(values))
            elif values.dtype == object:
                arrays[name] = pa.array(values, type=pa.string(), from_pandas=True)
            else:
                arrays[name] = pa.array(values)
        return pa.table(arrays)

    def __repr__(self) -> str:
        rest = ", stopped" if self.stopped else ""
        return f"<motherlode.Result of {self.kind} in '{self.data['game']}'{rest}: {', '.join(self.data)}>"


class Stopped(KeyboardInterrupt):
    """Ctrl-C ended an experiment. `result` covers the pieces until then."""

    def __init__(self, result: Any, rest: str = "`result` covers only the games played") -> None:
        super().__init__(f"stopped before the end: {rest}")
        self.result = result


def part_of(data: dict[str, Any], name: str) -> Any:
    """A part of a report. Raises `KeyError` with the nearest name, or all names."""
    try:
        return data[name]
    except KeyError:
        near = difflib.get_close_matches(str(name), data, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"the parts are {', '.join(data)}"
        raise KeyError(f"the report has no part `{name}`: {hint}") from None


@dataclass(frozen=True)
class Order:
    """An experiment to play: the arguments of a constructor of `Run`."""

    kind: Literal["sim", "arena", "compare", "effects"]
    game: Game
    bots: list[str | Policy]
    arguments: dict[str, Any]
    base: Game | None = None
    unit: str = field(default="blocks")

    def begin(self, *, rows: bool, threads: int) -> Run:
        """Begin the experiment, without a piece."""
        arguments = {**self.arguments, "rows": rows, "threads": threads}
        if self.kind == "sim":
            return Run.sim(self.game, self.bots, **arguments)
        if self.kind == "arena":
            return Run.arena(self.game, self.bots, **arguments)
        if self.kind == "effects":
            return Run.effects(self.game, self.bots, **arguments)
        assert self.base is not None
        return Run.compare(self.game, self.base, self.bots, **arguments)

    def end(self, run: Run, *, rows: bool, measured: bool) -> Result:
        """The result of the pieces so far."""
        text, columns = run.report(measured=measured)
        return Result(self.kind, text, columns if rows else None)


def as_game(game: AnyGame) -> Game:
    """A game, loaded if necessary."""
    if isinstance(game, Game):
        return game
    if isinstance(game, str | PathLike):
        return load(game)
    raise TypeError(f"`game` must be a `motherlode.Game`, or the argument of `motherlode.load`, not {game!r}")


def as_names(argument: str, names: Sequence[str]) -> list[str]:
    """A list of names; a text is one name."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"`{argument}` takes a name or a list of names, not {names!r}")
    return list(names)


def keeps_rows(rows: object) -> bool:
    """Whether an experiment keeps rows. Raises `ValueError` for a wrong argument."""
    if not isinstance(rows, bool):
        raise ValueError(f"`rows` is {rows!r}: use True or False")
    return rows


def check_sim_rows(rows: object) -> None:
    """Raise `ValueError` for a wrong argument `rows` of `sim`."""
    if rows not in (None, "games", "decisions"):
        raise ValueError(f'`rows` is {rows!r}: use "games", "decisions" or None')


def as_bots(bots: Bots) -> list[str | Policy]:
    """A list of bots."""
    if isinstance(bots, str):
        return list(bots.split(","))
    if callable(bots):
        return [bots]
    if not isinstance(bots, Iterable):
        raise TypeError(f"`bots` takes bots, each a name or a callable, not {bots!r}")
    return list(bots)


def as_whole(name: str, number: Any) -> int:
    """A whole number, also one of numpy. Raises `TypeError` for anything else."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"`{name}` takes a whole number, not {number!r}") from None


def check_unit(unit: object) -> None:
    """Raise `ValueError` or `TypeError` for a wrong number of pieces per task."""
    if unit is not None and as_whole("unit", unit) < 1:
        raise ValueError(f"`unit` is {unit}: use 1 or more pieces per task")


def check_range(name: str, number: float, low: float, high: float) -> None:
    """Raise `ValueError` for a number that is out of range, and `TypeError` for anything else."""
    try:
        is_within = low <= number <= high
    except TypeError:
        raise TypeError(f"`{name}` takes a number, not {number!r}") from None
    if not is_within:
        raise ValueError(f"`{name}` is {number}: use {low} to {high}")


def as_count(name: str, number: Any, low: int, high: int) -> int:
    """A whole number in a range. Raises `TypeError` or `ValueError` for anything else."""
    count = as_whole(name, number)
    check_range(name, count, low, high)
    return count


def sim_order(game: AnyGame, bots: Bots, games: int, seed: int, answers: Sequence[str], decisions: bool) -> Order:
    """The order of `sim`."""
    games = as_count("games", games, 1, 2**64 - 1)
    arguments = {"games": games, "seed": seed, "answers": as_names("answers", answers), "decisions": decisions}
    return Order("sim", as_game(game), as_bots(bots), arguments, unit="games")


def arena_order(
    game: AnyGame,
    bots: Bots,
    blocks: int,
    seed: int,
    until: tuple[float, float] | None,
    opening: int = 0,
) -> Order:
    """The order of `arena`."""
    blocks, opening = as_count("blocks", blocks, 2, 1_000_000_000), as_count("opening", opening, 0, 10_000)
    own = as_game(game)
    if until is not None:
        try:
            low, high = until
            is_right = 0 <= low < high <= 1
        except (TypeError, ValueError):
            is_right = False
        if not is_right:
            raise ValueError(f"`until` is {until!r}: use two shares from 0 to 1, the smaller one first")
        if own.utility.goal != "rank":
            raise ValueError(f"`until` compares win shares, but the goal of this game is `{own.utility.goal}`")
    return Order("arena", own, as_bots(bots), {"blocks": blocks, "seed": seed, "opening": opening, "until": until})


def compare_order(
    game: AnyGame, base: AnyGame | None, bots: Bots, blocks: int, seed: int, matters: float, until: bool
) -> Order:
    """The order of `compare`."""
    blocks = as_count("blocks", blocks, 2, 1_000_000_000)
    check_range("matters", matters, 0, 1)
    if matters == 0:
        raise ValueError(f"`matters` is {matters}: use a number above 0, at most 1")
    own = as_game(game)
    if base is None:
        if not own.source[1]:
            raise ValueError("nothing to compare: give a base, or load the game with mods")
        from ._ship import without_mods

        base = without_mods(own)
    arguments = {"blocks": blocks, "seed": seed, "matters": matters, "until": until}
    return Order("compare", own, as_bots(bots), arguments, base=as_game(base))


def effects_order(
    game: AnyGame, bots: Bots | None, blocks: int, seed: int, forks: int, items: Sequence[str], after: str | None
) -> Order:
    """The order of `effects`."""
    blocks, forks = as_count("blocks", blocks, 2, 1_000_000_000), as_count("forks", forks, 0, 2**32 - 1)
    own = as_game(game)
    arguments = {"blocks": blocks, "seed": seed, "forks": forks, "items": as_names("items", items), "after": after}
    return Order("effects", own, as_bots(default_bot(own) if bots is None else bots), arguments)


def perform(order: Order, rows: bool, threads: int, progress: Progress) -> Result:
    """Play an experiment in this process."""
    run = order.begin(rows=rows, threads=threads)
    with Bar(progress, run.stages[-1][1], order.unit) as bar:
        error = run.finish(bar)
    result = order.end(run, rows=rows, measured=True)
    if isinstance(error, KeyboardInterrupt):
        raise Stopped(result) from None
    if error is not None:
        raise error
    check_finished(result)
    return result


def check_finished(result: Result) -> None:
    """Raise `Error` if all games were aborted, and warn if some were."""
    if result.kind == "sim":
        games, reasons = result["games"], [one["reason"] for one in result["aborted"]]
        aborted = games - result["finished"]
    else:
        games, aborted = result.data.get("games", result.data.get("pairs")), result.data.get("aborted", 0)
        reasons = (result.data.get("first_aborted") or [])[:1]
    if not aborted:
        return
    message = f"{aborted} of {games} games aborted" + (f": {reasons[0]}" if reasons else "")
    if aborted == games:
        raise Error(message)
    warnings.warn(message, stacklevel=4)


def sim(
    game: AnyGame,
    bots: Bots = "random",
    *,
    games: int = 1000,
    seed: int = 1,
    answers: Sequence[str] = (),
    rows: Literal["games", "decisions"] | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Play many games and summarise them, as `lode sim`.

    `bots` is one for all seats, or one for each seat. `answers` names prompts whose answers are counted. `rows` keeps
    one row per game or per decision. `threads=0` uses all cores.
    """
    check_sim_rows(rows)
    order = sim_order(game, bots, games, seed, answers, rows == "decisions")
    return perform(order, rows is not None, threads, progress)


def arena(
    game: AnyGame,
    bots: Bots,
    *,
    blocks: int = 100,
    seed: int = 1,
    opening: int = 0,
    until: tuple[float, float] | None = None,
    rows: bool = False,
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Rank bots by playing them against each other, as `lode arena`.

    `opening` is the number of random answers that begin each game, the same in all games of a block. `until=(h0, h1)`
    ends the run when a sequential test decides between two win shares of the first bot. `rows` keeps one row per game.
    """
    return perform(arena_order(game, bots, blocks, seed, until, opening), keeps_rows(rows), threads, progress)


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
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Measure what an edit or a mod changes, by playing both versions with the same seeds, as `lode compare`.

    `base` is by default the game without its mods. `matters` is the smallest relevant difference: of a win share, or
    of a score in standard deviations. `until=True` ends the run when a sequential test has decided.
    """
    return perform(compare_order(game, base, bots, blocks, seed, matters, until), keeps_rows(rows), threads, progress)


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
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Measure the value of cards, actions and roles, as `lode effects`.

    `bots` is by default the learned value of the game, or else `search:200`. `forks` is the approximate number of forks
    per item, each played with the item and with the best other choice; 0 for none. `items` names choices, such as
    `forum` or `action=pass`, to measure only their items. The bot `after` plays all seats after a fork.
    """
    return perform(effects_order(game, bots, blocks, seed, forks, items, after), keeps_rows(rows), threads, progress)


def exploit(
    game: AnyGame,
    against: str | Policy = "rollout:4",
    *,
    base: str | Policy = "random",
    screen: str | Policy = "random",
    steps: int = 3,
    tried: int = 128,
    finalists: int = 12,
    blocks: int = 40,
    opening: int | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
) -> Result:
    """Search simple plans ("always prefer this, then that") that beat a bot or a policy, as `lode exploit`.

    `base` decides where a plan does not. Hundreds of plans play against `screen` first, with `screen` as their base.
    `steps` is the maximum length of a plan, 1 to 8; `tried` the maximum number of plans of each length, 1 to 10,000. The
    best `finalists` plans, at most 100, play `blocks` blocks against the bot. `result["plans"]` has them, the best first;
    `beats` is true of a plan that wins more than its share, with at most 5 % false ones.

    `opening` is the number of random answers that begin each game. By default, there is one for each player if games of
    the bot against itself repeat each other, else none; `result["opening"]` has the number.
    """
    for name, number, most in (("steps", steps, 8), ("tried", tried, 10_000), ("finalists", finalists, 100)):
        as_count(name, number, 1, most)
    as_count("blocks", blocks, 2, 1_000_000_000)
    if opening is not None:
        as_count("opening", opening, 0, 10_000)
    numbers = {"steps": steps, "tried": tried, "finalists": finalists, "blocks": blocks, "seed": seed}
    # The number of blocks of each stage is known only when the stage begins.
    with Bar(progress, 0, "blocks") as bar:
        bots = [against, base, screen]
        text, error = search_plans(as_game(game), bots, **numbers, opening=opening, threads=threads, progress=bar)
    result = Result("exploit", text, None)
    if isinstance(error, KeyboardInterrupt):
        raise Stopped(result) from None
    if error is not None:
        raise error
    return result
