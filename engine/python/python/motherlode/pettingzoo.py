"""Environments for PettingZoo: `pip install 'motherlode[pettingzoo]'`."""

from typing import TYPE_CHECKING, Literal

from .lab import AnyGame, as_game
from .single import check_render_mode

if TYPE_CHECKING:
    from ._pettingzoo import Parallel, Turns

RenderMode = Literal["ansi", "human"] | None
"""`render()` returns a text, prints it, or raises `ValueError`."""


def aec(game: AnyGame, *, render_mode: RenderMode = "ansi") -> "Turns":
    """An `AECEnv`: the players decide one after the other. `game` is a `Game`, or what `load` accepts.

    Agents are `player_0` and so on, by seat. Spaces are the same for all agents:

    | space | contents |
    | --- | --- |
    | action | `Discrete(num_actions)` |
    | observation | a dictionary: `observation`, float32 of shape `Game.observation_shape`; `action_mask`, int8 of shape |
    | | `(num_actions,)`, 1 for legal actions of the agent |

    The reward is the utility at the end of the match, in points, and otherwise 0. A match that reaches
    `Game.max_length` decisions is truncated. Players who decide at the same time do so one after the other, without
    seeing each other's answers. An illegal action raises `ActionError`, and nothing changes.

    `infos[agent]["choices"]` has the text of each legal action; only the deciding agent has this entry. `render()` returns
    the question with its choices, or at the end the scores.

    Raises `ImportError` without PettingZoo.
    """
    try:
        from ._pettingzoo import Turns
    except ImportError as error:
        raise _missing() from error
    check_render_mode(render_mode)
    return Turns(as_game(game), render_mode)


def parallel(game: AnyGame, *, render_mode: RenderMode = "ansi") -> "Parallel":
    """A `ParallelEnv`: in each step, all players that are asked answer one question at the same time.

    Agents and spaces are those of `aec`. The actions of agents with an empty `action_mask` are ignored: they wait, either
    because a turn of another player is on, or because they have no question left. `infos[agent]["choices"]` is there for
    all agents, and empty for those who wait.

    Raises `ImportError` without PettingZoo, and `ValueError` for a game without a simultaneous phase.
    """
    own = as_game(game)
    if not own.has_simultaneous_phases:
        raise ValueError(
            f"`{own.id}` has no phase in which players decide at the same time: use `motherlode.pettingzoo.aec`"
        )
    try:
        from ._pettingzoo import Parallel
    except ImportError as error:
        raise _missing() from error
    check_render_mode(render_mode)
    return Parallel(own, render_mode)


def _missing() -> ImportError:
    return ImportError("PettingZoo is missing: pip install 'motherlode[pettingzoo]'")
