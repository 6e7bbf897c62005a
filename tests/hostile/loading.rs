//! Files that are no scripts, and parser bombs.

use motherlode_fixtures::write;

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
fn parser_bombs_are_refused() {
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
fn invalid_scripts_are_refused() {
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
    // Faults in unusual places of a pack.
    let (code, line, message) = load_fault("return {}\n--[[ never ends");
    assert_eq!((code.as_str(), line), ("script", 2), "{message}");
}

/// The size limit for files on disk equals that in memory, and larger files are not even read.
#[test]
fn oversized_files_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let at = |path: &str| root.path().join(path);
    write(at("content/hostile/game.toml"), GAME);
    write(at("content/hostile/phases.toml"), ACT);
    write(at(SCRIPT), "-".repeat((64 << 10) + 1));
    let pack = Pack::open(root.path(), "hostile").unwrap();
    let faults = Game::load(&pack).unwrap_err();
    assert!(faults.list.iter().any(|f| f.code == "too-large" && f.file == SCRIPT), "{faults}");
    // The same from memory: the limit belongs to the game, not to the disk.
    let script = format!("return {{}} --{}", "-".repeat(1 << 20));
    assert_ne!(load_fault(&script).0, "loaded");
    let line = format!("local x = {}1 return {{}}", "1 + ".repeat(10_000));
    assert_ne!(load_fault(&line).0, "loaded");
}

/// The place and message of a script's first fault, and the place of its caller.
fn place_of_fault(phases: &str, lib: &str) -> (String, u32, String, Option<(String, u32)>) {
    let (phases, lib) = (phases.to_owned(), lib.to_owned());
    let outcome = guarded(move || {
        let content = [("game", GAME), ("cards", CARDS), ("phases", ACT), ("prompts", PROMPTS), ("texts", TEXTS)];
        let pack = motherlode_fixtures::pack("hostile", &content, &[("lib", &lib), ("phases", &phases)]);
        let fault = Game::load(&pack).unwrap_err().list.swap_remove(0);
        let call = fault.related.first().map(|call| (call.file.clone(), call.line));
        (fault.file, fault.line, fault.message, call)
    });
    outcome.unwrap()
}

#[test]
fn an_early_return_is_reported_at_its_line() {
    let whole = "\nreturn {\n    act = {},\n}\n";
    for (early, line) in [
        ("if 1 == 1 then\n    return 5\nend", 2),
        ("do return 5 end", 1),
        ("\nlocal x = function() return 1 end\nif x() == 1 then return end", 3),
        ("for i = 1, 3 do\n    if i == 2 then\n        return \"return\"\n    end\nend", 3),
    ] {
        let (file, told, message, _) = place_of_fault(&format!("{early}{whole}"), "return {}");
        assert_eq!((file.as_str(), told, message.as_str()), (SCRIPT, line, "a script must return a table"), "{early}");
    }
    assert_eq!(place_of_fault("local x = 1\nlocal y = 2\n", "return {}").1, 2, "nothing returns");
}

#[test]
fn a_fault_in_a_shared_function_names_its_caller() {
    let lib = "return {\n    loops = function()\n        while true do end\n    end,\n    fails = function(x)\n        \
        return x.y\n    end,\n    says = function()\n        error(\"no\")\n    end,\n    sets = function()\n        \
        return get(1, \"gold\") + set(1, \"gold\", 1000)\n    end,\n}\n";
    for (call, line, message) in [
        ("loops", 3, "spent its budget of 5000000 steps while loading: is there an infinite loop?"),
        ("fails", 6, "attempt to index nil with 'y'"),
        ("says", 9, "no"),
        ("sets", 12, "counter `gold` cannot go above 100, it would be 1000"),
    ] {
        for (before, called) in [("", 1), ("\n\nlocal x = 1\n", 4)] {
            let (file, told, said, caller) =
                place_of_fault(&format!("{before}local z = lib.{call}()\nreturn {{ act = {{}} }}"), lib);
            assert_eq!((file.as_str(), told, said.as_str()), ("scripts/hostile/lib.luau", line, message), "{call}");
            assert_eq!(caller, Some((SCRIPT.to_owned(), called)), "{call}");
        }
    }
}

/// Each script stays within its own budget, but all together exceed theirs.
#[test]
fn all_scripts_together_have_a_budget() {
    let load = |scripts: usize| {
        let names: Vec<String> = (0..scripts).map(|n| format!("k{n}")).collect();
        let kinds: String = names.iter().map(|name| format!("\n[kinds.{name}]\ntext = \"Things\"\n")).collect();
        let game = format!("{GAME}{kinds}");
        let mut content =
            vec![("game", game.as_str()), ("cards", CARDS), ("phases", ACT), ("prompts", PROMPTS), ("texts", TEXTS)];
        let mut scripts = vec![("phases", "return { act = { offer = function() end, act = function() end } }")];
        content.extend(names.iter().map(|name| (name.as_str(), "[one]\nname = \"One\"\n")));
        scripts.extend(names.iter().map(|name| (name.as_str(), "for i = 1, 600000 do end\nreturn {}\n")));
        let pack = motherlode_fixtures::pack("hostile", &content, &scripts);
        guarded(move || match Game::load(&pack) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.list,
        })
        .unwrap()
    };
    assert!(load(4).is_empty());
    let faults = load(7);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].file, "scripts/hostile/k4.luau");
    assert_eq!(faults[0].message, "all scripts together spent their budget of 20000000 steps while loading");
    assert!(faults[0].help.as_deref().unwrap().starts_with("`scripts/hostile/k0.luau` took 42000"), "{faults:?}");
}

#[test]
fn too_deep_or_long_content_names_its_line() {
    let load = |cards: String| {
        let script = "return { act = { offer = function() end, act = function() end } }";
        let content = [("game", GAME), ("cards", &cards), ("phases", ACT), ("prompts", PROMPTS), ("texts", TEXTS)];
        let pack = motherlode_fixtures::pack("hostile", &content, &[("phases", script)]);
        let fault = Game::load(&pack).unwrap_err().list.swap_remove(0);
        (fault.code, fault.file, fault.line, fault.message)
    };
    let deep = "a.".repeat(100);
    for line in [format!("{deep}a = 1"), format!("[{deep}a]"), format!("list = [{{ {deep}a = 1 }}]")] {
        let (code, file, at, message) = load(format!("{CARDS}\n[green]\nname = \"Green\"\n{line}\n"));
        let expected = CARDS.lines().count() as u32 + 4;
        assert_eq!((code, file.as_str(), at), ("syntax", "content/hostile/cards.toml", expected), "{message}");
        assert_eq!(message, "a key in this line has too many parts");
    }
    let verbs = vec!["{ gain = { gold = 1 } }"; 4000].join(", ");
    let long = format!("{CARDS}\n[green]\nname = \"Green\"\ntext = \"{{operate}}{{operate}}\"\noperate = [{verbs}]\n");
    let (code, file, at, message) = load(long);
    let expected = CARDS.lines().count() as u32 + 2;
    assert_eq!((code, file.as_str(), at), ("too-large", "content/hostile/cards.toml", expected), "{message}");
    assert_eq!(message, "the text composed for `green` is longer than 65536 bytes");
}
