//! What bots of each skill make of the game: who wins, how long it takes, how varied it is.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::{Row, SIGNS, dots, histogram};
use super::figures::{number, plain, plural, shown_by, words};
use super::{Page, TOO_FEW, share_cells};
use crate::arena::RoleStanding;
use crate::level::LevelReport;

/// Seats and what they were, each skill beside the others.
pub fn seats(page: &Page) -> Markup {
    let even = page.levels.first().filter(|level| level.contest).map(|level| level.even);
    let seats = rows(page, |level| &level.seats);
    let mut places: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows(page, |level| &level.roles) {
        let (place, name) = row.name.split_once(": ").unwrap_or(("role", &row.name));
        places.entry(place.to_owned()).or_default().push(Row { name: name.to_owned(), shares: row.shares });
    }
    html! {
        section {
            h2 { "Who wins" }
            @if even.is_none() { p { "Nobody plays against another here: a share is that of games won." } }
            div.charts {
                figure {
                    (dots(&seats, even, "part of the first places"))
                    figcaption { "By seat." @if even.is_some() { " The dashed line is even." } }
                }
                @for (place, rows) in &places {
                    figure {
                        (dots(rows, even, "part of the first places"))
                        figcaption { "By what the seat was: " (words(place)) "." }
                    }
                }
            }
            @if places.is_empty() && page.levels.iter().all(|level| level.blocks > 0) { p.none { "The game declares nothing that a seat is (a public zone for one token, or a counter that names a definition)." } }
            details {
                summary { "The same as a table" }
                div.wide { table {
                    thead { tr { th { "seat or role" } @for level in &page.levels {
                        th.n { (level.bot) ": sat" } th.n { "wins" } th.n { "95 % interval" } th.n { "score" }
                    } } }
                    tbody { @for name in names(page, |level| level.seats.iter().chain(&level.roles).collect()) { tr {
                        td { (words(&name)) }
                        @for level in &page.levels {
                            @match level.seats.iter().chain(&level.roles).find(|one| one.name == name) {
                                Some(one) => {
                                    td.n { (format!("{:.0}", one.sat)) } (share_cells(one.share)) td.n { (number(one.score)) }
                                }
                                None => { td {} td {} td {} td {} }
                            }
                        }
                    } } }
                } }
            }
            @for level in &page.levels { (shown_by(&arena(page, level))) }
        }
    }
}

/// How long games are.
pub fn lengths(page: &Page) -> Markup {
    let drawn = |title: &str, of: &dyn Fn(&LevelReport) -> &crate::level::Length| {
        let beside: Vec<_> = page.levels.iter().map(|level| &of(level).games).collect();
        html! {
            @for (skill, level) in page.levels.iter().enumerate() {
                @let length = of(level);
                @if level.blocks == 0 {
                    p.none { "Not known of " (level.bot) ": this was stopped before." }
                } @else if length.games.is_empty() {
                    p.none { "No game of " (level.bot) " came to its end." }
                } @else { figure {
                    (histogram(&length.games, &beside, title))
                    figcaption { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } ": " (number(length.mean)) " " (title) " on average." }
                } }
            }
        }
    };
    html! {
        section {
            h2 { "How long it takes" }
            div.charts { (drawn("rounds", &|level| &level.rounds)) }
            div.charts { (drawn("decisions", &|level| &level.decisions)) }
        }
    }
}

/// How varied choices are.
pub fn variety(page: &Page) -> Markup {
    let mut sorts: Vec<&str> =
        page.levels.iter().flat_map(|level| &level.choices).map(|choice| choice.sort.as_str()).collect();
    sorts.sort_unstable();
    sorts.dedup();
    html! {
        section {
            h2 { "How varied choices are" }
            p { "Effective choices are as many as would be, taken equally often, just as varied (e to the power of the entropy of what was taken). Of ten cards of \
                which one is nearly always taken, little more than one is effective." }
            @if sorts.is_empty() && page.has_too_few() {
                p.none { (TOO_FEW) }
            } @else if sorts.is_empty() {
                p.none { "Nobody chose among cards, actions or cells." }
            } @else { div.wide { table {
                thead { tr { th { "choices of" } @for level in &page.levels {
                    th.n { (level.bot) ": made" } th.n { "offered" } th.n { "effective" } th.n { "part" }
                } } }
                tbody { @for sort in sorts { tr {
                    td { (words(sort)) }
                    @for level in &page.levels {
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
            p.faint { "\u{201c}Offered\u{201d} counts different things, \u{201c}part\u{201d} is the effective ones of these. Seen in the "
                @if page.stopped { "games that were played" } @else { (plural(page.blocks, "game")) } " of each bot." }
        }
    }
}

/// The command that plays the same games.
pub fn arena(page: &Page, level: &LevelReport) -> String {
    format!("lode arena {} --bots {} --blocks {}", page.setup, level.bot, page.blocks)
}

fn offered(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

fn rows(page: &Page, of: impl Fn(&LevelReport) -> &Vec<RoleStanding>) -> Vec<Row> {
    let share = |level: &LevelReport, name: &str| of(level).iter().find(|one| one.name == name)?.share;
    let row = |name: String| Row { shares: page.levels.iter().map(|level| share(level, &name)).collect(), name };
    names(page, |level| of(level).iter().collect()).into_iter().map(row).collect()
}

/// Names of all skills, in the order in which they are met.
fn names<'p>(page: &'p Page, of: impl Fn(&'p LevelReport) -> Vec<&'p RoleStanding>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in page.levels.iter().flat_map(of) {
        if !names.contains(&one.name) {
            names.push(one.name.clone());
        }
    }
    names
}
