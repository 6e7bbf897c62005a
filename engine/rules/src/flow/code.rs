//! Choices as 64-bit codes, for searches: they distinguish the same choices as [`Choice::key`](crate::Choice::key),
//! without a string.

use std::ops::Range;

use crate::flow::Match;
use crate::state::sight::{Sight, TokenSight};
use motherlode_content::declare::{Domain, Holder, Visibility};

impl Match {
    /// Replaces `codes` by one code for each of [`Match::choices`]. Codes of one prompt are equal, in any two matches
    /// of the game, if the [keys](crate::Choice::key) are equal; otherwise they differ, except for a collision of 64
    /// bits. So a search recognizes a choice in another determinization. A code contains nothing that the seat cannot
    /// see.
    pub fn choice_codes(&self, codes: &mut Vec<u64>) {
        codes.clear();
        self.each_code(0..self.choices().len(), |code| codes.push(code));
    }

    /// The code of one of [`Match::choices`], as in [`Self::choice_codes`]; 0 for a choice that is not offered.
    #[must_use]
    pub fn choice_code(&self, index: usize) -> u64 {
        let mut found = 0;
        let last = self.choices().len().min(index + 1);
        self.each_code(index.min(last)..last, |code| found = code);
        found
    }

    fn each_code(&self, of: Range<usize>, mut each: impl FnMut(u64)) {
        let Some(decision) = self.decision() else { return };
        let choices = &self.choices()[of];
        let domain = self.game().declarations().prompts.get_index(decision.prompt).map(|(_, prompt)| prompt.domain);
        if domain != Some(Domain::Token) {
            choices.iter().for_each(|&raw| each(plain(raw)));
            return;
        }
        let words = self.words_for(Some(decision.seat));
        let sight = self.runner.sight(&words, decision.seat);
        let tokens = 1..=sight.layout.tokens.len() as i32;
        for &raw in choices {
            each(if tokens.contains(&raw) { token_code(&sight, raw) } else { plain(raw) });
        }
    }

    /// Replaces `definitions` by the definition (index into
    /// [`Declarations::definitions`](crate::declare::Declarations::definitions)) of each of [`Match::choices`]: of a
    /// card that the deciding seat can identify, or of a chosen definition. `None` for other choices.
    pub fn choice_definitions(&self, definitions: &mut Vec<Option<usize>>) {
        definitions.clear();
        let Some(decision) = self.decision() else { return };
        let d = self.game().declarations();
        let index = |raw: i32| usize::try_from(raw).ok()?.checked_sub(1);
        match d.prompts.get_index(decision.prompt).map(|(_, prompt)| prompt.domain) {
            Some(Domain::Token) => {
                let words = self.words_for(Some(decision.seat));
                let sight = self.runner.sight(&words, decision.seat);
                let of = |&raw: &i32| {
                    let token = sight.layout.tokens.get(index(raw)?)?;
                    sight.identifies(raw).then_some(token.definition)
                };
                definitions.extend(self.choices().iter().map(of));
            }
            Some(Domain::Definition(kind)) => {
                let kind = &d.kinds[kind];
                let of = |&raw: &i32| index(raw).filter(|index| *index < kind.len).map(|index| kind.first + index);
                definitions.extend(self.choices().iter().map(of));
            }
            _ => definitions.resize(self.choices().len(), None),
        }
    }
}

/// Code of a choice whose number means the same in every match.
fn plain(raw: i32) -> u64 {
    u64::from(raw.cast_unsigned())
}

/// Code of a token as the seat sees it. Must agree with its key.
pub(super) fn token_code(sight: &Sight<'_>, token: i32) -> u64 {
    let mut code = 1;
    let mut add = |number: usize| code = fold(code, number as u64);
    match sight.shown(token) {
        TokenSight::Hidden => add(0),
        TokenSight::Place { pile, place } => [1, pile, place].into_iter().for_each(add),
        TokenSight::Token(_) => {
            let info = &sight.layout.tokens[token as usize - 1];
            [2, info.definition, info.owner as usize].into_iter().for_each(&mut add);
            if let Some(pile) = sight.pile_of(token).filter(|&pile| sight.counts(pile)) {
                add(pile);
                if sight.declared.zones[sight.layout.piles[pile].zone].visible == Visibility::Face {
                    add((sight.seen(token) & 1) as usize);
                }
            }
            for (index, counter) in sight.declared.counters.values().enumerate() {
                let of_tokens = matches!(counter.per, Holder::Token(_)) && sight.declared.is_of(counter.per, info.kind);
                if !of_tokens || !sight.sees_counter(index, token) {
                    continue;
                }
                let value = sight.counter(index, token).unwrap_or(0);
                let shown = match counter.means {
                    Domain::Token if value > 0 && !sight.identifies(value) => continue,
                    Domain::Token if value > 0 => {
                        let other = sight.layout.tokens.get(value as usize - 1);
                        other.map_or(0, |other| other.definition as i32 + 1)
                    }
                    _ => value,
                };
                if shown != 0 {
                    add(index);
                    add(shown as usize);
                }
            }
        }
    }
    // Keeps these codes apart from plain numbers.
    code | 1 << 63
}

/// One step of a multiply-and-rotate hash.
fn fold(code: u64, number: u64) -> u64 {
    (code ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
