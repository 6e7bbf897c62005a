//! Renders who leads during games, and notable games.

use maud::{Markup, html};
use motherlode::tools::fraction;

use super::chart::{SIGNS, bands, ribbons, tenths};
use super::figures::{number, plural, share};
use super::{Page, ShownGame};
use crate::trajectory::{LEAD, PLAYOUTS, POINTS};

/// Maximum number of ribbons per bot.
const RIBBONS: usize = 16;

/// Renders changes of the lead, for each bot, and notable games.
pub fn section(page: &Page) -> Markup {
    let contest = page.self_play.iter().any(|level| level.contest);
    html! {
        section {
            h2 { "Lead changes" }
            @if !contest {
                p.none { "Players do not compete in this game, so nobody leads." }
            } @else if page.effects.objective.is_score() {
                p.none { "The goal is the score, not the first place, so nobody leads." }
            } @else if page.self_play.iter().all(|level| level.followed.games.is_empty() && level.failures.aborted > 0) {
                p.none { "No followed game finished." }
            } @else if page.self_play.iter().all(|level| level.blocks == 0) {
                p.none { "No data: the run was stopped before a game was followed." }
            } @else if page.self_play.iter().all(|level| level.followed.games.is_empty()) {
                p.none { "No game was followed: follow the first 24 of each bot with --follow 24." }
            } @else {
                p {
                    "In each of the first games, " (PLAYOUTS) " random playouts from each of " (POINTS) " positions estimate how \
                    likely each seat is to win. A seat takes the lead when its estimate exceeds that of the previous leader by "
                    (format!("{:.0}", LEAD * 100.0)) " percentage points. A game is decided once the estimate of the winner \
                    stays at 50\u{a0}% or more."
                }
                div.wide { table {
                    thead { tr {
                        th { "bot" } th.n { "games" } th.n { "lead changes per game" } th.n { "decided after" }
                        th.n { "leader at half time wins" }
                    } }
                    tbody { @for (skill, level) in page.self_play.iter().enumerate() { tr {
                        td { span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) } }
                        td.n { (level.followed.games.len()) }
                        td.n { (number(level.followed.changes)) }
                        td.n { (share(level.followed.decided)) }
                        td.n { (share(level.followed.middle)) }
                    } } }
                } }
                div.charts { @for (skill, level) in page.self_play.iter().enumerate() {
                    @let shown = &level.followed.games[..level.followed.games.len().min(RIBBONS)];
                    @if !shown.is_empty() {
                        @let decided: Vec<f64> = level.followed.games.iter().filter_map(|(_, trajectory)| trajectory.decided()).collect();
                        figure {
                            (ribbons(shown))
                            figcaption {
                                span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) }
                                ": leading seat in the first " (plural(shown.len() as u64, "game")) " (\u{2013} for nobody)."
                            }
                        }
                        @if !decided.is_empty() { figure {
                            (tenths(&decided, "decided after this share of the game"))
                            figcaption {
                                span class={ "key k" (skill) } { (SIGNS[skill % SIGNS.len()]) "\u{a0}" (level.bot) }
                                ": when games were decided. Tall bars on the left: most games are decided early. On the right: \
                                the end decides."
                            }
                        } }
                    }
                } }
            }
            h3 { "Notable games" }
            @if page.games.is_empty() && page.best_bot().is_none() {
                p.none { "No data: the run was stopped before a game finished." }
            } @else if page.games.is_empty() {
                p.none { "No game finished." }
            }
            div.charts { @for shown in &page.games { (game(shown, &page.mods)) } }
        }
    }
}

fn game(shown: &ShownGame, mods: &str) -> Markup {
    let game = &shown.game;
    html! {
        article {
            h4 { (why(&game.why)) }
            p { "Block " (game.block) ", seed " (game.seed) ": " (plural(u64::from(game.rounds.unsigned_abs()), "round")) ". Scores: "
                @for (seat, score) in game.scores.iter().enumerate() {
                    @if seat > 0 { ", " } span class={ "chip s" (seat % 6) } { "seat\u{a0}" (seat + 1) } " has " (fraction::shown(*score, game.unit))
                }
                "." }
            @if let Some(trajectory) = &shown.trajectory { figure {
                (bands(trajectory))
                figcaption { "How likely each seat was to win, estimated by playouts." }
            } }
            p.how {
                a href=(shown.file) download { (shown.file) } br;
                code { "lode table" (mods) " --replay " (shown.file) } br;
                code { "lode replay" (mods) " " (shown.file) }
            }
        }
    }
}

fn why(why: &str) -> &str {
    match why {
        "closest" => "Closest: smallest difference between first and second",
        "widest" => "Widest: largest difference between first and second",
        "longest" => "Longest: most decisions",
        "comeback" => "Biggest comeback: the winner was furthest behind",
        other => other,
    }
}
