//! The match of a session, whose chance is random or explicit.

use motherlode::{ExplicitChance, Match, MatchError, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

/// A match with its chance.
pub struct Course {
    pub m: Match,
    /// The results chosen by the program; `None`: the seed decides.
    pub chance: Option<ExplicitChance>,
}

/// A point of a course to which it can return.
#[derive(Clone)]
pub struct Bookmark {
    snapshot: Snapshot,
    chance: Option<ExplicitChance>,
}

impl Course {
    /// Begins a match anew; `explicit`: the program chooses the results of chance.
    pub fn begin(mut m: Match, explicit: bool) -> Result<Self, MatchError> {
        let chance = explicit.then(|| ExplicitChance::begin(&mut m)).transpose()?;
        Ok(Self { m, chance })
    }

    /// Begins the match again with this seed.
    pub fn restart(&mut self, seed: u64) -> Result<(), MatchError> {
        let setup = motherlode::Setup { seed, ..self.m.setup().clone() };
        self.m.restart(&setup)?;
        self.chance = self.chance.is_some().then(|| ExplicitChance::begin(&mut self.m)).transpose()?;
        Ok(())
    }

    /// The chance whose draw is open.
    pub fn open_draw(&self) -> Option<&ExplicitChance> {
        self.chance.as_ref().filter(|chance| chance.is_open())
    }

    pub fn answer_as(&mut self, seat: u8, index: usize) -> Result<(), MatchError> {
        match &mut self.chance {
            Some(chance) => chance.answer(&mut self.m, seat, index),
            None => self.m.answer_as(seat, index),
        }
    }

    /// Gives the open draw its result.
    pub fn choose_outcome(&mut self, outcome: u32) -> Result<(), MatchError> {
        match &mut self.chance {
            Some(chance) => chance.choose(&mut self.m, outcome),
            None => Err(MatchError::NoDraw),
        }
    }

    pub fn redeal(&mut self, seat: u8, seed: u64) -> Result<(), MatchError> {
        let rng = &mut Pcg64Mcg::seed_from_u64(seed);
        match &mut self.chance {
            Some(chance) => chance.redeal(&mut self.m, seat, rng),
            None => self.m.redeal(seat, rng),
        }
        .map(|_| ())
    }

    pub fn keep(&self) -> Bookmark {
        Bookmark { snapshot: self.m.snapshot(), chance: self.chance.clone() }
    }

    pub fn restore(&mut self, kept: &Bookmark) -> Result<(), MatchError> {
        match &kept.chance {
            Some(chance) => chance.restore(&mut self.m, &kept.snapshot)?,
            None => self.m.restore(&kept.snapshot)?,
        }
        self.chance.clone_from(&kept.chance);
        Ok(())
    }
}
