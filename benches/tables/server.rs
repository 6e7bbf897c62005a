//! A measured server with many matches.

use std::io::{self, BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::load::Load;
use crate::seat::Language;

/// A server process with many matches; dropping it ends the process.
pub struct Server {
    pub name: String,
    pub language: Language,
    child: Child,
    /// Rest of its output: the program ends if this pipe closes.
    _out: Lines<BufReader<ChildStdout>>,
    /// File in which it saves matches, if it does.
    log: Option<PathBuf>,
    pub host: String,
    /// Tokens of each match: one for each seat, then one for spectators.
    pub matches: Vec<Vec<String>>,
    /// Time until it was open.
    pub opened: Duration,
}

impl Server {
    /// Starts `lode table`.
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

    /// Starts a program that prints a link for each seat and then a line that begins with `Ctrl-C`.
    pub fn start(command: &mut Command, name: String, language: Language, held: usize) -> io::Result<Self> {
        let begin = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let ended = || io::Error::other(format!("{name}: the program ends before all matches are open"));
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

    /// Resident memory in bytes; Linux only.
    pub fn memory(&self) -> u64 {
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
    }

    /// Processor time so far, in milliseconds.
    pub fn used(&self) -> f64 {
        used(&self.child.id().to_string())
    }

    /// Number of syncs to disk: each ends with a line of the log.
    pub fn syncs(&self) -> usize {
        let log = self.log.as_ref().and_then(|log| std::fs::read(log).ok()).unwrap_or_default();
        log.iter().filter(|&&byte| byte == b'\n').count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of a process so far, in milliseconds: a busy machine distorts it less than wall-clock time.
/// Linux only, in ticks of ten milliseconds.
pub fn used(process: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map(|(_, fields)| fields.split_whitespace()).into_iter().flatten();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}
