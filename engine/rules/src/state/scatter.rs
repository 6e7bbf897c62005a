//! Redeals piles that a seat cannot count.

use rand::Rng;
use rand::seq::SliceRandom;

use super::exchange::ALONE;
use super::sight::Sight;
use super::split::split;
use crate::state::{Layout, Position, PositionMut};
use motherlode_content::declare::Declarations;

/// Random attempts before a share that always fits is used.
const TRIES: usize = 32;

/// The piles in the match that a seat cannot count.
#[must_use]
pub fn uncounted(sight: &Sight<'_>) -> Vec<usize> {
    let piles = sight.layout.piles.iter().enumerate();
    let at_table = piles.filter(|(_, pile)| pile.holder <= sight.players());
    at_table.map(|(index, _)| index).filter(|&pile| !sight.counts(pile)).collect()
}

/// Shares the tokens of `piles` out at random. The piles are those that the seat cannot count, see [`uncounted`].
///
/// A token stays in its pile if the seat identifies it, or if the table has watched it all the way (its class is
/// [`ALONE`]). Of the others with one back, every split of their number among the piles is equally likely, within the
/// kinds and sizes of the zones. A token of a player's set goes to that player or to zones of the game. The order of
/// every pile is random.
pub fn scatter(
    declared: &Declarations,
    layout: &Layout,
    words: &mut [i32],
    seat: u8,
    piles: &[usize],
    rng: &mut impl Rng,
) {
    if piles.len() > 1 {
        let mut free: Vec<i32> = Vec::new();
        let sight = Sight { declared, layout, words, seat: Some(seat) };
        let position = Position { layout, words: sight.words };
        for &pile in piles {
            let is_free = |token: &&i32| position.class(**token) != ALONE && !sight.identifies(**token);
            free.extend(sight.tokens(pile).iter().filter(is_free));
        }
        if !free.is_empty() {
            share_out(declared, PositionMut { layout, words: &mut *words }, piles, free, rng);
        }
    }
    for &pile in piles {
        let places = Position { layout, words: &*words }.places(pile);
        words[places.clone()].sort_unstable();
        words[places].shuffle(rng);
    }
}

/// Tokens with one back, and the piles (by index in a list) that may hold them.
struct Lot {
    tokens: Vec<i32>,
    piles: Vec<usize>,
}

fn share_out(
    declared: &Declarations,
    mut position: PositionMut<'_>,
    piles: &[usize],
    mut free: Vec<i32>,
    rng: &mut impl Rng,
) {
    // Tokens with one back have consecutive numbers.
    free.sort_unstable();
    let layout = position.layout;
    let back = |token: i32| layout.tokens[token as usize - 1].back;
    let mut lots: Vec<Lot> = Vec::new();
    for tokens in free.chunk_by(|&one, &other| back(one) == back(other)) {
        lots.push(Lot { piles: fitting(declared, layout, piles, tokens[0]), tokens: tokens.to_vec() });
    }
    lots.sort_by_key(|lot| (lot.piles.len(), lot.tokens[0]));
    lots.iter_mut().for_each(|lot| lot.tokens.shuffle(rng));
    free.iter().for_each(|&token| position.lift(token));
    let rooms: Vec<usize> =
        piles.iter().map(|&pile| layout.piles[pile].capacity - position.tokens(pile).len()).collect();
    let shares = (0..TRIES).find_map(|_| draw_shares(&lots, &rooms, rng)).unwrap_or_else(|| fit_shares(&lots, &rooms));
    for (lot, share) in lots.iter().zip(shares) {
        for (&token, at) in lot.tokens.iter().zip(share) {
            position.put(token, piles[at], false);
        }
    }
}

/// The piles, by index in the list, that may hold a token.
fn fitting(declared: &Declarations, layout: &Layout, piles: &[usize], token: i32) -> Vec<usize> {
    let info = layout.tokens[token as usize - 1];
    let place = |at: &usize| layout.piles[piles[*at]];
    let holds = |at: &usize| declared.zones[place(at).zone].holds.contains(&info.kind);
    let is_own = |at: &usize| info.owner == 0 || [0, info.owner].contains(&place(at).holder);
    let own: Vec<usize> = (0..piles.len()).filter(holds).filter(is_own).collect();
    if own.is_empty() { (0..piles.len()).filter(holds).collect() } else { own }
}

/// For each lot the pile of each token, by index in the list; `None`: earlier lots have left too little room.
fn draw_shares(lots: &[Lot], rooms: &[usize], rng: &mut impl Rng) -> Option<Vec<Vec<usize>>> {
    let mut rooms: Vec<i64> = rooms.iter().map(|&room| room as i64).collect();
    let mut shares = Vec::new();
    for lot in lots {
        let own: Vec<i64> = lot.piles.iter().map(|&pile| rooms[pile]).collect();
        let count = lot.tokens.len() as i64;
        if own.iter().sum::<i64>() < count {
            return None;
        }
        let parts = split(count, &own, rng);
        lot.piles.iter().zip(&parts).for_each(|(&pile, part)| rooms[pile] -= part);
        let share = lot.piles.iter().zip(parts).flat_map(|(&pile, part)| std::iter::repeat_n(pile, part as usize));
        shares.push(share.collect());
    }
    Some(shares)
}

/// A fixed assignment without chance: every token finds a place, because others make room (augmenting paths).
fn fit_shares(lots: &[Lot], rooms: &[usize]) -> Vec<Vec<usize>> {
    let mut shares: Vec<Vec<usize>> = lots.iter().map(|_| Vec::new()).collect();
    for lot in 0..lots.len() {
        for _ in &lots[lot].tokens {
            let pile = make_room(lots, rooms, &mut shares, lot, &mut vec![false; rooms.len()]);
            // The former places prove that there is room for all.
            shares[lot].push(pile.unwrap_or(lots[lot].piles[0]));
        }
    }
    shares
}

/// A pile with room for one more token of a lot.
fn make_room(
    lots: &[Lot],
    rooms: &[usize],
    shares: &mut [Vec<usize>],
    lot: usize,
    tried: &mut [bool],
) -> Option<usize> {
    for &pile in &lots[lot].piles {
        if std::mem::replace(&mut tried[pile], true) {
            continue;
        }
        if shares.iter().flatten().filter(|&&other| other == pile).count() < rooms[pile] {
            return Some(pile);
        }
        for other in 0..lots.len() {
            let Some(at) = shares[other].iter().position(|&held| held == pile) else { continue };
            if let Some(elsewhere) = make_room(lots, rooms, shares, other, tried) {
                shares[other][at] = elsewhere;
                return Some(pile);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_for_all_where_there_is_one() {
        let lot = |count, piles: &[usize]| Lot { tokens: vec![1; count], piles: piles.to_vec() };
        let lots = [lot(2, &[0, 1]), lot(2, &[0]), lot(1, &[1, 2])];
        let shares = fit_shares(&lots, &[2, 2, 1]);
        assert_eq!(shares, [vec![1, 1], vec![0, 0], vec![2]]);
    }
}
