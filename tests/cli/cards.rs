//! `lode cards`: spreadsheets out and in.

use std::fs;
use std::path::Path;

use super::program::{Run, run};
use crate::shipped::{copy_of, root};

fn lode(project: &Path, arguments: &[&str]) -> Run {
    run(project, arguments, b"")
}

/// Changes a CSV file.
fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "the edit changes nothing");
    fs::write(path, changed).unwrap();
}

#[test]
fn a_workbook_of_all_kinds_comes_back_unchanged() {
    let project = copy_of("krysis");
    lode(project.path(), &["cards", "export", "krysis", "--all", "--out", "cards.xlsx"]).code(0).says("wrote");
    lode(project.path(), &["cards", "import", "krysis", "cards.xlsx"]).code(0).says("no change");
    lode(project.path(), &["cards", "export", "krysis", "--all", "--out", "cards.csv"]).code(2).complains("one sheet");
    lode(project.path(), &["cards", "export", "krysis"]).code(2).complains("several kinds");
    lode(project.path(), &["cards", "export", "krysis", "relic"]).code(2).complains("did you mean `relics`?");
}

#[test]
fn only_what_changed_is_written() {
    let project = copy_of("krysis");
    let (csv, toml) = (project.path().join("cards.csv"), project.path().join("content/krysis/fighters.toml"));
    let before = fs::read_to_string(&toml).unwrap();
    lode(project.path(), &["cards", "export", "krysis", "fighters", "--out", "cards.csv"]).code(0);
    // As LibreOffice saves: semicolons, decimals, an extra column and rows.
    edit(&csv, |text| text.replace(',', ";").replace(";9;0;8;", ";9.0;0;7.0;").replace("\n", ";;\n") + ";;;;;;;;\n\n");
    let import = ["cards", "import", "krysis", "fighters", "cards.csv"];
    lode(project.path(), &[&import[..], &["--dry-run"]].concat())
        .code(0)
        .says("content/krysis/fighters.toml:4: slinger.combat: 8 -> 7")
        .says("nothing was written");
    assert_eq!(fs::read_to_string(&toml).unwrap(), before);
    lode(project.path(), &import).code(0).says("1 change");
    assert_eq!(fs::read_to_string(&toml).unwrap(), before.replace("combat = 8,", "combat = 7,"));
}

#[test]
fn cards_are_added_and_deleted() {
    let project = copy_of("krysis");
    let (csv, toml) = (project.path().join("cards.csv"), project.path().join("content/krysis/fighters.toml"));
    let before = fs::read_to_string(&toml).unwrap();
    let import = ["cards", "import", "krysis", "fighters", "cards.csv", "--dry-run"];
    fs::write(&csv, "id,name,speed,combat\nsapper,Sapper,3,4\n").unwrap();
    lode(project.path(), &import).says("sapper: new card Sapper").says("9 cards are not in `cards.csv`");
    lode(project.path(), &[&import[..], &["--delete"]].concat()).says("slinger: deleted Slinger");
    assert_eq!(fs::read_to_string(&toml).unwrap(), before);
    fs::write(&csv, "id,name,speed,combat\nslinger,,,\nsapper,Sapper,3,4\n").unwrap();
    lode(project.path(), &import).code(1).says("cards.csv:B2").complains("nothing was written");
}

#[test]
fn wrong_cells_are_all_reported_and_nothing_is_written() {
    let project = copy_of("imperial_miners");
    let (csv, toml) = (project.path().join("cards.csv"), project.path().join("content/imperial_miners/events.toml"));
    let before = fs::read_to_string(&toml).unwrap();
    lode(project.path(), &["cards", "export", "imperial_miners", "events", "--out", "cards.csv"]).code(0);
    edit(&csv, |text| {
        text.replacen(",coins 3,", ",coin 3,", 1).replacen(",cards 2,", ",\"cards {\",", 1).replacen(
            ",immediate,advance 1,",
            ",imediate,advance 1,",
            1,
        )
    });
    let run = lode(project.path(), &["cards", "import", "imperial_miners", "events", "cards.csv"]).code(1);
    let run = run.says("did you mean `coins`?").says("`{` is never closed").says("did you mean `immediate`?");
    run.says("cards.csv:F2").says("cards.csv:F3").says("cards.csv:E4").complains("3 errors: nothing was written");
    assert_eq!(fs::read_to_string(&toml).unwrap(), before);
    edit(&csv, |text| text.replacen("name", "nmae", 1));
    lode(project.path(), &["cards", "import", "imperial_miners", "events", "cards.csv"])
        .code(1)
        .says("cards.csv:B1")
        .says("did you mean `name`?");
}

#[test]
fn a_mod_changes_its_own_file() {
    let project = copy_of("photon");
    motherlode_fixtures::copy_folder(&root().join("tests/mods/dear_mines"), &project.path().join("dear"));
    let toml = project.path().join("dear/content/photon/buildings.toml");
    let before = fs::read_to_string(&toml).unwrap();
    let with = |rest: &[&str]| lode(project.path(), &[&["cards"], rest, &["--mod", "dear"]].concat());
    with(&["export", "photon", "buildings", "--out", "cards.csv"]).code(0).says("wrote 1 card");
    with(&["import", "photon", "buildings", "cards.csv"]).code(0).says("no change");
    fs::write(project.path().join("cards.csv"), "id,output\nmine,2\nsaloon,3\n").unwrap();
    with(&["import", "photon", "buildings", "cards.csv"]).code(0).says("dear_mines/content/photon/buildings.toml");
    let after = fs::read_to_string(&toml).unwrap();
    assert!(after.starts_with(before.trim_end()), "{after}");
    assert!(after.contains("output = 2") && after.contains("[saloon]\noutput = 3"), "{after}");
}

#[test]
fn a_mod_below_another_one_has_its_own_values() {
    let project = copy_of("photon");
    for name in ["watchtowers", "cheap_watchtowers"] {
        motherlode_fixtures::copy_folder(&root().join("tests/mods").join(name), &project.path().join(name));
    }
    let toml = project.path().join("watchtowers/content/photon/buildings.toml");
    let before = fs::read_to_string(&toml).unwrap();
    assert!(before.contains("cost = { gold = 4 }"), "{before}");
    let with = |rest: &[&str]| {
        let mods = ["--mod", "cheap_watchtowers", "--mod", "watchtowers"];
        lode(project.path(), &[&["cards"], rest, &mods[..]].concat())
    };
    let shown = "wrote 1 card of watchtowers/content/photon/buildings.toml to cards.csv";
    with(&["export", "photon", "buildings", "--out", "cards.csv"]).code(0).says(shown);
    let csv = project.path().join("cards.csv");
    assert!(fs::read_to_string(&csv).unwrap().contains(",4 gold,"), "the value of the file");
    edit(&csv, |text| text.replace(",4 gold,", ",6 gold,"));
    with(&["import", "photon", "buildings", "cards.csv"]).code(0).says("watchtower.cost: 4 gold -> 6 gold");
    assert_eq!(fs::read_to_string(&toml).unwrap(), before.replace("cost = { gold = 4 }", "cost = { gold = 6 }"));
    with(&["import", "photon", "buildings", "cards.csv"]).code(0).says("no change");
}

#[test]
fn blank_lines_count_as_rows() {
    let project = copy_of("krysis");
    let csv = "\n\nid,name,speed,combat\n\nslinger,,,\n";
    fs::write(project.path().join("cards.csv"), csv).unwrap();
    let import = ["cards", "import", "krysis", "fighters", "cards.csv", "--dry-run"];
    lode(project.path(), &import).code(1).says("cards.csv:B5");
}

#[test]
fn a_bad_id_is_one_error_even_if_products_use_it() {
    let project = copy_of("miners_lagoon");
    lode(project.path(), &["cards", "export", "miners_lagoon", "minerals", "--out", "cards.csv"]).code(0);
    edit(&project.path().join("cards.csv"), |text| text.replace("\nsilver,", "\nFine Silver,"));
    lode(project.path(), &["cards", "import", "miners_lagoon", "minerals", "cards.csv"])
        .code(1)
        .says("the name of definition `Fine Silver` is not in snake_case")
        .keeps_quiet_about("product")
        .complains("1 error: nothing was written");
}
