"""Games for OpenSpiel: `pip install 'motherlode[openspiel]'`.

>>> import motherlode as ml
>>> name = ml.openspiel.register("photon")  # doctest: +SKIP
>>> game = pyspiel.load_game(name)  # doctest: +SKIP
"""

import re

from .lab import AnyGame, as_count, as_game

MOST_RECALL = 100_000
"""Maximum answers in a tensor, as many as `Game.max_length` can be."""


def register(game: AnyGame, *, name: str | None = None, recall: int = 8) -> str:
    """Register a game with OpenSpiel, and return the name for `pyspiel.load_game`.

    `game` is a `Game`, or what `load` accepts. A registered game can be pickled: another process registers it as well.
    The name is `motherlode_<id>` by default; games with other players or options need names of their own. All chance is
    explicit: a shuffle is a chance node for each place, and a number has its outcomes from 1. A game without
    `Game.has_chance` is deterministic. Players who decide at the same time do so one after the other, without seeing each
    other's answers. Utility, bounds and `max_length` are those of the game; a longer match is not cut off.

    | state | contents |
    | --- | --- |
    | observation tensor | one tensor for each of `Game.observation_parts`, float32, with its shape |
    | observation string | `State.observation_dict` as JSON |
    | information state string | `State.information_state_string`: everything that the player could know |
    | information state tensor | the observation; then the last `recall` answers that the player knows, latest first |

    Each of those answers is a row of `num_players + num_actions + 1` numbers: the seat, counted from the observing
    player; the action; and 1 if the player knows of the answer, but not the action. The tensor therefore has perfect
    recall only for as many answers; the string always has it.

    Raises `ImportError` without OpenSpiel, and `ValueError` if the name is taken by another game or if `recall` is not 0
    to 100,000.
    """
    try:
        from . import _openspiel
    except ImportError as error:
        raise ImportError("OpenSpiel is missing: pip install 'motherlode[openspiel]'") from error
    recall = as_count("recall", recall, 0, MOST_RECALL)
    own = as_game(game)
    name = f"motherlode_{own.id}" if name is None else name
    if not re.fullmatch(r"[\w.-]+", name):
        raise ValueError(f"`name` is {name!r}: use letters, digits, `_`, `-` and `.`, as OpenSpiel reads arguments in brackets")
    return _openspiel.register(own, name, recall)
