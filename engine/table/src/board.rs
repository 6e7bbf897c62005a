//! Boards: grids with their cells, symbols and cards.

use motherlode::declare::{Counter, Definition, Domain, Grid, Holder, MEMBER, Shape, Show};
use motherlode::tools::{Geometry, cell_definition};
use motherlode::{BoardView, ByName, CounterView, GridView, Observation, SeatView};
use motherlode_content::compose;

use crate::face;
use crate::names::{GameNames, label};
use crate::sides::{self, Side};
use crate::view::{Board, Card, Cell, CellLayer, Legend, Mark, Pile, Symbol};

/// Most columns of a board that is a list of its named cells.
const LISTED: u16 = 16;

/// The boards of the game and of each seat. A game may declare a grid for each number of players: an empty grid is left
/// out if another one of the same holder, the game or the players, is in use.
pub fn boards(names: &GameNames<'_>, seen: &Observation) -> Vec<Board> {
    let mut grids: Vec<(Holder, Vec<Board>)> = Vec::new();
    for (index, (name, grid)) in names.d.grids.iter().enumerate() {
        let board = |seat, view| board(names, index, (name, grid), seat, (view, &seen.players));
        let boards = match seen.grids.get(name) {
            Some(GridView::One(one)) => vec![board(None, one)],
            Some(GridView::Each(each)) => each.iter().zip(0..).map(|(one, seat)| board(Some(seat), one)).collect(),
            None => Vec::new(),
        };
        grids.push((grid.per, boards));
    }
    let blank = |boards: &[Board]| boards.iter().all(Board::is_blank);
    let used: Vec<Holder> = grids.iter().filter(|(_, boards)| !blank(boards)).map(|(per, _)| *per).collect();
    let shown = grids.into_iter().filter(|(per, boards)| !used.contains(per) || !blank(boards));
    shown.flat_map(|(_, boards)| boards).collect()
}

fn board(
    names: &GameNames<'_>,
    index: usize,
    (name, grid): (&String, &Grid),
    seat: Option<u8>,
    (view, players): (&BoardView, &[SeatView]),
) -> Board {
    let places = names.game.layout().grids.get(index);
    let layers = layers(names, index, grid);
    let standing = standing(names, name, players);
    let cell = |places: &Geometry, at: usize| {
        let id = places.name(at);
        let seen = view.cells.get(id)?;
        let named = cell_definition(names.d, names.game.layout(), index, at);
        Some(Cell {
            id: id.to_owned(),
            name: named.map(|one| one.name.clone()).unwrap_or_default(),
            face: named.and_then(|one| face::id_of(names.d, one)),
            row: places.y(at),
            half: places.half_steps(at),
            marks: layers.iter().map(|(counter, _)| mark(names, *counter, seen)).collect(),
            words: layers
                .iter()
                .filter_map(|(counter, _)| words(names, *counter, seen))
                .chain(men_on(&standing, id).map(|(seat, label)| format!("{label} of {}", names.seat(seat))))
                .collect(),
            men: men_on(&standing, id).map(|(seat, _)| seat).collect(),
            sides: cards_on_cell(names, index, seen)
                .iter()
                .flat_map(|(_, one)| open_sides(names, grid, *one))
                .collect(),
            cards: cards_on_cell(names, index, seen).into_iter().map(|(name, one)| card(names, name, one)).collect(),
        })
    };
    let cells = places.iter().flat_map(|places| places.cells().iter().filter_map(|&at| cell(places, usize::from(at))));
    let cells: Vec<Cell> = cells.collect();
    Board {
        id: name.clone(),
        label: label(&grid.text, name),
        seat,
        hex: matches!(grid.shape, Shape::Hex { .. }),
        named: grid.names.is_some() && places.is_some_and(|places| places.extent().0 <= LISTED),
        legend: layers.iter().filter_map(|(counter, _)| legend(names, *counter)).collect(),
        layers: layers.into_iter().map(|(_, layer)| layer).collect(),
        cells,
    }
}

/// The men on a board: id of the cell, seat, and label of the counter that says where it stands.
fn standing<'p>(names: &GameNames<'p>, grid: &str, players: &'p [SeatView]) -> Vec<(&'p str, u8, String)> {
    let look = names.d.look.grids.get(grid);
    let Some((name, counter)) = look.and_then(|look| names.d.counters.get_key_value(&look.men)) else {
        return Vec::new();
    };
    let of_player = |player: &'p SeatView| match player.counters.get(name) {
        Some(CounterView::Name(cell)) if player.is_in => Some((cell.as_str(), player.seat, label(&counter.text, name))),
        _ => None,
    };
    players.iter().filter_map(of_player).collect()
}

/// The men on a cell.
fn men_on<'m>(standing: &'m [(&str, u8, String)], id: &'m str) -> impl Iterator<Item = (u8, &'m str)> {
    standing.iter().filter(move |(cell, ..)| *cell == id).map(|(_, seat, label)| (*seat, label.as_str()))
}

/// The counters to draw in the cells.
pub fn layers(names: &GameNames<'_>, index: usize, grid: &Grid) -> Vec<(usize, CellLayer)> {
    let d = names.d;
    let shown =
        |counter: &Counter| counter.per == Holder::Cell(index) && !counter.internal && counter.show != Show::Never;
    let drawn: Vec<usize> = match grid.show[..] {
        [] => (0..d.counters.len()).filter(|&counter| shown(&d.counters[counter])).collect(),
        _ => grid.show.clone(),
    };
    let layer = |(place, index): (usize, usize)| {
        let (_, counter) = d.counters.get_index(index)?;
        let named = !counter.values.is_empty() || counter.means != Domain::Number;
        let words = place > 0 && counter.symbols.is_empty() && named;
        let short = !counter.symbols.is_empty() || !named;
        Some((index, CellLayer { label: counter.text.clone(), words, short }))
    };
    drawn.into_iter().enumerate().filter_map(layer).collect()
}

fn value<'a>(names: &GameNames<'_>, counter: usize, cell: &'a ByName<CounterView>) -> Option<&'a CounterView> {
    cell.get(names.d.counters.get_index(counter)?.0)
}

/// The mark of one counter in a cell.
fn mark(names: &GameNames<'_>, index: usize, cell: &ByName<CounterView>) -> Mark {
    let nothing = || Mark { text: String::new(), colour: String::new() };
    let (Some((_, counter)), Some(value)) = (names.d.counters.get_index(index), value(names, index, cell)) else {
        return nothing();
    };
    let word = names.word(index, value);
    let number = word.number.and_then(|number| usize::try_from(number).ok());
    if let Some(symbol) = number.and_then(|number| counter.symbols.get(number)) {
        return Mark { text: symbol.clone(), colour: word.colour };
    }
    if word.is_none() { nothing() } else { Mark { text: word.text, colour: word.colour } }
}

/// A counter of a cell in words; `None`: nothing to show.
fn words(names: &GameNames<'_>, index: usize, cell: &ByName<CounterView>) -> Option<String> {
    let (name, counter) = names.d.counters.get_index(index)?;
    let word = names.word(index, value(names, index, cell)?);
    word.number?;
    if names.is_blank(index, &word) {
        return None;
    }
    let plain = counter.values.is_empty() && counter.means == Domain::Number;
    // All members of a family share one amount text, so use the member's own name.
    let number = plain && !name.contains(MEMBER);
    Some(match word.number {
        Some(n) if number => compose::amount(names.d, name, n),
        Some(n) if plain => format!("{n} {}", names.short(index)),
        _ => word.text,
    })
}

/// The cards on a cell with their names, from the cell's token counters.
fn cards_on_cell<'g>(
    names: &GameNames<'g>,
    grid: usize,
    cell: &ByName<CounterView>,
) -> Vec<(String, Option<&'g Definition>)> {
    let tokens = names.d.counters.iter().enumerate().filter(|(_, (_, counter))| {
        counter.per == Holder::Cell(grid) && counter.means == Domain::Token && !counter.internal
    });
    let card = |(index, (name, _)): (usize, (&String, &Counter))| {
        let value = cell.get(name)?;
        let word = names.word(index, value);
        let one = match value {
            CounterView::Name(id) => names.definition(id, &[]),
            _ => None,
        };
        (!word.is_none() && !word.hidden).then_some((word.text, one))
    };
    tokens.filter_map(card).collect()
}

fn card(names: &GameNames<'_>, name: String, one: Option<&Definition>) -> Card {
    Card { face: one.and_then(|one| face::id_of(names.d, one)), name, details: Vec::new(), place: None }
}

/// The open sides of a card.
fn open_sides(names: &GameNames<'_>, grid: &Grid, one: Option<&Definition>) -> Vec<Side> {
    let d = names.d;
    let Some((one, (_, kind))) = one.and_then(|one| Some((one, d.kinds.get_index(one.kind)?))) else {
        return Vec::new();
    };
    let values = kind.attributes.values().zip(&one.attributes);
    values.flat_map(|(attribute, value)| sides::listed(d, Some(grid.shape), attribute, value)).collect()
}

/// Copies the details of cards from their piles to the boards.
pub fn copy_details(boards: &mut [Board], piles: &[Pile]) {
    for (pile, card) in piles.iter().flat_map(|pile| pile.cards.iter().map(move |card| (pile, card))) {
        let Some(place) = &card.place else { continue };
        let board = boards.iter_mut().find(|board| board.id == place.board && board.seat == pile.seat);
        let cell = board.and_then(|board| board.cells.iter_mut().find(|cell| cell.id == place.cell));
        if let Some(cards_on_cell) =
            cell.and_then(|cell| cell.cards.iter_mut().find(|cards_on_cell| cards_on_cell.face == card.face))
        {
            cards_on_cell.details.clone_from(&card.details);
        }
    }
}

/// The legend of one counter.
fn legend(names: &GameNames<'_>, index: usize) -> Option<Legend> {
    let (_, counter) = names.d.counters.get_index(index)?;
    let symbols = counter.symbols.iter().enumerate().filter(|(_, symbol)| !symbol.trim().is_empty());
    let symbols = symbols.filter_map(|(number, text)| {
        let seen = match counter.values.get(number) {
            Some(name) => CounterView::Name(name.clone()),
            None if counter.means == Domain::Player => {
                CounterView::Player { seat: number.checked_sub(1).and_then(|seat| u8::try_from(seat).ok()) }
            }
            None => CounterView::Number(i32::try_from(number).unwrap_or(0)),
        };
        let word = names.word(index, &seen);
        // A symbol for "nothing" needs no entry.
        let nothing = word.is_none() && counter.values.first().is_none_or(|first| first == "none");
        // A switch has no value names: its label explains the symbol.
        let switch = counter.values.is_empty() && counter.max <= 1;
        let means = if switch { counter.text.clone() } else { word.text };
        (!nothing).then(|| Symbol { text: text.clone(), colour: word.colour, means })
    });
    Some(Legend { label: counter.text.clone(), symbols: symbols.collect() })
}
