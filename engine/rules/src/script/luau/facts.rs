//! Constants of the layout for the engine's own Luau code, where `$NAME` refers to each.

use crate::script::machine::choices::{LOGGING_WORD, MAX_CHOICES};
use crate::state::layout::{GAME_HOLDER, MARKED, word};

/// Bytes of a word.
const WORD: usize = 4;

const FACTS: [(&str, usize); 10] = [
    ("$EVENTS_BYTE", WORD * word::EVENTS),
    ("$GAME_HOLDER", GAME_HOLDER as usize),
    ("$LOGGING_BYTE", WORD * LOGGING_WORD),
    ("$MARKED_BYTES", WORD * MARKED),
    ("$MAX_CHOICES", MAX_CHOICES),
    ("$OUT_BYTE", WORD * word::OUT),
    ("$PHASE_BYTE", WORD * word::PHASE),
    ("$PLAYERS_BYTE", WORD * word::PLAYERS),
    ("$ROUND_BYTE", WORD * word::ROUND),
    ("$STALE_BYTE", WORD * word::STALE),
];

/// Replaces the names by their values.
pub fn with_facts(code: &str) -> String {
    if !code.contains('$') {
        return code.to_owned();
    }
    FACTS.iter().fold(code.to_owned(), |code, (name, fact)| code.replace(name, &fact.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_code_is_a_fact() {
        for code in [
            include_str!("std/accessors.luau"),
            include_str!("std/aims.luau"),
            include_str!("std/events.luau"),
            include_str!("std/prelude.luau"),
            include_str!("std/verbs.luau"),
        ] {
            let left = with_facts(code);
            assert!(!left.contains('$'), "{:?}", left.lines().find(|line| line.contains('$')));
        }
    }
}
