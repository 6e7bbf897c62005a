//! A report of one game: one file of HTML that needs nothing else, the same to the byte for the same results.

mod chart;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use motherlode_play::Interval;

use self::chart::{Bar, bars, percent, steps};
use crate::arena::{ArenaReport, Ladder, RoleStanding};
use crate::effects::{EffectsReport, Flag, ItemReport};
use crate::ratio::Estimate;

/// What a page tells.
#[derive(Debug, Clone)]
pub struct Page {
    /// Name of the game as people read it.
    pub name: String,
    /// The command that makes the page.
    pub command: String,
    /// One for each skill: bots of one sort in all seats.
    pub arenas: Vec<ArenaReport>,
    /// What each item is worth to the best of these.
    pub effects: EffectsReport,
    /// Strength by doubled budget.
    pub ladder: Option<Ladder>,
    /// Games worth looking at.
    pub games: Vec<Shown>,
}

/// A game worth looking at.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Why.
    pub why: String,
    /// Its scores.
    pub scores: Vec<i32>,
    /// Rounds played.
    pub rounds: i32,
    /// The command that shows it.
    pub command: String,
    /// Name of the replay beside the page; `None`: there is none.
    pub file: Option<String>,
}

const STYLE: &str = include_str!("page/style.css");
const SORT: &str = include_str!("page/sort.js");

/// The page as text.
#[must_use]
pub fn page(page: &Page) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.name) ": balance" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (page.name) }
                    p.verdict { (verdict(page)) }
                    @for arena in &page.arenas { (skill(arena)) }
                    @if let Some(ladder) = &page.ladder { (climb(ladder)) }
                    (items(&page.effects))
                    @if !page.games.is_empty() { (games(&page.games)) }
                    (provenance(page))
                }
                script { (PreEscaped(SORT)) }
            }
        }
    };
    markup.into_string()
}

/// What a designer must know first, in a sentence or two. It speaks of the last arena, which is that of the best bots.
fn verdict(page: &Page) -> String {
    let Some(arena) = page.arenas.last() else { return "Nothing was played.".to_owned() };
    let uneven = |standings: &[RoleStanding]| -> Vec<String> {
        let off = standings.iter().filter_map(|standing| {
            let share = standing.share?;
            (!share.interval.contains(arena.even)).then(|| format!("{} {}", standing.name, percent(share.value, 1)))
        });
        off.collect()
    };
    let of = |what: &str, list: Vec<String>| {
        if list.is_empty() {
            format!("{what} are even as far as {} blocks tell", arena.blocks)
        } else {
            format!("{what} are not even ({}; even is {})", list.join(", "), percent(arena.even, 1))
        }
    };
    let mut parts = vec![of("Seats", uneven(&arena.seats))];
    if !arena.roles.is_empty() {
        parts.push(of("roles", uneven(&arena.roles)));
    }
    let flagged = |flag: Flag| page.effects.items.iter().filter(|item| item.flag == Some(flag)).count();
    let counts = [Flag::NeverOffered, Flag::Dead, Flag::Dominated, Flag::MustHave];
    let counts: Vec<String> = counts
        .iter()
        .map(|flag| (flagged(*flag), flag.text()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, text)| format!("{count} {text}"))
        .collect();
    parts.push(if counts.is_empty() {
        "nothing is dead, dominated or a must".to_owned()
    } else {
        format!("of {} items {}", page.effects.items.len(), counts.join(", "))
    });
    format!("Between {}: {}.", bots(arena), parts.join("; "))
}

fn bots(arena: &ArenaReport) -> String {
    let mut names: Vec<&str> = arena.bots.iter().map(|standing| standing.bot.as_str()).collect();
    names.dedup();
    names.join(", ")
}

fn skill(arena: &ArenaReport) -> Markup {
    let shares = |standings: &[RoleStanding]| {
        let bar = |standing: &RoleStanding| {
            let Estimate { value, interval, .. } = standing.share?;
            Some(Bar { name: standing.name.clone(), value, interval })
        };
        bars(&standings.iter().filter_map(bar).collect::<Vec<_>>(), Some(arena.even))
    };
    html! {
        section {
            h2 { "Played by " (bots(arena)) }
            p { (arena.games) " games in " (arena.blocks) " blocks of one seed each. "
                @if let Some(rounds) = arena.rounds { "A game ends in round " (number(rounds)) ". " }
                @if let Some(decisions) = arena.decisions { "It takes " (number(decisions)) " decisions. " }
                @if arena.aborted > 0 { (arena.aborted) " games were aborted. " }
            }
            figure {
                (shares(&arena.seats))
                figcaption { "Part of the first places by seat, with 95 % intervals; the line is even." }
            }
            @if !arena.roles.is_empty() {
                figure {
                    (shares(&arena.roles))
                    figcaption { "Part of the first places by what the seats were." }
                }
            }
            div.wide { table {
                thead { tr { th { "seat or role" } th.n { "sat" } th.n { "win share" } th.n { "95 % interval" } th.n { "score" } } }
                tbody { @for standing in arena.seats.iter().chain(&arena.roles) { tr {
                    td { (standing.name) }
                    td.n { (standing.sat) }
                    (share_cells(standing.share))
                    td.n { (standing.score.map_or_else(|| "-".to_owned(), number)) }
                } } }
            } }
        }
    }
}

fn climb(ladder: &Ladder) -> Markup {
    let points = ladder.rungs.iter().filter_map(|rung| {
        let Estimate { value, interval, .. } = rung.beats?;
        Some(Bar { name: rung.rival.clone(), value, interval })
    });
    html! {
        section {
            h2 { "Skill" }
            figure {
                (steps(&points.collect::<Vec<_>>(), 0.5))
                figcaption { "How often a budget stands above half of it: where the curve comes down to the line, more thought no longer pays." }
            }
        }
    }
}

fn items(effects: &EffectsReport) -> Markup {
    html! {
        section {
            h2 { "Cards, actions, places" }
            p { "Between " (effects.bots.join(", ")) ", in " (effects.blocks) " blocks. \u{201c}Dealt\u{201d} is what those win more who had it from the \
                opening deal; \u{201c}picked\u{201d} what taking it brings against the best other choice, both in points of win share. At most 5 % of the \
                differences that are called so are false." }
            div.wide { table.sortable {
                thead { tr {
                    th { "sort" } th { "name" } th.n { "offered" } th.n { "taken" } th.n { "dealt" } th.n { "picked" } th.n { "interval" }
                    th.n { "points" } th.n { "better" } th { "flag" }
                } }
                tbody { @for item in &effects.items { (item_row(item)) } }
            } }
        }
    }
}

fn item_row(item: &ItemReport) -> Markup {
    let value = |estimate: Option<Estimate>, scale: f64| {
        estimate.map_or_else(String::new, |one| format!("{:+.1}", one.value * scale))
    };
    let interval = |estimate: Option<Estimate>| {
        estimate.map_or_else(String::new, |one| {
            let Interval { low, high } = one.interval;
            format!("{:+.1} to {:+.1}", low * 100.0, high * 100.0)
        })
    };
    html! {
        tr {
            td { (item.sort) }
            td { (item.name) }
            td.n { (item.offered) }
            td.n { (item.taken.map_or_else(String::new, |taken| percent(taken.value, 1))) }
            td.n { (value(item.dealt.map(|dealt| dealt.more), 100.0)) }
            td.n { (value(item.pick, 100.0)) }
            td.n { (interval(item.pick)) }
            td.n { (value(item.points, 1.0)) }
            td.n { (item.better.map_or_else(String::new, |better| percent(better.value, 1))) }
            td { (item.flag.map_or(if item.found { "differs" } else { "" }, Flag::text)) }
        }
    }
}

fn games(games: &[Shown]) -> Markup {
    html! {
        section {
            h2 { "Games to look at" }
            div.wide { table {
                thead { tr { th { "why" } th { "scores" } th.n { "rounds" } th { "how" } } }
                tbody { @for game in games { tr {
                    td { (game.why) }
                    td { (game.scores.iter().map(i32::to_string).collect::<Vec<_>>().join(" : ")) }
                    td.n { (game.rounds) }
                    td { @if let Some(file) = &game.file { a href=(file) { (file) } " " } code { (game.command) } }
                } } }
            } }
        }
    }
}

fn provenance(page: &Page) -> Markup {
    let effects = &page.effects;
    html! {
        section {
            h2 { "Where this comes from" }
            dl {
                dt { "Command" } dd { code { (page.command) } }
                dt { "Game" } dd { (effects.game) @for one in &effects.mods { " + " (one) } }
                dt { "Fingerprint" } dd { code { (effects.fingerprint) } }
                dt { "Setup" } dd { (effects.setup.players) " players, seed " (effects.setup.seed)
                    @for (name, value) in &effects.setup.options { ", " (name) "=" (motherlode::tools::shown(value)) } }
                dt { "Blocks" } dd { "block i has seed mix(" (effects.setup.seed) ", i) and is played in every cyclic seating; intervals are bootstrapped over blocks" }
            }
        }
    }
}

fn share_cells(estimate: Option<Estimate>) -> Markup {
    html! {
        @match estimate {
            Some(one) => {
                td.n { (percent(one.value, 1)) }
                td.n { (format!("{:.1} to {:.1}", one.interval.low * 100.0, one.interval.high * 100.0)) }
            }
            None => { td.n { "-" } td {} }
        }
    }
}

fn number(Estimate { value, interval, .. }: Estimate) -> String {
    format!("{value:.1} ({:.1} to {:.1})", interval.low, interval.high)
}
