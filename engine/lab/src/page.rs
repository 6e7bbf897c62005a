//! A report of one game: one file of HTML that needs nothing else, the same to the byte for the same results.
//!
//! Direction: self <- figures <- chart <- items, leads, levels

mod chart;
mod figures;
mod items;
mod leads;
mod levels;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use motherlode_play::Failures;

use self::figures::{listed, percents, plural, share, shown_by};
use crate::arena::{Ladder, Notable};
use crate::course::Course;
use crate::effects::EffectsReport;
use crate::effects::report::Flag;
use crate::level::LevelReport;
use crate::luck::TogetherReport;
use crate::ratio::Estimate;

/// What a page tells.
#[derive(Debug, Clone)]
pub struct Page {
    /// Name of the game as people read it.
    pub name: String,
    /// Version of the game, as its content says.
    pub version: String,
    /// What the game is, in a sentence; may be empty.
    pub text: String,
    /// Name and version of the program.
    pub program: String,
    /// The command that makes the page.
    pub command: String,
    /// What all commands share that play these games: `GAME --players 4 --seed 1`.
    pub setup: String,
    /// What commands say of mods: empty, or ` --mod PATH` for each.
    pub mods: String,
    /// Blocks of each experiment.
    pub blocks: u64,
    /// Forks of each item, about.
    pub forks: u32,
    /// Whether it was stopped before all of that was played.
    pub stopped: bool,
    /// One for each skill, from the weakest to the best: one bot in all seats.
    pub levels: Vec<LevelReport>,
    /// All of them at the same table; `None`: there is one.
    pub together: Option<TogetherReport>,
    /// What each item is worth to the best of these.
    pub effects: EffectsReport,
    /// Strength by doubled budget, and the spec that says which.
    pub ladder: Option<(String, Ladder)>,
    /// Games of the best worth looking at.
    pub games: Vec<Shown>,
}

/// A game worth looking at.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The game.
    pub game: Notable,
    /// How it went.
    pub course: Option<Course>,
    /// Name of its replay beside the page.
    pub file: String,
}

impl Page {
    /// How many games were played and how many of them were aborted, each counted once: the games of the effects are those of the best
    /// bot again.
    #[must_use]
    pub fn failures(&self) -> (u64, Failures) {
        let levels = self.levels.iter().map(|level| (level.blocks, &level.failures));
        let together = self.together.iter().map(|together| (together.games, &together.failures));
        let ladder = self.ladder.iter().map(|(_, ladder)| (ladder.games, &ladder.failures));
        let (mut games, mut failures) = (0, Failures::default());
        for (more, own) in levels.chain(together).chain(ladder) {
            games += more;
            failures.append(own);
        }
        (games, failures)
    }

    /// What the page judges by: the last of the bots, or of those that have played if it was stopped.
    #[must_use]
    pub fn judge(&self) -> Option<&LevelReport> {
        self.levels.iter().rfind(|level| level.blocks > 0)
    }

    /// Whether too few games of the best bot came to their end to say anything of what it takes.
    fn has_too_few(&self) -> bool {
        self.effects.failures.aborted > 0 && self.effects.failures.leave_too_few_of(self.effects.games)
    }
}

/// What is said where [`Page::has_too_few`].
const TOO_FEW: &str = "Too few games came to their end to say anything.";

const STYLE: &str = include_str!("page/style.css");
const SORT: &str = include_str!("page/sort.js");

/// The page as text.
#[must_use]
pub fn page(page: &Page) -> String {
    let (games, failures) = page.failures();
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
                    header {
                        h1 { (page.name) " " small { (page.version) } }
                        @if !page.text.is_empty() { p.faint { (page.text) } }
                        @if page.stopped { p.verdict { (stopped(page)) } }
                        p.verdict { (verdict(page)) }
                        @if let Some(told) = failures.told(games) { p.none { (told) ". Only the others count here." } }
                        (legend(page))
                    }
                    (levels::seats(page))
                    (levels::lengths(page))
                    (leads::section(page))
                    (luck(page))
                    (skill(page))
                    (items::stands_out(page))
                    (items::table(page))
                    (levels::variety(page))
                    (provenance(page))
                }
                script { (PreEscaped(SORT)) }
            }
        }
    };
    markup.into_string()
}

/// What was played of a report that was stopped.
fn stopped(page: &Page) -> String {
    let of = |played: u64| format!("{played} of {}", plural(page.blocks, "game"));
    let mut played: Vec<String> =
        page.levels.iter().map(|level| format!("{} of {}", of(level.blocks), level.bot)).collect();
    played.push(format!("{} for what cards, actions and places are worth", of(page.effects.blocks)));
    let unfinished = [
        (page.effects.stopped, "the forks of cards, actions and places"),
        (page.together.as_ref().is_some_and(|together| together.stopped), "the games of all bots at one table"),
        (page.ladder.as_ref().is_some_and(|(_, ladder)| ladder.stopped), "the skill curve"),
    ];
    let unfinished: Vec<String> =
        unfinished.iter().filter(|(is_unfinished, _)| *is_unfinished).map(|(_, what)| (*what).to_owned()).collect();
    let unfinished = match unfinished.as_slice() {
        [] => String::new(),
        parts => format!(" Not all was played of {}.", listed(parts)),
    };
    format!(
        "This report was stopped before the end, and is not complete. It is made of {}.{unfinished} The commands below play all of it, and show \
         other figures.",
        listed(&played)
    )
}

/// What a designer must know first, in a few sentences. They speak of the best bots.
fn verdict(page: &Page) -> String {
    let Some(level) = page.judge() else { return "Nothing was played to its end.".to_owned() };
    if level.failures.leave_too_few_of(level.blocks) {
        return format!("Played by {}: {}", level.bot, TOO_FEW.to_lowercase());
    }
    let mut said = Vec::new();
    if level.contest {
        said.push(even(level));
    } else if let Some(won) = level.seats.first().and_then(|seat| seat.share) {
        said.push(format!("Those at the table win {} of the games", share(Some(won))));
    }
    let enough = page.together.as_ref().filter(|one| !one.failures.leave_too_few_of(one.games));
    if let Some(luck) = enough.and_then(|together| together.luck) {
        let luck = luck.luck();
        said.push(format!("Luck is {} of what makes results differ where skills do", share(Some(luck))));
    }
    let tested = page.effects.items.len();
    let count = |flag: &Flag| page.effects.items.iter().filter(|item| item.flag == Some(*flag)).count();
    let flags = [Flag::MustHave, Flag::Dominated, Flag::Dead, Flag::NeverOffered];
    let counts = flags.iter().map(|flag| (count(flag), flag.text())).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, text)| format!("{count} {text}")).collect();
    let items = plural(tested as u64, "item");
    said.push(if counts.is_empty() && page.effects.stopped {
        "What stands out is not known".to_owned()
    } else if counts.is_empty() {
        format!("Among {items}, nothing stands out as dead, dominated or a must")
    } else {
        format!("Among {items}: {}", listed(&counts))
    });
    format!("Played by {}: {}.", level.bot, said.join(". "))
}

/// An interval of a seat's share that is wider says nothing of whether seats are even.
const WIDE: f64 = 0.35;

fn even(level: &LevelReport) -> String {
    let uneven = |standings: &[crate::arena::RoleStanding]| -> Vec<String> {
        let off = standings.iter().filter(|one| level.uneven.contains(&one.name));
        off.map(|one| format!("{} wins {}", one.name, share(one.share))).collect()
    };
    let (seats, roles) = (uneven(&level.seats), uneven(&level.roles));
    let games = plural(level.blocks - level.failures.aborted, "game");
    let parts = if level.roles.is_empty() { "seats" } else { "seats and what they play" };
    if seats.is_empty() && roles.is_empty() {
        let is_wide = |share: Estimate| share.interval.high - share.interval.low > WIDE;
        return match level.seats.iter().any(|one| one.share.is_none_or(is_wide)) {
            true => format!("{games} are too few to tell whether {parts} are even"),
            false => format!("as far as {games} can tell, {parts} are even"),
        };
    }
    let all: Vec<String> = seats.into_iter().chain(roles).collect();
    let (named, more) = all.split_at(all.len().min(4));
    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
    format!("{parts} are not even: {}{more}; even is {:.0} %", named.join(", "), level.even * 100.0)
}

/// What the signs of the charts mean.
fn legend(page: &Page) -> Markup {
    html! {
        p.faint {
            @for (number, level) in page.levels.iter().enumerate() {
                span class={ "key k" (number) } { (chart::SIGNS[number % chart::SIGNS.len()]) "\u{a0}" (level.bot) " in all seats" }
                " "
            }
            @if !page.stopped { "Each in " (plural(page.blocks, "game")) ", one" } @else { "One game" } " a seed, with the same seeds. Thin lines and brackets are 95\u{a0}% intervals: had the games been \
             played with other seeds, the figure would lie elsewhere within them."
            @if page.levels.iter().any(|level| level.bot == "random") {
                " Random play is here for comparison: what is balanced by chance is not yet balanced."
            }
        }
    }
}

fn luck(page: &Page) -> Markup {
    html! {
        section {
            h2 { "Luck and skill" }
            @match &page.together {
                None => { p.none { "One bot alone cannot show what skill is worth: give two or more, such as --bots random,rollout:4." } }
                Some(together) => {
                    div.charts {
                        figure {
                            (chart::dots(
                                &together.shares.iter().map(|(bot, share)| chart::Row { name: bot.clone(), shares: vec![*share] }).collect::<Vec<_>>(),
                                Some(1.0 / f64::from(page.effects.setup.players.max(1))),
                                "part of the first places at the same table",
                            ))
                            figcaption { "All bots at one table, every one in every seat of every deal. The dashed line is even." }
                        }
                        @match together.luck {
                            None if together.games == 0 => { p.none { "Not known: this was stopped before they met." } }
                            None => { p.none { "All results are the same, or too few games were played to split them into luck and skill." } }
                            Some(luck) => { figure {
                                (chart::dots(&[
                                    chart::Row { name: "Skill: who plays".to_owned(), shares: vec![Some(luck.skill)] },
                                    chart::Row { name: "Deal and seat".to_owned(), shares: vec![Some(luck.deal)] },
                                    chart::Row { name: "The rest of the game".to_owned(), shares: vec![Some(luck.rest)] },
                                ], None, "part of what makes results differ"))
                                figcaption { "Luck is all but skill: " (share(Some(luck.luck()))) ". It is that of these bots: the more alike they are, the more \
                                    is luck." }
                            } }
                        }
                    }
                    @let bots: Vec<&str> = page.levels.iter().map(|level| level.bot.as_str()).collect();
                    (shown_by(&format!("lode arena {} --bots {} --blocks {}", page.setup, bots.join(","), page.blocks)))
                }
            }
        }
    }
}

fn skill(page: &Page) -> Markup {
    html! {
        section {
            h2 { "Does thinking pay?" }
            @match &page.ladder {
                None => { p.none { "No skill curve was asked for: --ladder rollout:1..16 adds one." } }
                Some((spec, ladder)) => {
                    @let points: Vec<_> = ladder.rungs.iter().filter_map(|rung| {
                        let budget = rung.rival.split([':', '+']).nth(1).unwrap_or(&rung.rival);
                        Some((budget.to_owned(), rung.beats?))
                    }).collect();
                    figure {
                        (chart::steps(&points, 0.5, "budget, each against half of it", "stands above its rival"))
                        figcaption { "How often the larger budget of " code { (spec) } " stands above half of it. Where the interval holds the dashed line, more \
                            thought no longer shows." }
                    }
                    (shown_by(&format!("lode arena {} --ladder {spec} --blocks {}", page.setup, page.blocks)))
                }
            }
        }
    }
}

fn provenance(page: &Page) -> Markup {
    let effects = &page.effects;
    let (games, failures) = page.failures();
    html! {
        section {
            h2 { "Where this comes from" }
            dl {
                dt { "Command" } dd { code { (page.command) } }
                dt { "Game" } dd { (effects.game) " " (page.version) @for one in &effects.mods { " + " (one) } }
                dt { "Fingerprint" } dd { code { (effects.fingerprint) } }
                dt { "Program" } dd { (page.program) }
                dt { "Setup" } dd { (plural(effects.setup.players.into(), "player")) ", seed " (effects.setup.seed)
                    @for (name, value) in &effects.setup.options { ", " (name) "=" (value) } }
                dt { "Seeds" } dd { "Block i has the seed mix(" (effects.setup.seed) ", i). Intervals are 95 %: bootstrapped over blocks; Student's t for fewer than ten blocks; Clopper and Pearson where all blocks agree on a share."
                    @if page.stopped { " This run was stopped: the same command gives another page." }
                    @else { " The same command gives the same page, to the byte." } }
                @if failures.aborted > 0 { dt { "Aborted" } dd { (failures.aborted) " of " (plural(games, "game")) } }
                @if effects.failed.aborted > 0 { dt { "Failed forks" } dd { (effects.failed.aborted) ", " (effects.failed.first()) } }
            }
        }
    }
}

/// A share and its interval in two cells.
fn share_cells(estimate: Option<Estimate>) -> Markup {
    html! {
        @match estimate {
            Some(one) => { td.n { (figures::percent(one)) } td.n { (percents(one.interval)) } }
            None => { td.n { "\u{2013}" } td {} }
        }
    }
}
