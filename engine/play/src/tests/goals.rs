//! Bots play for the declared goal.

use motherlode::{Game, Match};
use motherlode_fixtures::stakes;

use crate::{Bot, Training, Value, ValueError, bot, bot_forms, reward, utility, utility_now};

/// The outcomes, each with the choice that its goal asks for.
const GOALS: [(&str, &str); 4] =
    [("", "point"), ("goal = \"rank\"", "point"), ("goal = \"score\"", "gamble"), ("goal = \"margin\"", "gamble")];

fn load(outcome: &str) -> Game {
    Game::load(&stakes(outcome)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The text of a value trained for the game.
fn trained(game: &Game) -> String {
    let setup = game.setup(None, &[], 5).unwrap();
    let training = Training { games: 150, iterations: 2, matches: 4, searches: 4, ..Training::new(game, setup) };
    training.run(|_| true).unwrap().text
}

/// The choices of both seats with this bot.
fn choices(game: &Game, bot: &mut dyn Bot, seed: u64) -> [String; 2] {
    let mut m = Match::new(game, &game.setup(None, &[], seed).unwrap()).unwrap();
    [0, 1].map(|_| {
        let decision = m.decision().unwrap();
        let index = bot.choose(&m, decision).unwrap();
        let id = m.legal()[index].id.clone();
        m.answer(index).unwrap();
        id
    })
}

#[test]
fn every_bot_plays_for_the_declared_goal() {
    let folder = tempfile::tempdir().unwrap();
    // Every form of a bot, apart from those that play without a goal.
    let forms = bot_forms().into_iter().map(|form| form.form);
    let aimless = ["random", "first", "policy:FILE.onnx", "plan:A/B+base=BOT", "BOT+never=A/B+always=C"];
    let forms: Vec<String> = forms.filter(|form| !aimless.contains(&form.as_str())).collect();
    for (number, (outcome, best)) in GOALS.into_iter().enumerate() {
        let game = load(outcome);
        let file = folder.path().join(format!("{number}.value"));
        std::fs::write(&file, trained(&game)).unwrap();
        let learned = format!("learned:{}", file.display());
        for form in &forms {
            let spec =
                form.replace(":FILE", "").replace("learned", &learned).replace(":N", ":100").replace(":B", ":300");
            let mut bot = bot(&spec, &game, 1).unwrap();
            for seed in 1..4 {
                assert_eq!(choices(&game, bot.as_mut(), seed)[0], best, "{form} with `{outcome}`, seed {seed}");
            }
        }
    }
}

#[test]
fn the_second_player_answers_the_first() {
    // Against 197 points, one point is as good as none for the rank; for the score, only the average counts.
    let game = load("goal = \"score\"");
    for seed in 1..9 {
        let mut bot = bot("rollout:100", &game, 1).unwrap();
        assert_eq!(choices(&game, &mut bot, seed)[1], "gamble");
    }
}

#[test]
fn a_value_belongs_to_its_goal() {
    let (rank, score) = (load(""), load("goal = \"score\""));
    let (of_rank, of_score) = (trained(&rank), trained(&score));
    assert!(!of_rank.contains("\ngoal ") && of_score.contains("\ngoal score\n"));
    let goal = |found: &str, wanted| Some(ValueError::Goal { found: found.to_owned(), wanted });
    assert_eq!(Value::read(&score, &of_rank).err(), goal("rank", "score"));
    assert_eq!(Value::read(&rank, &of_score).err(), goal("score", "rank"));
    assert!(Value::read(&score, &of_score).is_ok());
}

#[test]
fn step_rewards_add_up_to_the_utility() {
    for (outcome, _) in GOALS {
        let game = load(outcome);
        let declared = &game.declarations().outcome;
        for seed in 1..9 {
            let mut m = Match::new(&game, &game.setup(None, &[], seed).unwrap()).unwrap();
            let mut steps = vec![utility_now(&m, 0).unwrap()];
            while m.decision().is_some() {
                m.answer(1).unwrap();
                steps.push(utility_now(&m, 0).unwrap());
            }
            let end = m.outcome().unwrap();
            let sum: f64 = steps[0] + steps.windows(2).map(|step| step[1] - step[0]).sum::<f64>();
            assert!((sum - utility(declared, &end, 0)).abs() < 1e-9);
            assert!((0.0..=1.0).contains(&reward(declared, &end, 0)));
            let early = if outcome.contains("score") { f64::from(end.scores[0]) } else { steps[1] };
            assert_eq!(steps[1], early, "the score counts at once");
        }
    }
}

/// A game of two teams: a player takes points for the team.
fn team_game(goal: &str, visible: &str) -> Game {
    let game = format!(
        r#"
        name = "Crews"
        version = "1.0.0"
        players = {{ min = 4, max = 4, default = 4 }}
        rounds = 2
        seats = [{{ name = "A" }}, {{ name = "B" }}, {{ name = "C" }}, {{ name = "D" }}]
        [counters.points]
        per = "player"
        [counters.crew]
        per = "player"
        values = ["red", "blue"]
        visible = "{visible}"
        [outcome]
        score = "points"
        teams = "crew"
        goal = "{goal}"
        range = [0, 40]
        "#
    );
    let phases = "[split]\nwhen = \"setup\"\n[take]\nturns = \"once\"\nprompt = \"take\"\n";
    let prompts = "[take]\ntext = \"Take?\"\nlabels = { one = \"One\", five = \"Five\" }\n";
    let script = r#"return {
        split = { run = function() for _, player in players() do set(player, "crew", (player - 1) % 2) end end },
        take = {
            offer = function(player) choice("one") choice("five") end,
            act = function(player, taken) gain(player, "points", if taken == "five" then 5 else 1) end,
        },
    }"#;
    let pack = motherlode_fixtures::pack(
        "crews",
        &[("game", &game), ("phases", phases), ("prompts", prompts)],
        &[("phases", script)],
    );
    Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The utility of the first seat at each decision and at the end, if the first crew takes five and the other one.
fn team_utilities(goal: &str, visible: &str) -> Vec<Option<f64>> {
    let game = team_game(goal, visible);
    let mut m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let mut utilities = vec![utility_now(&m, 0)];
    while let Some(decision) = m.decision() {
        m.answer(usize::from(decision.seat % 2 == 0)).unwrap();
        utilities.push(utility_now(&m, 0));
    }
    assert_eq!(
        utilities.last().copied().flatten(),
        Some(utility(&game.declarations().outcome, &m.outcome().unwrap(), 0))
    );
    utilities
}

#[test]
fn a_team_has_step_rewards() {
    let numbers = |of: [i32; 9]| of.map(|one| Some(f64::from(one))).to_vec();
    assert_eq!(team_utilities("score", "public"), numbers([0, 5, 5, 10, 10, 15, 15, 20, 20]));
    assert_eq!(team_utilities("margin", "public"), numbers([0, 5, 4, 9, 8, 13, 12, 17, 16]));
    let hidden = team_utilities("score", "owner");
    assert!(hidden[..8].iter().all(Option::is_none) && hidden[8] == Some(20.0), "nobody knows the crews: {hidden:?}");
}

#[test]
fn estimates_measure_the_declared_goal() {
    for (outcome, _) in GOALS {
        let game = load(outcome);
        let m = Match::new(&game, &game.setup(None, &[], 3).unwrap()).unwrap();
        let mut rounds = 0;
        let all = crate::estimate(&m, m.decision().unwrap(), 1, &mut |_| {
            rounds += 1;
            rounds <= 400
        });
        let all = all.unwrap();
        let mean = |index: usize, of: fn(&crate::Estimate) -> f64| of(&all[index]) / f64::from(all[index].games);
        let utilities = [0, 1].map(|index| mean(index, |one| one.utility));
        let gamble_is_better = utilities[1] > utilities[0];
        assert_eq!(gamble_is_better, outcome.contains("score") || outcome.contains("margin"), "{outcome}: {all:?}");
        assert_eq!(mean(1, |one| one.level) > mean(0, |one| one.level), gamble_is_better, "{outcome}: {all:?}");
        assert!(all.iter().all(|one| (0.0..=f64::from(one.games)).contains(&one.level)), "{outcome}: {all:?}");
    }
}
