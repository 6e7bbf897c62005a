//! Cards and tiles in the terminal.

use motherlode_content::sentence::within;

use crate::change::PileChange;
use crate::face::Faces;
use crate::paint;
use crate::text::card;
use crate::view::{Card, Form, Pile, View};

/// Maximum cards of a pile with full text; a larger pile lists names.
const MAX_FULL_TEXT: usize = 12;
/// Maximum cards of a shared pile with full text.
const MAX_SHARED_TEXT: usize = 3;

/// All piles: those of the game, those of the viewing seat, and one line per other seat.
pub fn all(out: &mut String, view: &View, faces: &Faces, width: usize) {
    let shared: Vec<&Pile> = view.piles.iter().filter(|pile| pile.seat.is_none()).collect();
    for pile in shared.iter().filter(|pile| pile.form != Form::Deck && !pile.cards.is_empty()) {
        cards(out, &pile.label, pile, faces, width, is_read(pile));
    }
    let decks = shared.iter().filter(|pile| pile.form == Form::Deck && pile.count.is_some_and(|count| count > 0));
    let decks: Vec<String> = decks.map(|pile| format!("{} {}", within(&pile.label), pile.count.unwrap_or(0))).collect();
    if !decks.is_empty() {
        out.push_str(&paint::hanging("Face down:", 4, &decks.join(", "), width));
    }
    for pile in view.piles.iter().filter(|pile| pile.seat.is_some() && pile.seat == view.seat && !pile.cards.is_empty())
    {
        let title = format!("Your {}", within(&pile.label));
        if pile.form == Form::Deck {
            out.push_str(&paint::hanging(&format!("{title}:"), 4, &names(&pile.cards), width));
        } else {
            // The choices below already show the full text.
            let below = pile.cards.iter().all(|card| is_offered(view, card));
            cards(out, &title, pile, faces, width, !below);
        }
    }
    for seat in view.seats.iter().filter(|seat| Some(seat.seat) != view.seat) {
        let of = view.piles.iter().filter(|pile| pile.seat == Some(seat.seat) && !pile.cards.is_empty());
        let piles: Vec<String> = of.map(|pile| format!("{}: {}", within(&pile.label), names(&pile.cards))).collect();
        if !piles.is_empty() {
            out.push_str(&paint::hanging(&format!("{} –", seat.name), 4, &piles.join("; "), width));
        }
    }
}

/// A pile below its title: cards with their text, or names only.
fn cards(out: &mut String, title: &str, pile: &Pile, faces: &Faces, width: usize, whole: bool) {
    if !whole || pile.cards.len() > MAX_FULL_TEXT || !pile.cards.iter().any(|card| has_text(faces, card)) {
        out.push_str(&paint::hanging(&format!("{title}:"), 4, &names(&pile.cards), width));
        return;
    }
    out.push_str(&paint::hanging(&format!("{title}:"), 4, "", width));
    for one in &pile.cards {
        out.push_str(&card::line("  ", one, faces, width));
    }
}

/// Whether a card has more than a name. A card with only a name needs no line of its own.
fn has_text(faces: &Faces, card: &Card) -> bool {
    card.face.as_ref().and_then(|id| faces.get(id)).is_some_and(|face| !face.line().is_empty())
}

/// Whether everybody should read a shared pile: a display, or a small open pile such as an event.
fn is_read(pile: &Pile) -> bool {
    pile.form == Form::Display || pile.form == Form::Pile && pile.cards.len() <= MAX_SHARED_TEXT
}

/// Whether a card is among the choices of the question.
fn is_offered(view: &View, card: &Card) -> bool {
    let choices = view.question.iter().flat_map(|question| &question.choices);
    card.face.is_some() && choices.map(|choice| &choice.face).any(|face| *face == card.face)
}

/// Joins card names, bottom first: `Mine ×2, Saloon, 3 cards`. An unknown card with visible counters is called by its
/// place: `#2 (colour red)`.
fn names(cards: &[Card]) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for (place, card) in (1..).zip(cards) {
        let name = match (card.name.is_empty(), card.is_marked()) {
            (true, false) => String::new(),
            (true, true) => format!("#{place}{}", card.told()),
            (false, _) => format!("{}{}", card.name, card.told()),
        };
        match runs.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => *times += 1,
            None => runs.push((name, 1)),
        }
    }
    let word = |(name, times): &(String, usize)| match (name.is_empty(), times) {
        (true, times) => paint::plural(*times, "card"),
        (false, 1) => name.clone(),
        (false, times) => format!("{name} ×{times}"),
    };
    runs.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The changed piles: added and removed cards.
pub fn changed(
    out: &mut String,
    (before, view): (&View, &View),
    piles: &[PileChange<'_>],
    faces: &Faces,
    width: usize,
) {
    // The player has already read cards that were in a pile of the same owner.
    let lay = |card: &Card, seat: Option<u8>| {
        let piles = before.piles.iter().filter(|pile| pile.seat == seat);
        piles.flat_map(|pile| &pile.cards).any(|other| other.face == card.face)
    };
    for change in piles {
        let pile = change.pile;
        let title = match pile.seat {
            None => pile.label.clone(),
            Some(seat) if view.seat == Some(seat) => format!("Your {}", within(&pile.label)),
            Some(seat) => format!("{}, {}", view.seat_name(seat), within(&pile.label)),
        };
        let known = |cards: &[&Card]| cards.iter().filter(|card| card.face.is_some()).count();
        if known(&change.added) + known(&change.removed) + change.turned.len() == 0 {
            let count = |count: Option<usize>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
            let text = match change.before == change.count {
                _ if pile.cards.iter().any(|card| card.face.is_none() && card.is_marked()) => names(&pile.cards),
                true => count(change.count),
                false => format!("{} → {}", count(change.before), count(change.count)),
            };
            out.push_str(&paint::hanging(&format!("{title}:"), 4, &text, width));
            continue;
        }
        let own = pile.seat == view.seat && view.seat.is_some() || pile.seat.is_none() && is_read(pile);
        let gone = if change.removed.is_empty() { String::new() } else { format!("− {}", list(&change.removed)) };
        // Show the text of each new card once: here, or among the choices below.
        let is_read = |card: &&Card| own && has_text(faces, card) && !lay(card, pile.seat) && !is_offered(view, card);
        let (read, named): (Vec<&Card>, Vec<&Card>) = change.added.iter().copied().partition(is_read);
        let came = if named.is_empty() { String::new() } else { format!("+ {}", list(&named)) };
        let turned = if change.turned.is_empty() { String::new() } else { list(&change.turned) };
        let all: Vec<String> = [turned, came, gone].into_iter().filter(|text| !text.is_empty()).collect();
        out.push_str(&paint::hanging(&format!("{title}:"), 4, &all.join("; "), width));
        for one in read {
            out.push_str(&card::line("  + ", one, faces, width));
        }
    }
}

/// Joins the names of some cards of a pile: an unknown card has no place among them.
fn list(cards: &[&Card]) -> String {
    let known = |&card: &&Card| {
        if card.name.is_empty() { Card { details: Vec::new(), place: None, ..card.clone() } } else { card.clone() }
    };
    names(&cards.iter().map(known).collect::<Vec<_>>())
}
