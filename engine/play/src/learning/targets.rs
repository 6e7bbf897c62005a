//! What the positions of a game teach: targets for a value that learns from its own games.

/// How the target of a position is made of what follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Targets {
    /// How much what follows counts, up to the result, and not what the value thinks of the next position that is kept, from 0 to 1
    /// (TD(lambda): Sutton 1988). Of results alone a value learns slowly, and of its own opinion nothing that pays late.
    pub lambda: f64,
    /// Of that opinion, only the difference between the seats counts: what all are worth together is known from the result. A value that
    /// learns from itself can forget it in a long game, take every seat for a winner at the beginning, and think nothing of what pays
    /// late. In games of few rounds, where there is little to forget, values became worse.
    pub is_centred: bool,
}

impl Default for Targets {
    fn default() -> Self {
        Self { lambda: 0.6, is_centred: false }
    }
}

impl Targets {
    /// Makes of the targets of a position, one a seat, those of the position before it, given what the value thinks of this one.
    pub(crate) fn before(self, targets: &mut [f64], values: &[f64]) {
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
        // A seat alone may hope for any score.
        let drift = if self.is_centred && values.len() > 1 { mean(values) - mean(targets) } else { 0.0 };
        for (target, value) in targets.iter_mut().zip(values) {
            *target = self.lambda * *target + (1.0 - self.lambda) * (value - drift).clamp(0.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENTRED: Targets = Targets { lambda: 0.9, is_centred: true };

    fn close(one: &[f64], other: &[f64]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
    }

    #[test]
    fn a_value_that_takes_all_for_winners_teaches_only_who_is_better() {
        let mut targets = [1.0, 0.2, 0.0];
        CENTRED.before(&mut targets, &[0.8, 0.9, 0.7]);
        // The mean of the targets is 0.4: the opinions count as 0.4, 0.5 and 0.3.
        assert!(close(&targets, &[0.94, 0.23, 0.03]), "{targets:?}");
    }

    #[test]
    fn alone_or_not_centred_the_opinion_counts_as_it_is() {
        let (mut alone, mut both) = ([0.5], [1.0, 0.0]);
        CENTRED.before(&mut alone, &[0.9]);
        Targets { lambda: 0.5, is_centred: false }.before(&mut both, &[0.8, 0.8]);
        assert!(close(&alone, &[0.54]) && close(&both, &[0.9, 0.4]), "{alone:?}, {both:?}");
    }
}
