//! Training targets: what a value learns from the positions of its own games.

/// How the target of a position is computed from the rest of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Targets {
    /// The weight of the later targets and the result, from 0 to 1; the rest is the value's own estimate of the next
    /// kept position (TD(lambda): Sutton 1988). From results alone a value learns slowly; from its estimates alone it
    /// learns nothing that pays late.
    pub lambda: f64,
    /// Uses only the differences between seats of the value's estimates, because their mean is known from the result.
    /// Without this, a self-taught value can drift in a long game: it rates every seat as a winner at the beginning
    /// and ignores what pays late. In games of few rounds, which drift little, centring made values worse.
    pub is_centred: bool,
}

impl Default for Targets {
    fn default() -> Self {
        Self { lambda: 0.6, is_centred: false }
    }
}

impl Targets {
    /// Turns the targets of a position, one per seat, into those of the position before it, given the value's
    /// estimates of the later position.
    pub(crate) fn before(self, targets: &mut [f64], values: &[f64]) {
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
        // A single seat may reach any score.
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
    fn centred_targets_keep_only_differences_between_seats() {
        let mut targets = [1.0, 0.2, 0.0];
        CENTRED.before(&mut targets, &[0.8, 0.9, 0.7]);
        // The mean of the targets is 0.4, so the estimates count as 0.4, 0.5 and 0.3.
        assert!(close(&targets, &[0.94, 0.23, 0.03]), "{targets:?}");
    }

    #[test]
    fn without_centring_or_alone_estimates_count_as_they_are() {
        let (mut alone, mut both) = ([0.5], [1.0, 0.0]);
        CENTRED.before(&mut alone, &[0.9]);
        Targets { lambda: 0.5, is_centred: false }.before(&mut both, &[0.8, 0.8]);
        assert!(close(&alone, &[0.54]) && close(&both, &[0.9, 0.4]), "{alone:?}, {both:?}");
    }
}
