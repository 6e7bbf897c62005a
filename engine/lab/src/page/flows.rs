//! Renders sources and sinks of counters.

use maud::{Markup, html};

use super::Page;
use super::figures::{number, readable};

/// Maximum number of rows.
const ROWS: usize = 80;

/// Renders the gains and losses per round of the best bot, by counter and phase.
pub fn section(page: &Page) -> Markup {
    let level = page.best_bot();
    let flows = level.map(|level| level.flows.as_slice()).unwrap_or_default();
    html! {
        section {
            h2 { "Sources and sinks" }
            @if flows.is_empty() {
                p.none { "No counter of a player or of the game changed in a followed game: follow games with --follow 24." }
            } @else {
                p {
                    "Amounts that all players together, or the game, gain and lose per round, as means over the followed games \
                     of " (level.map_or("", |level| level.bot.as_str())) ". A change is the net difference from one decision to \
                     the next, and belongs to the phase of the earlier decision. Setup is left out."
                }
                div.wide { table {
                    thead { tr {
                        th { "phase" } th.n { "gained per round" } th { "" } th { "counter" } th { "" } th.n { "lost per round" }
                    } }
                    tbody { @for flow in flows.iter().take(ROWS) {
                        @let gained = flow.gained.filter(|one| one.value > 0.0);
                        @let lost = flow.lost.filter(|one| one.value > 0.0);
                        tr {
                            td { (readable(&flow.phase)) }
                            td.n { @if gained.is_some() { (number(gained)) } }
                            td { @if gained.is_some() { "\u{2192}" } }
                            th { (readable(&flow.counter)) }
                            td { @if lost.is_some() { "\u{2192}" } }
                            td.n { @if lost.is_some() { (number(lost)) } }
                        }
                    } }
                } }
                @if flows.len() > ROWS { p.faint { (flows.len() - ROWS) " more rows are not shown." } }
            }
        }
    }
}
