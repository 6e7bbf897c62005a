//! Lines of the protocol of `lode stdio`, valid and invalid. Every line gets a JSON answer, and a rejected line changes
//! nothing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{mangle, mangle_bytes};
use crate::shipped::root;
use crate::twins::SplitMix64;

/// Maximum wait for an answer, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Inputs for one session: a session stores a limited number of positions.
const INPUTS: usize = 200;
/// An unknown message. Its rejection marks the end of the answers to a line.
const MARK: &str = "{\"the end\":0}\n";

const LINES: [&str; 30] = [
    "{\"choose\":0}",
    "{\"choose\":1}",
    "{\"choose\":2}",
    "{\"choose\":4095}",
    "{\"choose\":\"label:pass\"}",
    "{\"choose\":\"token:cards.red@hand.1\"}",
    "{\"choose\":\"number:3\"}",
    "{\"choose\":0,\"seat\":1}",
    "{\"choose\":1,\"seat\":2}",
    "{\"choose\":1,\"seat\":0,\"n\":3}",
    "{\"choose\":-1}",
    "{\"choose\":1e300}",
    "{\"choose\":18446744073709551616}",
    "{\"ask\":0}",
    "{\"ask\":2}",
    "{\"undo\":1}",
    "{\"undo\":3}",
    "{\"observe\":0}",
    "{\"observe\":2}",
    "{\"observe\":\"all\"}",
    "{\"snapshot\":true}",
    "{\"restore\":0}",
    "{\"restore\":1}",
    "{\"quit\":false}",
    "{\"choose\":0,\"choose\":1}",
    "{\"choose\":{\"choose\":[[[[[[[[0]]]]]]]]}}",
    "[]",
    "",
    "null",
    "\"\\ud800\"",
];

/// A session of `lode stdio`.
struct Session {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Session {
    fn new() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args([
                "--root",
                "tests/fixtures/fuzz",
                "stdio",
                "wild",
                "--seed",
                "1",
                "--seats",
                "program,program,random",
            ])
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, lines) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
        let (send, output) = channel();
        // A session that writes a lot would block if its reader were still writing.
        std::thread::spawn(move || {
            for line in lines {
                if !line.is_ok_and(|line| send.send(line).is_ok()) {
                    return;
                }
            }
        });
        let mut session = Self { child, input, output };
        session.say(&[b"{\"snapshot\":true}".to_vec()]).unwrap();
        session
    }

    /// Writes lines and returns the answers to each. There are fewer answers if the session ends.
    fn say(&mut self, lines: &[Vec<u8>]) -> Result<Vec<Vec<Value>>, String> {
        let text: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\n"[..], MARK.as_bytes()].concat()).collect();
        // A session that has ended closes its input.
        let wrote = self.input.write_all(&text);
        let (mut all, mut answers) = (Vec::new(), Vec::new());
        while all.len() < lines.len() {
            let text = match self.output.recv_timeout(PATIENCE) {
                Ok(text) => text,
                Err(RecvTimeoutError::Disconnected) => {
                    all.push(answers);
                    break;
                }
                Err(RecvTimeoutError::Timeout) => return Err(format!("no answer, {wrote:?}")),
            };
            if text.contains("`the end`") {
                all.push(std::mem::take(&mut answers));
                continue;
            }
            let answer: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
            if !answer["type"].is_string() {
                return Err(format!("an answer without a type: {text}"));
            }
            answers.push(answer);
        }
        Ok(all)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Lines {
    session: Option<Session>,
    inputs: usize,
}

/// A valid or invalid line.
fn line(gene: u32) -> Vec<u8> {
    let mut random = SplitMix64::new(u64::from(gene));
    let one = LINES[random.below(LINES.len())];
    let other = LINES[random.below(LINES.len())];
    let mut line = match random.below(8) {
        // Continues a match.
        0..3 => format!("{{\"choose\":{}}}", random.below(6)),
        3 | 4 => one.to_owned(),
        5 => mangle(one, other, &mut random),
        6 => mangle(&mangle(one, other, &mut random), other, &mut random),
        _ => format!("{}{one}", " ".repeat(random.below(3))),
    }
    .into_bytes();
    if random.below(8) == 0 {
        mangle_bytes(&mut line, &mut random);
    }
    // Tests the limit on line length.
    if random.below(2000) == 0 {
        line.resize((1 << 20) + random.below(3), b' ');
    }
    // Removes newlines, so that it stays a single line.
    line.retain(|&byte| byte != b'\n');
    line
}

impl Target for Lines {
    const NAME: &'static str = "lines";
    const GENES: std::ops::Range<usize> = 5..60;
    const INPUTS: u64 = 30;

    fn new() -> Self {
        Self { session: None, inputs: 0 }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        self.inputs += 1;
        let old = self.session.take().filter(|_| !self.inputs.is_multiple_of(INPUTS));
        let mut session = old.unwrap_or_else(Session::new);
        // Asks for the state of the match around some lines.
        let mut lines = vec![b"{\"restore\":0}".to_vec()];
        for &gene in genes {
            let around = if gene % 8 == 0 { vec![b"{\"observe\":\"all\"}".to_vec()] } else { Vec::new() };
            lines.extend([around.clone(), vec![line(gene)], around].concat());
        }
        let all = session.say(&lines)?;
        for (at, (answers, line)) in all.iter().zip(&lines).enumerate() {
            let shown = String::from_utf8_lossy(&line[..line.len().min(300)]).into_owned();
            let word = |answer: &Value, key: &str| answer[key].as_str().unwrap_or_default().to_owned();
            for answer in answers {
                seen.outcome(&["type", "reason", "prompt"].map(|key| word(answer, key)).join(" "));
            }
            seen.execution();
            let quits = serde_json::from_slice::<Value>(line).is_ok_and(|line| line["quit"] == Value::Bool(true));
            if at + 1 == all.len() && (quits || all.len() < lines.len()) {
                let left = session.child.wait().map_err(|error| error.to_string())?;
                let clean = quits && left.success();
                return if clean { Ok(()) } else { Err(format!("the session ends at {shown}: {left}, {answers:?}")) };
            }
            if answers.is_empty() {
                return Err(format!("nothing is answered to {shown}"));
            }
            let rejected = answers.iter().any(|answer| answer["type"] == "reject");
            let (before, after) = (at.checked_sub(1).and_then(|at| all.get(at)), all.get(at + 1));
            let seen_twice =
                lines.get(at + 1).filter(|next| at > 0 && **next == lines[at - 1] && next.starts_with(b"{\"observe\""));
            if rejected && (answers.len() > 1 || seen_twice.is_some() && before != after) {
                return Err(format!("rejected, but not without a trace: {shown}: {answers:?}"));
            }
        }
        self.session = Some(session);
        Ok(())
    }
}

#[test]
fn lines_are_accepted_or_rejected() {
    fuzz::<Lines>();
}
