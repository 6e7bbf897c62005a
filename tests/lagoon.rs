//! Miner's Lagoon over many games: no token is lost or duplicated, and every card comes into play.

use std::collections::BTreeMap;

use motherlode::declare::Value;
use motherlode::{Line, Match};

use crate::shipped::{Player, VARIANTS, Variant};

fn variants() -> impl Iterator<Item = Variant> {
    VARIANTS.iter().copied().filter(|variant| variant.game().declarations().id == "miners_lagoon")
}

/// Counters and zones by name.
pub struct Table<'m>(pub &'m Match);

impl Table<'_> {
    fn get(&self, holder: i32, counter: &str) -> i32 {
        let index = self.0.game().declarations().counters.get_index_of(counter).expect("the counter is declared");
        self.0.counter(holder, index).expect("the holder has it")
    }

    fn players(&self) -> std::ops::RangeInclusive<i32> {
        1..=i32::from(self.0.setup().players)
    }

    /// Every token in a zone, sorted. A token in two zones appears twice.
    pub fn tokens(&self) -> Vec<i32> {
        let zones = 0..self.0.game().declarations().zones.len();
        let holders = 0..=i32::from(self.0.setup().players);
        let mut all: Vec<i32> = zones
            .flat_map(|zone| holders.clone().filter_map(move |holder| self.0.zone(zone, holder)).flatten())
            .collect();
        all.sort_unstable();
        all
    }

    /// Checks the invariants of every decision.
    pub fn check(&self, tokens: &[i32], what: &str) {
        assert_eq!(self.tokens(), tokens, "{what}: every card and tile is in one zone");
        for p in self.players() {
            for (free, all, most) in [("free_merchants", "merchants", 7), ("free_miners", "miners", 5)] {
                let (free, all) = (self.get(p, free), self.get(p, all));
                assert!(
                    (0..=all).contains(&free) && all <= most,
                    "{what}: {free} of {all} are free (L-48, L-100, L-101)"
                );
            }
            assert!(self.get(p, "money") >= 0, "{what}: money (L-60)");
        }
        // L-108: cells of a player's grid are its places, level by level.
        for mineral in 1..=4 {
            let waiting: i32 = self.players().map(|p| self.get((p - 1) * 20 + mineral, "cubes")).sum();
            assert!(waiting <= 4, "{what}: {waiting} cubes on one 0' (L-108)");
        }
    }
}

#[test]
fn random_games_lose_and_duplicate_no_token() {
    for variant in variants() {
        let mut m = variant.begin(0);
        for seed in 0..12 {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            let tokens = Table(&m).tokens();
            assert!(tokens.windows(2).all(|pair| pair[0] < pair[1]) && tokens.len() > 100, "{tokens:?}");
            let mut step = 0;
            while !m.is_over() {
                Table(&m).check(&tokens, &format!("{variant}, seed {seed}, step {step}"));
                assert!(m.choices().len() <= 40, "{variant}, seed {seed}, step {step}: {} choices", m.choices().len());
                player.step(&mut m);
                step += 1;
            }
            Table(&m).check(&tokens, &format!("{variant}, seed {seed}, at the end"));
        }
    }
}

/// The transcript words before and after a card's name when the card comes into play. An objective counts when it scores.
const LIFE: [(&str, &str, &str, &str); 7] = [
    ("corporations", "chosen", "are in business as ", "."),
    ("equipment", "bought", "buy the ", " for $"),
    ("equipment", "operated", "set a miner to the ", "."),
    ("shipments", "made", "ship ", " for "),
    ("deals", "closed", "close ", " for "),
    ("artifacts", "bought", "an artifact: ", "."),
    ("objectives", "scored", "reveal ", ": "),
];

/// Uses of each card, by kind, event and name.
type Lives = BTreeMap<(&'static str, &'static str, String), u32>;

/// All cards with zero uses.
fn lives(m: &Match) -> Lives {
    let d = m.game().declarations();
    let plain = d.kinds["equipment"].attributes.get_index_of("plain").expect("cards without effect are marked");
    let mut lives = Lives::new();
    for (kind, event, ..) in LIFE {
        let declared = &d.kinds[kind];
        for definition in &d.definitions[declared.first..declared.first + declared.len] {
            let idle = event == "operated" && definition.attributes[plain] == Value::Boolean(true);
            if !idle {
                lives.insert((kind, event, definition.name.clone()), 0);
            }
        }
    }
    lives
}

/// Counts the events of a transcript.
fn note(lives: &mut Lives, log: &[Line]) {
    for line in log.iter().map(Line::text) {
        for (kind, event, before, after) in LIFE {
            let Some((_, rest)) = line.split_once(before) else { continue };
            let Some((name, rest)) = rest.split_once(after) else { continue };
            if event == "scored" && rest.starts_with('0') {
                continue;
            }
            if let Some(times) = lives.get_mut(&(kind, event, name.to_owned())) {
                *times += 1;
            }
        }
    }
}

/// A card that never comes into play is dead content. In every other game a player seldom takes the last choice (pass),
/// so more happens. `-- every_card --nocapture` prints the uses of each card.
#[test]
fn every_card_comes_into_play() {
    const GAMES: u64 = 2_000;
    let plain: Vec<Variant> = variants().filter(|variant| variant.options.is_empty()).collect();
    let mut matches: Vec<Match> = plain.iter().map(|variant| variant.begin(0)).collect();
    let mut lives = lives(&matches[0]);
    for seed in 0..GAMES {
        let table = seed as usize % plain.len();
        let m = &mut matches[table];
        m.set_logging(true);
        plain[table].again(m, seed);
        let (mut player, eager) = (Player::new(seed), seed % 2 == 0);
        while !m.is_over() {
            let choices = m.choices().len();
            let index = player.below(choices);
            m.answer(if eager { index.min(player.below(choices)) } else { index }).unwrap();
        }
        note(&mut lives, &m.take_log());
    }
    for ((kind, event, name), times) in &lives {
        println!("{times:6}  {kind} {event}: {name}");
    }
    let dead: Vec<_> = lives.iter().filter(|(_, times)| **times == 0).map(|(card, _)| card).collect();
    assert!(dead.is_empty(), "never in {GAMES} games: {dead:?}");
}
