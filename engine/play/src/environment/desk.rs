//! The matches of a thread, shared by all positions that the thread works on.

use std::cell::RefCell;

use motherlode::{Game, Match, MatchError, Setup};

/// Maximum matches of a thread; the one that was not used for longest makes room.
const MOST: usize = 4;

/// A match and the position that it is in.
struct Desk {
    m: Match,
    records: bool,
    /// The number of the position; 0: none.
    at: u64,
}

thread_local! {
    /// The desks of this thread, the last used one first.
    static DESKS: RefCell<Vec<Desk>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` on this thread's match for a game, number of players and options; if `records` is set, on one that
/// records histories. `work` gets the match and the number
/// of the position that it left behind last time. That number is 0 if `work` failed, or if the match is new.
///
/// Calls inside `work` get another match.
///
/// # Errors
/// The match could not be made, or as `work`.
pub fn with_match<R, E: From<MatchError>>(
    game: &Game,
    setup: &Setup,
    records: bool,
    work: impl FnOnce(&mut Match, &mut u64) -> Result<R, E>,
) -> Result<R, E> {
    let fits = |desk: &Desk| {
        let m = &desk.m;
        desk.records == records
            && m.setup().players == setup.players
            && m.game().fingerprint() == game.fingerprint()
            && m.setup().options == setup.options
    };
    let found = DESKS.with_borrow_mut(|desks| desks.iter().position(fits).map(|at| desks.remove(at)));
    let mut desk = match found {
        Some(desk) => desk,
        None => {
            let mut m = Match::new(game, setup)?;
            if records {
                m.record_history()?;
            }
            Desk { m, records, at: 0 }
        }
    };
    let mut at = std::mem::take(&mut desk.at);
    let done = work(&mut desk.m, &mut at);
    if done.is_ok() {
        desk.at = at;
    }
    DESKS.with_borrow_mut(|desks| {
        desks.insert(0, desk);
        desks.truncate(MOST);
    });
    done
}
