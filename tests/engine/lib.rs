//! Script functions shared by all scripts of a game.

use super::*;

const LIB: &str = r#"
local function price(p) return 1 + get(p, "gold") // 10 end
return {
    price = price,
    can_buy = function(p) return get(p, "gold") >= price(p) end,
    buy = function(p)
        pay(p, "gold", price(p))
        local x = choose(p, "pick", { "done", "more" })
        if x == "more" then gain(p, "gold", 5) end
        return x
    end,
    fail = function(p)
        error("out of order") -- line 13
    end,
}
"#;

const TURN: &str = "[a]\nname = \"A\"\nturns = \"once\"\n";

fn shop<'a>(script: &'a str) -> Pieces<'a> {
    Pieces { phases: TURN, phases_luau: script, lib_luau: LIB, ..Pieces::default() }
}

#[test]
fn lib_functions_read_write_and_ask() {
    let script = "return { a = { turn = function(p)
        if lib.can_buy(p) then set(game, \"log\", if lib.buy(p) == \"more\" then 1 else 2) end
        choose(p, \"pick\", { \"done\" })
    end } }";
    let mut m = shop(script).play(2);
    assert_eq!((seat(&m), value(&m, "gold", 1)), (0, 2));
    answer(&mut m, "more");
    assert_eq!((value(&m, "gold", 1), value(&m, "log", 0)), (7, 1));
    answer(&mut m, "done");
    answer(&mut m, "done");
    assert_eq!((value(&m, "gold", 2), value(&m, "log", 0)), (2, 2));
}

#[test]
fn every_script_sees_lib() {
    let m = Pieces {
        game: DECK,
        verbs: "[buy]\ntext = \"Buy.\"\nargs = { n = { type = \"integer\", default = 1 } }\n",
        phases: "[p]\nname = \"P\"\n",
        cards: "[red]\nname = \"Red\"\n",
        phases_luau: "return { p = { run = function() do_verb(\"buy\", 2, {}) choose(1, \"pick\", { \"done\" }) end } }",
        verbs_luau: "return { buy = function(p) lib.take(p, 1) end }",
        cards_luau: "local n = lib.two() return { red = {} }",
        game_luau: "return { setup = function() lib.take(1, lib.two()) end }",
        lib_luau: "return { take = function(p, n) pay(p, \"gold\", n) end, two = function() return 2 end }",
        ..Pieces::default()
    }
    .play(2);
    assert_eq!([value(&m, "gold", 1), value(&m, "gold", 2)], [1, 2]);
}

#[test]
fn a_fault_in_lib_names_its_line_and_its_caller() {
    let script = "return { a = { turn = function(p)\nlib.fail(p) end } }";
    let said = error(&shop(script), 2);
    assert_eq!(
        said,
        "scripts/pieces/lib.luau:13: out of order (called at scripts/pieces/phases.luau:2; in `a.turn` of `pieces`, player 1)"
    );
}

#[test]
fn lib_is_read_only() {
    for (write, says) in [
        ("local l = lib l.price = nil", "readonly"),
        ("local l, n = lib, \"x\" local f = l[n]", "no function of lib.luau `x`"),
        ("local l = lib table.clear(l)", "readonly"),
    ] {
        let said = error(&shop(&format!("return {{ a = {{ turn = function(p) {write} end }} }}")), 2);
        assert!(said.contains(says) && said.starts_with("scripts/pieces/phases.luau:1:"), "{write}: {said}");
    }
}

#[test]
fn budgets_apply_in_lib() {
    let mut pieces = shop("return { a = { turn = function(p) lib.spin() end } }");
    pieces.lib_luau = "return {\n    spin = function()\n        while true do end\n    end,\n}";
    let said = error(&pieces, 2);
    assert!(said.starts_with("scripts/pieces/lib.luau:3: spent its budget of"), "{said}");
}

/// Luau allows 200 local variables for the script and the engine's prelude together.
#[test]
fn a_large_lib_has_room_for_its_locals() {
    let (mut game, mut lib, mut table) = (String::new(), String::new(), String::new());
    for i in 0..60 {
        game += &format!("[counters.c{i}]\nper = \"player\"\n");
        lib += &format!("local function f{i}(p) gain(p, \"c{i}\", 1) set(p, \"c{i}\", get(p, \"c{i}\") + 1) end\n");
        table += &format!("f{i} = f{i}, ");
    }
    for i in 60..110 {
        lib += &format!("local x{i} = {i}\n");
    }
    lib += &format!("return {{ {table} last = function() return x109 end }}");
    let script = "return { p = { run = function() lib.f0(1) lib.f59(1) assert(lib.last() == 109) choose(1, \"pick\", { \"done\" }) end } }";
    let m =
        Pieces { game: &game, phases: "[p]\nname = \"P\"\n", phases_luau: script, lib_luau: &lib, ..Pieces::default() }
            .play(2);
    assert_eq!([value(&m, "c0", 1), value(&m, "c1", 1), value(&m, "c59", 1)], [2, 0, 2]);
}

/// A game whose `lib` is a folder of these files.
fn with_lib_folder(expression: &str, files: &[(&str, &str)]) -> Pack {
    let script = format!(
        "return {{ a = {{ turn = function(p) set(game, \"log\", {expression}) choose(p, \"pick\", {{ \"done\" }}) end }} }}"
    );
    let mut pack = Pieces { phases: TURN, phases_luau: &script, ..Pieces::default() }.pack();
    let file = |(name, text): &(&str, &str)| SourceFile {
        path: format!("scripts/pieces/lib/{name}.luau"),
        text: (*text).to_owned(),
    };
    pack.files.extend(files.iter().map(file));
    pack
}

const EVEN: (&str, &str) =
    ("a_even", "return { even = function(n) return n == 0 or lib.odd(n - 1) end, two = function() return 2 end }");
const ODD: (&str, &str) = (
    "odd",
    "local two = lib.two() return { odd = function(n) return n ~= 0 and lib.even(n - 1) end, far = function() return two end }",
);

#[test]
fn the_files_of_a_folder_form_one_lib() {
    let game = Game::load(&with_lib_folder("if lib.even(6) and lib.odd(7) then lib.far() else 0", &[EVEN, ODD]));
    let game = game.unwrap_or_else(|faults| panic!("{faults}"));
    let m = Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(value(&m, "log", 0), 2);
}

#[test]
fn faults_of_a_lib_folder_name_both_places() {
    let refused = |files: &[(&str, &str)]| Game::load(&with_lib_folder("1", files)).unwrap_err().to_string();
    let said = refused(&[EVEN, ("more", "return {\n    two = function() return 3 end,\n}")]);
    assert!(
        said.contains("scripts/pieces/lib/more.luau:2")
            && said.contains("function `lib.two` already exists, at scripts/pieces/lib/a_even.luau:1")
            && said.contains("rename one of them"),
        "{said}"
    );
    let mut both = with_lib_folder("1", &[EVEN]);
    both.files.push(SourceFile { path: "scripts/pieces/lib.luau".into(), text: "return {}".into() });
    both.files.sort_by(|a, b| a.path.cmp(&b.path));
    let said = Game::load(&both).unwrap_err().to_string();
    assert!(said.contains("`lib` is the file scripts/pieces/lib.luau as well as a folder"), "{said}");
}
