//! The position: reading it, hashing it, and setting it up by names for tests and tools.

use xxhash_rust::xxh3::Xxh3;

use crate::flow::MatchError;
use crate::flow::matches::{Match, Pending, Stop};
use crate::flow::stage::at;
use crate::state::View;
use crate::state::layout::{flag, reason, word};
use motherlode_content::declare::When;

/// The state of a match, to read.
#[derive(Debug, Clone, Copy)]
pub struct StateRef<'a> {
    words: &'a [i32],
    sealed: &'a [super::sealed::Progress],
    /// Arguments and answers of a hook that waits: what it knows and has not written yet.
    hook: Option<(&'a [i32], &'a [u16])>,
}

impl<'a> StateRef<'a> {
    /// The block of words. In a sealed phase: the position before any seat's hidden answers.
    #[must_use]
    pub fn words(&self) -> &'a [i32] {
        self.words
    }

    /// The block as bytes, little-endian.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// Hash of the state (XXH3, 64 bits); in a sealed phase and while a hook waits also of the answers given so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for word in self.words {
            hasher.update(&word.to_le_bytes());
        }
        if let Some((args, answers)) = self.hook {
            args.iter().for_each(|arg| hasher.update(&arg.to_le_bytes()));
            answers.iter().for_each(|answer| hasher.update(&answer.to_le_bytes()));
        }
        for (seat, progress) in self.sealed.iter().enumerate() {
            for &answer in &progress.answers {
                hasher.update(&[seat as u8]);
                hasher.update(&answer.to_le_bytes());
            }
        }
        hasher.digest()
    }
}

impl Match {
    /// The state.
    #[must_use]
    pub fn state(&self) -> StateRef<'_> {
        match self.pending {
            Pending::Sealed { .. } => StateRef { words: &self.sealed.start, sealed: &self.sealed.seats, hook: None },
            Pending::Hook { .. } => {
                let hook = Some((self.frame.args.list(), self.frame.answers.as_slice()));
                StateRef { words: self.host.words(), sealed: &[], hook }
            }
            Pending::Offer { .. } | Pending::Over => StateRef { words: self.host.words(), sealed: &[], hook: None },
        }
    }

    /// Number of the round, from 1; 0 in setup.
    #[must_use]
    pub fn round(&self) -> i32 {
        self.host.words()[word::ROUND]
    }

    /// Name of the phase.
    #[must_use]
    pub fn phase(&self) -> &str {
        self.game().declarations().phases.get_index(self.phase_index()).map_or("", |(name, _)| name.as_str())
    }

    /// The block as a seat knows it, for [`Sight`](crate::state::sight::Sight) and
    /// [`diff_seen`](crate::state::diff::diff_seen): in a sealed phase the common position with the seat's own changes.
    #[must_use]
    pub fn words_for(&self, seat: Option<u8>) -> Vec<i32> {
        let mut words = self.state().words().to_vec();
        if let (Pending::Sealed { seat: focus, .. }, Some(seat)) = (self.pending, seat) {
            if seat == focus {
                words.copy_from_slice(self.host.words());
            } else if let Some(progress) = self.sealed.seats.get(usize::from(seat)) {
                for &(at, value) in &progress.changes {
                    words[at as usize] = value;
                }
            }
        }
        words
    }

    /// Changes the position wherever it is kept: a hook that waits also knows the state in which it began.
    fn change(&mut self, change: impl Fn(&mut [i32])) -> Result<(), MatchError> {
        match self.pending {
            Pending::Sealed { seat, .. } => {
                change(&mut self.sealed.start);
                let start = self.sealed.start.clone();
                let answers: Vec<Vec<u16>> = self.sealed.seats.iter().map(|s| s.answers.clone()).collect();
                self.sealed_reopen(&start, &answers, self.sealed_done())?;
                // Whoever was asked may have nothing to decide any more; then whoever has is asked. If nobody has, the phase waits
                // all the same: more may be changed before it goes on.
                let seats = std::iter::once(seat).chain((0..self.setup().players).filter(|&other| other != seat));
                for seat in seats {
                    match self.sealed_focus(seat) {
                        Err(MatchError::NotPending { .. }) => {}
                        done => return done,
                    }
                }
                Ok(())
            }
            Pending::Hook { .. } => {
                change(&mut self.frame.start);
                change(self.host.words_mut());
                Ok(())
            }
            Pending::Offer { seat, .. } => {
                change(self.host.words_mut());
                self.list_offer(seat)
            }
            Pending::Over => {
                change(self.host.words_mut());
                Ok(())
            }
        }
    }

    /// Value of a counter: holder 0 is the game, else a player, token or cell from 1.
    #[must_use]
    pub fn counter(&self, holder: i32, counter: usize) -> Option<i32> {
        Some(self.state().words()[self.game().layout().counter_word(counter, holder)?])
    }

    /// Tokens of a zone, bottom first.
    #[must_use]
    pub fn zone(&self, zone: usize, holder: i32) -> Option<Vec<i32>> {
        let layout = self.game().layout();
        let at = layout.piles[layout.pile(zone, holder)?];
        let words = self.state().words();
        let len = (words[at.offset].max(0) as usize).min(at.capacity);
        Some(words[at.offset + 1..=at.offset + len].to_vec())
    }

    /// Sets a counter, for tests and tools.
    ///
    /// # Errors
    /// No such counter or holder, or the value is out of range.
    pub fn set_counter(&mut self, holder: i32, counter: usize, value: i32) -> Result<(), MatchError> {
        let game = self.game().clone();
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
        self.change(|words| words[at] = value)
    }

    /// Makes a zone hold exactly these tokens, bottom first, for tests and tools. What it held lies nowhere afterwards.
    ///
    /// # Errors
    /// No such zone or token, or too many.
    pub fn put(&mut self, zone: usize, holder: i32, tokens: &[i32]) -> Result<(), MatchError> {
        let game = self.game().clone();
        let layout = game.layout();
        let Some(pile) = layout.pile(zone, holder) else {
            return Err(MatchError::Position(format!("no zone {zone} of holder {holder}")));
        };
        if tokens.iter().any(|&t| t < 1 || t as usize > layout.tokens.len()) {
            return Err(MatchError::Position("no such token".into()));
        }
        if (1..tokens.len()).any(|i| tokens[..i].contains(&tokens[i])) {
            return Err(MatchError::Position("a token lies in one place only".into()));
        }
        let held = &game.declarations().zones[zone].holds;
        if tokens.iter().any(|&t| !held.contains(&layout.tokens[t as usize - 1].kind)) {
            return Err(MatchError::Position("the zone does not hold tokens of this kind".into()));
        }
        if tokens.len() > layout.piles[pile].capacity {
            return Err(MatchError::Position(format!("the zone takes {} tokens", layout.piles[pile].capacity)));
        }
        self.change(|words| {
            let mut view = View::new(layout, words);
            for token in view.tokens(pile).to_vec() {
                view.lift(token);
            }
            for &token in tokens {
                view.put(token, pile, false);
            }
        })
    }

    /// Turns a token face up or face down, for tests and tools.
    ///
    /// # Errors
    /// No such token.
    pub fn turn(&mut self, token: i32, up: bool) -> Result<(), MatchError> {
        self.change_seen(token, |seen| if up { seen | 1 } else { seen & !1 })
    }

    /// Lets a seat see a token, for tests and tools.
    ///
    /// # Errors
    /// No such token or seat.
    pub fn show(&mut self, token: i32, seat: u8) -> Result<(), MatchError> {
        if seat >= self.setup().players {
            return Err(MatchError::Position(format!("no player {}", u16::from(seat) + 1)));
        }
        self.change_seen(token, |seen| seen | 1 << (seat + 1))
    }

    /// Changes the face of a token and who has seen it.
    fn change_seen(&mut self, token: i32, change: impl Fn(i32) -> i32) -> Result<(), MatchError> {
        let game = self.game().clone();
        let layout = game.layout();
        if token < 1 || token as usize > layout.tokens.len() {
            return Err(MatchError::Position("no such token".into()));
        }
        self.change(|words| {
            let mut view = View::new(layout, words);
            let seen = change(view.seen(token));
            view.set_seen(token, seen);
        })
    }

    /// Begins a phase now, for tests and tools: pending answers are forgotten.
    ///
    /// # Errors
    /// No such phase, or a script failed.
    pub fn go(&mut self, phase: usize, round: Option<i32>, first: Option<u8>) -> Result<(), MatchError> {
        let game = self.game().clone();
        let Some((_, declared)) = game.declarations().phases.get_index(phase) else {
            return Err(MatchError::Position(format!("no phase {phase}")));
        };
        let (before, position) = (self.snapshot(), self.state().words().to_vec());
        self.undo.pending = Pending::Over;
        loop {
            let words = self.host.words_mut();
            words.copy_from_slice(&position);
            words[word::PHASE] = phase as i32;
            words[word::STAGE] = at::START;
            words[word::TIMES] = 0;
            words[word::FLAGS] &= flag::END_AFTER_ROUND;
            words[word::REASON] = reason::NONE;
            words[word::SECTION] = match declared.when {
                When::Setup => 0,
                When::Round => 1,
                When::End => 2,
            };
            let usual = if declared.when == When::Setup { 0 } else { words[word::ROUND].max(1) };
            words[word::ROUND] = round.unwrap_or(usual);
            words[word::BEGIN] = first.map_or(0, |seat| i32::from(seat) + 1);
            self.pending = Pending::Over;
            match self.advance() {
                Ok(()) => return Ok(()),
                Err(Stop::Again) => {}
                Err(Stop::Fault(error)) => {
                    self.restore(&before)?;
                    return Err(error);
                }
            }
        }
    }
}
