//! Boards on paper, as they are at the beginning of a match.
//!
//! A few matches with different seeds are begun. Counters that are equal in all of them are printed; the others are left to the players.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use motherlode::declare::{Domain, Grid, Holder, Shape};
use motherlode::tools::{Geometry, cell_definition};
use motherlode::{BoardView, CounterView, Game, GridView, Match, MatchError, Observation};
use serde::Serialize;

use crate::board::layers;
use crate::face::{self, Face, Fact};
use crate::names::{GameNames, label};

/// Number of matches whose beginnings are compared.
const MATCHES: u64 = 16;

/// A board on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PrintedBoard {
    /// Name of the grid.
    pub id: String,
    /// Label of the board.
    pub label: String,
    /// Whether the cells are hexagons.
    pub hex: bool,
    /// The cells row by row, without holes.
    pub cells: Vec<PrintedCell>,
}

/// A cell of a board on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PrintedCell {
    /// Coordinates: `b3`.
    pub id: String,
    /// Name, if the board names its cells.
    pub name: String,
    /// Id of the face of the definition that names the cell.
    pub face: Option<String>,
    /// The counters of the cell at the beginning of a match, if they are the same in every match.
    #[cfg_attr(test, ts(type = "Array<import('./protocol').Fact>"))]
    pub contents: Vec<Fact>,
    /// Row, from 1 at the top.
    pub row: u16,
    /// Distance from the left edge, in half cells.
    pub half: u16,
}

/// The boards of a game, for a number of players or else for the fewest who use them. Boards on which cards lie are left out:
/// the cards make them.
///
/// # Errors
/// A match cannot begin.
pub fn boards(game: &Game, players: u8) -> Result<Vec<PrintedBoard>, MatchError> {
    let (d, names) = (game.declarations(), GameNames::new(game));
    let has_cards = |grid: usize| {
        d.counters.values().any(|counter| counter.per == Holder::Cell(grid) && counter.means == Domain::Token)
    };
    let mut begun: HashMap<u8, Vec<Observation>> = HashMap::new();
    let mut all = Vec::new();
    for (index, (name, grid)) in d.grids.iter().enumerate().filter(|(index, _)| !has_cards(*index)) {
        let mut printed = board(&names, index, (name, grid), &[]);
        for count in std::iter::once(players).chain(d.players.min..=d.players.max) {
            let seen = match begun.entry(count) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => free.insert(begin(game, count)?),
            };
            let filled = board(&names, index, (name, grid), &views(seen, name));
            if filled.has_contents() {
                printed = filled;
                break;
            }
        }
        all.push(printed);
    }
    Ok(all)
}

impl PrintedBoard {
    /// Whether the paper shows nothing but the coordinates of its cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.has_contents() && self.cells.iter().all(|cell| cell.face.is_none() && cell.name.is_empty())
    }

    fn has_contents(&self) -> bool {
        self.cells.iter().any(|cell| !cell.contents.is_empty())
    }
}

/// The observations of spectators at the beginning of a few matches.
fn begin(game: &Game, players: u8) -> Result<Vec<Observation>, MatchError> {
    // The game allows this number of players, and the other options have their defaults: no setup fails.
    let setups = (0..MATCHES).filter_map(|seed| game.setup(Some(players), &[], seed).ok());
    setups.map(|setup| Ok(Match::new(game, &setup)?.observe(None))).collect()
}

/// The board of the game or of the first seat in each observation.
fn views<'o>(begun: &'o [Observation], grid: &str) -> Vec<&'o BoardView> {
    let one = |seen: &'o Observation| match seen.grids.get(grid)? {
        GridView::One(one) => Some(one),
        GridView::Each(each) => each.first(),
    };
    begun.iter().filter_map(one).collect()
}

fn board(names: &GameNames<'_>, index: usize, (name, grid): (&str, &Grid), seen: &[&BoardView]) -> PrintedBoard {
    let (game, d, places) = (names.game, names.d, Geometry::new(grid));
    let drawn: Vec<usize> = layers(names, index, grid).into_iter().map(|(counter, _)| counter).collect();
    let cell = |at: usize| {
        let named = cell_definition(d, game.layout(), index, at);
        let id = places.name(at);
        let facts = named.and_then(|one| Face::new(d, one)).map(|face| face.facts).unwrap_or_default();
        let is_new = |fact: &Fact| facts.iter().all(|printed| printed.of != fact.of);
        PrintedCell {
            id: id.to_owned(),
            name: named.map(|one| one.name.clone()).unwrap_or_default(),
            face: named.and_then(|one| face::id_of(d, one)),
            contents: drawn.iter().filter_map(|&counter| content(names, counter, id, seen)).filter(is_new).collect(),
            row: places.y(at),
            half: places.half_steps(at),
        }
    };
    PrintedBoard {
        id: name.to_owned(),
        label: label(&grid.text, name),
        hex: matches!(grid.shape, Shape::Hex { .. }),
        cells: places.cells().iter().map(|&at| cell(usize::from(at))).collect(),
    }
}

/// A counter of a cell, if all matches begin with the same value and it says something.
fn content(names: &GameNames<'_>, index: usize, cell: &str, seen: &[&BoardView]) -> Option<Fact> {
    let (name, counter) = names.d.counters.get_index(index)?;
    let mut values = seen.iter().map(|view| view.cells.get(cell)?.get(name.as_str()));
    let first = values.next()??;
    if !values.all(|value| value == Some(first)) {
        return None;
    }
    let word = names.word(index, first);
    if names.is_blank(index, &word) {
        return None;
    }
    Some(match first {
        CounterView::Number(_) => {
            Fact { of: name.clone(), label: label(&counter.text, name), value: word.text, sides: Vec::new() }
        }
        CounterView::Name(value) => {
            Fact { of: value.clone(), label: word.text, value: String::new(), sides: Vec::new() }
        }
        _ => Fact { of: name.clone(), label: word.text, value: String::new(), sides: Vec::new() },
    })
}
