//! Fractions for people.

/// Fractions with a sign of their own: numerator, denominator, sign.
const SIGNS: [(i32, i32, &str); 15] = [
    (1, 2, "½"),
    (1, 3, "⅓"),
    (2, 3, "⅔"),
    (1, 4, "¼"),
    (3, 4, "¾"),
    (1, 5, "⅕"),
    (2, 5, "⅖"),
    (3, 5, "⅗"),
    (4, 5, "⅘"),
    (1, 6, "⅙"),
    (5, 6, "⅚"),
    (1, 8, "⅛"),
    (3, 8, "⅜"),
    (5, 8, "⅝"),
    (7, 8, "⅞"),
];

/// A number of steps, `unit` of which are a whole: 7 halves are `3½`, 5 twelfths are `5/12`. A unit below 2 is a
/// whole.
#[must_use]
pub fn shown(steps: i32, unit: i32) -> String {
    if unit < 2 || steps % unit == 0 {
        return (steps / unit.max(1)).to_string();
    }
    let sign = if steps < 0 { "-" } else { "" };
    let (whole, rest) = (steps.unsigned_abs() / unit.unsigned_abs(), (steps % unit).abs());
    let (above, below) = reduce(rest, unit);
    let part = SIGNS.iter().find(|(one, of, _)| (*one, *of) == (above, below)).map(|(_, _, sign)| *sign);
    match (whole, part) {
        (0, Some(part)) => format!("{sign}{part}"),
        (0, None) => format!("{sign}{above}/{below}"),
        (_, Some(part)) => format!("{sign}{whole}{part}"),
        (_, None) => format!("{sign}{whole} {above}/{below}"),
    }
}

/// The same fraction in lowest terms.
fn reduce(above: i32, below: i32) -> (i32, i32) {
    let (mut divisor, mut rest) = (below, above);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (above / divisor, below / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_shown_in_lowest_terms() {
        assert_eq!([7, 6, 1, 0, -1, -7].map(|steps| shown(steps, 2)), ["3½", "3", "½", "0", "-½", "-3½"]);
        assert_eq!([1, 4, 6, 7, 29].map(|steps| shown(steps, 12)), ["1/12", "⅓", "½", "7/12", "2 5/12"]);
        assert_eq!([0, 1].map(|unit| shown(-7, unit)), ["-7", "-7"]);
        assert_eq!(
            (shown(i32::MIN, 3), shown(i32::MAX, 1000)),
            ("-715827882⅔".to_owned(), "2147483 647/1000".to_owned())
        );
    }
}
