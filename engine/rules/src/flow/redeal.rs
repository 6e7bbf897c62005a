//! Redealing a match: randomizes everything that a seat cannot know.

use std::ops::Range;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::flow::call::Call;
use crate::flow::deal::{MAX_REPAIRS, MAX_TRIES, unless_broken};
use crate::flow::knowledge::CallKnowledge;
use crate::flow::open::{Kind, OpenCall, OpenCalls};
use crate::flow::runner::{Runner, Stop};
use crate::flow::{Match, MatchError};
use crate::script::machine::{Hook, Machine, PhaseHook, Question, Values};
use crate::state::compare::{Differences, OwnFacts, compare};
use crate::state::layout::word;

impl Match {
    /// Redeals everything that a seat cannot know (a determinization): hidden tokens and counters, the seed, and the
    /// variables of a suspended hook. In a simultaneous phase it also drops the answers of the other seats. The
    /// seat's own pending decision stays, with the same choices in the same order. If the seat has none in a
    /// simultaneous phase, the next seat is asked.
    ///
    /// The result is a random position among those that fit the seat's current knowledge, as far as the engine tracks
    /// it: its observation ([`Match::observe`]), the exchange classes of hidden tokens that the table has watched,
    /// and what it has seen since the suspended hook began. The result depends only on that and on `rng`: in another
    /// match that the seat cannot distinguish from this one, the same `rng` gives the same deal.
    ///
    /// Returns the number of deals tried. If an offer needs more than one, the seat can infer hidden information from
    /// its legal actions. The same holds in a simultaneous phase before the seat has drawn or looked at anything.
    ///
    /// # Errors
    /// [`MatchError::NoDeal`]: too few deals fit what the seat has seen since the suspended hook began, such as one
    /// of a hundred hidden numbers. Or a script fails. The match is then unchanged.
    pub fn redeal(&mut self, seat: u8, rng: &mut impl Rng) -> Result<usize, MatchError> {
        // A concrete generator keeps the code below from being compiled for each type. A retried step restarts from
        // the same generator.
        let begin = Pcg64Mcg::from_rng(rng);
        let mut deals = 1;
        let view = self.history.is_some().then(|| self.words_for(Some(seat)).into_owned());
        self.transact(|m| {
            let rng = &mut begin.clone();
            let Self { runner, open, knowledge, .. } = m;
            deals = match open.kind {
                Kind::Simultaneous => m.deal_simultaneous(seat, rng)?,
                Kind::Call if open.is_offer() => runner.deal_offer(open, seat, rng)?,
                Kind::Call => runner.deal_hook(open, seat, knowledge, rng)?,
                Kind::Over => {
                    runner.deal_here(seat, rng)?;
                    open.start.to_mut().copy_from_slice(runner.machine.words());
                    1
                }
            };
            Ok(())
        })?;
        if let Some(view) = view {
            self.record_redeal(seat, &view);
        }
        Ok(deals)
    }

    fn deal_simultaneous(&mut self, seat: u8, rng: &mut Pcg64Mcg) -> Result<usize, Stop> {
        let own = self.words_for(Some(seat)).into_owned();
        let question = self.question(seat).map(|(asked, choices)| (asked, choices.into_owned()));
        let Self { runner, open: real, .. } = self;
        let (answers, facts) = (real.calls(), OwnFacts::default());
        let known = PhaseSight { seat, words: &own, facts, question, answers, start: &real.start };
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
    /// Redeals while a hook is suspended. `knowledge` is cached from an earlier redeal. Returns the number of deals
    /// tried.
    pub fn deal_hook(
        &mut self,
        open: &mut OpenCalls,
        seat: u8,
        knowledge: &mut Option<Box<CallKnowledge>>,
        rng: &mut Pcg64Mcg,
    ) -> Result<usize, MatchError> {
        let mut start = open.start.to_vec();
        self.deal(&mut start, seat, rng)?;
        let Some(OpenCall { call, .. }) = open.single() else { return Err(MatchError::NoDecision) };
        if self.is_untouched(call, &open.start, &start) {
            for at in self.game.layout().chance() {
                open.start.to_mut()[at] = start[at];
                self.machine.words_mut()[at] = start[at];
            }
            self.forget_replies(open, seat);
            return Ok(1);
        }
        let known = knowledge.take().filter(|known| known.is_of(call, &open.start, seat));
        let is_new = known.is_none();
        let known = match known {
            Some(known) => known,
            None => Box::new(CallKnowledge::new(self, call, &open.start, seat)?),
        };
        let found = known.find(self, start, rng);
        // The next attempt takes the steps that lead to new knowledge again.
        *knowledge = Some(known).filter(|_| !(is_new && matches!(found, Err(MatchError::Repeat))));
        let (deal, answers, deals) = found?;
        self.spare.blocks.write(self.game.layout(), &deal.start, &mut open.start);
        if let Some(OpenCall { call, .. }) = open.single_mut() {
            (call.args, call.given, call.answers) = (deal.args, deal.given, answers);
        }
        let (asked, number) = (self.asked(), open.number);
        self.take_question(open, asked, number);
        self.forget_replies(open, seat);
        Ok(deals)
    }

    /// Drops the answers of other seats to the current question to several seats, because the seat does not know
    /// them.
    fn forget_replies(&mut self, open: &mut OpenCalls, seat: u8) {
        if let Some(OpenCall { call, .. }) = open.single_mut() {
            call.replies.retain(|(other, _)| *other == seat);
        }
        if open.is_open(seat) {
            self.turn_to(open, seat);
        } else {
            self.focus_next(open);
        }
    }

    /// Whether a hook that began in the other state would be at the same point: the states differ only in chance, the
    /// hook has drawn nothing, and nobody has answered in secret.
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

    /// Redeals while an offer is pending, and lists the offer again. Returns the number of deals tried.
    fn deal_offer(&mut self, open: &mut OpenCalls, seat: u8, rng: &mut Pcg64Mcg) -> Result<usize, MatchError> {
        let mut choices = std::mem::take(&mut self.spare.choices);
        choices.clear();
        choices.extend_from_slice(self.machine.choices());
        let found = self.deal_offer_with(&choices, seat, open.asked, rng);
        self.spare.choices = choices;
        let (values, deals) = found?;
        open.asked.values = values;
        self.spare.blocks.write(self.game.layout(), self.machine.words(), &mut open.start);
        Ok(deals)
    }

    /// Redeals an offer; `choices` are the real ones.
    fn deal_offer_with(
        &mut self,
        choices: &[i32],
        seat: u8,
        asked: Question,
        rng: &mut Pcg64Mcg,
    ) -> Result<(Values, usize), MatchError> {
        for deals in 1..=MAX_TRIES {
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
        Err(MatchError::NoDeal { tries: MAX_TRIES })
    }
}

/// A simultaneous phase as one seat sees it.
struct PhaseSight<'m> {
    seat: u8,
    words: &'m [i32],
    facts: OwnFacts,
    question: Option<(Question, Vec<i32>)>,
    answers: &'m [OpenCall],
    start: &'m [i32],
}

impl PhaseSight<'_> {
    /// Finds a beginning of the phase that fits. Returns the phase and the number of deals tried. If the seat is
    /// asked, its hook is the suspended one in the machine.
    fn deal(&self, runner: &mut Runner, rng: &mut Pcg64Mcg) -> Result<(Box<OpenCalls>, usize), MatchError> {
        let mut deals = 0;
        for _ in 0..MAX_TRIES {
            let mut start = self.start.to_vec();
            runner.deal(&mut start, self.seat, rng)?;
            for _ in 0..MAX_REPAIRS {
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
                    Err(MatchError::Repeat) => return Err(MatchError::Repeat),
                    Err(_) => Vec::new(),
                };
                runner.spare.keep(phase);
                if !runner.repair(&mut start, self.seat, &pairs, &mut [], &mut Vec::new()) {
                    break;
                }
            }
        }
        Err(MatchError::NoDeal { tries: MAX_TRIES })
    }

    /// Resumes the phase with the seat's own answers. Returns the differences that the seat sees.
    fn run(&self, runner: &mut Runner, phase: &mut OpenCalls) -> Result<Differences, MatchError> {
        let own = usize::from(self.seat);
        if let (Some(dealt), Some(real)) = (phase.calls_mut().get_mut(own), self.answers.get(own)) {
            dealt.call.offered = real.call.offered;
            dealt.call.answers.extend_from_slice(&real.call.answers);
        }
        phase.reopen(runner, 0)?;
        let asks = phase.is_open(self.seat) && runner.without_transcript(|runner| phase.run_seat(runner, self.seat))?;
        let mut words = if asks { runner.machine.words().to_vec() } else { phase.start.to_vec() };
        if let Some(one) = phase.calls().get(own).filter(|_| !asks) {
            one.changes.iter().for_each(|&(at, value)| words[at as usize] = value);
        }
        let mut found = compare(&runner.sight(self.words, self.seat), &self.facts, &runner.sight(&words, self.seat));
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
