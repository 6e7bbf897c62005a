//! Sequential halving: divides a budget of playouts among the choices of a decision.

/// Sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).
///
/// There are as many rounds as halvings from all choices down to one. Each round gets an equal share of the budget;
/// after it, the better half of the choices remains. A pass tries each remaining choice once, all on the same
/// determinization. The whole budget is spent, and no more. If it is smaller than the number of choices, only that
/// many are tried, in the given order.
pub(crate) struct Halving {
    /// The remaining choices in trial order: the given order at first, then by mean result after each round.
    alive: Vec<usize>,
    tallies: Vec<Tally>,
    /// Playouts left.
    left: u32,
    /// Playouts left in this round.
    of_round: u32,
    rounds: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    total: f64,
    playouts: u32,
}

impl Tally {
    /// The mean; negative infinity without playouts.
    fn mean(self) -> f64 {
        if self.playouts == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.playouts) }
    }
}

impl Halving {
    /// Spends `budget` playouts on these choices.
    pub fn new(order: Vec<usize>, budget: u32) -> Self {
        let tallies = vec![Tally::default(); order.iter().max().map_or(0, |last| last + 1)];
        let rounds = order.len().next_power_of_two().trailing_zeros().max(1);
        let mut new = Self { alive: order, tallies, left: budget, of_round: 0, rounds };
        new.begin_round();
        new
    }

    fn begin_round(&mut self) {
        let share = self.left / self.rounds.max(1);
        let alive = u32::try_from(self.alive.len()).unwrap_or(u32::MAX);
        // Whole passes only; the remainder goes to later rounds. If the budget is less than one pass, spend it at
        // once on some of the choices.
        self.of_round = match share / alive {
            _ if self.rounds <= 1 => self.left,
            0 => self.left.min(alive),
            passes => passes * alive,
        };
    }

    /// Writes the choices to try on the next determinization, each of which costs one [`spend`](Self::spend); `None`
    /// if the budget is spent.
    pub fn pass(&mut self, into: &mut Vec<usize>) -> Option<()> {
        while self.of_round == 0 {
            if self.left == 0 {
                return None;
            }
            self.alive.sort_by(|&one, &other| self.tallies[other].mean().total_cmp(&self.tallies[one].mean()));
            let half = self.alive.len().div_ceil(2);
            self.alive.truncate(half);
            self.rounds = self.rounds.saturating_sub(1);
            self.begin_round();
        }
        into.clear();
        into.extend(self.alive.iter().copied().take(self.of_round as usize));
        Some(())
    }

    /// Spends playouts, with or without a result.
    pub fn spend(&mut self, playouts: u32) {
        self.left = self.left.saturating_sub(playouts);
        self.of_round = self.of_round.saturating_sub(playouts);
    }

    /// Adds the result of a playout.
    pub fn add(&mut self, choice: usize, reward: f64) {
        let tally = &mut self.tallies[choice];
        tally.total += reward;
        tally.playouts += 1;
    }

    /// The best remaining choice, the first among equals; `None` if no playout had a result.
    pub fn best(&self) -> Option<usize> {
        let mean = |choice: usize| self.tallies[choice].mean();
        let better = |one, other| if mean(other) > mean(one) { other } else { one };
        let tried = |choice: &usize| self.tallies[*choice].playouts > 0;
        self.alive.iter().copied().filter(tried).reduce(better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each choice is tried; later choices are better.
    fn spent(choices: usize, budget: u32) -> (Vec<u32>, Option<usize>) {
        let mut halving = Halving::new((0..choices).collect(), budget);
        let (mut tried, mut pass) = (vec![0; choices], Vec::new());
        while halving.pass(&mut pass).is_some() {
            for &choice in &pass {
                halving.spend(1);
                halving.add(choice, choice as f64);
                tried[choice] += 1;
            }
        }
        (tried, halving.best())
    }

    #[test]
    fn exactly_the_budget_is_spent() {
        for choices in 1..40 {
            for budget in [1, 2, 3, 7, 16, 50, 64, 100, 257] {
                let (tried, best) = spent(choices, budget);
                assert_eq!(tried.iter().sum::<u32>(), budget, "{choices} choices");
                assert_eq!(best, Some(choices.min(budget as usize) - 1), "{budget} for {choices} choices: {tried:?}");
            }
        }
    }

    #[test]
    fn the_better_half_is_tried_twice_as_often() {
        assert_eq!(spent(8, 96).0, [4, 4, 4, 4, 12, 12, 28, 28]);
        assert_eq!(spent(2, 9).0, [5, 4]);
    }

    #[test]
    fn among_equals_the_first_in_the_order_given_is_best() {
        let mut halving = Halving::new(vec![2, 0, 1], 9);
        let mut pass = Vec::new();
        while halving.pass(&mut pass).is_some() {
            for &choice in &pass {
                halving.spend(1);
                halving.add(choice, 0.5);
            }
        }
        assert_eq!(halving.best(), Some(2));
    }

    #[test]
    fn choices_without_results_are_never_best() {
        let mut halving = Halving::new(vec![0, 1, 2], 3);
        let mut pass = Vec::new();
        halving.pass(&mut pass).unwrap();
        (0..3).for_each(|_| halving.spend(1));
        assert_eq!(halving.best(), None);
        halving.add(2, -1.0);
        assert_eq!(halving.best(), Some(2));
    }
}
