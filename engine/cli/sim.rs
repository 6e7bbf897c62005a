//! `lode sim`: many games by bots, summarised.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use comfy_table::{Cell, CellAlignment};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use motherlode::tools::Draft;
use motherlode::{Game, Setup};
use motherlode_play::{CsvRows, GameRow, PromptReport, Report, Simulation, SimulationError, Summary, WonReport};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::GlobalArgs;
use crate::setup::{SetupArgs, describe, option};
use crate::{paint, project};

/// Arguments of `lode sim`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Number of games
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    setup: SetupArgs,
    /// Number of threads; the results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One bot for all seats, or one for each: random, first, rollout:N (N random playouts per choice), flat:B (B playouts per
    /// decision), search:B (the same with trees), learned (one step ahead by what `lode train` has found out), search:B+learned, and
    /// learned:FILE and search:B+learned:FILE (by another file than the game's)
    #[arg(short, long, value_name = "BOT,BOT,...", value_delimiter = ',', default_value = "random")]
    bots: Vec<String>,
    /// Count the answers to this prompt; may be repeated
    #[arg(short, long, value_name = "PROMPT")]
    answers: Vec<String>,
    /// Write a row for each game to this file
    #[arg(long, value_name = "FILE.csv|FILE.jsonl")]
    out: Option<PathBuf>,
    /// Overwrite an existing --out file
    #[arg(long, requires = "out")]
    force: bool,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Plays the games and prints the summary. Aborted games make the run fail at the end.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, 1)?;
    let bots = args.bots.iter().map(|bot| bot.trim().to_string()).collect();
    let threads = args.threads.map_or(0, usize::from);
    let answers = args.answers.clone();
    let simulation = Simulation { games: args.games, threads, bots, answers, ..Simulation::new(&game, setup) };
    let mut rows =
        args.out.as_deref().map(|file| Rows::create(file, args.force, simulation.setup.players)).transpose()?;
    if args.format == Format::Text {
        writeln!(out, "{}, {}", describe(&game, &simulation.setup), paint::plural(args.games, "game"))?;
        out.flush()?;
    }
    let bar = progress_bar(args.games);
    let report = simulation.run_into(
        |row| rows.as_mut().map_or(Ok(()), |rows| rows.write(row)),
        |progress| {
            bar.set_position(progress.done);
            if progress.aborted > 0 {
                bar.set_message(format!("{} aborted", progress.aborted));
            }
        },
    );
    bar.finish_and_clear();
    let report = report.map_err(|error| match error {
        SimulationError::Bot(_) | SimulationError::Bots { .. } | SimulationError::Prompt { .. } => {
            Fault::usage(error.to_string())
        }
        _ => Fault::failed(error.to_string()),
    })?;
    if let Some(rows) = rows {
        rows.finish()?;
    }
    match args.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?)?,
        Format::Text => {
            summary(out, &game, &report)?;
            if let Some(file) = &args.out {
                writeln!(out, "wrote a row for each game to {}", file.display())?;
            }
        }
    }
    match report.games - report.finished {
        0 => Ok(()),
        aborted => Err(Fault::failed(format!("{aborted} of {} aborted", paint::plural(report.games, "game")))),
    }
}

/// A progress bar on a terminal, nothing elsewhere.
fn progress_bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let template = "{wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} left {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The file of rows. Until it is complete it has no name, so that nothing is left of it if the program is killed.
struct Rows {
    name: PathBuf,
    force: bool,
    form: Form,
}

enum Form {
    Csv(Box<CsvRows<BufWriter<File>>>),
    Lines(BufWriter<File>),
}

impl Rows {
    fn create(name: &Path, force: bool, players: u8) -> Result<Self, Fault> {
        let shown = name.display();
        let ending = name.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let csv = match ending.as_deref() {
            Some("csv") => true,
            Some("jsonl") => false,
            _ => return Err(Fault::usage(format!("`{shown}` must end in .csv or .jsonl"))),
        };
        if name.exists() && !force {
            return Err(Fault::usage(format!("`{shown}` exists; --force overwrites it")));
        }
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Fault::usage(format!("cannot write `{shown}`: there is no folder `{}`", folder.display())));
        }
        let file =
            tempfile::tempfile_in(folder).map_err(|error| Fault::usage(format!("cannot write `{shown}`: {error}")))?;
        let file = BufWriter::new(file);
        let form = if csv { Form::Csv(Box::new(CsvRows::new(file, players)?)) } else { Form::Lines(file) };
        Ok(Self { name: name.to_path_buf(), force, form })
    }

    fn write(&mut self, row: &GameRow) -> std::io::Result<()> {
        match &mut self.form {
            Form::Csv(rows) => rows.write(row),
            Form::Lines(file) => {
                serde_json::to_writer(&mut *file, row)?;
                file.write_all(b"\n")
            }
        }
    }

    fn finish(self) -> Result<(), Fault> {
        let shown = self.name.display();
        let wrong = |error: std::io::Error| Fault::failed(format!("cannot write `{shown}`: {error}"));
        let file = match self.form {
            Form::Csv(rows) => rows.finish().map_err(wrong)?,
            Form::Lines(file) => file,
        };
        let mut rows = file.into_inner().map_err(|error| wrong(error.into_error()))?;
        rows.rewind().map_err(wrong)?;
        let mut file = Draft::begin(&self.name).map_err(wrong)?;
        std::io::copy(&mut rows, &mut file).map_err(wrong)?;
        // Another program may have created the file in the meantime.
        file.keep(self.force).map_err(wrong)
    }
}

fn summary(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    let mut lengths = paint::table();
    let header = ["mean", "min", "5 %", "median", "95 %", "max"].map(right);
    lengths.set_header(std::iter::once(Cell::new("")).chain(header));
    lengths.add_row(quantiles(Cell::new("decisions per game"), &report.decisions));
    lengths.add_row(quantiles(Cell::new("rounds per game"), &report.rounds));
    match (&report.won, report.seats.first()) {
        // All have the same score.
        (Some(_), Some(seat)) => drop(lengths.add_row(quantiles(Cell::new("score"), &seat.scores))),
        _ => {
            for seat in &report.seats {
                let name = format!("score of {}", paint::seat_name(game.declarations(), seat.seat));
                lengths.add_row(quantiles(seat_cell(game, seat.seat, name), &seat.scores));
            }
        }
    }
    writeln!(out, "{lengths}")?;
    match &report.won {
        Some(won) => together(out, report, won)?,
        None => wins(out, game, report)?,
    }
    for prompt in &report.answers {
        answers(out, prompt)?;
    }
    let endings: Vec<String> =
        report.endings.iter().map(|ending| format!("{} ({})", ending.reason, ending.games)).collect();
    if !endings.is_empty() {
        writeln!(out, "ended by: {}", endings.join(", "))?;
    }
    let red = paint::style("bright_red");
    for aborted in &report.aborted {
        let games = paint::plural(aborted.games, "game");
        writeln!(out, "{red}aborted{red:#}: {games}: {}", aborted.reason)?;
        writeln!(out, "  the first of them again: {}", watched(game, report, aborted.first.seed))?;
    }
    if let Some(speed) = report.speed {
        let (games, decisions) = (speed.games_per_second, speed.decisions_per_second);
        let threads = paint::plural(speed.threads, "thread");
        writeln!(out, "{:.2} s with {threads}: {games:.0} games/s, {decisions:.0} decisions/s", speed.seconds)?;
    }
    Ok(())
}

/// The command that plays a game of the simulation where people can watch it.
fn watched(game: &Game, report: &Report, seed: u64) -> String {
    let id = &game.declarations().id;
    let Setup { players, options, .. } = &report.setup;
    let options: String = options.iter().map(|(name, value)| format!(" -o {name}={}", option(value))).collect();
    format!("lode play {id} --players {players}{options} --seats {} --seed {seed}", report.bots.join(","))
}

/// How often all have won a cooperative game.
fn together(out: &mut dyn Write, report: &Report, won: &WonReport) -> Result<(), Fault> {
    let (low, high) = (won.interval.low * 100.0, percent(won.interval.high));
    let games = paint::plural(report.finished, "game");
    writeln!(out, "won: {} ({} of {games}, 95 % interval {low:.1} to {high})", percent(won.share), won.games)?;
    let mut bots: Vec<&str> = report.bots.iter().map(String::as_str).collect();
    bots.dedup();
    writeln!(out, "bots: {}", bots.join(", "))?;
    Ok(())
}

fn wins(out: &mut dyn Write, game: &Game, report: &Report) -> Result<(), Fault> {
    let mut table = paint::table();
    let uneven = report.seats.iter().any(|seat| seat.uneven);
    let mut header = vec![Cell::new("seat"), Cell::new("bot")];
    header.extend(["wins", "shared", "share", "95 % interval", "if even"].map(right));
    header.extend(uneven.then(|| Cell::new("")));
    table.set_header(header);
    for seat in &report.seats {
        let interval = format!("{:.1} to {}", seat.interval.low * 100.0, percent(seat.interval.high));
        let mut row = vec![
            seat_cell(game, seat.seat, paint::seat_name(game.declarations(), seat.seat)),
            Cell::new(&seat.bot),
            right(seat.wins),
            right(seat.shared),
            right(percent(seat.share)),
            right(interval),
            right(percent(report.even_share)),
        ];
        row.extend(uneven.then(|| {
            Cell::new(match seat.uneven {
                true if seat.share > report.even_share => "more than even",
                true => "less than even",
                false => "",
            })
        }));
        table.add_row(row);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn answers(out: &mut dyn Write, prompt: &PromptReport) -> Result<(), Fault> {
    if prompt.answers.is_empty() {
        writeln!(out, "{}: never asked", prompt.prompt)?;
        return Ok(());
    }
    let mut table = paint::table();
    let header = [Cell::new(format!("answer to {}", prompt.prompt)), Cell::new("")];
    table.set_header(header.into_iter().chain(["count", "share"].map(right)));
    for answer in &prompt.answers {
        let label = if answer.label == answer.answer { "" } else { &answer.label };
        let share = percent(answer.share);
        table.add_row(vec![Cell::new(&answer.answer), Cell::new(label), right(answer.count), right(share)]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn quantiles(name: Cell, sample: &Summary) -> Vec<Cell> {
    let Summary { mean, min, p5, median, p95, max, .. } = sample;
    vec![name, right(format!("{mean:.1}")), right(min), right(p5), right(median), right(p95), right(max)]
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn seat_cell(game: &Game, seat: u8, text: String) -> Cell {
    let colour = game.declarations().seats.get(usize::from(seat)).map_or("", |seat| &seat.colour);
    paint::cell(text, colour)
}
