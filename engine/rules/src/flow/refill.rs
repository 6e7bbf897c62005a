//! Displays, which are refilled after every hook.

use crate::flow::runner::Runner;
use crate::script::machine::fact::Fact;
use crate::script::machine::{Desk, Machine, fixed};
use crate::state::PositionMut;

impl Runner {
    /// Refills the displays.
    pub fn refill(&mut self) {
        if !self.refills {
            return;
        }
        self.mark_stale();
        let Self { game, machine, .. } = self;
        let d = game.declarations();
        let mut drew = false;
        let mut fixed = machine.grants_mut().fixed.take();
        let Desk { layout, words, traces, .. } = machine.desk();
        let mut position = PositionMut { layout, words };
        for (zone, declared) in d.zones.values().enumerate() {
            let Some(source) = declared.refill else { continue };
            let slot = &layout.zones[zone];
            for i in 0..slot.len {
                let (pile, holder) = (slot.pile + i, slot.first + i as i32);
                let Some(from) = layout.pile(source, holder).or_else(|| layout.pile(source, 0)) else { continue };
                let reserve = d.zones[source]
                    .reshuffle
                    .and_then(|zone| layout.pile(zone, holder).or_else(|| layout.pile(zone, 0)));
                while position.has_room(pile) {
                    let is_empty = position.tokens(from).is_empty();
                    drew |= is_empty;
                    // A fixed result of another type leaves the random draw in place.
                    let drawn = fixed::draw(fixed.as_mut(), &mut position, from, reserve);
                    let Some(token) = drawn.unwrap_or_else(|_| position.tokens(from).last().copied()) else { break };
                    if is_empty {
                        traces.note(|| Fact::Shuffle { pile: from, with: reserve });
                    }
                    let left = traces.departure(d, &position, token);
                    if !position.carry(token, pile, false, false) {
                        break;
                    }
                    traces.note_move(d, &position, token, left);
                }
            }
        }
        machine.grants_mut().fixed = fixed;
        if drew {
            machine.traces_mut().used_random = true;
        }
    }
}
