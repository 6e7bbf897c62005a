use std::path::Path;
use std::process::{Command, Stdio};

use super::program::{broken, lode, packs, run};

#[test]
fn help_names_every_subcommand_and_the_exit_codes() {
    let mut help = lode(&["--help"]).code(0);
    for name in
        ["games", "check", "show", "new", "schema", "rules", "play", "sim", "train", "replay", "test", "watch", "stdio"]
    {
        help = help.says(&format!("  {name}"));
        lode(&[name, "--help"]).code(0).says("Usage: lode");
    }
    for heading in ["Design:", "Play:", "Measure:", "Tools:", "Options:"] {
        help = help.says(heading);
    }
    help.says("Exit codes: 0 success, 1 the content or a match failed, 2 wrong usage");
}

#[test]
fn help_of_stdio_is_the_protocol() {
    let help = lode(&["stdio", "--help"]).code(0);
    let told = [
        r#"{"choose":3}"#,
        r#"{"type":"reject","reason"}"#,
        r#""protocol":3"#,
        r#""player:2""#,
        r#"{"seat":1}"#,
        "leaves out items that do not exist in this setup",
    ];
    told.into_iter().fold(help, |help, text| help.says(text));
}

#[test]
fn no_subcommand_or_an_unknown_one_is_wrong_usage() {
    lode(&[]).code(2);
    lode(&["plai"]).code(2).complains("play");
    lode(&["play"]).code(2);
    lode(&["games", "--root"]).code(2);
}

#[test]
fn wrong_arguments_are_explained() {
    let refused = |arguments: &[&str], why: &str| {
        assert_eq!(lode(arguments).code(2).err, format!("error: {why}\n"));
    };
    refused(&["chek"], "`lode` has no command `chek`; did you mean `check`?");
    refused(&["bake"], "`lode` has no command `bake`: see `lode --help`");
    refused(&["sim"], "GAME is missing: use `lode sim [OPTIONS] <GAME>`");
    refused(&["new", "game"], "ID is missing: use `lode new game [OPTIONS] <ID>`");
    refused(&["sim", "harvest", "market"], "`market` is one argument too many: use `lode sim [OPTIONS] <GAME>`");
    refused(&["sim", "harvest", "--gmaes", "3"], "`lode sim` has no option `--gmaes`; did you mean `--games`?");
    refused(&["sim", "harvest", "--blocks", "3"], "`lode sim` has no option `--blocks`: use `--games`");
    refused(&["play", "harvest", "--bots", "first"], "`lode play` has no option `--bots`: use `--seats`");
    refused(&["--root", ".", "sim", "harvest", "-x"], "`lode sim` has no option `-x`: see `lode sim --help`");
    refused(&["sim", "harvest", "--format", "xml"], "`--format` is `xml`: use text or json");
    refused(&["sim", "harvest", "--format="], "`--format` has no value: use text or json");
    refused(&["sim", "harvest", "--games"], "`--games` has no value: write `--games N`");
    refused(&["sim", "harvest", "--games="], "`--games` is empty: use a whole number, 1 or more");
    refused(&["sim", "harvest", "--games", "-5"], "`--games` is -5: use 1 or more");
    refused(&["sim", "harvest", "--games", "ten"], "`--games` is `ten`: use a whole number, 1 or more");
    refused(&["sim", "harvest", "--games", "3", "--games", "4"], "`--games` is given twice: give it once");
    refused(&["sim", "harvest", "--rows", "games"], "`--out FILE.csv|FILE.jsonl|FILE.parquet|DIR` is missing: add it");
    refused(
        &["games", "--format", "json", "--export", "x"],
        "`--format` and `--export` exclude each other: leave one out",
    );
}

#[test]
fn an_unknown_game_gets_the_nearest_name() {
    for command in ["check", "rules", "play", "sim", "stdio", "test"] {
        lode(&[command, "harvst"]).code(2).complains("there is no game `harvst`; did you mean `harvest`?");
    }
    lode(&["play", "zzz"]).code(2).complains("the games are boards, harvest, market, secrets, stumble");
    lode(&["play", "content/zzz"]).code(2).complains("there is no folder `content/zzz`");
    lode(&["play", "scripts/harvest"]).code(2).complains("neither a game's folder");
}

#[test]
fn a_game_may_be_a_path() {
    lode(&["sim", "content/harvest", "--games", "1"]).code(0);
    lode(&["sim", "./content/harvest/", "--games", "1"]).code(0);
    run(&packs().join("content"), &["sim", "harvest", "--games", "1"], b"").code(0);
    run(&packs().join("content/harvest"), &["sim", ".", "--games", "1"], b"").code(0);
    run(std::path::Path::new("/"), &["check", packs().to_str().unwrap()], b"").code(1).says("harvest: ok");
}

#[test]
fn a_root_without_games_is_wrong_usage() {
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    lode(&["games", "--root", folder]).code(2).complains("has no folder content/");
    lode(&["games", "--root", "nowhere"]).code(2).complains("`nowhere` is not a folder");
}

#[test]
fn a_root_is_used_from_anywhere() {
    let empty = tempfile::tempdir().unwrap();
    run(empty.path(), &["check", "harvest"], b"").code(2);
    run(empty.path(), &["--root", packs().to_str().unwrap(), "games"], b"").code(0).says("harvest");
}

#[test]
fn a_game_without_scripts_is_found_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    motherlode_fixtures::write(folder.path().join("content/seedling/game.toml"), "nmae = \"Seedling\"\n");
    run(folder.path(), &["check"], b"").code(1).says("content/seedling/game.toml:1").says("did you mean `name`?");
}

#[test]
fn setups_are_checked() {
    lode(&["sim", "harvest", "--players", "7"]).code(2).complains("7");
    lode(&["sim", "harvest", "--option", "round=3"]).code(2).complains("rounds");
    lode(&["sim", "harvest", "--option", "rounds=9"]).code(2).complains("9");
    lode(&["sim", "harvest", "--option", "rounds"]).code(2).complains("NAME=VALUE");
    lode(&["sim", "harvest", "--option", "weather=storm"]).code(2).complains("stormy");
    lode(&["sim", "harvest", "--option", "weather=stormy", "--players", "3"]).code(2).complains("weather");
    lode(&["sim", "harvest", "--seed", "-1"]).code(2);
}

#[test]
fn seats_and_bots_are_checked() {
    lode(&["play", "harvest", "--seats", "random,random,random"]).code(2).complains("3 seats for 2 players");
    lode(&["play", "harvest", "--seats", "humn"]).code(2).complains("did you mean `human`?");
    lode(&["play", "harvest", "--seats", "randon"]).code(2).complains("did you mean `random`?");
    lode(&["play", "harvest", "--seats", "rollout"]).code(2).complains("rollout:50");
    lode(&["play", "harvest", "--seats", ",first"]).code(0).says("random").says("first");
    lode(&["sim", "harvest", "--bots", "randon"]).code(2).complains("did you mean `random`?");
    lode(&["sim", "harvest", "--bots", "random,first,random"]).code(2).complains("3 bots for 2 players");
    let refused = |bot: &str, why: &str| lode(&["sim", "harvest", "--bots", bot]).code(2).complains(why);
    refused("plan:bid=2..1", "empty range `2..1`; did you mean `1..2`?");
    refused("plan:bid=moost", "prompt `bid` has no choice `moost`; did you mean `most`?");
    refused("plan:bid=lots", "use a number or range: `3`, `2..4`, `most`, `least`");
    refused("random+never=bid=1+always=bid=1", "`+never=` and `+always=` both name `bid=1`");
    lode(&["stdio", "harvest", "--seats", "progam"]).code(2).complains("did you mean `program`?");
}

/// Runs the program in a folder without a reader of its output; returns the exit code.
fn code_without_reader(folder: &Path, arguments: &[&str]) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    output.status.code()
}

#[test]
fn a_closed_pipe_is_no_failure_and_hides_none() {
    assert_eq!(code_without_reader(&packs(), &["play", "harvest", "--seats", "random"]), Some(0));
    assert_eq!(code_without_reader(&packs(), &["check", "harvest"]), Some(0));
    assert_eq!(code_without_reader(&broken(), &["check"]), Some(1));
}
