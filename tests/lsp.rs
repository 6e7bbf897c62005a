//! A scripted editor speaks the protocol with the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::shipped::{copy_of, root};

/// An editor with an open server.
struct Editor {
    connection: Connection,
    server: Option<std::thread::JoinHandle<Result<(), String>>>,
    root: PathBuf,
    next: i32,
}

impl Editor {
    fn open(root: &Path) -> Self {
        let (client, server) = Connection::memory();
        let server = std::thread::spawn(move || motherlode_lsp::serve(&server));
        let mut editor = Self { connection: client, server: Some(server), root: root.to_path_buf(), next: 0 };
        let able = editor.ask("initialize", json!({ "capabilities": {}, "rootUri": editor.uri("") })).unwrap();
        assert_eq!(able["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.root.join(file).display())
    }

    fn tell(&self, method: &str, params: Value) {
        let note = Notification::new(method.to_owned(), params);
        self.connection.sender.send(note.into()).unwrap();
    }

    /// The answer to a request, or its error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection.sender.send(Request::new(id.clone(), method.to_owned(), params).into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(Duration::from_secs(60)).unwrap() {
                Message::Response(answer) if answer.id == id => {
                    let answer = serde_json::to_value(&answer).unwrap();
                    return match answer.get("error") {
                        Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
                        None => Ok(answer["result"].clone()),
                    };
                }
                _ => {}
            }
        }
    }

    fn edit(&self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "version": 1, "languageId": "toml", "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let document = json!({ "uri": self.uri(file), "version": 2 });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// The next diagnostics of a file.
    fn diagnostics(&self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        loop {
            match self.connection.receiver.recv_timeout(Duration::from_secs(60)).unwrap() {
                Message::Notification(note) if note.params["uri"] == uri.as_str() => {
                    return note.params["diagnostics"].as_array().unwrap().clone();
                }
                _ => {}
            }
        }
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap()
    }

    /// The parameters of a request at the first place of a text in a file, plus a number of bytes.
    fn at(&self, file: &str, text: &str, part: &str, plus: usize) -> Value {
        let offset = text.find(part).unwrap_or_else(|| panic!("`{part}` is not in {file}")) + plus;
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
        json!({ "textDocument": { "uri": self.uri(file) }, "position": { "line": line, "character": character } })
    }

    fn labels(&mut self, file: &str, text: &str, part: &str) -> Vec<String> {
        let at = self.at(file, text, part, part.len());
        let items = self.ask("textDocument/completion", at).unwrap();
        items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    fn close(mut self) {
        self.ask("shutdown", Value::Null).unwrap();
        self.tell("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

const BUILDINGS: &str = "content/photon/buildings.toml";
const EVENTS: &str = "content/imperial_miners/events.toml";

#[test]
fn the_check_reads_unsaved_texts() {
    let project = copy_of("photon");
    let editor = Editor::open(project.path());
    let text = editor.text(BUILDINGS);
    let wrong = text.replacen("output = 1", "outptu = 1", 2);
    editor.edit(BUILDINGS, &wrong);
    let found = editor.diagnostics(BUILDINGS);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["source"]), (&json!("unknown-key"), &json!("lode")));
    assert!(found[0]["message"].as_str().unwrap().contains("did you mean `output`?"), "{found:?}");
    assert_eq!(editor.text(BUILDINGS), text, "nothing is written");
    editor.edit(BUILDINGS, &text);
    assert_eq!(editor.diagnostics(BUILDINGS), Vec::<Value>::new());
    editor.close();
}

#[test]
fn a_quick_fix_changes_the_wrong_name() {
    let project = copy_of("photon");
    let mut editor = Editor::open(project.path());
    let text = editor.text(BUILDINGS).replacen("output = 1", "outptu = 1", 1);
    editor.edit(BUILDINGS, &text);
    let found = editor.diagnostics(BUILDINGS);
    let params = json!({ "textDocument": { "uri": editor.uri(BUILDINGS) }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(actions[0]["title"], "Change to `output`");
    let edit = &actions[0]["edit"]["changes"][editor.uri(BUILDINGS)][0];
    assert_eq!((&edit["newText"], &edit["range"]), (&json!("output"), &found[0]["range"]));
    editor.close();
}

#[test]
fn keys_verbs_and_names_are_completed() {
    let project = copy_of("imperial_miners");
    let mut editor = Editor::open(project.path());
    let text = format!("{}\nnew_one = {{ name = \"New\", when = \"", editor.text(EVENTS));
    editor.edit(EVENTS, &text);
    assert!(editor.labels(EVENTS, &text, "new_one = { name = \"New\", when = \"").contains(&"immediate".to_owned()));
    let text = text.strip_suffix("when = \"").unwrap().to_owned();
    editor.edit(EVENTS, &text);
    let keys = editor.labels(EVENTS, &text, "name = \"New\", ");
    assert!(["when", "resolve", "copies"].iter().all(|key| keys.contains(&(*key).to_owned())), "{keys:?}");
    let text = format!("{text}when = \"feature\", resolve = [{{ sc");
    editor.edit(EVENTS, &text);
    let verbs = editor.labels(EVENTS, &text, "resolve = [{ sc");
    assert!(verbs.contains(&"score".to_owned()) && verbs.contains(&"gain".to_owned()), "{verbs:?}");
    let script = "scripts/imperial_miners/phases.luau";
    let text = format!("{}\nget(1, \"", editor.text(script));
    editor.edit(script, &text);
    let counters = editor.labels(script, &text, "\nget(1, \"");
    assert!(counters.contains(&"coins".to_owned()) && !counters.contains(&"payday".to_owned()), "{counters:?}");
    editor.close();
}

#[test]
fn hover_shows_the_composed_card() {
    let project = copy_of("imperial_miners");
    let mut editor = Editor::open(project.path());
    let text = editor.text(EVENTS);
    let hover = editor.ask("textDocument/hover", editor.at(EVENTS, &text, "payday", 2)).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("**Payday** (events") && shown.contains("coins"), "{shown}");
    editor.close();
}

#[test]
fn definition_references_and_rename_reach_all_files() {
    let project = copy_of("imperial_miners");
    let mut editor = Editor::open(project.path());
    let (verbs, script) = ("content/imperial_miners/verbs.toml", "scripts/imperial_miners/verbs.luau");
    let text = editor.text(EVENTS);
    let defined = editor.ask("textDocument/definition", editor.at(EVENTS, &text, "cave_in", 1)).unwrap();
    let files: Vec<&str> = defined.as_array().unwrap().iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(files, [editor.uri(verbs), editor.uri(script)]);
    let used = editor.ask("textDocument/references", editor.at(EVENTS, &text, "cave_in", 1)).unwrap();
    assert!(used.as_array().unwrap().len() > 2);

    // A card that scripts and rule tests name.
    let cards = "content/imperial_miners/mine_level_1.toml";
    let text = editor.text(cards);
    let mut params = editor.at(cards, &text, "[toll_stair]", 3);
    params["newName"] = json!("toll_bridge");
    let edit = editor.ask("textDocument/rename", params.clone()).unwrap();
    let changes = edit["changes"].as_object().unwrap();
    assert!(changes.contains_key(&editor.uri(cards)) && changes.len() > 1, "{:?}", changes.keys());
    let left = |room: &str| {
        let folder = project.path().join(room).join("imperial_miners");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        let named = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("\"toll_stair\""));
        files.filter(named).map(|path| format!("file://{}", path.display())).collect::<Vec<_>>()
    };
    for file in ["content", "scripts", "tests"].into_iter().flat_map(left) {
        assert!(changes.contains_key(&file), "{file} keeps the old name");
    }
    for (new, reason) in [("tinkers_stall", "exists already"), ("Toll Bridge", "is not a name")] {
        params["newName"] = json!(new);
        assert!(editor.ask("textDocument/rename", params.clone()).unwrap_err().contains(reason));
    }
    editor.close();
}

#[test]
fn the_files_of_a_mod_are_checked_over_its_game() {
    let project = copy_of("photon");
    let folder = root().join("tests/mods/watchtowers");
    motherlode_fixtures::copy_folder(&folder, &project.path().join("mods/watchtowers"));
    let editor = Editor::open(project.path());
    let file = "mods/watchtowers/content/photon/buildings.toml";
    let text = editor.text(file).replace("cost =", "csot =");
    editor.edit(file, &text);
    assert!(!editor.diagnostics(file).is_empty());
    editor.close();
}

/// The time from a change to its diagnostics, without the pause for further typing: `cargo test -p motherlode-lsp -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn latency() {
    let project = copy_of("imperial_miners");
    let editor = Editor::open(project.path());
    let text = editor.text(EVENTS);
    let mut times = Vec::new();
    for n in 0..21 {
        let changed = if n % 2 == 0 { text.replacen("coins = 3", "coin = 3", 1) } else { text.clone() };
        let begin = Instant::now();
        editor.edit(EVENTS, &changed);
        drop(editor.diagnostics(EVENTS));
        times.push(begin.elapsed());
    }
    times.sort();
    println!("median {:?}, worst {:?}", times[10], times[20]);
    editor.close();
}
