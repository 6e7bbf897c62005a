"""Spaces of Gymnasium."""

import operator
from typing import Any

import numpy as np
from gymnasium import spaces

from . import Game


def observation_box(game: Game) -> "spaces.Box[Any]":
    """The space of the observations, float32 of shape `Game.observation_shape`."""
    low, high = (np.empty(game.observation_shape, np.float32) for _ in range(2))
    for part in game.observation_parts:
        at = slice(part.offset, part.offset + part.size)
        low[at], high[at] = part.low, part.high
    return spaces.Box(low, high, dtype=np.float32)


def as_action(action: Any, whose: str = "`action`") -> int:
    """An action as an integer. Raises `TypeError` for other values, such as 1.5."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"{whose} must be an integer, not {action!r}") from None
