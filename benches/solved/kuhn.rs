//! Kuhn poker against the best reply: how much a player loses who plays by the choices of the bot.

use motherlode::{Game, Match};

use crate::{bot_of, choice_of, load};

const RANKS: [&str; 3] = ["jack", "queen", "king"];
/// The value of the game for the first player, in chips.
const VALUE: f64 = -1.0 / 18.0;
/// The choice that bets or calls.
const BET: usize = 1;

/// For each rank, how often a player bets or calls at its first and at its second kind of decision: the first player
/// at the start and after a check and a bet, the second player after a check and after a bet.
type Policy = [[f64; 2]; 3];

pub fn measure(kind: &str, games: f64) {
    let game = load("kuhn");
    for budget in [200, 1000] {
        let runs = (100.0 * games) as u64;
        let histories: [[&[usize]; 2]; 2] = [[&[], &[0, BET]], [&[0], &[BET]]];
        let policies = [0, 1].map(|seat| {
            let of_rank = |rank| histories[seat].map(|history| bets(kind, budget, &game, seat, rank, history, runs));
            RANKS.map(of_rank)
        });
        let replies = pure();
        let first = replies.iter().map(|reply| value(&policies[0], reply)).fold(f64::INFINITY, f64::min);
        let second = replies.iter().map(|reply| value(reply, &policies[1])).fold(f64::NEG_INFINITY, f64::max);
        println!(
            "kuhn          {kind}:{budget:<6} loses {:.3} chips a game as first and {:.3} as second player to the best \
             reply; bets and calls {policies:.2?}",
            VALUE - first,
            second - VALUE
        );
    }
}

/// How often the bot bets or calls with this card after these choices.
fn bets(kind: &str, budget: u32, game: &Game, seat: usize, rank: &str, history: &[usize], runs: u64) -> f64 {
    let (mut bets, mut count) = (0, 0);
    let setup = |seed| game.setup(None, &[], seed).expect("two players");
    let mut m = Match::new(game, &setup(0)).expect("a match");
    for seed in 0.. {
        if count == runs {
            break;
        }
        m.restart(&setup(seed)).expect("a match");
        let hand = &m.observe(Some(seat as u8)).players[seat].zones["hand"].tokens;
        if hand[0].as_deref() != Some(rank) {
            continue;
        }
        history.iter().for_each(|choice| m.answer(*choice).expect("a legal answer"));
        count += 1;
        bets += u64::from(choice_of(&mut *bot_of(kind, budget, game, seed), &m) == BET);
    }
    bets as f64 / count.max(1) as f64
}

/// All policies without chance.
fn pure() -> Vec<Policy> {
    let bit = |bits: usize, at: usize| (bits >> at & 1) as f64;
    (0..64).map(|bits| std::array::from_fn(|rank| [bit(bits, 2 * rank), bit(bits, 2 * rank + 1)])).collect()
}

/// The mean result of the first player.
fn value(first: &Policy, second: &Policy) -> f64 {
    let mut sum = 0.0;
    for (own, [bet, call]) in first.iter().enumerate() {
        for (other, [their_bet, their_call]) in second.iter().enumerate().filter(|(other, _)| *other != own) {
            let won = if own > other { 1.0 } else { -1.0 };
            let after_bet = their_call * 2.0 * won + (1.0 - their_call);
            let called = call * 2.0 * won - (1.0 - call);
            let after_check = their_bet * called + (1.0 - their_bet) * won;
            sum += bet * after_bet + (1.0 - bet) * after_check;
        }
    }
    sum / 6.0
}
