//! Scores at the end: fractions of points, limits, and cooperative games with a score alone.

use super::*;

/// Everybody with the largest claim shares a pot of one point.
const POT: &str = r#"
[counters.claim]
per = "player"
[counters.points]
per = "player"
unit = "1/6"
max = 60
start = 3
[outcome]
score = "points"
"#;

const POT_SCRIPT: &str = r#"return {
    bid = { turn = function(p) set(p, "claim", choose(p, "claim", { 1, 2 })) end },
    pay = {
        run = function()
            local most, first = 0, {}
            for _, p in players() do most = math.max(most, get(p, "claim")) end
            for _, p in players() do if get(p, "claim") == most then table.insert(first, p) end end
            for _, p in first do
                gain(p, "points", 6 // #first)
                log("paid", p, 6 // #first)
            end
            end_game()
        end,
    },
}"#;

fn pot(claims: &[&str]) -> Match {
    let game = Pieces {
        game: POT,
        phases: "[bid]\nturns = \"sealed\"\n[pay]\n",
        prompts: "[claim]\ntext = \"How much?\"\n",
        texts: "paid = \"{1:player} gets {2:counter points}.\"\n",
        phases_luau: POT_SCRIPT,
        ..Pieces::default()
    }
    .game();
    let setup = game.setup(Some(u8::try_from(claims.len()).unwrap()), &[], 5).unwrap();
    let mut m = Match::with_transcript(&game, &setup).unwrap();
    for (seat, claim) in (0..).zip(claims) {
        let index = choices(&m).iter().position(|choice| choice == claim).unwrap();
        m.answer_as(seat, index).unwrap();
    }
    m
}

#[test]
fn a_pot_is_split_exactly() {
    let mut m = pot(&["2", "2", "1"]);
    let end = outcome(&m);
    assert_eq!((end.unit, end.scores.as_slice(), end.ranks.as_slice()), (6, &[6, 6, 3][..], &[1, 1, 3][..]));
    let lines: Vec<String> = m.take_log().iter().map(|line| line.text().to_owned()).collect();
    assert!(lines.contains(&"Ada gets ½.".to_owned()), "{lines:?}");
    let scores = |claims: &[&str]| outcome(&pot(claims)).scores;
    assert_eq!((scores(&["2", "2", "2"]), scores(&["2", "1", "1"])), (vec![5, 5, 5], vec![9, 3, 3]));
    let points = &m.game().declarations().counters["points"];
    assert_eq!([9, 5, 3].map(|steps| points.shown(steps)), ["1½", "⅚", "½"]);
    assert_eq!(serde_json::to_value(&end).unwrap()["unit"], 6);
    let whole = outcome(&ending("", 7).unwrap());
    assert!(serde_json::to_value(&whole).unwrap().get("unit").is_none(), "whole points need no unit");
}

/// A game for two that ends at once; the first player has `score` points, the second 3.
fn ending(outcome: &str, score: i32) -> Result<Match, String> {
    let script = format!("return {{ a = {{ run = function() set(1, 'points', {score}) end_game() end }} }}");
    let game = format!(
        "[counters.points]\nper = \"player\"\nmin = -100\nmax = 100\nstart = 3\n[outcome]\nscore = \"points\"\n{outcome}\n"
    );
    let game = Pieces { game: &game, phases: "[a]\n", phases_luau: &script, ..Pieces::default() }.game();
    Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn a_score_outside_its_range_is_an_error() {
    for outcome in ["range = [0, 40]", "goal = \"score\"\nrange = [0, 40]"] {
        assert!([0, 40].iter().all(|score| ending(outcome, *score).is_ok()));
        for score in [-1, 41] {
            assert_eq!(
                ending(outcome, score).unwrap_err(),
                format!(
                    "the score of player 1 at the end is {score}, but `range` in outcome is [0, 40]: correct the rules, or widen `range`"
                )
            );
        }
    }
    assert!(ending("goal = \"score\"", 99).is_ok(), "the limits of the counter are the range");
}

#[test]
fn scores_of_a_zero_sum_game_add_up_to_0() {
    let outcome = "goal = \"score\"\nzero_sum = true";
    assert!(ending(outcome, -3).is_ok());
    assert_eq!(
        ending(outcome, 4).unwrap_err(),
        "the scores of all players add up to 7 at the end, not to 0: correct the rules, or remove `zero_sum` from outcome"
    );
}

#[test]
fn the_scores_of_a_team_are_in_the_range_together() {
    let game = "[counters.side]\nper = \"player\"\n[counters.points]\nper = \"player\"\nstart = 3\n\
        [outcome]\nscore = \"points\"\nteams = \"side\"\nrange = [0, 5]\n";
    let script = "return { a = { run = function() end_game() end } }";
    let pieces = Pieces { game, phases: "[a]\n", phases_luau: script, ..Pieces::default() };
    assert!(error(&pieces, 2).starts_with("the score of player 1 at the end is 6, but"));
}

#[test]
fn a_cooperative_game_needs_only_a_score() {
    let game = "[counters.found]\nper = \"game\"\nmax = 25\n[outcome]\nshared = true\nscore = \"found\"\n";
    let script = "return { a = { run = function() set(game, 'found', 7) end_game() end } }";
    let m = Pieces { game, phases: "[a]\n", phases_luau: script, ..Pieces::default() }.play(3);
    let end = outcome(&m);
    assert_eq!((end.scores.as_slice(), end.ranks.as_slice(), end.won), (&[7, 7, 7][..], &[1, 1, 1][..], None));
    let declared = &m.game().declarations().outcome;
    assert_eq!((declared.goal, declared.range), (motherlode::declare::Goal::Score, Some((0, 25))));
}
