//! Renders how a game plays for its seats: blowouts, waiting, kingmaking and the number of decisions.

use maud::{Markup, html};

use super::Page;
use super::chart::SIGNS;
use super::figures::{number, share};
use crate::quality::{BLOWOUT, CONTENDER, PlayQuality};
use crate::ratio::Estimate;
use crate::trajectory::PLAYOUTS;

/// A figure: its name, its definition, its value and whether the value is a share.
struct QualityFigure {
    name: &'static str,
    definition: String,
    value: fn(&PlayQuality) -> Option<Estimate>,
    is_share: bool,
}

/// Renders the table of figures, with a column for each bot.
pub fn section(page: &Page) -> Markup {
    html! {
        section {
            h2 { "Tension and waiting" }
            p {
                "Playouts are the " (PLAYOUTS) " random ones from each position of a followed game, so figures with playouts cover \
                 only those games. A seat that wins no playout may still have a small chance."
            }
            div.wide { table {
                thead { tr {
                    th { "figure" }
                    @for (skill, level) in page.self_play.iter().enumerate() {
                        th.n { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } }
                    }
                } }
                tbody { @for figure in figures() { tr {
                    th { (figure.name) }
                    @for level in &page.self_play {
                        @let value = (figure.value)(&level.quality);
                        td.n { (if figure.is_share { share(value) } else { number(value) }) }
                    }
                } }
                @for (seat, name) in kingmakers(page) { tr {
                    th { "kingmaking by " (name) }
                    @for level in &page.self_play {
                        td.n { (share(level.quality.kingmakers.get(seat).copied().flatten())) }
                    }
                } } }
            } }
            dl {
                @for figure in figures() { dt { (figure.name) } dd { (figure.definition) } }
                dt { "kingmaking by a seat" } dd { "The same share of the positions in which this seat decides." }
            }
        }
    }
}

/// The seats with data on kingmaking, each with its name.
fn kingmakers(page: &Page) -> Vec<(usize, &str)> {
    let Some(level) = page.best_bot() else { return Vec::new() };
    let has_data = |seat: &usize| level.quality.kingmakers.get(*seat).is_some_and(Option::is_some);
    let seats = level.seats.iter().map(|seat| seat.name.as_str()).enumerate();
    seats.filter(|(seat, _)| has_data(seat)).collect()
}

fn figures() -> [QualityFigure; 6] {
    let share = |name, definition: String, value| QualityFigure { name, definition, value, is_share: true };
    let percent = |share: f64| format!("{:.0}\u{a0}%", share * 100.0);
    [
        share(
            "blowouts",
            format!(
                "Share of games whose winner leads the next place by at least {} of the larger score.",
                percent(BLOWOUT)
            ),
            |quality| quality.blowouts,
        ),
        share(
            "rest after the winner is certain",
            "Share of a game's decisions from the position on at which the winner wins every playout to the end."
                .to_owned(),
            |quality| quality.settled,
        ),
        share(
            "rest without a chance",
            "Share of a game's decisions from the position on at which a loser wins no playout to the end, as a mean \
             over losers."
                .to_owned(),
            |quality| quality.hopeless,
        ),
        share(
            "rest after the last decision",
            "Share of a game's decisions after the last decision of the seat that stops first, by elimination or not."
                .to_owned(),
            |quality| quality.idle,
        ),
        share(
            "kingmaking",
            format!(
                "Share of positions in which the seat that decides wins no playout and at least two other seats win {} or \
                 more of them: this seat may decide who wins. With two players there is no data.",
                percent(CONTENDER)
            ),
            |quality| quality.kingmaking,
        ),
        QualityFigure {
            name: "decisions per player",
            definition: "Number of decisions in a game, divided by the number of players.".to_owned(),
            value: |quality| quality.decisions,
            is_share: false,
        },
    ]
}
