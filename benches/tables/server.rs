//! A server of many matches.

use std::io::{self, BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::load::Load;
use crate::seat::Language;

/// A server of many matches; it ends with this.
pub struct Server {
    pub name: String,
    pub language: Language,
    child: Child,
    /// What it goes on to say: a program that nobody listens to ends.
    _out: Lines<BufReader<ChildStdout>>,
    /// Where it keeps its matches, if it does.
    log: Option<PathBuf>,
    pub host: String,
    /// For each match the secrets of its seats, and of those who look on.
    pub matches: Vec<Vec<String>>,
    /// How long it took until it was open.
    pub opened: Duration,
}

impl Server {
    /// The program of this project.
    pub fn lode(load: &Load, folder: &Path) -> io::Result<Self> {
        let (players, held) = (load.players.to_string(), load.held.to_string());
        let seats = vec!["human"; usize::from(load.players)].join(",");
        let mut command = Command::new(&load.program);
        command.args(["table", &load.game, "--players", &players, "--seats", &seats]);
        command.args(["--matches", &held, "--seed", "1", "--keep"]).arg(folder);
        let name = format!("lode table, {} for {players}", load.game);
        let mut server = Self::start(&mut command, name, Language::Lode, load.held)?;
        server.log = Some(folder.join("matches.log"));
        Ok(server)
    }

    /// A program that prints a link for each seat, and a line that begins with `Ctrl-C`.
    pub fn start(command: &mut Command, name: String, language: Language, held: usize) -> io::Result<Self> {
        let begin = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let ended = || io::Error::other(format!("{name}: ends at once"));
        let mut out = BufReader::new(child.stdout.take().ok_or_else(ended)?).lines();
        let (mut host, mut matches) = (String::new(), Vec::new());
        for line in out.by_ref() {
            let line = line?;
            if line.starts_with("Ctrl-C") {
                break;
            }
            let Some((who, link)) = line.split_once(": http://") else { continue };
            let Some((address, token)) = link.split_once("/#t=") else { continue };
            let number: Option<usize> = who.strip_prefix("match ").and_then(|who| who.split(',').next()?.parse().ok());
            matches.resize_with(number.unwrap_or(1), Vec::new);
            address.clone_into(&mut host);
            if let Some(last) = matches.last_mut() {
                last.push(token.to_owned());
            }
        }
        if matches.len() != held {
            return Err(ended());
        }
        Ok(Self { name, language, child, _out: out, log: None, host, matches, opened: begin.elapsed() })
    }

    /// Its resident memory in bytes; known on Linux only.
    pub fn memory(&self) -> u64 {
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
    }

    /// Processor time that it has used, in milliseconds.
    pub fn used(&self) -> f64 {
        used(&self.child.id().to_string())
    }

    /// How many times it has waited for the disk: each wait ends with a line of its log.
    pub fn syncs(&self) -> usize {
        let log = self.log.as_ref().and_then(|log| std::fs::read(log).ok()).unwrap_or_default();
        log.iter().filter(|&&byte| byte == b'\n').count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time that a process has used, in milliseconds: a busy machine distorts it less than what the clock says. Known on Linux only,
/// in ticks of ten milliseconds.
pub fn used(process: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map(|(_, fields)| fields.split_whitespace()).into_iter().flatten();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}
