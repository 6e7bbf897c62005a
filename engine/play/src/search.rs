//! The search bots: playouts by a budget, with a tree for each seat or without.

use std::sync::Arc;

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bot::{Bot, all, any};
use crate::habits::Habits;
use crate::halving::Halving;
use crate::limits::Limits;
use crate::playout::{DECISION_LIMIT, MOST_ENDLESS};
use crate::reuse::{own_match, redealt};
use crate::reward::reward;
use crate::seeds::mix;
use crate::trees::Trees;

/// Most seats.
const SEATS: usize = 16;

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
    room: Room,
    /// Playouts of the game that did not end.
    endless: u32,
}

/// Buffers of one playout.
#[derive(Default)]
struct Room {
    codes: Vec<u64>,
    pass: Vec<usize>,
    /// The answers that were found in trees.
    path: Vec<(u8, u32)>,
}

/// How a playout ended.
enum Ended {
    Worth([f64; SEATS]),
    Endless,
    Failed,
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
            room: Room::default(),
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
        let limits = self.limits.clone();
        let Self { budget, has_trees, generator, scratch, root, sample, trees, habits, room, endless, .. } = self;
        trees.clear();
        habits.fade();
        m.snapshot_into(root);
        let own = own_match(scratch, m)?;
        own.restore(root)?;
        // In a simultaneous phase the match may stand at the question of another seat.
        own.focus(d.seat)?;
        own.choice_codes(&mut room.codes);
        let codes = room.codes.clone();
        let mut halving = Halving::new(order(count, *budget, generator), *budget);
        let mut pass = std::mem::take(&mut room.pass);
        'search: while halving.pass(&mut pass).is_some() {
            if !redealt(own, root, d, generator.next_u64())? {
                halving.spend();
                continue;
            }
            own.snapshot_into(sample);
            for &place in &pass {
                let choice = among[place];
                halving.spend();
                own.restore(sample)?;
                // The redeal forgets what others have answered in a simultaneous phase: this seat need not be the next one.
                if own.answer_as(d.seat, choice).is_err() {
                    continue;
                }
                room.path.clear();
                habits.begin();
                let mut playout = Playout {
                    trees: has_trees.then_some(&mut *trees),
                    limits: limits.as_deref().map(|limits| (d.seat, limits)),
                    habits,
                    room,
                    generator,
                };
                match playout.play(own, d.seat, mix(first_node(usize::from(d.seat)), codes[choice])) {
                    Ended::Worth(rewards) => {
                        halving.add(place, rewards[usize::from(d.seat)]);
                        for &(seat, edge) in &room.path {
                            trees.reward(edge, rewards[usize::from(seat)]);
                        }
                        habits.reward(&rewards);
                    }
                    // Its answers are not tried again before others.
                    Ended::Failed => room.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0)),
                    Ended::Endless => {
                        room.path.iter().for_each(|&(_, edge)| trees.reward(edge, 0.0));
                        *endless += 1;
                        if *endless >= MOST_ENDLESS {
                            break 'search;
                        }
                    }
                }
            }
        }
        room.pass = pass;
        Ok(among[halving.best().unwrap_or_else(|| any(count, generator))])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
        self.endless = 0;
        self.habits.clear();
    }
}

/// The choices in the order in which they are tried: as listed, unless the budget leaves some out.
fn order(count: usize, budget: u32, generator: &mut Pcg64Mcg) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if (budget as usize) < count {
        for place in 0..budget as usize {
            order.swap(place, place + any(count - place, generator));
        }
    }
    order
}

/// The root of a seat's tree.
fn first_node(seat: usize) -> u64 {
    seat as u64
}

/// What a playout needs.
struct Playout<'s> {
    trees: Option<&'s mut Trees>,
    /// What the seat that searches keeps to.
    limits: Option<(u8, &'s Limits)>,
    habits: &'s mut Habits,
    room: &'s mut Room,
    generator: &'s mut Pcg64Mcg,
}

impl Playout<'_> {
    /// Plays on to the end. `first` is the node to which the seat that searches has come.
    fn play(&mut self, m: &mut Match, seat: u8, first: u64) -> Ended {
        let mut nodes: [u64; SEATS] = std::array::from_fn(first_node);
        nodes[usize::from(seat)] = first;
        let mut in_tree = [self.trees.is_some(); SEATS];
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = m.decision() else { return ended(m) };
            let (seat, count) = (usize::from(decision.seat), m.choices().len());
            let own = self.limits.filter(|(seat, _)| *seat == decision.seat);
            let allowed = own.map(|(_, limits)| limits.allowed(m, decision, &all(m))).filter(|left| left.len() < count);
            let index = match &mut self.trees {
                Some(trees) if in_tree[seat] => {
                    m.choice_codes(&mut self.room.codes);
                    if let Some(allowed) = &allowed {
                        self.room.codes = allowed.iter().map(|choice| self.room.codes[*choice]).collect();
                    }
                    let node = mix(nodes[seat], decision.prompt_index() as u64 + 1);
                    let prompt = decision.prompt_index();
                    let worth = |code| self.habits.worth(decision.seat, prompt, code);
                    let picked = trees.pick(node, &self.room.codes, worth, self.generator);
                    self.habits.take(decision.seat, prompt, self.room.codes[picked.index]);
                    self.room.path.push((decision.seat, picked.edge));
                    nodes[seat] = mix(node, self.room.codes[picked.index]);
                    in_tree[seat] = !picked.is_new;
                    allowed.map_or(picked.index, |allowed| allowed[picked.index])
                }
                _ => self.habits.pick(m, allowed.as_deref(), self.generator),
            };
            if m.answer(index).is_err() {
                return Ended::Failed;
            }
        }
        Ended::Endless
    }
}

fn ended(m: &Match) -> Ended {
    let Some(outcome) = m.outcome() else { return Ended::Failed };
    let declared = &m.game().declarations().outcome;
    let mut rewards = [0.0; SEATS];
    for (seat, worth) in (0..m.setup().players).zip(&mut rewards) {
        *worth = reward(declared, &outcome, seat);
    }
    Ended::Worth(rewards)
}
