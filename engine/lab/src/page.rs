//! The report of one game: a single HTML file, self-contained and identical to the byte for the same results.
//!
//! Direction: self <- figures <- chart <- flows, items, leads, levels, quality, stakes, sweep

mod chart;
mod figures;
mod flows;
mod items;
mod leads;
mod levels;
mod quality;
mod stakes;
mod sweep;

pub use sweep::sweep_page;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use motherlode_play::Failures;

use self::figures::{command_note, figure, join_list, percents, plural, share};
use crate::arena::{Ladder, NotableGame};
use crate::effects::EffectsReport;
use crate::effects::report::Flag;
use crate::luck::MixedTableReport;
use crate::ratio::Estimate;
use crate::self_play::SelfPlayReport;
use crate::stakes::StakesReport;
use crate::standing::RoleStanding;
use crate::trajectory::WinTrajectory;

/// Content of a report.
#[derive(Debug, Clone)]
pub struct Page {
    /// Display name of the game.
    pub name: String,
    /// Version of the game, from its content.
    pub version: String,
    /// Description of the game in a sentence; may be empty.
    pub text: String,
    /// Name and version of the program.
    pub program: String,
    /// The command that produces the page.
    pub command: String,
    /// Arguments shared by all commands that play these games: `GAME --players 4 --seed 1`.
    pub setup: String,
    /// The `--mod` arguments: empty, or ` --mod PATH` for each mod.
    pub mods: String,
    /// Spec of the default bot.
    pub default_bot: String,
    /// Whether the game names the default bot as its best one.
    pub is_default_named: bool,
    /// Number of blocks per experiment.
    pub blocks: u64,
    /// Approximate number of forks for each item.
    pub forks: u32,
    /// Whether the run was stopped early.
    pub stopped: bool,
    /// Self-play of each bot, weakest first.
    pub self_play: Vec<SelfPlayReport>,
    /// Results of all bots at one table; `None` with one bot.
    pub mixed_table: Option<MixedTableReport>,
    /// Effects of items, for the best bot.
    pub effects: EffectsReport,
    /// How much decisions of the best bot matter; `None` if this was not measured.
    pub stakes: Option<StakesReport>,
    /// The ladder and its spec.
    pub ladder: Option<(String, Ladder)>,
    /// Notable games of the best bot.
    pub games: Vec<ShownGame>,
    /// The end of the body: markup and scripts that show the faces of cards. Elements with `data-kind` name them.
    pub faces: String,
}

/// A notable game with its replay.
#[derive(Debug, Clone)]
pub struct ShownGame {
    /// The game.
    pub game: NotableGame,
    /// Its win trajectory.
    pub trajectory: Option<WinTrajectory>,
    /// File name of its replay, next to the page.
    pub file: String,
}

impl Page {
    /// Returns the number of games and the aborted ones. The games of `effects` repeat those of the best bot, so
    /// they are not counted again.
    #[must_use]
    pub fn failures(&self) -> (u64, Failures) {
        let self_play = self.self_play.iter().map(|level| (level.blocks, &level.failures));
        let mixed_table = self.mixed_table.iter().map(|mixed| (mixed.games, &mixed.failures));
        let ladder = self.ladder.iter().map(|(_, ladder)| (ladder.games, &ladder.failures));
        let (mut games, mut failures) = (0, Failures::default());
        for (more, own) in self_play.chain(mixed_table).chain(ladder) {
            games += more;
            failures.append(own);
        }
        (games, failures)
    }

    /// Returns the self-play of the best bot: the last one that was played.
    #[must_use]
    pub fn best_bot(&self) -> Option<&SelfPlayReport> {
        self.self_play.iter().rfind(|level| level.blocks > 0)
    }

    /// Whether too few games of the best bot finished to measure effects.
    fn has_too_few(&self) -> bool {
        self.effects.failures.aborted > 0 && self.effects.failures.leave_too_few_of(self.effects.games)
    }
}

/// Message for [`Page::has_too_few`].
const TOO_FEW: &str = "Too few games finished to draw conclusions.";

const STYLE: &str = include_str!("page/style.css");
const SORT: &str = include_str!("page/sort.js");

/// Renders the page.
#[must_use]
pub fn page(page: &Page) -> String {
    let (games, failures) = page.failures();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{}: balance", page.name)))
            body {
                main {
                    header {
                        h1 { (page.name) " " small { (page.version) } }
                        @if !page.text.is_empty() { p.faint { (page.text) } }
                        @if page.stopped { p.verdict { (stopped(page)) } }
                        p.verdict { (verdict(page)) }
                        @if let Some(aborted) = failures.told(games) {
                            p.none { (aborted) ". Aborted games are excluded from all figures." }
                        }
                        (legend(page))
                    }
                    (levels::seats(page))
                    (levels::lengths(page))
                    (leads::section(page))
                    (quality::section(page))
                    (stakes::section(page))
                    (flows::section(page))
                    (luck(page))
                    (skill(page))
                    (items::stands_out(page))
                    (items::table(page))
                    (levels::variety(page))
                    (provenance(page))
                }
                script { (PreEscaped(SORT)) }
                (PreEscaped(&page.faces))
            }
        }
    };
    markup.into_string()
}

/// The head of a page with this title.
fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

/// Returns how much of a stopped report was played.
fn stopped(page: &Page) -> String {
    let of = |played: u64| format!("{played} of {}", plural(page.blocks, "game"));
    let mut played: Vec<String> =
        page.self_play.iter().map(|level| format!("{} of {}", of(level.blocks), level.bot)).collect();
    played.push(format!("{} for the effects of cards, actions and cells", of(page.effects.blocks)));
    let unfinished = [
        (page.effects.stopped, "the forks for the effects"),
        (page.mixed_table.as_ref().is_some_and(|mixed| mixed.stopped), "the games with all bots at one table"),
        (page.stakes.as_ref().is_some_and(|stakes| stakes.stopped), "the weight of decisions"),
        (page.ladder.as_ref().is_some_and(|(_, ladder)| ladder.stopped), "the skill curve"),
    ];
    let unfinished: Vec<String> =
        unfinished.iter().filter(|(is_unfinished, _)| *is_unfinished).map(|(_, what)| (*what).to_owned()).collect();
    let unfinished = match unfinished.as_slice() {
        [] => String::new(),
        parts => format!(" Unfinished: {}.", join_list(parts)),
    };
    format!(
        "This report is incomplete: it was stopped before the end, after {}.{unfinished} The commands below play all games \
         and show different figures.",
        join_list(&played)
    )
}

/// Returns the summary at the top: the most important results, for the best bot.
fn verdict(page: &Page) -> String {
    let Some(level) = page.best_bot() else { return "No game finished.".to_owned() };
    if level.failures.leave_too_few_of(level.blocks) {
        return format!("Played by {}: {}", level.bot, TOO_FEW.to_lowercase());
    }
    let mut sentences = Vec::new();
    if level.contest {
        sentences.push(evenness(level));
    } else if let Some(won) = level.seats.first().and_then(|seat| seat.share) {
        sentences.push(format!("The players win {} of the games", share(Some(won))));
    } else if let Some(seat) = level.seats.first() {
        sentences.push(format!("The players score {} points on average", figure(level.objective, seat.score)));
    }
    let enough = page.mixed_table.as_ref().filter(|one| !one.failures.leave_too_few_of(one.games));
    if let Some(luck) = enough.and_then(|mixed| mixed.luck) {
        let luck = luck.luck();
        sentences.push(format!(
            "In games between all bots, luck explains {} of the variation of results",
            share(Some(luck))
        ));
    }
    let tested = page.effects.items.len();
    let count = |flag: &Flag| page.effects.items.iter().filter(|item| item.flag == Some(*flag)).count();
    let flags = [Flag::MustHave, Flag::Dominated, Flag::Dead, Flag::NeverOffered];
    let counts = flags.iter().map(|flag| (count(flag), flag.text())).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, text)| format!("{count} {text}")).collect();
    let items = plural(tested as u64, "item");
    sentences.push(if counts.is_empty() && page.effects.stopped {
        "No item was tested to the end".to_owned()
    } else if counts.is_empty() {
        format!("None of {items} is a must-have, dominated, dead or never offered")
    } else {
        format!("Among {items}: {}", join_list(&counts))
    });
    format!("Played by {}: {}.", level.bot, sentences.join(". "))
}

/// With a wider interval of any seat, the games cannot tell whether seats are even.
const WIDE: f64 = 0.35;

fn evenness(level: &SelfPlayReport) -> String {
    let objective = level.objective;
    let (is_share, what) = (objective.is_share(), objective.name());
    let verb = if is_share { "wins" } else { "has" };
    let uneven = |standings: &[RoleStanding]| -> Vec<String> {
        let off = standings.iter().filter(|one| level.uneven.contains(&one.name));
        off.map(|one| format!("{} {verb} {}", one.name, figure(objective, one.judged(objective)))).collect()
    };
    let (seats, roles) = (uneven(&level.seats), uneven(&level.roles));
    let games = plural(level.blocks - level.failures.aborted, "game");
    let parts = if level.roles.is_empty() { "seats" } else { "seats and roles" };
    if seats.is_empty() && roles.is_empty() {
        let is_wide = |share: Estimate| share.interval.high - share.interval.low > WIDE;
        return match is_share && level.seats.iter().any(|one| one.share.is_none_or(is_wide)) {
            true => format!("{games} are too few to say whether {parts} are even"),
            false => format!("{parts} show no significant difference in {what} in {games}"),
        };
    }
    let all: Vec<String> = seats.into_iter().chain(roles).collect();
    let (named, more) = all.split_at(all.len().min(4));
    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
    let even = if is_share { format!("; the even share is {:.0} %", level.even * 100.0) } else { String::new() };
    format!("{parts} differ in {what}: {}{more}{even}", named.join(", "))
}

/// Renders the legend of the charts.
fn legend(page: &Page) -> Markup {
    html! {
        p.faint {
            @for (number, level) in page.self_play.iter().enumerate() {
                span class={ "key k" (number) } { (chart::SIGNS[number % chart::SIGNS.len()]) "\u{a0}" (level.bot) " in all seats" }
                " "
                @if page.default_bot == level.bot {
                    @if page.is_default_named { "(the best bot that the game names, the default) " }
                    @else { "(the default: the game names no best bot) " }
                }
            }
            @if page.stopped {
                "Each bot plays one game per seed. "
            } @else {
                "Each bot plays " (plural(page.blocks, "game")) ", one per seed. "
            }
            "All bots play the same seeds. Thin lines and ranges in brackets are 95\u{a0}% confidence intervals: they show how \
             far a figure may move with other seeds."
            @if page.self_play.iter().any(|level| level.bot == "random") {
                " Random play is only a baseline: balance between random bots says little about balance between players."
            }
        }
    }
}

fn luck(page: &Page) -> Markup {
    html! {
        section {
            h2 { "Luck and skill" }
            @match &page.mixed_table {
                None => { p.none { "Luck and skill need at least two bots, such as --bots random,rollout:4." } }
                Some(mixed) => {
                    div.charts {
                        figure {
                            @let is_share = mixed.objective.is_share();
                            (chart::dots(
                                &mixed.results.iter()
                                    .map(|(bot, result)| chart::Row { name: bot.clone(), values: vec![*result] })
                                    .collect::<Vec<_>>(),
                                is_share.then(|| 1.0 / f64::from(page.effects.setup.players.max(1))),
                                &format!("{} at the same table", mixed.objective.name()),
                                is_share,
                            ))
                            figcaption {
                                "All bots at one table. Each bot plays every seat of every deal."
                                @if is_share { " The dashed line is the even share." }
                            }
                        }
                        @match mixed.luck {
                            None if mixed.games == 0 => { p.none { "No data: the run was stopped before these games." } }
                            None => {
                                p.none { "No split into luck and skill: all results are the same, or too few games were played." }
                            }
                            Some(luck) => { figure {
                                (chart::dots(&[
                                    chart::Row { name: "Skill: the bot".to_owned(), values: vec![Some(luck.skill)] },
                                    chart::Row { name: "Deal and seat".to_owned(), values: vec![Some(luck.deal)] },
                                    chart::Row { name: "Rest of the game".to_owned(), values: vec![Some(luck.rest)] },
                                ], None, "share of the variation of results", true))
                                figcaption {
                                    "Luck is everything except skill: " (share(Some(luck.luck()))) ". The split depends on the \
                                    bots: the more similar their skill, the larger the share of luck."
                                }
                            } }
                        }
                    }
                    @let bots: Vec<&str> = page.self_play.iter().map(|level| level.bot.as_str()).collect();
                    (command_note(&format!("lode arena {} --bots {} --blocks {}", page.setup, bots.join(","), page.blocks)))
                }
            }
        }
    }
}

fn skill(page: &Page) -> Markup {
    html! {
        section {
            h2 { "Does a larger budget help?" }
            @match &page.ladder {
                None => { p.none { "No skill curve: add one with --ladder rollout:1..16." } }
                Some((spec, ladder)) => {
                    @let above = if page.effects.objective.is_share() { "ranks above" } else { "scores better than" };
                    @let points: Vec<_> = ladder.rungs.iter().filter_map(|rung| {
                        let budget = rung.rival.split([':', '+']).nth(1).unwrap_or(&rung.rival);
                        Some((budget.to_owned(), rung.beats?))
                    }).collect();
                    figure {
                        (chart::steps(&points, 0.5, "budget, each against half of it", &format!("{above} half the budget")))
                        figcaption {
                            "How often each budget of " code { (spec) } " " (above) " half of it. Where the interval includes the \
                            dashed line, doubling the budget makes no measurable difference."
                        }
                    }
                    (command_note(&format!("lode arena {} --ladder {spec} --blocks {}", page.setup, page.blocks)))
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
            h2 { "Provenance" }
            dl {
                dt { "Command" } dd { code { (page.command) } }
                dt { "Game" } dd { (effects.game) " " (page.version) @for one in &effects.mods { " + " (one) } }
                dt { "Fingerprint" } dd { code { (effects.fingerprint) } }
                dt { "Program" } dd { (page.program) }
                dt { "Setup" } dd { (plural(effects.setup.players.into(), "player")) ", seed " (effects.setup.seed)
                    @for (name, value) in &effects.setup.options { ", " (name) "=" (value) } }
                dt { "Seeds" } dd {
                    "Block i has the seed mix(" (effects.setup.seed) ", i)."
                    @if page.stopped { " This run was stopped, so the same command gives a different page." }
                    @else { " The same command gives the same page, to the byte." }
                }
                dt { "Intervals" } dd {
                    "95\u{a0}% confidence intervals, by bootstrap over blocks. Student's t replaces the bootstrap for fewer than ten \
                    blocks, and Clopper-Pearson replaces it if all blocks agree on a share."
                }
                @if failures.aborted > 0 { dt { "Aborted" } dd { (failures.aborted) " of " (plural(games, "game")) } }
                @if effects.failed.aborted > 0 { dt { "Failed forks" } dd { (effects.failed.aborted) ", " (effects.failed.first()) } }
            }
        }
    }
}

/// Renders a share and its interval as two cells.
fn share_cells(estimate: Option<Estimate>) -> Markup {
    html! {
        @match estimate {
            Some(one) => { td.n { (figures::percent(one)) } td.n { (percents(one.interval)) } }
            None => { td.n { "\u{2013}" } td {} }
        }
    }
}
