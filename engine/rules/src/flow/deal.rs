//! Redealing a state: randomizes hidden facts, or exchanges tokens until the seat sees what it saw.

use rand_pcg::Pcg64Mcg;

use crate::flow::MatchError;
use crate::flow::runner::Runner;
use crate::script::machine::chance::Swap;
use crate::script::machine::guard::name_of;
use crate::script::machine::{Hook, Machine, Trap};
use crate::state::Position;
use crate::state::redeal::{exchangeable, hidden_words, redeal, swap};
use crate::state::sight::{Sight, TokenSight};
use motherlode_content::declare::{Domain, Redeal};

/// Maximum deals tried.
pub(super) const MAX_TRIES: usize = 64;
/// Maximum repairs of one deal.
pub(super) const MAX_REPAIRS: usize = 12;
impl Runner {
    /// Replaces a state by a random one that fits the seat's knowledge; see [`redeal`].
    pub fn deal(&mut self, words: &mut [i32], seat: u8, rng: &mut Pcg64Mcg) -> Result<(), MatchError> {
        let game = self.game.clone();
        let (d, layout) = (game.declarations(), game.layout());
        redeal(d, layout, &self.setup.options, words, seat, rng, &mut self.hidden);
        if !self.machine.has(Hook::Redeal) {
            return Ok(());
        }
        let sight = Sight { declared: d, layout, words, seat: Some(seat) };
        let of_hook = d.counters.values().enumerate().filter(|(_, counter)| counter.dealt() == Redeal::Hook);
        let mut may: Vec<usize> = of_hook.flat_map(|(counter, _)| hidden_words(&sight, counter)).collect();
        if may.is_empty() {
            return Ok(());
        }
        may.extend(layout.chance());
        // A pending question keeps its choices.
        let choices = self.machine.choices().to_vec();
        let before = self.machine.words().to_vec();
        self.machine.words_mut().copy_from_slice(words);
        self.machine.set_choices(&[]);
        let args = [i32::from(seat) + 1];
        let ended = self.without_transcript(|runner| runner.machine.call(Hook::Redeal, &args));
        let dealt = self.machine.words().to_vec();
        self.machine.words_mut().copy_from_slice(&before);
        self.machine.set_choices(&choices);
        let stray =
            (0..words.len()).find(|at| dealt[*at] != words[*at] && !may.contains(at) && !layout.is_derived(*at));
        let trap = match (ended, stray) {
            (Err(Trap::Unfinished), _) => return Err(self.repeat()),
            (Err(trap), _) => trap,
            (Ok(_), None) => {
                words.copy_from_slice(&dealt);
                Position::new(layout, words).refresh_all(d);
                return Ok(());
            }
            (Ok(_), Some(at)) => Trap::Raised(format!(
                "`redeal` may change only counters with `redeal = \"hook\"` that the player cannot see, not {}",
                name_of(d, layout, at)
            )),
        };
        Err(self.machine.explain(&trap, Hook::Redeal, &args, words, &[]).into())
    }

    /// Whether a seat gets the same offer in both states; tokens that it does not identify are compared by place.
    pub fn same_offer(&self, seat: u8, prompt: usize, own: (&[i32], &[i32]), other: (&[i32], &[i32])) -> bool {
        own.1.len() == other.1.len()
            && own.1.iter().zip(other.1).all(|(&here, &there)| {
                self.seen_choice(seat, prompt, own.0, here) == self.seen_choice(seat, prompt, other.0, there)
            })
    }

    /// A raw choice as the seat sees it; a choice that is not a token becomes its value.
    pub fn seen_choice(&self, seat: u8, prompt: usize, words: &[i32], raw: i32) -> TokenSight {
        let is_token = raw >= 0 && self.declarations().prompts[prompt].domain == Domain::Token;
        if is_token { self.sight(words, seat).shown(raw) } else { TokenSight::Token(raw) }
    }

    /// These words as a seat sees them; `None`: an observer who sees everything.
    pub fn sight<'a>(&'a self, words: &'a [i32], seat: impl Into<Option<u8>>) -> Sight<'a> {
        Sight { declared: self.declarations(), layout: self.game.layout(), words, seat: seat.into() }
    }

    /// Redeals the state in the machine, as [`deal`](Self::deal) does.
    pub fn deal_here(&mut self, seat: u8, rng: &mut Pcg64Mcg) -> Result<(), MatchError> {
        if self.machine.has(Hook::Redeal) {
            let mut words = self.machine.words().to_vec();
            self.deal(&mut words, seat, rng)?;
            self.machine.words_mut().copy_from_slice(&words);
        } else {
            let game = self.game.clone();
            let (d, words) = (game.declarations(), self.machine.words_mut());
            redeal(d, game.layout(), &self.setup.options, words, seat, rng, &mut self.hidden);
        }
        Ok(())
    }

    /// Exchanges tokens that the seat cannot tell apart: in each pair, the first should have been the second.
    /// `shuffles` are the piles after each later shuffle. Exchanges go there if possible, the latest first. Returns
    /// false if no pair can be exchanged.
    pub fn repair(
        &self,
        start: &mut [i32],
        seat: u8,
        pairs: &[(i32, i32)],
        shuffles: &mut [Vec<i32>],
        swaps: &mut Vec<Swap>,
    ) -> bool {
        let layout = self.game.layout();
        let mut renamed: Vec<(i32, i32)> = Vec::new();
        for &(instead, token) in pairs {
            let instead = renamed.iter().fold(instead, |name, &pair| other_name(name, pair));
            if instead == token {
                continue;
            }
            let place = |order: &[i32], token| order.iter().position(|&other| other == token);
            let both = |order: &[i32]| Some([place(order, instead)?, place(order, token)?]);
            let last = (0..shuffles.len()).rev().find_map(|at| Some((at, both(&shuffles[at])?)));
            let from = match last {
                Some((shuffle, places)) => {
                    swaps.push(Swap { shuffle, places });
                    shuffle
                }
                None if exchangeable(&self.sight(start, seat), instead, token) => {
                    swap(self.declarations(), layout, start, seat, (instead, token));
                    0
                }
                None => continue,
            };
            for name in shuffles[from..].iter_mut().flatten() {
                *name = other_name(*name, (instead, token));
            }
            renamed.push((instead, token));
        }
        !renamed.is_empty()
    }
}

/// The token's number after these two have been exchanged.
fn other_name(token: i32, (one, other): (i32, i32)) -> i32 {
    if token == one {
        other
    } else if token == other {
        one
    } else {
        token
    }
}

/// The result of a hook; `None` if the hook failed. A machine out of memory is an error.
pub(super) fn unless_broken<T>(ran: Result<T, Trap>) -> Result<Option<T>, MatchError> {
    match ran {
        Ok(done) => Ok(Some(done)),
        Err(Trap::Memory) => Err(MatchError::Memory),
        Err(_) => Ok(None),
    }
}
