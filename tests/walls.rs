//! Limits for a mod before it plays: its files, its loading time, and its terminal output.
//!
//! `hostile.rs` tests scripts at run time. `fuzz.rs` tests damaged mods.

/// File writes while the program is killed.
mod kills;
/// Special files in place of a regular file.
#[cfg(unix)]
mod places;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use motherlode_fixtures::write;

use crate::cli::program::{Run, run};

const GAME: &str = r#"
name = "Victim"
version = "1.0.0"
players = { min = 2, max = 2, default = 2 }

[[seats]]
name = "Ada"
[[seats]]
name = "Bob"

[counters.gold]
text = "Gold"
per = "player"
max = 100

[counters.clock]
text = "Clock"
per = "game"
max = 100

[outcome]
score = "gold"
"#;

const PHASES: &str = "[act]\nname = \"Act\"\nturns = \"around\"\nprompt = \"pick\"\n";
const PROMPTS: &str = "[pick]\ntext = \"Pick.\"\nlabels = { fine = \"Fine\", worse = \"Worse\" }\n";
const TEXTS: &str = "line = \"Line {1}.\"\n";
const SCRIPT: &str = r#"return {
    act = {
        offer = function() choice("fine") choice("worse") end,
        act = function(player, x)
            gain(player, "gold", if x == "fine" then 2 else 1)
            gain(game, "clock", 1)
            log("line", get(game, "clock"))
            if get(game, "clock") >= 8 then end_game() end
        end,
    },
}
"#;
const MANIFEST: &str = "id = \"evil\"\nname = \"Evil\"\nversion = \"1.0.0\"\ngame = \"victim\"\n";

/// A project with the victim game and a mod over it.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A mod with these files besides its manifest.
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in [
            ("content/victim/game.toml", GAME),
            ("content/victim/phases.toml", PHASES),
            ("content/victim/prompts.toml", PROMPTS),
            ("content/victim/texts.toml", TEXTS),
            ("scripts/victim/phases.luau", SCRIPT),
            ("evil/mod.toml", MANIFEST),
        ] {
            project.write(path, text);
        }
        for (path, text) in files {
            project.write(&format!("evil/{path}"), text);
        }
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, path: &str, text: &str) {
        write(self.path().join(path), text);
    }

    /// Runs `lode` with the mod.
    fn lode(&self, arguments: &[&str]) -> Run {
        run(self.path(), &[arguments, &["--mod", "evil"]].concat(), b"")
    }

    /// Runs `lode` with the mod, within these seconds on a slow and busy machine.
    #[track_caller]
    fn lode_within(&self, seconds: u64, arguments: &[&str]) -> Run {
        let begin = Instant::now();
        let run = self.lode(arguments);
        assert!(begin.elapsed() < Duration::from_secs(seconds), "{arguments:?} took {:?}", begin.elapsed());
        run
    }
}

const TEXT_FILE: &str = "content/victim/texts.toml";
const PHASES_FILE: &str = "scripts/victim/phases.luau";
const LIB_FILE: &str = "scripts/victim/lib.luau";
const TEST_FILE: &str = "tests/victim/evil.luau";

/// A script that replaces `act`.
fn act(before: &str, body: &str) -> String {
    format!(
        "{before}return {{\n    act = {{\n        act = replace(function(player, x)\n{body}\ngain(game, \"clock\", 1)\n\
         if get(game, \"clock\") > 3 then end_game() end\n        end),\n    }},\n}}\n"
    )
}

/// Checks that every way to play fails with exit code 1 and this error.
#[track_caller]
fn refused(script: &str, complaint: &str) {
    let project = Project::new(&[(PHASES_FILE, script)]);
    project.lode(&["check", "victim"]).code(1).says(complaint);
    project.lode(&["sim", "victim", "--games", "1"]).code(1).complains(complaint);
    project.lode(&["play", "victim", "--seats", "random,random"]).code(1).complains(complaint);
}

/// Checks that the hook fails at this line of the mod's script.
#[track_caller]
fn fails(script: &str, place: &str) {
    let project = Project::new(&[(PHASES_FILE, script)]);
    let run = project.lode(&["sim", "victim", "--games", "20", "--threads", "2"]).code(1);
    assert!(run.out.contains(place), "no `{place}` in\n{}\n{}", run.out, run.err);
}

#[test]
fn a_nul_byte_does_not_end_a_script() {
    refused("return {}\0@é", "evil/scripts/victim/phases.luau:1:10");
    refused("return {} --\0\n", "U+0000");
}

#[test]
fn a_script_contains_only_whole_statements() {
    for start in ["or buffer", "and 1", "+ 1", ".x = 1", "(buffer)", ", y", "[1] = 2"] {
        let script = format!("{start} return {{}}");
        let project = Project::new(&[(PHASES_FILE, &script)]);
        project.lode(&["check", "victim"]).code(1).says("evil/scripts/victim/phases.luau:1:");
    }
}

#[test]
fn one_bad_script_does_not_disable_the_check() {
    let wrong = "return { act = { act = replace(function(player) gain(player, \"golf\", 1) end) } }\n";
    for bad in ["return {}\0@é", "return {} @é", "@é", "return {", "\u{1b}Lua"] {
        let project = Project::new(&[(LIB_FILE, bad), (PHASES_FILE, wrong)]);
        let run = project.lode(&["check", "victim"]).code(1).says("evil/scripts/victim/lib.luau:1:").says("`golf`");
        assert!(!run.err.contains("panicked"), "{bad:?}: {}", run.err);
    }
}

#[test]
fn a_script_keeps_no_state_between_hooks() {
    let keep = "set(player, \"gold\", memo.n % 100)";
    fails(&act("local memo = { n = 0 }\n", &format!("memo.n += 1\n{keep}")), "evil/scripts/victim/phases.luau:5: ");
    fails(&act("local memo = {}\n", "table.insert(memo, 1)"), "evil/scripts/victim/phases.luau:5: ");
    fails(&act("local memo = { a = { b = {} } }\n", "memo.a.b.c = 1"), "evil/scripts/victim/phases.luau:5: ");
    fails(
        &act("local function make() local t = {} return function() t.n = 1 end end\nlocal f = make()\n", "f()"),
        "phases.luau:6: ",
    );
    fails(&act("local t = {}\nlocal by = { [t] = 1 }\n", "for k in by do k.n = 1 end"), "phases.luau:6: ");
    // The check cannot follow these functions, so the error comes at run time.
    let counter = "local function make() local n = 0 return function() n += 1 return n end end\nlocal f = make()\n";
    fails(&act(counter, "set(player, \"gold\", f() % 100)"), "is lost when a match is restored");
    let asked = "if x == \"fine\" then f() choose(player, \"pick\", { \"fine\", \"worse\" }) end";
    fails(&act(counter, asked), "is lost when a match is restored");
    // A call that hides the creation of a function changes nothing.
    for make in ["select(1, MAKE)", "({ MAKE })[1]", "math.max and MAKE"] {
        let make = make.replace("MAKE", "function(n) return function() n += 1 return n end end");
        let counter = format!("local make = {make}\nlocal f = make(0)\n");
        fails(&act(&counter, "set(player, \"gold\", f() % 100)"), "is lost when a match is restored");
    }
    refused(&act("local n = 0\n", "n += 1 set(player, \"gold\", n % 100)"), "`n` is not part of the state");
}

#[test]
fn values_made_while_loading_are_readable() {
    let before = "local of, count = {}, 0\nfor i = 1, 9 do of[i] = { n = i } count += 1 end\nlocal even\n\
                  local function odd(n) return n > 0 and even(n - 1) end\nfunction even(n) return n == 0 or odd(n - 1) end\n";
    let body = "local own = table.clone(of[count]) own.n += 1\nset(player, \"gold\", if even(own.n) then own.n else 0)";
    let project = Project::new(&[(PHASES_FILE, &act(before, body))]);
    project.lode(&["sim", "victim", "--games", "20"]).code(0);
}

/// Declarations that are small one by one can together exceed the size limit of a game.
#[test]
fn oversized_games_are_refused() {
    let grids: String = (0..30)
        .map(|n| format!("[grids.g{n}]\ntext = \"G\"\nshape = \"square\"\ncolumns = 100\nrows = 100\n"))
        .collect();
    let cells = |n: i32| format!("[counters.c{n}]\ntext = \"C\"\nper = \"board\"\n");
    let cells = "[grids.board]\ntext = \"B\"\nper = \"player\"\nshape = \"square\"\ncolumns = 100\nrows = 100\n"
        .to_owned()
        + &(0..60).map(cells).collect::<String>();
    let families: String =
        (0..1000).map(|n| format!("[counters.f{n}]\ntext = \"F\"\nper = [\"player\", \"things\"]\n")).collect();
    let families = format!("{families}[kinds.things]\ntext = \"Things\"\ntokens = false\n");
    let things: String = (0..500).map(|n| format!("[t{n}]\nname = \"T\"\n")).collect();
    for (more, expected) in [
        (families, "with `f200` the families in `counters` have more than 100000 members"),
        (grids, "with `g20` the grids have more than 200000 places, for all players"),
        (cells, "words of state; at most 1048576 are allowed"),
    ] {
        let project = Project::new(&[]);
        project.write("content/victim/game.toml", &format!("{GAME}{more}"));
        if more.contains("[kinds.things]") {
            project.write("content/victim/things.toml", &things);
        }
        let run = project.lode_within(20, &["check", "victim"]).code(1);
        assert!(format!("{}{}", run.out, run.err).contains(expected), "{expected}: {run:?}");
    }
    let project = Project::new(&[]);
    for n in 0..11 {
        project.write(&format!("content/victim/many{n}.toml"), &format!("x = [{}]", "1, ".repeat(40_000)));
    }
    let run = project.lode_within(20, &["check", "victim"]).code(1);
    assert!(format!("{}{}", run.out, run.err).contains("more than 1024 KiB of TOML"), "{run:?}");
}

/// An unreadable file is named, even in a game that a mod adds.
#[test]
fn an_unreadable_file_is_named() {
    let project = Project::new(&[]);
    project.write("big/mod.toml", "id = \"big\"\nname = \"Big\"\nversion = \"1.0.0\"\ngame = \"large\"\n");
    project.write("big/content/large/game.toml", &format!("{GAME}#{}\n", "x".repeat(128 << 10)));
    project.write("big/content/large/phases.toml", PHASES);
    project.write("big/content/large/prompts.toml", PROMPTS);
    project.write(
        "big/scripts/large/phases.luau",
        "return { act = { offer = function() choice(\"fine\") end, act = function() end } }\n",
    );
    let checked = |mods: &str| run(project.path(), &["check", "large", "--mod", mods], b"").code(1);
    checked("big")
        .says("error[too-large]: the file is larger than 128 KiB")
        .says("big/content/large/game.toml")
        .says("1 error");
    project.write("big/mod.toml", &format!("id = \"big\"\n#{}\n", "x".repeat(128 << 10)));
    let run = checked("big");
    assert!(format!("{}{}", run.out, run.err).contains("big/mod.toml"), "{run:?}");
}

/// An endless match of bots ends.
#[test]
fn an_endless_match_of_bots_is_stopped() {
    let project = Project::new(&[]);
    project.write(
        "scripts/victim/phases.luau",
        &SCRIPT
            .replace("if get(game, \"clock\") >= 8 then end_game() end", "set(game, \"clock\", 1)")
            .replace("gain(player", "set(player"),
    );
    project.write("content/victim/game.toml", GAME);
    for (arguments, expected) in [
        (
            &["play", "victim", "--seats", "random,random", "--seed", "1"][..],
            "bots have made 100000 decisions in a row",
        ),
        (&["sim", "victim", "--games", "1", "--bots", "rollout:5", "--seed", "1"], "more than 100000 decisions"),
    ] {
        let run = project.lode_within(120, arguments).code(1);
        assert!(format!("{}{}", run.out, run.err).contains(expected), "{arguments:?}: {:?}", run.err);
    }
    // Long lines from all hooks would fill the memory first.
    project.write(TEXT_FILE, &format!("line = \"{}\"\n", "long ".repeat(390)));
    let loud = SCRIPT.replace("log(\"line\", get(game, \"clock\"))", "for _ = 1, 100 do log(\"line\", 1) end");
    project.write(
        PHASES_FILE,
        &loud.replace("end_game()", "set(game, \"clock\", 1)").replace("gain(player", "set(player"),
    );
    let loud = project.lode_within(120, &["play", "victim", "--seats", "random,random", "--seed", "1"]).code(1);
    loud.complains("bots have written more than 4 MiB in a row");
}

#[test]
fn a_wrap_always_runs_or_is_refused() {
    let burn = |steps: u32| {
        format!(
            "for _ = 1, {steps} do end\nreturn {{ act = {{ act = wrap(function(original, player, x)\nerror(\"the wrap runs\")\n\
             end) }} }}\n"
        )
    };
    // The script is refused or its wrap runs, whatever is left of the budget.
    for steps in [10, 4_999_980, 4_999_990, 4_999_994, 4_999_995, 4_999_996, 4_999_997, 4_999_998, 4_999_999, 5_000_010]
    {
        let project = Project::new(&[(PHASES_FILE, &burn(steps))]);
        let run = project.lode(&["sim", "victim", "--games", "1"]).code(1);
        let told = format!("{}{}", run.out, run.err);
        assert!(told.contains("the wrap runs") || told.contains("budget"), "{steps}: {told}");
    }
}

#[test]
fn a_rule_test_has_prices() {
    for body in [
        "local s = string.rep(\"a\", 60000000) while true do utf8.len(s) end",
        "local s = string.rep(\"a\", 20000000) while true do utf8.len(s) end",
        "local s = string.rep(\"a\", 15000) while true do utf8.len(s) end",
        "string.match(string.rep(\"a\", 9000), string.rep(\"a-\", 50) .. \"b\")",
        "local t = table.create(1000000, 1) while true do table.find(t, 2) end",
    ] {
        for script in [format!("return {{\n[\"x\"] = function(t)\n{body}\nend }}"), format!("\n\n{body}\nreturn {{}}")]
        {
            let project = Project::new(&[(TEST_FILE, &script)]);
            project.lode_within(20, &["test", "victim"]).code(1).says("tests/victim/evil.luau:");
        }
    }
}

/// Checks that a mod with a huge file loads quickly.
#[track_caller]
fn loads_quickly(file: &str, text: &str) {
    let project = Project::new(&[(file, text)]);
    let run = project.lode_within(10, &["check", "victim"]);
    assert!(run.out.len() < 1 << 20, "{} bytes of output", run.out.len());
    assert!((0..=1).contains(&run.code), "{}", run.err);
}

fn many(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn many_declarations_load_quickly() {
    loads_quickly(TEXT_FILE, &many(20_000, |i| format!("k{i} = \"a\"\n")));
    loads_quickly("content/victim/game.toml", &many(10_000, |i| format!("[counters.k{i}]\nper=\"player\"\n")));
    loads_quickly("content/victim/game.toml", &many(4000, |i| format!("[zones.k{i}]\nper=\"player\"\n")));
    loads_quickly("content/victim/game.toml", &many(4000, |i| format!("[options.k{i}]\ndefault=true\n")));
    let labels = many(60_000, |i| format!("l{i}=\"x\"\n"));
    loads_quickly("content/victim/prompts.toml", &format!("[many]\ntext=\"x\"\n[many.labels]\n{labels}"));
    loads_quickly("content/victim/prompts.toml", &many(4000, |i| format!("[p{i}]\ntext=\"x\"\nlabels={{a=\"A\"}}\n")));
}

#[test]
fn many_mistakes_print_little() {
    loads_quickly(TEXT_FILE, &format!("line = \"{}\"\n", "{x}".repeat(2000)));
    loads_quickly(TEXT_FILE, &format!("line = \"{}\"\n", "{1:x}".repeat(2000)));
    loads_quickly(TEXT_FILE, &format!("line = [{}]\n", "1,".repeat(20_000)));
    loads_quickly(TEXT_FILE, &many(10_000, |i| format!("k{i} = 1\n")));
    loads_quickly("content/victim/game.toml", &many(5000, |i| format!("[counters.k{i}]\nper=\"plaier\"\n")));
    loads_quickly("content/victim/game.toml", &many(5000, |i| format!("x{i} = 1\n")));
    let calls = many(1500, |i| format!("gain(player, \"k{i}\", 1)\n"));
    loads_quickly(PHASES_FILE, &act("", &calls));
}

/// Terminal control characters in a text.
fn commands(text: &str) -> Vec<char> {
    // Output to a file or pipe has no colours.
    let hidden = |c: &char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(hidden).collect()
}

#[test]
fn no_control_character_reaches_the_terminal() {
    let osc = "\\u001b]0;PWNED\\u0007";
    for text in
        [osc, "\\u001b]52;c;aGk=\\u0007", "\\u009b2J", "\\u202e", "\\u2066", "\\r", "\\u0000", "\u{9b}2J", "\u{202e}"]
    {
        let project = Project::new(&[(TEXT_FILE, &format!("line = \"{text}{{1}}\"\n"))]);
        for command in
            [&["check", "victim"][..], &["play", "victim", "--seats", "random,random"], &["show", "victim"], &["games"]]
        {
            let run = project.lode(command);
            assert_eq!((commands(&run.out), commands(&run.err)), (vec![], vec![]), "{text} in {command:?}");
            if command[0] == "check" {
                run.code(1).says("evil/content/victim/texts.toml:1:8").says("error[hidden-character]");
            }
        }
    }
    for (file, text) in [
        ("mod.toml", format!("{MANIFEST}text = \"{osc}\"\n")),
        ("mod.toml", MANIFEST.replace("Evil", osc)),
        (TEXT_FILE, format!("\"k{osc}\" = \"a\"\n")),
        ("content/victim/game.toml", format!("name = \"{osc}\"\n")),
        ("content/victim/rules.md", "- V-1 \u{1b}]0;x\u{7}\n".to_owned()),
        (PHASES_FILE, act("", "error(\"\\27]0;PWNED\\7\\u{202e}\")")),
        (PHASES_FILE, act("", "log(\"line\", \"\\27]0;PWNED\\7\")")),
        (PHASES_FILE, "error(\"\\27]0;PWNED\\7\")".to_owned()),
        (PHASES_FILE, "return { [\"\\27]0;PWNED\\7\"] = {} }".to_owned()),
        (TEST_FILE, "return { [\"\\27]0;PWNED\\7\"] = function(t) error(\"\\27[2J\") end }".to_owned()),
        ("content/victim/\u{1b}]0;x\u{7}.toml", String::new()),
    ] {
        let project = Project::new(&[(file, &text)]);
        for command in [
            &["check", "victim"][..],
            &["play", "victim", "--seats", "random,random"],
            &["sim", "victim", "--games", "1"],
            &["games"],
            &["test", "victim"],
            &["rules", "victim"],
            &["explain", "victim"],
        ] {
            let run = project.lode(command);
            assert_eq!((commands(&run.out), commands(&run.err)), (vec![], vec![]), "{file}, {text:?} in {command:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_read() {
    let pipe = |path: &Path| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let project = Project::new(&[]);
    pipe(&project.path().join("evil").join(TEST_FILE));
    pipe(&project.path().join("tests/victim/pipe.luau"));
    pipe(&project.path().join("evil").join(TEXT_FILE));
    pipe(&project.path().join("content/victim/more.toml"));
    pipe(&project.path().join("one.zip"));
    std::os::unix::fs::symlink("/dev/zero", project.path().join("tests/victim/zero.luau")).unwrap();
    assert_ne!(project.lode_within(20, &["test", "victim"]).code, 0);
    project
        .lode_within(20, &["check", "victim"])
        .code(1)
        .says("evil/tests/victim/evil.luau")
        .says("this is not a regular file");
    fs::remove_file(project.path().join("content/victim/more.toml")).unwrap();
    run(project.path(), &["test", "victim"], b"").code(1).says("tests/victim/pipe.luau").says("zero.luau");
    run(project.path(), &["check", "victim", "--mod", "one.zip"], b"").code(1);
    run(project.path(), &["check", "victim", "--mod", "/dev/zero"], b"").code(1);
    run(project.path(), &["play", "victim", "--resume", "one.zip"], b"").code(2);
}

#[test]
fn a_zip_has_one_file_of_each_name() {
    let project = Project::new(&[]);
    let path = project.path().join("twice.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in
        [("mod.toml", MANIFEST), ("content/victim/texts.toml", "line = \"a\"\n"), ("content/victim/textz.toml", "")]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let name = b"textz.toml";
    while let Some(at) = bytes.windows(name.len()).position(|part| part == name) {
        bytes[at..at + name.len()].copy_from_slice(b"texts.toml");
    }
    fs::write(&path, bytes).unwrap();
    let run = run(project.path(), &["check", "victim", "--mod", "twice.zip"], b"").code(1);
    assert!(format!("{}{}", run.out, run.err).contains("several files of one name"), "{run:?}");
}

#[test]
fn a_failing_session_reports_its_error() {
    let script = act("", "error(\"broken\")");
    let project = Project::new(&[(PHASES_FILE, &script)]);
    for seats in ["random,random", "program,random", "random,program"] {
        let run = run(
            project.path(),
            &["stdio", "victim", "--seats", seats, "--mod", "evil"],
            b"{\"choose\":0}\n{\"choose\":0}\n",
        );
        let last = run.out.lines().last().unwrap_or_default();
        assert!(run.code == 0 || last.starts_with("{\"type\":\"error\""), "{seats}: {run:?}");
    }
    let setup = "return { setup = function() error(\"broken\") end }";
    let project = Project::new(&[("scripts/victim/game.luau", setup)]);
    project.lode(&["stdio", "victim"]).code(1).says("{\"type\":\"error\",\"reason\":");
}
