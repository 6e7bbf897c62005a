//! The actions of a game, numbered before any match.

use std::fmt::Write as _;

use crate::flow::choice::value_id;
use crate::flow::{ChoiceItem, Match, MatchError};
use crate::game::Game;
use crate::label::unpack;
use motherlode_content::declare::{ChoiceSet, Declarations, Domain, Holder};

/// All actions of a game: every answer to every prompt, each with a number from 0.
///
/// The numbers depend on the content alone, not on the setup or the match. Two choices of one decision have different
/// numbers.
#[derive(Debug, Clone)]
pub struct Actions {
    game: Game,
    groups: Vec<Group>,
    /// Numbers of the tokens of each definition.
    copies: Vec<Vec<usize>>,
    len: usize,
}

/// Actions with consecutive numbers.
#[derive(Debug, Clone)]
struct Group {
    prompt: usize,
    /// Number of the first action.
    first: usize,
    kind: GroupKind,
}

#[derive(Debug, Clone)]
enum GroupKind {
    /// A label of the prompt (index into the game's labels), with the values of these sets.
    Label(usize, Vec<Range>),
    /// The plain choices of a prompt.
    Values(Range),
    /// Tokens: of each definition the first choice, the second one and so on.
    Tokens,
    /// The first choice that the player cannot identify, the second one and so on.
    Hidden,
}

/// The numbers of a set.
#[derive(Debug, Clone, Copy)]
struct Range {
    of: ChoiceSet,
    least: usize,
    len: usize,
}

impl Range {
    /// The numbers of a set in every setup; `None`: the set has no bounds.
    fn new(game: &Game, of: ChoiceSet) -> Option<Self> {
        let d = game.declarations();
        let (least, len) = match (of.domain, of.range) {
            (Domain::Number, range) => {
                let (first, last) = range?;
                (usize::try_from(first).ok()?, usize::try_from(last.checked_sub(first)?).ok()? + 1)
            }
            (Domain::Player, _) => (1, usize::from(d.players.max)),
            (Domain::Token, _) => (1, game.layout().tokens.len()),
            (Domain::Definition(kind), _) => (1, d.kinds[kind].len),
            (Domain::Cell(grid), _) => {
                let boards = if d.grids[grid].per == Holder::Player { usize::from(d.players.max) } else { 1 };
                (1, game.layout().grids[grid].places() * boards)
            }
        };
        Some(Self { of, least, len })
    }

    /// The place of a number in the set.
    fn place(&self, value: i32) -> Option<usize> {
        usize::try_from(value).ok()?.checked_sub(self.least).filter(|place| *place < self.len)
    }
}

impl Actions {
    /// Numbers the actions of a game.
    ///
    /// # Errors
    /// Prompts and labels that accept any number.
    pub fn new(game: &Game) -> Result<Self, String> {
        let d = game.declarations();
        let mut copies = vec![Vec::new(); d.definitions.len()];
        for (token, info) in game.layout().tokens.iter().enumerate() {
            copies[info.definition].push(token);
        }
        let mut actions = Self { game: game.clone(), groups: Vec::new(), copies, len: 0 };
        let mut open = Vec::new();
        for (prompt, (name, declared)) in d.prompts.iter().enumerate() {
            for (label, text) in &declared.labels {
                match label_ranges(game, prompt, label, text) {
                    Some(ranges) => {
                        let index = game.labels().iter().position(|known| known == label).unwrap_or_default();
                        let len = ranges.iter().fold(1, |len: usize, range| len.saturating_mul(range.len));
                        actions.push(prompt, GroupKind::Label(index, ranges), len);
                    }
                    None => open.push(format!("set `values.{label}` of prompt `{name}`, such as `[\"0..20\"]`")),
                }
            }
            let tokens = game.layout().tokens.len();
            match (declared.domain, Range::new(game, ChoiceSet { domain: declared.domain, range: declared.range })) {
                (Domain::Token, _) => {
                    actions.push(prompt, GroupKind::Tokens, tokens);
                    actions.push(prompt, GroupKind::Hidden, tokens);
                }
                (_, Some(range)) => actions.push(prompt, GroupKind::Values(range), range.len),
                // A prompt with labels need not have numbers.
                (_, None) if !declared.labels.is_empty() => {}
                (_, None) => open.push(format!("set `choices` of prompt `{name}` to a range such as `\"0..20\"`")),
            }
        }
        match open.is_empty() {
            true => Ok(actions),
            false => Err(format!("some prompts of `{}` accept any number: {}", d.id, open.join("; "))),
        }
    }

    fn push(&mut self, prompt: usize, kind: GroupKind, len: usize) {
        if len > 0 {
            self.groups.push(Group { prompt, first: self.len, kind });
            self.len = self.len.saturating_add(len);
        }
    }

    /// Number of actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no action, because the game has no prompt.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The prompt (index into the declarations) and the key of an action.
    ///
    /// Keys are those of [`Choice::key`](crate::Choice::key), except for tokens: `token:tools.drill#2` is the second
    /// choice with this card, `hidden#1` the first that the player cannot identify.
    #[must_use]
    pub fn get(&self, action: usize) -> Option<(usize, String)> {
        let at = self.groups.partition_point(|group| group.first <= action).checked_sub(1)?;
        let group = self.groups.get(at).filter(|_| action < self.len)?;
        let (d, mut rest) = (self.game.declarations(), action - group.first);
        let key = match &group.kind {
            GroupKind::Label(label, ranges) => {
                let mut values = Vec::new();
                for range in ranges.iter().rev() {
                    values.push(value_id(
                        d,
                        self.game.layout(),
                        range.of.domain,
                        number(range.least + rest % range.len),
                    ));
                    rest /= range.len;
                }
                let mut key = format!("label:{}", self.game.labels()[*label]);
                for value in values.iter().rev() {
                    // Writing to a string cannot fail.
                    let _ = write!(key, " {value}");
                }
                key
            }
            GroupKind::Values(range) => {
                let noun = match range.of.domain {
                    Domain::Number | Domain::Token => "number",
                    Domain::Player => "player",
                    Domain::Definition(_) => "definition",
                    Domain::Cell(_) => "cell",
                };
                let id = value_id(d, self.game.layout(), range.of.domain, number(range.least + rest));
                format!("{noun}:{id}")
            }
            GroupKind::Tokens => {
                let definition = self.game.layout().tokens[rest].definition;
                let copy = self.copies[definition].iter().position(|token| *token == rest).unwrap_or_default() + 1;
                token_key(d, definition, copy)
            }
            GroupKind::Hidden => format!("hidden#{}", rest + 1),
        };
        Some((group.prompt, key))
    }

    /// The actions of the legal choices of a seat that may answer now, in the order of [`Match::legal_of`]. `None`: a
    /// number of a prompt that declares labels alone.
    ///
    /// # Errors
    /// The seat has no pending decision.
    pub fn of(&self, m: &Match, seat: u8) -> Result<Vec<Option<usize>>, MatchError> {
        let (asked, raw) = m.question(seat).ok_or(MatchError::NotPending { seat })?;
        let choices = m.choices_in_words(seat, asked.prompt, &raw);
        let mut counts = vec![0; self.copies.len()];
        let mut hidden = 0;
        let number = |(choice, raw): (&crate::Choice, &i32)| match choice.what {
            ChoiceItem::Token { definition, .. } => {
                let copies = &self.copies[definition];
                let place = copies.get(counts[definition]).or(copies.last()).copied().unwrap_or_default();
                counts[definition] += 1;
                self.number(asked.prompt, |kind| matches!(kind, GroupKind::Tokens).then_some(place))
            }
            ChoiceItem::Hidden { .. } => {
                let place = hidden;
                hidden += 1;
                self.number(asked.prompt, |kind| matches!(kind, GroupKind::Hidden).then_some(place))
            }
            _ => self.number(asked.prompt, |kind| place_of(kind, *raw, self.game.labels().len())),
        };
        Ok(choices.iter().zip(raw.iter()).map(number).collect())
    }

    fn number(&self, prompt: usize, mut place: impl FnMut(&GroupKind) -> Option<usize>) -> Option<usize> {
        let first = self.groups.partition_point(|group| group.prompt < prompt);
        let mut own = self.groups[first..].iter().take_while(|group| group.prompt == prompt);
        own.find_map(|group| Some(group.first + place(&group.kind)?))
    }
}

/// The place of a raw choice among the actions of a group.
fn place_of(kind: &GroupKind, raw: i32, labels: usize) -> Option<usize> {
    match kind {
        GroupKind::Values(range) => range.place(raw),
        GroupKind::Label(label, ranges) => {
            let (_, values) = unpack(raw, labels).filter(|(of, values)| of == label && values.len() == ranges.len())?;
            let places = values.iter().zip(ranges).map(|(value, range)| Some((range.place(*value)?, range.len)));
            places.into_iter().try_fold(0, |sum, place| place.map(|(place, len)| sum * len + place))
        }
        GroupKind::Tokens | GroupKind::Hidden => None,
    }
}

/// The sets of the values of a label; `None`: some value may be any number.
fn label_ranges(game: &Game, prompt: usize, label: &str, text: &str) -> Option<Vec<Range>> {
    let takes = motherlode_content::placeholder::values_shown(text);
    let sets = game.declarations().prompts[prompt].values.get(label).map(Vec::as_slice).unwrap_or_default();
    (sets.len() == takes).then_some(())?;
    sets.iter().map(|set| Range::new(game, *set)).collect()
}

fn token_key(d: &Declarations, definition: usize, copy: usize) -> String {
    let declared = &d.definitions[definition];
    let kind = d.kinds.get_index(declared.kind).map_or("", |(name, _)| name);
    format!("token:{kind}.{}#{copy}", declared.id)
}

/// A number of a declared set, which always fits.
fn number(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}
