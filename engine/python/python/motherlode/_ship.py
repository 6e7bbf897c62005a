"""Games and bots on their way to another machine: files travel with their content."""

import hashlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._motherlode import Game, games, load
from .lab import Policy

FILE = re.compile(r"\b(learned|policy):([^+,]+)")
"""A file in the name of a bot."""

Files = dict[str, bytes]
"""Files by relative path."""

_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process; they are removed at its end."""


@dataclass(frozen=True)
class ShippedGame:
    """A game with everything that another machine needs to load it."""

    name: str
    files: Files
    mods: list[Files | bytes]
    players: int
    options: dict[str, Any]
    fingerprint: str

    def unpack(self) -> Game:
        """Load the game here."""
        root = _folder()
        _write(root / "game", self.files)
        mods = []
        for number, mod in enumerate(self.mods):
            path = root / f"mod{number}"
            if isinstance(mod, bytes):
                path = path.with_suffix(".zip")
                path.write_bytes(mod)
            else:
                _write(path, mod)
            mods.append(path)
        name: str | Path = root / "game" / "content" / self.name if self.files else self.name
        game = load(name, players=self.players, options=self.options, mods=mods)
        if game.fingerprint != self.fingerprint:
            raise RuntimeError(f"`{self.name}` differs here: install the same version of motherlode on all machines")
        return game


def ship_game(game: Game) -> ShippedGame:
    """Read the files of a game and its mods."""
    source, mods = game.source
    files: Files = {}
    if str(source) not in games() and Path(source).is_dir():
        root = Path(source).resolve()
        if not (root / "content").is_dir():
            root = root.parent.parent
        for room in ("content", "scripts"):
            files |= _read(root / room / game.id, f"{room}/{game.id}/")
    shipped = [Path(mod).read_bytes() if Path(mod).is_file() else _read(Path(mod)) for mod in mods]
    return ShippedGame(game.id, files, shipped, game.num_players, game.options, game.fingerprint)


@dataclass(frozen=True)
class ShippedBot:
    """The name of a bot with its files, or a policy."""

    bot: str | Policy
    files: Files

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


def _read(folder: Path, prefix: str = "") -> Files:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {prefix + path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _folder() -> Path:
    _folders.append(tempfile.TemporaryDirectory(prefix="motherlode-"))
    return Path(_folders[-1].name)
