//! `lode arena`: ranks bots by strength and by the cost of a decision.

use std::io::Write;
use std::path::Path;

use comfy_table::Cell;
use motherlode::Game;
use motherlode::declare::Goal;
use motherlode_lab::{
    Arena, ArenaReport, BestBotReport, BestBotSearch, Cost, Difference, DuelResult, Estimate, Hypotheses, Ladder,
    Objective, RoleStanding, Series, Verdict,
};
use serde_json::json;

use crate::balance::{self, plans};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{
    ENDED_EARLY, LabArgs, LabProgress, REPETITION, check_complete, check_decided, check_failures, cost_of, difference,
    draw, draw_names, few_games, judged_cells, number, number_cell, percents, share_cells,
};
use crate::manifest::Manifest;
use crate::number::whole_number;
use crate::output::Output;
use crate::paint::{percent, right};
use crate::perform::{KeepArgs, perform};
use crate::project::{GlobalArgs, Project};
use crate::setup::describe;
use crate::{paint, project};

/// Rank bots by playing them against each other, with the time each needs per decision
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    lab: LabArgs,
    /// Number of blocks; a block is one seed, played in every cyclic seating of the bots
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(crate::lab::BLOCKS))]
    blocks: u64,
    /// Number of random answers that begin each game, the same in all games of a block
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number(0..=10_000_u32))]
    opening: u32,
    /// Stop when a sequential test decides between two win shares of the first bot, as in 0.33,0.36
    #[arg(long, value_name = "H0,H1", value_parser = hypotheses)]
    until: Option<Hypotheses>,
    /// Measure a skill curve instead of --bots: each budget against twice that budget, as in rollout:2..32
    #[arg(long, value_name = "BOT", conflicts_with_all = ["bots", "until", "out"])]
    ladder: Option<String>,
    /// Find the game's strongest bot instead: each of about ten bots, plans included, plays the best one before it
    #[arg(long, conflicts_with_all = ["bots", "until", "out", "ladder"])]
    best: bool,
    /// Longest mean decision of the best bot, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole_number(1..=1_000_000_u32), requires = "best")]
    limit: u32,
    /// Write the best bot into tests/GAME/balance.toml
    #[arg(long, requires = "best")]
    write: bool,
    #[command(flatten)]
    keep: KeepArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Args {
    /// The arguments that `lode merge` sets.
    pub fn keep_args(&mut self) -> (&mut KeepArgs, &mut Format) {
        (&mut self.keep, &mut self.format)
    }
}

fn hypotheses(text: &str) -> Result<Hypotheses, String> {
    let parse = |part: &str| part.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    let pair = text.split_once(',').and_then(|(h0, h1)| Some((parse(h0)?, parse(h1)?)));
    match pair {
        Some((h0, h1)) if h0 < h1 => Ok(Hypotheses { h0, h1 }),
        _ => Err("use two shares from 0 to 1, the smaller one first, as in 0.33,0.36".to_owned()),
    }
}

/// Plays the bots and prints their ranking.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.lab.game)?;
    let series = Series { opening: args.opening, ..args.lab.series(global, &game)? };
    let heading = describe(&game, &series.game.1);
    if args.best {
        return find_best(args, global, (&game, series), out);
    }
    if let Some(spec) = &args.ladder {
        if game.declarations().outcome.shared {
            let message = "`--ladder` compares rivals, and this game is cooperative: list the budgets with --bots";
            return Err(Fault::usage(message));
        }
        let climbing = motherlode_lab::ladder_specs(spec).unwrap_or_default();
        let rungs = (climbing.len() as u64).saturating_sub(1).max(1);
        let cost = cost_of(&game, &series.game.1, &climbing);
        let mut progress = LabProgress::with_cost(args.blocks * rungs, "blocks", cost);
        progress.set_stages((1..=rungs).map(|rung| rung * args.blocks).collect());
        let ladder = Ladder::climb(&series, spec, args.blocks, |done| progress.done(done))?;
        progress.finish();
        match args.format {
            Format::Json => format::json(out, &ladder)?,
            Format::Text => {
                writeln!(out, "{heading}")?;
                print_ladder(out, &ladder)?;
            }
        }
        check_failures(&ladder.failures, ladder.games)?;
        return check_complete(ladder.stopped);
    }
    let goal = game.declarations().outcome.goal;
    if args.until.is_some() && goal != Goal::Rank {
        let message =
            format!("`--until` compares win shares, but the goal of this game is `{}`: use --blocks", goal.name());
        return Err(Fault::usage(message));
    }
    let arena = Arena { series, blocks: args.blocks, until: args.until };
    let manifest = || {
        let Series { game, bots, seed, .. } = &arena.series;
        let until = args.until.map(|Hypotheses { h0, h1 }| [h0, h1]);
        let options = json!({ "blocks": args.blocks, "opening": args.opening, "until": until });
        Manifest::new("arena", &[game], bots, *seed, &options)
    };
    let Some(report) = perform(&arena, &args.keep, "blocks", manifest)? else { return Ok(()) };
    match args.format {
        Format::Json => format::json(out, &report)?,
        Format::Text => {
            let (blocks, games) = (paint::plural(report.blocks, "block"), paint::plural(report.games, "game"));
            writeln!(out, "{heading}, {blocks}, {games}")?;
            print(out, &report, game.declarations().outcome.shared)?;
            args.keep.print_rows_file(out, "game")?;
        }
    }
    args.keep.check_rows()?;
    check_failures(&report.failures, report.games)?;
    check_complete(report.stopped)?;
    check_decided(report.verdict.is_none_or(|(_, verdict)| verdict != Verdict::Undecided))
}

/// Finds the strongest bot of the game.
fn find_best(
    args: &Args,
    global: &GlobalArgs,
    (game, series): (&Game, Series),
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let (heading, id) = (describe(game, &series.game.1), &game.declarations().id);
    if series.game.1.players < 2 || game.declarations().outcome.shared {
        return Err(Fault::usage("`--best` compares rivals: use a competitive game with two players or more"));
    }
    let project = Project::locate(global, &args.lab.game)?.0;
    let path = if args.write {
        Some(project.folder("arena --write")?.join("tests").join(id).join(balance::FILE))
    } else {
        None
    };
    let mut bots: Vec<String> = ["random", "flat:50", "search:50", "search:200"].map(str::to_owned).into();
    if game.learned().is_some() {
        bots.extend(["learned", "look:200+learned", "search:32+learned", "search:200+learned"].map(str::to_owned));
    }
    let (series, plans) = (Series { bots, ..series }, plans(global, game)?);
    let search = BestBotSearch { series, plans, blocks: args.blocks, limit: f64::from(args.limit) * 1e3 };
    let most = search.most_blocks();
    let mut progress = LabProgress::with_cost(most, "blocks", None);
    progress.may_end_early();
    progress.set_stages(search.stage_ends());
    let report = search.run(|done| progress.done(done))?;
    progress.finish();
    match args.format {
        Format::Json => format::json(out, &report)?,
        Format::Text => {
            writeln!(out, "{heading}, at most {most} blocks, {} played", paint::plural(report.games, "game"))?;
            print_duels(out, &report, args.limit)?;
            if !report.stopped && !args.write {
                let best = &report.best;
                writeln!(out, "write best = \"{best}\" at the head of tests/{id}/balance.toml, or use --write")?;
            }
        }
    }
    check_failures(&report.failures, report.games)?;
    check_complete(report.stopped)?;
    let Some(path) = path else { return Ok(()) };
    write_best(&project, id, &path, &report.best)?;
    if args.format == Format::Text {
        writeln!(out, "wrote it into tests/{id}/balance.toml")?;
    }
    Ok(())
}

fn print_duels(out: &mut dyn Write, report: &BestBotReport, limit: u32) -> Result<(), Fault> {
    let mut table = paint::table();
    let header = ["against", "ranks above", "95 % interval", "second seed", "per decision", ""].map(right);
    table.set_header(std::iter::once(Cell::new("bot")).chain(header));
    for duel in &report.duels {
        let [share, interval] = share_cells(duel.beats);
        let cost = duel.cost.as_ref().map_or_else(String::new, time);
        let of = |again: Estimate| format!("{} ({})", percent(again.value), percents(again.interval));
        let again = duel.again.map_or_else(String::new, of);
        let result = match duel.result {
            DuelResult::Stronger => "stronger",
            DuelResult::NotStronger => "",
            DuelResult::NotConfirmed => "not confirmed",
            DuelResult::TooSlow => "too slow",
        };
        let [bot, rival] = [&duel.bot, &duel.rival].map(|bot| Cell::new(paint::bot(bot)));
        table.add_row([bot, rival, share, interval, right(again), right(cost), Cell::new(result)]);
    }
    draw_names(out, table, 2)?;
    writeln!(out, "even is 50.0 %; a decision of the best bot takes at most {limit} ms of measured processor time")?;
    writeln!(out, "a bot is stronger if its whole interval is above even with two seeds")?;
    writeln!(out, "the strongest bot is {}", report.best)?;
    for plan in &report.better_plans {
        writeln!(out, "{plan} is stronger, but never takes some choices: `lode exploit` measures such plans")?;
    }
    Ok(())
}

/// Writes the key `best` into the balance file of a game.
fn write_best(project: &Project, id: &str, path: &Path, best: &str) -> Result<(), Fault> {
    let shown = format!("tests/{id}/{}", balance::FILE);
    let files = project.files_beside_tests(id, balance::FILE, true)?;
    let old = files.into_iter().find(|file| file.path == shown).map_or_else(String::new, |file| file.text);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Fault::failed(error.to_string()))?;
    }
    Output::new(path, true)?.write_text(&with_best(&old, best))
}

/// A balance file with another best bot: it replaces the line of the old one, or follows the comments at the head.
fn with_best(text: &str, best: &str) -> String {
    let line = format!("best = {}", serde_json::Value::from(best));
    let mut lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| line.starts_with('[')).unwrap_or(lines.len());
    let is_best = |text: &&str| text.split('=').next().is_some_and(|key| key.trim() == "best");
    match lines[..head].iter().position(is_best) {
        Some(at) => lines[at] = &line,
        None => lines.insert(lines.iter().position(|line| !line.starts_with('#')).unwrap_or(lines.len()), &line),
    }
    lines.join("\n") + "\n"
}

fn print(out: &mut dyn Write, report: &ArenaReport, shared: bool) -> Result<(), Fault> {
    if report.blocks == 0 {
        return Ok(writeln!(out, "no block was completed, so there are no results")?);
    }
    let mut table = paint::table();
    let objective = report.objective;
    let by_lead = report.bots.iter().any(|standing| standing.lead.is_some());
    let more: &[&str] = match objective {
        Objective::WinShare => &["mean rank", "score"],
        Objective::Margin => &["lead", "score"],
        _ if by_lead => &["lead"],
        _ => &[],
    };
    let header = [objective.name(), "95 % interval"].into_iter().chain(more.iter().copied()).chain(["per decision"]);
    table.set_header(std::iter::once(Cell::new("bot")).chain(header.map(right)));
    for (standing, cost) in report.bots.iter().zip(&report.cost) {
        let judged = match objective {
            Objective::WinShare => standing.share,
            Objective::Margin => standing.margin,
            _ => standing.score,
        };
        let cell = |column: &&str| match *column {
            "mean rank" => right(standing.rank.map_or_else(|| "-".to_owned(), |rank| format!("{:.2}", rank.value))),
            "lead" => number_cell(standing.lead),
            _ => number_cell(standing.score),
        };
        let cells = std::iter::once(Cell::new(paint::bot(&standing.bot))).chain(judged_cells(objective, judged));
        table.add_row(cells.chain(more.iter().map(cell)).chain([right(time(cost))]));
    }
    draw(out, table)?;
    if by_lead {
        writeln!(
            out,
            "the goal is the {}; `lead` is a bot's mean utility minus that of the others, in points",
            objective.name()
        )?;
    }
    let even = match objective {
        Objective::WinShare if !shared => format!("even is {}; ", percent(report.even)),
        _ if by_lead => "even is a lead of 0; ".to_owned(),
        _ => String::new(),
    };
    writeln!(out, "{even}`per decision` is measured processor time")?;
    if report.is_repetition {
        writeln!(out, "{REPETITION}; vary the first answers with --opening")?;
    }
    if let Some(few) = report.few_games {
        writeln!(out, "{}; vary the first answers with --opening", few_games(few, report.games))?;
    }
    if report.bots.len() > 1 && report.bots.iter().all(|standing| standing.over_first.is_none()) {
        beats(out, report)?;
    }
    over_first(out, report)?;
    standings(out, "seat", objective, &report.seats)?;
    if !report.roles.is_empty() {
        standings(out, "role", objective, &report.roles)?;
    }
    for (name, estimate) in [("rounds", report.rounds), ("decisions", report.decisions)] {
        if let Some(estimate) = estimate {
            writeln!(out, "{name} per game: {}", number(estimate))?;
        }
    }
    if let Some((Hypotheses { h0, h1 }, verdict)) = report.verdict {
        let first = report.bots.first().map_or("", |standing| &standing.bot);
        let text = match verdict {
            Verdict::Undecided => {
                format!("undecided between {} and {}: more blocks are needed", percent(h0), percent(h1))
            }
            Verdict::H0 => format!("accepts {}, rejects {}", percent(h0), percent(h1)),
            Verdict::H1 => format!("accepts {}, rejects {}", percent(h1), percent(h0)),
        };
        writeln!(out, "sequential test of {first}: {text}")?;
        if verdict != Verdict::Undecided {
            writeln!(out, "{ENDED_EARLY}")?;
        }
    }
    Ok(())
}

/// Bots in a table of duels, above which intervals have lines of their own.
const NARROW: usize = 3;

fn beats(out: &mut dyn Write, report: &ArenaReport) -> Result<(), Fault> {
    let mut table = paint::table();
    // Many bots have narrow columns.
    let gap = if report.bots.len() > NARROW { "\n" } else { " " };
    let bots = report.bots.iter().map(|standing| right(paint::bot(&standing.bot)));
    let above = if report.objective.is_share() { "ranks above" } else { "scores better than" };
    table.set_header(std::iter::once(Cell::new(above)).chain(bots));
    for ((standing, row), is_stronger) in report.bots.iter().zip(&report.beats).zip(&report.is_stronger) {
        let cells = row.iter().zip(is_stronger).map(|(beats, is_stronger)| {
            right(beats.map_or_else(String::new, |Estimate { value, interval, .. }| {
                let (digits, [low, high]) =
                    (interval.digits(100.0, 0), [interval.low, interval.high].map(|at| at * 100.0));
                let mark = if *is_stronger { " *" } else { "" };
                format!("{}{gap}({low:.digits$} to {high:.digits$}){mark}", percent(value))
            }))
        });
        table.add_row(std::iter::once(Cell::new(paint::bot(&standing.bot))).chain(cells));
    }
    writeln!(out, "{table}")?;
    if report.is_stronger.iter().flatten().any(|is_stronger| *is_stronger) {
        let bots = report.bots.len();
        let pairs = bots * (bots - 1) / 2;
        let corrected = if pairs > 1 { format!(", corrected for {pairs} pairs") } else { String::new() };
        writeln!(out, "*: the bot of the row is stronger; this is more than chance{corrected}")?;
    }
    Ok(())
}

/// Prints the differences from the first bot, if bots never meet.
fn over_first(out: &mut dyn Write, report: &ArenaReport) -> Result<(), Fault> {
    let rows: Vec<_> = report.bots.iter().filter_map(|one| Some((&one.bot, one.over_first.as_ref()?))).collect();
    let (Some(first), false) = (report.bots.first(), rows.is_empty()) else { return Ok(()) };
    let has_share = rows.iter().any(|(_, over)| over.share.is_some());
    let mut table = paint::table();
    let header = has_share.then(|| right("win share")).into_iter().chain([right("score")]);
    table.set_header(std::iter::once(Cell::new(format!("minus {}", paint::bot(&first.bot)))).chain(header));
    for (bot, over) in rows {
        let cell = |objective, over: Option<Difference>| {
            right(over.map_or_else(|| "-".to_owned(), |over| difference(objective, over.delta)))
        };
        let share = has_share.then(|| cell(Objective::WinShare, over.share));
        let cells = share.into_iter().chain([cell(Objective::Score, over.score)]);
        table.add_row(std::iter::once(Cell::new(paint::bot(bot))).chain(cells));
    }
    draw(out, table)
}

fn standings(out: &mut dyn Write, what: &str, objective: Objective, standings: &[RoleStanding]) -> Result<(), Fault> {
    let mut table = paint::table();
    let score = (!objective.is_score()).then(|| right("score"));
    let header = ["sat", objective.name(), "95 % interval"].map(right).into_iter().chain(score.clone());
    table.set_header(std::iter::once(Cell::new(what)).chain(header));
    for standing in standings {
        let [judged, interval] = judged_cells(objective, standing.judged(objective));
        let row = [Cell::new(&standing.name), right(standing.sat), judged, interval].into_iter();
        table.add_row(row.chain(score.as_ref().map(|_| number_cell(standing.score))));
    }
    draw(out, table)
}

fn time(cost: &Cost) -> String {
    match cost.microseconds {
        micros if micros < 1e3 => format!("{micros:.1} µs"),
        micros if micros < 1e6 => format!("{:.1} ms", micros / 1e3),
        micros => format!("{:.1} s", micros / 1e6),
    }
}

fn print_ladder(out: &mut dyn Write, ladder: &Ladder) -> Result<(), Fault> {
    let mut table = paint::table();
    let header = ["blocks", "beats half the budget", "95 % interval", "per decision"].map(right);
    table.set_header(std::iter::once(Cell::new("bot")).chain(header));
    for rung in &ladder.rungs {
        let [share, interval] = share_cells(rung.beats);
        let cost = rung.cost.get(1).map_or_else(String::new, time);
        table.add_row([Cell::new(paint::bot(&rung.rival)), right(rung.blocks), share, interval, right(cost)]);
    }
    draw(out, table)
}

#[cfg(test)]
mod tests {
    use super::with_best;

    #[test]
    fn the_best_bot_has_one_line_at_the_head() {
        assert_eq!(with_best("", "learned"), "best = \"learned\"\n");
        let file = "# Notes\nbots = \"random\"\n\n[plans.a]\nbest = 1\n";
        let first = with_best(file, "search:9");
        assert_eq!(first, "# Notes\nbest = \"search:9\"\nbots = \"random\"\n\n[plans.a]\nbest = 1\n");
        assert_eq!(with_best(&first, "learned"), first.replace("search:9", "learned"));
    }
}
