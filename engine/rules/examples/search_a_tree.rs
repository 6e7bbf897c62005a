//! Searches the game tree to a fixed depth: the deciding seat maximizes its value, the others minimize it.
//!
//! ```sh
//! cargo run -p motherlode --example search_a_tree
//! ```
//!
//! This search reads hidden information. In a game that has some, a fair search calls `Match::redeal` on its fork first, and
//! searches several such forks: each is a random match that the seat cannot distinguish from the real one.

mod noughts;

use std::collections::HashSet;

use motherlode::{Match, MatchError};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = noughts::game();
    let mut m = Match::new(&game, &game.setup(Some(2), &[], 1)?)?;
    while let Some(decision) = m.decision() {
        let index = best(&m, 4)?;
        println!("seat {} takes {}", decision.seat, m.legal()[index].label);
        m.answer(index)?;
    }
    println!("{:?}", m.outcome());
    Ok(())
}

/// Index of the best choice for the deciding seat, `depth` decisions ahead; ties go to the first choice.
fn best(m: &Match, depth: u32) -> Result<usize, MatchError> {
    let Some(decision) = m.decision() else { return Err(MatchError::NoDecision) };
    // The search plays on a fork: the match itself does not change.
    let mut fork = m.fork()?;
    fork.set_recording(false);
    let root = fork.snapshot();
    let (mut best, mut most) = (0, i32::MIN);
    // Choices with equal keys lead to the same position, so one of them is enough.
    let mut tried = HashSet::new();
    for (index, choice) in m.legal().iter().enumerate() {
        if !tried.insert(choice.key().to_owned()) {
            continue;
        }
        fork.answer(index)?;
        let value = search(&mut fork, decision.seat, depth.saturating_sub(1))?;
        fork.restore(&root)?;
        if value > most {
            (best, most) = (index, value);
        }
    }
    Ok(best)
}

/// Value of a position for a seat: 1 if it wins, -1 if it loses, 0 otherwise, within `depth` decisions.
fn search(m: &mut Match, seat: u8, depth: u32) -> Result<i32, MatchError> {
    if let Some(outcome) = m.outcome() {
        let first = outcome.ranks.iter().filter(|&&rank| rank == 1).count();
        return Ok(match outcome.ranks[usize::from(seat)] {
            1 if first == 1 => 1,
            1 => 0,
            _ => -1,
        });
    }
    let Some(decision) = m.decision().filter(|_| depth > 0) else { return Ok(0) };
    let here = m.snapshot();
    let mut values = Vec::new();
    for index in 0..m.choices().len() {
        m.answer(index)?;
        values.push(search(m, seat, depth - 1)?);
        m.restore(&here)?;
    }
    let best = if decision.seat == seat { values.iter().max() } else { values.iter().min() };
    Ok(best.copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match after these cells were marked in turn.
    fn after(cells: &[&str]) -> Match {
        let game = noughts::game();
        let mut m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
        for cell in cells {
            let key = format!("cell:{cell}");
            let index = m.legal().iter().position(|choice| choice.key() == key).expect("the cell is free");
            m.answer(index).unwrap();
        }
        m
    }

    fn best_key(m: &Match, depth: u32) -> String {
        m.legal()[best(m, depth).unwrap()].key().to_owned()
    }

    #[test]
    fn it_takes_a_winning_move() {
        assert_eq!(best_key(&after(&["b1", "a2", "b2", "c2"]), 1), "cell:b3");
    }

    #[test]
    fn it_blocks_a_winning_move() {
        let m = after(&["b1", "a2", "b2"]);
        assert_eq!(best_key(&m, 2), "cell:b3");
        assert_eq!(m.answers().len(), 3, "the match itself was not touched");
    }

    #[test]
    fn deep_searches_draw() {
        let mut m = after(&["a1", "b2"]);
        while !m.is_over() {
            m.answer(best(&m, 5).unwrap()).unwrap();
        }
        assert_eq!(m.outcome().unwrap().ranks, [1, 1]);
    }
}
