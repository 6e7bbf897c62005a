//! The search bots: a budget of playouts per decision, with or without trees, to the end of the game or to a learned
//! value.

use std::sync::Arc;

use motherlode::declare::Goal;
use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, all_choices, random_index, random_order};
use crate::bots::descent::{Buffers, Descent, Memory, PlayoutEnd, node_after};
use crate::bots::graph::{Graph, SEATS};
use crate::bots::halving::Halving;
use crate::bots::kind::{BotKind, Budget, Variant};
use crate::bots::limits::Limits;
use crate::bots::lines::LineValue;
use crate::bots::lookahead::{Effort, Lookahead};
use crate::bots::playout::MOST_ENDLESS;
use crate::bots::policy::PlayoutPolicy;
use crate::bots::reuse::{determinize, scratch_match};
use crate::bots::trees::{MANY, Trees};
use crate::observation::ObservationSpace;
use crate::value::Horizon;
use crate::value::evaluator::Evaluator;
use crate::value::loaded::{Value, ValueSelector};

pub static FLAT: BotKind = BotKind {
    name: "flat",
    budget: Some(BUDGET),
    alone: Some(Variant {
        plays: "like `rollout:N`, but drops bad choices early; playouts prefer choices that did well in earlier playouts",
        make: |parts| Box::new(Search::flat(parts.count, parts.seed)),
    }),
    by_value: None,
};

pub static TREES: BotKind = BotKind {
    name: "search",
    budget: Some(BUDGET),
    alone: Some(Variant {
        plays: "like `flat:B`, with a tree per seat: later answers are searched instead of sampled",
        make: |parts| Box::new(Search::trees(parts.count, parts.seed).within(parts.limits.clone())),
    }),
    by_value: Some(Variant {
        plays: "like `search:B`, but playouts stop at a later turn of the seat and return the position's learned value",
        make: |parts, value| {
            let search = Search::learned(parts.name.clone(), parts.count, value, parts.seed);
            Box::new(search.within(parts.limits.clone()))
        },
    }),
};

const BUDGET: Budget = Budget { letter: 'B', of: "playouts", per: "decision", usual: 200 };

/// Weight of a choice's lookahead value, in playouts.
const PRIOR: u32 = 2;
/// Effort of the lookahead that ranks the choices before the search.
const AHEAD: Effort = Effort { deals: 4, positions: 32, following: 48 };
/// Minimum playouts per choice; the search tries fewer choices if the budget requires it.
const LEAST: u32 = 4;

/// Spends a budget of playouts on a decision: `flat:B`, `search:B`.
///
/// The choices share the budget by sequential halving: bad ones are dropped early, the rest are compared longer. All
/// remaining choices are tried on the same determinizations (see [`Bot`]), so that the luck of the deal does not
/// decide between them. The result of a playout is the [`reward`](crate::reward()) of its outcome.
///
/// `PlayoutPolicy` plays the answers that follow the choice: half at random, half by results of earlier playouts.
///
/// **Graph** (`search` in a [public](motherlode::Game::is_public) game): nodes are positions, all seats share them, and
/// certain results are proven. Every playout begins at the root, and a proven root ends the search. See `graph`.
///
/// **Trees** (`search` in other games): each seat has its own tree, as in multiple-observer information set search (Cowling, Powley
/// and Whitehouse, "Information set Monte Carlo tree search", 2012). The seat selects answers by upper confidence
/// bounds that count how often a choice was available.
///
/// A node stands for the seat's own answers since the search began and its current question. A few hundred playouts
/// cannot revisit nodes for all observations: two rivals' answers and one drawn card between two of a seat's turns make
/// thousands of nodes, each visited once. So a node begins as an open loop, with one result for each answer. After some
/// visits, it also keeps results for each information set: the seat's observation at this node. Once an information
/// set has enough visits, its own results decide, with those of the node as a prior.
///
/// A node contains nothing that its seat does not know. So no seat can respond to hidden facts, and seats that answer
/// at the same time choose independently.
///
/// A tree grows by one answer per playout; after that, the seat follows the playout policy. An untried answer is
/// tried if the policy expects it to beat the best tried one.
///
/// **With a learned value** (`search:B+learned`): a one-step lookahead decides which choices are tried at all, and
/// gives each its initial result. A playout stops at a later turn of the seat and returns the value of that position
/// (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996), unless training found that
/// playing to the end is stronger ([`Horizon`]).
///
/// Failed and endless playouts are handled as in [`Rollout`](crate::Rollout).
pub struct Search {
    name: String,
    budget: u32,
    has_trees: bool,
    /// The observations of the game whose decisions are searched in trees.
    space: Option<ObservationSpace>,
    /// Limits that the search assumes for its own seat inside its tree.
    limits: Option<Arc<Limits>>,
    generator: Pcg64Mcg,
    /// The bot's own match.
    scratch: Option<Match>,
    /// Buffers: the position, and a determinization of it.
    root: Snapshot,
    sample: Snapshot,
    trees: Trees,
    graph: Graph,
    /// Learned from the playouts of a graph.
    lines: LineValue,
    policy: PlayoutPolicy,
    /// Evaluates positions with the learned value; `None` without one.
    lookahead: Option<Lookahead>,
    horizon: Horizon,
    /// The source of `lookahead` and `horizon`, if they depend on the number of players.
    selector: Option<ValueSelector>,
    buffers: Buffers,
    /// The codes of all choices of the decision.
    codes: Vec<u64>,
    /// The choices of the current pass, in order.
    pass: Vec<usize>,
    /// Playouts of the current game that did not end.
    endless: u32,
}

impl Search {
    /// A bot that spends this many playouts on a decision, without trees.
    #[must_use]
    pub fn flat(budget: u32, seed: u64) -> Self {
        Self::new(format!("flat:{budget}"), budget, false, seed)
    }

    /// A bot that spends this many playouts on a decision, with a tree for each seat.
    #[must_use]
    pub fn trees(budget: u32, seed: u64) -> Self {
        Self::new(format!("search:{budget}"), budget, true, seed)
    }

    /// The same bot, assuming these limits for its own seat.
    pub(crate) fn within(mut self, limits: Option<Arc<Limits>>) -> Self {
        self.limits = limits;
        self
    }

    /// A bot whose playouts end in a learned value.
    #[must_use]
    pub fn learned(name: String, budget: u32, value: &Value, seed: u64) -> Self {
        Self { selector: Some(ValueSelector::new(value)), ..Self::new(name, budget, true, seed) }
    }

    /// A nameless bot with the given evaluator and horizon, for training.
    pub(crate) fn looking(budget: u32, evaluator: Evaluator, horizon: Horizon, seed: u64) -> Self {
        Self { lookahead: Some(Lookahead::new(evaluator)), horizon, ..Self::new(String::new(), budget, true, seed) }
    }

    fn new(name: String, budget: u32, has_trees: bool, seed: u64) -> Self {
        Self {
            name,
            budget,
            has_trees,
            space: None,
            limits: None,
            generator: Pcg64Mcg::seed_from_u64(seed),
            scratch: None,
            root: Snapshot::default(),
            sample: Snapshot::default(),
            trees: Trees::default(),
            graph: Graph::default(),
            lines: LineValue::default(),
            policy: PlayoutPolicy::new(SEATS),
            lookahead: None,
            horizon: Horizon::End,
            selector: None,
            buffers: Buffers::default(),
            codes: Vec::new(),
            pass: Vec::new(),
            endless: 0,
        }
    }
}

impl Bot for Search {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all_choices(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let count = among.len();
        if count < 2 {
            return Ok(among.first().copied().unwrap_or(0));
        }
        if self.endless >= MOST_ENDLESS {
            return Ok(among[random_index(count, &mut self.generator)]);
        }
        if let Some(part) = self.selector.as_mut().and_then(|selector| selector.switch_to(m.setup().players)) {
            (self.lookahead, self.horizon) = (Some(Lookahead::new(part.evaluator.clone())), part.horizon);
        }
        self.trees.clear();
        self.policy.discount();
        m.snapshot_into(&mut self.root);
        if self.has_trees && m.game().is_public() && count <= MANY {
            return self.search_graph(m, d, among);
        }
        if self.has_trees && !self.space.as_ref().is_some_and(|space| space.is_of(m.game())) {
            self.space = Some(ObservationSpace::new(m.game()));
        }
        let mut halving = self.survey(m, d, among)?;
        while self.endless < MOST_ENDLESS && halving.pass(&mut self.pass).is_some() {
            if m.game().is_halted() {
                return Err(MatchError::Halted);
            }
            self.play_pass(d, among, &mut halving)?;
        }
        Ok(among[halving.best().unwrap_or_else(|| random_index(count, &mut self.generator))])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
        self.endless = 0;
        self.policy.clear();
        self.graph.forget();
    }
}

impl Search {
    /// Searches a public game: every playout begins at the root, and the search ends when the root is proven.
    fn search_graph(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        self.graph.clear();
        let key = m.position_key();
        if self.lookahead.is_some() {
            self.expect_learned(m, d, among, key)?;
        }
        let players = usize::from(m.setup().players);
        let has_lines = self.lines.begin_decision(m);
        for _ in 0..self.budget {
            if m.game().is_halted() {
                return Err(MatchError::Halted);
            }
            if self.endless >= MOST_ENDLESS || self.graph.is_proven(key) {
                break;
            }
            let Self { limits, generator, scratch, root, graph, lines, policy, lookahead, horizon, buffers, .. } = self;
            let own = scratch_match(scratch, m)?;
            // A public position has one deal, but another seed.
            if !determinize(own, root, d, generator.next_u64())? {
                continue;
            }
            graph.begin();
            let mut descent = Descent {
                memory: Memory::Graph(&mut *graph),
                space: None,
                first: Some(among),
                limits: limits.as_deref().map(|limits| (d.seat, limits)),
                policy,
                lines: has_lines.then_some(&mut *lines),
                evaluator: lookahead
                    .as_mut()
                    .filter(|_| *horizon == Horizon::Turn)
                    .map(|lookahead| &mut lookahead.evaluator),
                buffers,
                generator,
            };
            let rewards = match descent.play(own, d.seat, None, 0) {
                PlayoutEnd::Rewards(rewards) => {
                    graph.add(&rewards[..players], None);
                    Some(rewards)
                }
                PlayoutEnd::Ended(proof) => {
                    graph.add(&proof.rewards[..players], Some(proof));
                    Some(proof.rewards)
                }
                PlayoutEnd::Proven => graph.add_proven(players),
                lost @ (PlayoutEnd::Failed | PlayoutEnd::Endless | PlayoutEnd::Costly) => {
                    graph.add_failure();
                    self.endless += lost.weight();
                    None
                }
            };
            if let Some(rewards) = rewards {
                policy.reward(&rewards);
                if has_lines {
                    lines.learn(rewards[0]);
                }
            }
        }
        let best = self.graph.best(key, &mut self.generator);
        let best = best.unwrap_or_else(|| random_index(among.len(), &mut self.generator));
        Ok(among[best])
    }

    /// Gives the root's choices their learned values one step ahead.
    fn expect_learned(&mut self, m: &Match, d: Decision, among: &[usize], key: u64) -> Result<(), MatchError> {
        let Self { generator, scratch, root, lookahead, graph, .. } = self;
        let Some(lookahead) = lookahead else { return Ok(()) };
        let own = scratch_match(scratch, m)?;
        own.restore(root)?;
        let priors = lookahead.survey(own, root, d, among, AHEAD.at(m), generator)?;
        let results = priors.iter().map(|prior| match prior.count {
            0 => (0.0, 0),
            _ => (prior.mean() * f64::from(PRIOR), PRIOR),
        });
        graph.expect(key, d.seat, &results.collect::<Vec<_>>());
        Ok(())
    }

    /// Selects and orders the choices to try, by the learned value one step ahead.
    fn survey(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<Halving, MatchError> {
        let Self { budget, generator, scratch, root, lookahead, codes, .. } = self;
        let own = scratch_match(scratch, m)?;
        own.restore(root)?;
        // In a simultaneous phase, the current question may be another seat's.
        own.focus(d.seat)?;
        own.choice_codes(codes);
        let (mut tried, mut priors) = (random_order(among.len(), generator), Vec::new());
        if let Some(lookahead) = lookahead {
            priors = lookahead.survey(own, root, d, among, AHEAD.at(m), generator)?;
            tried.sort_by(|&one, &other| priors[other].mean().total_cmp(&priors[one].mean()));
            tried.truncate(((*budget / LEAST) as usize).max(2));
        }
        let mut halving = Halving::new(tried.clone(), *budget);
        for place in tried {
            if let Some(prior) = priors.get(place).filter(|prior| prior.count > 0) {
                (0..PRIOR).for_each(|_| halving.add(place, prior.mean()));
            }
        }
        Ok(halving)
    }

    /// Plays one playout from each choice of the pass, all on the same determinization.
    fn play_pass(&mut self, d: Decision, among: &[usize], halving: &mut Halving) -> Result<(), MatchError> {
        let Self {
            has_trees,
            space,
            limits,
            generator,
            scratch,
            root,
            sample,
            trees,
            policy,
            lookahead,
            horizon,
            buffers,
            ..
        } = self;
        let Some(own) = scratch else { return Err(MatchError::NoDecision) };
        if !determinize(own, root, d, generator.next_u64())? {
            halving.spend(1);
            return Ok(());
        }
        own.snapshot_into(sample);
        let is_rank = own.game().declarations().outcome.goal == Goal::Rank;
        for &place in &self.pass {
            let choice = among[place];
            halving.spend(1);
            own.restore(sample)?;
            // The redeal drops other seats' answers in a simultaneous phase, so this seat need not be next.
            own.focus(d.seat)?;
            let phase = own.simultaneous();
            if own.answer(choice).is_err() {
                continue;
            }
            let mut descent = Descent {
                memory: if *has_trees { Memory::Trees(trees) } else { Memory::None },
                space: space.as_ref().filter(|_| *has_trees),
                first: None,
                limits: limits.as_deref().map(|limits| (d.seat, limits)),
                policy,
                lines: None,
                evaluator: lookahead
                    .as_mut()
                    .filter(|_| *horizon == Horizon::Turn)
                    .map(|lookahead| &mut lookahead.evaluator),
                buffers,
                generator,
            };
            match descent.play(own, d.seat, phase, node_after(d.seat, self.codes[choice])) {
                PlayoutEnd::Rewards(rewards) => {
                    if !is_rank {
                        trees.note(&rewards[..usize::from(own.setup().players)]);
                    }
                    halving.add(place, rewards[usize::from(d.seat)]);
                    for &(seat, edge) in &buffers.path {
                        trees.reward(edge, rewards[usize::from(seat)]);
                    }
                    policy.reward(&rewards);
                }
                PlayoutEnd::Ended(_) | PlayoutEnd::Proven => {}
                // Count a visit without reward, so that these answers are not preferred as untried.
                PlayoutEnd::Failed => buffers.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0)),
                lost @ (PlayoutEnd::Endless | PlayoutEnd::Costly) => {
                    buffers.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0));
                    self.endless += lost.weight();
                    if self.endless >= MOST_ENDLESS {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
