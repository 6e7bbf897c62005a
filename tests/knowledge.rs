//! Bots must not use hidden information: small games that would reveal it, and a test for every game that permutes
//! hidden state and checks that no bot reacts.

mod copies;
mod histories;
mod made;
mod memory;
pub mod open;
mod refusals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use motherlode::{Actions, Choice, Decision, Game, Match, Observation};
use motherlode_play::{ObservationSpace, Simulation, Training, bot};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use tempfile::TempDir;

use crate::cards::all;
use crate::shipped::{Player, Variant, is_mid_hook, is_sealed, load, permuted, root};

fn fixture(id: &str) -> Game {
    let folder: PathBuf = root().join("tests/fixtures/knowledge");
    load(&folder, id)
}

fn die() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("die"));
    &GAME
}

fn decks() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("decks"));
    &GAME
}

fn peek() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("peek"));
    &GAME
}

fn whisper() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("whisper"));
    &GAME
}

fn hints() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("hints"));
    &GAME
}

fn lists() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("lists"));
    &GAME
}

fn rummy() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("rummy"));
    &GAME
}

fn upcard() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("upcard"));
    &GAME
}

fn fives() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| fixture("fives"));
    &GAME
}

/// Range of correct guesses by chance: the mean plus or minus three and a half standard deviations.
fn by_chance(guesses: u32, chance: f64) -> std::ops::RangeInclusive<f64> {
    let guesses = f64::from(guesses);
    let (mean, deviation) = (guesses * chance, (guesses * chance * (1.0 - chance)).sqrt());
    mean - 3.5 * deviation..=mean + 3.5 * deviation
}

/// Points of the first seat over these games. No game may be aborted.
fn points(game: &Game, players: u8, options: &[(&str, &str)], games: u64, bots: &[&str]) -> f64 {
    let options: Vec<(String, String)> = options.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let setup = game.setup(Some(players), &options, 11).unwrap();
    let bots = bots.iter().map(|&spec| spec.to_owned()).collect();
    let mut points = 0.0;
    let simulation = Simulation { games, bots, ..Simulation::new(game, setup) };
    let report = simulation.run_into(
        |row| {
            assert_eq!(row.aborted, None);
            points += f64::from(row.scores[0]);
            Ok(())
        },
        |_| {},
    );
    assert_eq!(report.unwrap().finished, games);
    points
}

#[test]
fn a_hidden_number_is_guessed_no_better_than_by_chance() {
    for players in [2, 4] {
        let right = points(die(), players, &[], 200, &["rollout:30"]);
        assert!(by_chance(600, 1.0 / 6.0).contains(&right), "{players} players: {right} of 600");
    }
}

#[test]
fn values_read_before_a_question_reveal_nothing() {
    // 12 cards, three of each of four values. Numbers also have four values.
    for (how, chance) in [
        ("card", 0.25),
        ("after", 0.25),
        ("number", 0.25),
        ("counter", 0.25),
        ("secret", 0.25),
        ("act", 0.25),
        // Sixteen pairs of numbers, with the best guess for each of seven sums.
        ("sum", 7.0 / 16.0),
    ] {
        let right = points(peek(), 2, &[("how", how)], 100, &["rollout:30", "random"]);
        assert!(by_chance(500, chance).contains(&right), "{how}: {right} of 500");
    }
    // The two cards in hand change the chance of some values to three in ten.
    let right = points(peek(), 2, &[("how", "drawn")], 100, &["rollout:30", "random"]);
    assert!((*by_chance(500, 0.25).start()..=*by_chance(500, 0.3).end()).contains(&right), "drawn: {right} of 500");
    let right = points(whisper(), 2, &[], 50, &["rollout:30", "random"]);
    assert!(by_chance(500, 0.25).contains(&right), "whispered: {right} of 500");
    for how in ["shown", "told"] {
        let right = points(peek(), 2, &[("how", how)], 20, &["rollout:30", "random"]);
        assert!(right >= 97.0, "a bot uses what its seat has seen; {how}: {right} of 100");
    }
}

/// Dice rolled before the question are public. A bot must find matching deals at every question of a long run of games,
/// or it plays no better than by chance.
#[test]
fn public_draws_before_a_question_are_matched() {
    let rollout = points(fives(), 2, &[], 60, &["rollout:20", "random"]);
    let random = points(fives(), 2, &[], 60, &["random", "rollout:20"]);
    assert!(rollout > 1.08 * random, "{rollout} against {random}");
}

/// The cards of each player, wherever they are.
fn sets(m: &Match) -> Vec<BTreeSet<i32>> {
    let zones = &m.game().declarations().zones;
    let of = |player: i32| {
        let tokens = (0..zones.len()).filter_map(|zone| m.zone(zone, player));
        tokens.flatten().collect()
    };
    (1..=i32::from(m.setup().players)).map(of).collect()
}

#[test]
fn separately_shuffled_known_decks_are_not_mixed() {
    let mut changed = 0;
    for players in 2..=4 {
        let variant = Variant::new(decks, players, &[]);
        let (mut m, mut other) = (variant.begin(3), variant.begin(3));
        let mut player = Player::new(u64::from(players));
        while !m.is_over() {
            for (seat, seed) in (0..players).zip(50..) {
                other.restore(&m.snapshot()).unwrap();
                other.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
                assert_eq!(sets(&other), sets(&m), "{variant}, seat {seat}");
                assert_eq!(other.observe(Some(seat)), m.observe(Some(seat)));
                changed += usize::from(other.observe(None).players != m.observe(None).players);
            }
            player.step(&mut m);
        }
    }
    assert!(changed > 50, "{changed}");
}

/// Counts of a permutation test.
#[derive(Debug, Default)]
struct PermutationCounts {
    positions: usize,
    sealed: usize,
    mid_hook: usize,
    /// Positions with permuted hidden state.
    permuted: usize,
    /// Positions without a redeal.
    no_deal: usize,
    /// Compared bot choices.
    chosen: usize,
}

/// A seat's information about a match, with its choices and the decisions.
pub fn known(m: &Match, seat: u8) -> (Observation, Vec<Choice>, Vec<Decision>) {
    let choices = m.legal_of(seat).unwrap();
    let decisions = m.pending().into_iter().filter(|decision| decision.seat == seat).collect();
    (m.observe(Some(seat)), choices, decisions)
}

/// The observation of a seat as numbers, and the actions of its choices.
fn numbers(m: &Match, seat: u8) -> (Vec<f32>, Vec<Option<u32>>) {
    let space = ObservationSpace::new(m.game());
    let mut numbers = vec![0.0; space.len()];
    space.write(m, seat, &mut numbers);
    let actions = Actions::new(m.game()).map(|actions| actions.of(m, seat).unwrap());
    (numbers, actions.unwrap_or_default())
}

/// The choices as search codes.
fn codes(m: &Match) -> Vec<u64> {
    let mut codes = Vec::new();
    m.choice_codes(&mut codes);
    codes
}

/// Permutes the state hidden from the asked seat, and checks that neither its redeals nor the bots' choices change.
fn permute(m: &mut Match, rest: &mut [Match; 3], seed: u64, bots: &[String], met: &mut PermutationCounts) {
    let decision = m.decision().expect("somebody is asked");
    let seat = decision.seat;
    let [other, one, two] = rest;
    met.positions += 1;
    met.sealed += usize::from(is_sealed(m, decision));
    met.mid_hook += usize::from(is_mid_hook(m, decision));
    let Some(permuted) = permuted(m, other, seat, seed) else {
        met.no_deal += 1;
        return;
    };
    let what = format!("{}, round {}, {}", m.game().declarations().id, m.round(), decision.prompt(m.game()));
    let knows = known(m, seat);
    assert_eq!(known(other, seat), knows, "{what}");
    assert_eq!(numbers(other, seat), numbers(m, seat), "{what}");
    met.permuted += usize::from(permuted);
    // Both matches give the same redeals.
    for deal in [seed + 1, seed + 2] {
        one.restore(&m.snapshot()).unwrap();
        two.restore(&other.snapshot()).unwrap();
        let took = [&mut *one, &mut *two].map(|m| m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(deal)));
        assert_eq!(took[0], took[1], "{what}");
        if took[0].is_ok() {
            assert_eq!(one.state().words(), two.state().words(), "{what}");
            assert_eq!((one.state().hash(), one.choices()), (two.state().hash(), two.choices()), "{what}");
            assert_eq!(known(one, seat), knows, "{what}");
            // A search matches its choices again in every redeal.
            one.focus(seat).unwrap();
            assert_eq!(codes(one), codes(m), "{what}");
            // A redeal can be saved like any other match.
            two.restore(&one.snapshot()).unwrap();
            assert_eq!((one.state().words(), one.choices()), (two.state().words(), two.choices()), "{what}");
        }
    }
    for spec in bots {
        let choose = |m: &Match| bot(spec, m.game(), seed).unwrap().choose(m, decision).unwrap();
        other.focus(seat).unwrap();
        assert_eq!(choose(m), choose(other), "{spec}: {what}");
        met.chosen += 1;
    }
}

/// Every bot for a game. Value bots use a briefly trained value.
fn bots(game: &Game) -> Vec<String> {
    static VALUES: LazyLock<(TempDir, Mutex<BTreeMap<String, String>>)> =
        LazyLock::new(|| (tempfile::tempdir().unwrap(), Mutex::default()));
    let (folder, known) = &*VALUES;
    let id = &game.declarations().id;
    let mut known = known.lock().unwrap();
    let file = known.entry(id.clone()).or_insert_with(|| {
        let setup = game.setup(None, &[], 1).unwrap();
        let training = Training { games: 3, iterations: 1, searches: 0, threads: 1, ..Training::new(game, setup) };
        let path = folder.path().join(id);
        std::fs::write(&path, training.run(|_| true).unwrap().text).unwrap();
        path.display().to_string()
    });
    let by_value = [format!("learned:{file}"), format!("search:3+learned:{file}")];
    ["random", "first", "rollout:1", "flat:3", "search:3"].map(str::to_owned).into_iter().chain(by_value).collect()
}

/// Plays a game and permutes hidden state at every `stride`-th decision. Bots choose at every eighth of those.
fn permute_along(variant: Variant, seed: u64, stride: usize, met: &mut PermutationCounts) {
    let mut m = variant.begin(seed);
    let mut rest = [0; 3].map(|_| variant.begin(seed));
    let mut player = Player::new(seed);
    let mut step = 0;
    while !m.is_over() {
        if step % stride == 0 {
            let all = bots(variant.game());
            let bots = if (step / stride).is_multiple_of(8) { all.as_slice() } else { &[] };
            permute(&mut m, &mut rest, seed + step as u64, bots, met);
        }
        step += 1;
        // In sealed phases any pending seat may answer next.
        let pending = m.pending();
        m.focus(pending[player.below(pending.len())].seat).unwrap();
        player.step(&mut m);
    }
}

#[test]
fn bots_ignore_hidden_information_in_shipped_games() {
    let mut total = PermutationCounts::default();
    for variant in all() {
        let mut met = PermutationCounts::default();
        permute_along(variant, 1, 19, &mut met);
        assert!(met.chosen >= 3 && met.no_deal * 20 <= met.positions, "{variant}: {met:?}");
        total.sealed += met.sealed;
        total.mid_hook += met.mid_hook;
        total.permuted += met.permuted;
    }
    assert!(total.sealed > 25 && total.mid_hook > 35 && total.permuted > 80, "{total:?}");
}

#[test]
fn bots_ignore_hidden_information_in_generated_games() {
    let hows = ["card", "after", "number", "shown", "sum", "counter", "drawn", "secret", "told", "act"];
    let options: Vec<&'static [(&str, &str)]> =
        hows.into_iter().map(|how| &*Box::leak(Box::new([("how", how)])) as &[_]).collect();
    let peeks = options.into_iter().map(|options| Variant::new(peek, 2, options));
    let others = (2..=4).flat_map(|players| [die, decks].map(|game| Variant::new(game, players, &[])));
    let told = (2..=3).flat_map(|players| [hints, upcard, rummy].map(|game| Variant::new(game, players, &[])));
    let lists = std::iter::once(Variant::new(lists, 2, &[]));
    let whispers = std::iter::once(Variant::new(whisper, 2, &[]));
    for variant in peeks.chain(others).chain(told).chain(lists).chain(whispers) {
        let mut met = PermutationCounts::default();
        (0..3).for_each(|seed| permute_along(variant, seed, 1, &mut met));
        let hides = variant.game().declarations().id != "whisper";
        assert!((!hides || met.permuted * 2 > met.positions) && met.no_deal == 0, "{variant}: {met:?}");
    }
}
