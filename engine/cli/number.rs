//! Parses the whole numbers of the command line.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;

/// A parser of whole numbers in a range, for `value_parser`. Its errors say which numbers are valid.
pub fn whole_number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<i128> + Into<i128> + Copy + Send + Sync + 'static,
{
    let (start, end): (i128, i128) = ((*range.start()).into(), (*range.end()).into());
    move |text| {
        let parsed = text.parse::<i128>();
        let is_large = match &parsed {
            Ok(number) => *number > end,
            Err(error) => *error.kind() == IntErrorKind::PosOverflow,
        };
        // The largest number of a type says nothing to somebody who types 0.
        let valid = match T::try_from(end + 1) {
            Err(_) if !is_large => format!("{start} or more"),
            _ => format!("{start} to {end}"),
        };
        match parsed {
            Ok(number) if number >= start => {
                T::try_from(number).ok().filter(|_| number <= end).ok_or(format!("use {valid}"))
            }
            Err(error) if matches!(error.kind(), IntErrorKind::InvalidDigit | IntErrorKind::Empty) => {
                Err(format!("use a whole number, {valid}"))
            }
            _ => Err(format!("use {valid}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_which_numbers_are_valid() {
        let error = |text: &str| whole_number(1..=64_u16)(text).unwrap_err();
        assert_eq!(whole_number(1..=64_u16)("64"), Ok(64));
        assert_eq!(error("0"), "use 1 to 64");
        assert_eq!(error("-70000"), "use 1 to 64");
        assert_eq!(error("65"), "use 1 to 64");
        assert_eq!(error("2.5"), "use a whole number, 1 to 64");
        assert_eq!(error(""), "use a whole number, 1 to 64");
    }

    #[test]
    fn the_largest_number_is_told_only_to_those_who_exceed_it() {
        let error = |text: &str| whole_number(1..=u64::MAX)(text).unwrap_err();
        assert_eq!(whole_number(1..=u64::MAX)("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(error("0"), "use 1 or more");
        assert_eq!(error("abc"), "use a whole number, 1 or more");
        assert_eq!(error("18446744073709551616"), "use 1 to 18446744073709551615");
        assert_eq!(error(&"9".repeat(50)), "use 1 to 18446744073709551615");
    }
}
