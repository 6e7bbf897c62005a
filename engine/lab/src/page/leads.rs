//! Who leads when, and games worth looking at.

use maud::{Markup, html};

use super::chart::{SIGNS, bands, ribbons, tenths};
use super::figures::{number, plural, share};
use super::{Page, Shown};
use crate::course::{LEAD, PLAYOUTS, POINTS};

/// Most ribbons of a skill.
const RIBBONS: usize = 16;

/// How the lead passed, for each skill, and the games that are worth looking at.
pub fn section(page: &Page) -> Markup {
    let contest = page.levels.iter().any(|level| level.contest);
    html! {
        section {
            h2 { "Who leads when" }
            @if !contest {
                p.none { "Nobody plays against another here, so nobody leads." }
            } @else if page.levels.iter().all(|level| level.followed.games.is_empty() && level.failures.aborted > 0) {
                p.none { "No game that was followed came to its end." }
            } @else if page.levels.iter().all(|level| level.blocks == 0) {
                p.none { "Not known: this was stopped before a game was followed." }
            } @else if page.levels.iter().all(|level| level.followed.games.is_empty()) {
                p.none { "No game was followed: --follow 24 looks at the first 24 of each bot." }
            } @else {
                p { "At " (POINTS) " positions of each of the first games, " (PLAYOUTS) " playouts at random say how likely each seat is to win. A seat takes the lead when it \
                    wins " (format!("{:.0}", LEAD * 100.0)) " points more of them than whoever had it. A game is decided once the winner never again wins less than half \
                    of them." }
                div.wide { table {
                    thead { tr { th { "bots" } th.n { "games" } th.n { "changes of the lead" } th.n { "decided after" } th.n { "leader at half time wins" } } }
                    tbody { @for (skill, level) in page.levels.iter().enumerate() { tr {
                        td { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } }
                        td.n { (level.followed.games.len()) }
                        td.n { (number(level.followed.changes)) }
                        td.n { (share(level.followed.decided)) }
                        td.n { (share(level.followed.middle)) }
                    } } }
                } }
                div.charts { @for (skill, level) in page.levels.iter().enumerate() {
                    @let shown = &level.followed.games[..level.followed.games.len().min(RIBBONS)];
                    @if !shown.is_empty() {
                        @let decided: Vec<f64> = level.followed.games.iter().filter_map(|(_, course)| course.decided()).collect();
                        figure {
                            (ribbons(shown))
                            figcaption { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } ": the seat that leads, in the first "
                                (plural(shown.len() as u64, "game")) "; \u{2013} is nobody." }
                        }
                        @if !decided.is_empty() { figure {
                            (tenths(&decided, "decided after this part of the game"))
                            figcaption { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } ": games by when they were decided. Tall bars at the left: few \
                                are open for long; at the right: the end decides." }
                        } }
                    }
                } }
            }
            h3 { "Games to look at" }
            @if page.games.is_empty() && page.judge().is_none() {
                p.none { "Not known: this was stopped before a game came to its end." }
            } @else if page.games.is_empty() {
                p.none { "No game came to its end." }
            }
            div.charts { @for shown in &page.games { (game(shown, &page.mods)) } }
        }
    }
}

fn game(shown: &Shown, mods: &str) -> Markup {
    let game = &shown.game;
    html! {
        article {
            h4 { (why(&game.why)) }
            p { "Block " (game.block) ", seed " (game.seed) ": " (plural(u64::from(game.rounds.unsigned_abs()), "round")) ", scores "
                @for (seat, score) in game.scores.iter().enumerate() {
                    @if seat > 0 { ", " } span class={ "chip s" (seat % 6) } { (seat + 1) } "\u{a0}" (score)
                }
                "." }
            @if let Some(course) = &shown.course { figure {
                (bands(course))
                figcaption { "How likely each seat was to win, by playouts." }
            } }
            p.how { a href=(shown.file) download { (shown.file) } br; code { "lode table" (mods) " --replay " (shown.file) } br; code { "lode replay" (mods) " " (shown.file) } }
        }
    }
}

fn why(why: &str) -> &str {
    match why {
        "closest" => "The closest: least between first and second",
        "widest" => "The widest: most between first and second",
        "longest" => "The longest: most decisions",
        "comeback" => "The biggest comeback: won from furthest behind",
        other => other,
    }
}
