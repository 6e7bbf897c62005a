//! Attacks on every command that runs scripts, under a memory limit: the process ends by itself with a message.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use motherlode_fixtures::write;

use super::fixture::Fixture;
use super::place::{PLACES, Place, files, idle, places_of};
use super::suite::{number_of, wanted};
use super::*;

/// Address space in KiB of a process with one worker: 256 MiB for the worker and 256 MiB for the waiting thread.
const MEMORY: u32 = (2 * 256) << 10;
/// A test run tries one in 64 cases.
const SHARE: usize = 64;

/// A command line and its input.
struct Invocation {
    arguments: &'static [&'static str],
    input: &'static str,
    /// The places of the attack: a function, or a whole file.
    places: [&'static str; 2],
}

const MATCH: [&str; 2] = ["wrap", "whole_wrap"];

const ORDERS: [Invocation; 7] = [
    Invocation {
        arguments: &["sim", "hostile", "--games", "1", "--threads", "1", "--seed", "3"],
        input: "",
        places: MATCH,
    },
    Invocation {
        arguments: &["play", "hostile", "--seats", "human,human", "--seed", "3"],
        input: "2\n2\n2\n2\n2\n2\n2\n2\nq\n",
        places: MATCH,
    },
    Invocation {
        arguments: &["stdio", "hostile", "--seed", "3"],
        input: "{\"choose\":1}\n{\"choose\":1}\n{\"choose\":1}\n{\"choose\":0}\n{\"choose\":1}\n{\"choose\":1}\n",
        places: MATCH,
    },
    Invocation { arguments: &["check", "hostile"], input: "", places: ["load", "whole"] },
    Invocation { arguments: &["test", "hostile"], input: "", places: ["test", "whole_test"] },
    Invocation { arguments: &["watch", "hostile", "--stdin"], input: "\n", places: ["test", "whole_test"] },
    Invocation { arguments: &["watch", "hostile", "--stdin"], input: "\n", places: MATCH },
];

/// Resources used by a process.
#[derive(Debug, Default)]
struct ResourceUse {
    code: Option<i32>,
    /// Processor time in seconds.
    seconds: f64,
    /// Peak resident memory and address space in MiB.
    resident: u64,
    space: u64,
}

/// Runs a command until it ends or the time limit passes.
fn follow(mut child: Child, mut each: impl FnMut()) -> ResourceUse {
    let begin = Instant::now();
    let mut took = ResourceUse::default();
    loop {
        let of = |file: &str| fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
        let status = of("status");
        let line = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        took.resident = took.resident.max(line("VmHWM:").unwrap_or(0) >> 10);
        took.space = took.space.max(line("VmPeak:").unwrap_or(0) >> 10);
        // The fields after the name, which may contain spaces: hundredths of a second.
        let stat = of("stat");
        let ticks: f64 = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum())
            .unwrap_or(0.0);
        took.seconds = took.seconds.max(ticks / 100.0);
        if let Some(status) = child.try_wait().unwrap() {
            took.code = status.code();
            return took;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return took;
        }
        each();
        thread::sleep(Duration::from_millis(2));
    }
}

fn write_all(folder: &Path, files: &[(String, String)]) {
    files.iter().for_each(|(path, text)| write(folder.join(path), text));
}

/// Runs a command on an attack.
///
/// # Errors
/// Describes a process that did not end by itself or ended badly.
fn run(order: &Invocation, fixture: &Fixture, place: Place) -> Result<ResourceUse, String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let (game, guest) = files(fixture, place);
    let guest: Vec<_> = guest.into_iter().map(|(path, text)| (format!("guest/{path}"), text)).collect();
    let watches = order.arguments[0] == "watch";
    // A session starts with valid files.
    let bad = if guest.is_empty() { place.file } else { "guest/scripts/hostile/phases.luau" };
    let (bad, good): (Vec<_>, Vec<_>) = [game, guest.clone()].concat().into_iter().partition(|(path, _)| path == bad);
    write_all(root, &good);
    if watches && !bad[0].0.starts_with("tests/") {
        write_all(root, &[(bad[0].0.clone(), idle(place.file))]);
    } else if !watches {
        write_all(root, &bad);
    }
    let open = |name: &str| File::create(root.join(name)).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v \"$0\"; exec \"$@\"", &MEMORY.to_string(), env!("CARGO_BIN_EXE_lode")]);
    // Otherwise the C library reserves 64 MiB of addresses for each thread.
    shell.env("MALLOC_ARENA_MAX", "1");
    shell.args(order.arguments).current_dir(root).stdout(open("out")).stderr(open("err"));
    if !guest.is_empty() {
        shell.args(["--mod", "guest"]);
    }
    let read = |name: &str| String::from_utf8_lossy(&fs::read(root.join(name)).unwrap_or_default()).into_owned();
    let took = if watches {
        let mut child = shell.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take();
        let mut saved = false;
        follow(child, || {
            let answers = read("out").lines().filter(|line| line.starts_with("after ")).count();
            if answers >= 1 && !saved {
                saved = true;
                write_all(root, &bad);
                let _ = input.as_mut().map(|input| io::Write::write_all(input, order.input.as_bytes()));
            } else if answers >= 2 {
                input = None;
            }
        })
    } else {
        fs::write(root.join("in"), order.input).unwrap();
        follow(shell.stdin(File::open(root.join("in")).unwrap()).spawn().unwrap(), || {})
    };
    let (out, err) = (read("out"), read("err"));
    let both = format!("{out}{err}");
    let end: String = both.chars().rev().take(500).collect::<Vec<_>>().into_iter().rev().collect();
    if !matches!(took.code, Some(0 | 1)) || both.contains("panicked") && !fixture.source.contains("panicked") {
        return Err(format!("ended with {:?} after {:.1} s: {end}", took.code, took.seconds));
    }
    if both.len() > 16 << 20 {
        return Err(format!("{} bytes of output", both.len()));
    }
    if both.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err(format!("terminal control characters: {end:?}"));
    }
    let legal = place.is_of_tests() || fixture.may_be_legal(place.name);
    let told = both.contains(&format!("{}:", place.file));
    if !legal && !told {
        return Err(format!("nothing of {}: {end}", place.file));
    }
    // A missing script function is reported where the game declares it.
    if took.code == Some(1)
        && !watches
        && !told
        && !both.contains("content/hostile/")
        && !both.contains("without a decision")
        && !both.contains("did not end within")
    {
        return Err(format!("fails without a place: {end}"));
    }
    Ok(took)
}

#[test]
fn attacks_on_commands_end_well() {
    let wanted = wanted();
    let (mut faults, mut slow) = (String::new(), Vec::new());
    for fixture in Fixture::all() {
        let all = wanted.as_ref().is_some_and(|part| part == "all" || fixture.name.contains(part.as_str()));
        let places = places_of(&fixture);
        for (n, order) in ORDERS.iter().enumerate() {
            let place = PLACES.iter().find(|place| order.places.contains(&place.name) && places.contains(place));
            let Some(place) = place else { continue };
            if !all && (wanted.is_some() || !number_of(&format!("{}{n}", fixture.name)).is_multiple_of(SHARE)) {
                continue;
            }
            let name = format!("{} in {}: {}", fixture.name, place.name, order.arguments[0]);
            match run(order, &fixture, *place) {
                Ok(took) => slow.push((took, name)),
                Err(fault) => writeln!(faults, "{name}: {fault}").unwrap(),
            }
        }
    }
    if wanted.is_some() {
        slow.sort_by(|a, b| b.0.seconds.total_cmp(&a.0.seconds));
        let over = slow.iter().filter(|(took, _)| took.seconds > LIMIT.as_secs_f64()).count();
        println!("{} runs of commands, {over} of them longer than {LIMIT:?}; the slowest:", slow.len());
        slow.iter()
            .take(40)
            .for_each(|(took, name)| println!("{:6.2} s {:5} MiB  {name}", took.seconds, took.resident));
        slow.sort_by_key(|(took, _)| std::cmp::Reverse((took.resident, took.space)));
        println!("the largest, resident and reserved:");
        slow.iter().take(20).for_each(|(took, name)| println!("{:5} {:5} MiB  {name}", took.resident, took.space));
    } else {
        assert!(slow.len() >= 40 || !faults.is_empty(), "{} runs", slow.len());
    }
    assert!(faults.is_empty(), "\n{faults}");
}
