//! `lode watch`: checks, tests and replays a game whenever one of its files is saved.
//!
//! An answer for the largest games takes 50 to 75 ms (`cargo bench --bench playouts`, table "From a save"). The reasons:
//!
//! - Only tests that name a changed id run, or all tests if none does (`changes`).
//! - The recorded match plays while the tests run.
//! - All rule tests share one match, because a new match takes longer than most tests.
//! - Bytecode is compiled once for each game and shared. Native code is not compiled, because the matches are short.
//!
//! Direction: self <- changes, trace

mod changes;
mod trace;

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use motherlode::{Diagnostics, Game, Pack, SourceFile};
use motherlode_check::{CheckedGame, check};
use motherlode_play::rule_test::{TestFiles, TestFilter, TestResult};

use self::changes::Change;
use self::trace::Trace;
use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};
use crate::{paint, play, report, saved, setup};

/// Check, test and replay a game each time one of its files is saved
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Match to replay, saved with --save of `lode play` [default: a random one]
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Check again for each line of standard input instead of each saved file
    #[arg(long)]
    stdin: bool,
    /// With --mod: also run the game's own tests
    #[arg(long)]
    all: bool,
}

/// Checks once, then after each change, until the input ends or the program is stopped.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, id) = Project::locate(global, &args.game)?;
    project.folder("watch")?;
    let replay = args.replay.as_deref().map(play::load).transpose()?;
    if let Some(replay) = replay.as_ref().filter(|replay| replay.game != id) {
        return Err(Fault::usage(format!("this is a match of `{}`, not of `{id}`: name that game", replay.game)));
    }
    let mut watch = Watch { global, project, id, all: args.all, files: Vec::new(), good: None, replay };
    // Subscribe before the first check: checking twice is harmless, missing a change is not.
    let (_watcher, changes) = if args.stdin {
        saved::watch(&[], &[])?
    } else {
        let rooms = ["content", "scripts", "tests"].map(|room| watch.project.base().join(room).join(&watch.id));
        saved::watch(&rooms, &global.mods)?
    };
    watch.check_again(out)?;
    if args.stdin {
        for line in std::io::stdin().lock().lines() {
            line?;
            watch.check_again(out)?;
        }
        return Ok(());
    }
    writeln!(out, "watching {}; press Ctrl-C to stop", watch.id)?;
    out.flush()?;
    while changes.recv().is_ok() && saved::wait_for_quiet(&changes) {
        watch.check_again(out)?;
    }
    Ok(())
}

/// The state of a watch.
struct Watch<'p> {
    global: &'p GlobalArgs,
    project: Project,
    id: String,
    /// Whether to run the game's own tests if there are mods.
    all: bool,
    /// Content, scripts and tests.
    files: Vec<SourceFile>,
    /// The last content without errors.
    good: Option<GoodVersion>,
    replay: Option<motherlode::Replay>,
}

/// Content without errors, and its match.
struct GoodVersion {
    game: Game,
    files: Vec<SourceFile>,
    trace: Result<Trace, String>,
}

impl Watch<'_> {
    /// Reads the pack and its mods again.
    fn pack(&mut self) -> Result<Pack, Fault> {
        self.project = self.project.reopen(self.global, &self.id)?;
        self.project.pack(&self.id)
    }

    /// Reads all files again and reports the changes since the last check.
    fn check_again(&mut self, out: &mut dyn Write) -> Result<(), Fault> {
        let begin = Instant::now();
        let (green, strong) = (paint::style("bright_green"), paint::strong());
        let pack = match self.pack() {
            Ok(pack) => pack,
            Err(Fault::Content { diagnostics, .. }) => {
                // Unreadable content differs from any other.
                self.files.clear();
                return self.report_broken(&diagnostics, begin, out);
            }
            Err(Fault::Usage(message)) => {
                self.files.clear();
                let red = paint::style("bright_red");
                writeln!(out, "{red}broken{red:#}: {message}{}", self.kept_note())?;
                return self.report_time(out, begin);
            }
            Err(other) => return Err(other),
        };
        let mut files = pack.files.clone();
        files.extend(pack.mods().iter().flat_map(|one| one.files().cloned()));
        let tests = self.project.tests(&self.id, self.all)?;
        files.extend(tests.iter().flat_map(TestFiles::texts).cloned());
        if files == self.files {
            return Ok(());
        }
        let paths = changes::paths(&self.files, &files);
        if !self.files.is_empty() {
            writeln!(out, "{strong}changed{strong:#} {}", paths.join(", "))?;
        }
        self.files = files;
        let CheckedGame { game, warnings, .. } = match check(&pack) {
            Ok(checked) => checked,
            Err(diagnostics) => return self.report_broken(&diagnostics, begin, out),
        };
        // The matches are too short for machine code to pay off.
        let game = game.interpreted();
        report::draw(out, &warnings)?;
        writeln!(out, "{}: {green}ok{green:#}", setup::title(&game))?;
        out.flush()?;
        let change = self
            .good
            .as_ref()
            .map_or_else(Change::everything, |good| changes::change((&good.game, &good.files), (&game, &self.files)));
        let (trace, (results, which)) = thread::scope(|scope| {
            let tested = scope.spawn(|| run_affected_tests(&game, &tests, &change));
            let trace = self.play(&game);
            if let Some(good) = &self.good {
                writeln!(out, "{}", trace::difference(&good.game, &good.trace, &trace))?;
                out.flush()?;
            }
            // Pass on a panic of the test thread.
            let results = tested.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, Fault>((trace, results))
        })?;
        report_results(&results, &which, out)?;
        self.good = Some(GoodVersion { game, files: self.files.clone(), trace });
        self.report_time(out, begin)
    }

    fn report_broken(&self, diagnostics: &Diagnostics, begin: Instant, out: &mut dyn Write) -> Result<(), Fault> {
        let red = paint::style("bright_red");
        report::draw(out, diagnostics)?;
        writeln!(out, "{red}broken{red:#}: {}{}", report::count(&diagnostics.list), self.kept_note())?;
        self.report_time(out, begin)
    }

    /// A note if older content is still in use.
    fn kept_note(&self) -> &'static str {
        if self.good.is_some() { "; keeping the last version without errors" } else { "" }
    }

    fn report_time(&self, out: &mut dyn Write, begin: Instant) -> Result<(), Fault> {
        let faint = paint::faint();
        writeln!(out, "{faint}after {} ms{faint:#}", begin.elapsed().as_millis())?;
        Ok(out.flush()?)
    }

    /// Plays the recorded match as long as its answers are legal, or a random match.
    fn play(&self, game: &Game) -> Result<Trace, String> {
        match (&self.good, &self.replay) {
            (Some(GoodVersion { trace: Ok(trace), .. }), _) => Trace::follow(game, &trace.setup, &trace.answers()),
            (_, Some(replay)) => Trace::repeat(game, replay),
            (_, None) => {
                let setup = game.setup(None, &[], 1).map_err(|error| error.to_string())?;
                Trace::follow(game, &setup, &[])
            }
        }
    }
}

/// Runs the tests that name a changed id, or all tests if none does, because any could depend on the change. Also returns the
/// description of the tests.
fn run_affected_tests(game: &Game, tests: &[TestFiles], change: &Change) -> (Vec<TestResult>, String) {
    let is_wanted = |file: &SourceFile, body: &str| change.has_file(&file.path) || change.is_named_in(body);
    let filter = TestFilter::Touched { is_wanted: &is_wanted, ids: change.names() };
    let results: Vec<TestResult> = tests.iter().flat_map(|tests| tests.run(game, filter)).collect();
    if !results.is_empty() {
        return (results, change.describe());
    }
    (tests.iter().flat_map(|tests| tests.run(game, TestFilter::All)).collect(), String::new())
}

/// Prints the failed tests and the counts.
fn report_results(results: &[TestResult], which: &str, out: &mut dyn Write) -> Result<(), Fault> {
    let (green, red) = (paint::style("bright_green"), paint::style("bright_red"));
    let failed: Vec<&TestResult> = results.iter().filter(|result| !result.passed).collect();
    for result in &failed {
        report::failure(out, result, None)?;
    }
    let style = if failed.is_empty() { green } else { red };
    let passed = results.len() - failed.len();
    writeln!(out, "{style}tests{style:#}{which}: {passed} passed, {} failed", failed.len())?;
    Ok(())
}
