//! A running browser, driven through pipes by its developer tools: it opens no port that another program could use.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use motherlode_files::reason;
use serde_json::{Value, json};

use crate::lab::STOP;

/// Runs a program with its standard pipes as files 3 and 4, where the browser expects its requests and writes its replies.
const AS_3_AND_4: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// Time between two looks at a running browser.
const PAUSE: Duration = Duration::from_millis(20);

/// Maximum time to wait for the end of the browser.
const FAREWELL: Duration = Duration::from_secs(5);

/// A running browser with one open page. It ends on drop.
pub struct Session {
    browser: Child,
    requests: ChildStdin,
    replies: Receiver<Value>,
    /// Maximum time of one request.
    patience: Duration,
    number: u64,
    /// Id of the open page; `None` before it is open.
    page: Option<String>,
}

impl Session {
    /// Starts a browser and opens an empty page.
    ///
    /// # Errors
    /// The browser does not start, or ends: a reason.
    pub fn start(program: &Path, options: &[OsString], errors: File, patience: Duration) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(AS_3_AND_4).arg(program).args(options).arg("--remote-debugging-pipe");
        let mut browser = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .map_err(|error| reason(&error))?;
        let (Some(requests), Some(output)) = (browser.stdin.take(), browser.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (found, replies) = channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let is_wanted = serde_json::from_slice(&message).is_ok_and(|reply| found.send(reply).is_ok());
                if !is_wanted {
                    break;
                }
            }
        });
        let mut session = Self { browser, requests, replies, patience, number: 0, page: None };
        let target = session.call("Target.createTarget", json!({ "url": "about:blank" }))?["targetId"].clone();
        let attached = session.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }))?;
        session.page = attached["sessionId"].as_str().map(str::to_owned);
        session.call("Page.enable", json!({}))?;
        Ok(session)
    }

    /// Sends a request and returns its result.
    ///
    /// # Errors
    /// The browser refuses the request, ends, or is too slow; or the user stops the run.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.number += 1;
        let mut request = json!({ "id": self.number, "method": method, "params": params });
        if let Some(page) = &self.page {
            request["sessionId"] = json!(page);
        }
        let text = format!("{request}\0");
        self.requests.write_all(text.as_bytes()).map_err(|error| format!("it has ended: {}", reason(&error)))?;
        let begin = Instant::now();
        loop {
            if STOP.load(Ordering::SeqCst) {
                return Err("stopped".to_owned());
            }
            match self.replies.recv_timeout(PAUSE) {
                Ok(mut reply) if reply["id"] == self.number => {
                    return match reply["error"]["message"].as_str() {
                        Some(why) => Err(format!("{method}: {why}")),
                        None => Ok(reply["result"].take()),
                    };
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if begin.elapsed() < self.patience => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("it took longer than {} seconds", self.patience.as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("it has ended".to_owned()),
            }
        }
    }

    /// The value of a script expression on the page; waits for a promise.
    ///
    /// # Errors
    /// As [`call`](Self::call), or the script fails.
    pub fn value(&mut self, script: &str) -> Result<Value, String> {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let mut result = self.call("Runtime.evaluate", params)?;
        match result["exceptionDetails"]["text"].as_str() {
            Some(why) => Err(why.to_owned()),
            None => Ok(result["result"]["value"].take()),
        }
    }

    /// Waits until a script expression is true.
    ///
    /// # Errors
    /// As [`value`](Self::value), or the expression is never true.
    pub fn wait_for(&mut self, condition: &str) -> Result<(), String> {
        let begin = Instant::now();
        while self.value(condition)? != true {
            if begin.elapsed() > self.patience {
                return Err("it did not draw the page".to_owned());
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.page = None;
        // Its files can be deleted only after its end. A browser that does not reply is killed.
        let _ = self.requests.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let begin = Instant::now();
        while matches!(self.browser.try_wait(), Ok(None)) && begin.elapsed() < FAREWELL {
            thread::sleep(PAUSE);
        }
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
