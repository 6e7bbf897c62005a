//! What the positions of a game teach: targets for a value that learns from its own games.

/// How much a position's target is made of what follows, up to the result, and not of what the value thinks of the next position that is
/// kept (TD(lambda): Sutton 1988). Of results alone a value learns slowly, and of its own opinion nothing that pays late.
const LAMBDA: f64 = 0.9;

/// Makes of the targets of a position, one a seat, those of the position before it, given what the value thinks of this one.
///
/// What all seats are worth together is known from the result. A value that learns from itself forgets it: each of three seats was worth
/// 0.65 at the beginning of a game, and what pays late was worth nothing.
pub(crate) fn before(targets: &mut [f64], values: &[f64]) {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    // A seat alone may hope for any score.
    let drift = if values.len() > 1 { mean(values) - mean(targets) } else { 0.0 };
    for (target, value) in targets.iter_mut().zip(values) {
        *target = LAMBDA * *target + (1.0 - LAMBDA) * (value - drift).clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: &[f64], other: &[f64]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
    }

    #[test]
    fn a_value_that_takes_all_for_winners_teaches_only_who_is_better() {
        let mut targets = [1.0, 0.2, 0.0];
        before(&mut targets, &[0.8, 0.9, 0.7]);
        // The mean of both is 0.4: the opinions count as 0.4, 0.5 and 0.3.
        assert!(close(&targets, &[0.94, 0.23, 0.03]), "{targets:?}");
    }

    #[test]
    fn alone_the_opinion_counts_as_it_is() {
        let mut targets = [0.5];
        before(&mut targets, &[0.9]);
        assert!(close(&targets, &[0.54]), "{targets:?}");
    }
}
