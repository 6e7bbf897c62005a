//! Streams of random numbers: one for each pile that is shuffled, and one for each purpose of scripts.
//!
//! A draw is a function of the match's seed, the stream, and the number of earlier draws from that stream. So an
//! additional draw in one place does not affect other streams, and two games with the same seed stay alike where an
//! edit of the content has changed nothing. For the same reason, streams are keyed by *names* (of zones, phases,
//! scripts, definitions) and seats: numbers of zones or tokens would all shift when one is added.
//!
//! A stream is the generator SplitMix64 (Steele, Lea, Flood 2014), started at a mix of seed and key. Its n-th number
//! can be computed directly, so the state stores only the seed and the counts of the streams. Each pile has a count.
//! Purposes share [`PURPOSES`] counts, selected by their keys. The key of a number is that of its purpose, so two
//! purposes with one count never draw the same number; a draw for one only advances the other.
//!
//! A shuffle draws one number and sorts the tokens by a mix of this number and each token's key (its kind,
//! definition, owner and copy). Shuffling by swaps (Fisher, Yates) would be a little faster, but an additional card
//! in a deck would move all others. With sorting, the card is inserted somewhere and the order of the others stays.
//! The earlier order of the pile does not matter.

use std::ops::{Deref, DerefMut};

use crate::state::Position;
use crate::state::key::{PURPOSES, bits, member, rank};
use crate::state::layout::{MAX_PLAYERS, stage, word};

/// Maximum tokens that are sorted without an allocation; most piles have fewer.
const FEW: usize = 64;
/// The bits of a rank that contain its token: a state has at most 2^20 words.
const TOKEN: u64 = (1 << 24) - 1;

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The seed of all later draws.
    pub(crate) fn seed_of_draws(&self) -> u64 {
        let half = |at: usize| u64::from(self.words[at].cast_unsigned());
        half(word::SEED_HIGH) << 32 | half(word::SEED_LOW)
    }

    /// Number of draws and shuffles since the seed was set, modulo 2^32.
    #[must_use]
    pub fn draws(&self) -> u32 {
        self.words[self.layout.counts.clone()].iter().fold(0, |sum, count| sum.wrapping_add(count.cast_unsigned()))
    }

    /// The key of a draw by a script (its own key), in the current phase hook and for the player whose turn it is;
    /// and the index of its count.
    fn purpose(&self, script: i32) -> (u64, usize) {
        let at = self.words[word::STAGE];
        let index = |at: usize| usize::try_from(self.words[at]).ok();
        let (phase, seat) = match at {
            stage::SETUP | stage::END.. => (None, None),
            stage::SKIP | stage::TURN => (index(word::PHASE), index(word::TURN)),
            _ => (index(word::PHASE), None),
        };
        let phase = phase.and_then(|phase| self.layout.phases.get(phase)).map_or(0, |&key| key);
        let seat = seat.filter(|&turn| turn < MAX_PLAYERS).map_or(0, |turn| self.words[word::ORDER + turn]);
        let place = u64::from(script.cast_unsigned()) << 32 | u64::from(at.cast_unsigned());
        let (hook, seat) = (member(phase, place), u64::from(seat.cast_unsigned()));
        // Seats of one hook never share a count.
        (member(hook, seat), (hook.wrapping_add(seat) % PURPOSES as u64) as usize)
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// Sets the seed and restarts all streams.
    pub fn seed(&mut self, seed: u64) {
        self.words[word::SEED_LOW] = (seed as u32).cast_signed();
        self.words[word::SEED_HIGH] = ((seed >> 32) as u32).cast_signed();
        self.words[self.layout.counts.clone()].fill(0);
    }

    /// A random number from 1 to n for a script (its key), by multiplication of 64 random bits (Lemire 2019); the
    /// bias is below n / 2^64.
    pub fn random(&mut self, n: u32, script: i32) -> u32 {
        let (key, count) = self.purpose(script);
        let bits = self.next(key, self.layout.counts.start + count);
        ((u128::from(bits) * u128::from(n)) >> 64) as u32 + 1
    }

    /// Sorts the tokens of a pile into a random order. [`shuffle`](Self::shuffle) also updates the exchange classes.
    pub(super) fn reorder(&mut self, pile: usize) {
        let shuffle = self.next(self.layout.piles[pile].key, self.layout.counts.start + PURPOSES + pile);
        let (places, tokens) = (self.places(pile), &self.layout.tokens);
        // Sorting ranks that contain the tokens in their lowest bits is several times as fast as sorting tokens by
        // rank.
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let ranked = if places.len() <= FEW {
            &mut few[..places.len()]
        } else {
            many.resize(places.len(), 0);
            &mut many[..]
        };
        for (ranked, &token) in ranked.iter_mut().zip(&self.words[places.clone()]) {
            *ranked = rank(shuffle, tokens[token as usize - 1].key) & !TOKEN | u64::from(token.cast_unsigned());
        }
        ranked.sort_unstable();
        for (word, ranked) in self.words[places].iter_mut().zip(ranked) {
            *word = ((*ranked & TOKEN) as u32).cast_signed();
        }
    }

    /// The next number of a stream, whose count is in this word.
    fn next(&mut self, key: u64, count: usize) -> u64 {
        let number = self.words[count];
        self.words[count] = number.wrapping_add(1);
        bits(self.seed_of_draws(), key, number.cast_unsigned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::PositionMut;
    use crate::state::fixture::Table;

    /// Scripts that draw.
    const ONE: i32 = 1;
    const OTHER: i32 = 2;

    fn begun(seed: u64) -> Table {
        let mut table = Table::new(3);
        table.words[word::ORDER..word::ORDER + 3].copy_from_slice(&[1, 2, 3]);
        table.words[word::STAGE] = stage::TURN;
        position(&mut table).seed(seed);
        table
    }

    fn position(table: &mut Table) -> PositionMut<'_> {
        PositionMut::new(&table.layout, &mut table.words)
    }

    fn on_turn(table: &mut Table, player: i32) {
        table.words[word::TURN] = player - 1;
    }

    /// The cards after the next shuffle of the deck.
    fn shuffled(table: &mut Table) -> Vec<i32> {
        let deck = table.layout.pile(0, 0).unwrap();
        position(table).shuffle(deck);
        table.sight(None).tokens(deck).to_vec()
    }

    fn rolled<const N: usize>(table: &mut Table, script: i32) -> [u32; N] {
        std::array::from_fn(|_| position(table).random(1_000_000, script))
    }

    #[test]
    fn a_draw_more_leaves_all_other_streams_as_they_were() {
        let (plain, more) = (&mut begun(5), &mut begun(5));
        rolled::<1>(more, ONE);
        let vault = more.layout.pile(2, 1).unwrap();
        position(more).shuffle(vault);
        assert_eq!(shuffled(plain), shuffled(more));
        assert_eq!(rolled::<4>(plain, OTHER), rolled(more, OTHER));
        assert_eq!(rolled::<4>(plain, ONE)[1..], rolled::<3>(more, ONE), "its own stream goes on");
    }

    /// Motivates streams: with one shared generator, neither property holds.
    #[test]
    fn a_shared_generator_would_shift_everything() {
        let swapped = |drawn: u32, deck: &[i32]| {
            let (mut deck, mut number) = (deck.to_vec(), drawn);
            for at in (1..deck.len()).rev() {
                let with = (u128::from(bits(5, 0, number)) * (at as u128 + 1)) >> 64;
                deck.swap(at, with as usize);
                number += 1;
            }
            deck
        };
        let deck: Vec<i32> = (1..=40).collect();
        assert_ne!(swapped(0, &deck), swapped(1, &deck), "a draw more");
        let without: Vec<i32> = swapped(0, &deck).into_iter().filter(|&card| card != 40).collect();
        assert_ne!(swapped(0, &deck[..39]), without, "a card more");
    }

    #[test]
    fn a_card_more_leaves_the_order_of_the_others() {
        for seed in 0..100 {
            let (all, fewer) = (&mut begun(seed), &mut begun(seed));
            position(fewer).lift(3);
            let without: Vec<i32> = shuffled(all).into_iter().filter(|&card| card != 3).collect();
            assert_eq!(shuffled(fewer), without);
        }
    }

    #[test]
    fn a_shuffle_depends_on_its_number_and_not_on_the_order_before() {
        let (one, other) = (&mut begun(9), &mut begun(9));
        let deck = other.layout.pile(0, 0).unwrap();
        position(other).put(2, deck, true);
        let first = shuffled(one);
        assert_eq!(shuffled(other), first);
        assert!((0..5).any(|_| shuffled(one) != first));
    }

    #[test]
    fn seats_phases_and_scripts_have_streams_of_their_own() {
        let (one, other) = (&mut begun(1), &mut begun(1));
        let first = rolled::<3>(one, ONE);
        let mut seen = std::collections::BTreeSet::from([first]);
        assert!(seen.insert(rolled(&mut begun(1), OTHER)));
        assert!(seen.insert(rolled(&mut begun(2), ONE)));
        on_turn(other, 2);
        assert!(seen.insert(rolled(other, ONE)));
        other.words[word::PHASE] = 1;
        assert!(seen.insert(rolled(other, ONE)));
        other.words[word::STAGE] = stage::FINISH;
        let finish = rolled::<3>(other, ONE);
        assert!(seen.insert(finish));
        let fresh = &mut begun(1);
        (fresh.words[word::PHASE], fresh.words[word::STAGE]) = (1, stage::FINISH);
        assert_eq!(rolled(fresh, ONE), finish, "nobody is on turn");
    }

    /// The bound that chi squared exceeds with probability 10^-6 (Wilson and Hilferty 1931).
    fn bound(cells: usize) -> f64 {
        const ONCE_IN_A_MILLION: f64 = 4.753;
        let part = 2.0 / (9.0 * (cells as f64 - 1.0));
        (cells as f64 - 1.0) * (1.0 - part + ONCE_IN_A_MILLION * part.sqrt()).powi(3)
    }

    fn assert_even(what: &str, counts: &[u32]) {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        assert!(chi < bound(counts.len()), "{what}: {chi:.1} of {} cells", counts.len());
    }

    const SEEDS: u64 = 24_000;

    /// Consecutive seeds, as in simulations and tests.
    #[test]
    fn dice_are_even_and_independent() {
        let (mut first, mut next, mut seats) = ([0; 36], [0; 36], [0; 36]);
        let table = &mut begun(0);
        for seed in 0..SEEDS {
            position(table).seed(seed);
            on_turn(table, 1);
            let [one, two, three] = [0; 3].map(|_| position(table).random(6, ONE) as usize - 1);
            on_turn(table, 2);
            let other = position(table).random(6, ONE) as usize - 1;
            first[one * 6 + two] += 1;
            next[two * 6 + three] += 1;
            seats[one * 6 + other] += 1;
        }
        assert_even("two dice", &first);
        assert_even("the next two", &next);
        assert_even("those of two seats", &seats);
        let mut long = vec![0; 36];
        let mut last = 0;
        for _ in 0..SEEDS {
            let die = position(table).random(6, OTHER) as usize - 1;
            long[last * 6 + die] += 1;
            last = die;
        }
        assert_even("dice of one seed", &long);
    }

    #[test]
    fn every_order_is_as_likely_as_any_other() {
        let table = &mut begun(0);
        let (mut orders, mut again) = (vec![0; 720], vec![0; 36]);
        for seed in 0..SEEDS {
            position(table).seed(seed);
            let (one, two) = (shuffled(table), shuffled(table));
            // The rank of the permutation, by the number of later cards that are lower.
            let lower = |at: usize| one[at + 1..].iter().filter(|&&card| card < one[at]).count();
            orders[(0..6).fold(0, |number, at| number * (6 - at) + lower(at))] += 1;
            again[(one[5] as usize - 1) * 6 + two[5] as usize - 1] += 1;
        }
        assert_even("orders of six cards", &orders);
        assert_even("the top card of two shuffles", &again);
    }

    /// Control: a small bias is detected.
    #[test]
    #[should_panic(expected = "leaning")]
    fn a_biased_die_is_detected() {
        let table = &mut begun(0);
        let mut counts = [0; 6];
        for _ in 0..SEEDS {
            let die = position(table).random(25, ONE) as usize - 1;
            counts[if die == 24 { 5 } else { die / 4 }] += 1;
        }
        assert_even("leaning", &counts);
    }
}
