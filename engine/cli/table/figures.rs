//! The figures of `lode effects` for the cards of the gallery.

use std::path::Path;

use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_files::{read_regular, reason};
use motherlode_lab::{EffectsReport, Estimate, Figure, ItemReport, item_columns};
use motherlode_table::{CardFigure, CardFigures, Face, Faces};

use crate::effects::signed;
use crate::fault::Fault;

/// Maximum size of the file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads the figures of a game from the output of `lode effects --format json`.
pub fn read_figures(path: &Path, game: &Game) -> Result<CardFigures, Fault> {
    let shown = hidden::path(path);
    let bytes = read_regular(path, LARGEST)
        .map_err(|error| Fault::failed(format!("cannot read `{shown}`: {}", reason(&error))))?;
    let report: EffectsReport = serde_json::from_slice(&bytes).map_err(|error| {
        Fault::failed(format!(
            "`{shown}` is not the output of `lode effects {} --format json`: {error}",
            game.declarations().id
        ))
    })?;
    let id = &game.declarations().id;
    if report.game != *id {
        return Err(Fault::usage(format!("`{shown}` has figures of `{}`, not of `{id}`", report.game)));
    }
    if report.fingerprint != game.fingerprint() {
        eprintln!("note: `{shown}` measures another version of {id}: some figures may no longer hold");
    }
    Ok(figures_of(&report, game))
}

fn figures_of(report: &EffectsReport, game: &Game) -> CardFigures {
    let faces = Faces::new(game);
    let columns = item_columns(report.objective);
    let mut figures = CardFigures::new();
    for item in &report.items {
        let Some(face) = face_of(item, game, &faces) else { continue };
        let own = columns.iter().filter_map(|column| {
            let (text, value) = written((column.of)(item)?)?;
            Some(CardFigure { name: column.name.to_owned(), meaning: column.meaning.clone(), text, value })
        });
        figures.entry(face.id.clone()).or_insert_with(|| own.collect());
    }
    figures.retain(|_, own| !own.is_empty());
    figures
}

/// The card that an item is: a card of a kind, or a label of a prompt with the id of a single card.
fn face_of<'f>(item: &ItemReport, game: &Game, faces: &'f Faces) -> Option<&'f Face> {
    let begin = format!("{}.", item.sort);
    let own = faces.iter().find(|face| face.id.starts_with(&begin) && face.name == item.name);
    if own.is_some() {
        return own;
    }
    let prompt = game.declarations().prompts.get(&item.sort)?;
    let (label, _) = prompt.labels.iter().find(|(_, text)| **text == item.name)?;
    let mut named = faces.iter().filter(|face| face.id.split_once('.').is_some_and(|(_, id)| id == label));
    named.next().filter(|_| named.next().is_none())
}

/// A figure with its interval, and the number to sort by. Counts are left out: they are no results.
fn written(figure: Figure) -> Option<(String, f64)> {
    let difference = |points: Estimate, scale: f64| (signed(points, scale), points.value * scale);
    match figure {
        Figure::Count(_) => None,
        Figure::Share(Estimate { value, interval, .. }) => {
            let text = format!("{:.0} % ({:.0} to {:.0})", value * 100.0, interval.low * 100.0, interval.high * 100.0);
            Some((text, value * 100.0))
        }
        Figure::Percentage(points) => Some(difference(points, 100.0)),
        Figure::Points(points) => Some(difference(points, 1.0)),
    }
}
