"""Card and board games for Python programs.

>>> import motherlode as ml
>>> game = ml.load("photon")
>>> state = game.new_state(seed=7)
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
1.0

`Game` has the actions and observations that are fixed before play, `State` is one match in OpenSpiel's words, and
`Game.vector` plays many matches at once into numpy arrays. `openspiel`, `pettingzoo`, `gymnasium` and `gymnasium_vector`
make games known to the programs of those packages, which are optional. `register` makes the shipped games known to
`gymnasium.make`. `sim`, `arena`, `compare`, `effects` and `exploit` are experiments with bots, `train` learns a value by
self-play, and `ray` runs them all on a cluster.
"""

from . import _fit

_fit.check()

from ._motherlode import (  # noqa: E402
    ActionError,
    Bot,
    ContentError,
    Error,
    Game,
    Part,
    ScriptError,
    State,
    Utility,
    Vector,
    __version__,
    episode_seed,
    games,
    load,
)
from .lab import Result, Stopped, arena, compare, effects, exploit, sim  # noqa: E402
from .training import Training, TrainingStopped, train  # noqa: E402

__all__ = [
    "ActionError",
    "Bot",
    "CHANCE",
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
    "__version__",
    "arena",
    "compare",
    "effects",
    "episode_seed",
    "exploit",
    "games",
    "gymnasium",
    "gymnasium_vector",
    "load",
    "openspiel",
    "pettingzoo",
    "ray",
    "register",
    "sim",
    "train",
]

TERMINAL = -4
"""The number of `State.current_player` when the match is over, as in OpenSpiel."""

CHANCE = -1
"""The number of `State.current_player` when a random result is to be chosen, as in OpenSpiel."""

from . import openspiel, pettingzoo, ray  # noqa: E402
from ._register import register  # noqa: E402
from .single import gymnasium, gymnasium_vector  # noqa: E402
