//! The loop: messages in, answers and diagnostics out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::diagnose::{Finding, actions, diagnose};
use crate::path::{of_uri, to_uri};
use crate::place::offset;
use crate::workspace::{Snapshot, Unit, Workspace};
use crate::{complete, hover, navigate};

/// Time without typing before the check runs.
const PAUSE: Duration = Duration::from_millis(40);

/// Serves one editor until it asks to exit, or closes the connection.
///
/// # Errors
/// The editor breaks the protocol.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let given = connection.initialize(capabilities()).map_err(|error| error.to_string())?;
    let folders = given.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    let folders = folders.filter_map(|folder| folder.get("uri")).chain(given.get("rootUri"));
    let folders = folders.filter_map(|uri| of_uri(uri.as_str()?)).collect();
    let mut server = Server {
        connection,
        workspace: Workspace::new(folders),
        checked: BTreeMap::new(),
        snapshots: BTreeMap::new(),
        due: None,
        moves_files: moves_files(&given["capabilities"]),
    };
    server.run()
}

/// The abilities of the server, as the protocol names them.
fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "completionProvider": { "triggerCharacters": ["\"", "{", "[", ".", "="] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
    })
}

/// Whether an editor renames files as part of a rename.
fn moves_files(able: &Value) -> bool {
    let edits = &able["workspace"]["workspaceEdit"];
    let operations = edits["resourceOperations"].as_array().into_iter().flatten();
    edits["documentChanges"] == true && operations.into_iter().any(|one| one == "rename")
}

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    /// The messages of the last check, by game and file.
    checked: BTreeMap<Unit, BTreeMap<PathBuf, Vec<Finding>>>,
    /// The games since the last change.
    snapshots: BTreeMap<Unit, Snapshot>,
    /// Time of the next check.
    due: Option<Instant>,
    /// Whether the editor renames files as part of a rename.
    moves_files: bool,
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), String> {
        loop {
            let message = match self.due {
                None => self.connection.receiver.recv().ok(),
                Some(due) => match self.connection.receiver.recv_timeout(due.saturating_duration_since(Instant::now()))
                {
                    Ok(message) => Some(message),
                    Err(error) if error.is_timeout() => {
                        self.check();
                        continue;
                    }
                    Err(_) => None,
                },
            };
            let Some(message) = message else { return Ok(()) };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        return Ok(());
                    }
                    self.answer(request);
                }
                Message::Notification(note) => self.note(&note),
                Message::Response(_) => {}
            }
        }
    }

    /// Sends a message. If the editor has closed the connection, the loop ends at its next message.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    fn note(&mut self, note: &Notification) {
        let document = &note.params["textDocument"];
        let Some(path) = document["uri"].as_str().and_then(of_uri) else {
            if note.method == "workspace/didChangeWatchedFiles" {
                self.changed();
            }
            return;
        };
        match note.method.as_str() {
            "textDocument/didOpen" => self.workspace.set(path, text_of(&document["text"])),
            "textDocument/didChange" => {
                let Some(change) = note.params["contentChanges"].as_array().and_then(|changes| changes.last()) else {
                    return;
                };
                self.workspace.set(path, text_of(&change["text"]));
            }
            "textDocument/didClose" => self.workspace.close(&path),
            "textDocument/didSave" => {}
            _ => return,
        }
        self.changed();
    }

    fn changed(&mut self) {
        self.snapshots.clear();
        self.due = Some(Instant::now() + PAUSE);
    }

    /// Checks the games of all open files, and sends what changed.
    fn check(&mut self) {
        self.due = None;
        let units = self.workspace.units();
        let gone: Vec<Unit> = self.checked.keys().filter(|unit| !units.contains(unit)).cloned().collect();
        for unit in gone.iter().chain(&units) {
            let found = if gone.contains(unit) { BTreeMap::new() } else { diagnose(&self.workspace, unit) };
            let before = self.checked.insert(unit.clone(), found).unwrap_or_default();
            let now = &self.checked[unit];
            let files: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
            let shown = |findings: Option<&Vec<Finding>>| -> Vec<Value> {
                findings.into_iter().flatten().map(|finding| finding.shown.clone()).collect()
            };
            for file in files {
                let (old, new) = (shown(before.get(file)), shown(now.get(file)));
                if old != new {
                    let params = json!({ "uri": to_uri(file), "diagnostics": new });
                    self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), params));
                }
            }
        }
        gone.iter().for_each(|unit| drop(self.checked.remove(unit)));
    }

    fn answer(&mut self, request: Request) {
        let answer = match self.result(&request) {
            Ok(result) => Response::new_ok(request.id, result),
            Err((code, message)) => Response::new_err(request.id, code as i32, message),
        };
        self.send(answer);
    }

    fn result(&mut self, request: &Request) -> Result<Value, (ErrorCode, String)> {
        let params = &request.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let known = ["completion", "hover", "definition", "references", "prepareRename", "rename", "codeAction"];
        let Some(method) = request.method.strip_prefix("textDocument/").filter(|method| known.contains(method)) else {
            return Err((ErrorCode::MethodNotFound, format!("`{}` is not supported", request.method)));
        };
        let Some(path) = of_uri(uri) else { return Ok(Value::Null) };
        let Some(text) = self.workspace.text(&path) else { return Ok(Value::Null) };
        if method == "codeAction" {
            let range = &params["range"];
            let span = (offset(&text, &range["start"]), offset(&text, &range["end"]));
            if self.due.is_some() {
                self.check();
            }
            let findings =
                self.checked.values().filter_map(|files| files.get(&path)).flatten().cloned().collect::<Vec<_>>();
            return Ok(actions(uri, &text, &findings, span));
        }
        let Some(place) = self.workspace.place(&path) else { return Ok(Value::Null) };
        if !self.snapshots.contains_key(&place.unit) {
            let Ok(snapshot) = self.workspace.snapshot(&place.unit) else { return Ok(Value::Null) };
            self.snapshots.insert(place.unit.clone(), snapshot);
        }
        let snapshot = &self.snapshots[&place.unit];
        let at = offset(&text, &params["position"]);
        let (unit, here) = (&place.unit, (place.shown.as_str(), at));
        let refused = |reason: String| (ErrorCode::RequestFailed, reason);
        Ok(match method {
            "completion" => complete::complete(snapshot, &place.shown, &text, at).into(),
            "hover" => hover::hover(snapshot, &place.shown, &text, at),
            "definition" => navigate::places(&self.workspace, unit, snapshot, here, true),
            "references" => navigate::places(&self.workspace, unit, snapshot, here, false),
            "prepareRename" => navigate::prepare(snapshot, &place.shown, at, self.moves_files).map_err(refused)?,
            _ => {
                let new = params["newName"].as_str().unwrap_or_default();
                navigate::rename(&self.workspace, unit, snapshot, here, new, self.moves_files).map_err(refused)?
            }
        })
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
