//! The choices that a seat does not have now, by reason.

use indexmap::IndexMap;
use motherlode::Refusal;

/// Most choices named for one reason.
const MOST_NAMED: usize = 8;

/// The names of the refused choices, `a1, a2 and 7 more`, and the reason that they share, in the order of the reasons.
#[must_use]
pub fn by_reason(refusals: Vec<Refusal>) -> Vec<(String, String)> {
    let mut names: IndexMap<String, Vec<String>> = IndexMap::new();
    for Refusal { label, reason, .. } in refusals {
        names.entry(reason).or_default().push(label);
    }
    names.into_iter().map(|(reason, names)| (joined(&names), reason)).collect()
}

fn joined(names: &[String]) -> String {
    match names.len() {
        0..=MOST_NAMED => names.join(", "),
        all => format!("{} and {} more", names[..MOST_NAMED].join(", "), all - MOST_NAMED),
    }
}
