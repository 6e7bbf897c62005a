//! Bots that never meet, in a cooperative game or alone at the table, are compared over the same seeds.

use motherlode::Game;

use crate::samples::load;
use crate::{Arena, ArenaReport, Objective, Series};

const PHASES: &str = "[song]\nturns = \"once\"\nprompt = \"song\"\n[count]\n";
const PROMPTS: &str = "[song]\ntext = \"How do you sing?\"\nlabels = { low = \"Low\", high = \"High\" }\n";

/// A game of two rounds in which every song earns a die, and a high song two points more.
fn songs(is_shared: bool) -> Game {
    let (per, holder) = if is_shared { ("game", "game") } else { ("player", "player") };
    let outcome = if is_shared { "shared = true\nwon = \"won\"" } else { "" };
    let declared = format!(
        "name = \"Songs\"\nversion = \"1.0.0\"\nplayers = {{ min = 1, max = 3, default = 3 }}\nrounds = 2\n\
         seats = [{{ name = \"Alto\" }}, {{ name = \"Bass\" }}, {{ name = \"Tenor\" }}]\n\
         [counters.applause]\nper = \"{per}\"\n[counters.won]\nper = \"game\"\nmax = 1\n\
         [outcome]\nscore = \"applause\"\n{outcome}\n"
    );
    let count = if is_shared { "if get(game, \"applause\") >= 28 then set(game, \"won\", 1) end" } else { "" };
    let script = format!(
        "return {{\n\
         song = {{\n\
         offer = function() choice(\"low\") choice(\"high\") end,\n\
         act = function(player, song)\n\
         gain({holder}, \"applause\", random(6) + (if song == \"high\" then 2 else 0))\n\
         end,\n}},\n\
         count = {{ run = function() {count} end }},\n}}"
    );
    load("songs", &[("game", &declared), ("phases", PHASES), ("prompts", PROMPTS)], &[("phases", &script)])
}

fn arena(game: &Game, players: u8, bots: &[&str]) -> ArenaReport {
    let setup = game.setup(Some(players), &[], 1).unwrap();
    let bots = bots.iter().map(|bot| (*bot).to_owned()).collect();
    let series = Series { threads: 2, ..Series::new((game.clone(), setup), bots, 1) };
    Arena { series, blocks: 60, until: None }.run(|_| true).unwrap()
}

#[test]
fn the_luck_of_a_seed_cancels_out() {
    for (is_shared, players, gained) in [(true, 3, 12.0), (false, 1, 4.0)] {
        let report = arena(&songs(is_shared), players, &["plan:low", "plan:high"]);
        let over = report.bots[1].over_first.as_ref().unwrap();
        let (score, own) = (over.score.unwrap().delta, report.bots[1].score.unwrap());
        assert!(own.interval.high - own.interval.low > 0.5, "the scores vary: {own:?}");
        assert!((score.value - gained).abs() < 1e-9 && score.interval.high - score.interval.low < 1e-9, "{score:?}");
        assert!(report.bots[0].over_first.is_none() && report.beats[1][0].is_none());
        assert_eq!(over.share.is_some(), is_shared, "nobody wins or loses alone: {over:?}");
    }
    let report = arena(&songs(false), 3, &["plan:low", "plan:high"]);
    assert!(report.bots.iter().all(|one| one.over_first.is_none()), "these bots meet");
}

#[test]
fn the_score_decides_where_both_win_equally_often() {
    let judged = |bots: [&str; 2]| {
        let report = arena(&songs(true), 3, &bots);
        let (objective, over) = report.bots[1].over_first.as_ref().unwrap().judged(report.objective, false);
        (objective, over.unwrap().delta.interval.low > 0.0)
    };
    assert_eq!(judged(["plan:low", "plan:high"]), (Objective::WinShare, true));
    // Neither sings loud enough to win.
    let alone = |bots: [&str; 2]| {
        let report = arena(&songs(true), 1, &bots);
        report.bots[1].over_first.as_ref().unwrap().judged(report.objective, false).0
    };
    assert_eq!(alone(["plan:low", "plan:high"]), Objective::Score);
    assert_eq!(judged(["random", "random"]), (Objective::Score, false));
}
