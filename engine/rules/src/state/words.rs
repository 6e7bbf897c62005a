//! Differences between two blocks of words.

use std::ops::Range;

/// Words compared at once.
const CHUNK: usize = 16;

/// Visits the words of a range that differ between two blocks of one length, with their values in `now`.
pub fn changed_words(before: &[i32], now: &[i32], range: Range<usize>, mut visit: impl FnMut(u32, i32)) {
    let mut compare = |range: Range<usize>| {
        for at in range {
            if now[at] != before[at] {
                visit(at as u32, now[at]);
            }
        }
    };
    let mut at = range.start;
    // Hardly any word changes.
    while at + CHUNK <= range.end {
        let pairs = now[at..at + CHUNK].iter().zip(&before[at..at + CHUNK]);
        if pairs.fold(0, |bits, (now, before)| bits | (now ^ before)) != 0 {
            compare(at..at + CHUNK);
        }
        at += CHUNK;
    }
    compare(at..range.end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_words_are_found_at_any_place() {
        for place in 3..50 {
            let before = vec![7; 53];
            let mut now = before.clone();
            (now[place], now[51]) = (8, 9);
            let mut found = Vec::new();
            changed_words(&before, &now, 3..51, |at, value| found.push((at, value)));
            assert_eq!(found, [(place as u32, 8)]);
        }
    }
}
