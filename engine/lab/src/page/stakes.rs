//! Renders how much decisions matter, and how much they touch other seats.

use maud::{Markup, html};

use super::Page;
use super::figures::{figure, number, plural, share};

/// Renders the figures of the best bot.
pub fn section(page: &Page) -> Markup {
    let Some(stakes) = page.stakes.as_ref() else { return html! {} };
    let has_data = stakes.decisions > 0;
    html! {
        section {
            h2 { "Weight of decisions" }
            @if !has_data {
                p.none { "No decision with several choices could be played on." }
            } @else {
                p {
                    (plural(stakes.decisions, "decision")) " of " (stakes.bot) ", drawn from its games, were played on by " (stakes.bot)
                    " in all seats, with up to six choices. Some continuations select the best and the second choice, others \
                    compare them."
                }
                div.wide { table { tbody {
                    @if stakes.objective.is_share() {
                        tr { th { "gap in win share" } td.n { (share(stakes.gap)) } }
                    } @else {
                        tr { th { "gap in " (stakes.objective.name()) } td.n { (figure(stakes.objective, stakes.gap)) } }
                    }
                    tr { th { "gap in points" } td.n { (number(stakes.points)) } }
                    tr { th { "decisions that matter, at least" } td.n { (share(stakes.matters)) } }
                    tr { th { "interaction: scores" } td.n { (share(stakes.on_scores)) } }
                    tr { th { "interaction: choices" } td.n { (share(stakes.on_choices)) } }
                } } }
                dl {
                    dt { "gap" } dd { "The best choice minus the second one, as a mean over decisions." }
                    dt { "decisions that matter" } dd {
                        "Share of decisions whose gap is more than chance. Twelve continuations miss small gaps, so the share is a \
                        lower bound."
                    }
                    dt { "interaction: scores" } dd {
                        "The change that a choice makes to the score of a rival, divided by the change that it makes to the own score: \
                        0\u{a0}% if everybody plays alone, 100\u{a0}% if rivals gain or lose as much as the seat itself."
                    }
                    dt { "interaction: choices" } dd {
                        "Share of decisions after which the next decision of another seat offers other choices if the second choice \
                        replaces the best."
                    }
                }
            }
        }
    }
}
