//! Arithmetic on ranges: which results are integers, and which checks they need.

use crate::script::native::decode::Arithmetic;
use crate::script::native::ty::{EXACT, NUMERIC, Ty, bit, tag};

/// How a result is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// On integers; the result may lie outside of what is exact and is then checked.
    Integers {
        /// Whether the result is checked.
        is_checked: bool,
    },
    /// On floating point numbers.
    Floats,
    /// As the tags say when the code runs; integers give integers, which are checked.
    Either,
}

/// Beyond this, the quotient of two integers may be rounded up: machine code ends.
pub const DIVISIBLE: i64 = 1 << 51;

/// How a result is computed from operands that are numbers, and its type. `None`: machine code lacks the operation.
#[must_use]
pub fn compute(how: Arithmetic, a: &Ty, b: &Ty) -> Option<(How, Ty)> {
    let (a, b) = (a.only_tags(a.numbers()), b.only_tags(b.numbers()));
    if a.mask == 0 || b.mask == 0 || how == Arithmetic::Power {
        return None;
    }
    let is_whole = a.is(bit(tag::INT)) && b.is(bit(tag::INT));
    let may_be_whole = a.may(bit(tag::INT)) && b.may(bit(tag::INT));
    if how == Arithmetic::Divide || !is_whole {
        let is_either = may_be_whole && matches!(how, Arithmetic::Add | Arithmetic::Subtract);
        return Some(if is_either { (How::Either, Ty::of(NUMERIC)) } else { (How::Floats, Ty::float()) });
    }
    let (low, high) = match how {
        Arithmetic::Add => (wide(a.range.0) + wide(b.range.0), wide(a.range.1) + wide(b.range.1)),
        Arithmetic::Subtract => (wide(a.range.0) - wide(b.range.1), wide(a.range.1) - wide(b.range.0)),
        Arithmetic::Multiply => corners(a.range, b.range, |a, b| a * b),
        Arithmetic::Modulo if b.range.0 > 0 => {
            let most = wide(b.range.1) - 1;
            (0, if a.range.0 >= 0 { most.min(wide(a.range.1)) } else { most })
        }
        Arithmetic::Modulo => {
            let most = wide(b.range.0).abs().max(wide(b.range.1).abs());
            (-most, most)
        }
        _ => {
            let a = (a.range.0.max(-DIVISIBLE), a.range.1.min(DIVISIBLE));
            if b.range.0 > 0 {
                corners(a, b.range, |a, b| a.div_euclid(b))
            } else {
                let most = wide(a.0).abs().max(wide(a.1).abs()) + 1;
                (-most, most)
            }
        }
    };
    let exact = wide(EXACT);
    let is_checked = low < -exact || high > exact;
    let clamp = |n: i128| n.clamp(-exact, exact) as i64;
    Some((How::Integers { is_checked }, Ty::int(clamp(low), clamp(high))))
}

fn wide(n: i64) -> i128 {
    i128::from(n)
}

fn corners(a: (i64, i64), b: (i64, i64), of: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let all = [of(wide(a.0), wide(b.0)), of(wide(a.0), wide(b.1)), of(wide(a.1), wide(b.0)), of(wide(a.1), wide(b.1))];
    (all.into_iter().min().unwrap_or_default(), all.into_iter().max().unwrap_or_default())
}

/// Whether the first is less than the second, or at most equal to it; `None`: unknown.
#[must_use]
pub fn is_less(a: &Ty, b: &Ty, or_equal: bool) -> Option<bool> {
    let int = bit(tag::INT);
    if !a.is(int) || !b.is(int) {
        return None;
    }
    let least = i64::from(!or_equal);
    if a.range.1 + least <= b.range.0 {
        Some(true)
    } else if a.range.0 + least > b.range.1 {
        Some(false)
    } else {
        None
    }
}

/// The ranges of two integers after a comparison with this result.
pub fn refine(a: &mut Ty, b: &mut Ty, or_equal: bool, result: bool) {
    let int = bit(tag::INT);
    if !a.is(int) || !b.is(int) {
        return;
    }
    if result {
        let least = i64::from(!or_equal);
        a.range.1 = a.range.1.min(b.range.1 - least);
        b.range.0 = b.range.0.max(a.range.0 + least);
    } else {
        // The second is less than the first, or equal to it.
        let least = i64::from(or_equal);
        b.range.1 = b.range.1.min(a.range.1 - least);
        a.range.0 = a.range.0.max(b.range.0 + least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(how: Arithmetic, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
        let (way, ty) = compute(how, &Ty::int(a.0, a.1), &Ty::int(b.0, b.1)).unwrap();
        assert!(matches!(way, How::Integers { is_checked: false }));
        ty.range
    }

    #[test]
    fn ranges_hold_every_result() {
        let ranges = [(-7, 7), (0, 5), (-3, -1), (2, 2)];
        for (a, b) in ranges.into_iter().flat_map(|a| ranges.map(|b| (a, b))) {
            for (x, y) in (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y))) {
                let holds = |how, n: i64| (range(how, a, b).0..=range(how, a, b).1).contains(&n);
                assert!(holds(Arithmetic::Add, x + y) && holds(Arithmetic::Subtract, x - y));
                assert!(holds(Arithmetic::Multiply, x * y));
                if y != 0 {
                    let floor = (x as f64 / y as f64).floor() as i64;
                    assert!(holds(Arithmetic::Floor, floor), "{x} // {y}");
                    assert!(holds(Arithmetic::Modulo, x - floor * y), "{x} % {y}");
                }
            }
        }
    }

    #[test]
    fn results_that_may_not_be_exact_are_checked() {
        let large = Ty::int(0, EXACT);
        let (way, ty) = compute(Arithmetic::Add, &large, &large).unwrap();
        assert_eq!((way, ty.range), (How::Integers { is_checked: true }, (0, EXACT)));
        assert_eq!(compute(Arithmetic::Divide, &large, &large).unwrap().0, How::Floats);
        assert!(compute(Arithmetic::Add, &large, &Ty::nil()).is_none());
    }

    #[test]
    fn a_comparison_narrows_both_sides() {
        let (mut a, mut b) = (Ty::int(0, 9), Ty::int(3, 5));
        assert_eq!(is_less(&a, &b, false), None);
        refine(&mut a, &mut b, false, true);
        assert_eq!((a.range, b.range), ((0, 4), (3, 5)));
        let (mut a, mut b) = (Ty::int(0, 9), Ty::int(3, 5));
        refine(&mut a, &mut b, false, false);
        assert_eq!((a.range, b.range), ((3, 9), (3, 5)));
        assert_eq!(is_less(&Ty::int(0, 2), &b, false), Some(true));
        assert_eq!(is_less(&Ty::int(5, 7), &b, false), Some(false));
    }
}
