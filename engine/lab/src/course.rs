//! How games went: who was likely to win, and when that was decided.

use motherlode::{Game, Match, MatchError, Snapshot};
use motherlode_play::{Bot as _, Random, Watch, first_place, mix, play_out};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// Positions at which a course is looked at, besides the end.
pub const POINTS: usize = 12;

/// Playouts of each position.
pub const PLAYOUTS: u64 = 24;

/// Who is ahead by this much takes the lead: less may be luck of the playouts.
pub const LEAD: f64 = 0.25;

/// The number that mixes the seeds of playouts from that of the game.
const COURSE: u64 = 0x636f_7572_7365;

/// How a game went: its positions at even steps, the end being the last.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// In order.
    pub points: Vec<Point>,
}

/// One position of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Part of the answers that had been given, from 0 to 1.
    pub at: f64,
    /// The round.
    pub round: i32,
    /// By seat, the part of the first places in playouts from there; at the end, of the game itself.
    pub shares: Vec<f64>,
}

impl Course {
    /// Who leads at each point: whoever first is ahead by [`LEAD`], until another is. At the end it is the winner; `None` for no lead, or for a tie.
    #[must_use]
    pub fn leaders(&self) -> Vec<Option<usize>> {
        let mut leader: Option<usize> = None;
        let mut found: Vec<Option<usize>> = Vec::new();
        for (number, point) in self.points.iter().enumerate() {
            let best = best(&point.shares);
            let behind = |best: usize| {
                let others = point.shares.iter().enumerate().filter(|(seat, _)| *seat != best);
                let rival = match leader {
                    Some(leader) => point.shares.get(leader).copied(),
                    None => others.map(|(_, share)| *share).max_by(f64::total_cmp),
                };
                rival.unwrap_or_default()
            };
            if number + 1 == self.points.len() {
                let ties = point.shares.iter().filter(|share| **share == point.shares[best.unwrap_or(0)]).count();
                leader = best.filter(|_| ties == 1);
            } else if let Some(best) = best
                && leader != Some(best)
                && point.shares[best] - behind(best) >= LEAD
            {
                leader = Some(best);
            }
            found.push(leader);
        }
        found
    }

    /// How often the lead passed from one seat to another.
    #[must_use]
    pub fn changes(&self) -> usize {
        let led: Vec<usize> = self.leaders().into_iter().flatten().collect();
        led.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The part of the answers after which whoever won never again won less than half of the playouts.
    #[must_use]
    pub fn decided(&self) -> Option<f64> {
        let likely = self.of_winners()?;
        let last_doubt = likely.iter().rposition(|share| *share < 0.5);
        self.points.get(last_doubt.map_or(0, |at| at + 1)).map(|point| point.at)
    }

    /// The least that whoever won had of the first places on the way, and where.
    #[must_use]
    pub fn lowest(&self) -> Option<(f64, f64)> {
        let likely = self.of_winners()?;
        let on_the_way = likely.into_iter().zip(&self.points).map(|(share, point)| (share, point.at));
        // The latest of equals.
        on_the_way.min_by(|one, two| one.0.total_cmp(&two.0).then(two.1.total_cmp(&one.1)))
    }

    /// Whether whoever led in the middle won: 1, a part of it if several did, 0; `None` if nobody led.
    #[must_use]
    pub fn middle(&self) -> Option<f64> {
        let middle = self.points.iter().rposition(|point| point.at <= 0.5)?;
        let leader = self.leaders().get(middle).copied().flatten()?;
        self.points.last()?.shares.get(leader).copied()
    }

    /// What those who won had together at each point; `None` if nobody won, or all did.
    fn of_winners(&self) -> Option<Vec<f64>> {
        let end = &self.points.last()?.shares;
        let won: Vec<usize> = (0..end.len()).filter(|seat| end[*seat] > 0.0).collect();
        let told = !won.is_empty() && won.len() < end.len();
        told.then(|| self.points.iter().map(|point| won.iter().map(|seat| point.shares[*seat]).sum()).collect())
    }
}

fn best(shares: &[f64]) -> Option<usize> {
    (0..shares.len()).max_by(|one, two| shares[*one].total_cmp(&shares[*two]).then(two.cmp(one)))
}

/// Plays each game again when it has ended, and on from some of its positions to the end at random.
///
/// Before each playout the position is dealt again as the seat knows it that was to decide: what nobody at the table could see coming, no
/// playout knows.
pub struct Courses {
    game: Game,
    playouts: u64,
    scratch: Option<[Match; 2]>,
    course: Course,
}

impl Courses {
    /// With so many playouts of each position; without any, it looks at nothing.
    #[must_use]
    pub fn new(game: &Game, playouts: u64) -> Self {
        Self { game: game.clone(), playouts, scratch: None, course: Course::default() }
    }

    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.course.points.clear();
    }

    /// How the game went; `None` if nothing was looked at, or a script failed.
    pub fn take(&mut self) -> Option<Course> {
        let course = std::mem::take(&mut self.course);
        (!course.points.is_empty()).then_some(course)
    }

    fn look(&mut self, m: &Match) -> Result<(), MatchError> {
        let [mut again, mut own] = match self.scratch.take() {
            Some(mut both) => {
                for one in &mut both {
                    one.restart(m.setup())?;
                }
                both
            }
            None => [Match::new(&self.game, m.setup())?, Match::new(&self.game, m.setup())?],
        };
        again.set_recording(false);
        own.set_recording(false);
        let answers = m.answers();
        // Of a short game, no position twice.
        let mut due: Vec<usize> = (0..POINTS).map(|point| point * answers.len() / POINTS).collect();
        due.dedup();
        let mut root = Snapshot::default();
        for (given, answer) in answers.iter().enumerate() {
            if due.contains(&given) {
                again.snapshot_into(&mut root);
                let shares = self.play_on(&again, &root, &mut own, given as u64);
                #[expect(clippy::cast_precision_loss, reason = "no game has 2^53 answers")]
                let at = given as f64 / answers.len() as f64;
                self.course.points.extend(shares.map(|shares| Point { at, round: again.round(), shares }));
            }
            again.answer_as(answer.seat, usize::from(answer.index))?;
        }
        self.scratch = Some([again, own]);
        if let Some(outcome) = m.outcome() {
            let shares = (0..outcome.ranks.len()).map(|seat| first_place(outcome.won, &outcome.ranks, seat)).collect();
            self.course.points.push(Point { at: 1.0, round: outcome.rounds, shares });
        }
        Ok(())
    }

    /// The part of the first places of each seat in playouts; `None` if none came to an end.
    fn play_on(&self, m: &Match, root: &Snapshot, own: &mut Match, point: u64) -> Option<Vec<f64>> {
        let seat = m.decision()?.seat;
        let mut sums = vec![0.0; usize::from(m.setup().players)];
        let mut ended = 0.0;
        for playout in 0..self.playouts {
            let seed = mix(mix(mix(m.setup().seed, COURSE), point), playout);
            if own.restore(root).is_err() || own.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).is_err() {
                continue;
            }
            let mut bots = vec![Random::new(0); sums.len()];
            for (bot, number) in bots.iter_mut().zip(1..) {
                bot.reseed(mix(seed, number));
            }
            if play_out(own, &mut bots, &mut (), &mut 0).is_err() {
                continue;
            }
            if let Some(outcome) = own.outcome() {
                let shares = (0..).map(|seat| first_place(outcome.won, &outcome.ranks, seat));
                sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
                ended += 1.0;
            }
        }
        (ended > 0.0).then(|| sums.into_iter().map(|sum| sum / ended).collect())
    }
}

impl Watch for Courses {
    fn ended(&mut self, m: &Match) {
        // In a cooperative game, and alone, nobody leads.
        let alone = m.setup().players < 2 || m.game().declarations().outcome.won.is_some();
        if self.playouts > 0 && !alone && self.look(m).is_err() {
            self.course.points.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(shares: &[[f64; 2]]) -> Course {
        let last = u32::try_from(shares.len() - 1).unwrap();
        let point = |(number, shares): (u32, &[f64; 2])| Point {
            at: f64::from(number) / f64::from(last),
            round: 1,
            shares: shares.to_vec(),
        };
        Course { points: (0..).zip(shares).map(point).collect() }
    }

    #[test]
    fn the_lead_passes_only_when_another_is_clearly_ahead() {
        let game = course(&[[0.5, 0.5], [0.7, 0.3], [0.45, 0.55], [0.2, 0.8], [1.0, 0.0]]);
        assert_eq!(game.leaders(), [None, Some(0), Some(0), Some(1), Some(0)]);
        assert_eq!(game.changes(), 2);
        assert_eq!(game.middle(), Some(1.0));
        assert_eq!(game.lowest(), Some((0.2, 0.75)));
        assert_eq!(game.decided(), Some(1.0));
    }

    #[test]
    fn a_game_is_decided_once_the_winner_stays_likely() {
        assert_eq!(course(&[[0.4, 0.6], [0.6, 0.4], [0.9, 0.1], [1.0, 0.0]]).decided(), Some(1.0 / 3.0));
        assert_eq!(course(&[[0.6, 0.4], [0.9, 0.1], [1.0, 0.0]]).decided(), Some(0.0));
        let tie = course(&[[0.6, 0.4], [0.5, 0.5]]);
        assert_eq!((tie.decided(), tie.lowest(), tie.leaders()[1]), (None, None, None));
    }
}
