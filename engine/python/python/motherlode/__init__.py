"""Card and board games for Python programs.

>>> import motherlode as ml
>>> game = ml.load("photon")
>>> state = game.new_state(seed=7)
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
1.0

`Game` has the actions and observations that are fixed before play, `State` is one match in OpenSpiel's words, and
`Game.vector` plays many matches at once into numpy arrays. `sim`, `arena`, `compare` and `effects` are experiments
with bots, `train` learns a value by self-play, and `ray` runs them all on a cluster.
"""

from . import ray
from ._motherlode import (
    ActionError,
    ContentError,
    Error,
    Game,
    Part,
    ScriptError,
    State,
    Utility,
    Vector,
    episode_seed,
    games,
    load,
)
from .lab import Result, Stopped, arena, compare, effects, sim
from .training import Training, TrainingStopped, train

__all__ = [
    "ActionError",
    "ContentError",
    "Error",
    "Game",
    "Part",
    "Result",
    "ScriptError",
    "State",
    "Stopped",
    "TERMINAL",
    "Training",
    "TrainingStopped",
    "Utility",
    "Vector",
    "arena",
    "compare",
    "effects",
    "episode_seed",
    "games",
    "load",
    "ray",
    "sim",
    "train",
]

TERMINAL = -4
"""The number of `State.current_player` when the match is over, as in OpenSpiel."""
