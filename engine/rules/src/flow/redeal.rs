//! A match in which everything that a seat cannot know was dealt again.

use std::ops::Range;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::flow::call::Call;
use crate::flow::deal::{MENDINGS, TRIES, unless_broken};
use crate::flow::knowledge::CallKnowledge;
use crate::flow::open::{Kind, Open, OpenCall};
use crate::flow::runner::{Runner, Stop};
use crate::flow::{Match, MatchError};
use crate::script::machine::{Hook, Machine, PhaseHook, Question, Values};
use crate::state::compare::{Differences, compare};
use crate::state::layout::word;

impl Match {
    /// Deals again what a seat cannot know (a determinization): hidden tokens and counters, the seed of all that is drawn, and whatever a hook that
    /// waits keeps in its variables; in a simultaneous phase the answers of the other seats are forgotten. The seat's own
    /// pending decision stays, with the same choices in the same order; in a simultaneous phase in which it has none, whoever is
    /// asked then is.
    ///
    /// The result is drawn from the positions that fit what the seat knows at present, as far as the engine keeps it: what it sees
    /// ([`Match::observe`]), what the table has watched of hidden tokens (exchange classes), and what the seat has seen since
    /// the hook began that waits. It depends on that and on `rng` alone: in any other match that the seat cannot tell from this one, the
    /// same `rng` deals the same.
    ///
    /// Returns how many deals were looked at. If it takes more than one at an offer, or in a simultaneous phase in which the seat has not
    /// drawn or looked at anything yet, the seat is told by what it may choose something that the content hides.
    ///
    /// # Errors
    /// [`MatchError::NoDeal`]: too few deals fit what the seat has seen since the hook began that waits, as when it saw one of a hundred
    /// hidden numbers. Or a script failed. The match is then as it was.
    pub fn redeal(&mut self, seat: u8, rng: &mut impl Rng) -> Result<usize, MatchError> {
        // All that follows is compiled once, with this generator. A step that is tried again begins with it again.
        let begin = Pcg64Mcg::from_rng(rng);
        let mut deals = 1;
        self.transact(|m| {
            let rng = &mut begin.clone();
            let Self { runner, open, knowledge, .. } = m;
            deals = match open.kind {
                Kind::Simultaneous => m.deal_simultaneous(seat, rng)?,
                Kind::Call if open.is_offer() => runner.deal_offer(open, seat, rng)?,
                Kind::Call => runner.deal_hook(open, seat, knowledge, rng)?,
                Kind::Over => {
                    runner.deal_here(seat, rng)?;
                    open.start.copy_from_slice(runner.machine.words());
                    1
                }
            };
            Ok(())
        })?;
        Ok(deals)
    }

    fn deal_simultaneous(&mut self, seat: u8, rng: &mut Pcg64Mcg) -> Result<usize, Stop> {
        let own = self.words_for(Some(seat));
        let question = self.question(seat).map(|(asked, choices)| (asked, choices.into_owned()));
        let Self { runner, open: real, .. } = self;
        let known = Seen { seat, words: &own, question, answers: real.calls(), start: &real.start };
        let (mut open, deals) = known.deal(runner, rng)?;
        let mut asks = known.question.is_some();
        if !asks {
            runner.machine.words_mut().copy_from_slice(&open.start);
            asks = open.run(runner)?;
        }
        let next = if asks {
            open
        } else {
            runner.spare.keep(open);
            runner.leave_turns();
            runner.advance()?
        };
        self.wait_for(next);
        Ok(deals)
    }
}

impl Runner {
    /// Deals again what a seat cannot know while a hook waits; `knowledge` is what is known from an earlier time. How many deals it took.
    pub fn deal_hook(
        &mut self,
        open: &mut Open,
        seat: u8,
        knowledge: &mut Option<Box<CallKnowledge>>,
        rng: &mut Pcg64Mcg,
    ) -> Result<usize, MatchError> {
        let mut start = open.start.clone();
        self.deal(&mut start, seat, rng)?;
        let Some(OpenCall { call, .. }) = open.single() else { return Err(MatchError::NoDecision) };
        if self.is_untouched(call, &open.start, &start) {
            for at in self.game.layout().chance() {
                open.start[at] = start[at];
                self.machine.words_mut()[at] = start[at];
            }
            self.forget_replies(open, seat);
            return Ok(1);
        }
        let known = match knowledge.take().filter(|known| known.is_of(call, &open.start, seat)) {
            Some(known) => known,
            None => Box::new(CallKnowledge::new(self, call, &open.start, seat)?),
        };
        let found = known.find(self, start, rng);
        *knowledge = Some(known);
        let (deal, answers, deals) = found?;
        open.start = deal.start;
        if let Some(OpenCall { call, .. }) = open.single_mut() {
            (call.args, call.given, call.answers) = (deal.args, deal.given, answers);
        }
        let (asked, number) = (self.asked(), open.number);
        self.take_question(open, asked, number);
        self.forget_replies(open, seat);
        Ok(deals)
    }

    /// Asks the others again: what they have answered to a question that several are asked at once is not known.
    fn forget_replies(&mut self, open: &mut Open, seat: u8) {
        if let Some(OpenCall { call, .. }) = open.single_mut() {
            call.replies.retain(|(other, _)| *other == seat);
        }
        if open.is_open(seat) {
            self.turn_to(open, seat);
        } else {
            self.focus_next(open);
        }
    }

    /// Whether a hook that began in the other state would stand where it stands: the two differ in chance only, the hook has
    /// drawn nothing, and nobody has answered in secret.
    fn is_untouched(&self, call: &Call, start: &[i32], other: &[i32]) -> bool {
        let now = self.machine.words();
        let Call { hook, answers, given, .. } = call;
        let answered = !answers.is_empty() || matches!(hook, Hook::Phase(_, PhaseHook::Act));
        let counts = &self.game.layout().counts;
        let alike = |words: Range<usize>| start[words.clone()] == other[words];
        given.is_nothing()
            && alike(word::PLAYERS..counts.start)
            && alike(counts.end..other.len())
            && self.game.layout().chance().all(|at| start[at] == now[at])
            && !(answered && self.declarations().prompts.values().any(|prompt| prompt.secret))
    }

    /// Deals again what a seat cannot know while an offer waits: it is listed again. How many deals it took.
    fn deal_offer(&mut self, open: &mut Open, seat: u8, rng: &mut Pcg64Mcg) -> Result<usize, MatchError> {
        let mut choices = std::mem::take(&mut self.spare.choices);
        choices.clear();
        choices.extend_from_slice(self.machine.choices());
        let found = self.deal_offer_with(&choices, seat, open.asked, rng);
        self.spare.choices = choices;
        let (values, deals) = found?;
        open.asked.values = values;
        self.game.layout().copy(self.machine.words(), &mut open.start);
        Ok(deals)
    }

    /// The same; these are the real choices.
    fn deal_offer_with(
        &mut self,
        choices: &[i32],
        seat: u8,
        asked: Question,
        rng: &mut Pcg64Mcg,
    ) -> Result<(Values, usize), MatchError> {
        for deals in 1..=TRIES {
            self.deal_here(seat, rng)?;
            let listed = unless_broken(self.list_offer(asked.seat, asked.prompt))?;
            let (real, dealt) = (self.hidden.position(), self.machine.words());
            let fits = listed.filter(|values| {
                if seat == asked.seat {
                    let offered = (dealt, self.machine.choices());
                    *values == asked.values && self.same_offer(seat, asked.prompt, (real, choices), offered)
                } else {
                    !self.machine.choices().is_empty()
                }
            });
            if let Some(values) = fits {
                return Ok((values, deals));
            }
            self.machine.words_mut().copy_from_slice(self.hidden.position());
        }
        Err(MatchError::NoDeal { tries: TRIES })
    }
}

/// A seat's view of a simultaneous phase.
struct Seen<'m> {
    seat: u8,
    words: &'m [i32],
    question: Option<(Question, Vec<i32>)>,
    answers: &'m [OpenCall],
    start: &'m [i32],
}

impl Seen<'_> {
    /// The phase from a beginning that fits, and how many were looked at. If the seat is asked, its hook is the one that waits in the machine.
    fn deal(&self, runner: &mut Runner, rng: &mut Pcg64Mcg) -> Result<(Box<Open>, usize), MatchError> {
        let mut deals = 0;
        for _ in 0..TRIES {
            let mut start = self.start.to_vec();
            runner.deal(&mut start, self.seat, rng)?;
            for _ in 0..MENDINGS {
                deals += 1;
                runner.machine.words_mut().copy_from_slice(&start);
                let mut phase = runner.open_simultaneous();
                let tried = self.run(runner, &mut phase);
                if runner.machine.is_broken() {
                    return Err(MatchError::Memory);
                }
                let pairs = match tried {
                    Ok(found) if found.are_none() => return Ok((phase, deals)),
                    Ok(Differences { tokens, .. }) => tokens,
                    Err(_) => Vec::new(),
                };
                runner.spare.keep(phase);
                if !runner.mend(&mut start, self.seat, &pairs, &mut [], &mut Vec::new()) {
                    break;
                }
            }
        }
        Err(MatchError::NoDeal { tries: TRIES })
    }

    /// Takes the phase up with the seat's own answers; what the seat sees otherwise then.
    fn run(&self, runner: &mut Runner, phase: &mut Open) -> Result<Differences, MatchError> {
        let own = usize::from(self.seat);
        if let (Some(dealt), Some(real)) = (phase.calls_mut().get_mut(own), self.answers.get(own)) {
            dealt.call.offered = real.call.offered;
            dealt.call.answers.extend_from_slice(&real.call.answers);
        }
        phase.reopen(runner, 0)?;
        let asks = phase.is_open(self.seat) && runner.quietly(|runner| phase.run_seat(runner, self.seat))?;
        let mut words = if asks { runner.machine.words().to_vec() } else { phase.start.clone() };
        if let Some(one) = phase.calls().get(own).filter(|_| !asks) {
            one.changes.iter().for_each(|&(at, value)| words[at as usize] = value);
        }
        let mut found = compare(&runner.sight(self.words, self.seat), &runner.sight(&words, self.seat));
        let asked = if asks { phase.question(runner, self.seat) } else { None };
        found.others |= match (&self.question, &asked) {
            (None, None) => false,
            (Some((real, choices)), Some((asked, listed))) => {
                real != asked || !runner.same_offer(self.seat, real.prompt, (self.words, choices), (&words, listed))
            }
            _ => true,
        };
        Ok(found)
    }
}
