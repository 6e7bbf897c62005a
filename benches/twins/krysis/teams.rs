//! Teams: choice of agents (C-34 to C-39), relics (C-60 to C-64), and the end of a round (C-50 to C-53).

use super::cards::{AGENTS, RELICS};
use super::mine::{LEVELS, key_of};
use super::{DONE, FIGHTER, Krysis, MOST_PLAYERS, Question, Seat, TRANSPORTER};

/// Number of agents of a team, and of agents drawn after a round.
const TEAM: u8 = 3;

impl Seat {
    /// Discards the team (C-44, C-50).
    pub(super) fn dismiss(&mut self) {
        while let Some(agent) = self.team.pop() {
            self.discard.push(agent);
        }
    }

    /// Discards the team and leaves the campsite unguarded (C-44).
    pub(super) fn leave(&mut self) {
        self.dismiss();
        self.guarded = false;
    }
}

impl Krysis {
    /// Asks each seat for an agent; the agents join their teams at the same time (C-34).
    pub(super) fn pick_agent(&mut self, seat: usize) {
        if seat < self.setup.players {
            self.seat = seat;
            self.choices.clear();
            (0..self.seats[seat].hand.len() as u8).for_each(|place| self.choices.push(place));
            return self.ask(Question::Agent);
        }
        for (seat, &pick) in self.seats.iter_mut().zip(&self.picks).take(self.setup.players) {
            let number = seat.hand.remove(usize::from(pick));
            let agent = &AGENTS[usize::from(number)];
            seat.team.push(number);
            seat.initiative += agent.speed;
            seat.load += agent.load;
            seat.combat += agent.combat;
        }
        self.picked += 1;
        if self.picked < TEAM {
            return self.pick_agent(0);
        }
        self.picked = 0;
        self.order_by_initiative();
        self.equip();
    }

    /// Orders the seats by initiative (C-37, C-38).
    fn order_by_initiative(&mut self) {
        let mut keys = [0; MOST_PLAYERS];
        for (key, seat) in keys.iter_mut().zip(&self.seats) {
            *key = key_of(seat.initiative.into(), seat.rank);
        }
        self.put_in_order(keys);
    }

    /// Asks the next team that may use relics; begins the actions after the last (C-62).
    fn equip(&mut self) {
        while self.turn < self.setup.players {
            self.seat = self.order[self.turn];
            self.geared = 0;
            if self.may_use_relic() {
                return self.ask_relic();
            }
            self.turn += 1;
        }
        self.turn = 0;
        self.act();
    }

    fn may_use_relic(&self) -> bool {
        self.geared < self.setup.relics_per_team && !self.seats[self.seat].camp_relics.is_empty()
    }

    fn ask_relic(&mut self) {
        self.list_relics(self.seats[self.seat].camp_relics.len());
        self.ask(Question::Gear);
    }

    /// Puts a relic to use, or ends the question (C-60, C-61).
    pub(super) fn use_relic(&mut self, choice: u8) {
        if choice != DONE {
            let own = &mut self.seats[self.seat];
            let number = own.camp_relics.remove(usize::from(choice));
            let relic = &RELICS[usize::from(number)];
            own.gear.push(number);
            own.combat += relic.combat;
            own.load += relic.load;
            self.geared += 1;
            if self.may_use_relic() {
                return self.ask_relic();
            }
        }
        self.turn += 1;
        self.equip();
    }

    /// Lets the next team act; ends the round after the last.
    pub(super) fn act(&mut self) {
        if self.turn == self.setup.players {
            return self.end_round();
        }
        self.seat = self.order[self.turn];
        if self.setup.speed { self.do_what_it_must() } else { self.ask_action() }
    }

    /// Ends the turn of the current team.
    pub(super) fn end_turn(&mut self) {
        self.turn += 1;
        self.act();
    }

    /// Ends the round (C-50 to C-53, C-70).
    fn end_round(&mut self) {
        for seat in self.seats.iter_mut().take(self.setup.players) {
            seat.dismiss();
            while let Some(relic) = seat.gear.pop() {
                self.gone.push(relic);
            }
            (seat.initiative, seat.combat, seat.load) = (0, 0, 0);
            seat.guarded = true;
        }
        match self.setup.speed {
            true if self.round == self.setup.speed_rounds => self.end(),
            false if self.round == LEVELS => self.end(),
            true => self.begin_round(),
            false => self.pick_stack(0),
        }
    }

    /// Asks each seat for a stack; all draw at the same time (C-52). The stacks always hold three cards (C-53).
    pub(super) fn pick_stack(&mut self, seat: usize) {
        if seat < self.setup.players {
            self.seat = seat;
            self.choices.clear();
            if !self.seats[seat].transporters.is_empty() {
                self.choices.push(TRANSPORTER);
            }
            if !self.seats[seat].fighters.is_empty() {
                self.choices.push(FIGHTER);
            }
            return self.ask(Question::Stack);
        }
        for (seat, &pick) in self.seats.iter_mut().zip(&self.picks).take(self.setup.players) {
            let drawn = if pick == TRANSPORTER { seat.transporters.pop() } else { seat.fighters.pop() };
            seat.hand.push(drawn.expect("the stack was not empty when it was picked"));
        }
        self.picked += 1;
        if self.picked < TEAM {
            return self.pick_stack(0);
        }
        self.picked = 0;
        self.begin_round();
    }
}
