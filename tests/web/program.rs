//! The program with an open table.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use super::client::Client;
use super::token;

/// A running program, killed on drop.
pub struct Program {
    pub child: Child,
    /// Standard output. A program without a reader would end.
    out: BufReader<ChildStdout>,
    err: ChildStderr,
    /// The first printed link.
    pub link: String,
}

impl Program {
    /// Runs `lode table ARGS` with the games of this folder, until the links are printed.
    pub fn open(root: &Path, args: &[&str]) -> Self {
        let mut program = Self::start(root, "", args);
        program.said();
        program
    }

    /// Starts the program, after the shell command `before`.
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

    /// The output until the table is open: lines and links.
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

    /// The error output after the program has ended.
    pub fn complaint(&mut self) -> String {
        let mut text = String::new();
        self.err.read_to_string(&mut text).unwrap();
        text
    }

    /// A socket with the first link.
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
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn link(line: &str) -> Option<String> {
    line.split_once("http://").map(|(_, rest)| format!("http://{}", rest.trim()))
}

/// Host and secrets of the printed links.
pub fn links(lines: &[String]) -> (String, Vec<String>) {
    let links: Vec<String> = lines.iter().filter_map(|line| link(line)).collect();
    let host = links[0]["http://".len()..].split_once('/').unwrap().0.to_owned();
    (host, links.iter().map(|link| token(link)).collect())
}
