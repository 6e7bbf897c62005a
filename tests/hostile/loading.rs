//! Files that are no scripts, or bombs.

use super::*;

fn load_fault(script: &str) -> (String, u32, String) {
    let script = script.to_owned();
    let outcome = guarded(move || match Game::load(&pack(ACT, &script)) {
        Ok(_) => ("loaded".to_owned(), 0, String::new()),
        Err(Diagnostics { mut list, .. }) => {
            list.retain(|fault| fault.severity == Severity::Error);
            assert!(list.len() <= 60, "{} faults", list.len());
            (list[0].code.to_owned(), list[0].line, list[0].message.clone())
        }
    });
    outcome.unwrap()
}

#[test]
fn bombs_for_the_parser() {
    let full = 64 << 10;
    for (part, end) in [
        ("(", ""),
        ("{", ""),
        ("-", "1"),
        ("not ", "1"),
        ("a.", "b"),
        ("a(", ""),
        ("if 1 then ", ""),
        ("function a() ", ""),
        ("a..", "b"),
        ("f\"\"", ""),
        ("`{", ""),
        ("[[", ""),
        ("--[[", ""),
        ("1+", "1"),
        ("1^", "1"),
        ("a,", "b"),
        ("do ", ""),
        ("local a ", ""),
        ("return {", ""),
        ("\n", ""),
        ("a=1;", ""),
        ("local function x() end ", ""),
    ] {
        let bomb = format!("return {}{end}", part.repeat(full / part.len() - 10));
        let (code, line, message) = load_fault(&bomb);
        assert!(code != "loaded" && line >= 1 && !message.is_empty(), "{part}: {code} {message}");
        let bomb = format!("{}{end}", part.repeat(full / part.len() - 10));
        let (code, _, _) = load_fault(&bomb);
        assert_ne!(code, "loaded", "{part}");
    }
    let deep = format!("return {{\n    a = 1,\n    b = {}1{},\n}}\n", "(".repeat(2000), ")".repeat(2000));
    let (_, line, message) = load_fault(&deep);
    assert_eq!((line, message.split(';').next()), (3, Some("Exceeded allowed recursion depth")));
}

#[test]
fn files_that_are_no_scripts() {
    let (code, _, message) = load_fault("\u{1b}Lua\u{0}\u{1}\u{2}");
    assert_eq!(code, "hidden-character", "{message}");
    let (code, _, message) = load_fault("\u{6}\u{3}\u{0}\u{0}\u{0}");
    assert_eq!(code, "hidden-character", "{message}");
    let (code, line, message) = load_fault("local x = 1\n");
    assert_eq!((code.as_str(), line, message.as_str()), ("script", 1, "a script must return a table"));
    assert_eq!(load_fault("\n\nreturn 5").1, 3);
    assert_eq!(load_fault("return { act = { act = 5 } }").0, "script");
    assert_eq!(load_fault("return { act = { [1] = function() end } }").0, "script");
    assert_eq!(load_fault("return { [{}] = {} }").0, "script");
    assert_eq!(load_fault("return { atc = {} }").2, "unknown phase `atc`");
    let many = "local t = {} for i = 1, 300000 do t[\"k\" .. i] = 1 end return t";
    assert_eq!(load_fault(many).0, "script");
    let many = "local t = {} for i = 1, 300000 do t[\"k\" .. i] = print end return { act = t }";
    assert_ne!(load_fault(many).0, "loaded");
    let (code, _, message) = load_fault("choose(1, \"pick\", { 1, 2 })\nreturn {}");
    assert_eq!(code, "script", "{message}");
    let (code, _, message) = load_fault("choice(1)\nset(1, \"gold\", 1000)\nreturn {}");
    assert_eq!((code.as_str(), message.as_str()), ("script", "counter `gold` cannot go above 100, it would be 1000"));
    // Faults in strange places of a pack's own making.
    let (code, line, message) = load_fault("return {}\n--[[ never ends");
    assert_eq!((code.as_str(), line), ("script", 2), "{message}");
}

/// A file on disk is as good as one in memory, and larger ones are not even read.
#[test]
fn files_that_are_too_large() {
    let root = tempfile::tempdir().unwrap();
    for (folder, file, text) in [("content", "game.toml", GAME), ("content", "phases.toml", ACT)] {
        std::fs::create_dir_all(root.path().join(folder).join("hostile")).unwrap();
        std::fs::write(root.path().join(folder).join("hostile").join(file), text).unwrap();
    }
    let scripts = root.path().join("scripts").join("hostile");
    std::fs::create_dir_all(&scripts).unwrap();
    std::fs::write(scripts.join("phases.luau"), "-".repeat((64 << 10) + 1)).unwrap();
    let pack = Pack::open(root.path(), "hostile").unwrap();
    let faults = Game::load(&pack).unwrap_err();
    assert!(faults.list.iter().any(|f| f.code == "too-large" && f.file == SCRIPT), "{faults}");
    // The same from memory: the limit belongs to the game, not to the disk.
    let script = format!("return {{}} --{}", "-".repeat(1 << 20));
    assert_ne!(load_fault(&script).0, "loaded");
    let line = format!("local x = {}1 return {{}}", "1 + ".repeat(10_000));
    assert_ne!(load_fault(&line).0, "loaded");
}
