"""The class behind `motherlode.gymnasium_vector`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import Game
from ._spaces import observation_box


class Many(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """The environment of `motherlode.gymnasium_vector`."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: Game, num_envs: int, opponents: str | Sequence[str], threads: int) -> None:
        self._vector = game.vector(num_envs, opponents=opponents, threads=threads, final_observation=True)
        self.num_envs = self._vector.num_envs
        self.single_observation_space = observation_box(game)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seat: NDArray[np.int32] = np.zeros(self.num_envs, np.int32)
        self._mask: NDArray[np.bool_] = np.zeros((self.num_envs, game.num_actions), np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all matches; `seed` decides them and all later ones. `options` are unused."""
        super().reset(seed=seed)
        observation, self._mask, seat = self._vector.reset(int(self.np_random.integers(2**63)))
        self._seat = seat.copy()
        return observation.copy(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Answer the decision of every environment."""
        observation, reward, done, self._mask, seat = self._vector.step(actions)
        own = reward[np.arange(self.num_envs), self._seat].astype(np.float64)
        truncated = self._vector.truncated.copy()
        before, self._seat = self._seat, seat.copy()
        infos = self._infos()
        if done.any():
            last = np.full(self.num_envs, None, dtype=object)
            for number in np.flatnonzero(done):
                last[number] = self._vector.final_observation[number].copy()
            ended = done.copy()
            infos |= {"final_obs": last, "_final_obs": ended, "_final_info": ended}
            infos["final_info"] = {"seat": np.where(ended, before, 0), "_seat": ended}
        return observation.copy(), own, done & ~truncated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """For each environment and action whether it is legal: booleans of shape `(num_envs, num_actions)`."""
        return self._mask.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """Drop all matches."""
        self._vector.close()

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        mask = self._mask.astype(np.int8)
        return {"action_mask": mask, "_action_mask": every, "seat": self._seat.copy(), "_seat": every.copy()}
