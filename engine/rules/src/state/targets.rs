//! Finds the tokens and players that a player may choose as a target.

use std::ops::Deref;

use motherlode_content::declare::{Declarations, TargetPlayers};

use crate::state::Position;
use crate::state::hearing::Viewpoint;
use crate::state::layout::word;

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The targets (index into `aims`) that a player may choose for a token (0: none): tokens, then players as negative
    /// numbers, the others first.
    pub fn targets(&self, d: &Declarations, aim: usize, this: i32, you: i32, list: &mut Vec<i32>) {
        list.clear();
        let compiled = self.layout.reactions.aimed.get(aim);
        let aim = &d.aims[aim];
        let from = Viewpoint { this, you, ..Viewpoint::default() };
        if !aim.filter.is_of_players() {
            self.each_selected(&aim.filter, compiled, &from, |token| list.push(token));
            let shields = || d.filters.values().filter(|filter| filter.is_untargetable);
            list.retain(|&token| !shields().any(|filter| self.token_passes(filter, token, &from)));
        }
        let Some(players) = aim.filter.players else { return };
        let seats = self.words[word::PLAYERS].max(1);
        let in_turn = (0..seats).map(|step| (you + step).rem_euclid(seats) + 1);
        list.extend(in_turn.filter(|player| self.words[word::OUT] >> (player - 1) & 1 == 0).filter_map(|player| {
            let may = match players {
                TargetPlayers::All => true,
                TargetPlayers::You => player == you,
                TargetPlayers::Others => player != you,
            };
            may.then_some(-player)
        }));
    }
}
