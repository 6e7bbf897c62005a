"""One player of a game against bots, for Gymnasium: `pip install 'motherlode[gymnasium]'`."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import State
from .lab import AnyGame, as_game, as_whole

if TYPE_CHECKING:
    from ._gymnasium import Single
    from ._gymnasium_vector import Many

Policy = str | Callable[[State], int]
"""The spec of a bot, such as `search:64`; or a function from a state to the action of its deciding player."""


def gymnasium(
    game: AnyGame,
    opponents: Policy | Sequence[Policy] = "random",
    *,
    seat: int | None = None,
    illegal: Literal["lose", "raise"] = "lose",
    render_mode: Literal["ansi", "human"] | None = None,
) -> "Single":
    """A `gymnasium.Env` in which the program plays one seat, and others play the rest.

    `game` is a `Game`, or what `load` accepts. `opponents` is one policy for all of them, or a list with one for each,
    in the order after the played seat: the spec of a bot, or a function from a `State` to an action. A function gets a copy
    of the state. `seat` is the played seat; by default it changes at random.

    The action space is `Discrete(num_actions)`. The observation is float32 of shape `Game.observation_shape`.
    `info["action_mask"]`, int8 of shape `(num_actions,)`, is 1 for legal actions, and `info["seat"]` is the played seat.
    `info["choices"]` has the text of each legal action, by action. `action_masks()` returns the mask as booleans, as
    sb3-contrib expects. The reward is the utility of the played seat at the end of the match, in points, and otherwise 0. A
    match that reaches `Game.max_length` decisions is truncated; its last observation is of the played seat.

    An illegal action loses by default: the episode ends with the smallest utility, and `info["illegal"]` is set. With
    `illegal="raise"` it raises `ActionError`, and nothing changes.

    `render()` returns the question with its choices, or at the end the scores, with `render_mode="ansi"`; with "human",
    it prints them.

    A match that ends before the first decision of the played seat is skipped, and its result appears nowhere. So mean
    rewards may differ from the shares of `arena`, which counts every match. `reset` raises `RuntimeError` after 1,000 such
    matches in a row.

    Raises `ImportError` without Gymnasium, and `ValueError` for an unknown bot, seat or number of opponents.
    """
    try:
        from ._gymnasium import Single
    except ImportError as error:
        raise ImportError("Gymnasium is missing: pip install 'motherlode[gymnasium]'") from error
    seat = None if seat is None else as_whole("seat", seat)
    policies = _policies(opponents)
    own = as_game(game)
    others = own.num_players - 1
    if len(policies) == 1:
        policies *= others
    if len(policies) != others:
        raise ValueError(f"{len(policies)} opponents for {own.num_players} players: give one for all, or {others}")
    if seat is not None and not 0 <= seat < own.num_players:
        raise ValueError(f"there is no seat {seat}: use 0 to {others}")
    if illegal not in ("lose", "raise"):
        raise ValueError(f'`illegal` is "lose" or "raise", not "{illegal}"')
    check_render_mode(render_mode)
    return Single(own, policies, seat, illegal == "raise", render_mode)


def gymnasium_vector(
    game: AnyGame, num_envs: int, opponents: str | Sequence[str] = "random", *, threads: int = 1
) -> "Many":
    """A `gymnasium.vector.VectorEnv` over `Game.vector`: many matches at once, each with one seat for the program.

    `opponents` and `threads` are those of `Game.vector`: names of bots, not functions. The played seat changes with every
    match. Spaces, rewards and masks are those of `gymnasium`, with a row for each environment:
    `infos["action_mask"]` and `infos["seat"]` are of the next decision. As there, a match that ends before the first
    decision of the played seat is skipped.

    A match that ends is followed by the next one in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` has its
    last observations, and `infos["final_info"]["seat"]` its played seats, to which the rewards belong. An illegal action
    raises `ActionError`, and nothing changes. There are no other modes, no `reset_mask`, and no `seat`, `illegal`,
    `render_mode` and `choices` as in `gymnasium`.

    Raises `ImportError` without Gymnasium, and `ValueError` without opponents.
    """
    try:
        from ._gymnasium_vector import Many
    except ImportError as error:
        raise ImportError("Gymnasium is missing: pip install 'motherlode[gymnasium]'") from error
    if opponents is None:
        raise ValueError("`opponents` is None: name a bot, or use `Game.vector` to play all seats")
    return Many(as_game(game), num_envs, opponents, threads)


def _policies(opponents: object) -> list[Policy]:
    """A list of policies. Raises `TypeError` for anything else."""
    is_list = isinstance(opponents, Iterable) and not isinstance(opponents, str) and not callable(opponents)
    policies: list[Any] = list(opponents) if is_list else [opponents]  # type: ignore[call-overload]
    for policy in policies:
        if isinstance(policy, type):
            raise TypeError(f"`opponents` has the class {policy!r}: use an object of it")
        if not isinstance(policy, str) and not callable(policy):
            raise TypeError(f"`opponents` takes names of bots and functions of a state, not {policy!r}")
    return policies


def check_render_mode(mode: object) -> None:
    """Raise `ValueError` for an unknown mode."""
    if mode not in (None, "ansi", "human"):
        raise ValueError(f'`render_mode` is {mode!r}: use "ansi", "human" or None')
