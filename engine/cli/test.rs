//! `lode test`: runs the rule tests in tests/<game>/.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use comfy_table::Cell;
use motherlode::tools::hidden;
use motherlode::tools::hidden::shown;
use motherlode::{Diagnostics, Game};
use motherlode_check::rule_tests::find_syntax_error;
use motherlode_play::coverage::{self, CoverageRow};
use motherlode_play::rule_test::{TestFiles, TestFilter, TestResult};
use serde_json::{Map, Value};

use crate::expect::{self, BalanceOptions};
use crate::fault::Fault;
use crate::format::Format;
use crate::lab::{HALT, LabProgress, STOP, check_complete};
use crate::number::whole_number;
use crate::paint::right;
use crate::progress::Progress;
use crate::project::{GlobalArgs, Project};
use crate::unread::Unread;
use crate::{paint, report, setup};

/// Run the rule tests of a game, or of all games
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/, scripts/ and tests/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Run only tests whose name contains this text
    #[arg(short, long, value_name = "TEXT")]
    filter: Option<String>,
    /// With --mod: also run the game's own tests
    #[arg(long)]
    all: bool,
    /// Also play random games, and list the content that neither they nor the tests used
    #[arg(long, group = "table")]
    coverage: bool,
    /// Test the expectations in tests/<game>/balance.toml instead of the rules
    #[arg(long, group = "table")]
    balance: bool,
    /// With --balance: number of threads; results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", requires = "balance", value_parser = whole_number(1..=1024_u16))]
    threads: Option<u16>,
    /// With --balance: seed of the games; a result near a bound may change with it
    #[arg(long, value_name = "N", default_value_t = 1, requires = "balance")]
    seed: u64,
    /// With --coverage: number of random games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole_number(0..=u64::MAX), requires = "coverage", conflicts_with = "balance")]
    games: u64,
    /// Output format of --coverage and --balance
    #[arg(long, value_enum, default_value_t, requires = "table")]
    format: Format,
}

/// Runs the tests of the games and prints the failures.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let out: &mut dyn Write = &mut Unread::new(out);
    let (project, ids) = Project::locate_many(global, args.what.as_deref())?;
    if args.balance {
        let threads = args.threads.map_or(0, usize::from);
        let (filter, seed) = (args.filter.as_deref(), args.seed);
        let options = BalanceOptions { filter, all: args.all, seed, threads, format: args.format };
        return expect::run(&project, &ids, &options, out);
    }
    let mut all = TestCounts::default();
    let count = |id: &String| project.tests(id, args.all).map(|tests| count_tests(args, &tests));
    let expected = ids.iter().map(count).sum::<Result<u64, Fault>>()?;
    let (mut is_faulty, mut is_stopped) = (false, false);
    let mut covered = Map::new();
    for id in &ids {
        let tests = project.tests(id, args.all)?;
        let is_empty = tests.iter().all(TestFiles::is_empty) && !args.coverage;
        // A mod may lack tests because of a fault, such as a link among its files: loading it reports the fault.
        if is_empty && global.mods.is_empty() {
            continue;
        }
        let game = match project.load(id) {
            Ok(game) => game,
            // Run the tests of the other games all the same.
            Err(fault) => {
                fault.report();
                is_faulty = true;
                continue;
            }
        };
        if is_empty {
            continue;
        }
        let game = if args.coverage { game.counted() } else { game };
        let own = run_files(args, &game, &tests, (all.tests(), expected), out)?;
        if args.format == Format::Text {
            writeln!(out, "{}: {} passed, {} failed", setup::title(&game), own.passed, own.failed)?;
        }
        all.add(own);
        if args.coverage {
            is_stopped = play_randomly(&game, args.games) < args.games && STOP.load(Ordering::SeqCst);
            let rows = coverage::rows(&game, &game.coverage());
            match args.format {
                Format::Json => drop(covered.insert(id.clone(), serde_json::to_value(rows).unwrap_or_default())),
                Format::Text => draw(out, &rows)?,
            }
            if is_stopped {
                break;
            }
        }
    }
    if args.format == Format::Json {
        writeln!(out, "{:#}", Value::from(covered))?;
    }
    if is_faulty {
        return Err(Fault::Reported);
    }
    check_complete(is_stopped)?;
    conclude(args, global, &project, all, out)
}

/// Plays random games of a counted game until Ctrl-C, and reports aborted ones. Returns the number of games.
fn play_randomly(game: &Game, games: u64) -> u64 {
    let mut progress = LabProgress::new(games, "games");
    // The tests run to their end, so only these games are halted.
    let (played, failures) = coverage::play_randomly(&game.halted_by(&HALT), games, 1, |done| progress.done(done));
    progress.finish();
    if played < games && !STOP.load(Ordering::SeqCst) {
        eprintln!("note: {}: {played} of {games} random games, because they are long", game.declarations().id);
    }
    if let Some(told) = failures.told(played) {
        eprintln!("{}: random play: {told}", game.declarations().id);
    }
    played
}

/// Numbers of test files and tests.
#[derive(Debug, Default, Clone, Copy)]
struct TestCounts {
    files: usize,
    passed: u64,
    failed: u64,
}

impl TestCounts {
    fn tests(self) -> u64 {
        self.passed + self.failed
    }

    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Number of tests that the filter selects. The source tells it before they run, except for computed names.
fn count_tests(args: &Args, tests: &[TestFiles]) -> u64 {
    let part = args.filter.as_deref().unwrap_or_default();
    tests.iter().map(|tests| tests.count_named(part) as u64).sum()
}

/// Runs the tests of one game, with a progress bar from `done` to `expected` tests, and prints the failures.
fn run_files(
    args: &Args,
    game: &Game,
    tests: &[TestFiles],
    (mut done, expected): (u64, u64),
    out: &mut dyn Write,
) -> Result<TestCounts, Fault> {
    let mut counts = TestCounts::default();
    let filter = args.filter.as_deref().map_or(TestFilter::All, TestFilter::Named);
    let mut progress = Progress::new(expected, "tests");
    progress.set_message(game.declarations().id.clone());
    progress.start_at(done);
    let mut results = Vec::new();
    for tests in tests {
        counts.files += tests.files.len();
        let found = tests.run_observed(game, filter, &mut |more| {
            done += more as u64;
            progress.set_all(expected.max(done));
            progress.done(done);
        });
        results.extend(found.into_iter().map(|result| (tests, result)));
    }
    // Failures would print into the bar.
    progress.finish();
    for (tests, result) in results {
        if result.passed {
            counts.passed += 1;
            continue;
        }
        counts.failed += 1;
        // JSON output has only the coverage; failures go to the error stream.
        if args.format == Format::Json {
            let TestResult { name, message, line, file, .. } = result;
            eprintln!("{}", shown(format!("failed {name}: {file}:{line}: {message}")));
            continue;
        }
        if let Some(found) = syntax_error(tests, &result) {
            report::draw(out, &found)?;
            continue;
        }
        report::failure(out, &result, tests.line(&result.file, result.line).as_deref())?;
    }
    Ok(counts)
}

/// The syntax error behind a fault of a file itself.
fn syntax_error(tests: &TestFiles, result: &TestResult) -> Option<Diagnostics> {
    let file = tests.texts().find(|file| result.is_fault() && file.path == result.file)?;
    let list = vec![find_syntax_error(file)?];
    Some(Diagnostics { list, sources: Arc::new(vec![file.clone()]) })
}

/// Prints the result of all tests.
fn conclude(
    args: &Args,
    global: &GlobalArgs,
    project: &Project,
    TestCounts { files, passed, failed }: TestCounts,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    match (&args.filter, passed + failed) {
        (Some(filter), 0) if files > 0 => {
            return Err(Fault::usage(format!("no test name contains `{filter}`: shorten --filter")));
        }
        (_, 0) if !args.coverage => {
            let places: Vec<String> = match global.mods.as_slice() {
                mods if args.all || mods.is_empty() => vec![hidden::path(project.base().join("tests"))],
                mods => mods.iter().map(|path| hidden::path(path.join("tests"))).collect(),
            };
            return Err(Fault::usage(format!("there are no tests in `{}`", places.join("`, `"))));
        }
        _ => {}
    }
    if failed > 0 {
        return Err(Fault::failed(format!("{} failed", paint::plural(failed, "test"))));
    }
    if args.format == Format::Text {
        let green = paint::style("bright_green");
        writeln!(out, "{green}ok{green:#}: {} passed", paint::plural(passed, "test"))?;
    }
    Ok(())
}

/// Prints a table of the coverage and a list of the unused content.
fn draw(out: &mut dyn Write, rows: &[CoverageRow]) -> Result<(), Fault> {
    let mut table = paint::table();
    table.set_header(["", "all", "exercised", "never"]);
    for row in rows.iter().filter(|row| row.all > 0) {
        table.add_row([Cell::new(row.sort), right(row.all), right(row.exercised), right(row.never.len())]);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    let (yellow, faint) = (paint::style("bright_yellow"), paint::faint());
    for row in rows {
        for never in &row.never {
            let place = never.place.as_deref().unwrap_or_default();
            writeln!(out, "{yellow}never{yellow:#} {}: {}  {faint}{place}{faint:#}", row.sort, never.name)?;
        }
    }
    Ok(())
}
