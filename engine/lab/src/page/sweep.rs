//! Renders a sweep as a page: a chart and a table.

use maud::{DOCTYPE, Markup, html};

use super::chart::{Row, dots};
use super::figures::{number, plural, share};
use super::head;
use crate::sweep::{SweepFigure, SweepReport};

/// Renders the page.
#[must_use]
pub fn sweep_page(report: &SweepReport) -> String {
    let drawn = report.drawn();
    let names =
        || report.values.iter().map(|value| format!("{}{}", value.value, if value.is_current { " (now)" } else { "" }));
    let rows: Vec<Row> = report
        .values
        .iter()
        .zip(names())
        .map(|(value, name)| Row { name, values: vec![value.figures.get(drawn).and_then(|figure| figure.estimate)] })
        .collect();
    let figures: &[SweepFigure] = report.values.first().map_or(&[], |value| &value.figures);
    let (title, is_share) = figures.get(drawn).map_or(("", false), |figure| (figure.what.as_str(), figure.is_share));
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{}: {}", report.game, report.key)))
            body { main {
                header {
                    h1 { (report.game) " " small { (report.key) } }
                    @if let Some(item) = &report.item { p.faint { (item) } }
                    p {
                        (plural(report.blocks, "block")) " of " (report.bots.join(", ")) ", "
                        (plural(report.setup.players.into(), "player")) ", seed " (report.setup.seed)
                        ": all values share their seeds, seatings and bots. Intervals are 95\u{a0}% intervals over blocks."
                    }
                }
                section { h2 { (title) } figure { (dots(&rows, None, title, is_share)) } }
                section {
                    h2 { "All figures" }
                    div.wide { table {
                        thead { tr { th { "value" } th.n { "same games" } @for figure in figures { th.n { (figure.what) } } } }
                        tbody { @for (value, name) in report.values.iter().zip(names()) { tr {
                            th scope="row" { (name) }
                            td.n { (value.same) }
                            @for figure in &value.figures { td.n { (cell(figure)) } }
                        } } }
                    } }
                }
            } }
        }
    };
    markup.into_string()
}

fn cell(figure: &SweepFigure) -> Markup {
    html! { (if figure.is_share { share(figure.estimate) } else { number(figure.estimate) }) }
}
