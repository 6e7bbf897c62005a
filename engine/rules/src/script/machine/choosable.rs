//! The choices that each prompt accepts, so that a script that lists any other choice fails.

use indexmap::IndexSet;

use crate::label::unpack;
use crate::script::machine::budget::Budget;
use crate::script::machine::choices::{MAX_CHOICES, distinct};
use crate::state::layout::word;
use crate::state::sight::Sight;
use motherlode_content::declare::{Declarations, Domain, Holder};
use motherlode_content::placeholder::values_shown;

/// The choices that each prompt accepts.
#[derive(Debug)]
pub struct Choosable {
    /// Number of labels in the game.
    labels: usize,
    of_prompt: Vec<OfPrompt>,
}

/// The choices that one prompt accepts.
#[derive(Debug)]
struct OfPrompt {
    distinct: bool,
    /// Whether a single choice is taken without asking.
    auto: bool,
    least: i32,
    most: Most,
    /// Its labels as sorted indices into the game's labels, each with its number of values.
    labels: Vec<(usize, usize)>,
    /// For each label of the game: whether it is one of these and has no values.
    plain: Vec<bool>,
}

/// The largest number of a domain.
#[derive(Debug, Clone, Copy)]
enum Most {
    /// A constant.
    Fixed(usize),
    /// The number of the last token.
    Token,
    /// The number of the last player.
    Player,
    /// The number of a grid's last cell; the flag is set if each player has a copy.
    Cell(usize, bool),
}

impl Choosable {
    /// The accepted choices of a game's prompts.
    #[must_use]
    pub fn new(d: &Declarations) -> Self {
        let mut names: IndexSet<&str> = IndexSet::new();
        let of_prompt = d.prompts.values().map(|prompt| {
            let labels = prompt.labels.iter().map(|(name, text)| (names.insert_full(name).0, values_shown(text)));
            let mut labels: Vec<_> = labels.collect();
            labels.sort_unstable();
            let most = match prompt.domain {
                Domain::Number => Most::Fixed(i32::MAX as usize),
                Domain::Player => Most::Player,
                Domain::Token => Most::Token,
                Domain::Definition(kind) => Most::Fixed(d.kinds[kind].len),
                Domain::Cell(grid) => Most::Cell(grid, d.grids[grid].per == Holder::Player),
            };
            let least = i32::from(prompt.domain != Domain::Number);
            OfPrompt { distinct: prompt.distinct, auto: prompt.auto, least, most, labels, plain: Vec::new() }
        });
        let mut of_prompt: Vec<_> = of_prompt.collect();
        for prompt in &mut of_prompt {
            prompt.plain.resize(names.len(), false);
            prompt.labels.iter().filter(|(_, values)| *values == 0).for_each(|(label, _)| prompt.plain[*label] = true);
        }
        Self { labels: names.len(), of_prompt }
    }

    /// A question's single choice, if there is one and the prompt lets the engine take it.
    #[must_use]
    pub fn single(&self, prompt: usize, choices: &[i32]) -> Option<i32> {
        let &[choice] = choices else { return None };
        self.of_prompt.get(prompt).filter(|of| of.auto).map(|_| choice)
    }

    /// Prepares the choice buffer before a prompt is asked: removes equal tokens if the prompt says so, and checks
    /// the rest. `sight` is the asked seat's; comparisons are charged to `budget`.
    ///
    /// # Errors
    /// The first choice that the prompt does not accept.
    pub fn prepare(
        &self,
        sight: &Sight<'_>,
        prompt: usize,
        choices: &mut [i32],
        budget: &Budget,
    ) -> Result<(), String> {
        let Sight { declared: d, layout, .. } = *sight;
        let Some(of) = self.of_prompt.get(prompt) else { return Ok(()) };
        if of.distinct {
            distinct(sight, choices, budget);
        }
        let listed = (choices[0].max(0) as usize).min(MAX_CHOICES);
        let players = sight.words[word::PLAYERS].max(0) as usize;
        let most = match of.most {
            Most::Fixed(most) => most,
            Most::Token => layout.tokens.len(),
            Most::Player => players,
            Most::Cell(grid, per_player) => layout.grids[grid].places() * if per_player { players } else { 1 },
        };
        for &choice in &choices[1..=listed] {
            if choice < 0 {
                // The fast path is a label without values, from -1 on; others need a full check.
                if of.plain.get(!choice as usize) != Some(&true) {
                    self.check_label(d, prompt, choice)?;
                }
            } else if choice < of.least || choice as usize > most {
                return Err(beyond(d, prompt, choice, most));
            }
        }
        Ok(())
    }

    fn check_label(&self, d: &Declarations, prompt: usize, choice: i32) -> Result<(), String> {
        let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
        // A label without values needs no unpacking.
        let plain = (choice.unsigned_abs() as usize).checked_sub(1).filter(|label| *label < self.labels);
        let (label, given) = match plain {
            Some(label) => (label, 0),
            None => unpack(choice, self.labels).map_or((self.labels, 0), |(label, values)| (label, values.len())),
        };
        let own = &self.of_prompt[prompt].labels;
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
        // The game's keys in order, as in `new`: the first prompt that declares a label determines its number.
        let mut names: IndexSet<&str> = IndexSet::new();
        names.extend(d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str));
        let label = names.get_index(label).copied().unwrap_or_default();
        Err(format!("label `{label}` of prompt `{name}` takes {values}, but is offered with {given}"))
    }
}

/// The error for a choice that is not in the prompt's domain.
fn beyond(d: &Declarations, prompt: usize, choice: i32, most: usize) -> String {
    let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
    let what = match declared.domain {
        Domain::Number | Domain::Player => "player".to_owned(),
        Domain::Token => "token".to_owned(),
        Domain::Definition(kind) => format!("definition of `{}`", d.kinds.keys()[kind]),
        Domain::Cell(grid) => format!("cell of `{}`", d.grids.keys()[grid]),
    };
    format!("prompt `{name}` offers {choice}, which is not a {what}: use 1 to {most}")
}
