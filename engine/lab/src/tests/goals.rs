//! Experiments judge a game by its declared goal.

use motherlode::{Game, SourceFile};
use motherlode_fixtures::stakes;

use super::{compare, series};
use crate::samples::Stall;
use crate::{Balance, Effects, Judgement, MixedTable, Objective, Opinion, item_columns};

/// Outcomes of the game of stakes, each with its objective.
const GOALS: [(&str, Objective); 3] =
    [("", Objective::WinShare), ("goal = \"score\"", Objective::Score), ("goal = \"margin\"", Objective::Margin)];

fn load(outcome: &str) -> Game {
    Game::load(&stakes(outcome)).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn a_comparison_tests_the_declared_goal() {
    let goal = |goal| Stall { goal: Some(goal), ..Stall::default() };
    for (of, what) in [("score", "score"), ("margin", "margin")] {
        let report = compare(goal(of), Stall { cutters: 3, ..goal(of) }, 100, 1);
        assert!(report.metrics.iter().all(|metric| metric.what != "win share"), "{:?}", report.metrics);
        assert!(report.metrics.iter().any(|metric| metric.of == "seat 1: One" && metric.what == what));
        let cutters = report.metrics.iter().find(|metric| metric.of == "Guild: Cutters" && metric.what == what);
        let cutters = cutters.unwrap();
        assert!(cutters.found && cutters.difference.delta.interval.low > 1.0, "{cutters:?}");
        let differs =
            matches!(&report.opinion, Opinion::Differs { what: found, .. } if found == what || found == "score");
        assert!(differs, "{:?}", report.opinion);
        let same = compare(goal(of), goal(of), 200, 1);
        assert_eq!((same.same, same.opinion), (same.pairs, Opinion::Same));
    }
}

#[test]
fn the_risky_choice_is_worth_what_the_goal_says() {
    for (outcome, objective) in GOALS {
        let effects = Effects {
            series: series(&load(outcome), &["random"], 2),
            blocks: 150,
            forks: 150,
            items: vec![],
            after: None,
        };
        let report = effects.run(|_| true).unwrap();
        let gamble = report.items.iter().find(|item| item.name == "The gamble").unwrap();
        let pick = gamble.pick.unwrap();
        assert_eq!(report.objective, objective);
        assert!(gamble.found && (pick.value > 0.0) != objective.is_share(), "{outcome}: {gamble:?}");
        assert!(objective.is_share() || pick.interval.low > 10.0 && pick.interval.high < 80.0, "{outcome}: {gamble:?}");
        assert_eq!(gamble.points.is_none(), objective.is_score(), "the score is not measured twice");
        assert_eq!(item_columns(objective).iter().any(|column| column.name == "points"), !objective.is_score());
        // A tenth of the standard deviation, which is about 57 for scores of random players.
        assert!(objective.is_share() || (4.0..12.0).contains(&report.must_have_gain), "{}", report.must_have_gain);
    }
}

#[test]
fn bots_at_one_table_are_measured_by_the_goal() {
    for (outcome, objective) in GOALS {
        let series = series(&load(outcome), &["plan:stake=point", "plan:stake=gamble"], 2);
        let report = MixedTable { series, blocks: 150 }.run(|_| true).unwrap();
        let [point, gamble] = [0, 1].map(|bot: usize| report.results[bot].1.unwrap().value);
        assert_eq!((report.objective, gamble > point), (objective, !objective.is_share()), "{point} {gamble}");
        assert!(report.luck.unwrap().skill.value > 0.0);
    }
}

#[test]
fn an_expectation_measures_the_goal() {
    let read = |outcome: &str, expect: &str| {
        let text = format!("bots = [\"plan:stake=point\", \"plan:stake=gamble\"]\n[[expect]]\n{expect}");
        let files = [SourceFile { path: "tests/stakes/balance.toml".to_owned(), text }];
        let game = load(outcome);
        Balance::read(&game, &files).map(|balance| balance.run(&game, (2, None), |_, _| true).unwrap().remove(0))
    };
    let [rank, score, margin] = GOALS.map(|(outcome, _)| outcome);
    let judged = |outcome, expect| read(outcome, expect).unwrap().judgement;
    assert_eq!(judged(rank, "share = \"plan:stake=gamble\"\nat_most = 40"), Judgement::Passed);
    assert_eq!(judged(score, "score = \"plan:stake=gamble\"\nat_least = 15\ngames = 2000"), Judgement::Passed);
    assert_eq!(judged(margin, "margin = \"plan:stake=gamble\"\nat_least = 15\ngames = 2000"), Judgement::Passed);
    assert_eq!(judged(margin, "margin = \"plan:stake=point\"\nat_least = 0\ngames = 2000"), Judgement::Failed);
    let fault = |outcome, expect| {
        let faults = read(outcome, expect).unwrap_err();
        format!("{} ({})", faults[0].message, faults[0].help.clone().unwrap_or_default())
    };
    assert_eq!(
        fault(score, "share = \"seats\"\nat_least = 3"),
        "`share` measures first places, but the goal of this game is `score` (use `score`)"
    );
    assert_eq!(
        fault(rank, "margin = \"seats\"\nat_least = 3"),
        "`margin` measures the lead over the best other score, but the goal of this game is `rank` (use `share`)"
    );
}
