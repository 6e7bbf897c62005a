//! `lode test`: the rule tests that stand under tests/<game>/ in the content language.

use std::io::Write;
use std::path::Path;

use motherlode_play::rule_test::{self, TestResult};

use crate::fault::Fault;
use crate::paint;
use crate::project::Project;

/// Arguments of `lode test`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/, scripts/ and tests/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Run only the tests whose names contain this
    #[arg(short, long, value_name = "TEXT")]
    filter: Option<String>,
}

/// Runs the tests and names every one that failed.
pub fn run(args: &Args, root: Option<&Path>, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, ids) = Project::several(root, args.what.as_deref())?;
    let (mut passed, mut failed, mut files) = (0u64, 0u64, 0u64);
    let mut faulty = false;
    let (green, red, strong) = (paint::style("bright_green"), paint::style("bright_red"), paint::strong());
    for id in &ids {
        let tests = rule_test::files(&project.root, id)?;
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
        for file in &tests {
            files += 1;
            let shown = file.strip_prefix(&project.root).unwrap_or(file).display();
            for result in rule_test::run(&game, file, args.filter.as_deref()) {
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
        writeln!(out, "{id}: {} passed, {} failed", passed - before, failed - failed_before)?;
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
