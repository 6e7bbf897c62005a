//! Finds a kind by its name in the singular or the plural: `event` for `events`, `gallery` for `galleries`.

use motherlode::declare::{Declarations, Kind};
use motherlode::tools::nearest;

use super::check_id;
use crate::fault::Fault;

/// Finds a kind by its name, in the singular or the plural.
pub fn find<'d>(d: &'d Declarations, noun: &str) -> Option<(usize, &'d str, &'d Kind)> {
    let found = |name: &str| d.kinds.get_full(name).map(|(index, name, kind)| (index, name.as_str(), kind));
    found(noun).or_else(|| {
        let alike = |name: &&String| plurals(noun).contains(name) || plurals(name).iter().any(|plural| plural == noun);
        d.kinds.keys().find(alike).and_then(|name| found(name))
    })
}

/// The error for an unknown kind, with the nearest name and a list of all kinds. `others` are further words to suggest.
pub fn unknown(d: &Declarations, noun: &str, others: &[&str]) -> Fault {
    let known = d.kinds.keys().map(String::as_str).chain(others.iter().copied());
    let hint = match nearest(noun, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if check_id("kind", noun).is_ok() => format!("; make it with `lode new kind {} {noun}`", d.id),
        None => String::new(),
    };
    let wide = d.kinds.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    let list: String = d.kinds.iter().map(|(name, kind)| format!("\n  {name:<wide$}  {}", kind.text)).collect();
    let list = if list.is_empty() { "; it has no kinds yet".to_owned() } else { format!("\nits kinds are{list}") };
    Fault::usage(format!("`{}` has no kind `{noun}`{hint}{list}", d.id))
}

fn plurals(word: &str) -> Vec<String> {
    let mut plurals = vec![format!("{word}s"), format!("{word}es")];
    plurals.extend(word.strip_suffix('y').map(|stem| format!("{stem}ies")));
    plurals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_singular() {
        let mut d = Declarations::default();
        for name in ["events", "galleries", "boxes", "equipment", "relief"] {
            d.kinds.insert(name.to_owned(), Kind::default());
        }
        let named = |noun: &str| find(&d, noun).map(|(_, name, _)| name);
        assert_eq!(named("events"), Some("events"));
        assert_eq!(named("event"), Some("events"));
        assert_eq!(named("gallery"), Some("galleries"));
        assert_eq!(named("box"), Some("boxes"));
        assert_eq!(named("equipments"), Some("equipment"));
        assert_eq!((named("evens"), named(""), named("s")), (None, None, None));
    }
}
