//! A seat's knowledge of a suspended hook, and deals in which the hook stops at the same question.
//!
//! A suspended hook may know more than the state: hidden cards that it read and random numbers that it drew are in
//! its variables. So the engine redeals the state in which the hook began, and runs the hook from there with the
//! answers so far. A deal *fits* if the seat sees and is offered, at every question, exactly what it really saw and
//! was offered.
//!
//! Few random deals fit, because the seat has drawn this card and no other. But as far as the seat knows, the card
//! drawn in the new deal could have been the real one. So the two are exchanged ([`Runner::repair`]) where they were
//! last exchangeable, in the deal or in a later shuffle, and the hook runs again. A hook that does not read what it
//! moves then repeats its actions with the other card; otherwise the deal is repaired again or dropped. All deals are
//! equally likely and a repair only renames cards, so the deals that fit are equally likely, too.
//!
//! Random numbers cannot be renamed. Those that the seat sees must repeat: all from `random`, and those from
//! `random_hidden` that name its player. All others are drawn again.
//!
//! This module reads only facts of the real match that the seat knows: what it saw at each question, its own answers,
//! and the answers of others unless their prompts are secret. Secret answers are drawn at random. So a hook leaks
//! nothing.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

use crate::flow::MatchError;
use crate::flow::call::{Args, Call};
use crate::flow::deal::{MAX_REPAIRS, MAX_TRIES, unless_broken};
use crate::flow::runner::Runner;
use crate::script::machine::chance::{Chance, ChanceOverrides, Draw};
use crate::script::machine::{CallEnd, Hook, Machine, PhaseHook, Question, Together, Trap, replay};
use crate::state::compare::{OwnFacts, compare};
use crate::state::redeal::indistinguishable;
use crate::state::sight::TokenSight;
use motherlode_content::declare::Domain;

/// Maximum steps of the runs that look for a deal, as a multiple of the budget of one hook.
const STEPS: i64 = 16;

/// A seat's knowledge of a suspended hook. Cached between redeals: it depends only on the call and the state in which
/// the hook began.
#[derive(Debug)]
pub(super) struct CallKnowledge {
    seat: u8,
    call: Call,
    start: Vec<i32>,
    /// The first moment is the offer that led to the hook.
    offered: bool,
    /// The offer that led to the hook, if any, and every question up to the pending one.
    moments: Vec<Moment>,
    /// Random numbers that must repeat, because the seat sees them; `None`: drawn again.
    draws: Vec<Option<u32>>,
}

/// A question, and the position when it was asked.
#[derive(Debug)]
struct Moment {
    words: Vec<i32>,
    facts: OwnFacts,
    asked: Question,
    choices: Vec<i32>,
    /// Index of the answer; 0 for the pending question.
    answer: usize,
    /// For a question to several seats: the seats with their choices, and the index of the answer of each seat that
    /// has a choice.
    together: Option<(Together, Vec<u16>)>,
}

/// Piles after each shuffle, in order.
type Shuffles = Vec<Vec<i32>>;

/// A candidate deal.
#[derive(Debug, Clone)]
pub(super) struct Deal {
    pub start: Vec<i32>,
    pub args: Args,
    pub given: ChanceOverrides,
    /// One random number for each moment, used to draw secret answers.
    luck: Vec<u64>,
}

/// Work spent on finding a deal.
#[derive(Debug, Default)]
struct Effort {
    /// Deals examined.
    deals: usize,
    /// Steps of their hooks.
    steps: i64,
}

/// Result of comparing one question of a deal with the real one.
enum MomentResult<A = usize> {
    /// The seat sees and is offered the same; this is the answer.
    Answer(A),
    /// The deal may fit after these tokens are exchanged; see [`Runner::repair`].
    Repair(Vec<(i32, i32)>),
    /// The deal cannot fit.
    No,
}

impl<A> MomentResult<A> {
    fn map<B>(self, answer: impl FnOnce(A) -> B) -> MomentResult<B> {
        match self {
            Self::Answer(given) => MomentResult::Answer(answer(given)),
            Self::Repair(pairs) => MomentResult::Repair(pairs),
            Self::No => MomentResult::No,
        }
    }
}

impl CallKnowledge {
    /// Repeats a suspended hook and records what the seat sees.
    pub fn new(runner: &mut Runner, call: &Call, start: &[i32], seat: u8) -> Result<Self, MatchError> {
        let Call { hook, args, answers, given, .. } = call;
        let mut known = Self {
            seat,
            call: call.clone(),
            start: start.to_vec(),
            offered: false,
            moments: Vec::new(),
            draws: Vec::new(),
        };
        runner.machine.words_mut().copy_from_slice(start);
        if let (Hook::Phase(phase, PhaseHook::Act), &[player, choice]) = (hook, args.list())
            && let Some(prompt) = runner.declarations().phases[*phase].prompt
        {
            let seat = u8::try_from(player - 1).unwrap_or(0);
            runner.machine.words_mut().copy_from_slice(start);
            let listed = runner.list_offer(seat, prompt);
            let answer = runner.machine.choices().iter().position(|&raw| raw == choice);
            if let (Ok(values), Some(answer)) = (listed, answer) {
                known.offered = true;
                let asked = Question { seat, prompt, values };
                known.moments.push(Moment::now(runner, asked, &[answer as u16]));
            }
        }
        runner.machine.words_mut().copy_from_slice(start);
        runner.machine.grants_mut().chance = Some(Chance::new(given.clone()));
        let mut rest = answers.as_slice();
        let ran = runner.without_transcript(|runner| {
            replay(runner, *hook, args.list(), |runner, given| {
                let goes_on = runner.machine.traces().take_answers(&mut rest, given);
                known.moments.extend(runner.machine.traces().question.map(|asked| Moment::now(runner, asked, given)));
                goes_on
            })
        });
        let draws = runner.machine.grants_mut().chance.take().map(|chance| chance.draws).unwrap_or_default();
        let is_seen = |draw: &Draw| draw.seen_by >> (seat + 1) & 1 == 1;
        known.draws = draws.iter().map(|draw| is_seen(draw).then_some(draw.result)).collect();
        match ran {
            Ok(CallEnd::Asks) => Ok(known),
            Err(Trap::Unfinished) => Err(runner.repeat()),
            _ => Err(MatchError::Unstable),
        }
    }

    /// Whether this knowledge belongs to this seat and call.
    pub fn is_of(&self, call: &Call, start: &[i32], seat: u8) -> bool {
        self.seat == seat && self.call == *call && self.start == start
    }

    /// Finds a deal that fits. Returns it with its answers and the number of deals tried; the hook is then suspended
    /// at its question. `start` is the first candidate.
    pub fn find(
        &self,
        runner: &mut Runner,
        mut start: Vec<i32>,
        rng: &mut Pcg64Mcg,
    ) -> Result<(Deal, Vec<u16>, usize), MatchError> {
        let mut effort = Effort::default();
        for tries in 1..=MAX_TRIES {
            let deal = self.deal(start, rng);
            if let Some((deal, answers)) = self.repaired(runner, deal, &mut effort)? {
                return Ok((deal, answers, effort.deals));
            }
            if effort.steps / STEPS > runner.machine.grants().limits.steps {
                return Err(MatchError::NoDeal { tries });
            }
            start = self.start.clone();
            runner.deal(&mut start, self.seat, rng)?;
        }
        Err(MatchError::NoDeal { tries: MAX_TRIES })
    }

    /// A candidate deal with this state.
    fn deal(&self, start: Vec<i32>, rng: &mut Pcg64Mcg) -> Deal {
        let luck = self.moments.iter().map(|_| rng.next_u64()).collect();
        let given = ChanceOverrides { draws: self.draws.clone(), swaps: Vec::new() };
        Deal { start, args: self.call.args, given, luck }
    }

    /// Repairs a deal until it fits; `None` if it cannot be made to fit.
    fn repaired(
        &self,
        runner: &mut Runner,
        mut deal: Deal,
        effort: &mut Effort,
    ) -> Result<Option<(Deal, Vec<u16>)>, MatchError> {
        for _ in 0..MAX_REPAIRS {
            // Slow hooks get fewer attempts.
            if effort.steps / STEPS > runner.machine.grants().limits.steps {
                return Ok(None);
            }
            let (tried, mut shuffles) = self.attempt(runner, &mut deal, effort)?;
            match tried {
                MomentResult::Answer(answers) => return Ok(Some((deal, answers))),
                MomentResult::Repair(pairs) => {
                    let Deal { start, given, .. } = &mut deal;
                    if !runner.repair(start, self.seat, &pairs, &mut shuffles, &mut given.swaps) {
                        return Ok(None);
                    }
                }
                MomentResult::No => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Runs the hook in a deal. Returns the comparison and the piles that it shuffled.
    fn attempt(
        &self,
        runner: &mut Runner,
        deal: &mut Deal,
        effort: &mut Effort,
    ) -> Result<(MomentResult<Vec<u16>>, Shuffles), MatchError> {
        effort.deals += 1;
        if let Some(moment) = self.moments.first().filter(|_| self.offered) {
            runner.machine.words_mut().copy_from_slice(&deal.start);
            let listed = runner.list_offer(moment.asked.seat, moment.asked.prompt);
            let asked = unless_broken(listed)?.map(|values| Question { values, ..moment.asked });
            match self.meet(runner, moment, asked, deal, 0) {
                MomentResult::Answer(index) => {
                    let choice = runner.machine.choices().get(index).copied().unwrap_or(0);
                    deal.args = Args::act(i32::from(moment.asked.seat) + 1, choice);
                }
                MomentResult::Repair(pairs) => return Ok((MomentResult::Repair(pairs), Vec::new())),
                MomentResult::No => return Ok((MomentResult::No, Vec::new())),
            }
        }
        runner.machine.words_mut().copy_from_slice(&deal.start);
        runner.machine.grants_mut().chance = Some(Chance::new(deal.given.clone()));
        let before = runner.machine.traces().spent;
        let (mut answers, mut at, mut stopped) = (Vec::new(), usize::from(self.offered), None);
        let ended = runner.without_transcript(|runner| {
            replay(runner, self.call.hook, deal.args.list(), |runner, given| {
                match self.meet_moment(runner, at, true, deal) {
                    MomentResult::Answer(next) if at + 1 < self.moments.len() => {
                        at += 1;
                        answers.extend_from_slice(&next);
                        *given = next;
                        true
                    }
                    met => {
                        stopped = Some(met);
                        false
                    }
                }
            })
        });
        effort.steps = effort.steps.saturating_add(runner.machine.traces().spent.saturating_sub(before));
        let Chance { draws, shuffles, .. } =
            runner.machine.grants_mut().chance.take().map_or_else(Chance::default, |chance| *chance);
        let met = match stopped {
            Some(met) => met,
            // The hook has ended or failed.
            None if ended == Err(Trap::Unfinished) => return Err(runner.repeat()),
            None => unless_broken(ended)?.map_or(MomentResult::No, |_| self.meet_moment(runner, at, false, deal)),
        };
        if matches!(met, MomentResult::Answer(_)) {
            // The hook may have drawn and shuffled less often than in the real match. Its later draws and shuffles are its own.
            deal.given.draws.truncate(draws.len());
            deal.given.swaps.retain(|swap| swap.shuffle < shuffles.len());
        }
        Ok((met.map(|_| answers), shuffles))
    }

    /// Compares the deal in the machine with the real one at a question. `asks`: whether the hook asks now.
    fn meet_moment(&self, runner: &Runner, at: usize, asks: bool, deal: &Deal) -> MomentResult<Vec<u16>> {
        let Some(moment) = self.moments.get(at) else { return MomentResult::No };
        let asked = runner.machine.traces().question.filter(|_| asks);
        match &moment.together {
            Some((real, given)) => self.meet_together(runner, moment, (real, given), asked, deal, at),
            None if runner.together().is_some() => MomentResult::No,
            None => self.meet(runner, moment, asked, deal, at).map(|index| vec![index as u16]),
        }
    }

    /// Compares a question of the deal in the machine with the real one. `asked`: `None` if nothing is asked.
    fn meet(&self, runner: &Runner, moment: &Moment, asked: Option<Question>, deal: &Deal, at: usize) -> MomentResult {
        let words = runner.machine.words();
        // Before the hook begins, all deals look the same to the seat.
        if !(self.offered && at == 0) {
            let found =
                compare(&runner.sight(&moment.words, self.seat), &moment.facts, &runner.sight(words, self.seat));
            if !found.tokens.is_empty() {
                return MomentResult::Repair(found.tokens);
            }
            if found.others {
                return MomentResult::No;
            }
            if !found.told.is_empty() {
                return self.fit_statements(runner, moment, &found.told, deal, at);
            }
        }
        let Question { seat, prompt, values } = moment.asked;
        let same = asked.filter(|asked| (asked.seat, asked.prompt) == (seat, prompt));
        let Some(asked) = same else { return MomentResult::No };
        let (own, list) = (moment.choices.as_slice(), runner.machine.choices());
        if seat == self.seat {
            let same = asked.values == values && runner.same_offer(seat, prompt, (&moment.words, own), (words, list));
            return if same { MomentResult::Answer(moment.answer) } else { MomentResult::No };
        }
        if at + 1 == self.moments.len() {
            return MomentResult::Answer(0);
        }
        self.answer_of_other(runner, moment, (own, list), moment.answer, deal, at)
    }

    /// Compares a question to several seats, as [`meet`](Self::meet) does. Returns the answers of the seats that have
    /// a choice.
    fn meet_together(
        &self,
        runner: &Runner,
        moment: &Moment,
        (real, given): (&Together, &[u16]),
        asked: Option<Question>,
        deal: &Deal,
        at: usize,
    ) -> MomentResult<Vec<u16>> {
        let words = runner.machine.words();
        let found = compare(&runner.sight(&moment.words, self.seat), &moment.facts, &runner.sight(words, self.seat));
        if !found.tokens.is_empty() {
            return MomentResult::Repair(found.tokens);
        }
        if !found.others && !found.told.is_empty() {
            return self.fit_statements(runner, moment, &found.told, deal, at).map(|_| Vec::new());
        }
        let Question { prompt, values, .. } = moment.asked;
        let Some(dealt) = runner.together().filter(|_| !found.others) else { return MomentResult::No };
        let same = asked.is_some_and(|asked| (asked.prompt, asked.values) == (prompt, values));
        if !same || !dealt.asked().eq(real.asked()) || dealt.members().len() != real.members().len() {
            return MomentResult::No;
        }
        let (own, list) = (real.choices_of(self.seat), dealt.choices_of(self.seat));
        if !runner.same_offer(self.seat, prompt, (&moment.words, own), (words, list)) {
            return MomentResult::No;
        }
        let mut answers = Vec::new();
        for (seat, &index) in real.asked().zip(given) {
            let index = usize::from(index);
            let lists = (real.choices_of(seat), dealt.choices_of(seat));
            let met = match seat == self.seat {
                true => MomentResult::Answer(index),
                false => self.answer_of_other(runner, moment, lists, index, deal, at),
            };
            match met {
                MomentResult::Answer(index) => answers.push(index as u16),
                MomentResult::Repair(pairs) => return MomentResult::Repair(pairs),
                MomentResult::No => return MomentResult::No,
            }
        }
        MomentResult::Answer(answers)
    }

    /// Exchanges for tokens about which other things were told than in the real match: random tokens that fit.
    fn fit_statements(
        &self,
        runner: &Runner,
        moment: &Moment,
        told: &[(i32, i32)],
        deal: &Deal,
        at: usize,
    ) -> MomentResult {
        let (real, dealt) = (runner.sight(&moment.words, self.seat), runner.sight(runner.machine.words(), self.seat));
        let layout = real.layout;
        // The real token at the place of a token of the deal.
        let instead_of = |token: i32| {
            let pile = dealt.pile_of(token)?;
            let place = dealt.tokens(pile).iter().position(|&other| other == token)?;
            real.tokens(pile).get(place).copied()
        };
        let mut pairs = Vec::new();
        for (n, &(instead, token)) in told.iter().enumerate() {
            let fits = |other: &i32| {
                layout.could_be(real.words, token, *other)
                    && indistinguishable(&dealt, instead, *other)
                    && instead_of(*other).is_none_or(|there| layout.could_be(real.words, there, instead))
            };
            let back = layout.backs[layout.tokens[token as usize - 1].back];
            let fitting: Vec<i32> = back.tokens().filter(fits).collect();
            let lot = deal.luck[at].rotate_left(8 * n as u32) % fitting.len().max(1) as u64;
            pairs.extend(fitting.get(lot as usize).map(|&other| (instead, other)));
        }
        if pairs.is_empty() { MomentResult::No } else { MomentResult::Repair(pairs) }
    }

    /// Answer of another seat in a deal. `own`: what it was really offered; `index`: its real answer.
    fn answer_of_other(
        &self,
        runner: &Runner,
        moment: &Moment,
        (own, list): (&[i32], &[i32]),
        index: usize,
        deal: &Deal,
        at: usize,
    ) -> MomentResult {
        let (words, Question { seat, prompt, .. }) = (runner.machine.words(), moment.asked);
        let lot = |n: usize| (deal.luck[at] % n.max(1) as u64) as usize;
        if list.is_empty() {
            return MomentResult::No;
        }
        if runner.declarations().prompts[prompt].secret {
            return MomentResult::Answer(lot(list.len()));
        }
        // A public answer: everybody learned it as the asked seat sees it.
        let Some(&public) = own.get(index) else { return MomentResult::No };
        let public = runner.seen_choice(seat, prompt, &moment.words, public);
        if let Some(index) = list.iter().position(|&raw| runner.seen_choice(seat, prompt, words, raw) == public) {
            return MomentResult::Answer(index);
        }
        let is_token = runner.declarations().prompts[prompt].domain == Domain::Token;
        match public {
            TokenSight::Token(token) if token > 0 && is_token => {
                let tokens: Vec<i32> = list.iter().copied().filter(|&raw| raw > 0).collect();
                tokens
                    .get(lot(tokens.len()))
                    .map_or(MomentResult::No, |&instead| MomentResult::Repair(vec![(instead, token)]))
            }
            _ => MomentResult::No,
        }
    }
}

impl Moment {
    /// The current question.
    fn now(runner: &Runner, asked: Question, given: &[u16]) -> Self {
        Self {
            words: runner.machine.words().to_vec(),
            facts: OwnFacts::default(),
            asked,
            choices: runner.machine.choices().to_vec(),
            answer: given.first().map_or(0, |&index| usize::from(index)),
            together: runner.together().map(|together| (together.clone(), given.to_vec())),
        }
    }
}

impl Runner {
    /// The seats asked by the last question, if it went to several.
    fn together(&self) -> Option<&Together> {
        let traces = self.machine.traces();
        traces.asks_together.then_some(&traces.together)
    }
}
