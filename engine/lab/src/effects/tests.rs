mod declared;
mod planted;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use motherlode::Game;
use motherlode_play::Experiment as _;

use super::columns::sort_items;
use super::item_table::ItemTable;
use super::report::Flag;
use super::*;
use crate::item::Item;
use crate::ratio::Estimate;
use crate::samples::{Stall, load};

fn effects(game: &Game, blocks: u64) -> Effects {
    let setup = game.setup(None, &[], 1).unwrap();
    let bots = vec!["random".to_owned()];
    Effects { series: Series::new((game.clone(), setup), bots, 1), blocks, forks: 1, items: Vec::new(), after: None }
}

#[test]
fn no_role_is_uneven_in_a_cooperative_game() {
    let game = r#"
        name = "Rescue"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 1
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.rescued]
        per = "game"
        [zones]
        pile = { per = "game", holds = "crafts", visible = "count" }
        craft = { per = "player", holds = "crafts", size = 1, text = "Craft" }
        [kinds.crafts]
        zone = "pile"
        shuffle = true
        [outcome]
        shared = true
        score = "rescued"
        won = "rescued"
    "#;
    let script = r#"return {
        deal = {
            run = function()
                for player = 1, player_count() do draw("pile", nil, "craft", player) end
                gain(game, "rescued", 1)
            end,
        },
        work = { offer = function(player) choice("on") choice("off") end, act = function() end },
    }"#;
    let content = [
        ("game", game),
        ("crafts", "medic = { name = \"Medic\" }\npilot = { name = \"Pilot\" }\n"),
        ("phases", "[deal]\nwhen = \"setup\"\n[work]\nturns = \"once\"\nprompt = \"work\"\n"),
        ("prompts", "[work]\ntext = \"What?\"\nlabels = { on = \"On\", off = \"Off\" }\n"),
    ];
    let game = load("rescue", &content, &[("phases", script)]);
    let report = effects(&game, 30).run(|_| true).unwrap();
    assert_eq!(report.roles.len(), 2, "{:?}", report.roles);
    assert!(report.roles.iter().all(|role| role.standing.share.unwrap().value == 1.0), "{:?}", report.roles);
    assert!(report.roles.iter().all(|role| role.p.is_none() && !role.found), "{:?}", report.roles);
}

#[test]
fn an_item_dealt_but_never_offered_has_one_row() {
    let game = Stall::default().load();
    let d = game.declarations();
    let of = |name: &str| d.definitions.iter().position(|definition| definition.name == name).unwrap();
    let mut games = Vec::new();
    let mut keep = |piece: EffectsPiece| {
        if let EffectsPiece::FirstPass(_, first_pass) = piece {
            games.extend(first_pass);
        }
        ControlFlow::Continue(())
    };
    effects(&game, 1).play(&BTreeMap::new(), 0..1, &mut keep).unwrap();
    for first_pass in &mut games {
        first_pass.items = vec![(Item::Definition(of("Ruby")), OfferCount { offers: 4, takes: 2, even: 0 })];
        first_pass.dealt = vec![vec![of("Opal")], vec![of("Ruby")], vec![of("Ruby")]];
    }
    let mut item_table = ItemTable::new(&game, ItemFilter::default());
    item_table.add_first_pass(&games);
    let report = item_table.report(&game, 1);
    let flags = |name: &str| -> Vec<Option<Flag>> {
        report.iter().filter(|item| item.name == name).map(|item| item.flag).collect()
    };
    assert_eq!(flags("Opal"), [Some(Flag::NeverOffered)], "dealt");
    assert_eq!(flags("Glass"), [Some(Flag::NeverOffered)], "neither dealt nor offered");
    assert_eq!(flags("Ruby"), [None]);
    assert_eq!(flags("Cutters"), [], "no guild is offered");
}

#[test]
fn stages_do_not_overflow() {
    let game = Stall::default().load();
    assert_eq!(effects(&game, u64::MAX).stages(), [0..u64::MAX, u64::MAX..u64::MAX]);
}

#[test]
fn forks_go_to_the_items_asked_about() {
    let game = Stall::default().load();
    let ask = |patterns: &[&str]| {
        let items = patterns.iter().map(|pattern| Pattern::new(&game, pattern).unwrap()).collect();
        Effects { items, forks: 20, ..effects(&game, 20) }.run(|_| true).unwrap().items
    };
    let ruby = ask(&["ruby"]);
    let all = ask(&[]);
    assert_eq!(ruby.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["Ruby"]);
    // The same offers, and nothing else about the game changes.
    let known = all.iter().find(|item| item.name == "Ruby").unwrap();
    assert_eq!((ruby[0].offered, ruby[0].taken), (known.offered, known.taken));
    assert!(ruby[0].forks > 10.0, "{ruby:?}");
    assert_eq!(ask(&["take=opal", "pearl"]).len(), 2);
    let error = Pattern::new(&game, "rubi").unwrap_err();
    assert!(error.to_string().contains("did you mean `ruby`?"), "{error}");
}

#[test]
fn items_are_sorted_by_the_bound_nearer_to_zero() {
    let item = |name: &str, interval: Option<(f64, f64)>| ItemReport {
        name: name.to_owned(),
        pick: interval.map(|(low, high)| Estimate {
            value: f64::midpoint(low, high),
            interval: motherlode_play::Interval { low, high },
            blocks: 20,
        }),
        ..ItemReport::default()
    };
    let items = [
        item("nothing", None),
        item("unsure", Some((-1.0, 40.0))),
        item("sure", Some((3.0, 4.0))),
        item("lucky", Some((1.0, 30.0))),
        item("bad", Some((-9.0, -2.0))),
    ];
    let sorted: Vec<&str> = sort_items(&items).iter().map(|item| item.name.as_str()).collect();
    assert_eq!(sorted, ["sure", "bad", "lucky", "unsure", "nothing"]);
}
