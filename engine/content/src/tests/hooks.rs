//! Tests of hooks: lists of them, those that a script implements; of images; and of amounts by switch.

use std::sync::Arc;

use super::*;
use crate::image::{ImageContent, ImageFile};

const GAME: &str = r#"
name = "T"
version = "1.0.0"
players = { min = 1, max = 1 }
seats = [{ name = "A" }]
rounds = { short = "length", else = 5 }
options = { short = { default = false }, length = { default = 3, min = 1, max = 4 } }
counters = { gold = { per = "player" } }
outcome = { score = "gold" }
[kinds.tracks]
hooks = { enter = ["player"], space = ["player"] }
lists = { space = 3 }
scripted = ["enter"]
"#;

const TRACKS: &str = r#"
[north]
name = "North"
space = [[{ gain = { gold = 2 } }], "script", { aim = "track", do = "script" }]
[south]
name = "South"
enter = [{ gain = { gold = 1 } }]
"#;

fn read_with(game: &str, tracks: &str) -> (Declarations, Diagnostics) {
    read(&Pack::from_files(
        "t",
        [
            ("content/t/game.toml", game),
            ("content/t/phases.toml", "[play]\n"),
            ("content/t/prompts.toml", "[track]\ntext = '?'\nchoices = 'token'\n"),
            ("content/t/reactions.toml", "[filters]\ntrack = { kind = 'tracks', prompt = 'track' }\n"),
            ("content/t/tracks.toml", tracks),
        ],
    ))
}

#[test]
fn a_list_of_hooks_is_one_hook_for_each_place() {
    let (all, faults) = read_with(GAME, TRACKS);
    assert!(!faults.has_errors(), "{faults}");
    let kind = &all.kinds["tracks"];
    assert_eq!(kind.hooks.keys().collect::<Vec<_>>(), ["enter", "space_1", "space_2", "space_3"]);
    assert_eq!(
        (kind.list_of("space_3"), kind.list_of("space_4"), kind.list_of("enter")),
        (Some(("space", 3)), None, None)
    );
    let (north, south) = (&all.definitions[0], &all.definitions[1]);
    assert_eq!(north.verbs.keys().collect::<Vec<_>>(), ["space_1"]);
    assert_eq!(north.scripted.iter().collect::<Vec<_>>(), ["space_2", "space_3", "enter"]);
    assert_eq!(north.hook_aims.keys().collect::<Vec<_>>(), ["space_3"]);
    assert!(south.scripted.is_empty(), "it writes verbs in place of the function of its kind");
    assert_eq!(north.text, "1: Take 2 gold. 3: Aim at track.");
}

#[test]
fn a_pattern_shows_a_whole_list() {
    let game = GAME.replace("lists = ", "reads = \"Spaces: {space}\"\nlists = ");
    let (all, _) =
        read_with(&game, "[north]\nname = 'N'\nspace = [[{ gain = { gold = 2 } }], [{ gain = { gold = 3 } }]]\n");
    assert_eq!(all.definitions[0].text, "Spaces: 1: Take 2 gold. 2: Take 3 gold.");
}

#[test]
fn faults_of_lists_and_scripted_hooks_are_reported() {
    let fault = |game: &str, tracks: &str| read_with(game, tracks).1.to_string();
    let long = "[north]\nname = 'N'\nspace = [[], [], [], []]\n";
    assert!(
        fault(GAME, long).contains("[wrong-length]: `space` in definition `north` has 4 hooks, but its kind has 3")
    );
    assert!(
        fault(GAME, "[north]\nname = 'N'\nspace = 'script'\n").contains("must be a list with the effects of its hooks")
    );
    assert!(fault(GAME, "[north]\nname = 'N'\nspace_1 = []\n").contains("unknown key `space_1`"));
    assert!(fault(&GAME.replace("{ space = 3 }", "{ spade = 3 }"), "").contains("unknown hook `spade`"));
    assert!(fault(&GAME.replace("[\"enter\"]", "[\"space\"]"), "").contains("is a list of hooks"));
    assert!(
        fault(&GAME.replace("enter = [\"player\"]", "enter = [], space_2 = []"), "")
            .contains("`space_2` already exists")
    );
}

#[test]
fn an_amount_may_depend_on_a_switch() {
    let (all, _) = read_with(GAME, "");
    let rounds = all.rounds.unwrap();
    let of = |short| {
        let options = [("short", OptionValue::Bool(short)), ("length", OptionValue::Integer(3))];
        rounds.resolve(&options.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    };
    assert_eq!((of(true), of(false)), (3, 5));
    let fault = |to: &str| read_with(&GAME.replace("{ short = \"length\", else = 5 }", to), "").1.to_string();
    assert!(fault("{ short = 3 }").contains("has no `else`; help: add `else = ...`"));
    assert!(fault("{ length = 3, else = 5 }").contains("option `length` is not a switch"));
    assert!(fault("{ shirt = 3, else = 5 }").contains("did you mean `short`?"));
    assert!(fault("{ short = 0, else = 5 }").contains("[out-of-range]"));
}

#[test]
fn an_image_is_a_file_of_the_pack() {
    let read_with = |key: &str| {
        let tracks = format!("[north]\nname = 'N'\n{key}\n[south]\nname = 'S'\n");
        let game = GAME.replace("[kinds.tracks]", "[kinds.tracks]\nimage = 'back.png'");
        let files = [
            ("content/t/game.toml", game.as_str()),
            ("content/t/phases.toml", "[play]\n"),
            ("content/t/tracks.toml", &tracks),
        ];
        let mut pack = Pack::from_files("t", files);
        let image =
            |name| ImageFile { path: format!("content/t/images/{name}"), content: ImageContent::Bytes(Arc::from([])) };
        pack.images = ["back.png", "lamp.svg"].map(image).to_vec();
        read(&pack)
    };
    let (all, faults) = read_with("image = 'lamp.svg'");
    assert!(!faults.has_errors(), "{faults}");
    let images: Vec<_> = all.definitions.iter().map(|one| one.image.as_deref()).collect();
    assert_eq!(images, [Some("content/t/images/lamp.svg"), Some("content/t/images/back.png")]);
    for (name, message) in [
        ("lump.svg", "there is no image `lump.svg` for `image` in definition `north`; help: did you mean `lamp.svg`?"),
        ("../lamp.svg", "`../lamp.svg` for `image` in definition `north` is a path, not the name of a file"),
        ("lamp.gif", "`lamp.gif` for `image` in definition `north` is not an image"),
    ] {
        let faults = read_with(&format!("image = '{name}'")).1.to_string();
        assert!(faults.contains(&format!("error[missing-image]: {message}")), "{faults}");
    }
}
