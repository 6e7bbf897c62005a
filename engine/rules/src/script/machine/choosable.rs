//! The choices that each prompt accepts, so that a script that lists any other choice fails.

use indexmap::IndexSet;

use crate::label::unpack;
use crate::script::machine::budget::Budget;
use crate::script::machine::choices::{MAX_CHOICES, distinct};
use crate::state::layout::{Layout, word};
use crate::state::sight::Sight;
use motherlode_content::declare::{ChoiceSet, Declarations, Domain, Holder};
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
    bounds: Bounds,
    /// Its labels, sorted by their indices.
    labels: Vec<OfLabel>,
    /// For each label of the game: whether it is one of these and has no values.
    plain: Vec<bool>,
}

/// A label of a prompt.
#[derive(Debug)]
struct OfLabel {
    /// Index into the game's labels.
    label: usize,
    /// Number of values.
    takes: usize,
    /// Bounds of the values; empty: not declared.
    values: Vec<Bounds>,
}

/// The smallest and the largest number of a set.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    of: ChoiceSet,
    least: i32,
    most: Most,
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
            let labels = prompt.labels.iter().map(|(name, text)| OfLabel {
                label: names.insert_full(name).0,
                takes: values_shown(text),
                values: prompt.values.get(name).into_iter().flatten().map(|set| Bounds::new(d, *set)).collect(),
            });
            let mut labels: Vec<_> = labels.collect();
            labels.sort_unstable_by_key(|of| of.label);
            let bounds = Bounds::new(d, ChoiceSet { domain: prompt.domain, range: prompt.range });
            OfPrompt { distinct: prompt.distinct, auto: prompt.auto, bounds, labels, plain: Vec::new() }
        });
        let mut of_prompt: Vec<_> = of_prompt.collect();
        for prompt in &mut of_prompt {
            prompt.plain.resize(names.len(), false);
            prompt.labels.iter().filter(|of| of.takes == 0).for_each(|of| prompt.plain[of.label] = true);
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
    /// the rest. After an error, [`refused`] returns the wrong choice. `sight` is the asked seat's; comparisons are charged to `budget`.
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
        let checked = self.check(sight, prompt, choices, budget);
        checked.map_err(|(choice, message)| {
            refuse(choices, choice);
            message
        })
    }

    /// Returns the first wrong choice with its error.
    #[inline]
    fn check(
        &self,
        sight: &Sight<'_>,
        prompt: usize,
        choices: &mut [i32],
        budget: &Budget,
    ) -> Result<(), (i32, String)> {
        let Sight { declared: d, layout, .. } = *sight;
        let Some(of) = self.of_prompt.get(prompt) else { return Ok(()) };
        if of.distinct {
            distinct(sight, choices, budget);
        }
        let listed = (choices[0].max(0) as usize).min(MAX_CHOICES);
        let players = sight.words[word::PLAYERS].max(0) as usize;
        let (least, most) = (of.bounds.least, of.bounds.most(layout, players));
        // Usually all are numbers of the set; this check has no branches.
        let first = least.max(0);
        let span = i32::try_from(most).unwrap_or(i32::MAX).wrapping_sub(first).cast_unsigned();
        let is_number = |choice: i32| choice.wrapping_sub(first).cast_unsigned() <= span;
        if most >= first as usize && choices[1..=listed].iter().fold(true, |all, &choice| all & is_number(choice)) {
            return Ok(());
        }
        for &choice in &choices[1..=listed] {
            if choice < 0 {
                // The fast path is a label without values, from -1 on; others need a full check.
                if of.plain.get(!choice as usize) != Some(&true) {
                    self.check_label(sight, prompt, choice).map_err(|message| (choice, message))?;
                }
            } else if choice < least || choice as usize > most {
                let name = &d.prompts.keys()[prompt];
                let message = beyond(d, &format!("prompt `{name}` offers {choice}"), of.bounds, most);
                return Err((choice, message));
            }
        }
        Ok(())
    }

    fn check_label(&self, sight: &Sight<'_>, prompt: usize, choice: i32) -> Result<(), String> {
        let d = sight.declared;
        let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
        // A label without values needs no unpacking.
        let plain = (choice.unsigned_abs() as usize).checked_sub(1).filter(|label| *label < self.labels);
        let (label, given) = match plain {
            Some(label) => (label, Vec::new()),
            None => unpack(choice, self.labels).unwrap_or((self.labels, Vec::new())),
        };
        let own = &self.of_prompt[prompt].labels;
        let Ok(at) = own.binary_search_by_key(&label, |of| of.label) else {
            let known: Vec<&str> = declared.labels.keys().map(String::as_str).collect();
            let labels =
                if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
            let other = labels_of(d).get_index(label).copied().unwrap_or_default();
            return Err(format!("prompt `{name}` offers `{other}`, a label of another prompt: {labels}"));
        };
        let players = sight.words[word::PLAYERS].max(0) as usize;
        let OfLabel { takes, values, .. } = &own[at];
        let wrong =
            given.iter().zip(values).map(|(&value, bounds)| (value, *bounds, bounds.most(sight.layout, players)));
        let mut wrong = wrong.filter(|&(value, bounds, most)| value < bounds.least || value as usize > most);
        if *takes == given.len() && wrong.clone().next().is_none() {
            return Ok(());
        }
        let values = match *takes {
            0 => "no values".to_owned(),
            1 => "1 value".to_owned(),
            takes => format!("{takes} values"),
        };
        let label = labels_of(d).get_index(label).copied().unwrap_or_default();
        let label = format!("label `{label}` of prompt `{name}`");
        Err(match wrong.next().filter(|_| *takes == given.len()) {
            Some((value, bounds, most)) => beyond(d, &format!("{label} is offered with {value}"), bounds, most),
            None => format!("{label} takes {values}, but is offered with {}", given.len()),
        })
    }
}

/// The game's labels in order, as in `Choosable::new`: the first prompt that declares a label determines its number.
fn labels_of(d: &Declarations) -> IndexSet<&str> {
    d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str).collect()
}

impl Bounds {
    fn new(d: &Declarations, of: ChoiceSet) -> Self {
        let most = match of.domain {
            Domain::Number => Most::Fixed(of.range.map_or(i32::MAX, |(_, last)| last) as usize),
            Domain::Player => Most::Player,
            Domain::Token => Most::Token,
            Domain::Definition(kind) => Most::Fixed(d.kinds[kind].len),
            Domain::Cell(grid) => Most::Cell(grid, d.grids[grid].per == Holder::Player),
        };
        let least = of.range.map_or(i32::from(of.domain != Domain::Number), |(first, _)| first);
        Self { of, least, most }
    }

    /// The largest number in a match.
    fn most(self, layout: &Layout, players: usize) -> usize {
        match self.most {
            Most::Fixed(most) => most,
            Most::Token => layout.tokens.len(),
            Most::Player => players,
            Most::Cell(grid, per_player) => layout.grids[grid].places() * if per_player { players } else { 1 },
        }
    }
}

/// Marks an empty choice buffer that holds a refused choice. No choice has this number.
const REFUSED: i32 = i32::MIN;

/// Empties the choice buffer, and keeps a choice that no prompt accepts.
fn refuse(choices: &mut [i32], choice: i32) {
    choices[..3].copy_from_slice(&[0, choice, REFUSED]);
}

/// The choice that the last check of this buffer refused.
#[must_use]
pub fn refused(choices: &[i32]) -> Option<i32> {
    match *choices {
        [0, choice, REFUSED, ..] => Some(choice),
        _ => None,
    }
}

/// The error for a number outside a set.
fn beyond(d: &Declarations, offered: &str, bounds: Bounds, most: usize) -> String {
    let what = match bounds.of.domain {
        Domain::Number => "number of the range".to_owned(),
        Domain::Player => "player".to_owned(),
        Domain::Token => "token".to_owned(),
        Domain::Definition(kind) => format!("definition of `{}`", d.kinds.keys()[kind]),
        Domain::Cell(grid) => format!("cell of `{}`", d.grids.keys()[grid]),
    };
    format!("{offered}, which is not a {what}: use {} to {most}", bounds.least)
}
