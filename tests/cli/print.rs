//! `lode print`: sheets of cards, boards and rules. The tests of PDF and PNG need an installed browser.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use motherlode::declare::Holder;
use motherlode_fixtures::{copy, write};
use serde_json::Value;

use super::program::{Run, packs, run};
use crate::shipped::{SHIPPED, load, root};

fn lode(folder: &Path, arguments: &[&str]) -> Run {
    run(folder, &[&["print"], arguments].concat(), b"")
}

/// The data of a printed page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Prints HTML and returns its data.
fn printed(folder: &Path, arguments: &[&str]) -> Value {
    let file = tempfile::Builder::new().suffix(".html").tempfile().unwrap();
    let name = file.path().to_str().unwrap();
    lode(folder, &[arguments, &["--out", name, "--force"]].concat()).code(0).says("wrote");
    data(&fs::read_to_string(file.path()).unwrap())
}

/// Number of cards of each kind.
fn counts(data: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for card in data["sheets"].as_array().unwrap().iter().flat_map(|sheet| sheet["cards"].as_array().unwrap()) {
        let (kind, _) = card.as_str().unwrap().split_once('.').unwrap();
        *counts.entry(kind.to_owned()).or_default() += 1;
    }
    counts
}

/// Width and height of the cards on each sheet, without repetition.
fn sizes(data: &Value) -> Vec<(f64, f64)> {
    let sheets = data["sheets"].as_array().unwrap().iter();
    let mut sizes: Vec<_> =
        sheets.map(|sheet| (sheet["width"].as_f64().unwrap(), sheet["height"].as_f64().unwrap())).collect();
    sizes.dedup();
    sizes
}

#[test]
fn every_game_prints_as_many_copies_as_it_declares() {
    for id in SHIPPED {
        let game = load(root(), id);
        let d = game.declarations();
        let found = counts(&printed(root(), &[id]));
        assert!(!found.is_empty(), "{id}");
        for (index, (name, kind)) in d.kinds.iter().enumerate() {
            let sets = if kind.per == Holder::Player && kind.tokens { usize::from(d.players.max) } else { 1 };
            let copies: usize = d.definitions_of(index).iter().map(|one| usize::from(one.copies) * sets).sum();
            match found.get(name) {
                Some(count) => assert_eq!(*count, copies, "{id}: {name}"),
                None => assert!(!kind.tokens, "{id}: the cards of {name} are missing"),
            }
        }
        let single = counts(&printed(root(), &[id, "--single"]));
        for (kind, count) in single {
            assert_eq!(count, d.kinds[&kind].len, "{id}: {kind}");
        }
    }
}

const MINE: [&str; 4] = ["mine_level_1", "mine_level_2", "mine_level_3", "mine_level_4"];

#[test]
fn the_cards_of_a_mine_are_136() {
    let data = printed(root(), &[&["imperial_miners"], &MINE[..]].concat());
    assert_eq!(counts(&data).into_values().collect::<Vec<_>>(), [36, 43, 43, 14]);
    assert_eq!(data["summary"], "136 cards on 16 sheets");
    assert_eq!(sizes(&data), [(63.5, 88.9)]);
    assert_eq!((&data["rules"], data["boards"].as_array().unwrap().len()), (&Value::Null, 0));
    let whole = printed(root(), &["imperial_miners"]);
    assert_eq!(whole["rules"], "booklet");
    assert_eq!(whole["boards"].as_array().unwrap().len(), 0, "cards lie on the only board");
    assert_eq!(sizes(&whole), [(63.5, 88.9), (70.0, 120.0), (44.0, 67.0)]);
}

#[test]
fn sizes_backs_players_and_paper_follow_the_command() {
    let data =
        printed(root(), &["imperial_miners", "events", "--size", "mini", "--paper", "letter", "--backs", "none"]);
    assert_eq!(sizes(&data), [(44.0, 67.0)]);
    assert_eq!((&data["paper"]["width"], &data["backs"]), (&Value::from(215.9), &Value::from(false)));
    let data =
        printed(root(), &["imperial_miners", "--size", "tarot", "--size", "events=mini", "--size", "factions=tile"]);
    assert_eq!(sizes(&data), [(70.0, 120.0), (45.0, 45.0), (44.0, 67.0)]);
    assert_eq!(counts(&data)["factions"], 6);
    assert_eq!(counts(&printed(root(), &["imperial_miners", "factions"]))["factions"], 6, "a named kind is printed");
    let two = counts(&printed(root(), &["krysis", "transporters", "--players", "2"]))["transporters"];
    assert_eq!(two * 2, counts(&printed(root(), &["krysis", "transporters", "--players", "4"]))["transporters"]);
    let boards = printed(root(), &["miners_lagoon", "--no-cards", "--rules", "none"]);
    let names: Vec<_> =
        boards["boards"].as_array().unwrap().iter().map(|board| board["id"].as_str().unwrap()).collect();
    assert_eq!((names, counts(&boards).len()), (vec!["islands", "center"], 0));
    assert_eq!(printed(root(), &["photon", "--backs", "none"])["rules"], "pages");
}

#[test]
fn wrong_arguments_name_what_is_near() {
    let folder = tempfile::tempdir().unwrap();
    let photon = |more: &[&str]| {
        run(folder.path(), &[&["print", "photon", "--root", root().to_str().unwrap()], more].concat(), b"")
    };
    photon(&["building", "--out", "a.html"])
        .code(2)
        .complains("`photon` has no kind `building`; did you mean `buildings`?");
    photon(&["--size", "pokr", "--out", "a.html"]).code(2).complains("`--size` is `pokr`: did you mean `poker`?");
    photon(&["--size", "actoins=mini", "--out", "a.html"]).code(2).complains("did you mean `actions`?");
    photon(&["--bleed", "11", "--out", "a.html"]).code(2).complains("from 0 to 10");
    photon(&["--players", "9", "--out", "a.html"]).code(2).complains("has no 9 players");
    photon(&["--out", "a.txt"]).code(2).complains("neither .html nor .pdf nor a folder");
    photon(&["--out", "no/a.html"]).code(2).complains("there is no folder `no`");
    photon(&["--out", "a.html"]).code(0).says("cards on");
    photon(&["--out", "a.html"]).code(2).complains("overwrite it with --force");
    photon(&["--out", "a.html", "--force"]).code(0);
    let without = |out: &str, browser: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lode"));
        program.env("PATH", folder.path()).env("LODE_BROWSER", browser);
        let arguments = ["print", "photon", "--root", root().to_str().unwrap(), "--out", out];
        super::program::run_program(program, folder.path(), &arguments, b"")
    };
    without("a.pdf", "").code(2).complains("install Chromium").complains("--out cards.html");
    without("png/", "none/such").code(2).complains("LODE_BROWSER names no program: there is no `none/such`");
    without("b.html", "").code(0);
}

#[test]
fn hostile_texts_stay_texts() {
    let folder = tempfile::tempdir().unwrap();
    copy(root(), folder.path(), &["content/photon", "scripts/photon"]);
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--";
    let relief = folder.path().join("content/photon/relief.toml");
    let text = fs::read_to_string(&relief).unwrap();
    let name = text.split("name = \"").nth(1).unwrap().split('"').next().unwrap();
    fs::write(&relief, text.replacen(name, hostile, 1)).unwrap();
    let rules = folder.path().join("content/photon/rules.md");
    write(&rules, format!("{}\n\n{hostile}\n", fs::read_to_string(&rules).unwrap()));
    lode(folder.path(), &["photon", "--out", "a.html"]).code(0);
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
    assert_eq!(page.matches("</script").count(), 2, "data and script");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<img").count() + page.matches("<!--").count(), 0);
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "the rules show the text");
    let names: Vec<_> = data(&page)["faces"].as_array().unwrap().iter().map(|face| face["name"].clone()).collect();
    assert!(names.contains(&hostile.into()), "{names:?}");
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-"));
    assert!(!page.contains("http://www.w3.org/1999") && !page.contains("https://"), "the page names no address");
}

#[test]
fn changed_cards_are_printed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    copy(root(), here, &["content/photon", "scripts/photon"]);
    let since = |revision: &str| lode(here, &["photon", "--out", "a.html", "--force", "--changed-since", revision]);
    since("git:HEAD").code(2).complains("is in no git repository");
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").arg("-C").arg(here).args(author).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin"]);
    git(&["tag", "first"]);
    since("git:HEAD").code(0).says("no card changed since git:HEAD: nothing was written");
    since("git:frist").code(2).complains("`frist` is not a git revision: did you mean git:first?");
    let edit = |file: &str, from: &str, to: &str| {
        let path = here.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    let changed = |revision: &str| -> Vec<String> {
        since(revision).code(0).says("with a changed face");
        let data = data(&fs::read_to_string(here.join("a.html")).unwrap());
        assert_eq!(data["rules"], Value::Null);
        let sheets = data["sheets"].as_array().unwrap().iter();
        sheets.flat_map(|sheet| sheet["cards"].as_array().unwrap()).map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    // A picture, a corner and an icon are parts of a face; an internal number is not.
    edit("content/photon/look.toml", "mine = \"mine\"", "mine = \"saloon\"");
    assert_eq!(changed("git:first"), ["buildings.mine"]);
    git(&["commit", "-qam", "Draw"]);
    edit("content/photon/look.toml", "picture = \"land\"", "picture = \"gems\"");
    assert_eq!(changed("git:HEAD"), ["relief.gold", "relief.mercenaries"]);
    git(&["commit", "-qam", "Draw again"]);
    edit("content/photon/look.toml", "of = [\"new\"]", "of = [\"new\"]\nwords = [\"mine\"]");
    let faces = changed("HEAD");
    assert!(faces.len() < 5, "{faces:?}");
}

/// Width and height of each page, in points.
fn page_boxes(pdf: &[u8]) -> Vec<(f64, f64)> {
    let text = String::from_utf8_lossy(pdf);
    let boxes = text.split("/MediaBox").skip(1).map(|rest| {
        let numbers = rest.split_once('[').unwrap().1.split_once(']').unwrap().0;
        let numbers: Vec<f64> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        (numbers[2] - numbers[0], numbers[3] - numbers[1])
    });
    boxes.collect()
}

/// Whether a browser is installed. Prints a visible warning if not.
fn has_browser() -> bool {
    let found = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
        .iter()
        .any(|name| Command::new(name).arg("--version").output().is_ok());
    if !found {
        eprintln!("\n*** NO BROWSER IS INSTALLED: PDF and PNG of `lode print` were NOT tested ***\n");
    }
    found
}

#[test]
fn a_pdf_has_pages_of_the_size_of_its_paper() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (paper, sheets, width, height) in [("a4", 16, 210.0, 297.0), ("letter", 17, 215.9, 279.4)] {
        let pdf = out(&format!("{paper}.pdf"));
        let arguments = [&["imperial_miners"], &MINE[..], &["--out", &pdf, "--paper", paper]].concat();
        let run = lode(root(), &arguments).code(0);
        assert!(run.out.starts_with(&format!("136 cards on {sheets} sheets: wrote ")), "{}", run.out);
        let boxes = page_boxes(&fs::read(&pdf).unwrap());
        assert_eq!(boxes.len(), 2 * sheets, "fronts and backs");
        for (wide, high) in boxes {
            let near = |points: f64, millimetres: f64| (points - millimetres * 72.0 / 25.4).abs() < 1.0;
            assert!(near(wide, width) && near(high, height), "{wide} {high}");
        }
    }
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "no file of the browser is left: {names:?}");
}

#[test]
fn pictures_have_the_size_of_the_paper() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["photon", "relief", "--single", "--dpi", "96", "--out"];
    let png = folder.path().join("png").to_str().unwrap().to_owned() + "/";
    lode(root(), &[&arguments[..], &[&png]].concat()).code(0).says("2 PNG files");
    let mut names: Vec<_> = fs::read_dir(&png).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["sheet-01-back.png", "sheet-01-front.png"]);
    let picture = fs::read(Path::new(&png).join("sheet-01-front.png")).unwrap();
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (794, 1123));
    lode(root(), &[&arguments[..], &[&png]].concat()).code(2).complains("has pictures");
}

/// A browser that notes each of its starts in a file.
#[cfg(unix)]
fn counting_browser(folder: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let (program, starts) = (folder.join("browser"), folder.join("starts"));
    let names = "chromium chromium-browser google-chrome google-chrome-stable chrome";
    let script = format!(
        "#!/bin/sh\necho start >> '{}'\nfor name in {names}; do command -v $name >/dev/null && exec $name \"$@\"; done\n",
        starts.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, starts)
}

#[cfg(unix)]
#[test]
fn one_browser_takes_all_pictures_and_old_ones_go() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (browser, starts) = counting_browser(folder.path());
    let png = folder.path().join("png");
    fs::create_dir(&png).unwrap();
    let kept = [
        "sheet-01.png",
        "sheet-1-front.png",
        "photo.png",
        "board-My Holiday.png",
        "rules-01.txt",
        "sheet-09-front.jpg",
    ];
    let old = ["sheet-07-front.png", "sheet-07-back.png", "rules-12.png", "board-mine.png"];
    for name in kept.iter().chain(&old) {
        fs::write(png.join(name), "old").unwrap();
    }
    let out = png.to_str().unwrap().to_owned() + "/";
    let arguments =
        ["print", "photon", "relief", "--single", "--rules", "pages", "--dpi", "50", "--force", "--out", &out];
    let mut program = Command::new(env!("CARGO_BIN_EXE_lode"));
    program.env("LODE_BROWSER", &browser);
    let run = super::program::run_program(program, root(), &arguments, b"").code(0);
    run.says("and removed 4 pictures of an earlier print");
    assert_eq!(fs::read_to_string(starts).unwrap().lines().count(), 1, "starts of the browser");
    let mut names: Vec<String> =
        fs::read_dir(&png).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| !kept.contains(&name.as_str()));
    names.sort();
    assert!(names.len() > 4 && names.contains(&"rules-01.png".to_owned()), "{names:?}");
    assert!(!names.iter().any(|name| old.contains(&name.as_str())), "{names:?}");
    // Each page is another picture.
    let pictures: std::collections::BTreeSet<Vec<u8>> =
        names.iter().map(|name| fs::read(png.join(name)).unwrap()).collect();
    assert_eq!(pictures.len(), names.len());
    for name in kept {
        assert_eq!(fs::read_to_string(png.join(name)).unwrap(), "old", "{name} is not of a print");
    }
}

#[test]
fn the_rules_of_mods_follow_those_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rules.html");
    let mods = root().join("tests/mods/watchtowers");
    let arguments = ["photon", "--no-cards", "--out", out.to_str().unwrap(), "--mod", mods.to_str().unwrap()];
    lode(root(), &arguments).code(0);
    let page = fs::read_to_string(&out).unwrap();
    let own = page.find("Photon with 2 mercenaries").unwrap();
    assert!(page.find("A watchtower costs 4 gold").is_some_and(|at| own < at));
}

#[test]
fn a_game_without_looks_or_tokens_prints_too() {
    let data = printed(&packs(), &["harvest"]);
    assert!(!counts(&data).is_empty());
    assert_eq!(sizes(&data), [(63.5, 88.9)]);
}

/// Number of tokens by label.
fn token_counts(data: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for token in data["token_sheets"].as_array().unwrap().iter().flat_map(|sheet| sheet["cards"].as_array().unwrap()) {
        *counts.entry(token.as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn a_command_without_anything_to_print_names_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.html");
    let nothing = ["krysis", "--no-cards", "--rules", "none", "--boards", "none", "--out", out.to_str().unwrap()];
    lode(root(), &nothing).code(2).complains("use `--tokens look`, `--boards` or `--rules`");
    assert!(!out.exists());
}

#[test]
fn counters_have_tokens_on_paper() {
    let krysis = printed(root(), &["krysis", "--players", "3"]);
    let found = token_counts(&krysis);
    let expected = [("Blue", 60), ("Red", 60), ("White", 60), ("Karst & Daughters", 1), ("Amber Lamp Works", 1)];
    for (label, copies) in expected {
        assert_eq!(found.get(label), Some(&copies), "{label}: {found:?}");
    }
    assert_eq!(found.len(), 7, "camps and homes use the same crystals: {found:?}");
    assert_eq!(krysis["tokens"]["Red"], "red");
    assert!(krysis["summary"].as_str().unwrap().contains(" tokens on "), "{}", krysis["summary"]);
    assert!(token_counts(&printed(root(), &["krysis", "--single"])).into_values().all(|count| count == 1));
    for none in [&["krysis", "--tokens", "none"][..], &["krysis", "relics"], &["krysis", "--no-cards"]] {
        assert_eq!(token_counts(&printed(root(), none)).len(), 0, "{none:?}");
    }
    let all = token_counts(&printed(root(), &["atacama", "--tokens", "all"]));
    for label in ["Gold", "Silver", "Copper", "Plain rig", "Double rig"] {
        assert_eq!(all.get(label), Some(&20), "{label}: {all:?}");
    }
    assert_eq!(token_counts(&printed(root(), &["atacama"])).get("Rigs"), Some(&28), "as declared");
    let two = token_counts(&printed(root(), &["photon", "--players", "2", "--tokens", "look"]));
    assert_eq!((two.len(), two.values().all(|&count| count == 10)), (2, true), "{two:?}");
}

#[test]
fn boards_show_how_every_match_begins_or_are_reported_as_empty() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("boards.html");
    let print = |game: &str| {
        let root = root().to_str().unwrap();
        lode(folder.path(), &[game, "--root", root, "--no-cards", "--force", "--out", out.to_str().unwrap()]).code(0)
    };
    let cells = |id: &str| {
        let data = data(&fs::read_to_string(&out).unwrap());
        let board = data["boards"].as_array().unwrap().iter().find(|board| board["id"] == id).unwrap().clone();
        board["cells"].as_array().unwrap().clone()
    };
    let contents = |cell: &Value| {
        let text = |fact: &Value| format!("{} {}", fact["of"].as_str().unwrap(), fact["value"].as_str().unwrap());
        cell["contents"].as_array().unwrap().iter().map(text).collect::<Vec<_>>()
    };
    let said = print("krysis");
    assert!(!said.out.contains("empty on paper"), "{}", said.out);
    let mine = cells("mine");
    assert_eq!(
        (mine[0]["name"].as_str(), contents(&mine[0])),
        (Some("Mule Gate"), vec!["blue 1".into(), "white 2".into()])
    );
    // Atacama has a board for two and four players, and one for three.
    let said = print("atacama");
    assert!(!said.out.contains("empty on paper"), "{}", said.out);
    assert_eq!(contents(&cells("square")[0]), ["gold ", "ore_value 2"]);
    assert!(cells("hexagon").iter().all(|cell| contents(cell).len() == 2));
    let pack = root().join("benches/packs");
    let out = out.to_str().unwrap();
    let said = lode(folder.path(), &["tictactoe", "--root", pack.to_str().unwrap(), "--force", "--out", out]).code(0);
    said.says("is empty on paper");
}
