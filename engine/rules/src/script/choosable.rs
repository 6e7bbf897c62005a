//! What a prompt lets choose: a script that lists anything else has a mistake, which would otherwise be played.

use indexmap::IndexSet;

use crate::label::unpack;
use crate::script::choices::{MAX_CHOICES, distinct};
use crate::state::Position;
use crate::state::layout::word;
use motherlode_content::declare::{Declarations, Domain, Holder};
use motherlode_content::placeholder::values_shown;

/// The labels of every prompt, and how many values each takes.
#[derive(Debug)]
pub struct Choosable {
    /// How many labels the game has.
    labels: usize,
    /// By prompt: the numbers of its labels among those of the game, sorted, each with its values.
    of_prompt: Vec<Vec<(usize, usize)>>,
}

impl Choosable {
    /// Of a game.
    #[must_use]
    pub fn new(d: &Declarations) -> Self {
        let mut names: IndexSet<&str> = IndexSet::new();
        let of_prompt = d.prompts.values().map(|prompt| {
            let labels = prompt.labels.iter().map(|(name, text)| (names.insert_full(name).0, values_shown(text)));
            let mut labels: Vec<_> = labels.collect();
            labels.sort_unstable();
            labels
        });
        let of_prompt = of_prompt.collect();
        Self { labels: names.len(), of_prompt }
    }

    /// What is done with the choice buffer before a prompt is asked: equal copies are left out if the prompt says so, and the rest is
    /// looked at.
    ///
    /// # Errors
    /// What is wrong with the first choice that cannot be chosen.
    pub fn settle(
        &self,
        d: &Declarations,
        position: &Position<'_>,
        prompt: usize,
        choices: &mut [i32],
    ) -> Result<(), String> {
        if d.prompts.get_index(prompt).is_some_and(|(_, prompt)| prompt.distinct) {
            distinct(d, position, choices);
        }
        let listed = (choices[0].max(0) as usize).min(MAX_CHOICES);
        self.check(d, position, prompt, &choices[1..=listed])
    }

    fn check(&self, d: &Declarations, position: &Position<'_>, prompt: usize, choices: &[i32]) -> Result<(), String> {
        let Some((name, declared)) = d.prompts.get_index(prompt) else { return Ok(()) };
        let layout = position.layout;
        let players = position.words[word::PLAYERS].max(0) as usize;
        let most = match declared.domain {
            Domain::Number => i32::MAX as usize,
            Domain::Player => players,
            Domain::Token => layout.tokens.len(),
            Domain::Definition(kind) => d.kinds[kind].len,
            Domain::Cell(grid) => {
                let copies = if d.grids[grid].per == Holder::Player { players } else { 1 };
                layout.grids[grid].places() * copies
            }
        };
        let least = i32::from(declared.domain != Domain::Number);
        for &choice in choices {
            if choice < 0 {
                self.check_label(d, prompt, choice)?;
            } else if choice < least || choice as usize > most {
                let what = match declared.domain {
                    Domain::Number | Domain::Player => "player".to_owned(),
                    Domain::Token => "token".to_owned(),
                    Domain::Definition(kind) => format!("definition of `{}`", d.kinds.keys()[kind]),
                    Domain::Cell(grid) => format!("cell of `{}`", d.grids.keys()[grid]),
                };
                return Err(format!("prompt `{name}` offers {choice}, but that is no {what}: they are 1 to {most}"));
            }
        }
        Ok(())
    }

    fn check_label(&self, d: &Declarations, prompt: usize, choice: i32) -> Result<(), String> {
        let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
        // A label without values needs no taking apart.
        let plain = (choice.unsigned_abs() as usize).checked_sub(1).filter(|label| *label < self.labels);
        let (label, given) = match plain {
            Some(label) => (label, 0),
            None => unpack(choice, self.labels).map_or((self.labels, 0), |(label, values)| (label, values.len())),
        };
        let own = &self.of_prompt[prompt];
        let Ok(at) = own.binary_search_by_key(&label, |(label, _)| *label) else {
            let known: Vec<&str> = declared.labels.keys().map(String::as_str).collect();
            let labels =
                if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
            return Err(format!("prompt `{name}` offers a label of another prompt: {labels}"));
        };
        let takes = own[at].1;
        if takes == given {
            return Ok(());
        }
        let values = match takes {
            0 => "no values".to_owned(),
            1 => "1 value".to_owned(),
            takes => format!("{takes} values"),
        };
        // Keys of the game in order, as in `new`: the first prompt that names one says where it stands.
        let mut names: IndexSet<&str> = IndexSet::new();
        names.extend(d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str));
        let label = names.get_index(label).copied().unwrap_or_default();
        Err(format!("label `{label}` of prompt `{name}` takes {values}, but is offered with {given}"))
    }
}
