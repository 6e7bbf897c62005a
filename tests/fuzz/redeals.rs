//! Redeals of generated games (zones of every visibility, faces, marks, sets) after answers and edits in any order. A
//! redeal keeps the seat's observation and choices, and its result can be saved and redealt like any match.

use motherlode::{Match, MatchError};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand_pcg::Pcg64Mcg;

use super::driver::{Outcomes, Target, fuzz};
use crate::knowledge::known;
use crate::knowledge::open::{begin, edit};
use crate::twins::SplitMix64;

/// Number of generated games.
const GAMES: u64 = 24;

struct Redeals {
    /// Two matches of each game: one to play, one to redeal.
    matches: Vec<[Match; 2]>,
}

impl Redeals {
    /// Redeals a copy of a match for the asked seat and compares its information.
    fn redeal([m, other]: &mut [Match; 2], seed: u64, seen: &mut Outcomes) -> Result<(), String> {
        let Some(decision) = m.decision() else { return Ok(()) };
        let failed = |error: MatchError| error.to_string();
        other.restore(&m.snapshot()).map_err(failed)?;
        let deals = match other.redeal(decision.seat, &mut Pcg64Mcg::seed_from_u64(seed)) {
            Ok(deals) => deals,
            Err(MatchError::NoDeal { .. }) => {
                seen.outcome("no deal");
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        // Records the shape of the observation with the phase, without numbers and names.
        let seat = serde_json::to_string(&other.observe(Some(decision.seat))).unwrap_or_default();
        seen.outcome(&format!("{} {} {seat}", m.phase(), if deals > 1 { "again" } else { "once" }));
        if known(m, decision.seat) != known(other, decision.seat) {
            return Err(format!("seat {} notices the redeal of seed {seed}", decision.seat));
        }
        let words = other.state().words().to_vec();
        other.restore(&other.snapshot()).map_err(failed)?;
        if other.state().words() != words {
            return Err("a redealt match is restored as another".into());
        }
        Ok(())
    }
}

impl Target for Redeals {
    const NAME: &'static str = "redeals";
    const GENES: std::ops::Range<usize> = 4..24;
    const INPUTS: u64 = 300;

    fn new() -> Self {
        Self { matches: (0..GAMES).map(|seed| [begin(seed), begin(seed)]).collect() }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let at = first as usize % self.matches.len();
        let pair = &mut self.matches[at];
        let setup = motherlode::Setup { seed: u64::from(first), ..pair[0].setup().clone() };
        pair[0].restart(&setup).map_err(|error| error.to_string())?;
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            let done = match random.below(4) {
                0 => {
                    let count = pair[0].choices().len();
                    if count > 0 { pair[0].answer(random.below(count)).map(|_| ()) } else { Ok(()) }
                }
                1 => {
                    edit(&mut pair[0], &mut StdRng::seed_from_u64(gene.into()));
                    Ok(())
                }
                _ => {
                    Self::redeal(pair, gene.into(), seen)?;
                    seen.execution();
                    Ok(())
                }
            };
            done.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

#[test]
fn a_redeal_keeps_the_seats_information() {
    fuzz::<Redeals>();
}
