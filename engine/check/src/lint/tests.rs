//! Scripts with every sort of typo, and scripts with none.

mod values;

use super::*;
use motherlode::{Game, Severity};
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

/// A pack with this `phases.luau`, changed by what is put in for its files.
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
    Pack::from_files("demo", files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())))
}

/// `line:column code: message; help` of all faults of a script.
fn faults(script: &str) -> Vec<String> {
    let pack = pack(script, &[]);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    // Most scripts here return what no phase is called; that has a test of its own.
    lint(&d, &found).faults.iter().filter(|fault| fault.code != "unknown-definition").map(shown).collect()
}

fn shown(fault: &Diagnostic) -> String {
    let Diagnostic { line, column, code, message, help, .. } = fault;
    let help = help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{line}:{column} {code}: {message}{help}")
}

/// The one fault of a call.
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
fn names_of_every_sort_are_checked() {
    for (call, expected) in [
        ("get(p, \"gild\")", "2:8 unknown-counter: unknown counter `gild` in `get`; did you mean `gold`?"),
        ("count 'dekc'", "2:7 unknown-zone: unknown zone `dekc` in `count`; did you mean `deck`?"),
        ("cells(\"bord\")", "2:7 unknown-grid: unknown grid `bord` in `cells`; did you mean `board`?"),
        ("ask(p, \"pikc\")", "2:8 unknown-prompt: unknown prompt `pikc` in `ask`; did you mean `pick`?"),
        ("log(\"rade\", 1, 2, 3)", "2:5 unknown-text: unknown text `rade` in `log`; use one of `raid`, `calm`"),
        ("tokens(\"tile\")", "2:8 unknown-kind: unknown kind `tile` in `tokens`; did you mean `tiles`?"),
        ("option(\"tower\")", "2:8 unknown-option: unknown option `tower` in `option`; did you mean `towers`?"),
        (
            "do_verb(\"advanse\", p, {})",
            "2:9 unknown-verb: unknown verb `advanse` in `do_verb`; did you mean `advance`?",
        ),
        ("run(1, \"operat\", p)", "2:8 unknown-hook: unknown hook `operat` in `run`; did you mean `operate`?"),
        ("attr(1, \"cots\")", "2:9 unknown-attribute: unknown attribute `cots` in `attr`; did you mean `cost`?"),
        ("choice(\"doen\")", "2:8 unknown-label: unknown label `doen` in `choice`; did you mean `done`?"),
        (
            "def(\"tiles\", \"mien\", \"cost\")",
            "2:14 unknown-id: unknown definition `mien` of kind `tiles` in `def`; did you mean `mine`?",
        ),
        (
            "name(\"places\", \"hil\")",
            "2:16 unknown-id: unknown definition `hil` of kind `places` in `name`; did you mean `hill`?",
        ),
        (
            "def(\"places\", \"hill\", \"cost\")",
            "2:23 unknown-attribute: unknown attribute `cost` of kind `places` in `def`; use one of `height`, `name`, `text`, `copies`",
        ),
        (
            "run_def(\"places\", \"hill\", \"operate\", p)",
            "2:27 unknown-hook: unknown hook `operate` of kind `places` in `run_def`; there is only `visit`",
        ),
        (
            "number_of(\"places\", \"mine\")",
            "2:21 unknown-id: unknown definition `mine` of kind `places` in `number_of`; there is only `hill`",
        ),
        (
            "value(\"ore\", \"silvr\")",
            "2:14 unknown-value: `silvr` is not a value of counter `ore`; did you mean `silver`?",
        ),
        ("value(\"gold\", \"silver\")", "2:15 unknown-value: counter `gold` has no named values: `silver` in `value`"),
        (
            "lines(\"board\", \"colum\")",
            "2:16 unknown-direction: unknown direction `colum` of grid `board` in `lines`; did you mean `column`?",
        ),
        (
            "lines(\"hive\", \"row\")",
            "2:15 unknown-direction: unknown direction `row` of grid `hive` in `lines`; use one of `a`, `b`, `c`, `all`",
        ),
        (
            "count_cells(\"hive\", \"ore\", 1)",
            "2:21 wrong-holder: counter `ore` in `count_cells` does not belong to the cells of grid `hive`",
        ),
        (
            "choice_cells(\"board\", \"gold\", 0)",
            "2:23 wrong-holder: counter `gold` in `choice_cells` does not belong to the cells of grid `board`; its counters are `ore`",
        ),
        (
            "choose(p, \"pick\", { 1, \"fine\" })",
            "2:24 unknown-label: unknown label `fine` of prompt `pick` in `choose`; use one of `done`, `more`",
        ),
        (
            "log(if p == 1 then \"calm\" else (\"clam\"))",
            "2:33 unknown-text: unknown text `clam` in `log`; did you mean `calm`?",
        ),
        (
            "log(p == 1 and \"calm\" or \"clam\")",
            "2:26 unknown-text: unknown text `clam` in `log`; did you mean `calm`?",
        ),
        ("print(`{get(p, \"gild\")}`)", "2:1 unknown-function: unknown function `print`"),
    ] {
        let found = faults(&format!("local p = 1\n{call}\nreturn {{}}"));
        assert_eq!(found.first().map(String::as_str), Some(expected), "{call}");
        assert_eq!(found.len(), if call.starts_with("print") { 2 } else { 1 }, "{call}");
    }
}

#[test]
fn texts_in_comparisons_are_checked() {
    for (line, expected) in [
        (
            "if option(\"board\") == \"basik\" then end",
            "2:23 unknown-value: `basik` is not a value of option `board`; did you mean `basic`?",
        ),
        (
            "local x = \"enhancde\" ~= option \"board\"",
            "2:11 unknown-value: `enhancde` is not a value of option `board`; did you mean `enhanced`?",
        ),
        ("local x = option(\"towers\") == \"2\"", "2:31 wrong-type: option `towers` is a number, never a text"),
        ("local x = option(\"fast\") == \"yes\"", "2:29 wrong-type: option `fast` is true or false, never a text"),
        ("local x = zone_of(p) == \"hnad\"", "2:25 unknown-zone: unknown zone `hnad` in `==`; did you mean `hand`?"),
        ("local x = kind(p) == \"tilse\"", "2:22 unknown-kind: unknown kind `tilse` in `==`; did you mean `tiles`?"),
        ("local x = (id(p)) == \"mien\"", "2:22 unknown-id: no definition has the id `mien`; did you mean `mine`?"),
        (
            "local x = name_of(\"ore\", p) == \"gild\"",
            "2:32 unknown-value: `gild` is not a value of counter `ore`; did you mean `gold`?",
        ),
        (
            "local x = choose(p, \"pick\", { \"done\" }) == \"doen\"",
            "2:44 unknown-label: unknown label `doen` of prompt `pick` in `==`; did you mean `done`?",
        ),
        (
            "local z = zone_of(p) local function f() return z == \"dekc\" end",
            "2:53 unknown-zone: unknown zone `dekc` in `==`; did you mean `deck`?",
        ),
        (
            "for _, i in defs(\"tiles\") do if i == \"mien\" then end end",
            "2:38 unknown-id: no definition has the id `mien`; did you mean `mine`?",
        ),
    ] {
        assert_eq!(one(line), expected, "{line}");
    }
    clean(
        "local p, z = 1, zone_of(1) z = \"nowhere\" if z == \"nowhere\" or zone_of(p) == \"hand\" then end
        if option(\"board\") == \"basic\" or id(p) == \"hill\" or kind(p) == \"places\" or zone_of(p) == nil then end
        local x = choose(p, \"pick\", { 1, \"done\" }) if x == 1 or x == \"done\" or get(p, \"gold\") == \"x\" then end
        local function id(q) return q end if id(p) == \"anything\" then end return {}",
    );
}

#[test]
fn what_a_function_keeps_belongs_in_the_state() {
    let expected = "state-outside: `total` lives outside the state: what a function assigns to it is lost when a match is put back; what must last belongs in a counter or a zone, what one call needs in a `local` inside the function";
    for (line, column) in [
        ("local total = 0 local function f() total += 1 end f()", 36),
        ("local total = 0 local f = { g = function(n) if n then total = n total = 2 end end }", 55),
        ("local a, total local function f() a, total = total, 1 end", 38),
        ("local total local function f() function total() end end", 41),
        ("do local total = 1 local function f() for i = 1, 2 do total = i end end end", 55),
    ] {
        let found = faults(&format!("local p = 1\n{line}\nreturn {{}}"));
        assert!(found.contains(&format!("2:{column} {expected}")), "{line}: {found:?}");
    }
    clean(
        "local total = 0 for i = 1, 3 do total += i end local last last = function() return last, total end
        local function f(total) total += 1 local n = 0 local function g() n += 1 end g() return total + n end
        local cache = {} local function h(n) cache[n] = n local total = 1 total = 2 return total end return {}",
    );
}

#[test]
fn arguments_are_counted() {
    for (call, expected) in [
        (
            "get(p)",
            "2:1 wrong-arguments: `get` takes 2 arguments, not 1; call it as `get(holder: Holder, counter: Counter): number`",
        ),
        (
            "set(p, \"gold\", 1, 2)",
            "2:1 wrong-arguments: `set` takes 3 arguments, not 4; call it as `set(holder: Holder, counter: Counter, value: number)`",
        ),
        ("end_phase(p)", "2:1 wrong-arguments: `end_phase` takes no argument, not 1; call it as `end_phase()`"),
        (
            "shuffle()",
            "2:1 wrong-arguments: `shuffle` takes at least 1 argument, not 0; call it as `shuffle(zone: Zone, player: number?)`",
        ),
        (
            "count(\"hand\", p, 1)",
            "2:1 wrong-arguments: `count` takes at most 2 arguments, not 3; call it as `count(zone: Zone, player: number?): number`",
        ),
        (
            "get(next_player(p))",
            "2:1 wrong-arguments: `get` takes 2 arguments, not 1; call it as `get(holder: Holder, counter: Counter): number`",
        ),
        ("game()", "2:1 wrong-arguments: `game` is not a function"),
        ("log(\"raid\", p, p)", "2:5 wrong-arguments: text `raid` shows `{3}`, but `log` gives 2 values"),
        ("log_to(p, \"raid\", p, p)", "2:11 wrong-arguments: text `raid` shows `{3}`, but `log_to` gives 2 values"),
        ("ask(p, \"site\", 1)", "2:8 wrong-arguments: prompt `site` shows `{2}`, but `ask` gives 1 value"),
        ("choose(p, \"site\", { 1 })", "2:11 wrong-arguments: prompt `site` shows `{2}`, but `choose` gives 0 values"),
    ] {
        assert_eq!(one(call), expected, "{call}");
    }
    clean("local function two() return 1, \"gold\" end get(two()) return {}");
    clean("local function f(...) get(...) log(\"raid\", ...) set(1, \"gold\", ...) end return {}");
    clean("ask(1, \"site\", 1, 2) choose(1, \"site\", { 1 }, 1, 2) return {}");
    clean("log(\"raid\", 1, math.modf(1.5)) draw(\"deck\", nil, \"deck\") end_game(nil) return {}");
}

#[test]
fn names_must_be_bound() {
    for (line, expected) in [
        ("gian(p, \"gold\", 1)", "2:1 unknown-function: unknown function `gian`; did you mean `gain`?"),
        ("local x = payer", "2:11 unknown-name: unknown name `payer`; did you mean `players`?"),
        ("total = 5", "2:1 unknown-name: unknown name `total`; a new variable begins with `local`: `local total`"),
        (
            "function total() end",
            "2:10 unknown-name: unknown name `total`; a new variable begins with `local`: `local total`",
        ),
        ("local x = { y = q + 1 }", "2:17 unknown-name: unknown name `q`"),
        ("local x = `{q}`", "2:13 unknown-name: unknown name `q`"),
        ("local x = os.time()", "2:11 unknown-name: unknown name `os`"),
        ("local x = buffer", "2:11 unknown-name: unknown name `buffer`"),
        ("local x = math.flor(p)", "2:16 unknown-function: there is no `math.flor`; did you mean `math.floor`?"),
        ("local x = math.random(6)", "2:16 unknown-function: there is no `math.random`"),
        (
            "local x: number = x",
            "2:19 unknown-name: unknown name `x`; `x` of line 2 is known only behind its declaration and within its block",
        ),
        (
            "do local y = 1 end p = y",
            "2:24 unknown-name: unknown name `y`; `y` of line 2 is known only behind its declaration and within its block",
        ),
        (
            "local f = function() return f end",
            "2:29 unknown-name: unknown name `f`; `f` of line 2 is known only behind its declaration and within its block",
        ),
    ] {
        let found = one(line);
        assert!(found.starts_with(expected), "{line}\n{found}\n{expected}");
    }
}

#[test]
fn what_is_bound_is_left_alone() {
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
        "local name = \"gold\" get(1, name) attr(1, `co{name}`) log(\"ra\" .. name) return {}",
        "pcall(get, 1, \"nothing\") return {}",
        "tokens \"tiles\" option'towers' return {}",
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
fn places_are_exact_behind_other_letters_and_line_ends() {
    let pack = pack("-- äöü €\r\nlocal x = \"ä\"\r\n local y = get(1, \"gild\") return {}", &[]);
    let (d, found) = read(&pack);
    let faults = lint(&d, &found).faults;
    let text = &pack.files.iter().find(|file| file.path.ends_with("phases.luau")).unwrap().text;
    assert_eq!(faults.len(), 1);
    assert_eq!(&text[faults[0].start..faults[0].end], "\"gild\"");
    assert_eq!((faults[0].line, faults[0].column), (3, 19));
}

#[test]
fn syntax_errors_stand_beside_the_faults_of_the_content() {
    let broken = "[play]\nname = \"Play\"\nturns = \"onse\"\n";
    let verbs = ("scripts/demo/verbs.luau", "return { advance = function( end }\n");
    let pack = pack("gian(1)\nreturn {}", &[("content/demo/phases.toml", broken), verbs]);
    let found = crate::check(&pack).unwrap_err();
    let codes: Vec<(&str, &str, u32)> = found.list.iter().map(|f| (f.file.as_str(), f.code, f.line)).collect();
    assert_eq!(
        codes,
        [
            ("content/demo/phases.toml", "unknown-value", 3),
            ("scripts/demo/phases.luau", "unknown-function", 1),
            ("scripts/demo/verbs.luau", "script", 1),
        ],
        "{found}"
    );
}

/// What a broken file may have declared is not missed in the scripts.
#[test]
fn one_mistake_is_one_diagnostic() {
    let script = "get(1, \"gold\") log(\"raid\", 1, 2, 3) attr(1, \"cost\") gian(1) return { play = {} }";
    let broken_game = GAME.replace("[counters.gold]\n", "[counters.gold\n");
    let found = crate::check(&pack(script, &[("content/demo/game.toml", &broken_game)])).unwrap_err();
    assert!(found.list.iter().filter(|f| f.file.ends_with(".luau")).all(|f| f.code == "unknown-function"), "{found}");
    let found =
        crate::check(&pack(script, &[("content/demo/texts.toml", "raid = 5\ncalm = \"Calm.\"\n")])).unwrap_err();
    let codes: Vec<&str> = found.list.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["wrong-type", "unknown-function"], "{found}");
}

#[test]
fn what_is_never_named_is_told() {
    let script = "return { play = { turn = function(p) choice(\"done\") ask(p, \"pick\") end } }";
    let checked = crate::check(&pack(script, &[])).unwrap_or_else(|faults| panic!("{faults}"));
    let found: Vec<String> = checked.warnings.list.iter().map(ToString::to_string).collect();
    assert!(checked.warnings.list.iter().all(|f| f.severity == Severity::Warning));
    assert_eq!(
        found,
        [
            "content/demo/game.toml:24:11: warning[unused-definition]: counter `clock` is never used",
            "content/demo/game.toml:26:11: warning[unused-definition]: counter `ore` is never used",
            "content/demo/game.toml:33:8: warning[unused-definition]: zone `hand` is never used",
            "content/demo/game.toml:50:1: warning[unused-definition]: hook `operate` is never used",
            "content/demo/game.toml:56:1: warning[unused-definition]: hook `visit` is never used",
            "content/demo/prompts.toml:3:27: warning[unused-definition]: label `more` is never used",
            "content/demo/prompts.toml:4:2: warning[unused-definition]: prompt `other` is never used",
            "content/demo/prompts.toml:7:2: warning[unused-definition]: prompt `site` is never used",
            "content/demo/texts.toml:1:1: warning[unused-definition]: text `raid` is never used",
            "content/demo/texts.toml:2:1: warning[unused-definition]: text `calm` is never used",
            "content/demo/verbs.toml:1:2: warning[unused-definition]: verb `advance` is never used",
        ]
    );
}

#[test]
fn what_may_be_named_is_not_told() {
    let unused = |script: &str| {
        let pack = pack(&format!("return {{ play = {{ turn = function(p) {script} end }} }}"), &[]);
        let checked = crate::check(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        let nouns = checked.warnings.list.iter().map(|f| f.message.split('`').nth(1).unwrap().to_owned());
        nouns.collect::<Vec<String>>().join(" ")
    };
    let all = unused("");
    assert_eq!(all, "clock ore hand operate visit pick other site raid calm advance");
    assert!(!unused("local n = \"clo\" .. p get(p, n)").contains("clock"), "a name made up");
    assert!(unused("local n = \"x\" .. p get(p, n)").contains("clock"), "another name made up");
    assert!(!unused("local f = count f(`{p}d`)").contains("hand"), "an accessor handed on");
    assert!(!unused("local n = \"ore\"").contains("ore"), "a text somewhere");
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

/// The lists of the library are those of the environment, on a VM of its own.
#[test]
fn the_library_is_what_scripts_have() {
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
    let prelude = include_str!("../../../rules/src/script/std/prelude.luau");
    let names: std::collections::BTreeSet<&str> = library::names().collect();
    for (at, _) in prelude.match_indices("env.") {
        let name = language::words(&prelude[at + 4..]).next().unwrap().1;
        assert!(names.contains(name) || name == "buffer", "{name}");
    }
}

/// `path:line:column code: message; help` of a game with this `lib.luau`, and a turn that does this.
fn with_lib(lib: &str, turn: &str) -> Vec<String> {
    let script = format!("return {{ play = {{ turn = function(p)\n{turn}\nend }} }}");
    let pack = pack(&script, &[("scripts/demo/lib.luau", lib)]);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    let findings = lint(&d, &found);
    let faults = if findings.faults.is_empty() { findings.unused } else { findings.faults };
    faults.iter().map(|fault| format!("{} {}", fault.file.trim_start_matches("scripts/demo/"), shown(fault))).collect()
}

#[test]
fn calls_of_shared_functions_are_checked() {
    let lib = "return { can_buy = function(p, n: number?) return n end, all = function(...) return ... end }";
    for (turn, expected) in [
        (
            "lib.can_by(p) lib.all()",
            "phases.luau 2:5 unknown-function: lib.luau has no function `can_by`; did you mean `can_buy`?",
        ),
        (
            "lib.can_buy() lib.all()",
            "phases.luau 2:5 wrong-arguments: `lib.can_buy` takes at least 1 argument, not 0; call it as `lib.can_buy(p, n?)`",
        ),
        (
            "lib.can_buy(p, 1, 2) lib.all()",
            "phases.luau 2:5 wrong-arguments: `lib.can_buy` takes at most 2 arguments, not 3; call it as `lib.can_buy(p, n?)`",
        ),
        (
            "lib:can_buy(p) lib.all()",
            "phases.luau 2:5 wrong-arguments: `lib:can_buy` would hand over `lib` itself; write `lib.can_buy(...)`",
        ),
        ("lib.can_buy(p)", "lib.luau 1:58 unused-definition: function `all` is never used"),
        ("local f = lib.all", "lib.luau 1:10 unused-definition: function `can_buy` is never used"),
    ] {
        assert_eq!(with_lib(lib, turn), [expected], "{turn}");
    }
    for turn in [
        "lib.can_buy(lib.all())",
        "lib.can_buy(p) lib.all(1, 2, 3)",
        "local n = \"x\" local f = lib[n]",
        "local l = lib",
        "lib.all(lib.can_buy)",
    ] {
        assert_eq!(with_lib(lib, turn), [""; 0], "{turn}");
    }
    assert_eq!(with_lib(lib, "local lib = { x = 1 } get(lib.x, \"gold\")").len(), 2, "a `lib` of its own");
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
    assert_eq!(with_lib(own, "lib.b(p)"), ["lib.luau 1:67 unused-definition: function `c` is never used"]);
    assert_eq!(
        with_lib("return { a = function() lib.b() end, b = function() end }", "lib.a()"),
        [
            "lib.luau 1:25 unknown-name: `lib` is what this script returns: its own functions do not see it yet; name them `local function`, and call them by their names"
        ]
    );
}

#[test]
fn a_lib_that_is_not_there_is_told() {
    assert_eq!(
        one("lib.can_buy(p)"),
        "2:1 unknown-name: there is no lib.luau to call `lib` of; put the functions that scripts share into scripts/demo/lib.luau"
    );
    let pack = pack("lib.x() return {}", &[("scripts/demo/lib.luau", "return { x = = 1 }")]);
    let found = crate::check(&pack).unwrap_err();
    assert_eq!(found.list.iter().map(|f| f.file.as_str()).collect::<Vec<_>>(), ["scripts/demo/lib.luau"], "{found}");
    for (lib, says) in [
        ("return { x = 1 }", "`x`: expected a function, found a"),
        ("return 1", "a script must return a table"),
        ("local x = lib return {}", "`lib` is what this script returns"),
    ] {
        let files = [("scripts/demo/lib.luau", lib)];
        let found = crate::check(&super::tests::pack("return {}", &files)).unwrap_err();
        assert!(found.list.iter().any(|f| f.file.ends_with("lib.luau") && f.message.contains(says)), "{found}");
    }
}

/// As deep as Luau lets a script be.
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

/// Luau goes on; what the checker cannot read yet is told, and left to the script host.
#[test]
fn syntax_of_every_age_is_read() {
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
        ["1:2 not-checked: the names in this script are not checked: it uses syntax that the checker does not know"]
    );
}
