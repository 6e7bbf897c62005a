//! Time from a saved card to the answer of `lode watch`, which checks, replays and tests.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{fs, io};

use motherlode::Game;
use motherlode_fixtures::copy;

use crate::form::Form;
use crate::games::{root, shipped, shipped_ids};
use crate::table::{Figures, duration, verdict};

/// Maximum seconds from a save to the answer.
const TARGET: f64 = 0.08;

/// A running `lode watch` on a copy of a game.
struct Session {
    folder: PathBuf,
    child: Child,
    /// Lines of its output. A thread reads them, so a system that reports no changes cannot block the bench.
    lines: Receiver<String>,
}

/// Maximum wait for a line; after that, `lode watch` counts as broken on this system.
const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    fn begin(id: &str) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("lode-watch-{id}-{}", std::process::id()));
        copy(root(), &folder, &["content", "scripts", "tests"].map(|room| format!("{room}/{id}")));
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args(["watch", id])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (keep, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| keep.send(line))
        });
        let mut session = Self { folder, child, lines };
        session.answer()?;
        Ok(session)
    }

    /// Reads to the last line of an answer; returns the number of tests that ran.
    fn answer(&mut self) -> io::Result<u32> {
        let mut tests = 0;
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|_| io::ErrorKind::TimedOut)?;
            if line.starts_with("tests") {
                let numbers = line.rsplit(' ').filter_map(|word| word.parse::<u32>().ok());
                tests = numbers.sum();
            }
            if line.starts_with("after ") {
                return Ok(tests);
            }
        }
    }

    /// Saves a file and waits for the answer.
    fn save(&mut self, path: &str, text: &str) -> io::Result<(Duration, u32)> {
        let start = Instant::now();
        fs::write(self.folder.join(path), text)?;
        let tests = self.answer()?;
        Ok((start.elapsed(), tests))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The process may have ended already, and a leftover temporary folder does no harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An edit of the first definition of the largest kind: its file, the file's text, and the text with another name.
fn edit(game: &Game) -> Option<(String, String, String)> {
    let d = game.declarations();
    let (_, kind) = d.kinds.iter().max_by_key(|(_, kind)| kind.len)?;
    let place = &d.definitions.get(kind.first)?.place;
    let text = fs::read_to_string(root().join(&place.file)).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let at = (place.line as usize..lines.len()).find(|at| lines[*at].starts_with("name ="))?;
    let mut other = lines.clone();
    let name = lines[at].trim_end_matches('"').to_owned() + " II\"";
    other[at] = &name;
    let other = other.join("\n") + "\n";
    Some((place.file.clone(), text.clone(), other))
}

pub fn print(form: &Form) {
    let saves = form.pick(6, 40);
    let mut table = Figures::new(
        "From a save to the answer of `lode watch`: each save renames the first definition of the largest kind or takes that back",
        &["game", "saves", "tests run", "median", "worst", "target", ""],
    );
    for id in shipped_ids() {
        let Some((path, text, other)) = edit(&shipped(&id)) else { continue };
        let Ok(mut session) = Session::begin(&id) else {
            println!("\n`lode watch {id}` does not start here.");
            continue;
        };
        let mut times = Vec::new();
        let mut tests = 0;
        for number in 0..saves {
            let Ok((time, ran)) = session.save(&path, if number % 2 == 0 { &other } else { &text }) else { break };
            times.push(time.as_secs_f64());
            tests = ran;
        }
        times.sort_by(f64::total_cmp);
        let (Some(median), Some(worst)) = (times.get(times.len() / 2), times.last()) else {
            println!("\n`lode watch {id}` did not notice a save here.");
            continue;
        };
        let met = verdict(*median <= TARGET);
        table.row([
            id,
            times.len().to_string(),
            tests.to_string(),
            duration(*median),
            duration(*worst),
            duration(TARGET),
            met,
        ]);
    }
    table.print();
}
