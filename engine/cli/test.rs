//! `lode test`: the rule tests that stand under tests/<game>/ in the content language.

use std::io::Write;
use std::path::PathBuf;

use motherlode::SourceFile;
use motherlode_play::rule_test::{self, TestResult};

use crate::fault::Fault;
use crate::project::{Place, Project};
use crate::{paint, setup};

/// Arguments of `lode test`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/, scripts/ and tests/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Run only the tests whose names contain this
    #[arg(short, long, value_name = "TEXT")]
    filter: Option<String>,
    /// With --mod: run the game's own tests too, not only those of the mods
    #[arg(long)]
    all: bool,
}

/// Runs the tests and names every one that failed.
pub fn run(args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, ids) = Project::several(place, args.what.as_deref())?;
    let (mut passed, mut failed, mut files) = (0u64, 0u64, 0u64);
    let mut faulty = false;
    let (green, red, strong) = (paint::style("bright_green"), paint::style("bright_red"), paint::strong());
    for id in &ids {
        let tests = tests(&project, id, args.all)?;
        if tests.is_empty() {
            continue;
        }
        let game = match project.load(id) {
            Ok(game) => game,
            // The tests of the other games are worth knowing all the same.
            Err(fault) => {
                fault.tell();
                faulty = true;
                continue;
            }
        };
        let (before, failed_before) = (passed, failed);
        for test in &tests {
            files += 1;
            let filter = args.filter.as_deref();
            let (shown, results) = match test {
                Test::File(file) => {
                    let shown = file.strip_prefix(&project.root).unwrap_or(file).display().to_string();
                    (shown, rule_test::run(&game, file, filter))
                }
                Test::OfMod(source) => {
                    (source.path.clone(), rule_test::run_text(&game, &source.path, &source.text, filter))
                }
            };
            for result in results {
                if result.passed {
                    passed += 1;
                } else {
                    failed += 1;
                    let TestResult { name, message, line, .. } = &result;
                    writeln!(out, "{red}failed{red:#} {strong}{name}{strong:#}\n  {shown}:{line}")?;
                    for line in message.lines() {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
        }
        writeln!(out, "{}: {} passed, {} failed", setup::title(&game), passed - before, failed - failed_before)?;
    }
    if faulty {
        return Err(Fault::Told);
    }
    match (&args.filter, passed + failed) {
        (Some(filter), 0) if files > 0 => return Err(Fault::usage(format!("no test has a name with `{filter}`"))),
        (_, 0) => {
            return Err(Fault::usage(format!("there are no tests below `{}`", project.root.join("tests").display())));
        }
        _ => {}
    }
    if failed > 0 {
        return Err(Fault::failed(format!("{} failed", paint::plural(failed, "test"))));
    }
    writeln!(out, "{green}ok{green:#}: {} passed", paint::plural(passed, "test"))?;
    Ok(())
}

/// A file of tests.
enum Test {
    File(PathBuf),
    OfMod(SourceFile),
}

/// The tests of the mods over a game; without mods, or if all are wanted, those of the game itself.
fn tests(project: &Project, id: &str, all: bool) -> Result<Vec<Test>, Fault> {
    let mods = project.mods_of(id);
    let own = if all || mods.is_empty() { rule_test::files(&project.root, id)? } else { Vec::new() };
    let of_mods = mods.iter().flat_map(|one| one.tests().to_vec()).map(Test::OfMod);
    Ok(own.into_iter().map(Test::File).chain(of_mods).collect())
}
