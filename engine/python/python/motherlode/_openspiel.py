"""The classes behind `motherlode.openspiel`."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from . import CHANCE, TERMINAL, ActionError, Game, State

_UTILITIES = {
    "zero_sum": (pyspiel.GameType.Utility.ZERO_SUM, 0.0),
    "constant_sum": (pyspiel.GameType.Utility.CONSTANT_SUM, 1.0),
    "identical": (pyspiel.GameType.Utility.IDENTICAL, None),
    "general_sum": (pyspiel.GameType.Utility.GENERAL_SUM, None),
}

_registered: dict[str, tuple[Game, int]] = {}
"""The games by name, each with its `recall`."""


def register(game: Game, name: str, recall: int) -> str:
    """Register a game under a name."""
    if name in _registered:
        other, other_recall = _registered[name]
        if _key(other) != _key(game) or other_recall != recall:
            raise ValueError(f"OpenSpiel has another game named `{name}`: give a `name`")
        return name
    if name in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel has a game named `{name}`: give another `name`")
    kind = _game_type(game, name)
    start = game.new_state(chance="explicit")

    class Registered(_Game):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, name, kind, start, recall, params)

    pyspiel.register_game(kind, Registered)
    _registered[name] = (game, recall)
    return name


def _load(game: Game, name: str, recall: int) -> Any:
    """The game that pickle kept."""
    return pyspiel.load_game(register(game, name, recall))


def _key(game: Game) -> tuple[str, int, list[tuple[str, bool | int | str]]]:
    return game.fingerprint, game.num_players, sorted(game.options.items())


def _game_type(game: Game, name: str) -> Any:
    information, chance = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=name,
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.has_chance else chance.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if game.is_public else information.IMPERFECT_INFORMATION,
        utility=_UTILITIES[game.utility.sum][0],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.num_players,
        min_num_players=game.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


class _Game(pyspiel.Game):
    """A game of Motherlode in OpenSpiel."""

    def __init__(
        self, game: Game, name: str, kind: Any, start: State, recall: int, params: Mapping[str, Any] | None
    ) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=game.max_chance_outcomes if game.has_chance else 0,
            num_players=game.num_players,
            min_utility=game.utility.min,
            max_utility=game.utility.max,
            utility_sum=_UTILITIES[game.utility.sum][1],
            max_game_length=game.max_length,
        )
        super().__init__(kind, info, params or {})
        self.motherlode = game
        self._name = name
        self._start = start
        self._recall = recall

    def __reduce__(self) -> tuple[Callable[[Game, str, int], Any], tuple[Game, str, int]]:
        return _load, (self.motherlode, self._name, self._recall)

    def new_initial_state(self) -> "_State":
        """The beginning of a match."""
        return _State(self, Position(self._name, self._start.clone()))

    def max_chance_nodes_in_history(self) -> int:
        """A shuffle of all tokens before each decision; no known game comes near."""
        game = self.motherlode
        return game.max_length * game.max_chance_outcomes if game.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> "Observer":
        """An observer of what a player sees, or could know so far with `perfect_recall`."""
        if params:
            raise ValueError(f"observers take no parameters: {params}")
        if iig_obs_type is not None and (
            not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            raise ValueError("observers show what one player sees: public and its own private information")
        return Observer(self.motherlode, self._recall if iig_obs_type and iig_obs_type.perfect_recall else None)


class Position:
    """A state that can be copied and pickled."""

    __slots__ = ("name", "state")

    def __init__(self, name: str, state: State) -> None:
        self.name = name
        self.state = state

    def __deepcopy__(self, memo: object) -> "Position":
        return Position(self.name, self.state.clone())

    def __reduce__(self) -> tuple[Callable[[str, str], "Position"], tuple[str, str]]:
        return _restore, (self.name, self.state.serialize())


def _restore(name: str, text: str) -> Position:
    if name not in _registered:
        raise ValueError(f"no game is registered as `{name}` here: call `motherlode.openspiel.register` first")
    return Position(name, _registered[name][0].deserialize(text))


def _load_state(_: Any, text: str) -> Any:
    """The state that pickle kept, whose game is registered by now."""
    return pyspiel.deserialize_game_and_state(text)[1]


class _State(pyspiel.State):
    """A state of Motherlode in OpenSpiel."""

    def __init__(self, game: _Game, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def __reduce__(self) -> tuple[Callable[[Any, str], Any], tuple[Any, str]]:
        game = self.get_game()
        return _load_state, (game, pyspiel.serialize_game_and_state(game, self))

    def current_player(self) -> int:
        """The deciding player, chance or `TERMINAL`."""
        player = self.position.state.current_player()
        special = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
        return special.get(player, player)  # type: ignore[no-any-return, unused-ignore]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.state.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the open draw with their probabilities."""
        return self.position.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.position.state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return self.get_game().motherlode.action_name(action)  # type: ignore[no-any-return, unused-ignore]
        try:
            return self.position.state.chance_outcome_name(action)
        except ActionError:
            return f"outcome:{action}"

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.position.state.is_terminal()

    def returns(self) -> list[float]:
        """The utility of each player: 0 until the match is over."""
        return self.position.state.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "_State":
        """A random state that the player cannot tell apart from this one.

        It has no history, and the information states of other players are their observations.
        """
        seed = int(sampler() * 2**53)
        other = self.position.state.resample_from_infostate(player, seed)
        return _State(self.get_game(), Position(self.position.name, other))

    def __str__(self) -> str:
        state = self.position.state
        if not state.is_chance_node():
            return str(state)
        # The position at a chance node is that before the answer and its first draws. A resampled state has no history.
        before = state.history() if state.resampled_for is None else [one for one, _ in state.chance_outcomes()]
        return f"{before} {state}"


class Observer:
    """The observations of a player as tensors and strings; `recall` is None without perfect recall."""

    def __init__(self, game: Game, recall: int | None) -> None:
        self._game = game
        self._recall = recall
        self._keys = {game.action_name(action): action for action in range(game.num_actions)} if recall else {}
        size, width = game.observation_shape[0], game.num_players + game.num_actions + 1
        self.tensor: NDArray[np.float32] = np.zeros(size + (recall or 0) * width, np.float32)
        self._observation = self.tensor[:size]
        self._answers = self.tensor[size:].reshape(recall or 0, width)
        self.dict = {
            part.name: self.tensor[part.offset : part.offset + part.size].reshape(part.shape)
            for part in game.observation_parts
        }
        if recall:
            self.dict["answers"] = self._answers

    def set_from(self, state: _State, player: int) -> None:
        """Write what a player sees in a state into `tensor` and `dict`."""
        own = state.position.state
        self._observation[:] = own.observation(player)
        if not self._recall:
            return
        self._answers[:] = 0
        rows = iter(self._answers)
        players = self._game.num_players
        try:
            events = own.events(player)
        except ValueError:  # As in `string_from`.
            return
        for event in reversed(events):
            if event["type"] not in ("answer", "answered"):
                continue
            row = next(rows, None)
            if row is None:
                break
            row[(event["seat"] - player) % players] = 1
            row[players + self._keys.get(event.get("choice", ""), self._game.num_actions)] = 1

    def string_from(self, state: _State, player: int) -> str:
        """What a player sees in a state, as JSON."""
        own = state.position.state
        if self._recall is not None:
            try:
                return own.information_state_string(player)
            except ValueError:
                # The state is resampled for another player, and nobody knows what this one has seen before.
                pass
        return json.dumps(own.observation_dict(player), separators=(",", ":"))
