//! A cheap playout policy: the mean result of each choice in earlier playouts, whatever the position.

use motherlode::Match;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;
use crate::seeds::mix;

/// Slots for averages, a power of two. Choices whose hashes collide share a slot.
const SLOTS: usize = 1 << 13;
/// Fraction of each average that carries over to the next decision.
const RETAINED: f32 = 0.5;
/// Weight of the prior, in playouts: each average starts with this many results equal to the seat's overall mean.
const PRIOR: f32 = 2.0;
/// Choices sampled per answer; the best of them is played.
const SAMPLED: usize = 3;
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
    seat_means: Vec<Average>,
    /// The answers of the current playout: seat and slot.
    answers: Vec<(u8, u16)>,
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

    fn discount(&mut self) {
        self.total *= RETAINED;
        self.count *= RETAINED;
    }

    fn mean(self) -> f32 {
        self.total / self.count.max(1.0)
    }
}

impl PlayoutPolicy {
    /// A policy without results.
    pub fn new(seats: usize) -> Self {
        let none = Average::default();
        Self { averages: vec![none; SLOTS], seat_means: vec![none; seats], answers: Vec::new() }
    }

    /// Forgets all results, before a new game.
    pub fn clear(&mut self) {
        self.averages.fill(Average::default());
        self.seat_means.fill(Average::default());
    }

    /// Discounts earlier results, before the next decision.
    pub fn discount(&mut self) {
        self.averages.iter_mut().chain(&mut self.seat_means).for_each(Average::discount);
    }

    /// Begins a playout and drops the answers of a failed one.
    pub fn begin(&mut self) {
        self.answers.clear();
    }

    /// The mean result of a choice, given by its [code](Match::choice_codes).
    pub fn mean_result(&self, seat: u8, prompt: usize, code: u64) -> f64 {
        self.at(seat, slot(seat, prompt, code)).into()
    }

    /// Records an answer of the current playout.
    pub fn take(&mut self, seat: u8, prompt: usize, code: u64) {
        self.answers.push((seat, slot(seat, prompt, code)));
    }

    /// Drops the last answer of the current playout.
    pub fn take_back(&mut self) {
        self.answers.pop();
    }

    /// Picks an answer to the current decision, restricted to `among` if given.
    pub fn pick(&mut self, m: &Match, among: Option<&[usize]>, generator: &mut Pcg64Mcg) -> usize {
        let count = among.map_or(m.choices().len(), <[usize]>::len);
        let nth = |slot: usize| among.map_or(slot, |among| among[slot]);
        let Some(decision) = m.decision().filter(|_| count > 1) else { return nth(0) };
        let samples = if random_index(100, generator) < RANDOM { 1 } else { SAMPLED.min(count) };
        let first = random_index(count, generator);
        let (mut best, mut most, mut of_best) = (0, f32::NEG_INFINITY, 0);
        for step in 0..samples {
            let index = match step {
                _ if count <= SAMPLED => (first + step) % count,
                0 => first,
                _ => random_index(count, generator),
            };
            let slot = slot(decision.seat, decision.prompt_index(), m.choice_code(nth(index)));
            let mean_result = self.at(decision.seat, slot);
            if mean_result > most {
                (best, most, of_best) = (index, mean_result, slot);
            }
        }
        self.answers.push((decision.seat, of_best));
        nth(best)
    }

    /// Credits the rewards of all seats to the answers of the finished playout.
    pub fn reward(&mut self, rewards: &[f64]) {
        self.seat_means.iter_mut().zip(rewards).for_each(|(seat_means, &reward)| seat_means.add(reward));
        for (seat, slot) in self.answers.drain(..) {
            self.averages[usize::from(slot)].add(rewards[usize::from(seat)]);
        }
    }

    fn at(&self, seat: u8, slot: u16) -> f32 {
        let (average, seat_means) = (self.averages[usize::from(slot)], self.seat_means[usize::from(seat)].mean());
        (average.total + PRIOR * seat_means) / (average.count + PRIOR)
    }
}

fn slot(seat: u8, prompt: usize, code: u64) -> u16 {
    (mix(mix(u64::from(seat), prompt as u64), code) % SLOTS as u64) as u16
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
        let mean_result = |policy: &PlayoutPolicy, code| policy.mean_result(1, 3, code);
        let [good, new, bad] = [7, 9, 8].map(|code| mean_result(&policy, code));
        assert!(good > new + 0.2 && new > bad + 0.2, "{good} {new} {bad}");
        assert!((policy.mean_result(0, 3, 7) - 0.5).abs() < 1e-6, "another seat has not tried it");
        policy.discount();
        assert!(mean_result(&policy, 7) > new && mean_result(&policy, 7) < good);
        policy.clear();
        assert_eq!(mean_result(&policy, 7), mean_result(&policy, 8));
    }

    #[test]
    fn a_failed_playout_changes_no_mean() {
        let mut policy = PlayoutPolicy::new(1);
        policy.take(0, 0, 1);
        policy.begin();
        policy.reward(&[1.0]);
        assert_eq!(policy.mean_result(0, 0, 1), policy.mean_result(0, 0, 2));
    }
}
