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
        Self::with(root, &json!({}))
    }

    /// An editor with these abilities.
    fn with(root: &Path, abilities: &Value) -> Self {
        let (client, server) = Connection::memory();
        let server = std::thread::spawn(move || motherlode_lsp::serve(&server));
        let mut editor = Self { connection: client, server: Some(server), root: root.to_path_buf(), next: 0 };
        let able = editor.ask("initialize", json!({ "capabilities": abilities, "rootUri": editor.uri("") })).unwrap();
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

/// A mod over Photon, beside the game.
fn with_mod(folder: &str) -> tempfile::TempDir {
    let project = copy_of("photon");
    motherlode_fixtures::copy_folder(
        &root().join("tests/mods").join(folder),
        &project.path().join("mods").join(folder),
    );
    project
}

#[test]
fn an_unfinished_table_of_a_mod_is_completed() {
    let project = with_mod("watchtowers");
    let mut editor = Editor::open(project.path());
    let buildings = "mods/watchtowers/content/photon/buildings.toml";
    let own = editor.text(buildings);
    for (end, label) in [
        ("\n[mi", "mine"),
        ("\n[outpost]\nout", "output"),
        ("\n[outpost]\nname = \"Outpost\"\nout", "output"),
        ("\n[outpost]\nbrings = \"", "gold"),
        ("\n[outpost]\ncost = { ", "gold"),
        ("\n[outpost]\nbuilds = { ", "new"),
    ] {
        let text = format!("{own}{end}");
        editor.edit(buildings, &text);
        let found = editor.labels(buildings, &text, end);
        assert!(found.contains(&label.to_owned()), "{end}: {found:?}");
    }
    let inline = "outpost = { name = \"Outpost\", out";
    editor.edit(buildings, inline);
    assert!(editor.labels(buildings, inline, inline).contains(&"output".to_owned()));
    let game = "mods/watchtowers/content/photon/game.toml";
    for (end, label) in [
        ("[counters.go", "gold"),
        ("[kinds.bui", "buildings"),
        ("[counters.fame]\np", "per"),
        ("[counters.fame]\nper = \"", "player"),
        ("[kinds.buildings.attributes]\nfame = { ty", "type"),
        ("[kinds.buildings.attributes]\nfame = { type = \"integer\", m", "min"),
        ("counters.fame = { ", "per"),
    ] {
        editor.edit(game, end);
        let found = editor.labels(game, end, end);
        assert!(found.contains(&label.to_owned()), "{end}: {found:?}");
    }
    let manifest = "mods/watchtowers/mod.toml";
    let text = editor.text(manifest) + "requi";
    editor.edit(manifest, &text);
    let at = editor.at(manifest, &text, "\nrequi", "\nrequi".len());
    let items = editor.ask("textDocument/completion", at).unwrap();
    assert!(items.to_string().contains("requires"), "{items}");
    editor.close();
}

/// Applies the edits and the moves of a rename to the files.
fn apply(edit: &Value) {
    let path = |uri: &Value| PathBuf::from(uri.as_str().unwrap().strip_prefix("file://").unwrap());
    let as_list = |all: &serde_json::Map<String, Value>| {
        all.iter().map(|(uri, edits)| json!({ "textDocument": { "uri": uri }, "edits": edits })).collect::<Vec<_>>()
    };
    let documents = edit["changes"].as_object().map(as_list);
    for change in documents.unwrap_or_else(|| edit["documentChanges"].as_array().unwrap().clone()) {
        if change["kind"] == "rename" {
            fs::rename(path(&change["oldUri"]), path(&change["newUri"])).unwrap();
            continue;
        }
        let file = path(&change["textDocument"]["uri"]);
        let mut text = fs::read_to_string(&file).unwrap();
        for one in change["edits"].as_array().unwrap().iter().rev() {
            let offset = |place: &Value| {
                let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
                let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
                let units: Vec<u16> = text[start..].encode_utf16().take(number("character")).collect();
                start + String::from_utf16(&units).unwrap().len()
            };
            let span = offset(&one["range"]["start"])..offset(&one["range"]["end"]);
            text.replace_range(span, one["newText"].as_str().unwrap());
        }
        fs::write(file, text).unwrap();
    }
}

/// Files of a game that still contain a text.
fn files_with(project: &Path, game: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for room in ["content", "scripts", "tests"] {
        for entry in fs::read_dir(project.join(room).join(game)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "toml" || ending == "luau")
                && fs::read_to_string(&path).is_ok_and(|whole| whole.contains(text))
            {
                found.push(path.strip_prefix(project).unwrap().display().to_string());
            }
        }
    }
    found
}

#[test]
fn a_kind_is_renamed_with_its_files() {
    let project = copy_of("photon");
    let able =
        json!({ "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] } } });
    let mut editor = Editor::with(project.path(), &able);
    let game = "content/photon/game.toml";
    let text = editor.text(game);
    let mut params = editor.at(game, &text, "[kinds.buildings]", 8);
    assert_eq!(editor.ask("textDocument/prepareRename", params.clone()).unwrap()["placeholder"], "buildings");
    params["newName"] = json!("relief");
    assert!(editor.ask("textDocument/rename", params.clone()).unwrap_err().contains("exists already"));
    params["newName"] = json!("houses");
    let edit = editor.ask("textDocument/rename", params.clone()).unwrap();
    apply(&edit);
    assert!(!project.path().join(BUILDINGS).exists() && project.path().join("content/photon/houses.toml").exists());
    let pack = motherlode::Pack::open(project.path(), "photon").unwrap();
    let checked = motherlode_check::check(&pack).unwrap();
    assert!(checked.game.declarations().kinds.contains_key("houses"));
    for named in ["\"buildings\"", "{buildings}", ":buildings}", "kinds.buildings"] {
        assert_eq!(files_with(project.path(), "photon", named), Vec::<String>::new(), "{named}");
    }
    editor.close();
    // An editor that moves no files.
    let project = copy_of("photon");
    let mut editor = Editor::open(project.path());
    params["textDocument"]["uri"] = json!(editor.uri(game));
    assert!(editor.ask("textDocument/rename", params).unwrap_err().contains("rename its files buildings.toml"));
    editor.close();
}

/// Counters of a family are named after the cards of a kind: `new.mine`.
#[test]
fn a_card_is_renamed_in_the_counters_of_its_family() {
    let project = copy_of("photon");
    let mut editor = Editor::open(project.path());
    let cards = "content/photon/buildings.toml";
    let text = editor.text(cards);
    let mut params = editor.at(cards, &text, "[mine]", 2);
    params["newName"] = json!("pit");
    let edit = editor.ask("textDocument/rename", params).unwrap();
    apply(&edit);
    let after = editor.text(cards);
    assert!(after.contains("[pit]") && after.contains("builds = { new.pit = 1 }"), "{after}");
    assert!(!after.contains("new.mine"), "{after}");
    editor.close();
}

#[test]
fn an_argument_of_verbs_is_renamed_with_its_placeholders() {
    let project = copy_of("imperial_miners");
    let mut editor = Editor::open(project.path());
    let (verbs, script) = ("content/imperial_miners/verbs.toml", "scripts/imperial_miners/verbs.luau");
    let text = editor.text(verbs);
    let declared = "most = { type";
    let hover = editor.ask("textDocument/hover", editor.at(verbs, &text, "{most}", 2)).unwrap();
    assert!(hover.to_string().contains("argument `most`"), "{hover}");
    let defined = editor.ask("textDocument/definition", editor.at(verbs, &text, "{most}", 2)).unwrap();
    assert_eq!(defined[0]["range"]["start"], editor.at(verbs, &text, declared, 0)["position"]);
    let mut params = editor.at(verbs, &text, declared, 1);
    params["newName"] = json!("cap");
    let edit = editor.ask("textDocument/rename", params.clone()).unwrap();
    apply(&edit);
    assert!(editor.text(script).contains("args.cap") && editor.text(verbs).contains("at most {cap}"));
    // Another verb has its own argument of this name.
    assert_eq!(editor.text(script).matches("args.most").count(), 1);
    assert_eq!(editor.text(verbs).matches("{most").count(), 1);
    assert!(!editor.text("content/imperial_miners/mine_level_3.toml").contains(" most = "));
    let pack = motherlode::Pack::open(project.path(), "imperial_miners").unwrap();
    motherlode_check::check(&pack).unwrap();
    params["newName"] = json!("per");
    let text = editor.text(verbs);
    let mut params = editor.at(verbs, &text, "cap = { type", 1);
    params["newName"] = json!("per");
    assert!(editor.ask("textDocument/rename", params).unwrap_err().contains("exists already"));
    editor.close();
}

#[test]
fn the_program_serves_an_editor_over_standard_streams() {
    let mut input = Vec::new();
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ];
    for message in messages {
        let text = message.to_string();
        input.extend(format!("Content-Length: {}\r\n\r\n{text}", text.len()).bytes());
    }
    crate::cli::program::run(root(), &["lsp"], &input).code(0).says("hoverProvider").says("\"id\":2");
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
