//! Labels with values, packed into one number. Scripts write such a choice as `{ "sum", 7, 9 }`; `std/prelude.luau`
//! packs it.
//!
//! A plain label is -1 for the first of the game's labels, -2 for the second, and so on. The numbers below them are
//! labels with one value, then labels with two values, then with three.

/// Number of encodings of one, two and three values.
const ROOM: [i64; 3] = [1 << 20, 1 << 20, 101 * 101 * 101];
/// Base of the encoding for one, two and three values: one more than the largest value.
const BASE: [i64; 3] = [1 << 20, 1 << 10, 101];

/// The label (index into the game's labels) and the values of a choice; `None`: the choice is not a label.
#[must_use]
pub fn unpack(raw: i32, labels: usize) -> Option<(usize, Vec<i32>)> {
    if raw >= 0 || labels == 0 {
        return None;
    }
    let number = usize::try_from(-(i64::from(raw) + 1)).ok()?;
    let mut code = i64::try_from(number / labels).ok()? - 1;
    let mut values = Vec::new();
    for count in 0..3 {
        if code < 0 {
            break;
        }
        if code < ROOM[count] {
            for _ in 0..=count {
                values.insert(0, i32::try_from(code % BASE[count]).ok()?);
                code /= BASE[count];
            }
            break;
        }
        code -= ROOM[count];
    }
    Some((number % labels, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_carry_up_to_three_values() {
        let labels = 7;
        let packed = |label: i64, code: i64| i32::try_from(-(label + 1) - 7 * code).unwrap();
        for (raw, values) in [
            (packed(3, 0), vec![]),
            (packed(3, 1), vec![0]),
            (packed(3, 1 << 20), vec![(1 << 20) - 1]),
            (packed(3, 1 + (1 << 20) + 7 * 1024 + 9), vec![7, 9]),
            (packed(3, (1 << 21) + 1 + (5 * 101 + 100) * 101 + 6), vec![5, 100, 6]),
        ] {
            assert_eq!(unpack(raw, labels), Some((3, values)), "{raw}");
        }
        assert_eq!(unpack(0, labels), None);
        assert_eq!(unpack(-1, 0), None);
        assert!(unpack(i32::MIN, 1).is_some());
    }
}
