//! From saving a card to the answer of `lode watch`: checked, replayed and tested.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{fs, io};

use motherlode::Game;

use crate::form::Form;
use crate::games::{root, shipped, shipped_ids};
use crate::table::{Figures, duration, verdict};

/// Most seconds from a save to the answer.
const BAR: f64 = 0.08;

/// A watch of a copy of a game.
struct Session {
    folder: PathBuf,
    child: Child,
    /// Its lines. They come through a thread, so that a system that reports no changes cannot block the bench.
    lines: Receiver<String>,
}

/// A watch that stays silent for this long does not work here.
const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    fn begin(id: &str) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("lode-watch-{id}-{}", std::process::id()));
        for room in ["content", "scripts", "tests"] {
            copy(&root().join(room).join(id), &folder.join(room).join(id))?;
        }
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

    /// Reads up to the line that ends an answer; returns how many tests ran.
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
        // It may have ended already, and a temporary folder left behind does no harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A line of a definition of the largest kind: the file, its text, and the text with a comment at the end of that line.
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
        "From a save to the answer of `lode watch`: the name of the first card of the largest deck is changed and changed back",
        &["game", "saves", "tests run", "median", "worst", "bar", ""],
    );
    for id in shipped_ids() {
        let Some((path, text, other)) = edit(&shipped(&id)) else { continue };
        let Ok(mut session) = Session::begin(&id) else {
            println!("\n`lode watch {id}` could not be started here.");
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
            println!("\n`lode watch {id}` was not told of a save here.");
            continue;
        };
        let met = verdict(*median <= BAR);
        table.row([
            id,
            times.len().to_string(),
            tests.to_string(),
            duration(*median),
            duration(*worst),
            duration(BAR),
            met,
        ]);
    }
    table.print();
}
