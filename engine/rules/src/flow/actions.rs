//! The actions of a game, numbered before any match.
//!
//! Direction: range <- tokens <- self

mod range;
mod tokens;

use std::borrow::Cow;
use std::fmt::Write as _;

use indexmap::IndexSet;

use self::range::{Range, Seats};
use self::tokens::{NamedTokens, TokenActions};
use crate::flow::{Match, MatchError};
use crate::game::Game;
use crate::label::unpack;
use crate::script::machine::Question;
use motherlode_content::declare::{ChoiceSet, Domain, Prompt};

/// Maximum actions of a game.
const MOST: usize = 1 << 20;

/// All actions of a game: every answer to every prompt, each with a number from 0 and a name.
///
/// Numbers and names depend on the content alone, not on the setup or the match. Two choices of one decision that the
/// seat can tell apart have different numbers. Choices of equal name share a number, also in different prompts.
///
/// Players are counted from the deciding seat: `+1` is the next seat, `+0` the deciding seat itself. A policy for one
/// seat therefore fits every seat.
///
/// | action | name |
/// | --- | --- |
/// | label | `label:done`, with values `label:swap b3 2` |
/// | definition | `definition:barn` |
/// | token | `token:tools.drill@shop` (kind, id, zone), `token:tools.drill@hand` (own), `token:tools.drill@table+1` (next seat) |
/// | token in another zone | `token:tools.drill` |
/// | token that the seat cannot identify | `place:row#3`, `place:hand+1#3` (place from 1 at the bottom), `place:?` |
/// | cell | `cell:b3`; on the board of another player `cell:b3+1` |
/// | player | `player:+1` |
/// | number | `number:7` |
///
/// Equal tokens of one zone share an action. `token:tools.drill@hand#2` is the second choice with this card in hand
/// that differs from the first, for example in its counters.
#[derive(Debug, Clone)]
pub struct Actions {
    game: Game,
    names: IndexSet<String>,
    prompts: Vec<PromptActions>,
    tokens: TokenActions,
}

/// The actions of one prompt.
#[derive(Debug, Clone)]
struct PromptActions {
    labels: Vec<LabelActions>,
    /// The choices that are not labels; `None`: the prompt has none, or they are tokens.
    values: Option<RangeActions>,
    has_tokens: bool,
}

/// The actions of a label, with its values.
#[derive(Debug, Clone)]
struct LabelActions {
    /// Index into the game's labels.
    label: usize,
    ranges: Vec<Range>,
    /// The action of each combination of values.
    numbers: Vec<u32>,
}

/// The actions of a range.
#[derive(Debug, Clone)]
struct RangeActions {
    range: Range,
    /// The action of each place in the range.
    numbers: Vec<u32>,
}

/// The actions of the choices of one decision, in their order. Reusing a list allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct ActionList {
    /// `None`: a number of a prompt that declares labels alone.
    pub actions: Vec<Option<u32>>,
    named: NamedTokens,
}

impl Actions {
    /// Numbers the actions of a game.
    ///
    /// # Errors
    /// Prompts and labels that accept any number; or more than 1,048,576 actions.
    pub fn new(game: &Game) -> Result<Self, String> {
        let d = game.declarations();
        let (mut names, mut prompts, mut open) = (IndexSet::new(), Vec::new(), Vec::new());
        for (name, prompt) in &d.prompts {
            prompts.push(PromptActions::new(game, name, prompt, &mut names, &mut open)?);
        }
        if !open.is_empty() {
            return Err(format!("some prompts of `{}` accept any number: {}", d.id, open.join("; ")));
        }
        let has_tokens = prompts.iter().any(|prompt| prompt.has_tokens);
        let tokens = if has_tokens { TokenActions::new(d, game.layout(), &mut names) } else { TokenActions::default() };
        if names.len() > MOST {
            return Err(too_many(game));
        }
        Ok(Self { game: game.clone(), names, prompts, tokens })
    }

    /// Number of actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no action, because the game has no prompt.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of an action.
    #[must_use]
    pub fn name(&self, action: usize) -> Option<&str> {
        self.names.get_index(action).map(String::as_str)
    }

    /// The number of the action with this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.names.get_index_of(name)
    }

    /// The game of the actions.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The actions of the legal choices of a seat that may answer now, in the order of [`Match::legal_of`].
    ///
    /// # Errors
    /// The seat has no pending decision.
    pub fn of(&self, m: &Match, seat: u8) -> Result<Vec<Option<u32>>, MatchError> {
        let (asked, raw) = m.question(seat).ok_or(MatchError::NotPending { seat })?;
        let mut list = ActionList::default();
        self.write(m, asked, &raw, &mut list);
        Ok(list.actions)
    }

    /// Replaces a list by the actions of [`Match::choices`]; empties it if the match is over.
    pub fn list(&self, m: &Match, list: &mut ActionList) {
        list.actions.clear();
        if let Some((asked, raw)) = m.asked_now() {
            self.write(m, asked, raw, list);
        }
    }

    fn write(&self, m: &Match, asked: Question, raw: &[i32], list: &mut ActionList) {
        list.actions.clear();
        let Some(prompt) = self.prompts.get(asked.prompt) else { return };
        let seats = Seats { seat: asked.seat.into(), players: m.setup().players.into() };
        let labels = self.game.labels().len();
        if !prompt.has_tokens {
            list.actions.extend(raw.iter().map(|&raw| prompt.number(raw, labels, seats)));
            return;
        }
        let words: Cow<'_, [i32]> = m.words_for(Some(asked.seat));
        let sight = m.sight_of(&words, asked.seat);
        list.named.clear();
        for &raw in raw {
            let number = match raw {
                ..0 => prompt.number(raw, labels, seats),
                _ => self.tokens.number(&sight, raw, seats, &mut list.named),
            };
            list.actions.push(number);
        }
    }
}

impl PromptActions {
    /// Numbers the actions of a prompt; adds a hint to `open` for each part that accepts any number.
    fn new(
        game: &Game,
        name: &str,
        prompt: &Prompt,
        names: &mut IndexSet<String>,
        open: &mut Vec<String>,
    ) -> Result<Self, String> {
        let mut labels = Vec::new();
        for (key, text) in &prompt.labels {
            match label_ranges(game, prompt, key, text) {
                Some(ranges) => {
                    let label = game.labels().iter().position(|known| known == key).unwrap_or_default();
                    labels.push(LabelActions::new(game, label, ranges, names)?);
                }
                None => open.push(format!("set `values.{key}` of prompt `{name}`, such as `[\"0..20\"]`")),
            }
        }
        let has_tokens = prompt.domain == Domain::Token;
        let range = Range::new(game, ChoiceSet { domain: prompt.domain, range: prompt.range });
        let mut values = None;
        match range {
            _ if has_tokens => {}
            Some(range) if range.len > MOST => return Err(too_many(game)),
            Some(range) => {
                let name = |place: usize| format!("{}:{}", range.noun(), range.name(game, place));
                let numbers = (0..range.len).map(|place| add(names, name(place))).collect();
                values = Some(RangeActions { range, numbers });
            }
            // A prompt with labels need not have numbers.
            None if !prompt.labels.is_empty() => {}
            None => open.push(format!("set `choices` of prompt `{name}` to a range such as `\"0..20\"`")),
        }
        Ok(Self { labels, values, has_tokens })
    }

    /// The action of a choice that is not a token.
    fn number(&self, raw: i32, labels: usize, seats: Seats) -> Option<u32> {
        if raw >= 0 {
            let RangeActions { range, numbers } = self.values.as_ref()?;
            return numbers.get(range.place(raw, seats)?).copied();
        }
        // A label without values needs no unpacking.
        let plain = raw.unsigned_abs() as usize - 1;
        if plain < labels {
            return self.labels.iter().find(|of| of.label == plain)?.numbers.first().copied();
        }
        let (label, values) = unpack(raw, labels)?;
        let of = self.labels.iter().find(|of| of.label == label && of.ranges.len() == values.len())?;
        let places = values.iter().zip(&of.ranges).map(|(&value, range)| Some((range.place(value, seats)?, range.len)));
        let place = places.into_iter().try_fold(0, |sum, place| place.map(|(place, len)| sum * len + place))?;
        of.numbers.get(place).copied()
    }
}

impl LabelActions {
    fn new(game: &Game, label: usize, ranges: Vec<Range>, names: &mut IndexSet<String>) -> Result<Self, String> {
        let len = ranges.iter().fold(1, |len: usize, range| len.saturating_mul(range.len));
        if len > MOST {
            return Err(too_many(game));
        }
        let name = |mut place: usize| {
            let mut values = Vec::new();
            for range in ranges.iter().rev() {
                values.push(range.name(game, place % range.len));
                place /= range.len;
            }
            let mut name = format!("label:{}", game.labels()[label]);
            for value in values.iter().rev() {
                // Writing to a string cannot fail.
                let _ = write!(name, " {value}");
            }
            name
        };
        let numbers = (0..len).map(|place| add(names, name(place))).collect();
        Ok(Self { label, ranges, numbers })
    }
}

/// The sets of the values of a label; `None`: some value may be any number.
fn label_ranges(game: &Game, prompt: &Prompt, label: &str, text: &str) -> Option<Vec<Range>> {
    let takes = motherlode_content::placeholder::values_shown(text);
    let sets = prompt.values.get(label).map(Vec::as_slice).unwrap_or_default();
    (sets.len() == takes).then_some(())?;
    sets.iter().map(|set| Range::new(game, *set)).collect()
}

/// The number of the action with this name, which may be new.
fn add(names: &mut IndexSet<String>, name: String) -> u32 {
    u32::try_from(names.insert_full(name).0).unwrap_or(u32::MAX)
}

fn too_many(game: &Game) -> String {
    format!("`{}` has more than {MOST} actions: declare smaller ranges of values", game.declarations().id)
}
