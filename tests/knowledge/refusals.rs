//! The reasons why a seat does not have choices do not depend on hidden facts.

use crate::cards::all;
use crate::shipped::{Player, permuted_alike};

#[test]
fn reasons_ignore_hidden_information() {
    let (mut compared, mut refused) = (0, 0);
    for variant in all() {
        let (mut m, mut other) = (variant.begin(3), variant.begin(3));
        let mut player = Player::new(3);
        for step in 0..240 {
            let Some(decision) = m.decision() else { break };
            let seat = decision.seat;
            if step % 20 == 7 && permuted_alike(&m, &mut other, seat, step) == Some(true) {
                let reasons = m.refusals(seat).unwrap();
                refused += reasons.len();
                compared += 1;
                assert_eq!(reasons, other.refusals(seat).unwrap(), "{}", m.game().declarations().id);
                let legal = m.legal_of(seat).unwrap();
                assert!(reasons.iter().all(|one| legal.iter().all(|choice| choice.id != one.id)));
            }
            player.step(&mut m);
        }
    }
    assert!(compared > 80 && refused > 40, "{compared} positions, {refused} refusals");
}
