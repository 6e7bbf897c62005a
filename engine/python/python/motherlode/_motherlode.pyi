from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import PurePath
from typing import Any, Literal, SupportsIndex, final

import numpy as np
from numpy.typing import NDArray

__version__: str
"""The version of the package."""

_STUB: str
"""This file, as it was when the compiled part was built."""

class Error(Exception):
    """An error of the engine."""

class ContentError(Error):
    """A game or a mod with faults: the message lists all of them."""

class ScriptError(Error):
    """A script of the game failed; the state is unchanged."""

class ActionError(ValueError):
    """An action that is not legal; nothing has changed."""

def games() -> list[str]:
    """The ids of the games inside the package, sorted."""

def episode_seed(seed: SupportsIndex, environment: SupportsIndex, number: SupportsIndex = 0) -> int:
    """The seed of a match of a vector: match `number` of environment `environment`, both from 0."""

def load(
    game: str | PathLike[str],
    *,
    players: SupportsIndex | None = None,
    options: Mapping[str, bool | int | str] | None = None,
    mods: Sequence[str | PathLike[str]] = ...,
    machine_code: bool = True,
) -> Game:
    """Load a game: a shipped one by its id, or the folder `content/<id>` of a project, or a project with one game.

    `players` and `options` are those of every match, by default those of the game. `mods` are folders with mod.toml,
    or zip files of them, in load order. Without `machine_code`, scripts are interpreted: slower, with the same results.

    Raises `ContentError` with all faults of the content, `FileNotFoundError` for an unknown game or mod, and
    `ValueError` for a number of players or an option that the game does not accept, or for a game with a prompt that
    accepts any number.
    """

@final
class Part:
    """A part of an observation: `observation[part.offset:part.offset + part.size].reshape(part.shape)`."""

    @property
    def name(self) -> str:
        """Its name, after the content: `counter:gold`, `zone:hand`."""
    @property
    def shape(self) -> list[int]:
        """Its shape. A first dimension of seats begins with the observing seat."""
    @property
    def low(self) -> float:
        """The smallest number; negative infinity where the game declares no bound."""
    @property
    def high(self) -> float:
        """The largest number; infinite where the game declares no bound, as of `values` and of unbounded counters."""
    @property
    def offset(self) -> int:
        """Index of its first number in the observation."""
    @property
    def size(self) -> int:
        """Number of numbers."""
    @property
    def columns(self) -> list[str]:
        """Names of the columns, the last dimension; empty if they have none: cards, phases, prompts, named values."""

@final
class Utility:
    """The utility of every seat at the end of a match, in points."""

    @property
    def goal(self) -> Literal["rank", "score", "margin"]:
        """`rank` is the share of the first place."""
    @property
    def min(self) -> float:
        """The smallest utility."""
    @property
    def max(self) -> float:
        """The largest utility."""
    @property
    def sum(self) -> Literal["zero_sum", "constant_sum", "identical", "general_sum"]:
        """The utilities of all seats: their sum is 0 or 1, they are equal, or neither."""
    @property
    def is_zero_sum(self) -> bool:
        """Whether the utilities of all seats add up to 0."""

@final
class Game:
    """A game with a number of players and options. It never changes and may be used in several threads.

    It keeps the files that it was loaded from: pickle sends these, whatever has happened to the folder since then.
    """

    @property
    def id(self) -> str:
        """Its id, such as `photon`."""
    @property
    def name(self) -> str:
        """Its displayed name."""
    @property
    def fingerprint(self) -> str:
        """Hash of everything that can change a match."""
    @property
    def source(self) -> tuple[PurePath, list[PurePath]]:
        """Where it comes from: the first argument of `load`, and the mods."""
    @property
    def num_players(self) -> int:
        """Number of players of every match."""
    @property
    def options(self) -> dict[str, bool | int | str]:
        """The options of every match."""
    @property
    def num_actions(self) -> int:
        """Number of actions. They are numbered from 0, for all matches of the game."""
    def action_name(self, action: SupportsIndex) -> str:
        """The name of an action, such as `token:cards.s4@hand`."""
    def action(self, name: str) -> int:
        """The number of the action with this name. Raises `KeyError` for an unknown one."""
    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of an observation."""
    @property
    def observation_parts(self) -> list[Part]:
        """The parts of an observation, in order."""
    @property
    def network_metadata(self) -> dict[str, str]:
        """The game, its actions and observed numbers, players and options as metadata for an ONNX file: a network with them
        plays nothing else.

        `onnx.helper.set_model_props(model, game.network_metadata)` writes them.
        """
    @property
    def max_length(self) -> int:
        """Maximum decisions of a match; environments cut longer ones off.

        A script may ask any number of questions, so this is an estimate: four times the longest of 64 random matches.
        With declared rounds, it is four times the most decisions a round, for all rounds. At most 100,000.
        """
    @property
    def utility(self) -> Utility:
        """The utility of every seat."""
    @property
    def has_simultaneous_phases(self) -> bool:
        """Whether players decide at the same time in some declared phase."""
    @property
    def is_public(self) -> bool:
        """Whether every player sees everything, and nobody decides at the same time as others: perfect information."""
    @property
    def has_chance(self) -> bool:
        """Whether a match may have random results: the game shuffles, or a script calls `random` or the like."""
    @property
    def best_bot(self) -> str:
        """The best known bot: the one in `balance.toml`, else `learned` if the game has a learned value, else a search.

        Raises `ContentError` with the faults of that file.
        """
    @property
    def plans(self) -> dict[str, str]:
        """The plans in `balance.toml`, as bots by name; `plan:NAME` is a bot, too."""
    @property
    def max_chance_outcomes(self) -> int:
        """Outcomes of chance are below this number."""
    def new_state(self, seed: SupportsIndex = 0, *, chance: Literal["seed", "explicit"] = "seed") -> State:
        """A new match, at its first decision. The seed decides all its random events.

        With `chance="explicit"`, the program chooses their results: whenever one is needed, `State.is_chance_node` is
        true, and `State.chance_outcomes` has the outcomes with their probabilities.
        """
    def _files(self) -> tuple[dict[str, bytes], list[dict[str, bytes]]]:
        """The files of the game, and those of each mod, as they were loaded; none for a game of the package."""
    def deserialize(self, text: str) -> State:
        """The state that `State.serialize` wrote.

        Raises `ValueError` if it is damaged, or of another game, setup or version.
        """
    def vector(
        self,
        num_envs: SupportsIndex,
        *,
        seed: SupportsIndex = 0,
        opponents: str | Sequence[str] | None = ...,
        threads: SupportsIndex = 1,
        final_observation: bool = False,
    ) -> Vector:
        """Many matches at once.

        `opponents` names bots for all seats but one, as `--bots` of `lode sim`: one for all of them, or a list with one
        for each, in the order after the played seat. The played seat changes with every match. Without opponents, the
        program plays all seats. Results do not depend on `threads`.

        A match that ends before the first decision of the program is skipped, and its result appears nowhere. So mean
        rewards may differ from the shares of `arena`, which counts every match.

        `final_observation` keeps the last observation of each match in `Vector.final_observation`.
        """
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Game: ...

@final
class State:
    """One match at a decision, or at its end.

    A state may be copied and pickled, and used in any thread by one caller at a time: `RuntimeError` tells of two.
    A copy and an action cost the same however long the match is. A resampled state cannot be pickled, because the actions
    in it would tell hidden facts.
    """

    @property
    def game(self) -> Game:
        """The game."""

    def current_player(self) -> int:
        """The deciding player from 0; `CHANCE` if a random result is to be chosen; `TERMINAL` if the match is over.

        Players who decide at the same time do so one after the other, without seeing each other's answers.
        """
    def pending_players(self) -> list[int]:
        """All players who may decide now: several if they decide at the same time.

        A resampled state may have others: its player does not know who else has answered already.
        """
    def is_terminal(self) -> bool:
        """Whether the match is over."""
    def is_chance_node(self) -> bool:
        """Whether a random result is to be chosen: only with `chance="explicit"`."""
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the open draw, each with its probability; empty unless `is_chance_node`.

        An outcome is the number drawn, from 1, or the dealt token, from 1. A shuffle is one draw for each place, from
        the top down. Raises `Error` for a draw of more numbers than `Game.max_chance_outcomes` allows.
        """
    def chance_outcome_name(self, outcome: SupportsIndex) -> str:
        """The name of an outcome of the open draw: `number:4`, or `token:king#3` with the number of the token."""
    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """The legal actions of a player in ascending order; empty unless the player may decide now.

        For a random result, and without `player`: the outcomes.
        """
    def legal_actions_mask(self, player: SupportsIndex | None = None) -> NDArray[np.bool_]:
        """For each action whether it is legal: booleans of shape `(num_actions,)`.

        All are false at a chance node: an outcome is no action of a player.
        """
    def action_to_string(self, action: SupportsIndex) -> str:
        """The name of an action, as `Game.action_name`; at a chance node the name of an outcome."""
    def legal_texts(self, player: SupportsIndex | None = None) -> dict[int, str]:
        """The legal actions of a player, each with its text for people; empty at a chance node.

        The outcomes of chance have names alone: see `chance_outcome_name`.
        """
    def outcome(self) -> dict[str, Any] | None:
        """The result once the match is over: `scores`, `ranks`, `reason`, `rounds`. None until then.

        With `unit`, a score of `unit` is one point.
        """
    def apply_action(self, action: SupportsIndex, player: SupportsIndex | None = None) -> None:
        """Answer the current decision, or that of another of the `pending_players`; or choose an outcome of chance.

        Raises `ActionError` for an action that is not legal or a player who does not decide now, and `ScriptError` if a
        script of the game fails; the state is then unchanged.
        """
    def returns(self) -> list[float]:
        """The utility of each player: 0 until the match is over."""
    def rewards(self) -> list[float]:
        """The utility that each player got with the last action. It is 0 until the match is over."""
    def question(self) -> str:
        """The question to the deciding player as text; empty if the match is over."""
    def observation(self, player: SupportsIndex | None = None) -> NDArray[np.float32]:
        """The observation of a player, by default of the deciding one: numbers of shape `Game.observation_shape`."""
    def observation_dict(self, player: SupportsIndex | None = None) -> dict[str, Any]:
        """The observation of a player by names, as in the messages of `lode stdio`: dictionaries and lists."""
    def events(self, player: SupportsIndex | None = None) -> list[dict[str, Any]]:
        """Everything that a player could know so far, in order: the history as a list of dictionaries."""
    def information_state_string(self, player: SupportsIndex | None = None) -> str:
        """The information state of a player as text: the history, and the question if the player is asked one.

        States that the player cannot tell apart have the same text. It is made anew by each call, in a time that grows
        with the history.
        """
    def history(self) -> list[int]:
        """The actions so far, in order.

        Raises `ValueError` for a resampled state: the actions would tell hidden cards.
        """
    @property
    def resampled_for(self) -> int | None:
        """The player for whom the state is resampled; `None`: the state is not resampled."""
    def resample_from_infostate(self, player: SupportsIndex, seed: SupportsIndex = 0) -> State:
        """A random state that the player cannot tell apart from this one.

        It may have other `pending_players`, and so another `current_player`, if players decide at the same time.

        Raises `ScriptError` if none of 1,024 deals fits what the player has seen since a script began to run: a script
        that has shown one of hundreds of hidden cards or numbers, and then asks. The state is unchanged; another `seed`
        may find a deal.

        Such a state and its copies tell only facts of the player: `history`, `serialize`, and `events` of others raise
        `ValueError`. A state that is resampled for one player and then for another has no `events` at all.
        """
    def clone(self) -> State:
        """An independent copy."""
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> State: ...
    def serialize(self) -> str:
        """The state as text, for `Game.deserialize`: setup, seed and actions.

        Raises `ValueError` for a resampled state.
        """
    def hash(self) -> int:
        """Hash of the whole position, also of its hidden facts, of its future random results, and of what has been chosen
        in a step that chance has not ended.

        So two states that look the same to all players, but were dealt by other seeds, have other hashes.
        """

@final
class Bot:
    """A bot of the engine: `bot(state)` is the action that it takes. It knows only what the deciding player knows.

    `spec` names it as in `--bots` of `lode sim`, such as `search:64`. With the same seed it takes the same action in the
    same state. Raises `ValueError` if the spec names no bot.
    """

    def __new__(cls, game: Game, spec: str, seed: SupportsIndex = 0) -> Bot: ...
    @property
    def spec(self) -> str:
        """The spec."""
    def __call__(self, state: State) -> int:
        """The action for the current decision of a state of the same game. Ctrl-C ends a long search.

        Raises `ValueError` for another game, and for players or options that the bot's network was not trained for.
        """

@final
class Vector:
    """Many matches of one game. Each finished match is followed by the next one.

    All arrays belong to the environment: `reset` and `step` write into them and return the same arrays. Copy those that
    must survive the next call. Observation and mask are read-only, because a step writes only what has changed.

    `torch.from_numpy` warns of arrays that are read-only: use `torch.tensor`, which copies them.

    `reward` is of the match that has ended, `seat` of the next one. With `opponents`, the played seat changes with the
    match, so the reward of the program is that of `seat` before the step: `reward[i, old_seat[i]]`.

    A vector can be pickled with its matches, `copy.deepcopy` included. It is used by one thread at a time: `RuntimeError`
    tells of two.

    | array | shape | contents |
    | --- | --- | --- |
    | observation | `(num_envs, observation_shape[0])`, float32 | of the deciding seats |
    | reward | `(num_envs, num_players)`, float32 | the utility of each seat if its match has just ended, otherwise 0 |
    | done | `(num_envs,)`, bool | whether a match has just ended |
    | mask | `(num_envs, num_actions)`, bool | the legal actions of the deciding seats |
    | seat | `(num_envs,)`, int32 | the deciding seats, from 0 |

    A vector with `opponents` or several threads has threads of its own. After `os.fork`, the child must make a new one:
    calls of the old one raise `RuntimeError` there.
    """

    @property
    def num_envs(self) -> int:
        """Number of environments."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """For each environment whether its last match reached `Game.max_length` decisions in the last step.

        `done` is then true as well, and the match has no outcome. Booleans of shape `(num_envs,)`, written in place.
        """
    @property
    def final_observation(self) -> NDArray[np.float32]:
        """The last observation of the last match of each environment, of the seat that answered last for the program.

        Float32 of shape `(num_envs, observation_shape[0])`, written in place where `done` is true: after a truncation,
        a program needs it to estimate the rest of the match. Raises `ValueError` unless the vector was made with
        `final_observation=True`.
        """
    def reset(
        self, seed: SupportsIndex | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int32]]:
        """Begin the first match of every environment; `seed` replaces the seed of the environment.

        Returns observation, mask and seat.
        """
    def step(
        self, actions: NDArray[np.integer[Any]] | Sequence[int]
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.int32],
    ]:
        """Answer the decision of every environment: `actions` has one integer for each.

        Returns observation, reward, done, mask and seat. Raises `ActionError` if some action is not legal; no
        environment has then changed. Raises `ScriptError` if a script of the game fails; the other environments have
        then advanced. Ctrl-C ends a step with slow opponents at once; call `reset` then.
        """
    def close(self) -> None:
        """Drop all matches and threads. Further calls raise `RuntimeError`; the arrays stay valid."""

def load_copy(
    game: str | PathLike[str],
    mods: Sequence[str | PathLike[str]],
    players: int,
    options: Mapping[str, bool | int | str],
    source: tuple[str | PathLike[str], Sequence[str | PathLike[str]]],
) -> Game:
    """Load a game from copies of its files; `source` is where these come from. For pickle."""

def default_bot(game: Game) -> str:
    """The bot that effects use by default: `Game.best_bot`."""

def exploit(
    game: Game,
    bots: Sequence[object],
    *,
    steps: int,
    tried: int,
    finalists: int,
    blocks: int,
    opening: int | None,
    seed: int,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> tuple[str, BaseException | None]:
    """Search simple plans that beat a bot. `bots` are the bot to beat, the base of the plans and the preselecting bot.

    Returns the report as JSON, and the exception that ended the search early.
    """

@final
class Run:
    """An experiment with the sum of its first pieces. `motherlode.lab` runs it here, `motherlode.ray` elsewhere."""

    @staticmethod
    def sim(
        game: Game,
        bots: Sequence[object],
        *,
        games: int,
        seed: int,
        answers: Sequence[str],
        rows: bool,
        decisions: bool,
        threads: int,
    ) -> Run:
        """Many games of one seating."""
    @staticmethod
    def arena(
        game: Game,
        bots: Sequence[object],
        *,
        blocks: int,
        seed: int,
        opening: int,
        until: tuple[float, float] | None,
        rows: bool,
        threads: int,
    ) -> Run:
        """Bots against each other."""
    @staticmethod
    def compare(
        game: Game,
        base: Game,
        bots: Sequence[object],
        *,
        blocks: int,
        seed: int,
        matters: float,
        until: bool,
        rows: bool,
        threads: int,
    ) -> Run:
        """Two versions of a game by the same bots."""
    @staticmethod
    def effects(
        game: Game,
        bots: Sequence[object],
        *,
        blocks: int,
        seed: int,
        forks: int,
        items: Sequence[str],
        after: str | None,
        rows: bool,
        threads: int,
    ) -> Run:
        """The value of cards, actions and roles."""
    @property
    def stages(self) -> list[tuple[int, int]]:
        """First and end of the numbers of the pieces of each stage. A stage needs all earlier pieces."""
    @property
    def next(self) -> int:
        """The number of the next piece."""
    @property
    def has_ended(self) -> bool:
        """Whether a sequential test has a verdict, so that no further piece is needed."""
    def finish(self, progress: Callable[[int], object] | None = None) -> BaseException | None:
        """Play all missing pieces. Calls `progress` with the number of pieces so far.

        Returns the exception that ended the run early, such as `KeyboardInterrupt`; the pieces until then count.
        """
    def play(self, first: int, end: int) -> list[str]:
        """Play pieces of the stage that begins at `next`, as JSON."""
    def add(self, pieces: Sequence[str]) -> None:
        """Add the next pieces. Stops without an error when a sequential test has its verdict."""
    def report(self, *, measured: bool) -> tuple[str, list[tuple[str, Any, NDArray[np.bool_] | None]]]:
        """The report as JSON and the rows by column; the run is over afterwards.

        `measured`: whether the speed of a simulation is part of the report.
        """

@final
class Trainer:
    """The training of a value. `motherlode.train` runs it here, `motherlode.ray` elsewhere."""

    def __new__(
        cls,
        game: Game,
        *,
        players: Sequence[int] | None,
        games: int,
        iterations: int,
        search_iterations: int,
        league: int,
        mixed: bool,
        lambda_: float | None,
        centred: bool,
        matches: int,
        apart: bool,
        never: Sequence[str],
        always: Sequence[str],
        seed: int,
        threads: int,
    ) -> Trainer: ...
    def total(self, old: str | None) -> int:
        """The number of games to play, with the blocks of the verdict."""
    def run(
        self,
        *,
        progress: Callable[[int], object] | None = None,
        players: object = None,
        old: str | None = None,
        keep_bad: bool = False,
    ) -> tuple[str, str, str | None, BaseException | None]:
        """Train and judge. `players` plays the games elsewhere; `old` is the text of the value to replace.

        Returns the report as JSON, the text of the value, a warning about aborted games, and the exception that ended
        the training early.
        """
    def play(self, batch: str, rivals: Sequence[str], first: int, end: int) -> list[str]:
        """Play games of a batch, whose league has these bots; returns the results as JSON."""
