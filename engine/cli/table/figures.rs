//! The figures of `lode effects` for the cards of the gallery.

use std::path::Path;

use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_files::{read_regular, reason};
use motherlode_lab::{EffectsReport, Estimate, Figure, ItemReport, item_columns};
use motherlode_table::{CardFigure, CardFigures, Face, Faces};
use serde_json::Value;

use crate::effects::signed;
use crate::fault::Fault;

/// Maximum size of the file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads the figures of a game from the output of `lode effects --format json`.
///
/// # Errors
/// The file cannot be read, or has something else: the message names the place, the mistake and the command to run.
pub fn read_figures(path: &Path, game: &Game) -> Result<CardFigures, Fault> {
    let shown = hidden::path(path);
    let id = &game.declarations().id;
    let make = format!("make the file by `lode effects {id} --format json > effects.json`");
    let bytes = read_regular(path, LARGEST)
        .map_err(|error| Fault::failed(format!("cannot read `{shown}`: {}; {make}", reason(&error))))?;
    let report: EffectsReport = serde_json::from_slice(&bytes).map_err(|error| {
        let (line, mistake) = mistake(&bytes, &error);
        Fault::failed(format!("`{shown}`, line {line}: {mistake}; {make}"))
    })?;
    if report.game != *id {
        let line = line_of(&bytes, "game").unwrap_or(1);
        return Err(Fault::usage(format!(
            "`{shown}`, line {line}: the figures are of the game `{}`, not of `{id}`; {make}, or open `lode table {}`",
            hidden::name(&report.game),
            hidden::name(&report.game)
        )));
    }
    if report.fingerprint != game.fingerprint() {
        eprintln!("note: `{shown}` measures another version of {id}: some figures may no longer hold");
    }
    Ok(figures_of(&report, game))
}

/// Keys of the results of other commands, by which a wrong file is known.
const OTHERS: [(&[&str], &str); 8] = [
    (&["answers", "hashes"], "a saved match"),
    (&["rungs"], "the output of `lode arena`"),
    (&["beats", "seats"], "the output of `lode arena`"),
    (&["base", "changed"], "the output of `lode compare`"),
    (&["key", "values"], "the output of `lode compare --sweep`"),
    (&["plans", "against"], "the output of `lode exploit`"),
    (&["wanted", "stopped"], "the output of `lode sim`"),
    (&["run", "arguments"], "the manifest of a run"),
];

/// The line of a fault, from 1, and the mistake in words.
fn mistake(bytes: &[u8], error: &serde_json::Error) -> (usize, String) {
    let at = error.line().max(1);
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    match (serde_json::from_slice::<Value>(bytes), first) {
        (_, None) => (1, "the file is empty".to_owned()),
        (Err(_), Some(b'<')) => (1, "a page of HTML, such as `lode report` writes, is not JSON".to_owned()),
        (Err(error), Some(b'{')) if has_lines(bytes) => {
            (error.line(), "JSON lines, such as `--rows` writes, are not one JSON value".to_owned())
        }
        (Err(error), Some(b'{' | b'[')) => {
            let column = error.column();
            (error.line().max(1), format!("column {column}: the JSON is damaged or cut off ({})", plain(&error)))
        }
        (Err(_), Some(_)) => (1, "the text is not JSON: `--format json` may be missing".to_owned()),
        (Ok(Value::Object(map)), _) => {
            let known = OTHERS.iter().find(|(keys, _)| keys.iter().all(|key| map.contains_key(*key)));
            match known {
                Some((_, what)) => (1, format!("the file is {what}, not the output of `lode effects`")),
                None => (at, format!("not the output of `lode effects`: {}", plain(error))),
            }
        }
        (Ok(_), _) => (1, "the file is JSON, but not the output of `lode effects`".to_owned()),
    }
}

/// Whether several JSON values follow each other.
fn has_lines(bytes: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    values.by_ref().take(2).filter(Result::is_ok).count() == 2
}

/// A fault of the JSON without its place.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

/// The line of the first key with this name, from 1.
fn line_of(bytes: &[u8], key: &str) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let quoted = format!("\"{key}\"");
    text.lines().position(|line| line.contains(&quoted)).map(|at| at + 1)
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
            let (digits, [low, high]) = (interval.digits(100.0, 0), [interval.low, interval.high].map(|at| at * 100.0));
            let text = format!("{:.digits$} % ({low:.digits$} to {high:.digits$})", value * 100.0);
            Some((text, value * 100.0))
        }
        Figure::Percentage(points) => Some(difference(points, 100.0)),
        Figure::Points(points) => Some(difference(points, 1.0)),
    }
}
