"""Matches as text for people: the question with its choices, and the result."""

from collections.abc import Callable, Iterator, Mapping

from ._motherlode import State


def state_text(state: State) -> str:
    """What happens now: the question to the deciding player and its legal actions; at the end the scores."""
    outcome = state.outcome()
    if outcome is not None:
        lines = [f"the match is over: {outcome['reason']}"]
        unit = outcome.get("unit", 0) or 1
        for player, (score, rank) in enumerate(zip(outcome["scores"], outcome["ranks"], strict=True)):
            lines.append(f"player {player}: score {score / unit:g}, rank {rank}")
        return "\n".join(lines)
    if state.is_chance_node():
        outcomes = (f"  {one}  {state.chance_outcome_name(one)} ({share:.3g})" for one, share in state.chance_outcomes())
        return "\n".join(["chance", *outcomes])
    player = state.current_player()
    lines = [f"player {player}: {state.question()}"]
    lines += [f"  {action}  {state.action_to_string(action)}: {text}" for action, text in state.legal_texts().items()]
    return "\n".join(lines)


class Choices(Mapping[int, str]):
    """The texts of the legal actions of a player, by action. They are looked up when they are needed."""

    def __init__(self, state: State, player: int) -> None:
        # Later actions do not change a copy.
        self._state, self._player = state.clone(), player
        self._texts: dict[int, str] | None = None

    def _all(self) -> dict[int, str]:
        if self._texts is None:
            self._texts = self._state.legal_texts(self._player)
        return self._texts

    def __getitem__(self, action: int) -> str:
        return self._all()[int(action)]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __reduce__(self) -> tuple[Callable[..., dict[int, str]], tuple[dict[int, str]]]:
        return dict, (self._all(),)

    def __repr__(self) -> str:
        return repr(self._all())
