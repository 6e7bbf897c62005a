"""The classes behind `motherlode.pettingzoo`."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from . import ActionError, Game, State
from ._spaces import as_action, observation_box
from ._text import Choices, state_text

Observation = dict[str, Any]


class _Matches:
    """Successive matches of a game, with the spaces and observations of their agents."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.agents)}
        mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
        box = observation_box(game)
        self.observations = {
            agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.agents
        }
        self.actions = {agent: spaces.Discrete(game.num_actions) for agent in self.agents}
        self.rng = np.random.default_rng()
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """Begin a match; `seed` decides it and all later ones."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.state: State = self.game.new_state(seed=int(self.rng.integers(2**63)))
        self.decisions = 0

    def observe(self, agent: str) -> Observation:
        """The observation of an agent."""
        seat = self.seats[agent]
        mask = self.state.legal_actions_mask(seat).astype(np.int8)
        return {"observation": self.state.observation(seat), "action_mask": mask}

    def infos(self, agents: list[str], asked: list[str]) -> dict[str, dict[str, Any]]:
        """The infos of all agents: those who are asked get the texts of their choices."""
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for agent in asked:
            infos[agent]["choices"] = Choices(self.state, self.seats[agent])
        return infos

    def answer(self, agent: str, action: Any) -> None:
        """Answer for an agent."""
        self.state.apply_action(as_action(action), self.seats[agent])
        self.decisions += 1

    @property
    def is_cut(self) -> bool:
        """Whether the match has reached its maximum length."""
        return not self.state.is_terminal() and self.decisions >= self.game.max_length

    @property
    def current(self) -> str:
        """The agent that decides now."""
        return self.agents[self.state.current_player()]

    def rewards(self) -> dict[str, float]:
        """The utility of each agent, 0 until the end."""
        return dict(zip(self.agents, self.state.returns(), strict=True))

    def of_all(self, value: bool) -> dict[str, bool]:
        """A value for each agent."""
        return dict.fromkeys(self.agents, value)


class _Environment:
    """The agents of an environment, with their spaces."""

    def __init__(self, game: Game, render_mode: str | None, **metadata: Any) -> None:
        super().__init__()
        self.metadata = {"name": f"motherlode_{game.id}_v0", "render_modes": ["ansi", "human"], "render_fps": 1, **metadata}
        self.render_mode = render_mode
        self._matches = _Matches(game)
        self.possible_agents = list(self._matches.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        """The space of the observations of an agent."""
        return self._matches.observations[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        """The space of the actions of an agent."""
        return self._matches.actions[agent]

    def render(self) -> str | None:
        """The question to the agent that decides now, with its choices; at the end the scores.

        Of several agents, the first one. The text is returned with the mode `ansi`, and printed with `human`.
        """
        if self.render_mode is None:
            raise ValueError('the environment has no `render_mode`: make it with render_mode="ansi"')
        text = state_text(self._matches.state)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Do nothing: nothing is open."""


class Turns(_Environment, AECEnv):  # type: ignore[type-arg, misc, unused-ignore]
    """The environment of `motherlode.pettingzoo.aec`."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        super().__init__(game, render_mode, is_parallelizable=False)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a match; `seed` decides it and all later ones. `options` are unused."""
        matches = self._matches
        matches.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = matches.rewards()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = matches.of_all(matches.state.is_terminal())
        self.truncations = matches.of_all(False)
        self.agent_selection = self.agents[0] if matches.state.is_terminal() else matches.current
        self.infos = matches.infos(self.agents, [self.agent_selection])

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, whether it decides now or not."""
        return self._matches.observe(agent)

    def step(self, action: Any) -> None:
        """Answer for the selected agent; None if it is terminated or truncated."""
        if not self.agents:
            raise RuntimeError("the match is over or has not begun: call `reset`")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        matches = self._matches
        matches.answer(agent, action)
        self._cumulative_rewards[agent] = 0.0
        if matches.state.is_terminal() or matches.is_cut:
            self.rewards = matches.rewards()
            self.terminations = matches.of_all(matches.state.is_terminal())
            self.truncations = matches.of_all(matches.is_cut)
            self.agent_selection = self.agents[0]
        else:
            self._clear_rewards()
            self.agent_selection = matches.current
        self.infos = matches.infos(self.agents, [self.agent_selection])
        self._accumulate_rewards()


class Parallel(_Environment, ParallelEnv):  # type: ignore[type-arg, misc, unused-ignore]
    """The environment of `motherlode.pettingzoo.parallel`."""

    def reset(
        self, seed: int | None = None, options: Any = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match; `seed` decides it and all later ones. `options` are unused."""
        self._matches.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._matches.infos(self.agents, self.agents)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Answer for all agents that are asked. Raises `ActionError` for an illegal action; nothing has then changed."""
        if not self.agents:
            raise RuntimeError("the match is over or has not begun: call `reset`")
        matches = self._matches
        asked = [matches.agents[seat] for seat in matches.state.pending_players()]
        for agent in asked:
            if agent not in actions:
                raise ActionError(f"`{agent}` is asked, but has no action")
            if as_action(actions[agent], f"the action of `{agent}`") not in matches.state.legal_actions(matches.seats[agent]):
                raise ActionError(f"action {actions[agent]} of `{agent}` is not legal now: see its `action_mask`")
        before, decisions = matches.state.clone(), matches.decisions
        try:
            for agent in asked:
                matches.answer(agent, actions[agent])
        except Exception:
            matches.state, matches.decisions = before, decisions
            raise
        over, cut = matches.of_all(matches.state.is_terminal()), matches.of_all(matches.is_cut)
        told = self._observations()
        infos = matches.infos(self.agents, self.agents)
        if matches.state.is_terminal() or matches.is_cut:
            self.agents = []
        return told, matches.rewards(), over, cut, infos

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._matches.observe(agent) for agent in self.agents}
