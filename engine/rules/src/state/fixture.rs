//! A small game with one of every feature, for the tests of this module.

use indexmap::IndexMap;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::exchange::ALONE;
use super::sight::Sight;
use crate::state::layout::word;
use crate::state::{Layout, PositionMut};
use motherlode_content::declare::{
    Amount, Counter, Declarations, Definition, Domain, Grid, Holder, Kind, OptionValue, Phase, PlayerRange, Redeal,
    Seat, Shape, Visibility, Zone,
};

/// A position of that game.
#[derive(Debug, Clone)]
pub struct Table {
    pub declared: Declarations,
    pub layout: Layout,
    pub words: Vec<i32>,
    pub options: IndexMap<String, OptionValue>,
}

impl Table {
    /// All cards (tokens 1 to 6: three aces, two kings, a jack) in the deck, in this order; figures in no zone.
    pub fn new(players: u8) -> Self {
        let declared = declarations();
        let layout = Layout::new(&declared);
        let mut words = vec![0; layout.words];
        words[word::PLAYERS] = players.into();
        PositionMut::new(&layout, &mut words).forget(0..layout.backs.len());
        let mut table = Self { declared, layout, words, options: IndexMap::new() };
        for token in 1..=6 {
            table.move_to(token, "deck", 0);
        }
        table
    }

    /// A random position within the declared ranges.
    pub fn random(seed: u64) -> Self {
        let rng = &mut StdRng::seed_from_u64(seed);
        let mut table = Self::new(rng.random_range(2..=4));
        table.layout.backs[0].unplaced = rng.random();
        let mut tokens: Vec<i32> = (1..=table.layout.tokens.len() as i32).collect();
        tokens.shuffle(rng);
        for token in tokens {
            let fits =
                |zone: usize| table.declared.zones[zone].holds.contains(&table.layout.tokens[token as usize - 1].kind);
            let at_table = |holder: i32| holder <= table.words[word::PLAYERS];
            let piles: Vec<usize> = (0..table.layout.piles.len())
                .filter(|&pile| fits(table.layout.piles[pile].zone) && at_table(table.layout.piles[pile].holder))
                .collect();
            let pile = piles[rng.random_range(0..piles.len() as u32) as usize];
            if rng.random_bool(0.9) {
                PositionMut::new(&table.layout, &mut table.words).put(token, pile, false);
            } else if rng.random_bool(0.3) {
                PositionMut::new(&table.layout, &mut table.words).lift(token);
            }
            if rng.random_bool(0.3) {
                let seen = rng.random_range(0..32);
                PositionMut::new(&table.layout, &mut table.words).set_seen(token, seen);
            }
        }
        // Some tokens were watched, and some belong to a class of their own.
        for token in 1..=table.layout.tokens.len() as i32 {
            match rng.random_range(0..10) {
                0 => PositionMut::new(&table.layout, &mut table.words).set_class(token, ALONE),
                1 => PositionMut::new(&table.layout, &mut table.words).set_class(token, 2),
                _ => {}
            }
        }
        // Some hands were sorted.
        for pile in 0..table.layout.piles.len() {
            let backs = table.layout.backs.len();
            if table.layout.piles[pile].visible != Visibility::Public && rng.random_bool(0.4) {
                let mut position = PositionMut::new(&table.layout, &mut table.words);
                (0..backs).for_each(|back| position.mix_places(pile, back));
            }
        }
        for counter in 0..table.layout.counters.len() {
            let (min, max) = (table.declared.counters[counter].min, table.declared.counters[counter].max);
            let holders: Vec<i32> = table.sight(None).holders(counter).collect();
            for holder in holders {
                let word = table.layout.counter_word(counter, holder).unwrap();
                table.words[word] = rng.random_range(min..=max);
            }
        }
        table.words[word::SEED_LOW] = rng.random();
        for at in table.layout.counts.clone() {
            table.words[at] = rng.random_range(0..3);
        }
        table.words[word::ROUND] = rng.random_range(0..3);
        table
    }

    pub fn sight(&self, seat: Option<u8>) -> Sight<'_> {
        Sight { declared: &self.declared, layout: &self.layout, words: &self.words, seat }
    }

    pub fn set(&mut self, counter: &str, holder: i32, value: i32) {
        let counter = self.declared.counters.get_index_of(counter).unwrap();
        let word = self.layout.counter_word(counter, holder).unwrap();
        self.words[word] = value;
    }

    pub fn get(&self, counter: &str, holder: i32) -> i32 {
        self.sight(None).counter(self.declared.counters.get_index_of(counter).unwrap(), holder).unwrap()
    }

    pub fn cell(&self, grid: &str, name: &str) -> i32 {
        let grid = self.declared.grids.get_index_of(grid).unwrap();
        self.layout.grids[grid].cell_named(name).unwrap() as i32 + 1
    }

    /// The token with this id and the lowest number.
    pub fn first(&self, id: &str) -> i32 {
        self.with_id(id)[0]
    }

    fn with_id(&self, id: &str) -> Vec<i32> {
        let of_id =
            |token: &i32| self.declared.definitions[self.layout.tokens[*token as usize - 1].definition].id == id;
        (1..=self.layout.tokens.len() as i32).filter(of_id).collect()
    }

    /// The figure of a player's set.
    pub fn figure(&self, player: i32) -> i32 {
        let owned = |token: &i32| self.layout.tokens[*token as usize - 1].owner == player;
        self.with_id("figure").into_iter().find(owned).unwrap()
    }

    /// Moves a token with this id: the first one in the deck, or else the first of all.
    pub fn put(&mut self, id: &str, zone: &str, holder: i32) -> i32 {
        let deck = self.layout.pile(self.declared.zones.get_index_of("deck").unwrap(), 0);
        let tokens = self.with_id(id);
        let in_deck = tokens.iter().find(|&&token| self.sight(None).pile_of(token) == deck);
        let token = *in_deck.unwrap_or(&tokens[0]);
        self.move_to(token, zone, holder);
        token
    }

    pub fn move_to(&mut self, token: i32, zone: &str, holder: i32) {
        let pile = self.layout.pile(self.declared.zones.get_index_of(zone).unwrap(), holder).unwrap();
        assert!(PositionMut::new(&self.layout, &mut self.words).put(token, pile, false));
    }

    /// Sets face and witnesses of the first token with this id.
    pub fn see(&mut self, id: &str, bits: i32) {
        let token = self.first(id);
        PositionMut::new(&self.layout, &mut self.words).set_seen(token, bits);
    }

    /// Asserts that every token is exactly where its word says, and that every unused place is 0.
    pub fn assert_sound(&self) {
        let mut found = vec![0; self.layout.tokens.len()];
        for (index, pile) in self.layout.piles.iter().enumerate() {
            let len = self.words[pile.offset] as usize;
            for i in 0..pile.capacity {
                let token = self.words[pile.offset + 1 + i];
                if i < len {
                    assert_eq!(self.sight(None).pile_of(token), Some(index));
                    found[token as usize - 1] += 1;
                } else {
                    assert_eq!(token, 0);
                }
            }
        }
        for (token, times) in (1..).zip(found) {
            assert_eq!(times, i32::from(self.sight(None).pile_of(token).is_some()));
        }
    }
}

fn declarations() -> Declarations {
    use Visibility::{Count, Face, Nobody, Others, Owner, Public, Secret};
    const CARDS: usize = 0;
    const FIGURES: usize = 1;
    let counter = |per, visible, max, values: &[&str]| Counter {
        per,
        visible,
        max,
        values: values.iter().map(ToString::to_string).collect(),
        ..Counter::default()
    };
    let dealt = |redeal, counter| Counter { redeal: Some(redeal), ..counter };
    let zone = |per, visible| Zone { per, visible, holds: vec![CARDS, FIGURES], ..Zone::default() };
    let grid = |per, columns, rows, holes: &[&str]| Grid {
        per,
        shape: Shape::Square { columns, rows },
        holes: holes.iter().map(ToString::to_string).collect(),
        ..Grid::default()
    };
    let kind = |per, first, len| Kind { per, tokens: true, first, len, ..Kind::default() };
    let definition = |id: &str, kind, copies| {
        let (id, name) = (id.to_owned(), id.to_owned());
        Definition { id, name, kind, copies, ..Definition::default() }
    };
    let names = |entries: [&str; 2]| entries.map(|id| (id.to_owned(), Phase::default())).into_iter().collect();
    let pairs = [
        ("gold", counter(Holder::Player, Public, 999, &[])),
        ("debt", dealt(Redeal::Pool, counter(Holder::Player, Owner, 20, &[]))),
        ("plan", dealt(Redeal::Keep, counter(Holder::Player, Owner, 9, &[]))),
        ("omen", counter(Holder::Game, Nobody, 9, &[])),
        ("target", Counter { means: Domain::Token, ..counter(Holder::Game, Public, 10, &[]) }),
        ("load", counter(Holder::Token(CARDS), Public, 3, &[])),
        ("mark", counter(Holder::Token(CARDS), Owner, 3, &[])),
        ("tired", counter(Holder::Token(FIGURES), Owner, 1, &[])),
        ("ore", counter(Holder::Cell(0), Public, 1, &["none", "gold"])),
        ("trap", dealt(Redeal::Pool, counter(Holder::Cell(0), Nobody, 2, &["none", "snare", "pit"]))),
        ("seed", counter(Holder::Cell(1), Owner, 3, &[])),
    ];
    let zones = [
        ("deck", zone(Holder::Game, Count)),
        ("hand", zone(Holder::Player, Owner)),
        ("vault", zone(Holder::Player, Secret)),
        ("table", Zone { open_looks: true, ..zone(Holder::Game, Face) }),
        ("pit", zone(Holder::Game, Nobody)),
        ("row", zone(Holder::Game, Public)),
        ("rack", zone(Holder::Player, Others)),
    ];
    Declarations {
        players: PlayerRange { min: 2, max: 4, default: 2 },
        seats: (1..=4).map(|n| Seat { name: format!("Seat {n}"), colour: String::new() }).collect(),
        rounds: Some(Amount::Number(3)),
        counters: pairs.map(|(name, counter)| (name.to_owned(), counter)).into_iter().collect(),
        zones: zones.map(|(name, zone)| (name.to_owned(), zone)).into_iter().collect(),
        grids: [("board", grid(Holder::Game, 3, 2, &["b1"])), ("garden", grid(Holder::Player, 2, 1, &[]))]
            .map(|(name, grid)| (name.to_owned(), grid))
            .into_iter()
            .collect(),
        kinds: [("cards", kind(Holder::Game, 0, 3)), ("figures", kind(Holder::Player, 3, 1))]
            .map(|(name, kind)| (name.to_owned(), kind))
            .into_iter()
            .collect(),
        definitions: vec![
            definition("ace", CARDS, 3),
            definition("king", CARDS, 2),
            definition("jack", CARDS, 1),
            definition("figure", FIGURES, 1),
        ],
        phases: names(["morning", "evening"]),
        ..Declarations::default()
    }
}

/// The pile of a zone and holder.
pub fn pile(table: &Table, zone: &str, holder: i32) -> usize {
    table.layout.pile(table.declared.zones.get_index_of(zone).unwrap(), holder).unwrap()
}

/// Carries a token to a pile.
pub fn carry(table: &mut Table, token: i32, zone: &str, holder: i32) {
    let to = pile(table, zone, holder);
    assert!(PositionMut::new(&table.layout, &mut table.words).carry(token, to, false, false));
}

/// The words that differ between two blocks.
pub fn differing(before: &[i32], now: &[i32]) -> Vec<usize> {
    (0..now.len()).filter(|&at| before[at] != now[at]).collect()
}
