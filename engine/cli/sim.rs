//! `lode sim`: plays many games by bots and summarises them.

use std::collections::BTreeMap;
use std::io::Write;

use comfy_table::Cell;
use motherlode::Game;
use motherlode::declare::Goal;
use motherlode::tools::fraction;
use motherlode_play::{AnswerReport, Interval, PromptReport, Report, Simulation, Summary};
use serde_json::json;

use crate::balance::{bots_help, expand_plans};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{HALT, REPETITION, check_complete, draw, draw_names, few_games, percents};
use crate::manifest::Manifest;
use crate::number::whole_number;
use crate::paint::{percent, right};
use crate::perform::{KeepArgs, perform};
use crate::project::GlobalArgs;
use crate::setup::{SetupArgs, describe, option_flags};
use crate::{paint, project};

/// Play many games with bots and summarise the results
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Number of games
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = whole_number(1..=u64::MAX))]
    games: u64,
    #[command(flatten)]
    setup: SetupArgs,
    /// Number of threads; results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = whole_number(1..=1024_u16))]
    threads: Option<u16>,
    #[arg(help = bots_help("One bot for all seats, or one bot per seat"))]
    #[arg(short, long, value_name = "BOT,BOT,...", value_delimiter = ',', default_value = "random")]
    bots: Vec<String>,
    /// Count the answers to this prompt; may be repeated
    #[arg(short, long, value_name = "PROMPT")]
    answers: Vec<String>,
    #[command(flatten)]
    keep: KeepArgs,
    /// Content of the rows of --out
    #[arg(long, value_enum, default_value_t, requires = "out")]
    rows: RowKind,
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

/// The content of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum RowKind {
    /// One row per game
    #[default]
    Games,
    /// One row per decision: seat, prompt, number of choices and answer
    Decisions,
}

/// The JSON output: a report and the requested number of games.
#[derive(serde::Serialize)]
struct SimOutput<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// Requested number of games.
    wanted: u64,
    /// Whether the run was stopped early.
    stopped: bool,
}

/// Plays the games and prints the summary. Fails at the end if games were aborted.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, 1)?;
    let bots = expand_plans(global, &game, args.bots.iter().map(|bot| bot.trim()))?;
    let threads = args.threads.map_or(0, usize::from);
    let answers = args.answers.clone();
    let decisions = args.rows == RowKind::Decisions;
    let simulation = Simulation {
        games: args.games,
        threads,
        bots,
        answers,
        decisions,
        ..Simulation::new(&game.halted_by(&HALT), setup)
    };
    let manifest = || {
        let Simulation { game, setup, bots, seed, answers, .. } = &simulation;
        let more = json!({ "games": args.games, "answers": answers, "decisions": decisions });
        Manifest::new("sim", &[&(game.clone(), setup.clone())], bots, *seed, &more)
    };
    let Some(mut report) = perform(&simulation, &args.keep, "games", manifest)? else { return Ok(()) };
    if args.keep.is_in_folder() {
        report.speed = None;
    }
    match args.format {
        Format::Json => {
            let (wanted, stopped) = (args.games, report.games < args.games);
            format::json(out, &SimOutput { report: &report, wanted, stopped })?;
        }
        Format::Text => {
            let games = paint::plural(args.games, "game");
            let played = if report.games < args.games { format!("{} of {games}", report.games) } else { games };
            writeln!(out, "{}, {played}", describe(&game, &simulation.setup))?;
            summary(out, &game, &report)?;
            args.keep.print_rows_file(out, if decisions { "decision" } else { "game" })?;
        }
    }
    args.keep.check_rows()?;
    match report.games - report.finished {
        0 => check_complete(report.games < args.games),
        aborted => Err(Fault::failed(format!("{aborted} of {} aborted", paint::plural(report.games, "game")))),
    }
}

fn summary(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    if report.finished == 0 {
        writeln!(out, "no game was completed, so there are no results")?;
        return aborted(out, game, report);
    }
    let mut lengths = paint::table();
    let header = ["mean", "min", "5 %", "median", "95 %", "max"].map(right);
    lengths.set_header(std::iter::once(Cell::new("")).chain(header));
    lengths.add_row(quantiles(Cell::new("decisions per game"), &report.decisions));
    lengths.add_row(quantiles(Cell::new("rounds per game"), &report.rounds));
    let is_shared = game.declarations().outcome.shared;
    match report.seats.first() {
        // In a cooperative game, all seats have the same score.
        Some(seat) if is_shared => drop(lengths.add_row(scores(Cell::new("score"), &seat.scores))),
        _ => {
            for seat in &report.seats {
                let name = format!("score of {}", paint::seat_name(game.declarations(), seat.seat));
                lengths.add_row(scores(seat_cell(game, seat.seat, name), &seat.scores));
            }
        }
    }
    draw(out, lengths)?;
    if is_shared {
        cooperative_wins(out, report)?
    } else if game.declarations().outcome.goal == Goal::Rank {
        wins(out, game, report)?
    } else {
        leads(out, game, report)?
    }
    if report.is_repetition {
        writeln!(out, "{REPETITION}")?;
    }
    if let Some(few) = report.few_games {
        writeln!(out, "{}", few_games(few, report.games))?;
    }
    for prompt in &report.answers {
        answers(out, prompt)?;
    }
    let endings: Vec<String> =
        report.endings.iter().map(|ending| format!("{} ({})", ending.reason, ending.games)).collect();
    if !endings.is_empty() {
        writeln!(out, "ended by: {}", endings.join(", "))?;
    }
    aborted(out, game, report)?;
    if let Some(speed) = report.speed {
        let (games, decisions) = (speed.games_per_second, speed.decisions_per_second);
        let threads = paint::plural(speed.threads, "thread");
        let (games, decisions) = (rate(games), rate(decisions));
        writeln!(out, "{:.2} s with {threads}: {games} games/s, {decisions} decisions/s", speed.seconds)?;
    }
    Ok(())
}

/// A number per second: `79000`, `4.2`, `0.41`.
fn rate(number: f64) -> String {
    let digits = if number >= 10.0 {
        0
    } else if number >= 1.0 {
        1
    } else {
        2
    };
    format!("{number:.digits$}")
}

/// Prints why games were aborted.
fn aborted(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    let red = paint::style("bright_red");
    for aborted in &report.aborted {
        let games = paint::plural(aborted.games, "game");
        writeln!(out, "{red}aborted{red:#}: {games}: {}", aborted.reason)?;
        writeln!(out, "  reproduce with: {}", play_command(game, report, aborted.first.seed))?;
    }
    Ok(())
}

/// The command that plays a game of the simulation in the terminal.
fn play_command(game: &Game, report: &Report, seed: u64) -> String {
    let id = &game.declarations().id;
    let (players, options) = (report.setup.players, option_flags(&report.setup));
    format!("lode play {id} --players {players}{options} --seats {} --seed {seed}", report.bots.join(","))
}

/// Prints the bots of a cooperative game, and the share of wins if it can be won.
fn cooperative_wins(out: &mut dyn Write, report: &Report) -> Result<(), Fault> {
    if let Some(won) = &report.won {
        let (games, interval) = (paint::plural(report.finished, "game"), percents(won.interval));
        writeln!(out, "won: {} ({} of {games}, 95 % interval {interval})", percent(won.share), won.games)?;
    }
    let mut bots: Vec<&str> = report.bots.iter().map(String::as_str).collect();
    bots.dedup();
    writeln!(out, "bots: {}", bots.join(", "))?;
    Ok(())
}

fn wins(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    let mut table = paint::table();
    let uneven = report.seats.iter().any(|seat| seat.uneven);
    let even = report.even_share.unwrap_or_default();
    let mut header = vec![Cell::new("seat"), Cell::new("bot")];
    header.extend(["wins", "shared", "share", "95 % interval", "if even"].map(right));
    header.extend(uneven.then(|| Cell::new("")));
    table.set_header(header);
    for (seat, places) in report.seats.iter().filter_map(|seat| Some((seat, seat.places?))) {
        let mut row = vec![
            seat_cell(game, seat.seat, paint::seat_name(game.declarations(), seat.seat)),
            Cell::new(&seat.bot),
            right(places.wins),
            right(places.shared),
            right(percent(places.share)),
            right(percents(places.interval)),
            right(percent(even)),
        ];
        row.extend(uneven.then(|| {
            Cell::new(match seat.uneven {
                true if places.share > even => "more than even",
                true => "less than even",
                false => "",
            })
        }));
        table.add_row(row);
    }
    draw_names(out, table, 2)?;
    explain_flags(out, report)
}

/// Says that flags are corrected, if a seat of several has one.
fn explain_flags(out: &mut dyn Write, report: &Report) -> Result<(), Fault> {
    let seats = report.seats.len();
    if seats > 2 && report.seats.iter().any(|seat| seat.uneven) {
        writeln!(out, "flags are corrected for {seats} seats: at most 5 % of fair runs have one")?;
    }
    Ok(())
}

/// Prints the mean score or margin of each seat, and its lead.
fn leads(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    let mut table = paint::table();
    let goal = game.declarations().outcome.goal.name();
    let uneven = report.seats.iter().any(|seat| seat.uneven);
    let header = ["seat", "bot"].map(Cell::new).into_iter();
    let header = header.chain([goal, "95 % interval", "lead", "95 % interval"].map(right));
    table.set_header(header.chain(uneven.then(|| Cell::new(""))));
    let interval = |interval: Option<Interval>| {
        right(match interval {
            Some(Interval { low, high }) if low < high => format!("{low:.1} to {high:.1}"),
            Some(_) => format!("all {} equal", report.finished),
            None => String::new(),
        })
    };
    for seat in &report.seats {
        let utilities = seat.margins.as_ref().unwrap_or(&seat.scores);
        let mut row = vec![
            seat_cell(game, seat.seat, paint::seat_name(game.declarations(), seat.seat)),
            Cell::new(&seat.bot),
            right(format!("{:.1}", utilities.mean_in_points())),
            interval(utilities.interval_in_points()),
            right(seat.lead.map_or_else(|| "-".to_owned(), |lead| format!("{:+.1}", lead.mean))),
            interval(seat.lead.map(|lead| lead.interval)),
        ];
        row.extend(uneven.then(|| {
            Cell::new(match seat.lead {
                Some(lead) if seat.uneven && lead.mean > 0.0 => "better",
                Some(_) if seat.uneven => "worse",
                _ => "",
            })
        }));
        table.add_row(row);
    }
    draw_names(out, table, 2)?;
    writeln!(out, "the goal is the {goal}; `lead` is the mean utility minus that of the others, in points")?;
    explain_flags(out, report)
}

fn answers(out: &mut dyn Write, prompt: &PromptReport) -> Result<(), Fault> {
    if prompt.answers.is_empty() {
        writeln!(out, "{}: never asked", prompt.prompt)?;
        return Ok(());
    }
    let mut table = paint::table();
    let header = [Cell::new(format!("answer to {}", prompt.prompt)), Cell::new("")];
    table.set_header(header.into_iter().chain(["count", "share"].map(right)));
    let sums = sums_of_labels(prompt);
    for (label, (count, share, choices)) in &sums {
        let choices = format!("{choices} choices");
        table.add_row(vec![Cell::new(label), Cell::new(choices), right(count), right(percent(*share))]);
    }
    let is_single =
        |answer: &&AnswerReport| !answer.answer.split_once(' ').is_some_and(|(of, _)| sums.contains_key(of));
    for answer in prompt.answers.iter().filter(is_single) {
        let label = if answer.label == answer.answer { "" } else { &answer.label };
        let share = percent(answer.share);
        table.add_row(vec![Cell::new(&answer.answer), Cell::new(label), right(answer.count), right(share)]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

/// Rows of a table of answers, above which labels with values have one row each.
const MAX_ANSWERS: usize = 30;

/// Sums over the values of each label, in a long list: count, share and number of different choices.
fn sums_of_labels(prompt: &PromptReport) -> BTreeMap<&str, (u64, f64, usize)> {
    let mut sums = BTreeMap::new();
    if prompt.answers.len() > MAX_ANSWERS {
        for answer in &prompt.answers {
            let Some((label, _)) = answer.answer.split_once(' ') else { continue };
            let sum: &mut (u64, f64, usize) = sums.entry(label).or_default();
            *sum = (sum.0 + answer.count, sum.1 + answer.share, sum.2 + 1);
        }
    }
    sums
}

fn quantiles(name: Cell, sample: &Summary) -> Vec<Cell> {
    let Summary { mean, min, p5, median, p95, max, .. } = sample;
    vec![name, right(format!("{mean:.1}")), right(min), right(p5), right(median), right(p95), right(max)]
}

/// Quantiles of scores, in points.
fn scores(name: Cell, sample: &Summary) -> Vec<Cell> {
    if sample.unit == 0 {
        return quantiles(name, sample);
    }
    let points = |steps: i64| right(fraction::shown(i32::try_from(steps).unwrap_or(i32::MAX), sample.unit));
    let Summary { min, p5, median, p95, max, .. } = *sample;
    let mean = right(format!("{:.1}", sample.mean_in_points()));
    [name, mean].into_iter().chain([min, p5, median, p95, max].map(points)).collect()
}

fn seat_cell(game: &Game, seat: u8, text: String) -> Cell {
    let colour = game.declarations().seats.get(usize::from(seat)).map_or("", |seat| &seat.colour);
    paint::cell(text, colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_many_values_have_one_row() {
        let answer = |answer: String| AnswerReport { label: String::new(), answer, count: 2, share: 0.03125 };
        let moves = (0..31).map(|n| answer(format!("move {n}")));
        let mut prompt =
            PromptReport { prompt: "man".into(), count: 64, answers: moves.chain([answer("pass".into())]).collect() };
        let sums = sums_of_labels(&prompt);
        assert_eq!(sums.into_iter().collect::<Vec<_>>(), [("move", (62, 0.96875, 31))]);
        prompt.answers.truncate(30);
        assert!(sums_of_labels(&prompt).is_empty());
    }
}
