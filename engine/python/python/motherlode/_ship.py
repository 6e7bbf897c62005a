"""Games and bots on their way to another machine: files travel with their content."""

import hashlib
import re
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ._motherlode import ContentError, Game, load_copy
from .lab import Policy

FILE = re.compile(r"\b(learned|policy):([^+,]+)")
"""A file in the name of a bot."""


_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process; they are removed at its end."""


_SHELF = 8
"""Games that this process keeps after it has unpacked them."""

_unpacked: dict["ShippedGame", Game] = {}
"""The games unpacked last; the next one of them costs nothing."""


@dataclass(frozen=True)
class ShippedGame:
    """A game with everything that another process needs to load it: the files as they were when it was loaded."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    mods: tuple[tuple[tuple[str, bytes], ...], ...]
    players: int
    options: tuple[tuple[str, bool | int | str], ...]
    fingerprint: str
    source: tuple[str, tuple[str, ...]]

    def unpack(self) -> Game:
        """Load the game here. Raises `ValueError` if it is another one here, or if its files are damaged."""
        game = _unpacked.pop(self, None)
        if game is None:
            game = self._load()
        _unpacked[self] = game
        while len(_unpacked) > _SHELF:
            del _unpacked[next(iter(_unpacked))]
        return game

    def _load(self) -> Game:
        game = self.load()
        if game.fingerprint != self.fingerprint:
            raise ValueError(f"`{self.name}` differs here: install the same version of motherlode everywhere")
        return game

    def load(self) -> Game:
        """Load the files, whatever game it is."""
        with tempfile.TemporaryDirectory(prefix="motherlode-") as folder:
            root = Path(folder)
            _write(root / "game", self.files)
            mods = [root / f"mod{number}" for number in range(len(self.mods))]
            for path, files in zip(mods, self.mods, strict=True):
                _write(path, files)
            name: str | Path = root / "game" / "content" / self.name if self.files else self.name
            source = (self.source[0], list(self.source[1]))
            try:
                return load_copy(name, mods, self.players, dict(self.options), source)
            except (ContentError, OSError) as error:
                raise ValueError(f"the files of `{self.name}` are damaged: {error}") from error


def ship_game(game: Game) -> ShippedGame:
    """The files of a game and its mods, as they were when the game was loaded."""
    files, mods = game._files()
    source, of_mods = game.source
    return ShippedGame(
        game.id,
        tuple(files.items()),
        tuple(tuple(mod.items()) for mod in mods),
        game.num_players,
        tuple(sorted(game.options.items())),
        game.fingerprint,
        (str(source), tuple(str(mod) for mod in of_mods)),
    )


def without_mods(game: Game) -> Game:
    """The game without its mods, from the files that were loaded."""
    shipped = ship_game(game)
    return replace(shipped, mods=(), source=(shipped.source[0], ())).load()


def reduce_game(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    """How pickle keeps a game."""
    shipped = ship_game(game)
    return restore_game, tuple(getattr(shipped, field.name) for field in fields(shipped))


def restore_game(*values: Any) -> Game:
    """The game that pickle kept. Raises `ValueError` if the values are damaged."""
    if len(values) != len(fields(ShippedGame)):
        raise ValueError("not a game of this version of motherlode: load the game again")
    try:
        return ShippedGame(*values).unpack()
    except (AttributeError, TypeError) as error:
        raise ValueError(f"the pickled game is damaged: {error}") from error


@dataclass(frozen=True)
class ShippedBot:
    """The name of a bot with its files, or a policy."""

    bot: str | Policy
    files: dict[str, bytes]

    def unpack(self) -> str | Policy:
        """The bot, with files of this machine."""
        if not isinstance(self.bot, str):
            return self.bot
        folder = _folder() if self.files else Path()

        def here(match: re.Match[str]) -> str:
            content = self.files.get(match[2])
            if content is None:
                return match[0]
            path = folder / hashlib.sha256(content).hexdigest()[:16]
            path = path.with_suffix(Path(match[2]).suffix)
            path.write_bytes(content)
            return f"{match[1]}:{path}"

        return FILE.sub(here, self.bot)


def ship_bot(bot: str | Policy) -> ShippedBot:
    """Read the files that the name of a bot mentions."""
    names = [match[2] for match in FILE.finditer(bot)] if isinstance(bot, str) else []
    return ShippedBot(bot, {name: Path(name).read_bytes() for name in names if Path(name).is_file()})


def _write(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for name, content in files:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise ValueError(f"`{name}` leads out of its folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _folder() -> Path:
    _folders.append(tempfile.TemporaryDirectory(prefix="motherlode-"))
    return Path(_folders[-1].name)
