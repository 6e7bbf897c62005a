//! The reach of an undo: the answer, the later answers that go with it, and what was revealed since.

use motherlode::{Answer, Match, MatchError};

use super::rules::Rules;
use crate::disclosure::Disclosure;

/// The answers that an undo takes back, as everybody may know them.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The question and the choice; `None`: others do not know them.
    words: Option<(String, String)>,
    /// Numbers of known later answers, by seat.
    later: Vec<(u8, usize)>,
    /// How much the answers revealed.
    pub disclosure: Disclosure,
}

impl Reach {
    /// The reach of these answers from the current position, to which the match returns. The first one is undone.
    ///
    /// # Errors
    /// An answer is illegal, or the rules fail.
    pub fn of(played: &mut Match, answers: &[Answer]) -> Result<Self, MatchError> {
        let words = answers.first().and_then(|&answer| words(played, answer));
        let disclosure = Disclosure::of(played, answers)?;
        let begin = played.snapshot();
        let phases = phases(played, answers);
        let open = played.simultaneous();
        played.restore(&begin)?;
        played.take_log();
        // Nobody knows of the others' answers in a simultaneous phase that is still open.
        let is_known = |phase: &Option<u64>| phase.is_none() || *phase != open;
        let phases = phases?;
        let mut later: Vec<(u8, usize)> = Vec::new();
        for (answer, _) in answers.iter().zip(&phases).skip(1).filter(|(_, phase)| is_known(phase)) {
            match later.iter_mut().find(|(seat, _)| *seat == answer.seat) {
                Some((_, count)) => *count += 1,
                None => later.push((answer.seat, 1)),
            }
        }
        Ok(Self { words: words.filter(|_| phases.first().is_some_and(is_known)), later, disclosure })
    }

    /// The answers in words: `“How many? 2” and 3 later answers (Ann 2, Ben 1)`.
    pub fn in_words(&self, rules: &Rules) -> String {
        let answer = match &self.words {
            Some((question, choice)) if question.ends_with(['?', '!']) => format!("“{question} {choice}”"),
            Some((question, choice)) => format!("“{}: {choice}”", question.trim_end_matches(['.', ':'])),
            None => "a secret answer".to_owned(),
        };
        let count: usize = self.later.iter().map(|(_, count)| count).sum();
        if count == 0 {
            return answer;
        }
        let by: Vec<String> = self.later.iter().map(|&(seat, count)| format!("{} {count}", rules.name(seat))).collect();
        let answers = if count == 1 { "answer" } else { "answers" };
        format!("{answer} and {count} later {answers} ({})", by.join(", "))
    }
}

/// The question that an answer answers, and its choice; `None`: they stay secret.
fn words(played: &Match, answer: Answer) -> Option<(String, String)> {
    let decision = played.pending().into_iter().find(|decision| decision.seat == answer.seat)?;
    let (_, prompt) = played.game().declarations().prompts.get_index(decision.prompt_index())?;
    let choices = played.legal_of(answer.seat).ok().filter(|_| !prompt.secret)?;
    let choice = choices.into_iter().nth(usize::from(answer.index))?;
    Some((decision.text(played.game()), choice.label))
}

/// Plays the answers. Returns the simultaneous phase in which each was given.
fn phases(played: &mut Match, answers: &[Answer]) -> Result<Vec<Option<u64>>, MatchError> {
    let given = |answer: &Answer| {
        let phase = played.simultaneous();
        played.answer_as(answer.seat, usize::from(answer.index)).map(|()| phase)
    };
    answers.iter().map(given).collect()
}
