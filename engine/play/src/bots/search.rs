//! The search bots: playouts by a budget, with a tree for each seat or without, to the end of the game or to what was learned of it.

use std::sync::Arc;

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, all, any, any_order};
use crate::bots::descent::{Descent, Ended, Room, SEATS, node_after};
use crate::bots::habits::Habits;
use crate::bots::halving::Halving;
use crate::bots::kind::{BotKind, Budget, Way};
use crate::bots::limits::Limits;
use crate::bots::look::{Effort, Look};
use crate::bots::playout::MOST_ENDLESS;
use crate::bots::reuse::{own_match, redealt};
use crate::bots::trees::Trees;
use crate::value::Horizon;
use crate::value::evaluator::Evaluator;
use crate::value::loaded::{Fitting, Value};

pub static FLAT: BotKind = BotKind {
    name: "flat",
    budget: Some(BUDGET),
    alone: Some(Way {
        plays: "the same, but bad choices are soon given up, and games go on by what has paid in those before",
        make: |making| Box::new(Search::flat(making.count, making.seed)),
    }),
    by_value: None,
};

pub static TREES: BotKind = BotKind {
    name: "search",
    budget: Some(BUDGET),
    alone: Some(Way {
        plays: "the same with a tree for each seat: what follows a choice is looked for, not drawn",
        make: |making| Box::new(Search::trees(making.count, making.seed).within(making.limits.clone())),
    }),
    by_value: Some(Way {
        plays: "as `search:B`, but only to a turn after the next, where it looks up what the position is worth",
        make: |making, value| {
            let search = Search::learned(making.name.clone(), making.count, value, making.seed);
            Box::new(search.within(making.limits.clone()))
        },
    }),
};

const BUDGET: Budget = Budget { letter: 'B', of: "playouts", per: "decision", usual: 200 };

/// Playouts as which the value of a choice one step ahead counts.
const PRIOR: u32 = 2;
/// What is looked up one step ahead.
const AHEAD: Effort = Effort { deals: 4, positions: 32, following: 48 };
/// Playouts for each choice that is tried at all, at least.
const LEAST: u32 = 4;

/// Spends a budget of playouts on a decision: `flat:B`, `search:B`.
///
/// The choices of the decision share the budget by sequential halving: bad ones are given up soon, what is left is compared longer.
/// All that are left are tried on the same determinizations (see [`Bot`]), so that luck of the deal does not decide between them. A result
/// is the [`reward`] of the outcome.
///
/// What follows the choice is played by [`Habits`]: half at random, half by what has paid in the playouts before.
///
/// **Trees** (`search`): every seat has a tree of its own (multiple-observer information
/// set search: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012), in which it looks for the best of its own
/// answers, by upper confidence bounds that count how often a choice was there to be taken. A node is what a seat has answered since
/// the search began, and the question it is asked now: an open loop. What it sees besides is not in it. A node for everything seen
/// is met again too seldom with the few hundred playouts that a decision is worth: the answers of two rivals and a drawn card between two of
/// one's own turns tell thousands of nodes apart, each of which is then visited once. As a seat's node holds nothing of what others have
/// answered, no seat can reply to what it cannot know; seats that answer at the same time choose independently. A tree grows by one answer
/// in a playout; after that the seat plays by habit. What was not tried yet is tried if, by habit, it may be better than the best that was.
///
/// **With a value that was learned** (`search:B+learned`) it depends on what they are worth one step ahead which choices are tried at all, and with
/// what they begin. A playout goes no further than to a later turn of the seat, where the position is looked up
/// (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996), unless training has found it better to play on
/// ([`Horizon`]).
///
/// What fails or does not end is treated as [`Rollout`](crate::Rollout) does.
pub struct Search {
    name: String,
    budget: u32,
    has_trees: bool,
    /// What it keeps to in its own tree, besides the choices that it is given.
    limits: Option<Arc<Limits>>,
    generator: Pcg64Mcg,
    /// The bot's own match.
    scratch: Option<Match>,
    /// Room for the position, and for a deal of it.
    root: Snapshot,
    sample: Snapshot,
    trees: Trees,
    habits: Habits,
    /// What it has learned of positions, and whether playouts end in it.
    look: Option<Look>,
    horizon: Horizon,
    /// Where that comes from, if it depends on the number of players.
    fitting: Option<Fitting>,
    room: Room,
    /// The codes of all choices of the decision.
    codes: Vec<u64>,
    /// The choices that are left, in the order in which they are tried.
    pass: Vec<usize>,
    /// Playouts of the game that did not end.
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

    /// The same bot; it expects of itself that it keeps to these limits.
    pub(crate) fn within(mut self, limits: Option<Arc<Limits>>) -> Self {
        self.limits = limits;
        self
    }

    /// A bot that ends playouts where it has learned what positions are worth.
    #[must_use]
    pub fn learned(name: String, budget: u32, value: &Value, seed: u64) -> Self {
        Self { fitting: Some(Fitting::new(value)), ..Self::new(name, budget, true, seed) }
    }

    /// The same by its parts, without a name.
    pub(crate) fn looking(budget: u32, evaluator: Evaluator, horizon: Horizon, seed: u64) -> Self {
        Self { look: Some(Look::new(evaluator)), horizon, ..Self::new(String::new(), budget, true, seed) }
    }

    fn new(name: String, budget: u32, has_trees: bool, seed: u64) -> Self {
        Self {
            name,
            budget,
            has_trees,
            limits: None,
            generator: Pcg64Mcg::seed_from_u64(seed),
            scratch: None,
            root: Snapshot::default(),
            sample: Snapshot::default(),
            trees: Trees::default(),
            habits: Habits::new(SEATS),
            look: None,
            horizon: Horizon::End,
            fitting: None,
            room: Room::default(),
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
        self.choose_among(m, d, &all(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let count = among.len();
        if count < 2 {
            return Ok(among.first().copied().unwrap_or(0));
        }
        if self.endless >= MOST_ENDLESS {
            return Ok(among[any(count, &mut self.generator)]);
        }
        if let Some(part) = self.fitting.as_mut().and_then(|fitting| fitting.other(m.setup().players)) {
            (self.look, self.horizon) = (Some(Look::new(part.evaluator.clone())), part.horizon);
        }
        self.trees.clear();
        self.habits.fade();
        m.snapshot_into(&mut self.root);
        let mut halving = self.survey(m, d, among)?;
        while self.endless < MOST_ENDLESS && halving.pass(&mut self.pass).is_some() {
            if m.game().is_halted() {
                return Err(MatchError::Halted);
            }
            self.play_pass(m, d, among, &mut halving)?;
        }
        Ok(among[halving.best().unwrap_or_else(|| any(count, &mut self.generator))])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
        self.endless = 0;
        self.habits.clear();
    }
}

impl Search {
    /// Chooses what is tried at all, by what was learned of the positions one step ahead.
    fn survey(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<Halving, MatchError> {
        let Self { budget, generator, scratch, root, look, codes, .. } = self;
        let own = own_match(scratch, m)?;
        own.restore(root)?;
        // In a simultaneous phase the match may stand at the question of another seat.
        own.focus(d.seat)?;
        own.choice_codes(codes);
        let (mut tried, mut priors) = (any_order(among.len(), generator), Vec::new());
        if let Some(look) = look {
            priors = look.survey(own, root, d, among, AHEAD.at(m), generator)?;
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

    /// Plays a playout from each choice of the pass, all on the same deal.
    fn play_pass(&mut self, m: &Match, d: Decision, among: &[usize], halving: &mut Halving) -> Result<(), MatchError> {
        let Self { has_trees, limits, generator, scratch, root, sample, trees, habits, look, horizon, room, .. } = self;
        let own = own_match(scratch, m)?;
        if !redealt(own, root, d, generator.next_u64())? {
            halving.spend(1);
            return Ok(());
        }
        own.snapshot_into(sample);
        for &place in &self.pass {
            let choice = among[place];
            halving.spend(1);
            own.restore(sample)?;
            // The redeal forgets what others have answered in a simultaneous phase: this seat need not be the next one.
            own.focus(d.seat)?;
            let phase = own.simultaneous();
            if own.answer(choice).is_err() {
                continue;
            }
            let mut descent = Descent {
                trees: has_trees.then_some(&mut *trees),
                limits: limits.as_deref().map(|limits| (d.seat, limits)),
                habits,
                evaluator: look.as_mut().filter(|_| *horizon == Horizon::Turn).map(|look| &mut look.evaluator),
                room,
                generator,
            };
            match descent.play(own, d.seat, phase, node_after(d.seat, self.codes[choice])) {
                Ended::Worth(rewards) => {
                    halving.add(place, rewards[usize::from(d.seat)]);
                    for &(seat, edge) in &room.path {
                        trees.reward(edge, rewards[usize::from(seat)]);
                    }
                    habits.reward(&rewards);
                }
                // Its answers are not tried again before others.
                Ended::Failed => room.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0)),
                lost @ (Ended::Endless | Ended::Costly) => {
                    room.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0));
                    self.endless += if matches!(lost, Ended::Costly) { MOST_ENDLESS } else { 1 };
                    if self.endless >= MOST_ENDLESS {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
