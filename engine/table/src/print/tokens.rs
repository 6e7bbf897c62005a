//! Tokens on paper: for the counters that a table shows as heaps, and for those of players and cells.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use motherlode::Game;
use motherlode::declare::{CardSize, Counter, CounterLook, CounterShow, Declarations, Domain, Holder, MEMBER, Show};

use super::paper::PrintedCard;
use crate::names::{GameNames, label};

/// Tokens of a counter for each player.
const OF_A_PLAYER: usize = 5;

/// Tokens of a counter that belongs to no player.
const OF_A_GAME: usize = 20;

/// The counters whose tokens are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenChoice {
    /// Counters with `show = "tokens"`, `show = "marker"` or `copies` in `look.toml`.
    Declared,
    /// These, and the visible counters of players and cells.
    All,
}

/// The tokens of a game.
#[derive(Debug, Clone, Default)]
pub struct TokenSet {
    /// The tokens to lay out. Their face is their label.
    pub cards: Vec<PrintedCard>,
    /// By label: the name whose icon the token shows.
    pub icons: BTreeMap<String, String>,
}

/// The tokens of a game for a number of players. Tokens with one label are one pile, which is the largest of its counters.
#[must_use]
pub fn tokens(game: &Game, choice: TokenChoice, players: u8) -> TokenSet {
    let (d, names) = (game.declarations(), GameNames::new(game));
    let mut piles: IndexMap<String, (String, usize)> = IndexMap::new();
    for (index, (name, counter)) in d.counters.iter().enumerate() {
        if !is_chosen(game, choice, name, counter) {
            continue;
        }
        let is_marker = look_of(d, name).is_some_and(|look| look.show == CounterShow::Marker);
        let faces = if is_marker { seats(&names, players, name) } else { faces(&names, index, name, counter) };
        for (text, icon) in faces {
            let copies = if is_marker { 1 } else { copies(game, (name, counter), players) };
            let pile = piles.entry(text).or_insert((icon, 0));
            pile.1 = pile.1.max(copies);
        }
    }
    let card = |(face, (_, copies)): (&String, &(String, usize))| PrintedCard {
        face: face.clone(),
        size: CardSize::Token,
        copies: *copies,
    };
    let cards = piles.iter().map(card).collect();
    TokenSet { cards, icons: piles.into_iter().map(|(text, (icon, _))| (text, icon)).collect() }
}

/// The declared form of a counter, or else of its family.
fn look_of<'d>(d: &'d Declarations, name: &str) -> Option<&'d CounterLook> {
    let looks = &d.look.counters;
    looks.get(name).or_else(|| looks.get(name.split(MEMBER).next().unwrap_or(name)))
}

fn is_printed(look: &CounterLook) -> bool {
    matches!(look.show, CounterShow::Tokens | CounterShow::Marker) || look.copies.is_some()
}

fn is_chosen(game: &Game, choice: TokenChoice, name: &str, counter: &Counter) -> bool {
    let d = game.declarations();
    if look_of(d, name).is_some_and(is_printed) {
        return true;
    }
    let is_shown = match counter.per {
        Holder::Player => counter.show != Show::Never && counter.values.is_empty(),
        // A board draws its counters.
        Holder::Cell(_) => d.grids.values().any(|grid| {
            grid.show.iter().any(|&shown| d.counters.get_index(shown).is_some_and(|(shown, _)| shown == name))
        }),
        Holder::Game | Holder::Token(_) => false,
    };
    choice == TokenChoice::All
        && is_shown
        && !counter.internal
        && matches!(counter.means, Domain::Number | Domain::Player | Domain::Definition(_))
}

/// The labels of the tokens of a counter, with the names of their icons: one token, or one for each value but the first.
fn faces(names: &GameNames<'_>, index: usize, name: &str, counter: &Counter) -> Vec<(String, String)> {
    if counter.means == Domain::Player {
        return seats(names, names.d.players.max, name);
    }
    if counter.values.is_empty() {
        let member = names.member_of(index);
        let text = member.map_or_else(|| label(&counter.text, name), |one| one.name.clone());
        return vec![(text, member.map_or(name, |one| &one.id).to_owned())];
    }
    let value = |value: &String| (capitalized(&names.named(index, counter, value)), value.clone());
    counter.values.iter().skip(1).map(value).collect()
}

/// A label for each player, with the name of the icon.
fn seats(names: &GameNames<'_>, players: u8, icon: &str) -> Vec<(String, String)> {
    (0..players).map(|seat| (names.seat(seat), icon.to_owned())).collect()
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The number of tokens of a counter: the declared one, or else at most as many as all of its holders can have.
fn copies(game: &Game, (name, counter): (&str, &Counter), players: u8) -> usize {
    if let Some(copies) = look_of(game.declarations(), name).and_then(|look| look.copies) {
        return usize::from(copies);
    }
    let most = usize::try_from(counter.max).unwrap_or(0).max(1);
    match counter.per {
        Holder::Player => most.min(OF_A_PLAYER) * usize::from(players),
        Holder::Cell(grid) => {
            let cells = game.layout().grids.get(grid).map_or(1, |places| places.cells().len());
            let each = if counter.values.is_empty() { most } else { 1 };
            cells.saturating_mul(each).min(OF_A_GAME)
        }
        Holder::Game | Holder::Token(_) => most.min(OF_A_GAME),
    }
}
