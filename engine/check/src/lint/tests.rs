//! Tests of positions, several files, depth and syntax. `tests/lints/` has the tests of each lint.

use super::*;
use crate::script::library;
use motherlode::Game;
use motherlode::language;
use motherlode_content::{Pack, read};

const GAME: &str = r#"
name = "Demo"
version = "1.0.0"
text = "A demo."
players = { min = 1, max = 2, default = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]

[options.towers]
text = "Towers"
default = 2
min = 1
max = 3

[options.board]
text = "Board"
default = "basic"
values = { basic = "Basic", enhanced = "Enhanced" }
[options.fast]
text = "Fast"
default = false

[counters.gold]
per = "player"
[counters.clock]
per = "game"
[counters.ore]
per = "board"
values = ["none", "gold", "silver"]

[zones.deck]
per = "game"
holds = "tiles"
[zones.hand]
per = "player"
holds = "tiles"

[grids.board]
shape = "square"
columns = 3
rows = 3
[grids.hive]
shape = "hex"
side = 2

[kinds.tiles]
zone = "deck"
[kinds.tiles.attributes]
cost = { type = "integer", default = 1 }
[kinds.tiles.hooks]
operate = ["player"]
[kinds.places]
tokens = false
[kinds.places.attributes]
height = { type = "integer", default = 1 }
[kinds.places.hooks]
visit = ["player"]

[outcome]
score = "gold"
"#;

/// Findings that most scripts here have: they return functions of no phase and use no declared name. Other tests cover these lints.
const IGNORED: [&str; 2] = ["unknown-definition", "unused-definition"];

/// Makes a pack with this `phases.luau`. `changed`: files that replace the default ones.
fn pack(script: &str, changed: &[(&str, &str)]) -> Pack {
    let mut files = vec![
        ("content/demo/game.toml", GAME),
        ("content/demo/phases.toml", "[play]\nname = \"Play\"\nturns = \"once\"\n"),
        (
            "content/demo/prompts.toml",
            "[pick]\ntext = \"Pick.\"\nlabels = { done = \"Done\", more = \"More\" }\n[other]\ntext = \"Other?\"\nlabels = { fine = \"Fine\" }\n[site]\ntext = \"{1:token} to {2}?\"\n",
        ),
        ("content/demo/texts.toml", "raid = \"{1:player} raids {2:player} with {3}.\"\ncalm = \"Calm.\"\n"),
        (
            "content/demo/verbs.toml",
            "[advance]\ntext = \"Advance.\"\nargs = { steps = { type = \"integer\", default = 1 } }\n",
        ),
        ("content/demo/tiles.toml", "[mine]\nname = \"Mine\"\n[mill]\nname = \"Mill\"\n"),
        ("content/demo/places.toml", "[hill]\nname = \"Hill\"\n"),
        ("scripts/demo/verbs.luau", "return { advance = function() end }\n"),
        ("scripts/demo/phases.luau", script),
    ];
    files.retain(|(path, _)| !changed.iter().any(|(other, _)| other == path));
    files.extend(changed);
    Pack::from_files("demo", files)
}

/// Returns all faults of a script as `line:column code: message; help`.
fn faults(script: &str) -> Vec<String> {
    let pack = pack(script, &[]);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    lint(&pack, &d, &found).iter().filter(|fault| !IGNORED.contains(&fault.code)).map(shown).collect()
}

fn shown(fault: &Diagnostic) -> String {
    let Diagnostic { line, column, code, message, help, .. } = fault;
    let help = help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{line}:{column} {code}: {message}{help}")
}

/// Returns the only fault of a call.
fn one(call: &str) -> String {
    let found = faults(&format!("local p = 1\n{call}\nreturn {{}}"));
    assert_eq!(found.len(), 1, "{call}: {found:?}");
    found.into_iter().next().unwrap()
}

#[track_caller]
fn clean(script: &str) {
    assert_eq!(faults(script), Vec::<String>::new(), "{script}");
}

#[test]
fn declared_names_have_no_fault() {
    for script in [
        "local function get(a) return a end get(1) return {}",
        "local get = 1 print = nil",
        "return { f = function(count, ...) count() return count, ... end }",
        "local function f(n: number): number return if n < 2 then n else f(n - 1) end return {}",
        "local a, b = 1, 2 a, b = b, a a += b for i = a, b, 1 do local _ = i end return {}",
        "for k, v in pairs({}) do local _ = k .. v end repeat local x = 1 until x == 1 return {}",
        "local t = {} function t.f(x) return x end function t:g() return self end t.h = t:g().f return {}",
        "type Pair = { a: number, b: Unknown } export type T<X> = X local x: Pair? = nil :: any return {}",
        "local s = (\"x\"):upper() .. `a{s2 or 1}`",
        "while true do break end if not nil then elseif false then else end return {}",
        "local x = bit32.band(1, 2) + #table.pack(utf8.char(65)) + tonumber(\"1\") return { x }",
        "@native local function f() end const y = 1 return { f = f, y = y }",
        "local function f() local name = \"gold\" get(1, name) attr(1, `co{name}`) log(\"ra\" .. name) end return { f = f }",
        "pcall(get, 1, \"nothing\") return {}",
        "local function f() tokens \"tiles\" option'towers' end return { f = f }",
        "local x = #{ 1, 2; a = 1, [\"b\"] = 2 } ^ -x_ return {}",
    ] {
        let found = faults(script);
        let expected: &[&str] = match script {
            s if s.contains("print = nil") => &["print"],
            s if s.contains("s2") => &["s2"],
            s if s.contains("x_") => &["x_"],
            _ => &[],
        };
        assert_eq!(found.len(), expected.len(), "{script}: {found:?}");
        assert!(found.iter().zip(expected).all(|(fault, name)| fault.contains(name)), "{script}: {found:?}");
    }
}

#[test]
fn positions_are_exact_after_other_letters_and_line_ends() {
    let pack =
        pack("-- äöü €\r\nlocal x = \"ä\"\r\n local y = function() return get(1, \"gild\") end return { y }", &[]);
    let (d, found) = read(&pack);
    let faults = lint(&pack, &d, &found);
    let text = &pack.files.iter().find(|file| file.path.ends_with("phases.luau")).unwrap().text;
    assert_eq!(faults.len(), 1);
    assert_eq!(&text[faults[0].start..faults[0].end], "\"gild\"");
    assert_eq!((faults[0].line, faults[0].column), (3, 37));
}

#[test]
fn syntax_errors_and_content_faults_are_reported_together() {
    let broken = "[play]\nname = \"Play\"\nturns = \"onse\"\n";
    let verbs = ("scripts/demo/verbs.luau", "return { advance = function( end }\n");
    let pack = pack("gian(1)\nreturn {}", &[("content/demo/phases.toml", broken), verbs]);
    let found = crate::check(&pack).unwrap_err();
    let codes: Vec<(&str, &str, u32)> = found.list.iter().map(|f| (f.file.as_str(), f.code, f.line)).collect();
    assert_eq!(
        codes,
        [
            ("content/demo/phases.toml", "unknown-value", 3),
            ("scripts/demo/verbs.luau", "script", 1),
            ("scripts/demo/phases.luau", "unknown-function", 1),
        ],
        "{found}"
    );
}

/// A broken content file causes no findings in scripts for the names that it may declare.
#[test]
fn one_mistake_is_one_diagnostic() {
    let script =
        "return { play = { turn = function() get(1, \"gold\") log(\"raid\", 1, 2, 3) attr(1, \"cost\") gian(1) end } }";
    let broken_game = GAME.replace("[counters.gold]\n", "[counters.gold\n");
    let found = crate::check(&pack(script, &[("content/demo/game.toml", &broken_game)])).unwrap_err();
    assert!(found.list.iter().filter(|f| f.file.ends_with(".luau")).all(|f| f.code == "unknown-function"), "{found}");
    let found =
        crate::check(&pack(script, &[("content/demo/texts.toml", "raid = 5\ncalm = \"Calm.\"\n")])).unwrap_err();
    let codes: Vec<&str> = found.list.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["wrong-type", "unknown-function"], "{found}");
}

#[test]
fn names_that_a_script_may_use_are_not_reported() {
    let unused = |script: &str| {
        let pack = pack(&format!("return {{ play = {{ turn = function(p) {script} end }} }}"), &[]);
        let checked = crate::check(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        let nouns = checked.warnings.list.iter().map(|f| f.message.split('`').nth(1).unwrap().to_owned());
        nouns.collect::<Vec<String>>().join(" ")
    };
    let all = unused("");
    assert_eq!(all, "clock ore hand operate visit pick other site raid calm advance");
    assert!(!unused("local n = \"clo\" .. p get(p, n)").contains("clock"), "a built name");
    assert!(unused("local n = \"x\" .. p get(p, n)").contains("clock"), "another built name");
    assert!(!unused("local f = count f(`{p}d`)").contains("hand"), "an accessor passed as a value");
    assert!(!unused("local n = \"ore\"").contains("ore"), "a text anywhere");
    assert!(!unused("do_verb(\"adv\" .. p, p, {})").contains("advance"));
    assert!(!unused("run(p, \"visit\")").contains("visit"));
    assert!(
        unused("ask(p, \"pick\") choice(p)").contains("other")
            && !unused("ask(p, \"pick\") choice(\"mo\" .. p)").contains("more")
    );
    assert!(unused("ask(p, \"pick\") for i = 1, 2 do choice(i) end").contains("done"), "a number is no label");
    assert!(unused("for _, c in cells(\"board\") do choice(c) end choose(p, \"pick\", players())").contains("done"));
    assert!(!unused("choose(p, \"pick\", { `{p}e` })").contains("done"));
}

/// Compares the lists of the library with the environment of scripts.
#[test]
fn the_library_matches_the_environment() {
    let mut script = String::from("local missing = {}\n");
    for (table, fields) in library::TABLES {
        for field in fields {
            script += &format!("if {table}.{field} == nil then table.insert(missing, \"{table}.{field}\") end\n");
        }
        let list = fields.join(" ");
        script += &format!(
            "for k in pairs({table}) do if not string.find(\" {list} \", ` {{k}} `, 1, true) then table.insert(missing, `more {table}.{{k}}`) end end\n"
        );
    }
    for name in library::FUNCTIONS {
        script += &format!("if {name} == nil then table.insert(missing, \"{name}\") end\n");
    }
    script +=
        "if #missing > 0 then error(table.concat(missing, \" \")) end return { play = { turn = function() end } }";
    if let Err(faults) = Game::load(&pack(&script, &[])) {
        panic!("{faults}");
    }
    let prelude = include_str!("../../../rules/src/script/luau/std/prelude.luau");
    let names: std::collections::BTreeSet<&str> = library::names().collect();
    for (at, _) in prelude.match_indices("env.") {
        let name = language::words(&prelude[at + 4..]).next().unwrap().1;
        assert!(names.contains(name) || name == "buffer", "{name}");
    }
}

/// Returns all faults of a game with this `lib.luau` and this turn as `path line:column code: message; help`.
fn with_lib(lib: &str, turn: &str) -> Vec<String> {
    let script = format!("return {{ play = {{ turn = function(p)\n{turn}\nend }} }}");
    let pack = pack(&script, &[("scripts/demo/lib.luau", lib)]);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    let faults = lint(&pack, &d, &found);
    let reported = faults.iter().filter(|fault| fault.code != "unused-definition");
    reported.map(|fault| format!("{} {}", fault.file.trim_start_matches("scripts/demo/"), shown(fault))).collect()
}

#[test]
fn every_form_of_a_lib_is_read() {
    let turn = "lib.a(p) lib.b(p)";
    for lib in [
        "local function a(p) end local b = function(p) end return { a = a, b = b }",
        "local lib = {} function lib.a(p) end lib.b = function(p) end return lib",
        "local t = { a = function(p) end } function t.b(p) t.a(p) end return t",
        "local function first(p) end return { a = first, b = first, }",
    ] {
        assert_eq!(with_lib(lib, turn), [""; 0], "{lib}");
        assert_eq!(with_lib(lib, "lib.a(p) lib.b(p) lib.c()").len(), 1, "{lib}");
        assert_eq!(with_lib(lib, "lib.a(p) lib.b(p, 1)").len(), 1, "{lib}");
    }
    let unread = "local t = {} for _, n in { \"a\", \"b\" } do t[n] = function() end end return t";
    assert_eq!(with_lib(unread, "lib.a(p) lib.c(p)"), [""; 0]);
    let own = "local function a(p) end return { a = a, b = function(p) a(p) end, c = function() end }";
    assert_eq!(with_lib(own, "lib.b(p)"), ["lib.luau 1:67 unused-function: function `c` is never used"]);
    assert_eq!(
        with_lib("return { a = function() lib.b() end, b = function() end }", "lib.a()"),
        [
            "lib.luau 1:25 unknown-lib: lib.luau cannot use `lib`: this script returns it; declare the function with `local function` and call it by its name"
        ]
    );
}

#[test]
fn files_of_a_lib_folder_see_one_another() {
    let script = "return { play = { turn = function(p) lib.a(p) lib.c() end } }";
    let files = [
        ("scripts/demo/lib/a.luau", "return { a = function(p) lib.b(p, 1) lib.d() end }"),
        ("scripts/demo/lib/b.luau", "return { b = function(p) lib.a(p) end, e = function() end }"),
    ];
    let pack = pack(script, &files);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    let faults = lint(&pack, &d, &found);
    let said: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.file, fault.code)).collect();
    assert_eq!(
        said,
        [
            "scripts/demo/lib/a.luau argument-count",
            "scripts/demo/lib/a.luau unknown-function",
            "scripts/demo/phases.luau unknown-function",
        ]
    );
}

#[test]
fn a_missing_lib_is_reported() {
    assert_eq!(
        one("lib.can_buy(p)"),
        "2:1 unknown-lib: unknown name `lib`: this game has no lib.luau; put functions that scripts share into scripts/demo/lib.luau"
    );
    let pack = pack("lib.x() return {}", &[("scripts/demo/lib.luau", "return { x = = 1 }")]);
    let found = crate::check(&pack).unwrap_err();
    assert_eq!(found.list.iter().map(|f| f.file.as_str()).collect::<Vec<_>>(), ["scripts/demo/lib.luau"], "{found}");
    for (lib, says) in [
        ("return { x = 1 }", "`x`: expected a function, found a"),
        ("return 1", "a script must return a table"),
        ("local x = lib return {}", "this script returns it"),
    ] {
        let files = [("scripts/demo/lib.luau", lib)];
        let found = crate::check(&super::tests::pack("return {}", &files)).unwrap_err();
        assert!(found.list.iter().any(|f| f.file.ends_with("lib.luau") && f.message.contains(says)), "{found}");
    }
}

/// Checks scripts as deep as Luau allows.
#[test]
fn deep_scripts_are_checked() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("not ", ""), ("- ", ""), ("f(", ")"), ("function() return ", " end"), ("{ a = ", "}")]
    {
        for depth in [150, 190, 300, 450, 900, 5000] {
            let script = format!("local f = nil return {}{}{}", open.repeat(depth), "gian", close.repeat(depth));
            let found = faults(&script);
            assert_eq!(found.len(), 1, "{open}: {found:?}");
            assert!(!found[0].contains("not-checked"), "{open}: {found:?}");
        }
    }
    for (part, depth) in [("1 + ", 900), ("\"\" .. ", 900), ("1 ^ ", 190), ("true and ", 900), ("f.", 900)] {
        let script = format!("local f = nil return {}gian", part.repeat(depth));
        // Nothing sets the fields `f` and `gian`.
        assert_eq!(faults(&script).len(), if part == "f." { 2 } else { 1 }, "{part}");
    }
    let script = format!("local f, p = nil, 1 {} {} return {{}}", "if p then ".repeat(190), "end ".repeat(190));
    clean(&script);
    let script = format!("local f, p = nil, 1 if p then {} end return {{}}", "elseif p then ".repeat(190));
    clean(&script);
}

/// The checker reports syntax that it does not support yet, and leaves such scripts to the script host.
#[test]
fn old_and_new_syntax_is_read() {
    for script in [
        "local s = [==[ a ]] ]==] --[=[ x ]=] return {}",
        "local s = \"a\\z   b\\u{41}\\x41\\\n c\" .. '\\'' return {}",
        "local x = 0b1010 + 0xFF + 1_000 + 1e3 return {}",
        "local x = `a{1}b{`c{2}`}` return {}",
        "local continue, type, export = 1, 2, 3 for i = 1, 2 do continue end type = 4 return { type = type }",
        "local x: { read a: number, write b: string } = nil :: any return {}",
        "export type A<T = number, U... = ...any> = { [T]: (U...) -> U... } type function f(t) return t end return {}",
        "local f = function<T...>(a: number, ...: T...): (number, ...string) return a end f<<number>>(1) return {}",
        "const x, y = 1, 2 local t = {} t.x //= 2 t.x ..= x t.x ^= y return {}",
    ] {
        clean(script);
    }
    assert_eq!(
        faults("@[deprecated {use = \"x\"}] local function f() end return {}"),
        ["1:2 not-checked: this script is not checked: the checker does not support this syntax"]
    );
}

#[test]
fn nested_tables_take_linear_time() {
    let script = format!("local t = {}1{} return t", "{ a = ".repeat(60), " }".repeat(60));
    clean(&script);
    let script = format!("local t = {}1{} return t", "{".repeat(60), "}".repeat(60));
    clean(&script);
}
