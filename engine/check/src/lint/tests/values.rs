//! What values are and where they go: sorts of values, texts that come to accessors through variables, fields, hooks.

use super::*;

/// Faults of several files, with their paths.
fn all(changed: &[(&str, &str)]) -> Vec<String> {
    let pack = pack("return {}", changed);
    let (d, found) = read(&pack);
    assert!(found.is_empty(), "{found}");
    let shown = |fault: &Diagnostic| format!("{} {}", fault.file.rsplit('/').next().unwrap(), shown(fault));
    let Findings { faults, unused, .. } = lint(&d, &found);
    faults.iter().chain(&unused).map(shown).collect()
}

#[test]
fn values_of_a_wrong_sort_are_told() {
    for (call, expected) in [
        ("get(\"p\", \"gold\")", "`holder` of `get` is a number, not a text"),
        ("get(p, 1)", "`counter` of `get` is a text, not a number"),
        ("set(p, \"gold\", \"2\" .. p)", "`value` of `set` is a number, not a text"),
        ("set(p, \"gold\", p > 1)", "`value` of `set` is a number, not true or false"),
        ("count(players())", "`zone` of `count` is a text, not a table"),
        ("move(nil, \"deck\")", "`token` of `move` is a number, not nil"),
        ("get(count, \"gold\")", "`holder` of `get` is a number, not a function"),
        ("choose(p, \"pick\", \"done\")", "`list` of `choose` is a table, not a text"),
        ("math.max(1, \"2\")", "`math.max` takes a number, not a text"),
        ("table.insert(\"x\", 1)", "`table.insert` takes a table, not a text"),
    ] {
        assert!(one(call).contains(expected), "{call}: {}", one(call));
    }
    clean(
        "local p = 1 draw(\"deck\", nil, \"hand\", p) get(game, \"clock\") set(p, \"gold\", -get(p, \"gold\") + 1) return {}",
    );
}

#[test]
fn functions_of_the_script_and_of_the_library_are_counted() {
    let script = |call: &str| format!("local function f(a, b: number?) return a, b end\n{call}\nreturn {{}}");
    assert_eq!(
        faults(&script("f()")),
        ["2:1 wrong-arguments: `f` takes at least 1 argument, not 0; call it as `f(a, b?)`"]
    );
    assert_eq!(faults(&script("f(1, 2, 3)")).len(), 1);
    clean(&script("f(1) f(1, 2) f(f(1))"));
    assert_eq!(faults("math.abs(1, 2) return {}"), ["1:6 wrong-arguments: `math.abs` takes 1 argument, not 2"]);
    clean("local f f = function() end f(1, 2) return {}");
    assert_eq!(
        faults("local f\nf(1) return {}"),
        ["2:1 unknown-name: `f` is never given a value; say what it is: `local f = ...`"]
    );
}

#[test]
fn names_are_followed_to_where_they_are_wanted() {
    let wrong = |script: &str| {
        let found = faults(script);
        assert_eq!(found.len(), 1, "{script}: {found:?}");
        assert!(found[0].contains("unknown-zone: unknown zone `dekc` in `count`; did you mean `deck`?"), "{found:?}");
    };
    wrong("local zone = \"dekc\" count(zone) return {}");
    wrong("local ZONES = { \"deck\", \"dekc\" } for i = 1, 2 do count(ZONES[i]) end return {}");
    wrong("local ZONES = { \"deck\", \"dekc\" } for _, zone in ZONES do count(zone) end return {}");
    wrong("local OF = { a = \"dekc\" } local zone = OF.a count(zone) return {}");
    wrong("local function f(zone) return count(zone) end f(\"dekc\") return {}");
    wrong("local function f() return if round() > 1 then \"deck\" else \"dekc\" end count(f()) return {}");
    wrong("local list = {} table.insert(list, \"dekc\") count(list[1]) return {}");
    wrong("local zone = \"deck\" if round() > 1 then zone = \"dekc\" end count(zone) return {}");
    // What it is compared with may be no zone, and what comes from elsewhere is not known.
    clean("local zone = \"none\" if zone ~= \"none\" then count(zone) end return {}");
    clean("local function f(zone) return count(zone) end f(zone_of(1)) f(\"de\" .. \"ck\") return {}");
    let lib = "return { size = function(zone) return count(zone) end }";
    let game = "return { setup = function() return lib.size(\"dekc\") end }";
    let found = all(&[("scripts/demo/lib.luau", lib), ("scripts/demo/game.luau", game)]);
    assert!(found.len() == 1 && found[0].starts_with("game.luau 1:45 unknown-zone"), "{found:?}");
}

#[test]
fn fields_must_be_set_somewhere() {
    let found = faults("local t = { row = 1 } local _ = t.rwo return {}");
    assert_eq!(
        found.iter().filter(|fault| fault.contains("rwo")).collect::<Vec<_>>(),
        ["1:35 unknown-field: nothing sets a field `rwo`; did you mean `row`?"]
    );
    assert_eq!(
        faults("local t = { height = 1, heigth = 2 } local _ = t.height return {}"),
        ["1:25 unknown-field: nothing reads a field `heigth`; did you mean `height`?"]
    );
    // Hooks are read by the engine.
    clean("local list = { \"turns\" } return { play = { turn = function() return list end } }");
    clean("local t = {} t.x = 1 t[\"y\"] = 2 local _ = t.x + t.y, (\"a\"):upper(), t.mine return {}");
}

#[test]
fn a_text_that_is_nearly_a_name_is_told() {
    assert_eq!(
        faults("local list = { \"silvr\" } return list"),
        ["1:16 unknown-name: nothing is called `silvr`; did you mean `silver`?"]
    );
    clean("local list = { \"silvr\", \"silvr\" } return list");
    clean("local list = { \"silver\", \"golden\" } return list");
}

#[test]
fn what_scripts_return_is_checked() {
    let verbs = "return { advance = function(p, args) local _ = args.stesp end, advanse = function() end }";
    let tiles = "return { mine = { operate = function(t, p, x) end, operat = function() end }, mien = {} }";
    let game = "return { setup = function(p) end }";
    let files = [
        ("scripts/demo/verbs.luau", verbs),
        ("scripts/demo/tiles.luau", tiles),
        ("scripts/demo/game.luau", game),
        ("scripts/demo/phases.luau", "return { plya = { trun = function() end, turn = function(a, b) end } }"),
    ];
    let mut found = all(&files);
    found.sort();
    assert_eq!(
        found,
        [
            "game.luau 1:10 wrong-arguments: hook of a game `setup` gets nothing, but this function has 1 parameter; write `setup = function()`",
            "phases.luau 1:10 unknown-definition: no phase `plya` is declared; did you mean `play`?",
            "phases.luau 1:19 unknown-hook: unknown hook of a phase `trun`; did you mean `run`?",
            "phases.luau 1:42 wrong-arguments: hook of a phase `turn` gets 1 argument, but this function has 2 parameters; write `turn = function(player)`",
            "tiles.luau 1:19 wrong-arguments: hook `operate` gets 2 arguments, but this function has 3 parameters; write `operate = function(token, player)`",
            "tiles.luau 1:52 unknown-hook: unknown hook `operat`; did you mean `operate`?",
            "tiles.luau 1:79 unknown-definition: no tiles `mien` is declared; did you mean `mine`?",
            "verbs.luau 1:53 unknown-field: verb `advance` takes no argument `stesp`; did you mean `steps`?",
            "verbs.luau 1:64 unknown-hook: unknown verb `advanse`; did you mean `advance`?",
        ]
    );
}

#[test]
fn arguments_of_verbs_are_checked_in_scripts() {
    assert_eq!(
        one("do_verb(\"advance\", p, { stesp = 1 })"),
        "2:25 unknown-field: verb `advance` takes no argument `stesp`; did you mean `steps`?"
    );
    clean(
        "local p = 1 do_verb(\"advance\", p, { steps = 1 }) do_verb(\"gain\", p, { amounts = { gold = 1 } }) return {}",
    );
}

#[test]
fn a_definition_that_alone_lacks_a_hook_is_told() {
    let places = "[hill]\nname = \"Hill\"\n[lake]\nname = \"Lake\"\n[moor]\nname = \"Moor\"\n";
    let found = |script: &str| all(&[("content/demo/places.toml", places), ("scripts/demo/places.luau", script)]);
    let hook = "{ visit = function() end }";
    assert_eq!(
        found(&format!("return {{ hill = {hook}, moor = {hook} }}")),
        ["places.toml 3:1 missing-script: `lake` has no `visit`, which all others of kind `places` have"]
    );
    assert_eq!(found(&format!("return {{ hill = {hook} }}")), Vec::<String>::new());
    let made = format!("local function f() return {hook} end return {{ hill = {hook}, moor = {hook}, lake = f() }}");
    assert_eq!(found(&made), Vec::<String>::new());
}

#[test]
fn the_zone_of_a_player_needs_the_player() {
    assert_eq!(
        one("count(\"hand\")"),
        "2:1 wrong-holder: `count` is not told whose zone `hand` is meant: every player has one; call it as `count(zone: Zone, player: number?): number`"
    );
    assert!(one("draw(\"deck\", game, \"hand\")").contains("whose zone `hand`"));
    clean("local p = 1 count(\"deck\") count(\"hand\", p) draw(\"deck\", game, \"hand\", p) return {}");
}

#[test]
fn tables_in_tables_take_no_time() {
    let script = format!("local t = {}1{} return t", "{ a = ".repeat(60), " }".repeat(60));
    clean(&script);
    let script = format!("local t = {}1{} return t", "{".repeat(60), "}".repeat(60));
    clean(&script);
}
