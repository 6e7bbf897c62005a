//! Bots and simulations on small games.

mod goals;
mod mixed;

use std::sync::Arc;

use motherlode::{Game, Match};

use crate::bots::learned::STEPS;
use crate::{
    Bot, DECISION_LIMIT, First, GameColumns, GameRow, LearnedBot, Limits, Pattern, Random, Report, Rollout, Search,
    Sheet, SheetFormat, Simulation, SimulationError, Training, TrainingError, TrainingResult, Value, ValueError, mix,
    samples,
};

fn simulation(game: &Game, players: Option<u8>, options: &[(&str, &str)], bots: &[&str]) -> Simulation {
    let options: Vec<(String, String)> =
        options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let setup = game.setup(players, &options, 7).unwrap();
    let bots = bots.iter().map(|spec| (*spec).to_owned()).collect();
    Simulation { games: 100, threads: 2, bots, ..Simulation::new(game, setup) }
}

/// The report without the measured speed, the rows, and the written table.
fn run(simulation: &Simulation) -> (Report, Vec<GameRow>, String) {
    let mut rows = Vec::new();
    let columns = GameColumns::of(&simulation.game, simulation.setup.players);
    let mut table = Sheet::new(Vec::new(), SheetFormat::Csv, columns.columns()).unwrap();
    let sink = |row: &GameRow| {
        rows.push(row.clone());
        table.write(columns.values(row))
    };
    let mut report = simulation.run_into(sink, |_| {}).unwrap();
    assert!(report.speed.take().is_some());
    let table = String::from_utf8(table.finish().unwrap()).unwrap();
    (report, rows, table)
}

fn assert_same_at_any_number_of_threads(simulation: &Simulation) {
    let one = run(&Simulation { threads: 1, ..simulation.clone() });
    for threads in [2, 3, 8] {
        let many = run(&Simulation { threads, ..simulation.clone() });
        assert_eq!(one.2, many.2, "{threads} threads");
        assert_eq!(one.1, many.1, "{threads} threads");
        assert_eq!(
            serde_json::to_string(&one.0).unwrap(),
            serde_json::to_string(&many.0).unwrap(),
            "{threads} threads"
        );
    }
    assert!(one.1.iter().zip(0..).all(|(row, index)| row.index == index), "rows in order");
    assert_eq!(one.1.len() as u64, simulation.games);
}

#[test]
fn results_are_equal_at_any_number_of_threads() {
    let noughts = Simulation { games: 1000, ..simulation(&samples::noughts(), None, &[], &["random"]) };
    assert_same_at_any_number_of_threads(&noughts);
    let bids = simulation(&samples::bids(), Some(3), &[], &["random", "flat:9", "rollout:3"]);
    assert_same_at_any_number_of_threads(&bids);
    // Few games, because every fault runs again to find its line.
    let faulty = simulation(&samples::noughts(), None, &[("faulty", "on")], &["rollout:1", "random"]);
    let faulty = Simulation { games: 12, ..faulty };
    assert_same_at_any_number_of_threads(&faulty);
}

#[test]
fn random_noughts_match_the_exact_shares() {
    // In random games of tic-tac-toe the first player wins 58.5 %, the second 28.8 %, and 12.7 % are drawn.
    let noughts = Simulation { games: 20_000, ..simulation(&samples::noughts(), None, &[], &["random"]) };
    let (report, ..) = run(&noughts);
    assert_eq!((report.games, report.finished, report.aborted.len()), (20_000, 20_000, 0));
    let [first, second] = report.seats.as_slice() else { panic!("two seats") };
    let [one, two] = [first, second].map(|seat| seat.places.unwrap());
    assert!(one.interval.contains(0.585 + 0.127 / 2.0), "{first:?}");
    assert!(two.interval.contains(0.288 + 0.127 / 2.0), "{second:?}");
    assert!(first.uneven && second.uneven);
    // The engine takes the last free cell without asking.
    assert_eq!((report.decisions.min, report.decisions.max), (5, 8));
    assert_eq!(one.wins + two.wins + report.shared, 20_000);
    assert_eq!((first.scores.min, first.scores.max), (0, 1));
}

#[test]
fn an_aborted_game_is_recorded_and_replayed() {
    let game = samples::noughts();
    let faulty = simulation(&game, None, &[("faulty", "on")], &["random"]);
    let (report, rows, table) = run(&faulty);
    let aborted: Vec<&GameRow> = rows.iter().filter(|row| row.aborted.is_some()).collect();
    assert!((10..90).contains(&aborted.len()), "{} games aborted", aborted.len());
    assert_eq!(report.finished + aborted.len() as u64, 100);
    assert_eq!(report.aborted.iter().map(|reason| reason.games).sum::<u64>(), aborted.len() as u64);
    assert!(report.aborted[0].reason.contains("the pencil broke"), "{}", report.aborted[0].reason);
    assert!(table.contains("the pencil broke"));
    for row in aborted {
        assert_eq!(row.seed, mix(7, row.index));
        assert_eq!((row.answers.len(), row.scores.len()), (row.decisions as usize, 0));
        let mut setup = faulty.setup.clone();
        setup.seed = row.seed;
        let mut table = Match::new(&game, &setup).unwrap();
        for answer in &row.answers {
            table.answer_as(answer.seat, usize::from(answer.index)).unwrap();
        }
        // The next answer of the same bot is the failing one.
        let mut bots = [mix(row.seed, 1), mix(row.seed, 2)].map(Random::new);
        let mut again = Match::new(&game, &setup).unwrap();
        let error = loop {
            let decision = again.decision().expect("the game does not end");
            let choice = bots[usize::from(decision.seat)].choose(&again, decision).unwrap();
            if let Err(error) = again.answer(choice) {
                break error;
            }
        };
        assert_eq!(Some(error.to_string()), row.aborted);
        assert_eq!(again.answers(), row.answers);
        assert_eq!(again.state().hash(), table.state().hash());
    }
}

#[test]
fn an_endless_game_is_aborted() {
    let endless = Simulation { games: 2, ..simulation(&samples::noughts(), None, &[("endless", "on")], &["first"]) };
    let (report, rows, _) = run(&endless);
    assert_eq!(report.aborted[0].reason, "more than 100000 decisions");
    assert_eq!((report.aborted[0].games, rows[1].decisions), (2, DECISION_LIMIT));
    assert_eq!(
        (report.decisions.count, report.seats[0].places.unwrap().interval.high.to_bits()),
        (0, 1.0f64.to_bits())
    );
}

#[test]
fn progress_reaches_the_end() {
    let noughts = Simulation { games: 777, ..simulation(&samples::noughts(), None, &[], &["random"]) };
    let mut seen = Vec::new();
    noughts.run(|progress| seen.push(progress.done)).unwrap();
    assert!(seen.is_sorted());
    assert_eq!(seen.last(), Some(&777));
    let none = Simulation { games: 0, ..noughts };
    assert_eq!(none.run(|_| {}).unwrap().games, 0);
}

#[test]
fn a_sink_that_fails_stops_the_simulation() {
    let noughts = Simulation { games: 1_000_000, ..simulation(&samples::noughts(), None, &[], &["random"]) };
    let full = |row: &GameRow| if row.index < 100 { Ok(()) } else { Err(std::io::Error::other("the disk is full")) };
    let error = noughts.run_into(full, |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "cannot write the rows: the disk is full");
}

#[test]
fn bots_are_checked_before_the_first_game() {
    let game = samples::bids();
    let error = |bots: &[&str]| simulation(&game, None, &[], bots).run(|_| {}).unwrap_err();
    assert!(matches!(error(&["randon"]), SimulationError::Bot(_)));
    assert_eq!(error(&["random", "first"]).to_string(), "2 bots for 3 players: give one for all seats or one per seat");
    assert_eq!(error(&[]).to_string(), "0 bots for 3 players: give one for all seats or one per seat");
}

#[test]
fn a_report_survives_serialization() {
    let (report, ..) = run(&simulation(&samples::noughts(), None, &[("faulty", "on")], &["random"]));
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
}

#[test]
fn rollouts_win_at_noughts() {
    let game = samples::noughts();
    let (first, ..) = run(&Simulation { games: 40, ..simulation(&game, None, &[], &["rollout:20", "random"]) });
    assert!(first.seats[0].places.unwrap().share > 0.9, "{:?}", first.seats);
    let (second, ..) = run(&Simulation { games: 40, ..simulation(&game, None, &[], &["random", "rollout:20"]) });
    assert!(second.seats[1].places.unwrap().share > 0.75, "{:?}", second.seats);
}

/// A bot that peeks at the top card is always right; an honest one says "red", the likelier colour.
#[test]
fn no_bot_looks_at_hidden_cards() {
    for game in [samples::guess(), samples::guess_in_turn()] {
        let bots: [Box<dyn Bot>; 3] =
            [Box::new(Rollout::new(60, 1)), Box::new(Search::flat(120, 1)), Box::new(Search::trees(120, 1))];
        for mut bot in bots {
            guesses_red(&game, &mut *bot);
        }
    }
}

fn guesses_red(game: &Game, bot: &mut dyn Bot) {
    let mut blue = 0;
    for seed in 0..40 {
        let table = Match::new(game, &game.setup(Some(1), &[], seed).unwrap()).unwrap();
        let before = table.state().hash();
        let decision = table.decision().unwrap();
        bot.reseed(seed);
        let choice = bot.choose(&table, decision).unwrap();
        assert_eq!(table.describe(table.choices()[choice]).id, "red", "{}, seed {seed}", bot.name());
        assert_eq!(table.state().hash(), before, "the match itself is not touched");
        let mut end = table.fork().unwrap();
        end.answer(1).unwrap();
        blue += end.outcome().unwrap().scores[0];
    }
    assert!((2..20).contains(&blue), "the top card is blue now and then: {blue}");
}

/// In a sealed phase the last seat must not profit from the unrevealed answers of the others.
#[test]
fn no_bot_looks_at_sealed_answers() {
    let game = samples::bids();
    let choices: Vec<[usize; 3]> = [[0, 0], [0, 1], [1, 2], [2, 2]]
        .iter()
        .map(|sealed| {
            let mut table = Match::new(&game, &game.setup(Some(3), &[], 3).unwrap()).unwrap();
            for (seat, index) in (0..).zip(sealed) {
                table.answer_as(seat, *index).unwrap();
            }
            let decision = table.decision().unwrap();
            assert_eq!(decision.seat, 2);
            let bots: [Box<dyn Bot>; 3] =
                [Box::new(Rollout::new(40, 9)), Box::new(Search::flat(90, 9)), Box::new(Search::trees(90, 9))];
            bots.map(|mut bot| bot.choose(&table, decision).unwrap())
        })
        .collect();
    assert_eq!(choices, [choices[0]; 4]);
}

#[test]
fn bots_repeat_their_choices_with_the_same_seed() {
    let game = samples::noughts();
    let table = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let decision = table.decision().unwrap();
    let value = Value::read(&game, &trained(&game, 1).text).unwrap();
    let bots: [Box<dyn Bot>; 7] = [
        Box::new(Random::new(1)),
        Box::new(First),
        Box::new(Rollout::new(5, 1)),
        Box::new(Search::flat(20, 1)),
        Box::new(Search::trees(20, 1)),
        Box::new(LearnedBot::new("learned".into(), &value, None, 1)),
        Box::new(Search::learned("search:9+learned".into(), 9, &value, 1)),
    ];
    for mut bot in bots {
        let mut choose = || {
            bot.reseed(42);
            (0..5).map(|_| bot.choose(&table, decision).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(choose(), choose());
    }
}

/// The position after marks on these cells, from 0; cross begins.
fn noughts_after(game: &Game, cells: &[i32]) -> Match {
    let mut table = Match::new(game, &game.setup(None, &[], 1).unwrap()).unwrap();
    for cell in cells {
        let index = table.choices().iter().position(|choice| choice - 1 == *cell).unwrap();
        table.answer(index).unwrap();
    }
    table
}

#[test]
fn a_search_completes_and_blocks_lines() {
    let game = samples::noughts();
    // A line to complete, and a line to block.
    for (cells, best) in [(&[0, 3, 1, 4][..], 2), (&[0, 4, 8, 5], 3)] {
        let table = noughts_after(&game, cells);
        for seed in 0..5 {
            let index = Search::trees(600, seed).choose(&table, table.decision().unwrap()).unwrap();
            assert_eq!(table.choices()[index] - 1, best, "seed {seed}: after {cells:?}");
        }
    }
}

/// If all bots attack the first of several equal opponents, that seat loses.
#[test]
fn every_bot_breaks_ties_at_random() {
    let game = samples::noughts();
    // Two cells are left, and neither player can win.
    let table = noughts_after(&game, &[2, 4, 3, 5, 7, 6, 8]);
    let decision = table.decision().unwrap();
    type Make = fn(u64) -> Box<dyn Bot>;
    let make: [Make; 3] = [
        |seed| Box::new(Rollout::new(4, seed)),
        |seed| Box::new(Search::flat(8, seed)),
        |seed| Box::new(Search::trees(8, seed)),
    ];
    for make in make {
        let first = (0..100).filter(|&seed| make(seed).choose(&table, decision).unwrap() == 0).count();
        assert!((30..=70).contains(&first), "{}: the first in {first} of 100", make(0).name());
    }
}

#[test]
fn tree_search_beats_flat_search_with_the_same_budget() {
    let game = samples::noughts();
    let points = |bots: &[&str]| {
        let (report, ..) = run(&Simulation { games: 60, ..simulation(&game, None, &[], bots) });
        [0, 1].map(|seat: usize| report.seats[seat].places.unwrap().wins)
    };
    let (one, two) = (points(&["search:80", "flat:80"]), points(&["flat:80", "search:80"]));
    let (search, flat) = (one[0] + two[1], one[1] + two[0]);
    assert!(search > flat, "{search} wins to {flat}");
}

#[test]
fn every_budget_is_enough_for_some_choice() {
    let game = samples::noughts();
    let table = noughts_after(&game, &[]);
    for budget in 1..12 {
        for mut bot in [Search::flat(budget, 1), Search::trees(budget, 1)] {
            assert!(bot.choose(&table, table.decision().unwrap()).unwrap() < 9);
        }
    }
}

/// A value of `noughts` from a short training.
fn trained(game: &Game, threads: usize) -> TrainingResult {
    let setup = game.setup(None, &[], 5).unwrap();
    Training { games: 60, iterations: 2, matches: 4, searches: 4, threads, ..Training::new(game, setup) }
        .run(|_| true)
        .unwrap()
}

#[test]
fn training_depends_only_on_its_seed() {
    let game = samples::noughts();
    let one = trained(&game, 1);
    assert_eq!(one.text, trained(&game, 3).text);
    assert_eq!((one.iterations.len(), one.origin.games), (2, 188));
    let setup = game.setup(None, &[], 6).unwrap();
    let other = Training { games: 60, iterations: 2, matches: 4, searches: 4, ..Training::new(&game, setup) }
        .run(|_| true)
        .unwrap();
    assert_ne!(one.text, other.text);
}

#[test]
fn training_games_obey_the_limits() {
    let game = samples::noughts();
    let setup = game.setup(None, &[], 5).unwrap();
    let training = Training { games: 60, iterations: 2, matches: 4, searches: 4, ..Training::new(&game, setup) };
    // The middle is filled last, and training keeps no position of a finished game, so it is always empty.
    let never = vec![Pattern::new(&game, "b2").unwrap()];
    let limits = Some(Arc::new(Limits { never, ..Limits::default() }));
    let without = Training { limits, ..training.clone() }.run(|_| true).unwrap().text;
    let with = training.run(|_| true).unwrap().text;
    assert!(with.contains(" mark.4=") && without.contains(" mark.3="), "{without}");
    assert!(!without.contains(" mark.4="), "{without}");
}

#[test]
fn a_training_that_is_stopped_keeps_its_best_value() {
    let game = samples::noughts();
    let setup = game.setup(None, &[], 5).unwrap();
    let training = Training { games: 60, iterations: 2, matches: 4, searches: 4, ..Training::new(&game, setup) };
    let until = |most: u64| training.run(|progress| progress.done < most);
    assert!(matches!(until(100), Err(TrainingError::Stopped)), "nobody has learned anything yet");
    for (most, games, iterations) in [(150, 120, 1), (188, 184, 2)] {
        let stopped = until(most).unwrap();
        assert!(stopped.stopped && Value::read(&game, &stopped.text).is_ok());
        assert_eq!((stopped.origin.games, stopped.iterations.len()), (games, iterations), "{most}");
    }
    assert!(!until(1000).unwrap().stopped);
}

#[test]
fn lookahead_answers_follow_up_questions() {
    for turns in ["once", "sealed"] {
        let game = samples::asking(turns);
        let value = Value::read(&game, &trained(&game, 1).text).unwrap();
        let mut table = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
        let mut bot = LearnedBot::new("learned".into(), &value, None, 1);
        while let Some(decision) = table.decision() {
            // The second answer is better in both questions; after the last seat, the result shows it.
            if decision.seat == 1 {
                assert_eq!(bot.choose(&table, decision).unwrap(), 1, "{turns}");
            }
            table.answer(1).unwrap();
        }
        assert_eq!(table.outcome().unwrap().scores, [3, 3]);
    }
}

#[test]
fn lookahead_continues_through_questions_to_others() {
    let game = samples::asking_the_other();
    let value = Value::read(&game, &trained(&game, 1).text).unwrap();
    let mut table = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let mut bot = LearnedBot::new("learned".into(), &value, None, 1);
    // The three points come only after the other player's answer.
    assert_eq!(bot.choose(&table, table.decision().unwrap()).unwrap(), 1);
    table.answer(1).unwrap();
    table.answer(0).unwrap();
    let decision = table.decision().unwrap();
    assert_eq!((decision.seat, bot.choose(&table, decision).unwrap()), (1, 1));
}

/// The most steps that a bot spends on a decision of a game, and its answers.
fn most_steps(game: &Game, bot: &mut LearnedBot) -> (i64, Vec<usize>) {
    let mut table = Match::new(game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let (mut most, mut answers) = (0, Vec::new());
    while let Some(decision) = table.decision() {
        answers.push(bot.choose(&table, decision).unwrap());
        most = most.max(bot.spent_steps());
        table.answer(answers[answers.len() - 1]).unwrap();
    }
    (most, answers)
}

#[test]
fn a_decision_of_a_learned_bot_has_a_budget_of_steps() {
    let game = samples::pondering();
    let value = Value::read(&game, &trained(&game, 1).text).unwrap();
    let mut table = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    while table.decision().is_some() {
        table.answer(1).unwrap();
    }
    // A deal, and the answers that begin before the budget is spent, may exceed it: each at most a whole turn.
    let most = STEPS + 4 * table.steps();
    let (spent, answers) = most_steps(&game, &mut LearnedBot::new("learned".into(), &value, None, 1));
    assert!(spent <= most, "{spent} of {most}");
    let again = most_steps(&game, &mut LearnedBot::new("learned".into(), &value, None, 1));
    assert_eq!(again, (spent, answers), "a count of work does not depend on a clock");
    let (unbounded, _) = most_steps(&game, &mut LearnedBot::new("look:512+learned".into(), &value, Some(512), 1));
    assert!(unbounded > most, "{unbounded} of {most}: the game is too short to test the budget");
}

#[test]
fn a_learned_value_plays_better_than_chance() {
    let game = samples::noughts();
    let setup = game.setup(None, &[], 5).unwrap();
    let text = Training { games: 400, iterations: 2, ..Training::new(&game, setup) }.run(|_| true).unwrap().text;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.value");
    std::fs::write(&file, text).unwrap();
    let learned = format!("learned:{}", file.display());
    let (report, ..) = run(&Simulation { games: 100, ..simulation(&game, None, &[], &["random", &learned]) });
    // Of two random players, the second wins 35 %.
    assert!(report.seats[1].places.unwrap().share > 0.85, "{:?}", report.seats[1]);
    let both = format!("search:40+{learned}");
    let (report, ..) = run(&Simulation { games: 40, ..simulation(&game, None, &[], &["random", &both]) });
    assert!(report.seats[1].places.unwrap().share > 0.75, "{:?}", report.seats[1]);
}

#[test]
fn values_of_other_games_are_refused() {
    let (game, other) = (samples::noughts(), samples::bids());
    let text = trained(&game, 1).text;
    let fault =
        |game: &Game, text: &str| Value::read(game, text).err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(Value::read(&game, &text).unwrap().origins().next().unwrap().players, [2]);
    assert_eq!(fault(&other, &text), "the value is for `noughts`, not for `bids`");
    for foreign in ["", "name = \"Noughts\"", "\u{1f0a1}"] {
        assert_eq!(Value::read(&game, foreign).err(), Some(ValueError::Foreign));
    }
    assert!(fault(&game, &text.replacen("value 5", "value 9", 1)).starts_with("the file has format 9"));
    let half = &text[..text.len() / 2];
    assert!(fault(&game, half).starts_with("line "), "{}", fault(&game, half));
    let short: String = text.lines().take(12).map(|line| format!("{line}\n")).collect();
    assert!(fault(&game, &short).contains("missing last line `end`"), "{}", fault(&game, &short));
    let broken = text.replacen(" bias", "x bias", 1);
    assert_eq!(fault(&game, &broken), "line 9: expected 1 numbers in Base64");
    assert!(Value::read(&game, &text.repeat(16)).is_ok());
    let lines = text.lines().count();
    assert_eq!(fault(&game, &text.repeat(17)), format!("line {}: a file holds at most 16 values", 16 * lines + 1));
    let twice = format!("{text}{}", text.replacen("players 2", "players 5", 1));
    let players: Vec<Vec<u8>> =
        Value::read(&game, &twice).unwrap().origins().map(|origin| origin.players.clone()).collect();
    assert_eq!(players, [[2], [5]]);
    let second = format!("{text}{broken}");
    assert_eq!(fault(&game, &second), format!("line {}: expected 1 numbers in Base64", text.lines().count() + 9));
    let renamed = text.replace("mark", "sign").replacen("features ", "features 0", 1);
    assert!(fault(&game, &renamed).contains("features: make a new value"), "{}", fault(&game, &renamed));
}
