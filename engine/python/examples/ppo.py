"""PPO with self-play: train a network for any game, and export it as a bot.

    pip install ./engine/python torch onnx
    python engine/python/examples/ppo.py photon --players 2 --minutes 30 --out photon.onnx
    lode arena photon --players 2 --bots policy:photon.onnx,learned

One network plays all seats. It sees the observation of the deciding seat and gives one logit for each action; illegal
actions are masked. The only reward is the utility at the end of a match.
"""

import argparse
import time
import warnings
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import motherlode as ml


Decisions = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int32]]
"""Observation, mask and seat of every match, as `ml.Vector.reset` returns them."""


@dataclass
class Settings:
    """The numbers of PPO. All are usual ones."""

    envs: int = 256
    """Matches at once."""
    steps: int = 128
    """Decisions of each match between two updates."""
    epochs: int = 3
    """Times that an update uses each decision."""
    minibatch: int = 4096
    """Decisions of one gradient step."""
    rate: float = 1e-3
    """Learning rate at the beginning. It falls to 0 in a straight line."""
    gae: float = 0.95
    """Lambda of the advantages: 1 trusts the results of matches, 0 the values of positions."""
    discount: float = 0.995
    """Share of a result that each decision before it gets. Without a discount, two players may learn to play forever."""
    clip: float = 0.2
    """Maximum change of a probability in one update, as a share."""
    entropy: float = 0.02
    """Weight of the entropy bonus at the beginning. It falls to a tenth in a straight line."""
    width: int = 128
    """Neurons of each hidden layer."""


class Network(nn.Module):
    """Two hidden layers; the outputs are a logit for each action, and the value of the position for the observer."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, observation: int, actions: int, width: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(observation))
        self.register_buffer("deviation", torch.ones(observation))
        self.body = nn.Sequential(nn.Linear(observation, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        for layer in (self.policy, self.value):
            # At first, all actions are about equally probable.
            nn.init.orthogonal_(layer.weight, 0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of shape (n, actions) and values of shape (n,), from observations of shape (n, numbers)."""
        hidden = self.body(((observation - self.mean) / self.deviation).clamp(-10.0, 10.0))
        return self.policy(hidden), self.value(hidden).squeeze(-1)

    @torch.no_grad()
    def scale(self, observation: Tensor, share: float) -> None:
        """Move the mean and the deviation of the inputs by this share towards those of some observations."""
        self.mean.lerp_(observation.mean(0), share)
        self.deviation.lerp_(observation.std(0).clamp(min=0.1), share)


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Logarithms of the probabilities of all actions. Those of illegal actions are very small, but finite."""
    return torch.log_softmax(logits.masked_fill(~mask, -1e9), -1)


class Batch:
    """Decisions of all matches: tensors of shape (steps, envs, ...)."""

    def __init__(self, game: ml.Game, settings: Settings) -> None:
        shape = (settings.steps, settings.envs)
        self.observation = torch.zeros(*shape, *game.observation_shape)
        self.mask = torch.zeros(*shape, game.num_actions, dtype=torch.bool)
        self.action = torch.zeros(shape, dtype=torch.int64)
        self.log_probability = torch.zeros(shape)
        self.value = torch.zeros(shape)
        self.seat = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, np.bool_)
        self.reward = np.zeros((*shape, game.num_players), np.float32)
        # Values are learned best if they are from 0 to 1. No result is below 0, so nobody gains by delaying it.
        self.least, self.range = game.utility.min, max(game.utility.max - game.utility.min, 1e-6)

    @torch.no_grad()
    def play(self, env: ml.Vector, network: Network, now: Decisions) -> Decisions:
        """Fill the batch. Takes the decisions to begin with, and returns those that follow the batch."""
        observation, mask, seat = now
        for step in range(len(self.done)):
            # The arrays of a vector change with its next step, so they are copied.
            self.observation[step] = torch.from_numpy(observation)
            self.mask[step] = torch.from_numpy(mask)
            self.seat[step] = seat
            logits, self.value[step] = network(self.observation[step])
            log_probabilities = log_policy(logits, self.mask[step])
            action = torch.multinomial(log_probabilities.exp(), 1)
            self.action[step] = action.squeeze(1)
            self.log_probability[step] = log_probabilities.gather(1, action).squeeze(1)
            observation, reward, done, mask, seat = env.step(self.action[step].numpy())
            self.reward[step], self.done[step] = reward, done
        return observation, mask, seat

    def advantages(self, gae: float, discount: float) -> tuple[Tensor, Tensor]:
        """Advantages of all decisions, and whether each one is known: of shape (steps, envs).

        Generalised advantage estimation, for each seat over its own decisions. Decisions of other seats lie between two
        of them. The value after the last decision of a seat is unknown, unless its match has ended.
        """
        steps, envs, seats = self.reward.shape
        rows = np.arange(envs)
        value = self.value.numpy()
        advantage = np.zeros((steps, envs), np.float32)
        known = np.zeros((steps, envs), np.bool_)
        next_value, next_advantage = np.zeros((2, envs, seats), np.float32)
        next_known = np.zeros((envs, seats), np.bool_)
        for step in reversed(range(steps)):
            ended = self.done[step]
            next_value[ended] = (self.reward[step, ended] - self.least) / self.range
            next_advantage[ended] = 0.0
            next_known[ended] = True
            now = rows, self.seat[step]
            known[step] = next_known[now]
            later = discount * (next_value[now] + gae * next_advantage[now])
            advantage[step] = known[step] * (later - value[step])
            next_value[now], next_advantage[now], next_known[now] = value[step], advantage[step], True
        return torch.from_numpy(advantage), torch.from_numpy(known)


def update(
    network: Network, optimiser: torch.optim.Optimizer, batch: Batch, settings: Settings, entropy: float
) -> dict[str, float]:
    """Improve the network by one batch of decisions. Returns figures about it."""
    advantages, known = batch.advantages(settings.gae, settings.discount)
    observation, mask = batch.observation[known], batch.mask[known]
    action, before = batch.action[known], batch.log_probability[known]
    advantage = advantages[known]
    target = batch.value[known] + advantage
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    divergences, entropies, errors = [], [], []
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(action)).split(settings.minibatch):
            logits, value = network(observation[rows])
            log_probabilities = log_policy(logits, mask[rows])
            change = log_probabilities.gather(1, action[rows, None]).squeeze(1) - before[rows]
            ratio = change.exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * advantage[rows], clipped * advantage[rows]).mean()
            spread = -(log_probabilities.exp() * log_probabilities).sum(1).mean()
            error = (value - target[rows]).square().mean()
            optimiser.zero_grad()
            (0.5 * error - gain - entropy * spread).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
            divergences.append((ratio - 1 - change).mean().item())
            entropies.append(spread.item())
            errors.append(error.item())
    return {"kl": np.mean(divergences), "entropy": np.mean(entropies), "value error": np.mean(errors)}


@torch.no_grad()
def judge(game: ml.Game, network: Network, opponents: str, matches: int, seed: int) -> tuple[float, float]:
    """Mean utility of the best-rated actions against bots, with its standard error."""
    env = game.vector(min(matches, 64), seed=seed, opponents=opponents)
    observation, mask, seat = env.reset()
    # Short matches end first, so every environment plays the same number of them.
    results: list[list[float]] = [[] for _ in range(env.num_envs)]
    each = max(1, matches // env.num_envs)
    while min(map(len, results)) < each:
        own = seat.copy()
        logits, _ = network(torch.from_numpy(observation))
        actions = log_policy(logits, torch.from_numpy(mask)).argmax(1).numpy()
        observation, reward, done, mask, seat = env.step(actions)
        for row in np.flatnonzero(done):
            results[row].append(float(reward[row, own[row]]))
    utilities = np.array([row[:each] for row in results])
    return float(utilities.mean()), float(utilities.std() / np.sqrt(utilities.size))


class Policy(nn.Module):
    """The policy of a network, without its value."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor) -> Tensor:
        """Logits of shape (n, actions)."""
        logits: Tensor = self.network(observation)[0]
        return logits


def export(network: Network, game: ml.Game, path: str) -> None:
    """Write the network as ONNX, for a batch of one: from the observation to a logit for each action."""
    example = torch.zeros(1, *game.observation_shape)
    names = {"input_names": ["observation"], "output_names": ["logits"]}
    with warnings.catch_warnings():
        # The newer exporter needs one more package.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(Policy(network).eval(), (example,), path, opset_version=17, dynamo=False, **names)


def train(game: ml.Game, settings: Settings, minutes: float, opponents: str | None, seed: int, out: str) -> None:
    """Play and learn for some minutes; write the network every minute and at the end."""
    torch.manual_seed(seed)
    network = Network(game.observation_shape[0], game.num_actions, settings.width)
    optimiser = torch.optim.Adam(network.parameters(), settings.rate, eps=1e-5)
    env = game.vector(settings.envs, seed=seed)
    batch, now = Batch(game, settings), env.reset()
    begin = saved = time.monotonic()
    decisions = matches = updates = 0
    while (left := 1 - (time.monotonic() - begin) / (60 * minutes)) > 0:
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * left
        now = batch.play(env, network, now)
        figures = update(network, optimiser, batch, settings, settings.entropy * (0.1 + 0.9 * left))
        if updates < 50:
            # Later, the network would have to follow its moving inputs.
            network.scale(batch.observation.flatten(0, 1), 1 / (updates + 1))
        updates += 1
        decisions += batch.done.size
        matches += int(batch.done.sum())
        if updates % 10 == 0:
            shown = ", ".join(f"{name} {figure:.4f}" for name, figure in figures.items())
            seconds = time.monotonic() - begin
            print(f"{seconds:6.0f} s, {decisions:,} decisions, {matches:,} matches: {shown}", flush=True)
        if time.monotonic() - saved > 60:
            export(network, game, out)
            saved = time.monotonic()
            if opponents:
                show(game, network, opponents, 128)
    export(network, game, out)
    if opponents:
        show(game, network, opponents, 512)


def show(game: ml.Game, network: Network, opponents: str, matches: int) -> None:
    """Print how the network fares against bots."""
    mean, error = judge(game, network, opponents, matches, seed=1)
    print(f"utility against {opponents}: {mean:.3f} ± {1.96 * error:.3f}", flush=True)


def main() -> None:
    """Train by the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Train a network by self-play and export it as a bot.")
    parser.add_argument("game", help="id of a shipped game, or a folder")
    parser.add_argument("--players", type=int, help="number of players (default: that of the game)")
    parser.add_argument("--minutes", type=float, default=30.0, help="time of the training (default: 30)")
    parser.add_argument("--out", default="policy.onnx", help="the file to write (default: policy.onnx)")
    parser.add_argument("--judge", metavar="BOT", help="also play against this bot every minute, such as learned")
    parser.add_argument("--threads", type=int, default=2, help="threads of PyTorch (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of matches and network (default: 1)")
    for name, value in vars(Settings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"(default: {value})")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    game = ml.load(options.game, players=options.players)
    settings = Settings(**{name: getattr(options, name) for name in vars(Settings())})
    train(game, settings, options.minutes, options.judge, options.seed, options.out)


if __name__ == "__main__":
    main()
