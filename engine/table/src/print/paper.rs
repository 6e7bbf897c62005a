//! Lays cards out on sheets of paper.

use motherlode::declare::CardSize;
use serde::Serialize;

/// Space at the edges of the paper that printers leave free, in millimetres.
pub const MARGIN: f64 = 5.0;

/// Tolerance of comparisons, in millimetres.
const TINY: f64 = 1e-6;

/// A format of paper, upright, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Paper {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Paper {
    /// ISO A4.
    pub const A4: Self = Self { width: 210.0, height: 297.0 };
    /// US Letter.
    pub const LETTER: Self = Self { width: 215.9, height: 279.4 };
}

/// A card to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedCard {
    /// Id of its face.
    pub face: String,
    /// Its size.
    pub size: CardSize,
    /// Number of copies.
    pub copies: usize,
}

/// A sheet of cards of one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sheet {
    /// Width of a card, in millimetres.
    pub width: f64,
    /// Height of a card, in millimetres.
    pub height: f64,
    /// Whether the cards lie on their side.
    pub turned: bool,
    /// Cards beside each other.
    pub columns: usize,
    /// Cards below each other.
    pub rows: usize,
    /// Ids of the faces, row by row.
    pub cards: Vec<String>,
}

/// Error: a card with its bleed is larger than the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge(pub CardSize);

/// Lays cards out: each size on sheets of its own, in the order of the cards, as many on a sheet as fit.
///
/// # Errors
/// A card does not fit on the paper.
pub fn lay_out(cards: &[PrintedCard], paper: Paper, bleed: f64) -> Result<Vec<Sheet>, TooLarge> {
    let mut sizes: Vec<CardSize> = Vec::new();
    for card in cards {
        if !sizes.contains(&card.size) {
            sizes.push(card.size);
        }
    }
    let mut sheets = Vec::new();
    for size in sizes {
        let Some((width, height)) = size.millimetres() else { continue };
        let empty = empty_sheet(width, height, paper, bleed).ok_or(TooLarge(size))?;
        let of_size = cards.iter().filter(|card| card.size == size);
        let ids: Vec<&String> = of_size.flat_map(|card| std::iter::repeat_n(&card.face, card.copies)).collect();
        for part in ids.chunks(empty.columns * empty.rows) {
            sheets.push(Sheet { cards: part.iter().copied().cloned().collect(), ..empty.clone() });
        }
    }
    Ok(sheets)
}

/// The sheet that holds the most cards of a size; upright if both ways hold the same number.
fn empty_sheet(width: f64, height: f64, paper: Paper, bleed: f64) -> Option<Sheet> {
    let sheet = |turned: bool| {
        let (wide, high) = if turned { (paper.height, paper.width) } else { (paper.width, paper.height) };
        let (columns, rows) = (count(wide, width + 2.0 * bleed), count(high, height + 2.0 * bleed));
        Sheet { width, height, turned, columns, rows, cards: Vec::new() }
    };
    let (upright, turned) = (sheet(false), sheet(true));
    let cards = |sheet: &Sheet| sheet.columns * sheet.rows;
    let best = if cards(&turned) > cards(&upright) { turned } else { upright };
    (cards(&best) > 0).then_some(best)
}

/// The number of cards along a side of the paper.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number that is not negative")]
fn count(paper: f64, card: f64) -> usize {
    ((paper - 2.0 * MARGIN + TINY) / card).max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(size: CardSize, copies: usize) -> PrintedCard {
        PrintedCard { face: format!("cards.{size:?}"), size, copies }
    }

    fn shape(size: CardSize, paper: Paper, bleed: f64) -> Option<(usize, usize, bool)> {
        let sheets = lay_out(&[cards(size, 1)], paper, bleed).ok()?;
        sheets.first().map(|sheet| (sheet.columns, sheet.rows, sheet.turned))
    }

    #[test]
    fn sheets_hold_as_many_cards_as_fit() {
        assert_eq!(shape(CardSize::Poker, Paper::A4, 1.5), Some((3, 3, false)));
        assert_eq!(shape(CardSize::Poker, Paper::A4, 3.0), Some((4, 2, true)));
        assert_eq!(shape(CardSize::Poker, Paper::LETTER, 1.5), Some((4, 2, true)));
        assert_eq!(shape(CardSize::Landscape, Paper::A4, 1.5), Some((3, 3, true)));
        assert_eq!(shape(CardSize::Tarot, Paper::A4, 1.5), Some((2, 2, false)));
        assert_eq!(shape(CardSize::Token, Paper::A4, 0.0), Some((6, 9, false)));
        assert_eq!(shape(CardSize::None, Paper::A4, 0.0), None);
        assert_eq!(lay_out(&[cards(CardSize::Tarot, 1)], Paper::A4, 80.0), Err(TooLarge(CardSize::Tarot)));
    }

    #[test]
    fn every_copy_is_on_a_sheet_of_its_size() {
        let cards = [cards(CardSize::Poker, 7), cards(CardSize::Tarot, 5), cards(CardSize::Poker, 4)];
        let sheets = lay_out(&cards, Paper::A4, 1.5).unwrap();
        let counts: Vec<_> = sheets.iter().map(|sheet| (sheet.width, sheet.cards.len())).collect();
        assert_eq!(counts, [(63.5, 9), (63.5, 2), (70.0, 4), (70.0, 1)]);
    }
}
