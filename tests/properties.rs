//! Invariants of every position, checked along random games of all shipped variants and of the in-memory card game,
//! which hides more. `LODE_SEEDS=all` plays more games.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::ReplayError;
use motherlode::declare::Turns;
use motherlode::{Match, MatchError, Observation, Replay, Snapshot};
use motherlode_play::{GameRow, Simulation};

use crate::cards::{all, cards};
use crate::shipped::{Player, Variant, is_mid_hook, is_sealed, seeds};

/// The complete external view of a match.
#[derive(Debug, Clone, PartialEq)]
struct ExternalView {
    hash: u64,
    bytes: Vec<u8>,
    decision: Option<(u8, usize, usize)>,
    choices: Vec<i32>,
    seats: Vec<Observation>,
}

fn look(m: &Match) -> ExternalView {
    ExternalView {
        hash: m.state().hash(),
        bytes: m.state().bytes(),
        decision: m.decision().map(|d| (d.seat, d.prompt_index(), d.phase_index())),
        choices: m.choices().to_vec(),
        seats: (0..m.setup().players).map(|seat| m.observe(Some(seat))).collect(),
    }
}

/// A view without the observations, which are slow to make.
fn glance(m: &Match) -> (u64, Option<(u8, usize, usize)>, Vec<i32>) {
    (m.state().hash(), m.decision().map(|d| (d.seat, d.prompt_index(), d.phase_index())), m.choices().to_vec())
}

/// A game of a variant and a seed, with its answers.
struct PlayedGame {
    variant: Variant,
    seed: u64,
    answers: Vec<usize>,
}

impl PlayedGame {
    /// Plays a game in an existing match of the variant.
    fn new(variant: Variant, seed: u64, m: &mut Match) -> Self {
        variant.again(m, seed);
        let mut player = Player::new(seed);
        let mut answers = Vec::new();
        while !m.is_over() {
            answers.push(player.step(m));
        }
        Self { variant, seed, answers }
    }

    fn what(&self, step: usize) -> String {
        format!("{}, seed {}, step {step}", self.variant, self.seed)
    }
}

fn answer(m: &mut Match, index: usize) {
    m.answer(index).unwrap_or_else(|error| panic!("an offered choice is refused: {error}"));
}

/// The variants with a sealed phase.
fn sealed() -> impl Iterator<Item = Variant> {
    all().filter(|variant| variant.game().declarations().phases.values().any(|phase| phase.turns == Turns::Sealed))
}

#[test]
fn every_offered_choice_applies_and_can_be_restored() {
    let mut tried = 0;
    for variant in all() {
        let (mut m, mut other) = (variant.begin(0), variant.begin(99));
        let mut snapshot = Snapshot::default();
        for seed in seeds(4) {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            let mut step = 0;
            while !m.is_over() {
                m.snapshot_into(&mut snapshot);
                let before = glance(&m);
                for index in 0..m.choices().len() {
                    other.restore(&snapshot).unwrap();
                    assert_eq!(glance(&other), before, "{variant}, seed {seed}, step {step}, before choice {index}");
                    let answered = other.answer(index);
                    answered
                        .unwrap_or_else(|error| panic!("{variant}, seed {seed}, step {step}, choice {index}: {error}"));
                    tried += 1;
                }
                player.step(&mut m);
                step += 1;
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for variant in all() {
        // A reused match must behave like a new one.
        let mut used = variant.begin(1_000);
        for seed in 0..3 {
            let (mut m, mut player) = (variant.begin(seed), Player::new(seed));
            used.restart(&variant.setup(seed)).unwrap();
            let mut step = 0;
            loop {
                assert_eq!(m.state().bytes(), used.state().bytes(), "{variant}, seed {seed}, step {step}");
                assert_eq!((m.decision(), m.choices()), (used.decision(), used.choices()));
                if m.is_over() {
                    break;
                }
                let index = player.step(&mut m);
                answer(&mut used, index);
                step += 1;
            }
            assert_eq!(m.outcome(), used.outcome());
            // Abandons another game, perhaps in the middle of a hook.
            used.restart(&variant.setup(seed + 50)).unwrap();
            (0..seed * 3).for_each(|_| {
                if !used.is_over() {
                    player.step(&mut used);
                }
            });
        }
    }
}

#[test]
fn different_seeds_give_different_games() {
    for variant in all().filter(|variant| variant.players > 2) {
        let mut m = variant.begin(0);
        let hash = |seed| {
            variant.again(&mut m, seed);
            m.state().hash()
        };
        let hashes: BTreeSet<u64> = (0..20).map(hash).collect();
        assert_eq!(hashes.len(), 20, "{variant}");
    }
}

/// Counts of the snapshots by position.
#[derive(Debug, Default)]
struct SnapshotCounts {
    plain: usize,
    mid_hook: usize,
    sealed: usize,
    /// In a sealed phase, between two answers of one seat.
    sealed_partly: usize,
}

fn snapshots_of(played: &PlayedGame, m: &mut Match, other: &mut Match, taken: &mut SnapshotCounts) {
    played.variant.again(m, played.seed);
    let mut looks = Vec::new();
    let mut snapshots = Vec::new();
    let mut last = None;
    for &index in &played.answers {
        let decision = m.decision().expect("the match is not over");
        if is_sealed(m, decision) {
            taken.sealed += 1;
            taken.sealed_partly += usize::from(last == Some((decision.seat, decision.phase_index())));
        } else if is_mid_hook(m, decision) {
            taken.mid_hook += 1;
        } else {
            taken.plain += 1;
        }
        last = Some((decision.seat, decision.phase_index()));
        looks.push(look(m));
        snapshots.push(m.snapshot());
        answer(m, index);
    }
    let end = (look(m), m.outcome());
    // One match restores them all, from last to first, each from the position that the previous one left.
    played.variant.again(other, played.seed + 7);
    let stride = (snapshots.len() / 6).max(1);
    for from in (0..snapshots.len()).rev() {
        other.restore(&snapshots[from]).unwrap();
        assert_eq!(look(other), looks[from], "{}: put back", played.what(from));
        let to = if from % stride == 0 { snapshots.len() } else { (from + 2).min(snapshots.len()) };
        for (step, (look, &index)) in looks.iter().zip(&played.answers).enumerate().take(to).skip(from) {
            assert_eq!(other.state().hash(), look.hash, "{} and on to {step}", played.what(from));
            assert_eq!(other.choices(), look.choices, "{} and on to {step}", played.what(from));
            answer(other, index);
        }
        if to == snapshots.len() {
            assert_eq!((look(other), other.outcome()), end, "{}: the end", played.what(from));
            assert_eq!(other.answers(), m.answers(), "{}: the history", played.what(from));
        }
    }
}

#[test]
fn a_restored_match_continues_like_the_original() {
    let mut taken = SnapshotCounts::default();
    for variant in all() {
        let (mut m, mut other) = (variant.begin(0), variant.begin(0));
        for seed in seeds(2) {
            snapshots_of(&PlayedGame::new(variant, seed, &mut m), &mut m, &mut other, &mut taken);
        }
    }
    let SnapshotCounts { plain, mid_hook, sealed, sealed_partly } = taken;
    assert!(plain > 500 && mid_hook > 100 && sealed > 300 && sealed_partly > 100, "{taken:?}");
}

#[test]
fn a_live_hook_and_a_replayed_hook_have_the_same_state() {
    let mut hooks = 0;
    for variant in all() {
        let (mut m, mut again) = (variant.begin(0), variant.begin(5));
        for seed in 0..seeds(20).end.max(4) {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            while let Some(decision) = m.decision() {
                if is_mid_hook(&m, decision) {
                    again.restore(&m.snapshot()).unwrap();
                    assert_eq!(m.state().words(), again.state().words(), "{variant}, seed {seed}");
                    assert_eq!(m.state().hash(), again.state().hash(), "{variant}, seed {seed}");
                    hooks += 1;
                }
                player.step(&mut m);
            }
        }
    }
    assert!(hooks > 1_000, "{hooks}");
}

#[test]
fn a_fork_is_equal_and_independent() {
    for variant in all() {
        let mut m = variant.begin(0);
        for seed in 0..2 {
            let played = PlayedGame::new(variant, seed, &mut m);
            let at = Player::new(seed + 1).below(played.answers.len());
            variant.again(&mut m, seed);
            played.answers[..at].iter().for_each(|&index| answer(&mut m, index));
            let mut fork = m.fork().unwrap();
            let before = look(&m);
            assert_eq!(look(&fork), before, "{}", played.what(at));
            // The fork plays on. The match must not notice.
            let mut stray = fork.fork().unwrap();
            let mut player = Player::new(seed + 2);
            while !stray.is_over() {
                player.step(&mut stray);
            }
            assert_eq!(look(&m), before, "{}", played.what(at));
            for (step, &index) in played.answers.iter().enumerate().skip(at) {
                answer(&mut m, index);
                answer(&mut fork, index);
                assert_eq!(glance(&fork), glance(&m), "{}", played.what(step));
            }
            assert_eq!((look(&fork), fork.outcome()), (look(&m), m.outcome()), "{}", played.what(at));
        }
    }
}

/// The answer of a seat in a sealed phase, independent of the other seats.
fn sealed_answer(seed: u64, round: i32, phase: usize, seat: u8, nth: usize, choices: usize) -> usize {
    let mut mixed = seed;
    for part in [round as u64, phase as u64, u64::from(seat), nth as u64] {
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ part.wrapping_add(1);
    }
    Player::new(mixed).below(choices)
}

/// Plays to the end. In sealed phases `pick` selects the pending seat that answers. Returns the bytes after each phase.
fn play_sealed(
    variant: Variant,
    seed: u64,
    (m, again): (&mut Match, &mut Match),
    mut pick: impl FnMut(&mut Match) -> u8,
) -> (Vec<Vec<u8>>, u64) {
    variant.again(m, seed);
    variant.again(again, seed + 1);
    let mut player = Player::new(seed);
    let mut given = vec![0; usize::from(variant.players)];
    let (mut states, mut out_of_order) = (Vec::new(), 0);
    while let Some(decision) = m.decision() {
        if !is_sealed(m, decision) {
            player.step(m);
            states.push(m.state().bytes());
            continue;
        }
        let seat = pick(m);
        out_of_order += u64::from(seat != m.pending()[0].seat);
        let views: Vec<_> = (0..variant.players).map(|other| m.observe(Some(other))).collect();
        again.restore(&m.snapshot()).unwrap();
        assert_eq!(look(again), look(m), "{variant}, seed {seed}: put back between sealed answers");
        assert_eq!(again.pending(), m.pending(), "{variant}, seed {seed}");
        let choices = m.legal_of(seat).unwrap().len();
        let (round, phase, began) = (m.round(), decision.phase_index(), m.state().words().to_vec());
        let nth = &mut given[usize::from(seat)];
        let index = sealed_answer(seed, round, phase, seat, *nth, choices);
        *nth += 1;
        m.answer_as(seat, index).unwrap_or_else(|error| panic!("{variant}, seed {seed}: {error}"));
        // The state stays unchanged until the last seat has answered, and a phase may repeat.
        let revealed = m.round() != round || m.state().words() != began;
        if revealed {
            given.fill(0);
            states.push(m.state().bytes());
            continue;
        }
        for other in (0..variant.players).filter(|&other| other != seat) {
            assert_eq!(
                m.observe(Some(other)),
                views[usize::from(other)],
                "{variant}, seed {seed}: seat {other} sees the sealed answer of seat {seat}"
            );
        }
    }
    (states, out_of_order)
}

#[test]
fn sealed_phases_may_be_answered_in_any_order() {
    for variant in sealed().filter(|variant| variant.players > 1) {
        let mut out_of_order = 0;
        let (mut m, mut again) = (variant.begin(0), variant.begin(0));
        for seed in seeds(2) {
            let in_order = play_sealed(variant, seed, (&mut m, &mut again), |m| m.pending()[0].seat);
            let backwards = play_sealed(variant, seed, (&mut m, &mut again), |m| {
                m.pending().last().expect("somebody is asked").seat
            });
            let mut chance = Player::new(seed);
            let mixed = play_sealed(variant, seed, (&mut m, &mut again), |m| {
                let pending = m.pending();
                pending[chance.below(pending.len())].seat
            });
            assert!(in_order.0 == backwards.0, "{variant}, seed {seed}: answered backwards");
            assert!(in_order.0 == mixed.0, "{variant}, seed {seed}: answered in a mixed order");
            out_of_order += mixed.1 + backwards.1;
        }
        assert!(out_of_order > 2, "{variant}: {out_of_order}");
    }
}

/// Some pending seats may have nothing to decide. Asking them must not disturb the waiting one.
#[test]
fn seats_without_a_decision_are_skipped() {
    let game = cards("player", "player");
    let bidding = game.declarations().phases.get_index_of("bidding").expect("a phase of cards");
    let purse = game.declarations().counters.get_index_of("purse").expect("a counter of cards");
    for empty in 0..3_u8 {
        let mut m = Match::new(&game, &game.setup(Some(3), &[], 1).unwrap()).unwrap();
        m.edit().set_counter(i32::from(empty) + 1, purse, 0).unwrap();
        m.edit().begin_phase(bidding, None, None).unwrap();
        let asked: Vec<u8> = (0..3).filter(|&seat| seat != empty).collect();
        assert!(m.answer_as(empty, 0).is_err());
        let pending: Vec<u8> = m.pending().iter().map(|d| d.seat).collect();
        assert_eq!(pending, asked, "seat {empty} has an empty purse");
        for seat in asked.into_iter().rev() {
            assert_eq!(m.legal_of(seat).unwrap().len(), 6);
            assert_eq!(m.answer_as(empty, 0), Err(MatchError::NotPending { seat: empty }));
            m.answer_as(seat, 2).unwrap();
        }
        assert_eq!(m.phase(), "playing");
        let purses: Vec<_> = (1..=3).map(|player| m.counter(player, purse)).collect();
        let expected: Vec<_> = (0..3).map(|seat| Some(if seat == empty { 0 } else { 3 })).collect();
        assert_eq!(purses, expected);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    const GAMES: u64 = 40;
    for variant in all() {
        let rows = |threads: usize| {
            let mut rows: Vec<GameRow> = Vec::new();
            let simulation = Simulation { games: GAMES, threads, ..Simulation::new(variant.game(), variant.setup(3)) };
            let report = simulation
                .run_into(
                    |row| {
                        rows.push(row.clone());
                        Ok(())
                    },
                    |_| {},
                )
                .unwrap();
            let mut report = serde_json::to_value(&report).unwrap();
            report.as_object_mut().unwrap().remove("speed");
            (rows, report)
        };
        let one = rows(1);
        assert_eq!(one.0.len(), GAMES as usize);
        assert!(one.0.iter().all(|row| row.aborted.is_none()), "{variant}");
        for threads in [2, 5] {
            assert_eq!(rows(threads), one, "{variant}, {threads} threads");
        }
    }
}

#[test]
fn a_replay_is_recorded_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    for variant in all() {
        let mut m = variant.begin(0);
        for seed in seeds(2) {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            while !m.is_over() {
                // One of the two gives its sealed answers out of order.
                if seed == 0 {
                    let pending = m.pending();
                    m.focus(pending[player.below(pending.len())].seat).unwrap();
                }
                player.step(&mut m);
            }
            let path = folder.path().join("match.json");
            Replay::record(&m).save(&path).unwrap();
            let replay = Replay::load(&path).unwrap();
            let verified = replay.verify(variant.game()).unwrap_or_else(|error| panic!("{variant}: {error}"));
            assert_eq!((verified.steps, verified.over), (m.answers().len(), true), "{variant}");
            assert_eq!(look(&replay.play(variant.game(), None).unwrap()), look(&m), "{variant}");
        }
    }
}

#[test]
fn a_tampered_replay_is_refused_at_the_step() {
    for variant in all() {
        let game = variant.game();
        let mut m = variant.begin(11);
        let played = PlayedGame::new(variant, 11, &mut m);
        variant.again(&mut m, 11);
        let mut choices = Vec::new();
        for &index in &played.answers {
            choices.push(m.choices().len());
            answer(&mut m, index);
        }
        let good = Replay::record(&m);
        good.verify(game).unwrap_or_else(|error| panic!("{variant}: {error}"));
        let mut others = 0;
        for at in (0..played.answers.len())
            .skip(usize::from(variant.players) % 3)
            .step_by((played.answers.len() / 2 + 1).max(1))
        {
            let step = at + 1;
            let named = |replay: &Replay, what: &str| {
                let error = replay.verify(game).expect_err(what);
                let found = match error {
                    ReplayError::Differs { step, .. } | ReplayError::Refused { step, .. } => step,
                    ref other => panic!("{variant}, {what}, step {step}: {other}"),
                };
                assert_eq!(found, step, "{variant}, {what}: {error}");
                assert!(error.to_string().contains(&format!("step {step}")), "{error}");
            };
            let mut hash = good.clone();
            hash.hashes[at].0 ^= 1;
            named(&hash, "another hash");
            let mut illegal = good.clone();
            illegal.answers[at].index = choices[at] as u16;
            named(&illegal, "no such choice");
            let mut seat = good.clone();
            seat.answers[at].seat = variant.players;
            named(&seat, "no such seat");
            if choices[at] > 1 {
                let mut other = good.clone();
                other.answers[at].index = (other.answers[at].index + 1) % choices[at] as u16;
                named(&other, "another choice");
                others += 1;
            }
        }
        assert!(others > 1, "{variant}");
        let mut outcome = good.clone();
        outcome.outcome.as_mut().expect("the match is over").scores[0] += 1;
        assert!(matches!(outcome.verify(game), Err(ReplayError::Outcome { .. })), "{variant}");
    }
}

#[test]
fn wrong_answers_change_nothing() {
    for variant in all() {
        let (mut m, mut clean) = (variant.begin(0), variant.begin(0));
        for seed in [1] {
            variant.again(&mut m, seed);
            variant.again(&mut clean, seed);
            let mut player = Player::new(seed);
            let mut step = 0;
            while let Some(decision) = m.decision() {
                // Observations are slow to make.
                let (before, now) = ((step % 4 == 0).then(|| look(&m)), glance(&m));
                let count = m.choices().len();
                for index in [count, count + 1, usize::from(u16::MAX), usize::MAX] {
                    assert_eq!(m.answer(index), Err(MatchError::BadChoice { index, count }));
                    assert_eq!(m.answer_as(decision.seat, index), Err(MatchError::BadChoice { index, count }));
                    assert_eq!(glance(&m), now, "{variant}, seed {seed}: after choice {index}");
                }
                let pending: Vec<u8> = m.pending().iter().map(|d| d.seat).collect();
                assert!(pending.contains(&decision.seat));
                for seat in (0..=variant.players).chain([u8::MAX]).filter(|seat| !pending.contains(seat)) {
                    assert_eq!(m.answer_as(seat, 0), Err(MatchError::NotPending { seat }));
                    assert_eq!(m.legal_of(seat), Err(MatchError::NotPending { seat }));
                    assert_eq!(glance(&m), now, "{variant}, seed {seed}: after seat {seat}");
                }
                assert_eq!(before.as_ref().map(|_| look(&m)), before, "{variant}, seed {seed}");
                assert_eq!(m.answers(), clean.answers());
                step += 1;
                let index = player.step(&mut m);
                answer(&mut clean, index);
                assert_eq!(glance(&m), glance(&clean), "{variant}, seed {seed}");
            }
            let before = look(&m);
            assert_eq!(m.answer(0), Err(MatchError::NoDecision));
            assert!(m.answer_as(0, 0).is_err() && m.pending().is_empty());
            assert_eq!((look(&m), m.outcome()), (before, clean.outcome()));
        }
    }
}

#[test]
fn choices_have_the_same_code_if_they_have_the_same_key() {
    let mut met = 0;
    for variant in all() {
        let (mut m, mut codes) = (variant.begin(0), Vec::new());
        let (mut code_of, mut key_of) = (BTreeMap::new(), BTreeMap::new());
        for seed in 0..2 {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            while let Some(decision) = m.decision() {
                m.choice_codes(&mut codes);
                let legal = m.legal();
                assert_eq!(legal.len(), codes.len());
                for (choice, &code) in legal.iter().zip(&codes) {
                    let prompt = decision.prompt_index();
                    let key = choice.key().to_owned();
                    assert_eq!(*code_of.entry((prompt, key.clone())).or_insert(code), code, "{variant}: {key}");
                    assert_eq!(*key_of.entry((prompt, code)).or_insert(key.clone()), key, "{variant}: {key}");
                    met += 1;
                }
                player.step(&mut m);
            }
        }
    }
    assert!(met > 10_000, "{met}");
}
