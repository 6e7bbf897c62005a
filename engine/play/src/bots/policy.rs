//! A cheap playout policy: the mean result of each choice in earlier playouts, whatever the position.

use motherlode::Match;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;
use crate::seeds::mix;

/// Slots for averages, a power of two. Choices whose hashes collide share a slot.
const PLACES: usize = 1 << 13;
/// Fraction of each average that carries over to the next decision.
const KEPT: f32 = 0.5;
/// Weight of the prior, in playouts: each average starts with this many results equal to the seat's overall mean.
const PRIOR: f32 = 2.0;
/// Choices sampled per answer; the best of them is played.
const DRAWN: usize = 3;
/// Percentage of answers played uniformly at random. With 20, searches of games with few choices play worse than
/// without this policy.
const RANDOM: usize = 50;

/// The move-average sampling technique (MAST; Finnsson and Björnsson, "Simulation-based approach to general game
/// playing", 2008): keeps the mean result of the playouts in which a seat took a choice.
///
/// MAST draws from all choices by their averages. This policy samples a few choices and takes the best of them,
/// because looking up the averages of many choices costs more than playing one.
pub(crate) struct PlayoutPolicy {
    averages: Vec<Average>,
    /// The mean of all results of each seat.
    usual: Vec<Average>,
    /// The answers of the current playout: seat and slot.
    taken: Vec<(u8, u16)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Average {
    total: f32,
    count: f32,
}

impl Average {
    fn add(&mut self, result: f64) {
        self.total += result as f32;
        self.count += 1.0;
    }

    fn fade(&mut self) {
        self.total *= KEPT;
        self.count *= KEPT;
    }

    fn mean(self) -> f32 {
        self.total / self.count.max(1.0)
    }
}

impl PlayoutPolicy {
    /// A policy without results.
    pub fn new(seats: usize) -> Self {
        let none = Average::default();
        Self { averages: vec![none; PLACES], usual: vec![none; seats], taken: Vec::new() }
    }

    /// Forgets all results, before a new game.
    pub fn clear(&mut self) {
        self.averages.fill(Average::default());
        self.usual.fill(Average::default());
    }

    /// Discounts earlier results, before the next decision.
    pub fn fade(&mut self) {
        self.averages.iter_mut().chain(&mut self.usual).for_each(Average::fade);
    }

    /// Begins a playout and drops the answers of a failed one.
    pub fn begin(&mut self) {
        self.taken.clear();
    }

    /// The mean result of a choice, given by its [code](Match::choice_codes).
    pub fn worth(&self, seat: u8, prompt: usize, code: u64) -> f64 {
        self.at(seat, place(seat, prompt, code)).into()
    }

    /// Records an answer of the current playout.
    pub fn take(&mut self, seat: u8, prompt: usize, code: u64) {
        self.taken.push((seat, place(seat, prompt, code)));
    }

    /// Picks an answer to the current decision, restricted to `among` if given.
    pub fn pick(&mut self, m: &Match, among: Option<&[usize]>, generator: &mut Pcg64Mcg) -> usize {
        let count = among.map_or(m.choices().len(), <[usize]>::len);
        let nth = |place: usize| among.map_or(place, |among| among[place]);
        let Some(decision) = m.decision().filter(|_| count > 1) else { return nth(0) };
        let drawn = if random_index(100, generator) < RANDOM { 1 } else { DRAWN.min(count) };
        let first = random_index(count, generator);
        let (mut best, mut most, mut of_best) = (0, f32::NEG_INFINITY, 0);
        for step in 0..drawn {
            let index = match step {
                _ if count <= DRAWN => (first + step) % count,
                0 => first,
                _ => random_index(count, generator),
            };
            let place = place(decision.seat, decision.prompt_index(), m.choice_code(nth(index)));
            let worth = self.at(decision.seat, place);
            if worth > most {
                (best, most, of_best) = (index, worth, place);
            }
        }
        self.taken.push((decision.seat, of_best));
        nth(best)
    }

    /// Credits the rewards of all seats to the answers of the finished playout.
    pub fn reward(&mut self, rewards: &[f64]) {
        self.usual.iter_mut().zip(rewards).for_each(|(usual, &reward)| usual.add(reward));
        for (seat, place) in self.taken.drain(..) {
            self.averages[usize::from(place)].add(rewards[usize::from(seat)]);
        }
    }

    fn at(&self, seat: u8, place: u16) -> f32 {
        let (average, usual) = (self.averages[usize::from(place)], self.usual[usize::from(seat)].mean());
        (average.total + PRIOR * usual) / (average.count + PRIOR)
    }
}

fn place(seat: u8, prompt: usize, code: u64) -> u16 {
    (mix(mix(u64::from(seat), prompt as u64), code) % PLACES as u64) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_results_raise_the_mean_and_fade_slowly() {
        let mut policy = PlayoutPolicy::new(2);
        for _ in 0..8 {
            for (code, reward) in [(7, 0.9), (8, 0.1)] {
                policy.begin();
                policy.take(1, 3, code);
                policy.reward(&[0.5, reward]);
            }
        }
        let worth = |policy: &PlayoutPolicy, code| policy.worth(1, 3, code);
        let [good, new, bad] = [7, 9, 8].map(|code| worth(&policy, code));
        assert!(good > new + 0.2 && new > bad + 0.2, "{good} {new} {bad}");
        assert!((policy.worth(0, 3, 7) - 0.5).abs() < 1e-6, "another seat has not tried it");
        policy.fade();
        assert!(worth(&policy, 7) > new && worth(&policy, 7) < good);
        policy.clear();
        assert_eq!(worth(&policy, 7), worth(&policy, 8));
    }

    #[test]
    fn a_failed_playout_changes_no_mean() {
        let mut policy = PlayoutPolicy::new(1);
        policy.take(0, 0, 1);
        policy.begin();
        policy.reward(&[1.0]);
        assert_eq!(policy.worth(0, 0, 1), policy.worth(0, 0, 2));
    }
}
