"""The class behind `motherlode.gymnasium`."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import ActionError, Bot, Game, State
from ._spaces import as_action, observation_box
from ._text import Choices, state_text

_MOST_SKIPPED = 1000
"""Maximum matches in a row in which the played seat decides nothing."""


class Single(gymnasium.Env[NDArray[np.float32], np.int64]):
    """The environment of `motherlode.gymnasium`."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        game: Game,
        opponents: Sequence[str | Callable[[State], int]],
        seat: int | None,
        raises: bool,
        render_mode: str | None,
    ) -> None:
        self.render_mode = render_mode
        self.observation_space = observation_box(game)
        self.action_space = gymnasium.spaces.Discrete(game.num_actions)
        self._game = game
        self._opponents = [Bot(game, one) if isinstance(one, str) else one for one in opponents]
        self._fixed_seat = seat
        self._raises = raises
        self._seat = seat or 0
        self._state: State | None = None
        self._decisions = 0
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a match; `seed` decides it and all later ones. `options` are unused.

        A match that ends before the first decision of the played seat is skipped.
        """
        super().reset(seed=seed)
        for _ in range(_MOST_SKIPPED):
            drawn = int(self.np_random.integers(self._game.num_players))
            self._seat = drawn if self._fixed_seat is None else self._fixed_seat
            state = self._state = self._game.new_state(seed=int(self.np_random.integers(2**63)))
            self._decisions = 0
            self._play_others(state)
            self._is_over = state.is_terminal()
            if state.current_player() == self._seat:
                return state.observation(self._seat), self._info(state)
        self._is_over = True
        raise RuntimeError(f"{_MOST_SKIPPED} matches in a row have ended before the first decision of the played seat")

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer the decision of the played seat, and let the others play until its next one."""
        state = self._state
        if state is None or self._is_over:
            raise RuntimeError("the match is over or has not begun: call `reset`")
        if state.current_player() != self._seat:
            raise RuntimeError("an opponent failed or was interrupted in the last step: call `reset`")
        try:
            state.apply_action(as_action(action))
        except ActionError:
            if self._raises:
                raise
            self._is_over = True
            info = {**self._info(state), "illegal": True}
            return state.observation(self._seat), self._game.utility.min, True, False, info
        self._decisions += 1
        self._play_others(state)
        over = state.is_terminal()
        cut = not over and self._decisions >= self._game.max_length
        self._is_over = over or cut
        return state.observation(self._seat), state.returns()[self._seat], over, cut, self._info(state)

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action whether it is legal: booleans of shape `(num_actions,)`."""
        if self._state is None:
            raise RuntimeError("the match has not begun: call `reset`")
        return self._state.legal_actions_mask(self._seat)

    def render(self) -> str | None:  # type: ignore[override, unused-ignore]
        """The question with its choices, or the scores; as text with the mode `ansi`, printed with `human`."""
        if self.render_mode is None:
            raise ValueError('the environment has no `render_mode`: make it with render_mode="ansi"')
        text = "the match has not begun" if self._state is None else state_text(self._state)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _play_others(self, state: State) -> None:
        while not state.is_terminal() and self._decisions < self._game.max_length:
            player = state.current_player()
            if player == self._seat:
                break
            number = (player - self._seat) % self._game.num_players - 1
            opponent = self._opponents[number]
            # A function gets a copy, so that it may try actions.
            choice = opponent(state) if isinstance(opponent, Bot) else opponent(state.clone())
            try:
                state.apply_action(as_action(choice, "the action of an opponent"))
            except ActionError as error:
                raise ValueError(f"opponent {number + 1}, player {player}: {error}") from error
            self._decisions += 1

    def _info(self, state: State) -> dict[str, Any]:
        return {
            "action_mask": state.legal_actions_mask(self._seat).astype(np.int8),
            "seat": self._seat,
            "choices": Choices(state, self._seat),
        }
