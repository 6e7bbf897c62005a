//! Cards in the terminal.

use std::fmt::Write as _;

use crate::face::{Face, Faces};
use crate::paint;
use crate::view::Card;

/// A full card: name, kind, facts and text.
pub fn whole(face: &Face, width: usize) -> String {
    let (strong, faint) = (paint::strong(), paint::faint());
    let mut out = format!("{strong}{}{strong:#}  {faint}{}{faint:#}\n", face.name, face.kind);
    for fact in &face.facts {
        let value = if fact.value.is_empty() { "yes" } else { &fact.value };
        let begin = if fact.label.is_empty() { " ".to_owned() } else { format!("  {}:", fact.label) };
        out.push_str(&paint::hanging(&begin, 4, value, width));
    }
    for line in paint::wrapped(&face.text, width.saturating_sub(2)) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// A card on one line, with its printed text.
pub fn line(begin: &str, card: &Card, faces: &Faces, width: usize) -> String {
    let strong = paint::strong();
    let face = card.face.as_ref().and_then(|id| faces.get(id));
    let printed = face.map(Face::line).unwrap_or_default();
    let printed = if printed.is_empty() { printed } else { format!("– {printed}") };
    paint::hanging(
        &format!("{begin}{strong}{}{strong:#}{}", name(card), card.told()),
        begin.chars().count() + 4,
        &printed,
        width,
    )
}

/// Name of the card, or a placeholder for an unknown card.
pub fn name(card: &Card) -> &str {
    if card.name.is_empty() { "a hidden card" } else { &card.name }
}
