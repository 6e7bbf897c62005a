//! Position editor for tests and tools.

use crate::flow::open::Kind;
use crate::flow::{Match, MatchError};
use crate::script::machine::Machine;
use crate::script::machine::fixed::{FixedChance, FixedResult};
use crate::state::layout::{flag, reason, stage, word};
use crate::state::{Layout, Position, PositionMut};
use motherlode_content::declare::When;

/// Changes the position of a match by hand, for tests and tools. No rule is checked, and replays do not record it.
/// Create it with [`Match::edit`].
///
/// A pending question stays pending. An offer is listed again, a suspended hook reads the new position when it is
/// answered, and the hooks of a simultaneous phase run again from the start.
///
/// Several edits may follow each other. In between, the open question may have no choice ([`Match::choices`] is
/// empty) and refuses every answer, until a later edit gives it one or [`begin_phase`](Self::begin_phase) replaces
/// it.
///
/// ```
/// # use motherlode::{Match, MatchError};
/// /// Sets a counter (its index) of player 1.
/// fn give(m: &mut Match, counter: usize, value: i32) -> Result<(), MatchError> {
///     m.edit().set_counter(1, counter, value)
/// }
/// ```
#[derive(Debug)]
pub struct Editor<'m> {
    edited: &'m mut Match,
}

impl Match {
    /// Starts an edit of the position, for tests and tools.
    #[must_use]
    pub fn edit(&mut self) -> Editor<'_> {
        Editor { edited: self }
    }
}

impl Editor<'_> {
    /// Sets a counter (its index) of a holder: 0 is the game; otherwise a player, token or cell from 1.
    ///
    /// # Errors
    /// The counter or holder does not exist, the value is out of range, or a script fails while listing or asking
    /// again. The match is then unchanged.
    pub fn set_counter(&mut self, holder: i32, counter: usize, value: i32) -> Result<(), MatchError> {
        let game = self.edited.game();
        let Some((name, declared)) = game.declarations().counters.get_index(counter) else {
            return Err(MatchError::Position(format!("no counter {counter}")));
        };
        let Some(at) = game.layout().counter_word(counter, holder) else {
            return Err(MatchError::Position(format!("counter `{name}` has no holder {holder}")));
        };
        if value < declared.min || value > declared.max {
            let message = format!("counter `{name}` takes {} to {}, not {value}", declared.min, declared.max);
            return Err(MatchError::Position(message));
        }
        if let Some(statements) = &declared.tells
            && statements.bits[game.layout().tokens[holder as usize - 1].definition] & value != 0
        {
            return Err(MatchError::Position(format!("counter `{name}` would rule out the value of token {holder}")));
        }
        self.change(|position| position.words[at] = value)
    }

    /// Makes a zone (its index) of a holder hold exactly these tokens, bottom first. Its former tokens are in no zone
    /// afterwards.
    ///
    /// # Errors
    /// The zone or a token does not exist, there are too many tokens, or a script fails as in
    /// [`Editor::set_counter`].
    pub fn set_zone(&mut self, zone: usize, holder: i32, tokens: &[i32]) -> Result<(), MatchError> {
        let (layout, d) = (self.edited.game().layout(), self.edited.game().declarations());
        let Some(pile) = layout.pile(zone, holder) else {
            return Err(MatchError::Position(format!("no zone {zone} of holder {holder}")));
        };
        if tokens.iter().any(|&t| !is_token(layout, t)) {
            return Err(MatchError::Position("no such token".into()));
        }
        if (1..tokens.len()).any(|i| tokens[..i].contains(&tokens[i])) {
            return Err(MatchError::Position("the same token is listed twice".into()));
        }
        let held = &d.zones[zone].holds;
        if tokens.iter().any(|&t| !held.contains(&layout.tokens[t as usize - 1].kind)) {
            return Err(MatchError::Position("the zone does not hold tokens of this kind".into()));
        }
        if tokens.len() > layout.piles[pile].capacity {
            return Err(MatchError::Position(format!("the zone holds at most {} tokens", layout.piles[pile].capacity)));
        }
        self.change(|position| {
            for token in position.tokens(pile).to_vec() {
                position.lift(token);
            }
            for &token in tokens {
                position.put(token, pile, false);
            }
            // Nobody watched this move.
            position.forget(0..position.layout.backs.len());
        })
    }

    /// Turns a token face up or face down.
    ///
    /// # Errors
    /// The token does not exist, or a script fails as in [`Editor::set_counter`].
    pub fn set_face_up(&mut self, token: i32, up: bool) -> Result<(), MatchError> {
        self.change_seen(token, |seen| if up { seen | 1 } else { seen & !1 })
    }

    /// Shows a token to a seat.
    ///
    /// # Errors
    /// The token or seat does not exist, or a script fails as in [`Editor::set_counter`].
    pub fn show(&mut self, token: i32, seat: u8) -> Result<(), MatchError> {
        if seat >= self.edited.setup().players {
            return Err(MatchError::Position(format!("no player {}", u16::from(seat) + 1)));
        }
        self.change_seen(token, |seen| seen | 1 << (seat + 1))
    }

    /// Begins a phase (its index) now and drops pending answers. `round` counts from 1 and defaults to the current
    /// round. `first` is the seat that begins instead of the first in turn order.
    ///
    /// # Errors
    /// The phase does not exist, or a script fails. The match is then unchanged.
    pub fn begin_phase(&mut self, phase: usize, round: Option<i32>, first: Option<u8>) -> Result<(), MatchError> {
        let Some((_, declared)) = self.edited.game().declarations().phases.get_index(phase) else {
            return Err(MatchError::Position(format!("no phase {phase}")));
        };
        let mut position = self.edited.state().words().to_vec();
        position[word::PHASE] = phase as i32;
        position[word::STAGE] = stage::START;
        position[word::TIMES] = 0;
        position[word::FLAGS] &= flag::END_AFTER_ROUND;
        position[word::REASON] = reason::NONE;
        position[word::SECTION] = match declared.when {
            When::Setup => 0,
            When::Round => 1,
            When::End => 2,
        };
        let usual = if declared.when == When::Setup { 0 } else { position[word::ROUND].max(1) };
        position[word::ROUND] = round.unwrap_or(usual);
        position[word::BEGIN] = first.map_or(0, |seat| i32::from(seat) + 1);
        self.edited.transact(|m| {
            m.runner.machine.words_mut().copy_from_slice(&position);
            let next = m.runner.advance()?;
            m.wait_for(next);
            Ok(())
        })?;
        // Lines of an aborted simultaneous phase are never published.
        self.edited.held.clear();
        self.edited.publish_step(None, None);
        Ok(())
    }

    /// Fixes the next results of chance, until they are used up or the match restarts: numbers for `random`, and the
    /// top tokens after a shuffle. Snapshots and forks do not contain them.
    pub fn fix_chance(&mut self, results: Vec<FixedResult>) {
        let machine = &mut self.edited.runner.machine;
        let fixed = FixedChance::new(&machine.desk().position(), results);
        machine.grants_mut().fixed = Some(fixed);
    }

    /// Gives all later draws another seed.
    ///
    /// # Errors
    /// The open hook has drawn already, and would draw otherwise when it is repeated. The match is then unchanged.
    pub fn reseed(&mut self, seed: u64) -> Result<(), MatchError> {
        let m = &mut *self.edited;
        let drawn = m.runner.machine.desk().position().draws();
        let before = Position::new(m.runner.game.layout(), &m.open.start[..]).draws();
        if drawn != before && m.is_mid_hook() {
            return Err(MatchError::Position("the hook that asks has drawn random numbers: redeal instead".into()));
        }
        self.change(|position| position.seed(seed))
    }

    /// Number of fixed results of chance that are not used yet.
    #[must_use]
    pub fn chance_left(&mut self) -> usize {
        let machine = &mut self.edited.runner.machine;
        let fixed = machine.grants().fixed.clone();
        fixed.map_or(0, |fixed| fixed.left(&machine.desk().position()))
    }

    /// Changes the face and the witnesses of a token.
    fn change_seen(&mut self, token: i32, change: impl Fn(i32) -> i32) -> Result<(), MatchError> {
        if !is_token(self.edited.game().layout(), token) {
            return Err(MatchError::Position("no such token".into()));
        }
        self.change(|position| {
            let seen = change(position.seen(token));
            position.set_seen(token, seen);
        })
    }

    /// Changes the position; restores it if a script fails while listing or asking again.
    fn change(&mut self, change: impl Fn(&mut PositionMut<'_>)) -> Result<(), MatchError> {
        let before = self.edited.snapshot();
        let done = self.change_everywhere(change);
        if done.is_err() {
            self.edited.restore(&before)?;
        }
        done
    }

    /// Changes every stored copy of the position: a suspended hook also keeps the state in which it began.
    fn change_everywhere(&mut self, change: impl Fn(&mut PositionMut<'_>)) -> Result<(), MatchError> {
        let Match { runner, open, .. } = &mut *self.edited;
        let game = runner.game.clone();
        let (d, layout) = (game.declarations(), game.layout());
        let change = |position: &mut PositionMut<'_>| {
            change(position);
            position.refresh_all(d);
        };
        change(&mut PositionMut { layout, words: open.start.to_mut() });
        if open.kind != Kind::Simultaneous {
            change(&mut runner.machine.desk().position());
            if open.is_offer() {
                open.asked.values = runner.list_again(open.asked.seat, open.asked.prompt)?;
            }
            return Ok(());
        }
        let (focus, done) = (open.asked.seat, open.done());
        open.reopen(runner, done)?;
        // The asked seat may have nothing to decide any more; then another seat that has is asked. If no seat has,
        // the phase still waits, because more edits may follow.
        let seats = std::iter::once(focus).chain((0..runner.setup.players).filter(|&other| other != focus));
        for seat in seats {
            if !open.is_open(seat) {
                continue;
            }
            match open.focus(runner, seat) {
                Err(MatchError::NotPending { .. }) => {}
                done => return done,
            }
        }
        Ok(())
    }
}

fn is_token(layout: &Layout, token: i32) -> bool {
    usize::try_from(token).is_ok_and(|token| (1..=layout.tokens.len()).contains(&token))
}
