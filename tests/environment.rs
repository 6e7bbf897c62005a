//! Environments for learners: actions, observations, and many matches at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use motherlode::{Actions, Game, Match, Setup};
use motherlode_play::{Environment, ObservationSpace, StepArrays, Utility, Vector, VectorError, VectorOptions, mix};

use crate::cards::all;
use crate::shipped::{Player, SHIPPED, Variant, load, load_texts, root};

/// Games beside the shipped ones: those of the tests and of the benchmarks.
fn others() -> Vec<Game> {
    let fixtures = fs::read_dir(root().join("tests/fixtures")).unwrap().map(|one| one.unwrap().path());
    let skipped = ["broken", "broken_mods", "hostile"].map(|name| root().join("tests/fixtures").join(name));
    let mut roots: Vec<PathBuf> = fixtures.filter(|root| root.join("content").is_dir()).collect();
    roots.retain(|root| !skipped.contains(root));
    roots.sort();
    let mut games = Vec::new();
    for root in roots.into_iter().chain([root().join("benches/packs")]) {
        let mut ids: Vec<PathBuf> =
            fs::read_dir(root.join("content")).unwrap().map(|one| one.unwrap().path()).collect();
        ids.sort();
        let ids = ids.iter().filter(|path| path.join("game.toml").is_file());
        games.extend(ids.map(|path| load(&root, path.file_name().unwrap().to_str().unwrap())));
    }
    games
}

/// Plays a match at random; checks that choices have equal actions if and only if they have equal keys.
fn check_actions(actions: &Actions, m: &mut Match, player: &mut Player) -> usize {
    let id = m.game().declarations().id.clone();
    let mut decisions = 0;
    while !m.is_over() && decisions < 400 {
        for decision in m.pending() {
            let legal = m.legal_of(decision.seat).unwrap();
            let numbers = actions.of(m, decision.seat).unwrap();
            let mut pairs = BTreeSet::new();
            for (choice, number) in legal.iter().zip(&numbers) {
                let number = number.unwrap_or_else(|| panic!("{id}: {} has no action", choice.key()));
                pairs.insert((number, choice.key()));
                let name = actions.name(number as usize).unwrap();
                assert_eq!(actions.number(name), Some(number as usize));
                let [noun, key] = [name, choice.key()].map(|name| name.split([':', '@', '+', '#']).next().unwrap());
                assert_eq!(noun, key, "{id}: {name} for {}", choice.key());
            }
            let numbers: BTreeSet<u32> = pairs.iter().map(|pair| pair.0).collect();
            let keys: BTreeSet<&str> = pairs.iter().map(|pair| pair.1).collect();
            assert_eq!((numbers.len(), keys.len()), (pairs.len(), pairs.len()), "{id}: {pairs:?}");
        }
        player.step(m);
        decisions += 1;
    }
    decisions
}

#[test]
fn every_choice_is_an_action_of_its_own() {
    for variant in all() {
        // The game of cards has bids without a range.
        let Ok(actions) = Actions::new(variant.game()) else {
            assert!(!SHIPPED.contains(&variant.game().declarations().id.as_str()));
            continue;
        };
        for seed in 0..2 {
            assert!(check_actions(&actions, &mut variant.begin(seed), &mut Player::new(seed)) > 3);
        }
    }
    let mut decisions = 0;
    for game in others() {
        match Actions::new(&game) {
            Err(error) => assert!(error.contains("accept any number"), "{error}"),
            Ok(actions) => {
                for players in game.declarations().players.min..=game.declarations().players.max {
                    let mut m = Match::new(&game, &game.setup(Some(players), &[], 1).unwrap()).unwrap();
                    decisions += check_actions(&actions, &mut m, &mut Player::new(1));
                }
            }
        }
    }
    assert!(decisions > 300, "only {decisions} decisions");
}

#[test]
fn names_of_actions_are_stable() {
    let actions = |id: &str| Actions::new(&load(root(), id)).unwrap();
    let photon = actions("photon");
    let named = |action: &str| photon.number(action).is_some();
    assert!(named("label:raid") && named("player:+1") && named("definition:saloon") && named("label:face_down"));
    assert_eq!((photon.number("player:+6"), photon.number("label:nothing")), (None, None));
    assert_eq!(photon.name(photon.len()), None);
    assert!(actions("atacama").number("cell:e5").is_some());
}

#[test]
fn observations_fit_their_parts() {
    for variant in all() {
        let space = ObservationSpace::new(variant.game());
        let names: BTreeSet<&str> = space.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names.len(), space.parts().len());
        assert_eq!(space.parts().iter().map(motherlode_play::Part::len).sum::<usize>(), space.len());
        let (mut m, mut player) = (variant.begin(3), Player::new(3));
        let mut out = vec![0.0; space.len()];
        while !m.is_over() {
            for seat in 0..variant.players {
                space.write(&m, seat, &mut out);
                for part in space.parts() {
                    let numbers = &out[part.offset..part.offset + part.len()];
                    let is_in = |number: &f32| (part.low..=part.high).contains(number);
                    assert!(numbers.iter().all(is_in), "{variant}: {} is {numbers:?}", part.name);
                }
            }
            player.step(&mut m);
        }
    }
}

/// The arrays of a vector.
struct Arrays {
    observation: Vec<f32>,
    mask: Vec<bool>,
    reward: Vec<f32>,
    done: Vec<bool>,
    truncated: Vec<bool>,
    seat: Vec<i32>,
}

impl Arrays {
    fn new(environment: &Environment, len: usize) -> Self {
        Self {
            observation: vec![0.0; len * environment.observations.len()],
            mask: vec![false; len * environment.actions.len()],
            reward: vec![0.0; len * usize::from(environment.setup.players)],
            done: vec![false; len],
            truncated: vec![false; len],
            seat: vec![0; len],
        }
    }

    fn all(&mut self) -> StepArrays<'_> {
        let Self { observation, mask, reward, done, truncated, seat } = self;
        StepArrays { observation, mask, reward, done, truncated, seat }
    }

    /// A legal action of each environment, chosen by its number and the step.
    fn choose(&self, step: usize) -> Vec<i64> {
        let rows = self.mask.chunks(self.mask.len() / self.done.len());
        let pick = |(at, mask): (usize, &[bool])| {
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            legal[(at * 7 + step * 13) % legal.len()] as i64
        };
        rows.enumerate().map(pick).collect()
    }
}

fn environment(id: &str) -> Arc<Environment> {
    let game = load(root(), id);
    let setup = game.setup(None, &[], 0).unwrap();
    Arc::new(Environment::new(&game, setup).unwrap())
}

fn vector(environment: &Arc<Environment>, environments: usize, threads: usize, opponents: &[&str]) -> Vector {
    let opponents = opponents.iter().map(|one| (*one).to_owned()).collect();
    Vector::new(
        Arc::clone(environment),
        VectorOptions { environments, seed: 5, opponents, threads, final_observation: false },
    )
    .unwrap()
}

/// Plays a vector beside single matches, and compares all arrays after every step. Returns the number of matches that
/// ended.
fn check_vector(environment: &Arc<Environment>, steps: usize) -> usize {
    let (id, len) = (&environment.game.declarations().id, 3);
    let (mut one, mut arrays) = (vector(environment, len, 1, &[]), Arrays::new(environment, len));
    let seed = |at: usize, number: u64| mix(mix(5, at as u64), number);
    let begin = |at: usize| {
        let setup = Setup { seed: seed(at, 0), ..environment.setup.clone() };
        (Match::new(&environment.game, &setup).unwrap(), 0)
    };
    let mut matches: Vec<(Match, u64)> = (0..len).map(begin).collect();
    one.reset(None, arrays.all()).unwrap();
    let mut ended = 0;
    let (mut observation, mut mask) = (vec![0.0; environment.observations.len()], Vec::new());
    for step in 0..steps {
        let actions = arrays.choose(step);
        one.step(&actions, arrays.all()).unwrap();
        for (at, (m, number)) in matches.iter_mut().enumerate() {
            let legal = environment.actions.of(m, m.decision().unwrap().seat).unwrap();
            m.answer(environment.choice(actions[at], &legal).unwrap()).unwrap();
            let players = usize::from(environment.setup.players);
            let rewards: Vec<f32> = (0..players as u8).map(|seat| Utility::of(m, seat) as f32).collect();
            assert_eq!(arrays.reward[at * players..][..players], rewards);
            assert_eq!(arrays.done[at], m.is_over());
            if m.is_over() {
                *number += 1;
                m.restart(&Setup { seed: seed(at, *number), ..environment.setup.clone() }).unwrap();
                ended += 1;
            }
            let seat = m.decision().unwrap().seat;
            assert_eq!(arrays.seat[at], i32::from(seat));
            environment.observations.write(m, seat, &mut observation);
            let shown = &arrays.observation[at * observation.len()..][..observation.len()];
            for part in environment.observations.parts() {
                let places = part.offset..part.offset + part.len();
                let bits =
                    |numbers: &[f32]| numbers[places.clone()].iter().map(|one| one.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(shown), bits(&observation), "{id}, step {step}: {}", part.name);
            }
            mask.clear();
            mask.resize(environment.actions.len(), false);
            let legal = environment.actions.of(m, seat).unwrap();
            legal.iter().flatten().for_each(|&action| mask[action as usize] = true);
            assert!(arrays.mask[at * mask.len()..][..mask.len()] == mask[..], "{id}, step {step}");
        }
    }
    ended
}

#[test]
fn a_vector_plays_as_single_matches_do() {
    for id in SHIPPED {
        let ended = check_vector(&environment(id), 700);
        assert!(ended > 2, "{id}: {ended} matches ended");
    }
}

/// A vector writes only the numbers that have changed. Test games have every visibility, and boards and sets of players.
#[test]
fn observations_of_vectors_are_complete_in_every_variant() {
    for variant in all() {
        if let Ok(environment) = Environment::new(variant.game(), variant.setup(0)) {
            check_vector(&Arc::new(environment), 120);
        }
    }
    let mut checked = 0;
    for game in others() {
        for players in game.declarations().players.min..=game.declarations().players.max {
            let setup = game.setup(Some(players), &[], 0).unwrap();
            if let Some(environment) = Environment::new(&game, setup).ok().filter(|one| !one.actions.is_empty()) {
                check_vector(&Arc::new(environment), 120);
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "only {checked} test games");
}

#[test]
fn results_do_not_depend_on_threads_and_neighbours() {
    for (id, opponents) in [("photon", &["search:2"][..]), ("krysis", &[])] {
        let environment = environment(id);
        let lens = [(150, 1), (150, 3), (70, 2)];
        let mut all =
            lens.map(|(len, threads)| (vector(&environment, len, threads, opponents), Arrays::new(&environment, len)));
        all.iter_mut().for_each(|(one, arrays)| one.reset(None, arrays.all()).unwrap());
        for step in 0..12 {
            for (one, arrays) in &mut all {
                let actions = arrays.choose(step);
                one.step(&actions, arrays.all()).unwrap();
            }
            let [(_, first), (_, second), (_, third)] = &all;
            assert_eq!(
                (&first.observation, &first.mask, &first.seat),
                (&second.observation, &second.mask, &second.seat)
            );
            assert_eq!(first.observation[..third.observation.len()], third.observation);
        }
    }
}

#[test]
fn a_refused_step_changes_nothing() {
    let environment = environment("photon");
    let (mut one, mut arrays) = (vector(&environment, 4, 1, &[]), Arrays::new(&environment, 4));
    assert!(matches!(one.step(&[0; 4], arrays.all()), Err(VectorError::NotReset)));
    one.reset(None, arrays.all()).unwrap();
    let (before, legal) = (arrays.observation.clone(), arrays.choose(0));
    let unknown = [legal[0], legal[1], environment.actions.len() as i64, legal[3]];
    let error = one.step(&unknown, arrays.all()).unwrap_err().to_string();
    assert!(error.starts_with("environment 2: there is no action"), "{error}");
    let illegal = arrays.mask.iter().position(|legal| !legal).unwrap() as i64;
    let error = one.step(&[illegal, legal[1], legal[2], legal[3]], arrays.all()).unwrap_err().to_string();
    assert!(error.contains("is not legal now: use one of"), "{error}");
    let error = one.step(&legal[..3], arrays.all()).unwrap_err().to_string();
    assert_eq!(error, "`actions` has 3 elements: use 4");
    let mut short = Arrays::new(&environment, 3);
    assert!(matches!(one.step(&legal, short.all()), Err(VectorError::Length { array: "observation", .. })));
    assert_eq!(arrays.observation, before);
    one.step(&legal, arrays.all()).unwrap();
}

#[test]
fn a_number_that_is_no_action_stops_its_environment_alone() {
    let content = [
        (
            "game",
            "name = 'T'\nversion = '1.0.0'\nplayers = { min = 1, max = 1 }\nseats = [{ name = 'A' }]\nrounds = 3\n\
             [counters]\ngold = { per = 'player' }\n[outcome]\nscore = 'gold'\n",
        ),
        ("phases", "[play]\nturns = 'once'\nprompt = 'act'\n"),
        ("prompts", "[act]\ntext = 'Act.'\nlabels = { go = 'Go', stay = 'Stay' }\n"),
    ];
    let script = "return { play = {
        offer = function(player)
            choice('go')
            choice('stay')
            if get(player, 'gold') > 0 then choice(5) end
        end,
        act = function(player, answer) if answer == 'go' then gain(player, 'gold', 1) end end,
    } }";
    let game = load_texts("t", &content, &[("phases", script)]);
    let setup = game.setup(None, &[], 0).unwrap();
    let environment = Arc::new(Environment::new(&game, setup).unwrap());
    let (mut one, mut arrays) = (vector(&environment, 2, 1, &[]), Arrays::new(&environment, 2));
    one.reset(None, arrays.all()).unwrap();
    let [go, stay] = ["label:go", "label:stay"].map(|name| environment.actions.number(name).unwrap() as i64);
    let error = one.step(&[stay, go], arrays.all()).unwrap_err().to_string();
    assert!(error.starts_with("environment 1: prompt `act` offers a number that is no action"), "{error}");
    // The first environment has advanced, the second one waits where it was.
    for _ in 0..2 {
        one.step(&[stay, stay], arrays.all()).unwrap();
    }
    assert_eq!(arrays.done, [true, false]);
    one.step(&[stay, stay], arrays.all()).unwrap();
    assert_eq!(arrays.done, [false, true]);
}

#[test]
fn bots_play_the_other_seats() {
    let environment = environment("photon");
    let players = usize::from(environment.setup.players);
    let (mut one, mut arrays) = (vector(&environment, 8, 1, &["random"]), Arrays::new(&environment, 8));
    one.reset(None, arrays.all()).unwrap();
    let mut seats: Vec<BTreeSet<i32>> = vec![BTreeSet::new(); 8];
    let mut own = arrays.seat.clone();
    let mut ended = 0;
    for step in 0..600 {
        let actions = arrays.choose(step);
        one.step(&actions, arrays.all()).unwrap();
        for at in 0..8 {
            if arrays.done[at] {
                let sum: f32 = arrays.reward[at * players..][..players].iter().sum();
                assert!((sum - 1.0).abs() < 1e-6, "{sum}");
                own[at] = arrays.seat[at];
                ended += 1;
            }
            assert_eq!(arrays.seat[at], own[at], "one seat in each match");
            seats[at].insert(arrays.seat[at]);
        }
    }
    assert!(ended > 40 && seats.iter().all(|seats| seats.len() > 1), "{ended}, {seats:?}");
    let wrong = |opponents: &[&str]| {
        let opponents = opponents.iter().map(|one| (*one).to_owned()).collect();
        let options = VectorOptions { environments: 1, seed: 1, opponents, threads: 1, final_observation: true };
        Vector::new(Arc::clone(&environment), options).unwrap_err().to_string()
    };
    assert!(wrong(&["serch:2"]).contains("search"));
    assert_eq!(wrong(&["random", "first"]), "2 opponents for 4 players: give one for all, or 3");
}

#[test]
fn variants_have_the_actions_of_their_game() {
    let count = |variant: Variant| Actions::new(variant.game()).unwrap().len();
    assert_eq!(count(Variant::of("photon", 2, &[])), count(Variant::of("photon", 6, &[])));
}
