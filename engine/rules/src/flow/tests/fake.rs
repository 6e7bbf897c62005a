//! A machine whose hooks are Rust functions. It has no coroutines: it restarts a suspended hook with one more answer.

use indexmap::IndexMap;

use crate::game::Game;
use crate::script::machine::chance::{Chance, ChanceOverrides};
use crate::script::machine::choices::{BUFFER_WORDS, MAX_CHOICES};
use crate::script::machine::{
    CallEnd, Desk, Grants, Hook, Machine, Question, Returned, ScriptFault, Traces, Trap, Values, guard,
};
use crate::state::PositionMut;
use crate::state::key::key_of;
use crate::state::position::EVERYBODY;
use crate::state::words::changed_words;
use crate::transcript::Line;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Diagnostic;

/// Steps charged for each question, draw and write.
const COST: i64 = 1;

/// Why a function stops early.
#[derive(Debug)]
pub enum Stop {
    Waits,
    Failed(Trap),
}

pub type Done = Result<Returned, Stop>;
/// A hook.
pub type Script = fn(&mut Act<'_>, &[i32]) -> Done;

/// A running hook, with its answers.
pub struct Act<'f> {
    game: &'f Game,
    words: &'f mut [i32],
    choices: &'f mut Vec<i32>,
    grants: &'f mut Grants,
    traces: &'f mut Traces,
    answers: Option<&'f [u16]>,
    taken: usize,
    spent: i64,
}

impl Act<'_> {
    fn at(&self, counter: &str, holder: i32) -> usize {
        let counter = self.game.declarations().counters.get_index_of(counter).unwrap();
        self.game.layout().counter_word(counter, holder).unwrap()
    }

    pub fn players(&self) -> i32 {
        self.words[crate::state::layout::word::PLAYERS]
    }

    pub fn get(&self, counter: &str, holder: i32) -> i32 {
        self.words[self.at(counter, holder)]
    }

    pub fn set(&mut self, counter: &str, holder: i32, value: i32) -> Result<(), Stop> {
        self.spend()?;
        let (at, d) = (self.at(counter, holder), self.game.declarations());
        // Luau checks after the call whether a read-only hook has written.
        if let guard::Guard::Looks(_) = self.grants.guard {
            self.words[at] = value;
            return Ok(());
        }
        self.grants.guard.word(d, self.game.layout(), at).map_err(|text| Stop::Failed(Trap::Raised(text)))?;
        self.words[at] = value;
        Ok(())
    }

    pub fn random(&mut self, n: u32) -> Result<i32, Stop> {
        self.spend()?;
        self.traces.used_random = true;
        let script = (key_of(&["script", "", "phases.luau"]) as u32 >> 1).cast_signed();
        let fallen = PositionMut { layout: self.game.layout(), words: self.words }.random(n, script);
        Ok(self.grants.chance.as_mut().map_or(fallen, |chance| chance.draw(n, fallen, EVERYBODY)).cast_signed())
    }

    pub fn say(&mut self, text: &str) {
        if !self.is_again() {
            let moment = self.moment();
            self.traces.say(|| Line::public_line(text.to_owned()).at(moment.0, moment.1));
        }
    }

    pub fn pass(&mut self, player: i32) {
        self.words[crate::state::layout::word::PASSED] |= 1 << (player - 1);
    }

    pub fn fail(&self, message: &str) -> Done {
        Err(Stop::Failed(Trap::Raised(message.to_owned())))
    }

    /// Lists a choice of an offer.
    pub fn offer(&mut self, choice: i32) {
        self.choices.push(choice);
    }

    pub fn choose(&mut self, player: i32, prompt: &str, list: &[i32]) -> Result<i32, Stop> {
        self.spend()?;
        let question = Question { seat: player as u8 - 1, prompt: self.prompt(prompt), values: Values::NONE };
        if let Some(only) = self.game.choosable().single(question.prompt, list).filter(|_| !self.grants.silent) {
            if !self.is_again() {
                let moment = self.moment();
                self.traces.force(question, moment, only);
            }
            return Ok(only);
        }
        let Some(&index) = self.answers.ok_or(Stop::Failed(Trap::Asks))?.get(self.taken) else {
            self.traces.question = Some(question);
            self.choices.clear();
            self.choices.extend_from_slice(list);
            return Err(Stop::Waits);
        };
        self.taken += 1;
        Ok(list[usize::from(index)])
    }

    /// Asks all players at once; returns their choices.
    pub fn choose_all(&mut self, prompt: &str, list: &[i32]) -> Result<Vec<i32>, Stop> {
        self.spend()?;
        let prompt = self.prompt(prompt);
        let seats = self.players();
        let Some(answers) = self.answers else { return Err(Stop::Failed(Trap::Asks)) };
        if let Some(given) = answers.get(self.taken..self.taken + seats as usize) {
            self.taken += given.len();
            return Ok(given.iter().map(|&index| list[usize::from(index)]).collect());
        }
        self.traces.said_before = self.traces.transcript_len();
        self.traces.together.clear();
        (0..seats).for_each(|seat| assert!(self.traces.together.add(seat as u8, list)));
        self.traces.asks_together = true;
        self.traces.question = Some(Question { seat: 0, prompt, values: Values::NONE });
        self.choices.clear();
        self.choices.extend_from_slice(list);
        Err(Stop::Waits)
    }

    /// Whether the hook repeats a part before its last answer, where its lines are already in the transcript.
    fn is_again(&self) -> bool {
        self.answers.is_some_and(|answers| self.taken < answers.len())
    }

    fn prompt(&self, name: &str) -> usize {
        self.game.declarations().prompts.get_index_of(name).unwrap()
    }

    fn moment(&self) -> (i32, i32) {
        use crate::state::layout::word;
        (self.words[word::ROUND], self.words[word::PHASE])
    }

    fn spend(&mut self) -> Result<(), Stop> {
        self.spent += COST;
        if self.spent > self.grants.limits.steps { Err(Stop::Failed(Trap::Steps)) } else { Ok(()) }
    }
}

/// A suspended hook.
#[derive(Debug, Clone)]
struct Waiting {
    hook: Hook,
    args: Vec<i32>,
    begin: Vec<i32>,
    /// The state at its question. The flow may change it: a redeal writes another seed.
    left: Vec<i32>,
    /// Draws before the hook began.
    drawn: usize,
    answers: Vec<u16>,
    /// Overridden results of the call.
    given: ChanceOverrides,
}

/// A machine with these hooks.
#[derive(Debug)]
pub struct Fake {
    game: Game,
    hooks: Vec<(Hook, Script)>,
    words: Vec<i32>,
    /// The state at the last `forget_written`.
    unwritten: Vec<i32>,
    choices: Vec<i32>,
    /// The choice buffer: the number of choices, then the choices.
    buffer: Vec<i32>,
    grants: Grants,
    traces: Traces,
    logging: bool,
    /// Suspended hooks: first the one without a seat, then one for each seat.
    waiting: Vec<Option<Waiting>>,
}

impl Fake {
    pub fn new(game: &Game, hooks: &[(Hook, Script)]) -> Self {
        let words = vec![0; game.layout().words];
        Self {
            game: game.clone(),
            hooks: hooks.to_vec(),
            unwritten: words.clone(),
            words,
            choices: Vec::new(),
            buffer: vec![0; BUFFER_WORDS],
            grants: Grants::default(),
            traces: Traces::default(),
            logging: false,
            waiting: vec![None; 1 + game.layout().players],
        }
    }

    fn run(&mut self, hook: Hook, args: &[i32], answers: Option<&[u16]>) -> Done {
        let Some((_, script)) = self.hooks.iter().find(|(known, _)| *known == hook) else { return Ok(Returned::Nil) };
        let Self { game, words, choices, grants, traces, .. } = self;
        (traces.question, traces.asks_together) = (None, false);
        let mut act = Act { game, words, choices, grants, traces, answers, taken: 0, spent: 0 };
        let done = script(&mut act, args);
        let spent = act.spent;
        self.traces.spend(hook, spent);
        self.fill_buffer();
        done
    }

    fn go_on(&mut self, mut waiting: Waiting) -> Result<CallEnd, Trap> {
        self.choices.clear();
        match self.run(waiting.hook, &waiting.args, Some(&waiting.answers)) {
            Ok(returned) => Ok(CallEnd::Done(returned)),
            Err(Stop::Failed(trap)) => Err(trap),
            Err(Stop::Waits) => {
                let at = self.seat();
                waiting.left.clone_from(&self.words);
                self.waiting[at] = Some(waiting);
                Ok(CallEnd::Asks)
            }
        }
    }

    fn seat(&self) -> usize {
        self.grants.seat.map_or(0, |seat| usize::from(seat) + 1)
    }

    fn fill_buffer(&mut self) {
        self.buffer[0] = self.choices.len() as i32;
        self.buffer[1..=self.choices.len()].copy_from_slice(&self.choices);
    }
}

impl Machine for Fake {
    fn set_options(&mut self, _: &IndexMap<String, OptionValue>) {}

    fn words(&self) -> &[i32] {
        &self.words
    }

    fn words_mut(&mut self) -> &mut [i32] {
        &mut self.words
    }

    fn choices(&self) -> &[i32] {
        &self.buffer[1..=self.buffer[0] as usize]
    }

    fn set_choices(&mut self, list: &[i32]) {
        self.choices.clear();
        self.choices.extend_from_slice(&list[..list.len().min(MAX_CHOICES)]);
        self.fill_buffer();
    }

    fn desk(&mut self) -> Desk<'_> {
        let Self { game, words, buffer, grants, traces, .. } = self;
        Desk { layout: game.layout(), words, choices: buffer, grants, traces }
    }

    fn grants(&self) -> &Grants {
        &self.grants
    }

    fn grants_mut(&mut self) -> &mut Grants {
        &mut self.grants
    }

    fn traces(&self) -> &Traces {
        &self.traces
    }

    fn traces_mut(&mut self) -> &mut Traces {
        &mut self.traces
    }

    fn logging(&self) -> bool {
        self.logging
    }

    fn set_logging(&mut self, on: bool) {
        self.logging = on;
    }

    fn forget_written(&mut self) {
        self.unwritten.clone_from(&self.words);
    }

    fn mark_written(&mut self, words: &mut dyn Iterator<Item = usize>) {
        words.for_each(|at| self.unwritten[at] = self.words[at].wrapping_add(1));
    }

    fn has_written(&self) -> bool {
        self.unwritten != self.words
    }

    fn each_changed(&self, before: &[i32], visit: &mut dyn FnMut(u32, i32)) {
        changed_words(before, &self.words, 0..self.words.len(), visit);
    }

    fn has(&self, hook: Hook) -> bool {
        self.hooks.iter().any(|(known, _)| *known == hook)
    }

    fn call(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap> {
        match self.run(hook, args, None) {
            Ok(returned) => Ok(returned),
            Err(Stop::Failed(trap)) => Err(trap),
            Err(Stop::Waits) => Err(Trap::Asks),
        }
    }

    fn start(&mut self, hook: Hook, args: &[i32]) -> Result<CallEnd, Trap> {
        let (args, begin) = (args.to_vec(), self.words.clone());
        let drawn = self.grants.chance.as_ref().map_or(0, |chance| chance.draws.len());
        let given = self.grants.chance.as_ref().map(|chance| chance.given.clone()).unwrap_or_default();
        self.go_on(Waiting { hook, args, begin, left: Vec::new(), drawn, answers: Vec::new(), given })
    }

    fn resume(&mut self, given: &[u16]) -> Result<CallEnd, Trap> {
        let at = self.seat();
        let Some(mut waiting) = self.waiting[at].take() else {
            return Err(Trap::Raised("no hook waits for an answer".to_owned()));
        };
        waiting.answers.extend_from_slice(given);
        for (at, word) in self.words.iter().enumerate().filter(|(at, word)| waiting.left[*at] != **word) {
            waiting.begin[at] = *word;
        }
        self.words.clone_from(&waiting.begin);
        if let Some(chance) = &mut self.grants.chance {
            chance.draws.truncate(waiting.drawn);
            return self.go_on(waiting);
        }
        // A coroutine has its redealt results behind it; this machine repeats them.
        self.grants.chance = Some(Chance::new(waiting.given.clone()));
        let end = self.go_on(waiting);
        self.grants.chance = None;
        end
    }

    fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], _: &[i32], _: &[u16]) -> ScriptFault {
        ScriptFault {
            pack: self.game.declarations().id.clone(),
            file: "fake.rs".to_owned(),
            line: 1,
            hook: hook.shown(self.game.declarations()),
            player: hook.player(args),
            caller: None,
            verb: None,
            message: format!("{trap:?}"),
        }
    }

    fn is_broken(&self) -> bool {
        false
    }

    fn is_undecided(&self) -> bool {
        false
    }

    fn renew(&mut self) -> Result<(), Vec<Diagnostic>> {
        *self = Self::new(&self.game, &self.hooks);
        Ok(())
    }
}
