"""The shipped games in the registry of Gymnasium."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from ._motherlode import games, load
from .single import gymnasium as single
from .single import gymnasium_vector

if TYPE_CHECKING:
    from ._gymnasium import Single
    from ._gymnasium_vector import Many

VERSION = 0
"""The version in the ids of the environments. It grows when the same actions lead to other observations or rewards."""


def make(
    game: str,
    *,
    players: int | None = None,
    options: Mapping[str, bool | int | str] | None = None,
    mods: Sequence[str | PathLike[str]] = (),
    **arguments: Any,
) -> "Single":
    """The environment of an id: the arguments are those of `motherlode.load` and `motherlode.gymnasium`."""
    return single(load(game, players=players, options=options, mods=mods), **arguments)


def make_vector(
    game: str,
    num_envs: int,
    *,
    players: int | None = None,
    options: Mapping[str, bool | int | str] | None = None,
    mods: Sequence[str | PathLike[str]] = (),
    **arguments: Any,
) -> "Many":
    """The vector environment of an id: the arguments are those of `motherlode.load` and `motherlode.gymnasium_vector`."""
    return gymnasium_vector(load(game, players=players, options=options, mods=mods), num_envs, **arguments)


def register() -> None:
    """Register every game of the package with Gymnasium: `gymnasium.make("motherlode/photon-v0")` then works.

    | function of Gymnasium | arguments beside its own |
    | --- | --- |
    | `make` | `players`, `options` and `mods` of `load`; `opponents`, `seat`, `illegal` and `render_mode` of `gymnasium` |
    | `make_vec` | `players`, `options` and `mods` of `load`; `opponents` and `threads` of `gymnasium_vector` |

    `make_vec` makes a `gymnasium_vector`, or with `vectorization_mode="sync"` several environments of `gymnasium`.
    Importing `motherlode.envs` registers the games as well, so `gymnasium.make("motherlode.envs:motherlode/photon-v0")`
    needs nothing else. Registered games stay as they are. Raises `ImportError` without Gymnasium.
    """
    try:
        import gymnasium
    except ImportError as error:
        raise ImportError("Gymnasium is missing: pip install 'motherlode[gymnasium]'") from error
    for game in games():
        name = f"motherlode/{game}-v{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="motherlode._register:make",
                vector_entry_point="motherlode._register:make_vector",
                kwargs={"game": game},
            )
