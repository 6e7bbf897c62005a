"""Spaces of Gymnasium."""

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
