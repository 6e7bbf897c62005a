//! Comparison of the twin with the engine: names of the content, and the state that both keep.

use super::cards::{AGENTS, RELICS};
use super::mine::{BLUE, COLOURS, Crystals, LEVELS, RANKS, RED, WHITE};
use super::{Krysis, LABEL, Question, Seat};
use crate::twins::{StateItem, Twin, ranks_by, square_cell};

/// Names of the choices from `LABEL` on.
const LABELS: [&str; 12] = [
    "done",
    "load_home",
    "load_bank",
    "load_split",
    "leave",
    "overtime",
    "home",
    "camp",
    "bank",
    "split",
    "transporter",
    "fighter",
];

fn agent(number: u8) -> &'static str {
    AGENTS[usize::from(number)].name
}

fn relic(number: u8) -> &'static str {
    RELICS[usize::from(number)].name
}

impl Krysis {
    fn card_label(&self, place: u8) -> &'static str {
        let (own, from) = (&self.seats[self.seat], &self.seats[self.cargo.from]);
        let place = usize::from(place);
        let relics = match self.question {
            Question::Agent => return agent(own.hand.cards()[place]),
            Question::Gear => own.camp_relics.cards(),
            Question::TakeRelic => from.camp_relics.cards(),
            _ => self.cargo.relics.cards(),
        };
        relic(relics[place])
    }

    /// Passes `see` the places of miners and the free spaces.
    fn kept_of_mine(&self, see: &mut dyn FnMut(StateItem)) {
        for (level, rank) in (0..=LEVELS).flat_map(|level| (0..RANKS as u8).map(move |rank| (level, rank))) {
            let holder = i32::from(level) * RANKS as i32 + i32::from(rank) + 1;
            let there = |seat: &Seat| seat.level == level && seat.rank == rank + 1;
            let miner = self.seats[..self.setup.players].iter().position(there).map_or(0, |seat| seat as i32 + 1);
            see(StateItem::Counter { name: "miner", holder, value: miner });
            let open = level == self.round && self.free >> rank & 1 == 1;
            see(StateItem::Counter { name: "open", holder, value: open.into() });
        }
    }
}

impl Twin for Krysis {
    fn reset(&mut self, seed: u64) {
        self.begin(seed);
    }

    fn count(&self) -> usize {
        self.choices.len()
    }

    fn choices(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.choices.cards().iter().map(|&choice| u32::from(choice)));
    }

    fn apply(&mut self, index: usize) {
        self.answer(index);
    }

    fn over(&self) -> bool {
        self.question == Question::Over
    }

    fn label(&self, index: usize) -> String {
        let choice = self.choices.cards()[index];
        if choice >= LABEL {
            return LABELS[usize::from(choice - LABEL)].to_owned();
        }
        match self.question {
            Question::Space => square_cell(choice.into(), self.round.into()),
            Question::Action => (choice + 1).to_string(),
            Question::Agent | Question::Gear | Question::TakeRelic | Question::RelicHome | Question::RelicBank => {
                self.card_label(choice).to_owned()
            }
            _ => choice.to_string(),
        }
    }

    fn seat(&self) -> u8 {
        self.seat as u8
    }

    /// Ranks by C-74.
    fn ranks(&self) -> Vec<u8> {
        let seats = self.seats.iter().take(self.setup.players);
        ranks_by(&seats.map(|seat| (seat.score, seat.rank)).collect::<Vec<_>>())
    }

    fn scores(&self) -> Vec<i32> {
        self.seats.iter().take(self.setup.players).map(|seat| seat.score.into()).collect()
    }

    fn kept(&self, see: &mut dyn FnMut(StateItem)) {
        let mut crystals = |names: [&'static str; COLOURS], holder: i32, crystals: &Crystals| {
            for colour in [RED, BLUE, WHITE] {
                see(StateItem::Counter { name: names[colour], holder, value: crystals[colour].into() });
            }
        };
        crystals(["supply.red", "supply.blue", "supply.white"], 0, &self.supply);
        crystals(["carried.red", "carried.blue", "carried.white"], 0, &self.cargo.crystals);
        for (seat, holder) in self.seats[..self.setup.players].iter().zip(1..) {
            crystals(["home.red", "home.blue", "home.white"], holder, &seat.home);
            crystals(["camp.red", "camp.blue", "camp.white"], holder, &seat.camp);
        }
        let mut relics = |name, holder, cards| see(StateItem::Zone { name, holder, cards, names: relic });
        relics("relic_deck", 0, self.deck.cards());
        relics("relics_gone", 0, self.gone.cards());
        relics("carried", 0, self.cargo.relics.cards());
        for (seat, holder) in self.seats[..self.setup.players].iter().zip(1..) {
            relics("camp_relics", holder, seat.camp_relics.cards());
            relics("home_relics", holder, seat.home_relics.cards());
            relics("gear", holder, seat.gear.cards());
        }
        for (seat, holder) in self.seats[..self.setup.players].iter().zip(1..) {
            let mut agents = |name, cards| see(StateItem::Zone { name, holder, cards, names: agent });
            agents("transporter_stack", seat.transporters.cards());
            agents("fighter_stack", seat.fighters.cards());
            agents("hand", seat.hand.cards());
            agents("team", seat.team.cards());
            agents("discard", seat.discard.cards());
            agents("off_duty", seat.off_duty.cards());
            let mut counter = |name, value| see(StateItem::Counter { name, holder, value });
            counter("rank", seat.rank.into());
            counter("guarded", seat.guarded.into());
            counter("generosity", seat.generosity.into());
            counter("initiative", seat.initiative.into());
            counter("combat", seat.combat.into());
            counter("load", seat.load.into());
            counter("vp", seat.vp.into());
            counter("score", seat.score.into());
        }
        if !self.setup.speed {
            self.kept_of_mine(see);
        }
    }
}
