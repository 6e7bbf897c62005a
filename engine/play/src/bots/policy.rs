//! What has paid in playouts, whatever the position: a policy for playouts that costs hardly more than chance.

use motherlode::Match;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::any;
use crate::seeds::mix;

/// Places for averages, a power of two. Two choices that meet in one place share it.
const PLACES: usize = 1 << 13;
/// What is left of an average when the next decision is searched.
const KEPT: f32 = 0.5;
/// A choice counts as if so many results like all others had been found for it before.
const PRIOR: f32 = 2.0;
/// Choices that are drawn, of which the best is taken.
const DRAWN: usize = 3;
/// Of a hundred answers, so many are given at random. With 20, searches of games with few choices play worse than with none of this.
const RANDOM: usize = 50;

/// The move-average sampling technique (Finnsson and Björnsson, "Simulation-based approach to general game playing", 2008): for each seat
/// and choice, the mean result of the playouts in which it was taken. Where that draws from all choices by their averages, this takes the best of a few
/// that are drawn at random: to look up what each of many choices is costs more than to play one.
pub(crate) struct Habits {
    averages: Vec<Average>,
    /// Of all results of each seat.
    usual: Vec<Average>,
    /// Whose answers were given in this playout, and the places of their averages.
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

impl Habits {
    /// Nothing has been found yet.
    pub fn new(seats: usize) -> Self {
        let none = Average::default();
        Self { averages: vec![none; PLACES], usual: vec![none; seats], taken: Vec::new() }
    }

    /// Another game begins.
    pub fn clear(&mut self) {
        self.averages.fill(Average::default());
        self.usual.fill(Average::default());
    }

    /// Another decision is searched.
    pub fn fade(&mut self) {
        self.averages.iter_mut().chain(&mut self.usual).for_each(Average::fade);
    }

    /// A playout begins; what was given in one that came to nothing is forgotten.
    pub fn begin(&mut self) {
        self.taken.clear();
    }

    /// What an answer has brought, by the [code](Match::choice_codes) of the choice.
    pub fn worth(&self, seat: u8, prompt: usize, code: u64) -> f64 {
        self.at(seat, place(seat, prompt, code)).into()
    }

    /// An answer was given.
    pub fn take(&mut self, seat: u8, prompt: usize, code: u64) {
        self.taken.push((seat, place(seat, prompt, code)));
    }

    /// An answer for whoever is asked, one of `among` if that is given.
    pub fn pick(&mut self, m: &Match, among: Option<&[usize]>, generator: &mut Pcg64Mcg) -> usize {
        let count = among.map_or(m.choices().len(), <[usize]>::len);
        let nth = |place: usize| among.map_or(place, |among| among[place]);
        let Some(decision) = m.decision().filter(|_| count > 1) else { return nth(0) };
        let drawn = if any(100, generator) < RANDOM { 1 } else { DRAWN.min(count) };
        let first = any(count, generator);
        let (mut best, mut most, mut of_best) = (0, f32::NEG_INFINITY, 0);
        for step in 0..drawn {
            let index = match step {
                _ if count <= DRAWN => (first + step) % count,
                0 => first,
                _ => any(count, generator),
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

    /// A playout has ended, with these results of all seats.
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
    fn what_has_paid_is_worth_more_and_is_forgotten_slowly() {
        let mut habits = Habits::new(2);
        for _ in 0..8 {
            for (code, reward) in [(7, 0.9), (8, 0.1)] {
                habits.begin();
                habits.take(1, 3, code);
                habits.reward(&[0.5, reward]);
            }
        }
        let worth = |habits: &Habits, code| habits.worth(1, 3, code);
        let [good, new, bad] = [7, 9, 8].map(|code| worth(&habits, code));
        assert!(good > new + 0.2 && new > bad + 0.2, "{good} {new} {bad}");
        assert!((habits.worth(0, 3, 7) - 0.5).abs() < 1e-6, "another seat has not tried it");
        habits.fade();
        assert!(worth(&habits, 7) > new && worth(&habits, 7) < good);
        habits.clear();
        assert_eq!(worth(&habits, 7), worth(&habits, 8));
    }

    #[test]
    fn a_playout_that_came_to_nothing_says_nothing() {
        let mut habits = Habits::new(1);
        habits.take(0, 0, 1);
        habits.begin();
        habits.reward(&[1.0]);
        assert_eq!(habits.worth(0, 0, 1), habits.worth(0, 0, 2));
    }
}
