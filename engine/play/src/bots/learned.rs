//! The bot that maximizes a learned value one step ahead.

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, all_choices, random_index, random_order};
use crate::bots::halving::Halving;
use crate::bots::kind::{BotKind, Budget, LEARNED, Variant};
use crate::bots::lookahead::{Deal, Lookahead};
use crate::bots::regret::{RegretDecision, RegretMatching};
use crate::bots::reuse::scratch_match;
use crate::value::evaluator::Evaluator;
use crate::value::loaded::{Value, ValueSelector};

pub static KIND: BotKind = BotKind {
    name: LEARNED,
    budget: None,
    alone: None,
    by_value: Some(Variant {
        plays: "looks one step ahead, over all questions of its turn, with a learned value: evaluates at most 512 positions, and fewer if hooks take many steps",
        make: |parts, value| Box::new(LearnedBot::new(parts.name.clone(), value, None, parts.seed)),
    }),
};

pub static LOOK: BotKind = BotKind {
    name: "look",
    budget: Some(Budget { letter: 'B', of: "positions", per: "decision", usual: 20 }),
    alone: None,
    by_value: Some(Variant {
        plays: "like `learned`, but evaluates `B` positions",
        make: |parts, value| Box::new(LearnedBot::new(parts.name.clone(), value, Some(parts.count), parts.seed)),
    }),
};

/// Default number of positions, times the words of the state: about a millisecond if hooks are short.
const USUAL: usize = 220_000;
const FEWEST: usize = 32;
const MOST: usize = 512;
/// Maximum steps of hooks per decision by default: about a millisecond. Hooks that ask many questions run again for
/// each answer, so positions alone do not bound the work.
pub(crate) const STEPS: i64 = 800_000;
/// The cost of a determinization, in positions.
const OF_A_DEAL: u32 = 2;
/// The same in the middle of a hook, which runs again.
const OF_A_RUN: u32 = 12;
/// Maximum follow-up positions on one determinization: this multiple of the decision's positions, capped at
/// `FOLLOWING`.
const TIMES: u32 = 3;
const FOLLOWING: usize = 192;
/// The same in training. There, each choice is evaluated once, and nothing is redealt in the middle of a hook,
/// because that is slow. Training learns no hidden information this way: it keeps only the results of games and the
/// seats' observations.
const IN_TRAINING: usize = 20;
/// The positions of all seats in training, for a mixed strategy: fewer would teach the noise of short calculations.
const MIXED_IN_TRAINING: u32 = 300;

/// Takes the choice whose position has the highest learned value: `learned`, `look:B+learned`.
///
/// The position after a choice is evaluated once all follow-up questions are answered: the bot searches its own
/// answers, and draws at random those of other seats in the same hook or simultaneous phase. The value is the mean
/// over some determinizations (see [`Bot`]). All choices are evaluated on the same ones, and sequential halving
/// spends the budget of positions on the better choices. If the steps of hooks run out first, the choices not yet
/// evaluated, a random part, are not taken. Features are read from determinizations alone, and only from what the seat
/// sees.
///
/// With a value of mixed strategies, it draws its answer to simultaneous questions from a mixed strategy, computed by
/// regret matching.
pub struct LearnedBot {
    name: String,
    lookahead: Lookahead,
    /// Positions per decision; `None` in training.
    positions: Option<u32>,
    /// Steps of hooks per decision.
    steps: i64,
    generator: Pcg64Mcg,
    scratch: Option<Match>,
    root: Snapshot,
    pass: Vec<usize>,
    /// Selects the value for the number of players; `None` in training.
    selector: Option<ValueSelector>,
    /// Whether it plays mixed strategies.
    is_mixed: bool,
    regret: RegretMatching,
}

impl LearnedBot {
    /// A bot that evaluates `positions` positions per decision; `None`: fewer for a larger state or longer hooks.
    #[must_use]
    pub fn new(name: String, value: &Value, positions: Option<u32>, seed: u64) -> Self {
        let evaluator = value.evaluator();
        let words = evaluator.game().layout().words;
        let steps = if positions.is_some() { i64::MAX } else { STEPS };
        let positions = positions.unwrap_or((USUAL / words.max(1)).clamp(FEWEST, MOST) as u32);
        Self {
            name,
            lookahead: Lookahead::new(evaluator.clone()),
            positions: Some(positions),
            steps,
            generator: Pcg64Mcg::seed_from_u64(seed),
            selector: Some(ValueSelector::new(value)),
            ..Self::for_training(evaluator.clone(), false)
        }
    }

    /// Chooses among `among` with another value.
    pub(crate) fn choose_with(
        &mut self,
        evaluator: &mut Evaluator,
        m: &Match,
        d: Decision,
        among: &[usize],
    ) -> Result<usize, MatchError> {
        std::mem::swap(&mut self.lookahead.evaluator, evaluator);
        let chosen = self.choose_among(m, d, among);
        std::mem::swap(&mut self.lookahead.evaluator, evaluator);
        chosen
    }

    /// Steps of hooks in the last decision.
    #[cfg(test)]
    pub(crate) fn spent_steps(&self) -> i64 {
        self.lookahead.steps
    }

    /// A bot for self-play, with mixed strategies or without.
    pub(crate) fn for_training(evaluator: Evaluator, is_mixed: bool) -> Self {
        Self {
            name: String::new(),
            lookahead: Lookahead::for_training(evaluator),
            positions: None,
            steps: i64::MAX,
            pass: Vec::new(),
            generator: Pcg64Mcg::seed_from_u64(0),
            scratch: None,
            root: Snapshot::default(),
            selector: None,
            is_mixed,
            regret: RegretMatching::default(),
        }
    }
}

impl Bot for LearnedBot {
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
        if let Some(part) = self.selector.as_mut().and_then(|selector| selector.switch_to(m.setup().players)) {
            self.lookahead.evaluator = part.evaluator.clone();
            self.is_mixed = part.is_mixed();
        }
        let Self { lookahead, positions, steps, generator, scratch, root, pass, is_mixed, regret, .. } = self;
        let is_mid_hook = m.is_mid_hook();
        m.snapshot_into(root);
        let own = scratch_match(scratch, m)?;
        if *is_mixed && m.is_simultaneous() {
            lookahead.steps = 0;
            let positions = positions.unwrap_or(MIXED_IN_TRAINING);
            let decision = RegretDecision { root, d, among, positions, until: *steps };
            if let Some(place) = regret.choose(lookahead, own, &decision, generator)? {
                return Ok(among[place]);
            }
        }
        // Evaluate each choice at least once.
        let budget = positions.unwrap_or(0).max(u32::try_from(count).unwrap_or(u32::MAX));
        // Values do not depend on the seat, so in self-play the order of equal choices does not matter.
        let order = if positions.is_some() { random_order(count, generator) } else { (0..count).collect() };
        let mut halving = Halving::new(order, budget);
        let (is_fair, following) = match positions {
            Some(positions) => (true, FOLLOWING.min(positions.saturating_mul(TIMES) as usize)),
            None => (!is_mid_hook, IN_TRAINING),
        };
        let price = if is_mid_hook { OF_A_RUN } else { OF_A_DEAL };
        (lookahead.steps, lookahead.is_random) = (0, false);
        while lookahead.steps < *steps && halving.pass(pass).is_some() {
            let deal = Deal { d, among, tried: pass, is_fair, following, until: *steps };
            let spent = lookahead.deal(own, root, &deal, generator, |place, value| halving.add(place, value))?;
            halving.spend(spent.max(u32::try_from(pass.len()).unwrap_or(u32::MAX)).saturating_add(price));
            // A public position has one deal: without chance, another pass repeats the values.
            if m.game().is_public() && !lookahead.is_random {
                break;
            }
        }
        Ok(among[halving.best().unwrap_or_else(|| random_index(count, generator))])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}
