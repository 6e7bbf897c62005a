//! Bots of the program that uses the crate: the program registers a function that makes them, and names them by spec.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use motherlode::Game;

use super::bot::Bot;

/// Makes a bot. Threads call it at the same time.
type MakeBot = dyn Fn(&Game) -> Box<dyn Bot> + Send + Sync;

/// The registered bots, by spec.
static GUESTS: RwLock<BTreeMap<String, Arc<MakeBot>>> = RwLock::new(BTreeMap::new());

/// A registered bot. [`bot`](crate::bot) makes it for its spec until this value is dropped.
#[derive(Debug)]
pub struct GuestBot {
    spec: String,
}

impl GuestBot {
    /// Registers a bot with the spec `call:NAME`, or `call:NAME-2` and so on if that spec is taken.
    ///
    /// Characters of `name` other than ASCII letters, digits, `_`, `-` and `.` become `_`.
    pub fn register(name: &str, make: impl Fn(&Game) -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        let name: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let mut guests = GUESTS.write().unwrap_or_else(PoisonError::into_inner);
        let first = format!("call:{name}");
        let mut specs = std::iter::once(first.clone()).chain((2u64..).map(|number| format!("{first}-{number}")));
        // There are more numbers than bots.
        let spec = specs.find(|spec| !guests.contains_key(spec)).unwrap_or(first);
        guests.insert(spec.clone(), Arc::new(make));
        Self { spec }
    }

    /// The spec.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }
}

impl Drop for GuestBot {
    fn drop(&mut self) {
        GUESTS.write().unwrap_or_else(PoisonError::into_inner).remove(&self.spec);
    }
}

/// Makes the registered bot of a spec; `None` if there is none.
pub(crate) fn make(spec: &str, game: &Game) -> Option<Box<dyn Bot>> {
    let make = GUESTS.read().unwrap_or_else(PoisonError::into_inner).get(spec).cloned()?;
    Some(make(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::first::First;
    use crate::samples;

    #[test]
    fn a_guest_has_a_spec_until_it_is_dropped() {
        let game = samples::noughts();
        let [one, two] = ["my bot", "my bot"].map(|name| GuestBot::register(name, |_| Box::new(First)));
        assert_eq!([one.spec(), two.spec()], ["call:my_bot", "call:my_bot-2"]);
        assert!(crate::bot("call:my_bot-2", &game, 0).is_ok());
        drop(two);
        assert!(crate::bot("call:my_bot-2", &game, 0).is_err());
        assert!(crate::bot("call:my_bot", &game, 0).is_ok());
    }
}
