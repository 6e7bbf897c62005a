"""PPO with self-play: train a network for any game, and export it as a bot.

    pip install ./engine/python torch onnx
    python engine/python/examples/ppo.py photon --players 2 --minutes 30 --out photon.onnx
    lode arena photon --players 2 --bots policy:photon.onnx,learned

One network plays all seats. It sees the observation of the deciding seat and gives one logit for each action; illegal
actions are masked. The only reward is the utility at the end of a match. Two networks that learn from each other may
learn to stall, so a match that is too long pays nobody. The file has the network that did best against `--judge`.
"""

import argparse
import copy
import time
import warnings
from dataclasses import dataclass

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Adam

import motherlode as ml


Decisions = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int32]]
"""Observation, mask and seat of every match, as `ml.Vector.reset` returns them."""


@dataclass
class Settings:
    """The numbers of PPO, of the older opponents, and of the judgements."""

    envs: int = 256
    """Matches at once."""
    steps: int = 64
    """Decisions of each match between two updates: a little more than a random match of Photon has."""
    epochs: int = 2
    """Times that an update uses each decision: few, because the opponents change with the next update."""
    minibatch: int = 2048
    """Decisions of one gradient step: an update has about eight steps an epoch."""
    rate: float = 5e-4
    """Learning rate at the beginning. It falls to 0 in a straight line."""
    gae: float = 0.95
    """Lambda of the advantages: 1 trusts the results of matches, 0 the values of positions."""
    discount: float = 0.98
    """Share of a result that each decision before it gets. Winning soon is worth more, so stalling costs."""
    clip: float = 0.2
    """Maximum change of a probability in one update, as a share."""
    entropy: float = 0.05
    """Weight of the entropy bonus at the beginning. It falls to a fifth in a straight line."""
    floor: float = 0.1
    """Least divisor of the advantages, whose usual deviation is 0.2. Without it, an update amplifies mere noise."""
    longest: float = 2.0
    """Longest match as a multiple of the median random one. Beyond, all seats get the lowest utility."""
    league: float = 0.25
    """Share of the matches in which an older copy of the network plays all seats but one."""
    copy: int = 20
    """Updates between two copies. Every batch meets a random one of all."""
    width: int = 128
    """Neurons of each hidden layer."""
    judgement: float = 1.0
    """Minutes between two judgements. The best network is kept."""
    matches: int = 128
    """Matches of a judgement, whose 95 % interval is ± 0.09 at most if utilities are from 0 to 1."""


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
        # At first, all actions are about equally probable.
        nn.init.zeros_(self.policy.weight)

    def forward(self, observation: Tensor) -> Tensor:
        """Logits alone, for play."""
        return self.estimate(observation)[0]

    def estimate(self, observation: Tensor) -> tuple[Tensor, Tensor]:
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

    def __init__(self, game: ml.Game, settings: Settings, longest: int) -> None:
        shape = (settings.steps, settings.envs)
        self.observation = torch.zeros(*shape, *game.observation_shape)
        self.mask = torch.zeros(*shape, game.num_actions, dtype=torch.bool)
        self.action = torch.zeros(shape, dtype=torch.int64)
        self.log_probability, self.value = torch.zeros(2, *shape)
        self.seat = np.zeros(shape, np.int64)
        self.own, self.done = np.ones(shape, np.bool_), np.zeros(shape, np.bool_)
        self.reward = np.zeros((*shape, game.num_players), np.float32)
        # Values are learned best if they are from 0 to 1. No result is below 0, so nobody gains by delaying it.
        self.least, self.range = game.utility.min, max(game.utility.max - game.utility.min, 1e-6)
        self.longest, self.length = longest, np.zeros(settings.envs, np.int64)
        # The only seat of the learning network in a match of the league; -1 for all seats.
        self.only = np.arange(settings.envs) % game.num_players
        self.only[int(settings.league * settings.envs) :] = -1

    @torch.no_grad()
    def play(self, env: ml.Vector, network: Network, older: Network, now: Decisions) -> Decisions:
        """Fill the batch. Takes the decisions to begin with, and returns those that follow the batch."""
        observation, mask, seat = now
        for step in range(len(self.done)):
            # The arrays of a vector change with its next step, so they are copied.
            self.observation[step] = torch.tensor(observation)
            self.mask[step] = torch.tensor(mask)
            self.seat[step] = seat
            logits, self.value[step] = network.estimate(self.observation[step])
            others = (self.only >= 0) & (self.only != seat)
            logits[others] = older(self.observation[step, others])
            # Random actions soon end a match that is too long. Nobody learns from them.
            late = self.length >= self.longest
            logits[late] = 0.0
            self.own[step] = ~(others | late)
            log_probabilities = log_policy(logits, self.mask[step])
            action = torch.multinomial(log_probabilities.exp(), 1)
            self.action[step], self.log_probability[step] = action.T, log_probabilities.gather(1, action).T
            observation, reward, done, mask, seat = env.step(self.action[step].numpy())
            self.length += 1
            cut = (self.length == self.longest) & ~done
            self.reward[step], self.done[step] = np.where(cut[:, None], self.least, reward), done | cut
            self.length[done] = 0
        return observation, mask, seat

    def advantages(self, gae: float, discount: float) -> tuple[Tensor, Tensor]:
        """Advantages of the network's decisions, and whether each one is known: of shape (steps, envs).

        Generalised advantage estimation, for each seat over its own decisions. Decisions of other seats lie between two
        of them. The value after the last decision of a seat is unknown, unless its match has ended.
        """
        steps, envs, seats = self.reward.shape
        value = self.value.numpy()
        advantage = np.zeros((steps, envs), np.float32)
        known = np.zeros((steps, envs), np.bool_)
        next_value, next_advantage = np.zeros((2, envs, seats), np.float32)
        next_known = np.zeros((envs, seats), np.bool_)
        for step in reversed(range(steps)):
            ended = self.done[step]
            next_value[ended] = (self.reward[step, ended] - self.least) / self.range
            next_advantage[ended], next_known[ended] = 0.0, True
            now = np.arange(envs), self.seat[step]
            known[step] = next_known[now] & self.own[step]
            later = discount * (next_value[now] + gae * next_advantage[now])
            advantage[step] = known[step] * (later - value[step])
            next_value[now], next_advantage[now], next_known[now] = value[step], advantage[step], True
        return torch.from_numpy(advantage), torch.from_numpy(known)


def update(network: Network, optimiser: Adam, batch: Batch, settings: Settings, entropy: float) -> dict[str, float]:
    """Improve the network by one batch of decisions. Returns figures about it."""
    advantages, known = batch.advantages(settings.gae, settings.discount)
    observation, mask = batch.observation[known], batch.mask[known]
    action, before = batch.action[known], batch.log_probability[known]
    advantage, target = advantages[known], (batch.value + advantages)[known]
    advantage = (advantage - advantage.mean()) / advantage.std().clamp(min=settings.floor)
    figures = []
    for _ in range(settings.epochs):
        order = torch.randperm(len(action))
        for first in range(0, len(order), settings.minibatch):
            rows = order[first : first + settings.minibatch]
            logits, value = network.estimate(observation[rows])
            log_probabilities = log_policy(logits, mask[rows])
            change = log_probabilities.gather(1, action[rows, None]).squeeze(1) - before[rows]
            ratio = change.exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * advantage[rows], clipped * advantage[rows]).mean()
            spread = -(log_probabilities.exp() * log_probabilities).sum(1).mean()
            error = (value - target[rows]).square().mean()
            optimiser.zero_grad()
            torch.autograd.backward(0.5 * error - gain - entropy * spread)
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
            figures.append([(ratio - 1 - change).mean().item(), spread.item(), error.item()])
    return dict(zip(("kl", "entropy", "value error"), np.mean(figures, axis=0).tolist()))


def usual_length(game: ml.Game, seed: int) -> int:
    """Decisions of the median random match."""
    env = game.vector(64, seed=seed)
    random, mask = np.random.default_rng(seed), env.reset()[1]
    ended, length = np.zeros(env.num_envs, np.bool_), 0
    while ended.mean() < 0.5:
        _, _, done, mask, _ = env.step((random.random(mask.shape) * mask).argmax(1))
        ended, length = ended | done, length + 1
    return length


@torch.no_grad()
def judge(game: ml.Game, network: Network, opponents: str, matches: int, longest: int) -> tuple[float, float]:
    """Mean utility of the best-rated actions against bots, with its standard error."""
    env = game.vector(min(matches, 64), seed=1, opponents=opponents, threads=torch.get_num_threads())
    observation, mask, seat = env.reset()
    # Short matches end first, so every environment plays the same number of them.
    results: list[list[float]] = [[] for _ in range(env.num_envs)]
    each = max(1, matches // env.num_envs)
    for _ in range(each * longest):
        own = seat.copy()
        actions = log_policy(network(torch.tensor(observation)), torch.tensor(mask)).argmax(1).numpy()
        observation, reward, done, mask, seat = env.step(actions)
        for row in np.flatnonzero(done):
            results[row].append(float(reward[row, own[row]]))
        if min(map(len, results)) >= each:
            break
    # Matches that do not end count as lost.
    utilities = np.array([(row + each * [game.utility.min])[:each] for row in results])
    return float(utilities.mean()), float(utilities.std() / np.sqrt(utilities.size))


def export(network: Network, game: ml.Game, path: str) -> None:
    """Write the network as ONNX, for a batch of one: from the observation to a logit for each action.

    The file tells its game, players and options, so that the bot plays no others.
    """
    args, inputs, outputs = (torch.zeros(1, *game.observation_shape),), ["observation"], ["logits"]
    with warnings.catch_warnings():
        # The newer exporter needs one more package.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(network, args, path, opset_version=17, dynamo=False, input_names=inputs, output_names=outputs)
    model = onnx.load(path)
    onnx.helper.set_model_props(model, game.network_metadata)
    onnx.save(model, path)


def train(game: ml.Game, settings: Settings, minutes: float, opponents: str, seed: int, out: str) -> None:
    """Play and learn for some minutes; write the network that has done best against the opponents."""
    torch.manual_seed(seed)
    network = Network(game.observation_shape[0], game.num_actions, settings.width)
    optimiser = Adam(network.parameters(), settings.rate, eps=1e-5)
    env = game.vector(settings.envs, seed=seed)
    longest = round(settings.longest * usual_length(game, seed))
    batch, now = Batch(game, settings, longest), env.reset()
    random, league = np.random.default_rng(seed), list[Network]()
    begin = judged = time.monotonic()
    best, updates, left = -np.inf, 0, 1.0
    while left > 0:
        optimiser.param_groups[0]["lr"] = settings.rate * left
        if updates % settings.copy == 0:
            league.append(copy.deepcopy(network))
        now = batch.play(env, network, league[random.integers(len(league))], now)
        figures = update(network, optimiser, batch, settings, settings.entropy * (0.2 + 0.8 * left))
        if updates < 50:
            # Later, the network would have to follow its moving inputs.
            network.scale(batch.observation.flatten(0, 1), 1 / (updates + 1))
        updates += 1
        seconds = time.monotonic() - begin
        left = 1 - seconds / (60 * minutes)
        if updates % 20 == 0:
            figures["length"] = batch.done.size / max(1, batch.done.sum())
            shown = ", ".join(f"{name} {figure:.4f}" for name, figure in figures.items())
            print(f"{seconds:6.0f} s, {updates * batch.done.size:,} decisions: {shown}", flush=True)
        if time.monotonic() - judged > 60 * settings.judgement or left <= 0:
            mean, error = judge(game, network, opponents, settings.matches, longest)
            print(f"utility against {opponents}: {mean:.3f} ± {1.96 * error:.3f}", flush=True)
            if mean >= best:
                best = mean
                export(network, game, out)
            judged = time.monotonic()


def main() -> None:
    """Train by the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Train a network by self-play and export it as a bot.")
    parser.add_argument("game", help="id of a shipped game, or a folder")
    parser.add_argument("--players", type=int, help="number of players (default: that of the game)")
    parser.add_argument("--minutes", type=float, default=30.0, help="time of the training (default: 30)")
    parser.add_argument("--out", default="policy.onnx", help="the file to write (default: policy.onnx)")
    parser.add_argument("--judge", default="random", help="bot that measures the networks (default: random)")
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
