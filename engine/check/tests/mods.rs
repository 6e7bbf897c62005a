//! Tests of mods in memory, in folders and in zips.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use motherlode::{Game, Match, Mod, Pack, SourceFile};
use motherlode_check::check;
use motherlode_check::explain::explain;
use motherlode_fixtures::write;

const MANIFEST: &str = "id = 'alpha'\nversion = '1.0.0'\ngame = 'demo'\n";

const BASE: &[(&str, &str)] = &[
    (
        "content/demo/game.toml",
        "name = 'Demo'\nversion = '1.0.0'\nplayers = { min = 1, max = 1 }\n[[seats]]\nname = 'Ann'\n\
         [counters.gold]\nper = 'player'\nstart = 2\nmax = 99\n[kinds.cards]\ntokens = false\n\
         [kinds.cards.attributes]\ncost = { type = 'amounts', of = 'counter' }\n[outcome]\nscore = 'gold'\n",
    ),
    ("content/demo/cards.toml", "[lamp]\nname = 'Lamp'\ncost = { gold = 1 }\n"),
    ("content/demo/phases.toml", "[dig]\nname = 'Dig'\n"),
    ("scripts/demo/phases.luau", "return {\n    dig = { run = function() gain(1, 'gold', lib.worth()) end },\n}\n"),
    ("scripts/demo/lib.luau", "return { worth = function() return 3 end }\n"),
];

fn read_mod(manifest: &str, files: &[(&str, &str)]) -> Mod {
    let files = files.iter().copied().chain([("mod.toml", manifest)]);
    Mod::from_files(files).unwrap_or_else(|faults| panic!("{faults}"))
}

fn make_mod(id: &str, more: &str, files: &[(&str, &str)]) -> Mod {
    read_mod(&format!("id = '{id}'\nversion = '1.0.0'\ngame = 'demo'\n{more}\n"), files)
}

fn pack(mods: Vec<Mod>) -> Pack {
    Pack::from_files("demo", BASE.iter().copied()).over(mods)
}

fn game(mods: Vec<Mod>) -> Game {
    check(&pack(mods)).unwrap_or_else(|faults| panic!("{faults}")).game
}

fn faults(mods: Vec<Mod>) -> String {
    check(&pack(mods))
        .map_or_else(|faults| faults.to_string(), |checked| format!("no faults: {:?}", checked.game.mods()))
}

/// Returns the gold at the end of a game of one round.
fn gold(mods: Vec<Mod>) -> i32 {
    let limited = make_mod("one_round", "", &[("content/demo/game.toml", "rounds = 1\n")]);
    let game = game(mods.into_iter().chain([limited]).collect());
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    m.outcome().unwrap().scores[0]
}

#[test]
fn a_known_id_is_patched_and_an_unknown_one_added() {
    let cards = "[lamp]\ncost = { gold = 4 }\n[rope]\nname = 'Rope'\ncost = {}\n";
    let game = game(vec![make_mod("alpha", "", &[("content/demo/cards.toml", cards)])]);
    let ids: Vec<&str> = game.declarations().definitions.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["lamp", "rope"]);
    assert_eq!(game.declarations().definitions[0].name, "Lamp", "other keys keep their values");
    assert_eq!(game.mods()[0].to_string(), "alpha 1.0.0");
}

#[test]
fn a_removed_definition_can_be_added_again() {
    let remove = "remove = ['cards.lamp.cost']";
    let cards = "[lamp]\ncost = {}\n";
    let whole = game(vec![make_mod("alpha", remove, &[("content/demo/cards.toml", cards)])]);
    assert_eq!(format!("{:?}", whole.declarations().definitions[0].attributes), "[Map({})]");
    let fault = faults(vec![make_mod("alpha", remove, &[])]);
    assert!(fault.contains("[missing-key]") && fault.contains("needs `cost`"), "{fault}");
}

#[test]
fn functions_are_replaced_and_wrapped_in_mod_order() {
    let twice = [("scripts/demo/lib.luau", "return { worth = wrap(function(original) return original() * 2 end) }")];
    let more = [("scripts/demo/lib.luau", "return { worth = wrap(function(original) return original() + 1 end) }")];
    let none = [("scripts/demo/phases.luau", "return { dig = { run = replace(function() gain(1, 'gold', 1) end) } }")];
    let own = "local function one() return lib.worth() // 3 end\nreturn { one = one }";
    let uses = [
        ("scripts/demo/lib.luau", own),
        (
            "scripts/demo/phases.luau",
            "return { dig = { run = wrap(function(original) original() gain(1, 'gold', lib.one()) end) } }",
        ),
    ];
    assert_eq!(gold(vec![]), 5);
    assert_eq!(gold(vec![make_mod("a", "", &twice)]), 8);
    assert_eq!(gold(vec![make_mod("a", "", &twice), make_mod("b", "", &more)]), 9, "(3 * 2) + 1");
    assert_eq!(gold(vec![make_mod("b", "", &more), make_mod("a", "load_after = ['b']", &twice)]), 10, "(3 + 1) * 2");
    assert_eq!(gold(vec![make_mod("a", "", &none)]), 3);
    assert_eq!(gold(vec![make_mod("a", "", &uses)]), 6);
}

#[test]
fn mods_are_sorted_by_dependencies_then_ids() {
    let mods = || {
        vec![
            make_mod("delta", "", &[]),
            make_mod("alpha", "load_after = ['gamma', 'absent']", &[]),
            make_mod("gamma", "requires = ['delta']", &[]),
            make_mod("beta", "", &[]),
        ]
    };
    let ids = |mods: Vec<Mod>| -> Vec<String> { pack(mods).mods().iter().map(|one| one.id().to_owned()).collect() };
    let expected = ["beta", "delta", "gamma", "alpha"];
    assert_eq!(ids(mods()), expected);
    assert_eq!(ids(mods().into_iter().rev().collect()), expected);
    let prints = |mods: Vec<Mod>| pack(mods).fingerprint();
    assert_eq!(prints(mods()), prints(mods().into_iter().rev().collect()));
    assert_ne!(prints(mods()), prints(mods().into_iter().skip(1).collect()));
}

#[test]
fn a_mod_may_change_settings_of_a_mod_that_it_depends_on() {
    let cards = |cost: &str| format!("[lamp]\ncost = {{ gold = {cost} }}\n");
    let (one, two, three) = (cards("2"), cards("3"), cards("4"));
    let alpha = make_mod("alpha", "", &[("content/demo/cards.toml", &one)]);
    let beta = |more: &str| make_mod("beta", more, &[("content/demo/cards.toml", &two)]);
    let gamma = make_mod("gamma", "requires = ['beta']", &[("content/demo/cards.toml", &three)]);
    let knowing = pack(vec![alpha.clone(), beta("load_after = ['alpha']"), gamma]);
    assert!(check(&knowing).is_ok(), "gamma knows alpha through beta");
    let explained = explain(&knowing, "lamp.cost").unwrap();
    assert_eq!((explained.len(), explained[0].path.as_str()), (1, "cards.lamp.cost.gold"));
    let settings: Vec<String> = explained[0]
        .settings
        .iter()
        .map(|s| format!("{} {} {}:{}", s.layer, s.value.as_deref().unwrap_or("-"), s.place.file, s.place.line))
        .collect();
    assert_eq!(
        settings,
        [
            "0 1 content/demo/cards.toml:3",
            "1 2 alpha/content/demo/cards.toml:2",
            "2 3 beta/content/demo/cards.toml:2",
            "3 4 gamma/content/demo/cards.toml:2"
        ]
    );
    let unknowing = faults(vec![alpha, beta("")]);
    assert!(unknowing.contains("beta/content/demo/cards.toml:2:10: error[two-mods]"), "{unknowing}");
    assert!(
        unknowing.contains("`cards.lamp.cost.gold`; `alpha` sets it at alpha/content/demo/cards.toml:2:10"),
        "{unknowing}"
    );
    assert_eq!(
        explain(&knowing, "lmap.cost").unwrap_err().to_string(),
        "nothing sets `lmap.cost`; did you mean `lamp`?"
    );
    let gold = explain(&knowing, "gold").unwrap();
    assert!(!gold.is_empty() && gold.iter().all(|one| one.path.starts_with("counters.gold")));
    assert_eq!(explain(&knowing, "lamp.cst").unwrap_err().help.as_deref(), Some("did you mean `cost`?"));
}

#[test]
fn a_mod_may_contain_the_game() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("content")).unwrap();
    let whole = make_mod("alpha", "", BASE);
    let patch = make_mod("beta", "requires = ['alpha']", &[("content/demo/cards.toml", "[lamp]\nname = 'Lantern'\n")]);
    let pack = Pack::with_mods(root.path(), "demo", vec![patch.clone(), whole]).unwrap();
    let game = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(game.declarations().definitions[0].name, "Lantern");
    let alone = Pack::with_mods(root.path(), "demo", vec![patch]).unwrap_err();
    assert!(
        alone.to_string().starts_with("beta/mod.toml:3:8: error[unknown-game]: there is no game `demo`"),
        "{alone}"
    );
}

/// Makes a folder with a mod, and a path for a zip.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("alpha");
    write(path.join("mod.toml"), MANIFEST);
    write(path.join("content/demo/cards.toml"), "[lamp]\nname = 'Lantern'\n");
    (root, path)
}

fn zip(path: &Path, files: &[(&str, &[u8])], link: Option<(&str, &str)>) {
    let mut zip = ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    if let Some((name, target)) = link {
        zip.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
    }
    zip.finish().unwrap();
}

/// Returns the files of a mod except mod.toml.
fn files_of(one: &Mod) -> Vec<&SourceFile> {
    one.files().skip(1).collect()
}

fn shown_faults(one: &Mod) -> Vec<String> {
    one.faults().iter().map(|fault| format!("{}[{}]: {}", fault.file, fault.code, fault.message)).collect()
}

#[test]
fn a_zip_equals_its_folder() {
    let (root, path) = folder();
    let cards: &[u8] = b"[lamp]\nname = 'Lantern'\n";
    let files: [(&str, &[u8]); 2] = [("mod.toml", MANIFEST.as_bytes()), ("content/demo/cards.toml", cards)];
    let flat = root.path().join("flat.zip");
    zip(&flat, &files, None);
    let nested = root.path().join("nested.zip");
    let inner = [("alpha-1.0/mod.toml", files[0].1), ("alpha-1.0/content/demo/cards.toml", cards)];
    zip(&nested, &inner, None);
    let opened: Vec<Mod> = [&path, &flat, &nested].map(|path| Mod::open(path).unwrap()).into();
    for one in &opened {
        assert!(one.faults().is_empty(), "{:?}", shown_faults(one));
        assert_eq!((one.exactly(), files_of(one)), (opened[0].exactly(), files_of(&opened[0])));
    }
    assert_eq!(game(vec![opened[1].clone()]).declarations().definitions[0].name, "Lantern");
}

#[test]
fn paths_that_lead_out_of_a_zip_are_refused() {
    let (root, _) = folder();
    let path = root.path().join("bad.zip");
    let outside: [(&str, &[u8]); 4] = [
        ("mod.toml", MANIFEST.as_bytes()),
        ("../evil.toml", b"x = 1"),
        ("/content/demo/evil.toml", b"x = 1"),
        ("content/demo/../../../evil.toml", b"x = 1"),
    ];
    zip(&path, &outside, Some(("content/demo/cards.toml", "/etc/passwd")));
    let one = Mod::open(&path).unwrap();
    assert_eq!(
        shown_faults(&one),
        [
            "bad.zip[outside]: `../evil.toml` leads out of the mod",
            "bad.zip[outside]: `/content/demo/evil.toml` leads out of the mod",
            "bad.zip[outside]: `content/demo/../../../evil.toml` leads out of the mod",
            "bad.zip[outside]: `content/demo/cards.toml` leads out of the mod",
        ]
    );
    assert!(files_of(&one).is_empty());
    assert!(faults(vec![one]).contains("bad.zip:1:1: error[outside]"));
}

#[test]
fn a_zip_bomb_is_refused() {
    let (root, _) = folder();
    let path = root.path().join("bomb.zip");
    let big = vec![b'#'; 8 << 20];
    zip(&path, &[("mod.toml", MANIFEST.as_bytes()), ("content/demo/cards.toml", &big)], None);
    let one = Mod::open(&path).unwrap();
    assert_eq!(shown_faults(&one), ["alpha/content/demo/cards.toml[too-large]: the file is larger than 128 KiB"]);
}

#[test]
fn a_file_that_is_no_zip_is_an_error() {
    let (root, _) = folder();
    let path = root.path().join("plain.zip");
    for bytes in [b"".as_slice(), b"PK\x03\x04", &[0; 4096], b"not a zip"] {
        fs::write(&path, bytes).unwrap();
        let fault = Mod::open(&path).unwrap_err();
        let why = "plain.zip:1:1: error[unreadable]: this is not a zip, or it is damaged";
        assert!(fault.to_string().starts_with(why), "{fault}");
    }
    let fault = Mod::open(&root.path().join("alpha/mod.toml")).unwrap_err();
    assert!(fault.to_string().contains("a file of the mod, not its folder"), "{fault}");
    let fault = Mod::open(&root.path().join("absent")).unwrap_err();
    assert!(fault.to_string().contains("there is no such folder or zip"), "{fault}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_folder_are_refused() {
    use std::os::unix::fs::symlink;
    let (root, path) = folder();
    let secret = root.path().join("secret");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("stolen.toml"), "secret = 1").unwrap();
    symlink(secret.join("stolen.toml"), path.join("content/demo/stolen.toml")).unwrap();
    symlink(&secret, path.join("scripts")).unwrap();
    symlink(&path, path.join("content/loop")).unwrap();
    symlink("cards.toml", path.join("content/demo/twin.toml")).unwrap();
    let one = Mod::open(&path).unwrap();
    assert_eq!(
        shown_faults(&one),
        [
            "alpha[outside]: `content/demo/stolen.toml` leads out of the mod",
            "alpha[outside]: `content/loop` leads out of the mod",
            "alpha[outside]: `scripts` leads out of the mod",
        ]
    );
    let paths: Vec<&str> = files_of(&one).iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["alpha/content/demo/cards.toml", "alpha/content/demo/twin.toml"]);
    assert!(files_of(&one).iter().all(|file| !file.text.contains("secret")));
}

#[test]
fn a_failing_function_is_reported_in_the_file_of_its_layer() {
    let fault = |script: &str| {
        let limit = ("content/demo/game.toml", "rounds = 1\n");
        let game = game(vec![make_mod("alpha", "", &[("scripts/demo/phases.luau", script), limit])]);
        let setup = game.setup(None, &[], 1).unwrap();
        Match::new(&game, &setup).unwrap_err().to_string()
    };
    let own = fault(
        "return {\n    dig = { run = wrap(function(original)\n        original()\n        gain(1, 'gold', 500)\n    end) },\n}\n",
    );
    assert!(own.starts_with("alpha/scripts/demo/phases.luau:4: "), "{own}");
    let beneath = fault(
        "return {\n    dig = { run = wrap(function(original)\n        set(1, 'gold', 98)\n        original()\n    end) },\n}\n",
    );
    assert!(beneath.starts_with("scripts/demo/phases.luau:2: "), "{beneath}");
}

#[test]
fn values_that_are_the_ids_of_a_kind_grow_with_it() {
    let counter = "[counters.held]\nper = 'player'\nvalues = 'cards'\nstart = 'rope'\ncolours = ['', 'red']\n";
    let cards = "[rope]\nname = 'Rope'\ncost = {}\n";
    let files = [("content/demo/game.toml", counter), ("content/demo/cards.toml", cards)];
    let game = game(vec![make_mod("alpha", "", &files)]);
    let held = &game.declarations().counters["held"];
    assert_eq!((held.values.join(" ").as_str(), held.max), ("none lamp rope", 2));
    let text = |counter: &str, cards: &str| {
        faults(vec![make_mod("alpha", "", &[("content/demo/game.toml", counter), ("content/demo/cards.toml", cards)])])
    };
    let wrong = text(&counter.replace("'cards'", "'crads'"), cards);
    assert!(wrong.contains("unknown kind or grid `crads`") && wrong.contains("did you mean `cards`?"), "{wrong}");
    let none = text(counter, &cards.replace("rope]", "none]"));
    assert!(none.contains("[duplicate]") && none.contains("has a definition `none`"), "{none}");
    let many = text(&counter.replace("['', 'red']", "['', 'red', '', '']"), cards);
    assert!(many.contains("[wrong-length]"), "{many}");
}

#[test]
fn a_fault_at_load_has_its_own_line_despite_inlining() {
    let script = "local function number(name)\n    return value('held', name)\nend\nlocal n = number('rpoe')\n\
                  return { dig = { run = wrap(function(original) original() gain(1, 'gold', n) end) } }\n";
    let counter = "[counters.held]\nper = 'player'\nvalues = 'cards'\n";
    let text = faults(vec![make_mod(
        "alpha",
        "",
        &[("content/demo/game.toml", counter), ("scripts/demo/phases.luau", script)],
    )]);
    assert!(text.contains("alpha/scripts/demo/phases.luau:2:"), "{text}");
}

#[test]
fn a_broken_lib_causes_no_faults_in_other_scripts() {
    let lib = "assert(false, 'one for each place')\nreturn { more = function() return 1 end }";
    let uses = "local worth = lib.more() + 1\nreturn {}";
    let files = [("scripts/demo/lib.luau", lib), ("scripts/demo/cards.luau", uses)];
    let text = faults(vec![make_mod("alpha", "", &files)]);
    assert!(text.contains("one for each place"), "{text}");
    assert!(!text.contains("cards.luau"), "{text}");
}

#[test]
fn phases_of_a_mod_are_inserted_as_declared() {
    let phases =
        "[rest]\nname = 'Rest'\n[wake]\nname = 'Wake'\nbefore = 'dig'\n[wash]\nname = 'Wash'\nafter = 'wake'\n";
    let script =
        "local function none() end\nreturn { rest = { run = none }, wake = { run = none }, wash = { run = none } }";
    let files = [("content/demo/phases.toml", phases), ("scripts/demo/phases.luau", script)];
    let game = game(vec![make_mod("alpha", "", &files)]);
    assert_eq!(game.declarations().phases.keys().collect::<Vec<_>>(), ["wake", "wash", "dig", "rest"]);
}
