//! The bot that plays by a learned value, one step ahead.

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, all, any, any_order};
use crate::bots::halving::Halving;
use crate::bots::kind::{BotKind, Budget, LEARNED, Way};
use crate::bots::look::{Deal, Look};
use crate::bots::reuse::own_match;
use crate::value::evaluator::Evaluator;
use crate::value::loaded::{Fitting, Value};

pub static KIND: BotKind = BotKind {
    name: LEARNED,
    budget: None,
    alone: None,
    by_value: Some(Way {
        plays: "looks one step ahead, by what it has learned positions to be worth; takes up to about a millisecond",
        make: |making, value| Box::new(Learned::new(making.name.clone(), value, None, making.seed)),
    }),
};

pub static LOOK: BotKind = BotKind {
    name: "look",
    budget: Some(Budget { letter: 'B', of: "positions", per: "decision", usual: 20 }),
    alone: None,
    by_value: Some(Way {
        plays: "as `learned`, with more or less care",
        make: |making, value| Box::new(Learned::new(making.name.clone(), value, Some(making.count), making.seed)),
    }),
};

/// Positions that a bot looks up for a decision, if nobody says how many: this by the words of the state, which takes up to about a millisecond.
const USUAL: usize = 220_000;
const FEWEST: usize = 32;
const MOST: usize = 512;
/// As many positions as take as long as a deal.
const OF_A_DEAL: u32 = 2;
/// The same in the middle of a hook, which is then run again.
const OF_A_RUN: u32 = 12;
/// Most positions for what the choices lead to, on one deal: so many times those of the decision, and no more than so many.
const TIMES: u32 = 3;
const FOLLOWING: usize = 192;
/// The same in training. There, each choice is looked up once, and nothing is dealt again in the middle of a hook, where it takes long. What it so
/// learns of hidden things it cannot use later: only what came of the games is kept, and what its seats saw.
const IN_TRAINING: usize = 20;

/// Takes the choice after which the position is worth most, by a value that was learned: `learned`, `learned:FILE`.
///
/// The position after a choice is looked up as soon as no question that follows from it is open: to its own it finds the best answers, to what
/// others are asked at the same time or in the middle of the same hook they answer at random. It is the mean over some determinizations (see [`Bot`]): all choices are looked up
/// on the same ones, and the better half of them goes on to more, by sequential halving, until so many positions were looked up. Features are
/// read from these alone, and of them only what the seat sees.
pub struct Learned {
    name: String,
    look: Look,
    /// None in training.
    positions: Option<u32>,
    generator: Pcg64Mcg,
    scratch: Option<Match>,
    root: Snapshot,
    pass: Vec<usize>,
    /// None in training.
    fitting: Option<Fitting>,
}

impl Learned {
    /// A bot that plays by this value, and looks up so many positions for a decision; `None`: as many as take it about a millisecond.
    #[must_use]
    pub fn new(name: String, value: &Value, positions: Option<u32>, seed: u64) -> Self {
        let evaluator = value.evaluator();
        let words = evaluator.game().layout().words;
        let positions = positions.unwrap_or((USUAL / words.max(1)).clamp(FEWEST, MOST) as u32);
        Self {
            name,
            look: Look::new(evaluator.clone()),
            positions: Some(positions),
            generator: Pcg64Mcg::seed_from_u64(seed),
            fitting: Some(Fitting::new(value)),
            ..Self::for_training(evaluator.clone())
        }
    }

    /// Chooses one of these by another value.
    pub(crate) fn choose_with(
        &mut self,
        evaluator: &mut Evaluator,
        m: &Match,
        d: Decision,
        among: &[usize],
    ) -> Result<usize, MatchError> {
        std::mem::swap(&mut self.look.evaluator, evaluator);
        let chosen = self.choose_among(m, d, among);
        std::mem::swap(&mut self.look.evaluator, evaluator);
        chosen
    }

    /// A bot for self-play.
    pub(crate) fn for_training(evaluator: Evaluator) -> Self {
        Self {
            name: String::new(),
            look: Look::for_training(evaluator),
            positions: None,
            pass: Vec::new(),
            generator: Pcg64Mcg::seed_from_u64(0),
            scratch: None,
            root: Snapshot::default(),
            fitting: None,
        }
    }
}

impl Bot for Learned {
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
        if let Some(part) = self.fitting.as_mut().and_then(|fitting| fitting.other(m.setup().players)) {
            self.look.evaluator = part.evaluator.clone();
        }
        let Self { look, positions, generator, scratch, root, pass, .. } = self;
        let is_mid_hook = m.is_mid_hook();
        m.snapshot_into(root);
        let own = own_match(scratch, m)?;
        // Each is looked up once, at least.
        let budget = positions.unwrap_or(0).max(u32::try_from(count).unwrap_or(u32::MAX));
        // Values know no seat by its name: in self-play it does not matter which of equals comes first.
        let order = if positions.is_some() { any_order(count, generator) } else { (0..count).collect() };
        let mut halving = Halving::new(order, budget);
        let (is_fair, following) = match positions {
            Some(positions) => (true, FOLLOWING.min(positions.saturating_mul(TIMES) as usize)),
            None => (!is_mid_hook, IN_TRAINING),
        };
        let price = if is_mid_hook { OF_A_RUN } else { OF_A_DEAL };
        while halving.pass(pass).is_some() {
            let deal = Deal { d, among, tried: pass, is_fair, following };
            let looked = look.deal(own, root, &deal, generator, |place, value| halving.add(place, value))?;
            halving.spend(looked.max(u32::try_from(pass.len()).unwrap_or(u32::MAX)).saturating_add(price));
        }
        Ok(among[halving.best().unwrap_or_else(|| any(count, generator))])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}
