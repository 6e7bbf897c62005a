//! The choices of a decision.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::flow::{Match, MatchError};
use crate::label::unpack;
use crate::state::layout::{Layout, Pile};
use crate::state::observe::CounterView;
use crate::state::sight::{Sight, TokenSight};
use crate::text::{self, TextArg};
use motherlode_content::declare::{Declarations, Domain, Holder, Prompt, Visibility};
use motherlode_content::hidden::{LONGEST, clipped};
use motherlode_content::placeholder::{Form, Piece, Placeholder, Plural, pieces};

/// One legal choice of a decision.
///
/// The [front page](crate) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Name from the content: key of a label, id of a definition or card, name of a cell, player number (from 1), or
    /// the number itself. The third card of a row that the seat cannot identify is `row#3`. Two choices of a decision
    /// may share an id; see [`Choice::key`].
    pub id: String,
    /// Text for people.
    pub label: String,
    /// The chosen thing.
    pub what: ChoiceItem,
    key: String,
}

/// The thing that a choice selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceItem {
    /// A label of the prompt, such as pass, yes or done.
    Label,
    /// A definition of the prompt's kind, such as a building of the supply.
    Definition {
        /// Index into [`Declarations::definitions`](crate::declare::Declarations::definitions).
        definition: usize,
    },
    /// A token, such as a card in hand.
    Token {
        /// Its number, from 1: the key of [`Observation::tokens`](crate::Observation::tokens).
        token: i32,
        /// Index of its definition into [`Declarations::definitions`](crate::declare::Declarations::definitions).
        definition: usize,
    },
    /// A token that the seat cannot identify, such as a card that lies face down.
    Hidden {
        /// Index of its zone into [`Declarations::zones`](crate::declare::Declarations::zones); `None`: the seat
        /// cannot see the zone either.
        zone: Option<usize>,
        /// The seat that owns the zone, from 0; `None`: the game owns it.
        seat: Option<u8>,
        /// Its place in the zone, from 1 at the bottom.
        place: usize,
    },
    /// A cell of the prompt's board. Its name is [`Choice::id`].
    Cell {
        /// Its number as a holder of counters, from 1; numbering continues across the boards of the players.
        cell: i32,
        /// The seat that owns the board, from 0; `None`: all share one board.
        seat: Option<u8>,
    },
    /// A player.
    Player {
        /// The player's seat, from 0.
        seat: u8,
    },
    /// A number.
    Number(i32),
}

impl Choice {
    /// A stable name: the same in every run, on every machine and with every seed. The key uses names in the content
    /// and the position as the deciding seat sees it, never token numbers or list positions.
    ///
    /// | choice | key |
    /// | --- | --- |
    /// | label | `label:done`, with values `label:swap b3 2` |
    /// | definition | `definition:barn` |
    /// | token | `token:tools.drill@hand.2` (kind, id, zone, player from 1), `token:tools.drill@shop` |
    /// | token that the seat cannot identify | `place:row#3`, `place:hand.2#3` (zone, player from 1, place from 1 at the bottom) |
    /// | cell | `cell:b3`; on the board of a player `cell:b3.2` |
    /// | player | `player:2` (from 1) |
    /// | number | `number:7` |
    ///
    /// Identical cards in one zone share a key, because choosing either has the same effect. Brackets list the
    /// differences between them: `[of=2,face=down,load=3]`. These are the player whose set the token belongs to, its
    /// face where faces matter, and its own counters that the seat sees and that are not 0. Its height in the zone is
    /// left out.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl Match {
    /// Every legal choice of [`Match::decision`], in the order of the indices of [`Match::answer`]. Empty when the
    /// match is over. In a simultaneous phase, [`Match::legal_of`] lists the choices of another seat.
    #[must_use]
    pub fn legal(&self) -> Vec<Choice> {
        let Some(decision) = self.decision() else { return Vec::new() };
        self.choices_in_words(decision.seat, decision.prompt, self.choices())
    }

    /// Every legal choice of a seat that may answer now. In a simultaneous phase several seats may.
    ///
    /// # Errors
    /// The seat has no pending decision.
    pub fn legal_of(&self, seat: u8) -> Result<Vec<Choice>, MatchError> {
        let (asked, choices) = self.question(seat).ok_or(MatchError::NotPending { seat })?;
        Ok(self.choices_in_words(seat, asked.prompt, &choices))
    }

    /// Describes one of the raw [`Match::choices`] of [`Match::decision`].
    #[must_use]
    pub fn describe(&self, raw: i32) -> Choice {
        let choice = self.decision().and_then(|d| self.choices_in_words(d.seat, d.prompt, &[raw]).pop());
        choice.unwrap_or_else(|| number(raw))
    }

    /// Describes raw choices of a prompt as the asked seat sees them.
    pub(super) fn choices_in_words(&self, seat: u8, prompt: usize, raw: &[i32]) -> Vec<Choice> {
        let game = self.game();
        let Some((_, prompt)) = game.declarations().prompts.get_index(prompt) else {
            return raw.iter().copied().map(number).collect();
        };
        // Only tokens look different to different seats.
        let words = if prompt.domain == Domain::Token { self.words_for(Some(seat)) } else { Cow::default() };
        let sight = self.runner.sight(&words, seat);
        let players = usize::from(self.setup().players);
        let in_words = |&raw: &i32| match usize::try_from(raw) {
            Ok(_) => reads(&sight, prompt, seat, value(&sight, prompt.domain, players, raw)),
            Err(_) => label(&sight, prompt, game.labels(), seat, raw),
        };
        raw.iter().map(in_words).collect()
    }
}

/// A label of the prompt, with its values: its id is `sum 7 9`.
fn label(sight: &Sight<'_>, prompt: &Prompt, labels: &[String], seat: u8, raw: i32) -> Choice {
    let (at, values) = unpack(raw, labels.len()).unwrap_or_default();
    let mut id = labels.get(at).cloned().unwrap_or_default();
    let label = prompt.labels.get(&id).unwrap_or(&id);
    let label = label.replace("{player}", &text::player_name(sight.declared, i32::from(seat) + 1));
    let shown: Vec<TextArg> = values.iter().map(|&value| TextArg::Number(f64::from(value))).collect();
    let label =
        if shown.is_empty() { clipped(label) } else { text::fill(sight.declared, sight.layout, &label, &shown) };
    let sets = prompt.values.get(&id).map(Vec::as_slice).unwrap_or_default();
    for (at, &value) in values.iter().enumerate() {
        let domain = sets.get(at).map_or(Domain::Number, |set| set.domain);
        // Writing to a string cannot fail.
        let _ = write!(id, " {}", value_id(sight.declared, sight.layout, domain, value));
    }
    Choice { key: format!("label:{id}"), id, label, what: ChoiceItem::Label }
}

/// The id of a number in a set: `b3`, on the board of player 2 `b3.2`.
pub(super) fn value_id(d: &Declarations, layout: &Layout, domain: Domain, value: i32) -> String {
    let mut id = text::domain_id(d, layout, domain, value);
    if let Domain::Cell(grid) = domain
        && d.grids[grid].per == Holder::Player
    {
        let places = layout.grids[grid].places().max(1);
        let board = usize::try_from(value).unwrap_or_default().saturating_sub(1) / places + 1;
        // Writing to a string cannot fail.
        let _ = write!(id, ".{board}");
    }
    id
}

/// A numeric choice, labelled in the words of its prompt.
fn reads(sight: &Sight<'_>, prompt: &Prompt, seat: u8, choice: Choice) -> Choice {
    if prompt.reads.is_empty() {
        return choice;
    }
    let mut label = String::new();
    for piece in pieces(&prompt.reads) {
        if label.len() > LONGEST {
            break;
        }
        match piece {
            Piece::Text(text) => label.push_str(text),
            Piece::Placeholder(Placeholder { value: "player", .. }) => {
                label.push_str(&text::player_name(sight.declared, i32::from(seat) + 1));
            }
            Piece::Placeholder(placeholder) => {
                let word = |plural: Plural<'_>| choice.id.parse().map_or(plural.many, |n| plural.of(n)).to_owned();
                label.push_str(&match placeholder.form {
                    Form::Plain | Form::Name(_) => choice.label.clone(),
                    Form::Count(plural) => format!("{} {}", choice.label, word(plural)),
                    Form::Noun(plural) => word(plural),
                });
            }
        }
    }
    Choice { label: clipped(label), ..choice }
}

fn number(n: i32) -> Choice {
    Choice { id: n.to_string(), label: n.to_string(), what: ChoiceItem::Number(n), key: format!("number:{n}") }
}

/// A value in the prompt's domain; a value outside it becomes a number.
fn value(sight: &Sight<'_>, domain: Domain, players: usize, raw: i32) -> Choice {
    let (d, layout) = (sight.declared, sight.layout);
    let id = text::domain_id(d, layout, domain, raw);
    let label = text::domain_label(d, layout, domain, raw);
    let index = usize::try_from(raw).ok().and_then(|raw| raw.checked_sub(1));
    let (what, key) = match (domain, index) {
        (Domain::Token, Some(index)) if index < layout.tokens.len() => {
            match sight.shown(raw) {
                TokenSight::Token(_) => {}
                TokenSight::Place { pile, place } => return placed(sight, pile, place),
                TokenSight::Hidden => return hidden(),
            }
            let definition = layout.tokens[index].definition;
            (ChoiceItem::Token { token: raw, definition }, token_key(sight, raw))
        }
        (Domain::Definition(kind), Some(index)) if index < d.kinds[kind].len => {
            (ChoiceItem::Definition { definition: d.kinds[kind].first + index }, format!("definition:{id}"))
        }
        (Domain::Cell(grid), Some(index)) => {
            let places = layout.grids[grid].places().max(1);
            let seat = (d.grids[grid].per == Holder::Player).then(|| u8::try_from(index / places).unwrap_or(u8::MAX));
            let of = seat.map(|seat| format!(".{}", u16::from(seat) + 1)).unwrap_or_default();
            let what = ChoiceItem::Cell { cell: raw, seat };
            return Choice { key: format!("cell:{id}{of}"), id, label, what };
        }
        (Domain::Player, Some(index)) if index < players => {
            (ChoiceItem::Player { seat: index as u8 }, format!("player:{raw}"))
        }
        _ => return Choice { id, label, ..number(raw) },
    };
    Choice { id, label, what, key }
}

/// A token that the seat knows only by its place, counted from 0 at the bottom of a pile.
fn placed(sight: &Sight<'_>, pile: usize, place: usize) -> Choice {
    let id = sight.place_name(pile, Some(place));
    let (Pile { zone, holder, .. }, place) = (sight.layout.piles[pile], place + 1);
    let whose = match holder {
        0 => String::new(),
        player => format!(" of {}", text::player_name(sight.declared, player)),
    };
    let label = format!("{}{whose}, place {place}", sight.declared.zones[zone].text);
    let what = ChoiceItem::Hidden { zone: Some(zone), seat: u8::try_from(holder - 1).ok(), place };
    Choice { key: format!("place:{id}"), id, label, what }
}

/// A token whose place the seat cannot see either.
fn hidden() -> Choice {
    let what = ChoiceItem::Hidden { zone: None, seat: None, place: 0 };
    Choice { id: "?".to_owned(), label: "a hidden one".to_owned(), what, key: "place:?".to_owned() }
}

/// `token:tools.drill@hand.2[load=3]`, see [`Choice::key`].
fn token_key(sight: &Sight<'_>, token: i32) -> String {
    let d: &Declarations = sight.declared;
    let info = &sight.layout.tokens[token as usize - 1];
    let kind = d.kinds.get_index(info.kind).map_or("", |(name, _)| name);
    let mut key = format!("token:{kind}.{}", d.definitions[info.definition].id);
    let mut apart: Vec<String> = Vec::new();
    if info.owner != 0 {
        apart.push(format!("of={}", info.owner));
    }
    // The seat may have seen the token but not the zone.
    if let Some(pile) = sight.pile_of(token).filter(|&pile| sight.counts(pile)) {
        // Writing to a string cannot fail.
        let _ = write!(key, "@{}", sight.place_name(pile, None));
        if d.zones[sight.layout.piles[pile].zone].visible == Visibility::Face {
            apart.push(format!("face={}", if sight.seen(token) & 1 == 1 { "up" } else { "down" }));
        }
    }
    for (index, (name, counter)) in d.counters.iter().enumerate() {
        if d.is_of(counter.per, info.kind) && sight.sees_counter(index, token) {
            match sight.counter(index, token) {
                None | Some(0) => {}
                Some(value) => match CounterView::new(sight, counter, value) {
                    CounterView::Name(named) => apart.push(format!("{name}={named}")),
                    CounterView::Open(values) => apart.push(format!("{name}={}", values.join("|"))),
                    CounterView::Hidden => {}
                    CounterView::Number(_) | CounterView::Player { .. } => apart.push(format!("{name}={value}")),
                },
            }
        }
    }
    if !apart.is_empty() {
        let _ = write!(key, "[{}]", apart.join(","));
    }
    key
}
