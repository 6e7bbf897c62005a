//! Win trajectories: how likely each seat was to win during a game, and when the game was decided.

use motherlode::declare::Goal;
use motherlode::{Game, Match, MatchError, Snapshot};
use motherlode_play::{Bot as _, Random, Watch, first_place, mix, play_out};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::scratch::ScratchPair;

/// Number of positions per trajectory, without the end.
pub const POINTS: usize = 12;

/// Number of playouts from each position.
pub const PLAYOUTS: u64 = 24;

/// Minimum advantage in win share to take the lead. A smaller one may be luck of the playouts.
pub const LEAD: f64 = 0.25;

/// Win shares that differ by at most this are equal.
const ROUNDING: f64 = 1e-9;

/// Derives the seeds of playouts from the seed of the game.
const TRAJECTORY: u64 = 0x636f_7572_7365;

/// A win trajectory: positions of a game at equal intervals, then its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WinTrajectory {
    /// Positions, in order.
    pub points: Vec<TrajectoryPoint>,
}

/// One position of a win trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryPoint {
    /// Share of the answers given so far, from 0 to 1.
    pub at: f64,
    /// Number of the round.
    pub round: i32,
    /// The seat that decides; `None` at the end.
    pub seat: Option<u8>,
    /// Win share of each seat in playouts from here; at the end, its share of first place in the game.
    pub shares: Vec<f64>,
}

impl WinTrajectory {
    /// Returns the leader at each point. A seat takes the lead by an advantage of `LEAD` and keeps it until
    /// another does. At the end the winner leads; `None` for no leader, or a tie at the end.
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

    /// Returns how often the lead passed to another seat.
    #[must_use]
    pub fn changes(&self) -> usize {
        let led: Vec<usize> = self.leaders().into_iter().flatten().collect();
        led.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Returns the share of answers after which the game was decided: from there on, the winner wins at least
    /// half of the playouts.
    #[must_use]
    pub fn decided(&self) -> Option<f64> {
        let likely = self.winner_shares()?;
        let last_doubt = likely.iter().rposition(|share| *share < 0.5);
        self.points.get(last_doubt.map_or(0, |at| at + 1)).map(|point| point.at)
    }

    /// Returns the lowest win share of the winner before the end, and its position (the last of equals).
    #[must_use]
    pub fn lowest(&self) -> Option<(f64, f64)> {
        let likely = self.winner_shares()?;
        let on_the_way = likely.into_iter().zip(&self.points).map(|(share, point)| (share, point.at));
        // Of equal shares, the last one counts.
        on_the_way.min_by(|one, two| one.0.total_cmp(&two.0).then(two.1.total_cmp(&one.1)))
    }

    /// Returns the share of first place that the leader at half time has at the end; `None` if nobody led then.
    #[must_use]
    pub fn middle(&self) -> Option<f64> {
        let middle = self.points.iter().rposition(|point| point.at <= 0.5)?;
        let leader = self.leaders().get(middle).copied().flatten()?;
        self.points.last()?.shares.get(leader).copied()
    }

    /// Returns the share of answers after which the winner was certain: from there on, the winner wins every playout.
    #[must_use]
    pub fn settled(&self) -> Option<f64> {
        let likely = self.winner_shares()?;
        let last_doubt = likely.iter().rposition(|share| *share < 1.0 - ROUNDING);
        self.points.get(last_doubt.map_or(0, |at| at + 1)).map(|point| point.at)
    }

    /// Returns the sum over losers of the share of answers after which this seat wins no playout, and the number of
    /// losers.
    #[must_use]
    pub fn hopeless(&self) -> (f64, f64) {
        let Some(end) = self.points.last().filter(|_| self.winner_shares().is_some()) else { return (0.0, 0.0) };
        let losers = (0..end.shares.len()).filter(|seat| end.shares[*seat] <= 0.0);
        losers.fold((0.0, 0.0), |(rest, losers), seat| {
            let last_chance = self.points.iter().rposition(|point| point.shares[seat] > 0.0);
            let lost = self.points.get(last_chance.map_or(0, |at| at + 1)).unwrap_or(end);
            (rest + 1.0 - lost.at, losers + 1.0)
        })
    }

    /// Returns the number of positions in which this seat decides, wins no playout and two other seats each win at least
    /// `contender`, and the number of all positions in which it decides. Both are 0 with fewer than three seats.
    #[must_use]
    pub fn kingmaking(&self, seat: u8, contender: f64) -> (f64, f64) {
        let decided = self.points.iter().filter(|point| point.shares.len() > 2 && point.seat == Some(seat));
        let decided = decided.filter_map(|point| Some((point.shares.get(usize::from(seat))?, point)));
        decided.fold((0.0, 0.0), |(found, all), (own, point)| {
            let contenders = point.shares.iter().filter(|share| **share >= contender).count();
            let is_kingmaker = *own <= 0.0 && contenders > 1;
            (found + f64::from(u8::from(is_kingmaker)), all + 1.0)
        })
    }

    /// Returns the total win share of the winners at each point; `None` if nobody won, or everybody did.
    fn winner_shares(&self) -> Option<Vec<f64>> {
        let end = &self.points.last()?.shares;
        let won: Vec<usize> = (0..end.len()).filter(|seat| end[*seat] > 0.0).collect();
        let has_losers = !won.is_empty() && won.len() < end.len();
        has_losers.then(|| self.points.iter().map(|point| won.iter().map(|seat| point.shares[*seat]).sum()).collect())
    }
}

fn best(shares: &[f64]) -> Option<usize> {
    (0..shares.len()).max_by(|one, two| shares[*one].total_cmp(&shares[*two]).then(two.cmp(one)))
}

/// Observes finished games: plays random playouts from some of their positions.
///
/// Each playout first redeals the position for the seat that is about to decide. No playout knows anything that
/// this seat could not know.
pub struct TrajectoryObserver {
    playouts: u64,
    scratch: ScratchPair,
    trajectory: WinTrajectory,
}

impl TrajectoryObserver {
    /// Creates an observer with this number of playouts from each position. With 0 it observes nothing.
    #[must_use]
    pub fn new(game: &Game, playouts: u64) -> Self {
        Self { playouts, scratch: ScratchPair::new(game), trajectory: WinTrajectory::default() }
    }

    /// Resets for the next game.
    pub fn begin(&mut self) {
        self.trajectory.points.clear();
    }

    /// Takes the trajectory; `None` if nothing was observed, or a script failed.
    pub fn take(&mut self) -> Option<WinTrajectory> {
        let trajectory = std::mem::take(&mut self.trajectory);
        (!trajectory.points.is_empty()).then_some(trajectory)
    }

    fn observe(&mut self, m: &Match) -> Result<(), MatchError> {
        let [mut again, mut own] = self.scratch.take(m.setup())?;
        let answers = m.answers();
        // In a short game, positions coincide: each counts once.
        let mut due: Vec<usize> = (0..POINTS).map(|point| point * answers.len() / POINTS).collect();
        due.dedup();
        let mut root = Snapshot::default();
        for (given, answer) in answers.iter().enumerate() {
            if due.contains(&given) {
                again.snapshot_into(&mut root);
                let shares = self.playout_shares(&again, &root, &mut own, given as u64);
                #[expect(clippy::cast_precision_loss, reason = "no game has 2^53 answers")]
                let at = given as f64 / answers.len() as f64;
                let seat = again.decision().map(|decision| decision.seat);
                self.trajectory.points.extend(shares.map(|shares| TrajectoryPoint {
                    at,
                    round: again.round(),
                    seat,
                    shares,
                }));
            }
            again.answer_as(answer.seat, usize::from(answer.index))?;
        }
        self.scratch.keep([again, own]);
        if let Some(outcome) = m.outcome() {
            let shares = (0..outcome.ranks.len()).map(|seat| first_place(outcome.won, &outcome.ranks, seat)).collect();
            self.trajectory.points.push(TrajectoryPoint { at: 1.0, round: outcome.rounds, seat: None, shares });
        }
        Ok(())
    }

    /// Returns the win share of each seat over playouts; `None` if every playout failed.
    fn playout_shares(&self, m: &Match, root: &Snapshot, own: &mut Match, point: u64) -> Option<Vec<f64>> {
        let seat = m.decision()?.seat;
        let mut sums = vec![0.0; usize::from(m.setup().players)];
        let mut ended = 0.0;
        for playout in 0..self.playouts {
            let seed = mix(mix(mix(m.setup().seed, TRAJECTORY), point), playout);
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

/// Whether a seat can lead: not in a cooperative or solo game, and not if every player only counts the own score.
#[must_use]
pub fn has_leader(game: &Game, players: u8) -> bool {
    let declared = &game.declarations().outcome;
    players > 1 && !declared.shared && declared.goal != Goal::Score
}

impl Watch for TrajectoryObserver {
    fn ended(&mut self, m: &Match) {
        if self.playouts > 0 && has_leader(m.game(), m.setup().players) && self.observe(m).is_err() {
            self.trajectory.points.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trajectory<const SEATS: usize>(shares: &[[f64; SEATS]]) -> WinTrajectory {
        let last = u32::try_from(shares.len() - 1).unwrap();
        let point = |(number, shares): (u32, &[f64; SEATS])| TrajectoryPoint {
            at: f64::from(number) / f64::from(last),
            round: 1,
            seat: (number < last).then_some(2),
            shares: shares.to_vec(),
        };
        WinTrajectory { points: (0..).zip(shares).map(point).collect() }
    }

    #[test]
    fn the_lead_passes_only_by_a_clear_advantage() {
        let game = trajectory(&[[0.5, 0.5], [0.7, 0.3], [0.45, 0.55], [0.2, 0.8], [1.0, 0.0]]);
        assert_eq!(game.leaders(), [None, Some(0), Some(0), Some(1), Some(0)]);
        assert_eq!(game.changes(), 2);
        assert_eq!(game.middle(), Some(1.0));
        assert_eq!(game.lowest(), Some((0.2, 0.75)));
        assert_eq!(game.decided(), Some(1.0));
    }

    #[test]
    fn a_game_is_decided_once_the_winner_stays_ahead() {
        assert_eq!(trajectory(&[[0.4, 0.6], [0.6, 0.4], [0.9, 0.1], [1.0, 0.0]]).decided(), Some(1.0 / 3.0));
        assert_eq!(trajectory(&[[0.6, 0.4], [0.9, 0.1], [1.0, 0.0]]).decided(), Some(0.0));
        let tie = trajectory(&[[0.6, 0.4], [0.5, 0.5]]);
        assert_eq!((tie.decided(), tie.lowest(), tie.leaders()[1]), (None, None, None));
    }

    #[test]
    fn waiting_begins_where_no_playout_differs_any_more() {
        let game = trajectory(&[[0.5, 0.3, 0.2], [0.6, 0.4, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
        assert_eq!(game.settled(), Some(0.5));
        assert_eq!(game.hopeless(), (0.5 + 0.75, 2.0));
        assert_eq!(game.kingmaking(2, 0.25), (1.0, 4.0), "seat 3 decides everywhere");
        assert_eq!(game.kingmaking(0, 0.25), (0.0, 0.0), "seat 1 never decides");
        assert_eq!(trajectory(&[[0.5, 0.5], [1.0, 0.0]]).kingmaking(1, 0.25), (0.0, 0.0), "two seats");
        let tie = trajectory(&[[0.6, 0.4], [0.5, 0.5]]);
        assert_eq!((tie.settled(), tie.hopeless()), (None, (0.0, 0.0)));
    }
}
