//! Renders results of self-play, bot by bot: win shares, scores or margins, lengths, variety of choices.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::{Row, SIGNS, dots, histogram};
use super::figures::{command_note, number, plain, plural, readable};
use super::{Page, TOO_FEW, share_cells};
use crate::objective::Objective;
use crate::self_play::SelfPlayReport;
use crate::standing::RoleStanding;

/// Renders win shares, scores or margins of seats and roles.
pub fn seats(page: &Page) -> Markup {
    let objective = page.effects.objective;
    let (name, is_share) = (objective.name(), objective.is_share());
    let contest = page.self_play.first().is_some_and(|level| level.contest);
    let even = page.self_play.first().filter(|_| contest && is_share).map(|level| level.even);
    let seats = rows(page, |level| &level.seats);
    let mut places: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows(page, |level| &level.roles) {
        let (place, name) = row.name.split_once(": ").unwrap_or(("role", &row.name));
        places.entry(place.to_owned()).or_default().push(Row { name: name.to_owned(), values: row.values });
    }
    html! {
        section {
            h2 { (heading(objective)) " by seat and role" }
            @if !contest && is_share { p { "Players do not compete in this game: the win share is the share of games won." } }
            @if !contest && !is_share { p { "Players do not compete in this game: the score decides." } }
            div.charts {
                figure {
                    (dots(&seats, even, name, is_share))
                    figcaption { "By seat." @if even.is_some() { " The dashed line is the even share." } }
                }
                @for (place, rows) in &places {
                    figure {
                        (dots(rows, even, name, is_share))
                        figcaption { "By role: " (readable(place)) "." }
                    }
                }
            }
            @if places.is_empty() && page.self_play.iter().all(|level| level.blocks > 0) {
                p.none {
                    "The game declares no roles. A role is a public zone for one token per player, or a public counter per player \
                    that names a definition."
                }
            }
            details {
                summary { "As a table" }
                div.wide { table {
                    thead { tr { th { "seat or role" } @for level in &page.self_play {
                        th.n { (level.bot) ": games" }
                        @if is_share { th.n { "win share" } th.n { "95 % interval" } }
                        @if objective == Objective::Margin { th.n { "margin" } }
                        th.n { "score" }
                    } } }
                    tbody { @for name in names(page, |level| level.seats.iter().chain(&level.roles).collect()) { tr {
                        td { (readable(&name)) }
                        @for level in &page.self_play {
                            @match level.seats.iter().chain(&level.roles).find(|one| one.name == name) {
                                Some(one) => {
                                    td.n { (format!("{:.0}", one.sat)) }
                                    @if is_share { (share_cells(one.share)) }
                                    @if objective == Objective::Margin { td.n { (number(one.margin)) } }
                                    td.n { (number(one.score)) }
                                }
                                None => { td {} td {} @if is_share { td {} td {} } @if objective == Objective::Margin { td {} } }
                            }
                        }
                    } } }
                } }
            }
            @for level in &page.self_play { (command_note(&arena(page, level))) }
        }
    }
}

/// Returns the plural of the objective.
fn heading(objective: Objective) -> &'static str {
    match objective {
        Objective::WinShare => "Win shares",
        Objective::Score | Objective::LeastScore => "Scores",
        Objective::Margin => "Margins",
    }
}

/// Renders the lengths of games.
pub fn lengths(page: &Page) -> Markup {
    let drawn = |title: &str, of: &dyn Fn(&SelfPlayReport) -> &crate::self_play::LengthDistribution| {
        let beside: Vec<_> = page.self_play.iter().map(|level| &of(level).games).collect();
        html! {
            @for (skill, level) in page.self_play.iter().enumerate() {
                @let length = of(level);
                @if level.blocks == 0 {
                    p.none { "No data for " (level.bot) ": the run was stopped before." }
                } @else if length.games.is_empty() {
                    p.none { "No game of " (level.bot) " finished." }
                } @else { figure {
                    (histogram(&length.games, &beside, title))
                    figcaption {
                        span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) }
                        ": " (number(length.mean)) " " (title) " on average."
                    }
                } }
            }
        }
    };
    html! {
        section {
            h2 { "Length of games" }
            div.charts { (drawn("rounds", &|level| &level.rounds)) }
            div.charts { (drawn("decisions", &|level| &level.decisions)) }
        }
    }
}

/// Renders the variety of choices.
pub fn variety(page: &Page) -> Markup {
    let mut sorts: Vec<&str> =
        page.self_play.iter().flat_map(|level| &level.choices).map(|choice| choice.sort.as_str()).collect();
    sorts.sort_unstable();
    sorts.dedup();
    html! {
        section {
            h2 { "Variety of choices" }
            p {
                "The effective number of choices is e to the power of the entropy of the choices taken: this many, taken equally \
                often, are as varied. If one of ten cards is nearly always taken, the effective number is little more than one."
            }
            @if sorts.is_empty() && page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if sorts.is_empty() {
                p.none { "No decision offered cards, actions or cells." }
            } @else { div.wide { table {
                thead { tr { th { "kind" } @for level in &page.self_play {
                    th.n { (level.bot) ": choices" } th.n { "offered" } th.n { "effective" } th.n { "share" }
                } } }
                tbody { @for sort in sorts { tr {
                    td { (readable(sort)) }
                    @for level in &page.self_play {
                        @match level.choices.iter().find(|choice| choice.sort == sort) {
                            Some(choice) => {
                                td.n { (choice.made) } td.n { (choice.offered) } td.n { (format!("{:.1}", choice.effective)) }
                                td.n { (plain(choice.effective / offered(choice.offered))) }
                            }
                            None => { td {} td {} td {} td {} }
                        }
                    }
                } } }
            } } }
            p.faint {
                "\u{201c}Offered\u{201d} is the number of different items offered. \u{201c}Share\u{201d} is effective divided by \
                offered. From the "
                @if page.stopped { "games that were played" } @else { (plural(page.blocks, "game")) } " of each bot."
            }
        }
    }
}

/// Returns the command that plays the same games.
pub fn arena(page: &Page, level: &SelfPlayReport) -> String {
    format!("lode arena {} --bots {} --blocks {}", page.setup, level.bot, page.blocks)
}

fn offered(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

fn rows(page: &Page, of: impl Fn(&SelfPlayReport) -> &Vec<RoleStanding>) -> Vec<Row> {
    let judged = |level: &SelfPlayReport, name: &str| {
        of(level).iter().find(|one| one.name == name)?.judged(page.effects.objective)
    };
    let row = |name: String| Row { values: page.self_play.iter().map(|level| judged(level, &name)).collect(), name };
    names(page, |level| of(level).iter().collect()).into_iter().map(row).collect()
}

/// Returns all names, in order of appearance.
fn names<'p>(page: &'p Page, of: impl Fn(&'p SelfPlayReport) -> Vec<&'p RoleStanding>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in page.self_play.iter().flat_map(of) {
        if !names.contains(&one.name) {
            names.push(one.name.clone());
        }
    }
    names
}
