//! Observations as numbers: parts with names, shapes and ranges, derived from the declarations.
//!
//! Seats are counted from the observing seat, which is always the first. An observation contains nothing that the seat
//! cannot see.
//!
//! Direction: part, numbers <- counters, zones <- self

mod counters;
mod numbers;
pub(crate) mod part;
mod zones;

use std::ops::Range;

use motherlode::tools::{Sight, word};
use motherlode::{Game, Match};

use self::counters::{BoardPart, CounterPart, TokenPart};
use self::numbers::{Numbers, TracedRow};
use self::part::{Part, Parts, View};
use self::zones::ZonePart;

/// Numbers of an observation from which on rows are traced.
const LONG: usize = 2048;

/// Rows of the question: the values in its text.
const VALUES: usize = 3;

/// The observations of a game: how a seat's view of a position becomes a list of numbers.
///
/// | part | numbers |
/// | --- | --- |
/// | `round`, `phase` | the round; one for each phase |
/// | `question`, `values` | one for each prompt, if the seat is asked; the values in the text of the question |
/// | `turn`, `order`, `passed`, `out` | for each seat: whether it decides, its place in the turn order, whether it has passed or left |
/// | `counter:NAME` | a number, or one for each named value or seat; of each player |
/// | `board:NAME` | planes of rows and columns: one plane, or one for each value |
/// | `zone:NAME` | for each definition the number of tokens that the seat identifies; then the number of the others |
/// | `tokens:NAME` | for each definition, the sum of a counter over tokens whose counter the seat sees |
#[derive(Debug)]
pub struct ObservationSpace {
    game: Game,
    parts: Vec<Part>,
    len: usize,
    flow: FlowPlaces,
    counters: Vec<CounterPart>,
    boards: Vec<BoardPart>,
    zones: Vec<ZonePart>,
    tokens: Vec<TokenPart>,
    /// Indices of the numbers of the boards.
    of_boards: Range<usize>,
}

/// The observation in a row of the caller.
#[derive(Debug, Default, Clone)]
pub(crate) struct ShownObservation {
    seat: usize,
    /// The words of the boards; `None`: the row has any numbers.
    boards: Option<Vec<i32>>,
    /// The numbers beside the boards that may be other than 0, by index; empty in a short row.
    written: Vec<u32>,
}

impl ShownObservation {
    /// Forgets the observation, so that the next one writes all numbers.
    pub fn forget(&mut self) {
        self.boards = None;
    }
}

/// Indices of the parts of the flow.
#[derive(Debug)]
struct FlowPlaces {
    round: usize,
    phase: usize,
    question: usize,
    values: usize,
    turn: usize,
    order: usize,
    passed: usize,
    out: usize,
}

impl ObservationSpace {
    /// Derives the observations of a game from its declarations.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let (d, layout) = (game.declarations(), game.layout());
        let players = layout.players;
        let mut parts = Parts::default();
        let round = parts.add("round".to_owned(), &[1], 0.0, f32::INFINITY);
        let mut flow = |name: &str, columns: Vec<String>| {
            let place = parts.add(name.to_owned(), &[columns.len()], 0.0, 1.0);
            parts.name_columns(columns);
            place
        };
        let phase = flow("phase", d.phases.keys().cloned().collect());
        let question = flow("question", d.prompts.keys().cloned().collect());
        let flow = FlowPlaces {
            round,
            phase,
            question,
            values: parts.add("values".to_owned(), &[VALUES], f32::NEG_INFINITY, f32::INFINITY),
            turn: parts.add("turn".to_owned(), &[players], 0.0, 1.0),
            order: parts.add("order".to_owned(), &[players], 0.0, players as f32),
            passed: parts.add("passed".to_owned(), &[players], 0.0, 1.0),
            out: parts.add("out".to_owned(), &[players], 0.0, 1.0),
        };
        let counters =
            (0..d.counters.len()).filter_map(|index| CounterPart::new(d, layout, index, &mut parts)).collect();
        let first = parts.len;
        let boards = (0..d.counters.len()).filter_map(|index| BoardPart::new(d, layout, index, &mut parts)).collect();
        let of_boards = first..parts.len;
        let zones = (0..d.zones.len()).filter_map(|index| ZonePart::new(d, layout, index, &mut parts)).collect();
        let tokens = (0..d.counters.len()).filter_map(|index| TokenPart::new(d, layout, index, &mut parts)).collect();
        let (len, parts) = (parts.len, parts.list);
        Self { game: game.clone(), len, parts, flow, counters, boards, zones, tokens, of_boards }
    }

    /// Whether these are the observations of this game.
    pub(crate) fn is_of(&self, game: &Game) -> bool {
        self.game.fingerprint() == game.fingerprint()
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Number of numbers in an observation.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether an observation has no numbers. It always has some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes a seat's observation of a match of this game over `out`.
    ///
    /// # Panics
    /// If `out` does not have [`len`](Self::len) numbers.
    pub fn write(&self, m: &Match, seat: u8, out: &mut [f32]) {
        assert_eq!(out.len(), self.len, "an observation has a fixed length");
        out.fill(0.0);
        let words = m.words_for(Some(seat));
        let view = self.view(m, seat, &words);
        self.write_others(m, &view, out);
        self.boards.iter().for_each(|part| part.write(&view, out));
    }

    /// Writes a seat's observation over the one that a row shows. Of boards, which are large and change little, it writes
    /// only the cells that have changed; of a long row, it clears only the numbers that are not 0.
    pub(crate) fn update(&self, m: &Match, seat: u8, shown: &mut ShownObservation, out: &mut [f32]) {
        let words = m.words_for(Some(seat));
        let view = self.view(m, seat, &words);
        let ShownObservation { seat: me, boards, written } = shown;
        match boards {
            Some(boards) => {
                let mut rest = &mut boards[..];
                for part in &self.boards {
                    let now = part.words(&view);
                    let (old, others) = std::mem::take(&mut rest).split_at_mut(now.len());
                    part.update((*me, old), &view, out);
                    old.copy_from_slice(now);
                    rest = others;
                }
            }
            None => {
                out.fill(0.0);
                written.clear();
                self.boards.iter().for_each(|part| part.write(&view, out));
                *boards = Some(self.boards.iter().flat_map(|part| part.words(&view)).copied().collect());
            }
        }
        *me = view.me;
        if self.len - self.of_boards.len() < LONG {
            out[..self.of_boards.start].fill(0.0);
            out[self.of_boards.end..].fill(0.0);
            self.write_others(m, &view, out);
        } else {
            self.write_others(m, &view, &mut TracedRow::clear(out, written));
        }
    }

    fn view<'a>(&'a self, m: &Match, seat: u8, words: &'a [i32]) -> View<'a> {
        let (declared, layout) = (self.game.declarations(), self.game.layout());
        let sight = Sight { declared, layout, words, seat: Some(seat) };
        View { sight, me: seat.into(), players: usize::from(m.setup().players) }
    }

    /// Writes all numbers but those of the boards.
    fn write_others(&self, m: &Match, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        self.write_flow(m, view, out);
        self.counters.iter().for_each(|part| part.write(view, out));
        self.zones.iter().for_each(|part| part.write(view, out));
        self.tokens.iter().for_each(|part| part.write(view, out));
    }

    fn write_flow(&self, m: &Match, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        let (flow, words, players) = (&self.flow, view.sight.words, view.players);
        out.set(flow.round, words[word::ROUND] as f32);
        let phase = usize::try_from(words[word::PHASE]).ok().filter(|&phase| phase < flow.question - flow.phase);
        if let Some(phase) = phase {
            out.set(flow.phase + phase, 1.0);
        }
        let seat = u8::try_from(view.me).unwrap_or(u8::MAX);
        if let Some(decision) = m.decision_of_seat(seat) {
            out.set(flow.question + decision.prompt_index(), 1.0);
            (flow.values..).zip(decision.values()).for_each(|(at, value)| out.set(at, value as f32));
        }
        // In a simultaneous phase, the order of the questions has no meaning.
        if let Some(decision) = m.decision().filter(|_| !m.is_simultaneous()) {
            out.set(flow.turn + view.row_of(decision.seat.into()), 1.0);
        }
        for (place, &player) in words[word::ORDER..word::ORDER + players].iter().enumerate() {
            if let Some(seat) = usize::try_from(player - 1).ok().filter(|&seat| seat < players) {
                out.set(flow.order + view.row_of(seat), place as f32 + 1.0);
            }
        }
        for (at, bits) in [(flow.passed, words[word::PASSED]), (flow.out, words[word::OUT])] {
            for seat in (0..players).filter(|seat| bits >> seat & 1 == 1) {
                out.set(at + view.row_of(seat), 1.0);
            }
        }
    }
}
