//! The program with an open table.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use super::client::Client;
use super::token;

/// It ends with this.
pub struct Program {
    pub child: Child,
    /// What it goes on to say: a program that nobody listens to ends.
    out: BufReader<ChildStdout>,
    err: ChildStderr,
    /// The first link that it has printed.
    pub link: String,
}

impl Program {
    /// `lode table ARGS` with the games of this folder, which has printed its links.
    pub fn open(root: &Path, args: &[&str]) -> Self {
        let mut program = Self::start(root, "", args);
        program.said();
        program
    }

    /// Starts it; `before`: a command of the shell that comes first.
    pub fn start(root: &Path, before: &str, args: &[&str]) -> Self {
        let mut child = Command::new("bash")
            .args(["-c", &format!("{before} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_lode"), "table"])
            .args(args)
            .arg("--root")
            .arg(root)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Self { child, out: BufReader::new(out), err, link: String::new() }
    }

    /// What it says until it is open: lines and links.
    pub fn said(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.out.read_line(&mut line).unwrap();
            assert!(read > 0, "{lines:?}, {}", self.complaint());
            if line.contains("Ctrl-C") {
                self.link = lines.iter().find_map(|line| link(line)).unwrap_or_default();
                return lines;
            }
            lines.push(line.trim().to_owned());
        }
    }

    /// What it says of its failure, once it has ended.
    pub fn complaint(&mut self) -> String {
        let mut text = String::new();
        self.err.read_to_string(&mut text).unwrap();
        text
    }

    /// A socket for whoever has the first link.
    pub fn client(&self) -> Client {
        let (host, tokens) = links(std::slice::from_ref(&self.link));
        Client::at(&host, &tokens[0], None).unwrap()
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn link(line: &str) -> Option<String> {
    line.split_once("http://").map(|(_, rest)| format!("http://{}", rest.trim()))
}

/// Host and secrets of the links that were printed.
pub fn links(lines: &[String]) -> (String, Vec<String>) {
    let links: Vec<String> = lines.iter().filter_map(|line| link(line)).collect();
    let host = links[0]["http://".len()..].split_once('/').unwrap().0.to_owned();
    (host, links.iter().map(|link| token(link)).collect())
}
