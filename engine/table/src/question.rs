//! The question to a seat, and its choices.
//!
//! Direction: place <- self

mod place;

use std::cmp::Ordering;

use motherlode::declare::{Declarations, Domain, MEMBER, Show};
use motherlode::{Choice, ChoiceItem, Decision};
use motherlode_content::placeholder::{Form, Piece, pieces};
use motherlode_content::sentence::within;

pub use self::place::Table;
use self::place::{ChoicePlaces, only_definition};
use crate::area::changed_attributes;
use crate::face::{self, Faces};
use crate::names::GameNames;
use crate::view::{
    Board, Card, CellTarget, ChoiceTarget, ChoiceView, FACE_DOWN, Form as PileForm, Pile, PlaceTarget, Question,
    Several,
};

/// Letters of commands. No choice is typed as one of them.
const COMMANDS: &str = "uokltqw";

/// Builds the question of a seat from its decision.
pub fn question(
    names: &GameNames<'_>,
    faces: &Faces,
    table: Table<'_>,
    decision: Decision,
    choices: &[Choice],
) -> Question {
    let about = about(names, decision);
    let apart = in_several_places(choices);
    let places = ChoicePlaces::new(names, table, decision);
    let boards = table.boards;
    let choice = |(index, choice): (usize, &Choice)| {
        let on = match (places.of(choice), places.steps(choice)) {
            (own, steps) if own.is_empty() && steps.is_empty() => on(names, choice, decision),
            (own, steps) if own.is_empty() => ChoiceTarget::Steps(steps),
            (own, _) => ChoiceTarget::Places(own),
        };
        ChoiceView {
            index,
            key: choice.key().to_owned(),
            id: choice.id.clone(),
            label: cell_label(names, boards, &on).unwrap_or_else(|| choice.label.clone()),
            typed: String::new(),
            face: face_of(names, choice, table, &on),
            note: note(names, faces, table, (choice, decision), &on, &about, apart),
            on,
        }
    };
    let mut views: Vec<ChoiceView> = choices.iter().enumerate().map(choice).collect();
    assign_keys(&mut views, boards);
    Question {
        seat: decision.seat,
        prompt: decision.prompt(names.game).to_owned(),
        text: decision.text(names.game),
        time: None,
        several: several(names.d, decision, choices),
        about,
        choices: views,
    }
}

/// How many choices may be marked and given at once, if the prompt allows several.
pub fn several(d: &Declarations, decision: Decision, choices: &[Choice]) -> Option<Several> {
    d.prompts.get_index(decision.prompt_index()).filter(|(_, prompt)| prompt.several)?;
    let end = choices.iter().position(|choice| choice.what == ChoiceItem::Label);
    let offered = choices.len() - usize::from(end.is_some());
    let most = usize::try_from(*decision.values().first()?).ok()?.min(offered);
    (most > 1).then_some(Several { most, end })
}

/// Faces of the cards that the question names.
fn about(names: &GameNames<'_>, decision: Decision) -> Vec<String> {
    let d = names.d;
    let Some((_, prompt)) = d.prompts.get_index(decision.prompt_index()) else { return Vec::new() };
    let values = decision.values();
    let face = |piece: Piece<'_>| {
        let Piece::Placeholder(placeholder) = piece else { return None };
        let Form::Name(sort) = placeholder.form else { return None };
        let value = *values.get(placeholder.value.parse::<usize>().ok()?.checked_sub(1)?)?;
        let at = usize::try_from(value).ok()?.checked_sub(1)?;
        let one = match d.kinds.get_index_of(sort) {
            Some(kind) => d.definitions_of(kind).get(at)?,
            None if sort == "token" => d.definitions.get(names.game.layout().tokens.get(at)?.definition)?,
            None => return None,
        };
        face::id_of(d, one)
    };
    pieces(&prompt.text).filter_map(face).collect()
}

/// Whether the choices include cards from different places.
fn in_several_places(choices: &[Choice]) -> bool {
    let mut places = choices.iter().filter(|choice| matches!(choice.what, ChoiceItem::Token { .. })).map(place);
    let first = places.next();
    places.any(|place| Some(place) != first)
}

/// Zone and player of a card: `hand.2`.
fn place(choice: &Choice) -> &str {
    let behind = choice.key().split_once('@').map_or("", |(_, place)| place);
    behind.split('[').next().unwrap_or_default()
}

/// Splits a place into zone and player. The name of a zone may contain a dot.
fn zone_of<'g>(d: &'g Declarations, place: &str) -> Option<(&'g String, Option<u8>)> {
    if let Some((_, name, _)) = d.zones.get_full(place) {
        return Some((name, None));
    }
    let (zone, player) = place.rsplit_once(MEMBER)?;
    let (_, name, _) = d.zones.get_full(zone)?;
    Some((name, player.parse::<u8>().ok().and_then(|player| player.checked_sub(1))))
}

fn on(names: &GameNames<'_>, choice: &Choice, decision: Decision) -> ChoiceTarget {
    match choice.what {
        ChoiceItem::Definition { .. } | ChoiceItem::Label => ChoiceTarget::Nothing,
        ChoiceItem::Number(number) => ChoiceTarget::Number(number),
        ChoiceItem::Player { seat } => ChoiceTarget::Player(seat),
        ChoiceItem::Token { .. } => match zone_of(names.d, place(choice)) {
            Some((zone, seat)) => ChoiceTarget::Card { zone: Some(zone.clone()), seat },
            None => ChoiceTarget::Card { zone: None, seat: None },
        },
        ChoiceItem::Hidden { zone, seat, .. } => ChoiceTarget::Card {
            zone: zone.and_then(|zone| names.d.zones.get_index(zone)).map(|(name, _)| name.clone()),
            seat,
        },
        ChoiceItem::Cell { seat, .. } => {
            let domain = names.d.prompts.get_index(decision.prompt_index()).map(|(_, prompt)| prompt.domain);
            let board = match domain {
                Some(Domain::Cell(grid)) => names.d.grids.get_index(grid).map(|(name, _)| name.clone()),
                _ => None,
            };
            ChoiceTarget::Cell { board: board.unwrap_or_default(), seat, cell: choice.id.clone() }
        }
    }
}

fn face_of(names: &GameNames<'_>, choice: &Choice, table: Table<'_>, on: &ChoiceTarget) -> Option<String> {
    if let Some(card) = card_at(table.piles, on) {
        return card.face.clone();
    }
    match choice.what {
        ChoiceItem::Definition { definition } | ChoiceItem::Token { definition, .. } => {
            face::id_of(names.d, names.d.definitions.get(definition)?)
        }
        ChoiceItem::Label => face::id_of(names.d, only_definition(names.d, &choice.id)?),
        ChoiceItem::Cell { .. } => cell_of(table.boards, on)?.face.clone(),
        _ => None,
    }
}

/// The card at the place of a choice.
fn card_at<'p>(piles: &'p [Pile], on: &ChoiceTarget) -> Option<&'p Card> {
    let (pile, at) = pile_of(piles, on)?;
    pile.cards.get(at?)
}

/// The pile that is the only place of a choice, with the place in it.
fn pile_of<'p>(piles: &'p [Pile], on: &ChoiceTarget) -> Option<(&'p Pile, Option<usize>)> {
    let ChoiceTarget::Places(places) = on else { return None };
    let [PlaceTarget::Pile { zone, seat, at }] = places.as_slice() else { return None };
    Some((piles.iter().find(|pile| pile.id == *zone && pile.seat == *seat)?, *at))
}

fn cell_of<'b>(boards: &'b [Board], on: &ChoiceTarget) -> Option<&'b crate::view::Cell> {
    let (board, seat, cell) = match on {
        ChoiceTarget::Cell { board, seat, cell } => (board, seat, cell),
        ChoiceTarget::Places(places) => match places.as_slice() {
            [PlaceTarget::Cell(CellTarget { board, seat, cell })] => (board, seat, cell),
            _ => return None,
        },
        _ => return None,
    };
    boards.iter().find(|one| one.id == *board && one.seat == *seat)?.cell(cell)
}

fn note(
    names: &GameNames<'_>,
    faces: &Faces,
    table: Table<'_>,
    (choice, decision): (&Choice, Decision),
    on: &ChoiceTarget,
    about: &[String],
    apart: bool,
) -> String {
    let mut words: Vec<String> = Vec::new();
    match on {
        ChoiceTarget::Card { .. } => {
            let mut known = Some(decision.seat);
            if let Some((zone, seat)) = zone_of(names.d, place(choice)).filter(|_| apart) {
                let whose = seat.map(|seat| format!(" of {}", names.seat(seat))).unwrap_or_default();
                words.push(format!("{}{whose}", within(&names.d.zones[zone].text)));
                known = seat.or(known);
            }
            if let ChoiceItem::Token { token, definition } = choice.what {
                words.extend(changed_attributes(names, table.seen, token, names.d.definitions.get(definition)));
            }
            words.extend(copy_details(names, choice, known));
        }
        ChoiceTarget::Cell { .. } => {
            words.extend(cell_of(table.boards, on).iter().flat_map(|cell| cell.words.clone()));
        }
        ChoiceTarget::Places(_) => {
            words.extend(lying(table.piles, on));
            words.extend(cell_of(table.boards, on).iter().flat_map(|cell| cell.words.clone()));
        }
        _ => {}
    }
    if choice.what == ChoiceItem::Label {
        // Show the text of the card's effect.
        let of = about.iter().filter_map(|id| faces.get(id));
        words.extend(of.filter_map(|face| face.effects.get(&choice.id).cloned()));
    }
    words.join(", ")
}

/// Most cards of a pile that a note names.
const MOST_NAMED: usize = 3;

/// The cards at the place of a choice: `Gold vein (minerals 3)`, `empty`.
fn lying(piles: &[Pile], on: &ChoiceTarget) -> Vec<String> {
    let name = |card: &Card| match (card.name.is_empty(), card.details.is_empty()) {
        (true, true) => FACE_DOWN.to_owned(),
        (true, false) => card.details.join(", "),
        (false, _) => format!("{}{}", card.name, card.told()),
    };
    match pile_of(piles, on) {
        Some((pile, Some(at))) => pile.cards.get(at).map(name).into_iter().collect(),
        Some((pile, None)) if pile.count == Some(0) => vec!["empty".to_owned()],
        Some((pile, None)) if pile.cards.len() <= MOST_NAMED && pile.form != PileForm::Deck => {
            pile.cards.iter().map(name).collect()
        }
        _ => Vec::new(),
    }
}

/// Details that distinguish copies of a card: `load 3`.
/// `known`: the player whose card it is, as far as that needs no words.
fn copy_details(names: &GameNames<'_>, choice: &Choice, known: Option<u8>) -> Vec<String> {
    let inside = choice.key().split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')).unwrap_or_default();
    let word = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        match name {
            "of" => {
                let seat = value.parse::<u8>().ok()?.checked_sub(1).filter(|&seat| known != Some(seat))?;
                Some(format!("of {}", names.seat(seat)))
            }
            "face" => (value == "down").then(|| "face down".to_owned()),
            _ => {
                let counter = names.d.counters.get(name).filter(|counter| counter.show != Show::Never)?;
                let value = match counter.means {
                    Domain::Cell(grid) => names.cell(grid, value.split('@').next().unwrap_or(value)),
                    _ => value.replace('_', " "),
                };
                Some(format!("{} {value}", within(&counter.text)))
            }
        }
    };
    inside.split(',').filter_map(word).collect()
}

/// The label of a cell without a name among cards: the card on it, or its row and the cards around it:
/// `row 2: Drill above left, Lamp above right`. `None`: its coordinates.
fn cell_label(names: &GameNames<'_>, boards: &[Board], on: &ChoiceTarget) -> Option<String> {
    let ChoiceTarget::Cell { board, seat, cell } = on else { return None };
    let view = boards.iter().find(|one| one.id == *board && one.seat == *seat && !one.named)?;
    let here = view.cell(cell)?;
    if let [card, ..] = here.cards.as_slice() {
        return Some(card.name.clone());
    }
    let places = names.game.layout().grids.get(names.d.grids.get_index_of(board)?)?;
    let at = places.cell_named(cell)?;
    let way = |near: usize| {
        let over = match places.y(near).cmp(&places.y(at)) {
            Ordering::Less => "above",
            Ordering::Equal => "",
            Ordering::Greater => "below",
        };
        let aside = match places.half_steps(near).cmp(&places.half_steps(at)) {
            Ordering::Less => "left",
            Ordering::Equal => "",
            Ordering::Greater => "right",
        };
        [over, aside].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let mut near: Vec<usize> = places.neighbours(at).iter().map(|&near| usize::from(near)).collect();
    near.sort_by_key(|&near| (places.y(near), places.half_steps(near)));
    let cards = |near: usize| view.cell(places.name(near)).into_iter().flat_map(|cell| &cell.cards);
    let words: Vec<String> =
        near.into_iter().flat_map(|near| cards(near).map(move |card| format!("{} {}", card.name, way(near)))).collect();
    (!words.is_empty()).then(|| format!("row {}: {}", here.row, words.join(", ")))
}

/// Assigns the text to type for each choice.
fn assign_keys(choices: &mut [ChoiceView], boards: &[Board]) {
    let numeric =
        |choice: &ChoiceView| matches!(choice.on, ChoiceTarget::Number(_)) || choice.label.parse::<i64>().is_ok();
    if choices.iter().any(numeric) {
        // An offered number is typed as itself, so the other choices get letters.
        let mut letters = ('a'..='z').filter(|letter| !COMMANDS.contains(*letter)).map(String::from);
        for choice in choices.iter_mut() {
            choice.typed = match choice.on {
                ChoiceTarget::Number(number) => number.to_string(),
                _ if numeric(choice) => choice.label.clone(),
                _ => letters.next().unwrap_or_else(|| choice.id.clone()),
            };
        }
        let typed: Vec<String> = choices.iter().map(|choice| choice.typed.clone()).collect();
        let twice = |choice: &ChoiceView| typed.iter().filter(|one| **one == choice.typed).count() > 1;
        // If two choices would be typed alike, use the unique key.
        for choice in choices.iter_mut().filter(|choice| twice(choice)) {
            choice.typed.clone_from(&choice.key);
        }
        return;
    }
    let by_name = |choice: &ChoiceView| {
        let named = |board: &Board, seat: &Option<u8>, id: &str| board.id == id && board.seat == *seat && board.named;
        matches!(&choice.on, ChoiceTarget::Cell { board, seat, .. } if !boards.iter().any(|one| named(one, seat, board)))
    };
    let ids: Vec<String> = choices.iter().map(|choice| choice.id.clone()).collect();
    let mut numbers = 1..;
    for choice in choices.iter_mut() {
        let once = ids.iter().filter(|id| **id == choice.id).count() == 1;
        choice.typed = if by_name(choice) && once {
            choice.id.clone()
        } else {
            numbers.next().map(|number: usize| number.to_string()).unwrap_or_default()
        };
    }
}
