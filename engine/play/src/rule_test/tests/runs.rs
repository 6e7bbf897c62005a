//! Test files, their helpers, and whole runs.

use motherlode_fixtures::write;

use super::*;

#[test]
fn a_test_file_is_a_guest() {
    let noughts = samples::noughts();
    let wrong = |body: &str| wrong(&noughts, body);
    assert_eq!(wrong("while true do end"), "more than 10000000 steps: the test may never end");
    assert_eq!(
        wrong("t.error('', function() while true do end end)"),
        "more than 10000000 steps: the test may never end"
    );
    assert_eq!(
        wrong("for _ = 1, 1e9 do t.equal(1, 1) end"),
        "the test does too much work: its calls and answers take more than 1000000 steps"
    );
    let said = wrong("local x = {} while true do table.insert(x, table.create(5000, 1)) end");
    assert_eq!(said, "ran out of memory");
    for search in [
        "string.find(string.rep('a', 6e4), string.rep('a', 1e4) .. 'b', 1, true)",
        "string.find(string.rep('a', 9000), string.rep('a-', 50) .. 'b')",
    ] {
        assert_eq!(wrong(search), "more than 10000000 steps: the test may never end", "{search}");
    }
    for long in [
        "local s = string.rep('a', 60000) while true do utf8.len(s) end",
        "local s = string.rep('a', 15000) while true do tonumber(s) end",
        "local s = string.rep('a', 60000) while true do s = s:reverse() end",
        "local s = string.rep('a', 1000) while true do s:match('a.-b') end",
        "local s, n = string.rep('1', 2000), 0 while true do n += s end",
        "local s = string.rep('1', 60000) while true do tonumber(s) end",
        "local t = table.create(250, string.rep('1', 2000)) while true do math.max(unpack(t)) end",
    ] {
        let begin = std::time::Instant::now();
        let said = wrong(long);
        // The message depends on the time of garbage collection.
        let ends = ["more than 10000000 steps: the test may never end", "ran out of memory"];
        assert!(ends.contains(&said.as_str()), "{long}: {said}");
        assert!(begin.elapsed() < std::time::Duration::from_secs(8), "{long}: {:?}", begin.elapsed());
    }
    for global in [
        "os",
        "io",
        "debug",
        "require",
        "loadstring",
        "getfenv",
        "pcall",
        "coroutine",
        "buffer",
        "setmetatable",
        "rawset",
        "_G",
        "print",
    ] {
        assert_eq!(message(&noughts, &format!("t.equal({global}, nil) t.left()")), "", "{global}");
    }
    let random = "attempt to call a nil value: tests have no `math.random`; fix random results with `t.random`";
    assert_eq!(wrong("math.random()"), random);
    let clock = "attempt to index nil with 'time': tests have no `os`; scripts have no clock and no system: use \
        `round()` and counters";
    assert_eq!(wrong("os.time()"), clock);
    assert_eq!(wrong("t.round = nil"), "attempt to modify a readonly table");
}

#[test]
fn every_failure_has_a_line_and_a_text() {
    let noughts = samples::noughts();
    for (line, source, told) in [
        (3, "\n\nerror({})", "a failure must be a string, not a table"),
        (3, "\n\nassert(nil, true)", "a failure must be a string, not a boolean"),
        (2, "\nassert(false)", "assertion failed!"),
        (2, "\nassert()", "missing argument #1 to 'assert'"),
        (2, "\nerror('\\27[2J')", "\u{fffd}[2J"),
        (2, "\nlocal all = {} while true do all[#all + 1] = table.create(1000, 1) end", "ran out of memory"),
        (2, "\ntable.sort(table.create(200000, 1))", "table.sort: list too long"),
    ] {
        for (text, first) in [
            (format!("{source}\nreturn {{}}"), line),
            (format!("local function f() {source}\nend return {{ [\"x\"] = function(t) f() end }}"), line),
        ] {
            let results = run_text(&noughts, "tests/x.luau", &text, None);
            assert_eq!((results[0].line, results[0].message.lines().next()), (first, Some(told)), "{text}");
        }
    }
    assert!(wrong(&noughts, "error(string.rep('x', 100000))").len() < 2100);
}

#[test]
fn random_play_and_offered_choices() {
    let source = r#"return {
        ["N-1 every game ends"] = function(t)
            local first = {}
            for seed = 1, 40 do
                t.setup()
                t.equal(t.offered(2), nil)
                t.equal(t.offered(1), { "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3" })
                t.equal(t.play_at_random(1, seed), 1)
                t.equal(#t.offered(2), 8)
                for _, cell in { "a1", "b2", "c3" } do
                    if t.state(cell, "mark") == 1 then first[cell] = true end
                end
                local more = t.play_at_random(20, seed)
                t.equal(more >= 4 and more <= 8, true)
                t.over()
                t.equal(t.play_at_random(20, seed), 0)
            end
            t.equal(first, { a1 = true, b2 = true, c3 = true })
        end,
        ["N-2 a seed plays the same game"] = function(t)
            local function played(seed)
                t.setup() t.play_at_random(4, seed)
                return t.offered(1)
            end
            t.equal(played(7), played(7))
            t.left()
        end,
    }"#;
    for result in run_text(&samples::noughts(), "tests/noughts.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    let noughts = samples::noughts();
    assert_eq!(wrong(&noughts, "t.play_at_random(3)"), "seed: expected a whole number, got nil");
    assert_eq!(wrong(&noughts, "t.play_at_random(3, -1)"), "seed: expected a number from 0");
    assert_eq!(wrong(&noughts, "t.offered(3)"), "unknown player 3: use 1 to 2");
}

#[test]
fn progress_counts_the_tests_of_each_file() {
    let file =
        |name: &str, text: &str| SourceFile { path: format!("tests/noughts/{name}.luau"), text: text.to_owned() };
    let body = "function(t) t.setup {} t.round(1) t.left() end";
    let one = file("a", &format!("return {{\n[\"N-1 a\"] = {body},\n[\"N-2 b\"] = {body},\n}}"));
    let two = file("b", &format!("return {{\n[\"N-3 a\"] = {body},\n}}"));
    let files = TestFiles::of([one, two]);
    for (part, each) in [("", [2, 1]), ("N-1", [1, 0]), ("n-3 A", [0, 1])] {
        let mut counts = Vec::new();
        let results = files.run_observed(&samples::noughts(), TestFilter::Named(part), &mut |count| counts.push(count));
        assert_eq!((counts, results.len()), (each.to_vec(), files.count_named(part)), "{part}");
    }
}

/// Runs one test with the table of `lib`; returns file, line and message of its result.
fn with_lib(lib: &str, body: &str) -> (String, u32, String) {
    let source = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    let test = source("tests/noughts/x.luau", format!("return {{ [\"x\"] = function(t)\n{body}\nend }}"));
    let sources = TestFiles::of([test, source("tests/noughts/lib.luau", lib.to_owned())]);
    let results = sources.run(&samples::noughts(), TestFilter::All);
    let [result] = results.as_slice() else { panic!("one result: {results:?}") };
    (result.file.clone(), result.line, result.message.lines().take(2).collect::<Vec<_>>().join("|"))
}

#[test]
fn helpers_are_seen_by_every_test() {
    const LIB: &str = "local function start(t)\n  t.setup {}\n  t.round(1) t.left()\nend\nreturn {\n  start = start, \
        all = function(t) lib.start(t)\n  t.round(2) end,\n  break_it = function() return nil + 1 end, most = 9 }";
    let with_lib = |body: &str| with_lib(LIB, body);
    let said = |file: &str, line, message: &str| (file.to_owned(), line, message.to_owned());
    assert_eq!(with_lib("lib.start(t) t.equal(lib.most, 9)"), said("tests/noughts/x.luau", 1, ""));
    assert_eq!(
        with_lib("\nlib.all(t)"),
        said("tests/noughts/lib.luau", 7, "the round is 1, expected 2|  called from line 3 of the test file")
    );
    assert_eq!(
        with_lib("lib.start(t)\nlib.break_it()"),
        said(
            "tests/noughts/lib.luau",
            8,
            "attempt to perform arithmetic (add) on nil and number|  called from line 3 of the test file"
        )
    );
    assert_eq!(with_lib("lib.strat(t)"), said("tests/noughts/x.luau", 2, "unknown lib.strat, did you mean `start`?"));
    assert_eq!(with_lib("lib.start = nil").2, "attempt to modify a readonly table");
    assert_eq!(with_lib("lib.start(t)\nt.round(3)").1, 3);
}

#[test]
fn faulty_helpers_are_named() {
    let said = |lib: &str| with_lib(lib, "t.setup {} t.round(1) t.left()");
    let told = |line, message: &str| ("tests/noughts/lib.luau".to_owned(), line, message.to_owned());
    assert_eq!(said("return {\n x = = 1 }"), told(2, "Expected identifier when parsing expression, got '='"));
    assert_eq!(said("return 3"), told(0, "the file must return a table of functions by name, not 3"));
    assert_eq!(said("\nlocal x = nil\nreturn x.y"), told(3, "attempt to index nil with 'y'"));
    assert_eq!(said("while true do end").1, 1);
}

#[test]
fn files_are_found_in_order() {
    let root = std::env::temp_dir().join(format!("lode-rule-tests-{}", std::process::id()));
    let folder = root.join("tests/noughts");
    for name in ["b.luau", "a.luau", "notes.md"] {
        write(folder.join(name), "return {}");
    }
    let lib = "return { check = function(t) t.setup {} t.round(1) t.left() end }";
    write(folder.join("lib.luau"), lib);
    write(folder.join("more/c.luau"), "return { x = function(t) lib.check(t) end }");
    write(folder.join("more/d.luau"), [0xff]);
    let found = TestFiles::read(&root, "noughts").unwrap();
    let none = TestFiles::read(&root, "nobody").unwrap();
    std::fs::remove_dir_all(&root).unwrap();
    let names: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["tests/noughts/a.luau", "tests/noughts/b.luau", "tests/noughts/more/c.luau"]);
    let wanted = |file: &SourceFile, body: &str| file.path.ends_with("c.luau") && body.contains("check");
    let filter = TestFilter::Touched { is_wanted: &wanted, ids: &BTreeSet::new() };
    let results = found.run(&samples::noughts(), filter);
    let [unread, with_lib] = results.as_slice() else { panic!("{results:?}") };
    assert!(unread.message.starts_with("cannot be read: "), "{unread:?}");
    assert!(with_lib.passed, "{with_lib:?}");
    assert!(none.is_empty());
}

#[test]
fn touched_runs_only_changed_definitions() {
    let source = r#"return {
        each = function(t)
            t.setup()
            for _, card in t.each("cards") do
                t.equal(card, "red")
            end
            t.left()
        end,
    }"#;
    let tests = TestFiles::of([SourceFile { path: "tests/noughts/each.luau".to_owned(), text: source.to_owned() }]);
    let passes = |ids: &[&str]| {
        let ids: BTreeSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let filter = TestFilter::Touched { is_wanted: &|_, _| true, ids: &ids };
        let results = tests.run(&samples::guess(), filter);
        let [result] = results.as_slice() else { panic!("{results:?}") };
        assert!(result.passed || result.message.contains("red"), "{result:?}");
        result.passed
    };
    assert!(passes(&["red"]) && !passes(&["blue"]) && !passes(&["red", "blue"]));
    assert!(!passes(&[]) && !passes(&["take"]), "no definition: all of them");
}

#[test]
fn automatic_answers_may_be_answered_too() {
    let source = r#"return {
        ["in any order of sealed answers"] = function(t)
            t.setup()
            for player = 1, 3 do t.put("hand", player, { "red", if player == 2 then nil else "blue" }) end
            t.go("secret")
            t.answer(3, "blue")
            t.prompt(2, "give") t.choices(2, { "red" }) t.offers(2, "red") t.refuses(2, "blue")
            t.answer(1, "blue")
            t.answer(2, "red")
            t.zone("given", 2, { "red" })
            -- Then one after the other, all by themselves, in the same step.
            t.answer(1, "red")
            t.error("nothing to answer; answered automatically: give: red", function() t.answer(3, "blue") end)
            t.answer(3, "red")
            t.error("nothing to answer", function() t.answer(3, "red") end)
            t.over()
        end,
        ["or be left out"] = function(t)
            t.setup { players = 2 }
            t.put("hand", 1, { "blue" }) t.put("hand", 2, { "red", "blue" })
            t.go("open")
            t.answer(2, "red")
            t.error("nothing to answer", function() t.answer(1, "blue") end)
            t.over()
        end,
        ["a claim passes over what was before"] = function(t)
            t.setup { players = 2 }
            t.put("hand", 1, { "blue" }) t.put("hand", 2, { "red", "blue" })
            t.go("open")
            t.equal(t.offered(1), nil)
            t.answer(1, "because")
            t.error("nothing to answer", function() t.answer(1, "blue") end)
            t.answer(2, "blue") t.answer(2, "because")
            t.over()
        end,
    }"#;
    for result in run_text(&samples::giving(), "tests/giving.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    let said = message(&samples::giving(), "t.put('hand', 1, { 'blue' }) t.go('open') t.round(9)");
    assert!(said.contains("last answers: player 1 blue (automatic), player 1 because (automatic)"), "{said}");
}
