//! Planted items: a monster, placebos, and null items only.

use motherlode::Game;

use super::effects;
use crate::effects::Effects;
use crate::effects::report::{Flag, ItemReport};
use crate::samples::load;
use motherlode_play::Pattern;

/// Items of the game.
const ITEMS: usize = 8;

/// A game of equal items: each token has a number of points, from 0 to 6, that does not depend on its item. `more` are
/// extra points of the first item. A seventh copy of each item makes the numbers the same for all.
fn tokens(more: u8) -> Game {
    let game = r#"
        name = "Tokens"
        version = "1.0.0"
        players = { min = 2, max = 3, default = 3 }
        rounds = 4
        seats = [{ name = "One" }, { name = "Two" }, { name = "Three" }]
        [counters.points]
        per = "player"
        [zones]
        deck = { per = "game", holds = "jewels", visible = "count" }
        stall = { per = "game", holds = "jewels", size = 4, refill = "deck" }
        taken = { per = "player", holds = "jewels" }
        [kinds.jewels]
        zone = "deck"
        shuffle = true
        attributes = { more = { type = "integer", min = 0, max = 99, default = 0 } }
        [outcome]
        score = "points"
    "#;
    let phases = "[taking]\nturns = \"once\"\nprompt = \"take\"\noffer = { zone = \"stall\" }\n";
    let prompts = "[take]\ntext = \"What do you take?\"\nchoices = \"token\"\n";
    let script = r#"return {
        taking = {
            act = function(player, jewel)
                gain(player, "points", jewel % 7 + attr(jewel, "more"))
                move(jewel, "taken", player)
            end,
        },
    }"#;
    let jewel = |index: usize| {
        let more = if index == 0 { more } else { 0 };
        format!("jewel_{index} = {{ name = \"Jewel {index}\", copies = 7, more = {more} }}\n")
    };
    let jewels: String = (0..ITEMS).map(jewel).collect();
    let content = [("game", game), ("jewels", jewels.as_str()), ("phases", phases), ("prompts", prompts)];
    load("tokens", &content, &[("phases", script)])
}

fn items(game: &Game, seed: u64, blocks: u64, bot: &str) -> Vec<ItemReport> {
    let mut effects = Effects { forks: 200, ..effects(game, blocks) };
    effects.series.seed = seed;
    effects.series.bots = vec![bot.to_owned()];
    effects.run(|_| true).unwrap().items
}

#[test]
fn a_monster_is_a_must_have_and_placebos_have_no_flag() {
    let items = items(&tokens(9), 1, 60, "random");
    assert_eq!(items.len(), ITEMS);
    for item in &items {
        let expected = (item.name == "Jewel 0").then_some(Flag::MustHave);
        assert_eq!(item.flag, expected, "{item:?}");
    }
}

#[test]
fn a_worthless_item_is_dead_and_a_rare_good_one_is_not() {
    let game = crate::samples::Stall { ruby: 9, ..crate::samples::Stall::default() }.load();
    let by = |bot: &str| {
        let items = items(&game, 3, 100, bot);
        let of = |name: &str| items.iter().find(|item| item.name == name).unwrap().flag;
        [of("Ruby"), of("Glass")]
    };
    assert_eq!(by("rollout:8")[1], Some(Flag::Dead), "hardly ever taken, and costs points");
    // This bot leaves the best item aside, so that it gains whenever it is taken.
    let [ruby, _] = by("random+never=ruby");
    assert_eq!(ruby, Some(Flag::MustHave), "hardly ever taken, but gains points");
}

/// An item that every player needs once.
#[test]
fn a_needed_item_is_a_must_have_and_doing_without_it_is_measured() {
    let game = r#"
        name = "Mines"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 6
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.gold]
        per = "player"
        [counters.mines]
        per = "player"
        [outcome]
        score = "gold"
    "#;
    let phases = "[building]\nturns = \"once\"\nprompt = \"build\"\n";
    let prompts = "[build]\ntext = \"What?\"\nlabels = { mine = \"Mine\", dig = \"Dig\", wait = \"Wait\" }\n";
    // A second mine is worth nothing. Dice make games differ.
    let script = r#"return {
        building = {
            offer = function(player) choice("mine") choice("dig") choice("wait") end,
            act = function(player, built)
                if built == "mine" and get(player, "mines") == 0 then gain(player, "mines", 1) end
                if built == "dig" then gain(player, "gold", 1) end
                gain(player, "gold", random(6) + 9 * get(player, "mines"))
            end,
        },
    }"#;
    let game = load("mines", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)]);
    let items = items(&game, 4, 60, "random");
    let of = |name: &str| items.iter().find(|item| item.name == name).unwrap();
    assert_eq!(of("Mine").flag, Some(Flag::MustHave), "{:?}", of("Mine"));
    assert!(of("Mine").kept.unwrap().value > 0.0, "{:?}", of("Mine"));
    assert!(["Dig", "Wait"].iter().all(|name| of(name).flag != Some(Flag::MustHave)));
}

/// A game of mines that bring gold in every later round. All mines are offered in every turn, so one turn without the gold
/// mine costs little.
fn mines(output: u8) -> Game {
    let game = r#"
        name = "Mines"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 8
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.gold]
        per = "player"
        [counters.income]
        per = "player"
        [kinds.mines]
        tokens = false
        attributes = { output = { type = "integer", min = 0, max = 9 } }
        [outcome]
        score = "gold"
    "#;
    let mines = format!(
        "gold = {{ name = \"Gold mine\", output = {output} }}\ntin = {{ name = \"Tin mine\", output = 1 }}\n\
         coal = {{ name = \"Coal mine\", output = 1 }}\n"
    );
    let phases = "[building]\nturns = \"once\"\nprompt = \"build\"\n";
    let prompts = "[build]\ntext = \"What?\"\nchoices = \"mines\"\n";
    let script = r#"
    local OUTPUT = {}
    for number, mine in defs("mines") do OUTPUT[number] = def("mines", mine, "output") end
    return {
        building = {
            offer = function(player)
                for mine = 1, #OUTPUT do choice(mine) end
            end,
            act = function(player, mine)
                gain(player, "income", OUTPUT[mine])
                gain(player, "gold", random(220) + get(player, "income"))
            end,
        },
    }"#;
    let content = [("game", game), ("mines", mines.as_str()), ("phases", phases), ("prompts", prompts)];
    load("mines", &content, &[("phases", script)])
}

/// Asks about one card, as `lode effects --item` does. The bot always takes it.
#[test]
fn a_mine_of_triple_output_is_found_by_doing_without_it() {
    let ask = |output: u8| {
        let game = mines(output);
        let asked = vec![Pattern::new(&game, "mines.gold").unwrap()];
        let mut effects = Effects { forks: 1200, items: asked, ..effects(&game, 120) };
        effects.series.bots = vec!["plan:mines.gold".to_owned()];
        let report = effects.run(|_| true).unwrap();
        let [item] = &report.items[..] else { panic!("{report:?}") };
        (item.clone(), report.must_have_gain)
    };
    let (monster, must_have) = ask(3);
    assert_eq!((monster.name.as_str(), monster.flag), ("Gold mine", Some(Flag::MustHave)), "{monster:?}");
    let (pick, kept) = (monster.pick.unwrap(), monster.kept.unwrap());
    // One pick is below the bar: the next turn offers the mine again.
    assert!(pick.interval.high < must_have && kept.interval.low > pick.interval.high, "{must_have}: {monster:?}");
    let (equal, _) = ask(1);
    assert_eq!((equal.flag, equal.found), (None, false), "{equal:?}");
    assert!(equal.kept.unwrap().interval.contains(0.0), "{equal:?}");
}

/// Only null items. `LODE_NULL_RUNS=200` runs the long form.
#[test]
fn null_items_have_no_flags() {
    let runs = std::env::var("LODE_NULL_RUNS").ok().and_then(|count| count.parse::<u32>().ok()).unwrap_or(12);
    let game = tokens(0);
    let (mut flagged_runs, mut flagged_items) = (0, 0);
    for seed in 1..=runs {
        let items = items(&game, seed.into(), 40, "random");
        let width = |item: &ItemReport| item.pick.map_or(0.0, |pick| pick.interval.high - pick.interval.low);
        assert!(items.iter().all(|item| width(item) > 0.05), "chance matters");
        let flagged = items.iter().filter(|item| item.found || item.flag.is_some()).count();
        flagged_items += flagged;
        flagged_runs += u32::from(flagged > 0);
    }
    eprintln!("{flagged_runs} of {runs} runs, {flagged_items} of {} items", runs as usize * ITEMS);
    // At 5 %, more than 18 of 200, or more than 3 of 12, has a probability of at most about one in two hundred.
    let most = if runs >= 100 { runs * 9 / 100 } else { 3 };
    assert!(flagged_runs <= most, "{flagged_runs} of {runs} null runs flag an item");
}
