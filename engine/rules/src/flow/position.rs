//! Reads and hashes the position of a match.

use std::borrow::Cow;

use motherlode_content::declare::{AttributeType, Value};
use xxhash_rust::xxh3::Xxh3;

use crate::flow::Match;
use crate::flow::open::{Kind, OpenCall};
use crate::script::machine::Machine;
use crate::state::Position;
use crate::state::layout::word;

/// Read access to the state of a match.
#[derive(Debug, Clone, Copy)]
pub struct StateRef<'a> {
    words: &'a [i32],
    /// The open calls, whose hooks may hold facts that are not in the state.
    calls: &'a [OpenCall],
    is_simultaneous: bool,
}

impl<'a> StateRef<'a> {
    /// The block of words. In a simultaneous phase: the position before any seat's hidden answers.
    #[must_use]
    pub fn words(&self) -> &'a [i32] {
        self.words
    }

    /// The words as bytes, little-endian.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// Hash of the state (XXH3, 64 bits). In a simultaneous phase and while a hook is suspended, it includes the
    /// answers so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        add_words(&mut hasher, self.words);
        self.add_answers(&mut hasher);
        hasher.digest()
    }

    /// Adds the answers of the open calls.
    fn add_answers(&self, hasher: &mut Xxh3) {
        for (seat, OpenCall { call, .. }) in self.calls.iter().enumerate() {
            let of_seat = [seat as u8];
            let seat = if self.is_simultaneous { &of_seat[..] } else { &[] };
            if call.is_offer() && !self.is_simultaneous {
                continue;
            }
            if !self.is_simultaneous {
                call.args.list().iter().for_each(|arg| hasher.update(&arg.to_le_bytes()));
            }
            let offered = call.offered.iter().filter(|_| self.is_simultaneous);
            for answer in offered.chain(&call.answers) {
                hasher.update(seat);
                hasher.update(&answer.to_le_bytes());
            }
            for (seat, answer) in &call.replies {
                hasher.update(&[*seat]);
                hasher.update(&answer.to_le_bytes());
            }
        }
    }
}

/// Adds words, little-endian.
fn add_words(hasher: &mut Xxh3, words: &[i32]) {
    // Hashing word by word takes twenty times as long.
    let mut bytes = [0; 256];
    for words in words.chunks(bytes.len() / 4) {
        bytes.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        hasher.update(&bytes[..4 * words.len()]);
    }
}

impl Match {
    /// Hash of the position without its seed and its counts of draws: equal keys mean that the same rest of the game
    /// is possible. While a hook is suspended, the key includes the position before the hook and the answers so far.
    #[must_use]
    pub fn position_key(&self) -> u64 {
        let (state, counts) = (self.state(), &self.game().layout().counts);
        let mut hasher = Xxh3::new();
        let mut add = |words: &[i32]| {
            add_words(&mut hasher, &words[word::PLAYERS..counts.start]);
            add_words(&mut hasher, &words[counts.end..]);
        };
        add(state.words);
        if self.is_mid_hook() {
            add(&self.open.start);
        }
        state.add_answers(&mut hasher);
        hasher.digest()
    }

    /// Number of random draws and shuffles since the match began or was redealt, modulo 2^32.
    #[must_use]
    pub fn draws(&self) -> u32 {
        Position { layout: self.game().layout(), words: self.runner.machine.words() }.draws()
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> StateRef<'_> {
        let Self { open, runner, .. } = self;
        let is_simultaneous = open.kind == Kind::Simultaneous;
        let words = if is_simultaneous { &open.start[..] } else { runner.machine.words() };
        StateRef { words, calls: open.calls(), is_simultaneous }
    }

    fn position(&self) -> Position<'_> {
        Position { layout: self.game().layout(), words: self.state().words() }
    }

    /// Round, from 1; 0 in setup.
    #[must_use]
    pub fn round(&self) -> i32 {
        self.runner.word(word::ROUND)
    }

    /// Name of the phase.
    #[must_use]
    pub fn phase(&self) -> &str {
        self.game().declarations().phases.get_index(self.runner.phase_index()).map_or("", |(name, _)| name.as_str())
    }

    /// The words as a seat knows them, for [`Sight`](crate::tools::Sight) and [`diff_seen`](crate::tools::diff_seen):
    /// in a simultaneous phase, the common position with the seat's own changes. The sight decides which of them the
    /// seat may see.
    #[must_use]
    pub fn words_for(&self, seat: Option<u8>) -> Cow<'_, [i32]> {
        let words = self.state().words();
        let Some(seat) = seat.filter(|_| self.open.kind == Kind::Simultaneous) else { return words.into() };
        if seat == self.open.asked.seat {
            return self.runner.machine.words().into();
        }
        let mut words = words.to_vec();
        if let Some(one) = self.open.calls().get(usize::from(seat)) {
            one.changes.iter().for_each(|&(at, value)| words[at as usize] = value);
        }
        words.into()
    }

    /// Value of a counter. Holder 0 is the game; otherwise a player, token or cell from 1.
    #[must_use]
    pub fn counter(&self, holder: i32, counter: usize) -> Option<i32> {
        self.position().counter(counter, holder)
    }

    /// The current value of an attribute of a token; `None` if it has no such attribute.
    #[must_use]
    pub fn current_value(&self, token: i32, attribute: &str) -> Option<Value> {
        let d = self.game().declarations();
        // The values may be out of date, and reading must change nothing.
        let mut words = self.state().words().to_vec();
        let mut position = Position { layout: self.game().layout(), words: words.as_mut_slice() };
        position.refresh_all(d);
        let index = usize::try_from(token - 1).ok().filter(|&index| index < position.layout.tokens.len())?;
        let definition = d.definitions.get(position.definition_of(index))?;
        let (at, _, declared) = d.kinds[definition.kind].attributes.get_full(attribute)?;
        let printed = definition.attributes.get(at).cloned();
        let read = d.read_attributes.get_index_of(attribute).filter(|read| d.current.contains(read));
        let Some(read) = read else { return printed };
        let number = position.attribute(read, token);
        Some(match declared.of {
            AttributeType::Integer { .. } => Value::Integer(number),
            AttributeType::Boolean => Value::Boolean(number != 0),
            AttributeType::Text(_) => {
                let text = usize::try_from(number - 1).ok().and_then(|index| d.read_attributes[read].get(index));
                text.map_or(printed, |text| Some(Value::Text(text.clone())))?
            }
            _ => printed?,
        })
    }

    /// Tokens of a zone, bottom first.
    #[must_use]
    pub fn zone(&self, zone: usize, holder: i32) -> Option<Vec<i32>> {
        let pile = self.game().layout().pile(zone, holder)?;
        Some(self.position().tokens(pile).to_vec())
    }
}
