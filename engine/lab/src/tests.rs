//! Positive and negative controls of every experiment: equal things must test equal, different ones must not.

mod apart;
mod goals;

use std::sync::atomic::{AtomicBool, Ordering};

use motherlode::Game;

use crate::samples::Stall;
use crate::{Arena, ArenaReport, Compare, CompareReport, Effects, Flag, Hypotheses, Opinion, Series, Verdict};

fn series(game: &Game, bots: &[&str], seed: u64) -> Series {
    let setup = game.setup(None, &[], seed).unwrap();
    let bots = bots.iter().map(|bot| (*bot).to_owned()).collect();
    Series { threads: 2, ..Series::new((game.clone(), setup), bots, seed) }
}

fn arena(bots: &[&str], blocks: u64, seed: u64) -> ArenaReport {
    let game = Stall::default().load();
    Arena { series: series(&game, bots, seed), blocks, until: None }.run(|_| true).unwrap()
}

fn compare(base: Stall, changed: Stall, blocks: u64, seed: u64) -> CompareReport {
    let (base, changed) = (base.load(), changed.load());
    let setup = changed.setup(None, &[], seed).unwrap();
    let series = Series { others: vec![(changed, setup)], ..series(&base, &["first", "random", "random"], seed) };
    Compare { series, blocks, matters: 0.1, until: false }.run(|_| true).unwrap()
}

#[test]
fn a_mirror_match_is_even_and_a_search_beats_random() {
    let mirror = arena(&["random", "random", "random"], 150, 3);
    for standing in &mirror.bots {
        assert!(standing.share.unwrap().interval.contains(mirror.even), "{standing:?}");
    }
    let searching = arena(&["random", "rollout:4", "random"], 30, 3);
    let share = searching.bots[1].share.unwrap();
    assert!(share.interval.low > searching.even, "{share:?}");
    assert!(searching.beats[1][0].unwrap().interval.low > 0.5 && searching.beats[0][0].is_none());
    assert!(searching.cost[1].microseconds > searching.cost[0].microseconds);
}

/// Pairs of bots that a report tells apart.
fn told_apart(report: &ArenaReport) -> Vec<(usize, usize)> {
    let bots = 0..report.bots.len();
    let pairs = bots.clone().flat_map(|one| bots.clone().map(move |other| (one, other)));
    pairs.filter(|(one, other)| report.is_stronger[*one][*other]).collect()
}

#[test]
fn equal_bots_are_rarely_told_apart_however_many_they_are() {
    let (bots, runs) = (["random"; 6], 100);
    let (mut marked, mut above) = (0, 0);
    for seed in 1..=runs {
        let report = arena(&bots, 24, seed);
        marked += u64::from(!told_apart(&report).is_empty());
        above += u64::from(report.beats.iter().flatten().flatten().any(|beats| beats.interval.low > 0.5));
    }
    // Of 15 intervals, one or more leaves out the even share in about every second run.
    assert!(above > 25, "{above} of {runs}");
    // At 5 %, more than 11 of 100 have a probability of one in two hundred.
    assert!(marked <= 11, "{marked} of {runs} runs tell equal bots apart");
}

#[test]
fn a_planted_strong_bot_is_told_apart_from_each_other() {
    let report = arena(&["random", "rollout:4", "random", "random"], 60, 3);
    assert_eq!(told_apart(&report), [(1, 0), (1, 2), (1, 3)]);
}

#[test]
fn results_do_not_depend_on_threads() {
    let game = Stall::default().load();
    let run = |threads| {
        let series = Series { threads, ..series(&game, &["random", "rollout:2"], 5) };
        let until = Some(Hypotheses { h0: 0.33, h1: 0.5 });
        let report = Arena { series, blocks: 60, until }.run(|_| true).unwrap();
        ArenaReport { cost: Vec::new(), ..report }
    };
    let one = run(1);
    assert_eq!(one, run(4));
    assert!(one.blocks <= 60 && one.games == 2 * one.blocks);
}

#[test]
fn a_clear_answer_ends_the_test_early() {
    let game = Stall::default().load();
    let series = series(&game, &["rollout:8", "random", "random"], 5);
    let report = Arena { series, blocks: 400, until: Some(Hypotheses { h0: 0.33, h1: 0.6 }) }.run(|_| true).unwrap();
    assert_eq!(report.verdict.unwrap().1, Verdict::H1);
    assert!(report.blocks < 200 && !report.stopped, "{} blocks", report.blocks);
}

#[test]
fn a_stopped_arena_reports_the_prefix() {
    let game = Stall::default().load();
    let whole = |blocks| Arena { series: series(&game, &["random"], 5), blocks, until: None };
    let stopped = whole(500).run(|done| done < 20).unwrap();
    let short = whole(20).run(|_| true).unwrap();
    assert!(stopped.stopped && !short.stopped);
    assert_eq!(stopped.seats, short.seats);
}

#[test]
fn no_edit_is_no_difference() {
    let report = compare(Stall::default(), Stall::default(), 200, 1);
    assert_eq!((report.pairs, report.same, report.first.is_none()), (600, 600, true));
    assert!(report.metrics.iter().all(|metric| !metric.found && metric.difference.delta.value == 0.0));
    assert_eq!(report.opinion, Opinion::Same);
}

#[test]
fn a_planted_change_is_found_with_its_sign() {
    let report = compare(Stall::default(), Stall { ruby: 5, ..Stall::default() }, 60, 1);
    let score = report.metrics.iter().find(|metric| metric.of == "all" && metric.what == "score").unwrap();
    assert!(score.found && score.difference.delta.interval.low > 0.0, "{score:?}");
    // Each player takes four of 28 jewels. 8 of them are rubies, now worth 3 more: a gain of 24 / 7 if nobody
    // looks at values.
    let long = compare(Stall::default(), Stall { ruby: 5, ..Stall::default() }, 600, 2);
    let truth = long.metrics.iter().find(|metric| metric.of == "all" && metric.what == "score").unwrap();
    assert!(score.difference.delta.interval.contains(truth.difference.delta.value), "{score:?} {truth:?}");
    assert_eq!(report.opinion, Opinion::Differs { of: "all".to_owned(), what: "score".to_owned() });
    let first = report.first.unwrap();
    assert!(first.base != first.changed && first.step.is_none(), "no choice depends on the value of a ruby");
    let report = compare(Stall::default(), Stall { cutters: 3, ..Stall::default() }, 100, 1);
    let cutters =
        report.metrics.iter().find(|metric| metric.of == "Guild: Cutters" && metric.what == "win share").unwrap();
    assert!(cutters.found && cutters.difference.delta.interval.low > 0.1, "{cutters:?}");
}

#[test]
fn extra_random_draws_leave_pairs_equal() {
    let report = compare(Stall::default(), Stall { idle_draws: 3, ..Stall::default() }, 200, 1);
    assert_eq!((report.same, report.opinion), (report.pairs, Opinion::Same));
}

#[test]
fn roles_are_paired_by_name_not_by_index() {
    let cutters = Stall { cutters: 3, ..Stall::default() };
    let shifted = Stall { idle_first: true, ..cutters };
    let plain = compare(cutters, cutters, 200, 1);
    assert!(["Cutters", "Setters", "Traders"].iter().all(|role| {
        let of = format!("Guild: {role}");
        plain.metrics.iter().any(|metric| metric.of == of && metric.what == "win share")
    }));
    for (base, changed) in [(cutters, shifted), (shifted, cutters)] {
        let report = compare(base, changed, 200, 1);
        assert_eq!((report.same, report.opinion), (report.pairs, Opinion::Same));
        assert_eq!(report.metrics, plain.metrics);
    }
}

#[test]
fn equal_scores_do_not_prolong_a_comparison() {
    let ranks = Stall { only_ranks: true, ..Stall::default() };
    let until = |changed: Stall| {
        let (game, changed) = (ranks.load(), changed.load());
        let setup = changed.setup(None, &[], 1).unwrap();
        let series = Series { others: vec![(changed, setup)], ..series(&game, &["random"], 1) };
        Compare { series, blocks: 400, matters: 0.1, until: true }.run(|_| true).unwrap()
    };
    let same = until(ranks);
    assert_eq!(same.opinion, Opinion::Same);
    assert!(same.blocks < 200, "{} blocks", same.blocks);
    assert_eq!(until(Stall::default()).opinion, Opinion::Differs { of: "all".to_owned(), what: "score".to_owned() });
}

/// Edits that change only chance. `LODE_NULL_EDITS=200` runs the long form.
#[test]
fn the_false_discovery_rate_is_held() {
    let edits = std::env::var("LODE_NULL_EDITS").ok().and_then(|count| count.parse::<u8>().ok()).unwrap_or(12);
    let wrong = (1..=edits).filter(|edit| {
        let changed = Stall { idle_shuffles: *edit, ..Stall::default() };
        let report = compare(Stall::default(), changed, 40, u64::from(*edit));
        assert!(report.same < report.pairs / 2, "chance differs");
        report.metrics.iter().any(|metric| metric.found)
    });
    let wrong = wrong.count();
    // At 5 %, more than 18 of 200, or more than 3 of 12, has a probability of at most about one in two hundred.
    let most = if edits >= 100 { usize::from(edits) * 9 / 100 } else { 3 };
    assert!(wrong <= most, "{wrong} of {edits} null edits were found to differ");
}

#[test]
fn a_halted_series_has_whole_blocks_only() {
    static HALT: AtomicBool = AtomicBool::new(false);
    let game = Stall::default().load();
    let series = Series { halt: Some(&HALT), ..series(&game, &["random", "first"], 5) };
    let blocks = 1_000_000;
    let arena = Arena { series: series.clone(), blocks, until: None };
    let halt_at_three = |done| {
        HALT.fetch_or(done == 3, Ordering::Relaxed);
        true
    };
    let report = arena.run(halt_at_three).unwrap();
    assert!(report.stopped && report.blocks >= 3 && report.games == 2 * report.blocks, "{report:?}");
    let none = Effects { series, blocks, forks: 2, items: vec![], after: None }.run(|_| true).unwrap();
    assert!(none.stopped && (none.blocks, none.games) == (0, 0) && none.items.iter().all(|item| item.pick.is_none()));
}

#[test]
fn effects_find_good_and_bad_items() {
    let game = Stall { ruby: 9, ..Stall::default() }.load();
    let effects =
        Effects { series: series(&game, &["rollout:4"], 2), blocks: 60, forks: 60, items: vec![], after: None };
    let report = effects.run(|_| true).unwrap();
    let item = |name: &str| report.items.iter().find(|item| item.name == name).unwrap();
    let (ruby, glass) = (item("Ruby"), item("Glass"));
    assert!(ruby.pick.unwrap().interval.low > 0.0 && ruby.found, "{ruby:?}");
    assert!(glass.pick.unwrap().interval.high < 0.0 && glass.found, "{glass:?}");
    assert!(ruby.taken.unwrap().value > glass.taken.unwrap().value + 0.2, "{ruby:?} {glass:?}");
    assert!(ruby.flag != Some(Flag::Dead) && glass.flag != Some(Flag::MustHave), "{glass:?}");
    assert_eq!(
        report,
        Effects { series: Series { threads: 1, ..effects.series.clone() }, ..effects }.run(|_| true).unwrap()
    );
}

#[test]
fn a_winning_role_shows_in_the_deal() {
    let game = Stall { cutters: 6, ..Stall::default() }.load();
    let effects = Effects { series: series(&game, &["random"], 2), blocks: 150, forks: 5, items: vec![], after: None };
    let report = effects.run(|_| true).unwrap();
    let dealt = |name: &str| report.items.iter().find(|item| item.name == name).unwrap().dealt.unwrap();
    assert!(dealt("Cutters").delta.interval.low > 0.2, "{:?}", dealt("Cutters"));
    assert!(dealt("Traders").delta.interval.high < 0.0);
    let role = report.roles.iter().find(|role| role.standing.name == "Guild: Cutters").unwrap();
    assert!(role.found && role.standing.share.unwrap().interval.low > 0.4);
}
