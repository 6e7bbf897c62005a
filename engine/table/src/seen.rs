//! Builds the view of a seat from its observation.

use motherlode::{Choice, Decision, Game, Match, Observation};

use crate::face::Faces;
use crate::names::{GameNames, rounds};
use crate::view::{Phase, Seat, View};
use crate::{area, board, question};

/// The inputs of a view. An unchanged key means an unchanged view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewKey {
    seat: Option<u8>,
    words: Vec<i32>,
    turn: Option<u8>,
    asked: Option<(Decision, Vec<Choice>)>,
    over: bool,
}

impl ViewKey {
    /// The current key of a seat.
    pub fn of(played: &Match, seat: Option<u8>) -> Self {
        let asked = played.pending().into_iter().find(|decision| Some(decision.seat) == seat);
        Self {
            seat,
            words: played.words_for(seat).into_owned(),
            turn: played.decision().filter(|_| !played.is_simultaneous()).map(|decision| decision.seat),
            asked: asked.and_then(|decision| Some((decision, played.legal_of(decision.seat).ok()?))),
            over: played.is_over(),
        }
    }

    /// Builds the view. The match must still be in the position of this key.
    pub fn view(&self, played: &Match, faces: &Faces) -> View {
        let mut seen = played.observe(self.seat);
        if self.over {
            // After the match, everybody may look at the table as any seat.
            let all = played.observe(None);
            seen.game = all.game;
            for (seat, open) in seen.players.iter_mut().zip(all.players) {
                seat.counters = open.counters;
            }
        }
        let rounds = rounds(played.game(), &played.setup().options);
        View { rounds, ..View::new(played.game(), faces, &seen, self.asked.as_ref(), self.over) }
    }
}

impl View {
    /// The view of a seat; `None`: everything. A seat beyond the table sees public information only.
    #[must_use]
    pub fn of(played: &Match, faces: &Faces, seat: Option<u8>) -> Self {
        ViewKey::of(played, seat).view(played, faces)
    }

    /// Builds a view from an observation and the seat's pending question, its only sources.
    #[must_use]
    pub fn new(
        game: &Game,
        faces: &Faces,
        seen: &Observation,
        asked: Option<&(Decision, Vec<Choice>)>,
        over: bool,
    ) -> Self {
        let names = &GameNames::new(game);
        let phase = names.d.phases.get(&seen.phase);
        let piles = area::piles(names, seen, over);
        let mut boards = board::boards(names, seen);
        board::copy_details(&mut boards, &piles);
        let seat = |one: &motherlode::SeatView| Seat {
            seat: one.seat,
            name: names.seat(one.seat),
            colour: names.colour(one.seat).to_owned(),
            is_in: one.is_in,
            turn: seen.player == Some(one.seat),
        };
        Self {
            seat: seen.seat,
            round: seen.round,
            rounds: None,
            phase: Phase {
                id: seen.phase.clone(),
                name: phase.map_or_else(|| seen.phase.clone(), |phase| phase.name.clone()),
                text: phase.map(|phase| phase.text.clone()).unwrap_or_default(),
            },
            over,
            seats: seen.players.iter().map(seat).collect(),
            rows: area::of_players(names, seen, over),
            shared: area::of_game(names, seen, over),
            question: asked.map(|(decision, choices)| {
                let table = question::Table { seen, boards: &boards, piles: &piles };
                question::question(names, faces, table, *decision, choices)
            }),
            piles,
            boards,
        }
    }
}
