//! Hidden information that answers reveal.

use motherlode::tools::Sight;
use motherlode::{Answer, Match, MatchError};
use motherlode_content::declare::Visibility;

/// How much hidden information answers reveal to any seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disclosure {
    /// None: no random draw, and every seat always knows the whole position.
    None,
    /// Maybe: the result of an answer may depend on hidden information. Even a wrong guess reveals something.
    Possible,
    /// Certain: a random draw, a newly identified card, opened simultaneous answers, or a secret message to a seat.
    Certain,
}

impl Disclosure {
    /// Plays the answers from the current position, then restores that position.
    ///
    /// # Errors
    /// An answer is illegal, or the rules fail.
    pub fn of(played: &mut Match, answers: &[Answer]) -> Result<Self, MatchError> {
        let begin = played.snapshot();
        played.take_log();
        let found = Self::follow(played, answers);
        played.restore(&begin)?;
        played.take_log();
        found
    }

    fn follow(played: &mut Match, answers: &[Answer]) -> Result<Self, MatchError> {
        let (mut known, mut is_possible) = (Knowledge::of(played), hides(played));
        for answer in answers {
            let together = played.simultaneous();
            played.answer_as(answer.seat, usize::from(answer.index))?;
            let is_opened = together.is_some() && played.simultaneous() != together;
            let is_told = played.take_log().iter().any(|line| !line.is_answer() && line.seat().is_some());
            let now = Knowledge::of(played);
            if is_opened || is_told || now.exceeds(&known) {
                return Ok(Self::Certain);
            }
            is_possible |= hides(played);
            known = now;
        }
        Ok(if is_possible { Self::Possible } else { Self::None })
    }
}

/// The progress of the random streams, and the tokens that each seat identifies.
#[derive(Debug)]
struct Knowledge {
    chance: Vec<i32>,
    tokens: Vec<bool>,
}

impl Knowledge {
    fn of(played: &Match) -> Self {
        let layout = played.game().layout();
        let mut tokens = Vec::new();
        for seat in 0..played.setup().players {
            let words = played.words_for(Some(seat));
            let sight = sight(played, &words, seat);
            tokens.extend((1..).take(layout.tokens.len()).map(|token| sight.identifies(token)));
        }
        let words = played.words_for(None);
        Self { chance: layout.chance().map(|at| words[at]).collect(), tokens }
    }

    fn exceeds(&self, before: &Self) -> bool {
        self.chance != before.chance || self.tokens.iter().zip(&before.tokens).any(|(now, before)| now & !before)
    }
}

/// Whether any seat does not know the whole position.
fn hides(played: &Match) -> bool {
    let (declared, layout, players) = (played.game().declarations(), played.game().layout(), played.setup().players);
    let hides_counter = |visible| match visible {
        Visibility::Public => false,
        Visibility::Owner | Visibility::Others => players > 1,
        _ => true,
    };
    if declared.counters.values().any(|counter| hides_counter(counter.visible))
        || declared.prompts.values().any(|prompt| prompt.secret && players > 1)
    {
        return true;
    }
    // A suspended hook may hold random draws in its variables.
    let words = played.words_for(None);
    if played.is_simultaneous() || played.is_mid_hook() && layout.chance().skip(2).any(|at| words[at] != 0) {
        return true;
    }
    (0..players).any(|seat| {
        let words = played.words_for(Some(seat));
        let sight = sight(played, &words, seat);
        (1..).take(layout.tokens.len()).any(|token| sight.pile_of(token).is_some() && !sight.identifies(token))
    })
}

fn sight<'a>(played: &'a Match, words: &'a [i32], seat: u8) -> Sight<'a> {
    Sight { declared: played.game().declarations(), layout: played.game().layout(), words, seat: Some(seat) }
}
