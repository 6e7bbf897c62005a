//! Speed as ratios, measured in turns: `--record` keeps it in the history, `--against` compares it with another build.
//!
//! Each round starts a new process, because the speed of a process also depends on its addresses in memory.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs};

use crate::games::{CHANCE, playouts, root, setup, shipped};
use crate::history::{self, Entry, FILE, LOSS, ROUNDS, Round, Verdict};
use crate::pairs::Pair;
use crate::subject::{Subject, side_by_side, sure};
use crate::table::Figures;
use crate::twins::SplitMix64;

/// Time for each side of a ratio.
const BUDGET: Duration = Duration::from_millis(200);
/// Games without a twin, with their numbers of players.
const WITHOUT_TWIN: [(&str, u8); 2] = [("imperial_miners", 3), ("miners_lagoon", 3)];
/// Random numbers in the baseline of a game without a twin.
const DRAWS: u64 = 100;

/// Runs the mode that the arguments name. `None` if they name none.
pub fn run() -> Option<ExitCode> {
    // Cargo adds `--bench`.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--turn"] => println!("{}", sure(serde_json::to_string(&round()))),
        ["--record"] => record(),
        ["--against", program] => return Some(compare(Path::new(program))),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Measures each game once.
fn round() -> Round {
    let with_twin = [Pair::atacama(2, 5.0), Pair::connect_four(), Pair::krysis(4, 8.0), Pair::photon(4, 7.0)];
    let mut figures: Round = with_twin.into_iter().map(|mut pair| (pair.name.clone(), pair.slower(BUDGET))).collect();
    for (id, players) in WITHOUT_TWIN {
        let game = shipped(id);
        let mut engine = playouts("engine", &game, &setup(&game, players, &[]));
        let (figure, _, slower) = side_by_side(&mut engine, &mut draws(), BUDGET);
        figures.insert(format!("{id}, {players} players"), slower / figure.decisions);
    }
    figures
}

/// Fixed work: [`DRAWS`] random numbers a repetition.
fn draws() -> Subject {
    let mut chance = SplitMix64::new(CHANCE);
    Subject::new("draws", move |times| {
        for _ in 0..times * DRAWS {
            black_box(chance.below(black_box(52)));
        }
        0
    })
}

/// Measures one round of a program.
fn turn(program: &Path) -> Round {
    let output = sure(Command::new(program).arg("--turn").output());
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).unwrap_or_else(|_| {
        panic!("`{} --turn` prints no figures: build the bench `playouts` of a newer commit", program.display())
    })
}

/// Measures this program and writes the entry of the current commit.
fn record() {
    let own = sure(env::current_exe());
    assert!(git(&["status", "--porcelain", "-uno"]).is_empty(), "the tree has changes: commit them before `--record`");
    let rounds: Vec<Round> = (0..2 * ROUNDS).map(|_| turn(&own)).collect();
    let entry = Entry {
        date: git(&["log", "-1", "--format=%cs"]),
        commit: git(&["rev-parse", "--short=7", "HEAD"]),
        machine: machine(),
        rounds: rounds.len(),
        games: history::summary(&rounds),
    };
    let mut table =
        Figures::new("Time of the engine as a multiple of the baseline", &["game", "25 %", "median", "75 %"]);
    for (game, spread) in &entry.games {
        let [low, median, high] = [spread.low, spread.median, spread.high].map(|ratio| format!("{ratio:.2}"));
        table.row([game.clone(), low, median, high]);
    }
    table.print();
    let path = root().join(FILE);
    let mut entries = sure(history::parse(&sure(fs::read_to_string(&path))));
    history::add(&mut entries, entry);
    sure(fs::write(path, sure(history::format(&entries))));
    println!("\nWritten to {FILE}. `LODE_WRITE_REFERENCE=1 cargo test --test tests pictures` draws the chart again.");
}

/// Measures another build and this one alternately. Fails if this one is slower.
fn compare(base: &Path) -> ExitCode {
    let own = sure(env::current_exe());
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for number in 0..ROUNDS {
        // The second program may profit from a warm machine, so the order changes.
        if number % 2 == 0 {
            old.push(turn(base));
            new.push(turn(&own));
        } else {
            new.push(turn(&own));
            old.push(turn(base));
        }
    }
    let mut table = Figures::new(
        format!("Loss against {}, {ROUNDS} rounds (negative: faster)", base.display()),
        &["game", "25 %", "median", "75 %", "at most", ""],
    );
    let mut code = ExitCode::SUCCESS;
    for (game, loss) in history::losses(&old, &new) {
        let verdict = match history::verdict(loss) {
            Verdict::Fine => "fine",
            Verdict::Unclear => "unclear: measure again",
            Verdict::Slower => {
                code = ExitCode::FAILURE;
                "slower"
            }
        };
        let [low, median, high] = [loss.low, loss.median, loss.high].map(|loss| format!("{:+.1} %", loss * 100.0));
        table.row([game, low, median, high, format!("{:+.0} %", LOSS * 100.0), verdict.to_owned()]);
    }
    table.print();
    code
}

/// Output of git in the repository.
fn git(arguments: &[&str]) -> String {
    let output = sure(Command::new("git").arg("-C").arg(root()).args(arguments).output());
    assert!(output.status.success(), "`git {}` fails: run `--record` in a clone", arguments.join(" "));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Name of the processor, or its architecture where the system tells no name.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or(env::consts::ARCH, |(_, name)| name).to_owned()
}
