//! The program with an open table.

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use super::socket::Client;

/// It ends with this.
pub struct Program {
    child: Child,
    /// What it goes on to say: a program that nobody listens to ends.
    _out: Lines<BufReader<ChildStdout>>,
    /// The first link that it has printed.
    pub link: String,
}

impl Program {
    /// `lode table ARGS`, with the games of this folder.
    pub fn open(root: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .arg("table")
            .args(args)
            .arg("--root")
            .arg(root)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = out.by_ref().map_while(Result::ok);
        let link = lines.find_map(|line| line.split_once("http").map(|(_, rest)| rest.to_owned()));
        let link = format!("http{}", link.expect("the program prints a link"));
        Self { child, _out: out, link: link.trim().to_owned() }
    }

    /// A socket for whoever has the first link.
    pub fn client(&self) -> Client {
        let (host, token) = self.link.strip_prefix("http://").unwrap().split_once("/#t=").unwrap();
        Client::of(host, token, None)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
