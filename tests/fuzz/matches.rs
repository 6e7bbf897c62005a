//! Answers, snapshots, redeals and all other match operations, in any order, in all games and in one whose hooks behave
//! differently when they run again.

use std::sync::OnceLock;

use motherlode::{Choice, Decision, Game, Match, MatchError, Mod, Replay, Snapshot, StateRef};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::driver::{Outcomes, Target, fuzz};
use crate::cards::all;
use crate::shipped::{Variant, load, load_modded, root};
use crate::twins::SplitMix64;

/// Maximum snapshots kept.
const KEPT: usize = 6;

fn wild() -> &'static Game {
    static GAME: OnceLock<Game> = OnceLock::new();
    GAME.get_or_init(|| load(&root().join("tests/fixtures/fuzz"), "wild"))
}

/// The wild game with a mod that asks before and after the game's own questions.
fn wilder() -> &'static Game {
    static GAME: OnceLock<Game> = OnceLock::new();
    GAME.get_or_init(|| {
        let root = root().join("tests/fixtures/fuzz");
        let wilder = Mod::open(&root.join("mods/wilder")).unwrap_or_else(|faults| panic!("{faults}"));
        load_modded(&root, "wild", vec![wilder])
    })
}

pub const WILD: [Variant; 7] = [
    Variant::new(wild, 3, &[]),
    Variant::new(wild, 2, &[("faults", "true")]),
    Variant::new(wild, 4, &[("faults", "true"), ("length", "9")]),
    Variant::new(wild, 3, &[("board", "hex"), ("faults", "true")]),
    Variant::new(wild, 4, &[("board", "hex")]),
    Variant::new(wilder, 3, &[]),
    Variant::new(wilder, 2, &[("faults", "true")]),
];

/// A quick summary of a match's position.
type Glance = (u64, Option<Decision>, Vec<i32>, Vec<Decision>, usize);

fn glance(m: &Match) -> Glance {
    (m.state().hash(), m.decision(), m.choices().to_vec(), m.pending(), m.answers().len())
}

fn differ(what: &str, before: &Glance, after: &Glance) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{what}:\n{before:?}\n{after:?}")) }
}

struct Matches {
    variants: Vec<Variant>,
    /// Two matches of each variant, made on demand. Forks are restored into the second.
    matches: Vec<Option<(Match, Match)>>,
}

impl Target for Matches {
    const NAME: &'static str = "matches";
    const GENES: std::ops::Range<usize> = 10..120;
    const INPUTS: u64 = 60;

    fn new() -> Self {
        let variants: Vec<Variant> = WILD.into_iter().chain(all()).collect();
        let matches = variants.iter().map(|_| None).collect();
        Self { variants, matches }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let mut random = SplitMix64::new(u64::from(first));
        // The wild game finds more, so it gets half of the inputs.
        let wild = random.below(2) == 0;
        let at = random.below(if wild { WILD.len() } else { self.variants.len() });
        let (variant, seed) = (self.variants[at], random.below(1000) as u64);
        // A failed match is not reused.
        let (mut m, other) = self.matches[at].take().unwrap_or_else(|| (variant.begin(0), variant.begin(0)));
        m.restart(&variant.setup(seed)).map_err(|error| format!("{variant}: the beginning: {error}"))?;
        let mut walk = Walk { m, other, kept: Vec::new(), edited: false, redealt: false };
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            let what = walk.step(&mut random, seen).map_err(|error| format!("{variant}, seed {seed}: {error}"))?;
            let place = walk.m.decision().map(|d| (d.phase_index(), d.prompt_index()));
            let middle = (walk.m.is_mid_hook(), walk.m.pending().len().min(2));
            // Outcomes ignore numbers, so this spells them as letters.
            let spelt = |n: usize| char::from(b'a' + (n % 26) as u8);
            let place = place.map_or(('-', '-'), |(phase, prompt)| (spelt(phase), spelt(prompt)));
            seen.outcome(&format!("{} {what} {place:?} {middle:?} {}", spelt(at), walk.redealt));
            seen.execution();
        }
        self.matches[at] = Some((walk.m, walk.other));
        Ok(())
    }
}

struct Walk {
    m: Match,
    other: Match,
    /// Snapshots, each with two flags: whether the match was edited, and redealt, before. After an edit, a hook that
    /// runs again need not reach the same position.
    kept: Vec<(Snapshot, Glance, [bool; 2])>,
    edited: bool,
    redealt: bool,
}

impl Walk {
    /// Performs one operation and names it.
    fn step(&mut self, random: &mut SplitMix64, seen: &mut Outcomes) -> Result<&'static str, String> {
        // A redeal takes as long as a hundred answers.
        let done = match random.below(64) {
            0..4 => self.answer_as(random, seen),
            4 => self.answer_wrong(random),
            5..7 => self.keep(),
            7..10 => self.restore(random),
            10..12 => self.fork(random),
            12..14 => self.redeal(random, seen),
            14 => self.redeal_twice(random),
            15 => self.restart(random),
            16..18 => self.focus(random),
            18 => self.look(random),
            19 => self.edit(random, seen),
            20 => self.replay(random),
            _ => self.answer(random, seen),
        }?;
        self.sound(random)?;
        Ok(done)
    }

    fn count(&self) -> usize {
        self.m.choices().len()
    }

    fn players(&self) -> usize {
        usize::from(self.m.setup().players)
    }

    fn seat(&self, random: &mut SplitMix64) -> u8 {
        random.below(self.players()) as u8
    }

    /// Checks an answer. The answer may fail if a script fails.
    fn answered(&mut self, before: &Glance, done: Result<(), MatchError>, seen: &mut Outcomes) -> Result<bool, String> {
        let Err(error) = done else { return Ok(true) };
        seen.outcome(&error.to_string());
        // An edit in the middle of a hook changes its choices only when the hook runs again, as it does when an answer
        // fails. The hook may then ask nothing at all.
        if self.edited && self.m.is_mid_hook() {
            self.begin_anew()?;
            return Ok(false);
        }
        differ(&format!("refused with a trace ({error})"), before, &glance(&self.m))?;
        match error {
            MatchError::Script(fault) if fault.line > 0 && self.may_fail(&fault.message) => Ok(false),
            MatchError::NoDecision if before.1.is_none() => Ok(false),
            other => Err(format!("an offered choice is refused: {other}")),
        }
    }

    /// The wild game fails on purpose, and an edit can make positions that the rules do not know.
    fn may_fail(&self, message: &str) -> bool {
        self.edited || message.contains("failed with")
    }

    fn answer(&mut self, random: &mut SplitMix64, seen: &mut Outcomes) -> Result<&'static str, String> {
        let before = glance(&self.m);
        let index = random.below(self.count().max(1));
        let kept = (random.below(8) == 0 && !self.edited).then(|| self.m.snapshot());
        let done = self.m.answer(index);
        let ok = self.answered(&before, done, seen)?;
        if let Some(kept) = kept {
            let after = glance(&self.m);
            self.m.restore(&kept).map_err(|error| format!("taking an answer back: {error}"))?;
            differ("an answer taken back", &before, &glance(&self.m))?;
            let done = self.m.answer(index);
            self.answered(&before, done, seen)?;
            differ("answered again", &after, &glance(&self.m))?;
        }
        Ok(if ok { "answer" } else { "refused" })
    }

    fn answer_as(&mut self, random: &mut SplitMix64, seen: &mut Outcomes) -> Result<&'static str, String> {
        let pending = self.m.pending();
        let Some(decision) = pending.get(random.below(pending.len().max(1))) else { return Ok("nobody") };
        let legal = self.m.legal_of(decision.seat).map_err(|error| format!("legal_of: {error}"))?;
        if legal.is_empty() {
            return Err(format!("{decision:?} without choices"));
        }
        let before = glance(&self.m);
        let done = self.m.answer_as(decision.seat, random.below(legal.len()));
        // Another seat may have been asked before a hook failed.
        match &done {
            Err(MatchError::Script(fault)) if self.may_fail(&fault.message) => {
                seen.outcome(&fault.to_string());
                if before.0 != self.m.state().hash() && self.m.pending().len() < 2 || before.3 != self.m.pending() {
                    return Err(format!("refused with a trace ({fault}):\n{before:?}\n{:?}", glance(&self.m)));
                }
                Ok("refused")
            }
            Err(error) => Err(format!("an offered choice is refused: {error}")),
            Ok(()) => Ok("answer as"),
        }
    }

    fn answer_wrong(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        let before = glance(&self.m);
        let count = self.count();
        let index = [count, count + 1, usize::from(u16::MAX), usize::from(u16::MAX) + 1, usize::MAX][random.below(5)];
        let seat = (random.bits() % 20) as u8;
        let refused = match random.below(3) {
            0 => self.m.answer(index).is_err(),
            1 if self.m.pending().iter().any(|decision| decision.seat == seat) => return Ok("pending"),
            1 => self.m.answer_as(seat, 0).is_err() && self.m.legal_of(seat).is_err(),
            _ => before.1.is_none_or(|decision| self.m.answer_as(decision.seat, index).is_err()),
        };
        differ("a wrong answer", &before, &glance(&self.m))?;
        if refused { Ok("wrong") } else { Err(format!("taken: choice {index} of {count}, seat {seat}")) }
    }

    fn keep(&mut self) -> Result<&'static str, String> {
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push((self.m.snapshot(), glance(&self.m), [self.edited, self.redealt]));
        Ok("keep")
    }

    fn restore(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        if self.kept.is_empty() {
            return Ok("nothing kept");
        }
        let (snapshot, then, [edited, redealt]) = &self.kept[random.below(self.kept.len())];
        let (edited, redealt, before) = (*edited, *redealt, glance(&self.m));
        match self.m.restore(snapshot) {
            Ok(()) if !edited => differ("restored", then, &glance(&self.m))?,
            Ok(()) => {}
            Err(_) if edited && (self.m.is_over() || before == glance(&self.m)) => return Ok("cannot restore"),
            Err(error) => return Err(format!("restore: {error}")),
        }
        (self.edited, self.redealt) = (edited, redealt);
        Ok("restore")
    }

    /// A fork has the same position and takes the same course.
    fn fork(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        if self.edited {
            return Ok("edited");
        }
        let before = glance(&self.m);
        let index = random.below(self.count().max(1));
        let snapshot = self.m.snapshot();
        // A real fork makes a script host, which is expensive.
        if random.below(50) == 0 {
            self.other = self.m.fork().map_err(|error| format!("fork: {error}"))?;
        } else {
            self.other.restore(&snapshot).map_err(|error| format!("restore in another match: {error}"))?;
        }
        differ("a fork", &before, &glance(&self.other))?;
        let (one, other) = (self.m.answer(index), self.other.answer(index));
        if one != other {
            return Err(format!("a fork answers otherwise: {one:?}, {other:?}"));
        }
        differ("a fork goes another way", &glance(&self.m), &glance(&self.other))?;
        Ok("fork")
    }

    fn redeal(&mut self, random: &mut SplitMix64, seen: &mut Outcomes) -> Result<&'static str, String> {
        let seat = self.seat(random);
        let before = glance(&self.m);
        let observation = self.m.observe(Some(seat));
        let own = self.m.pending().iter().any(|decision| decision.seat == seat);
        let choices = |m: &mut Match| {
            let choices = if own { m.legal_of(seat).unwrap_or_default() } else { Vec::new() };
            choices.iter().map(|choice: &Choice| choice.id.clone()).collect::<Vec<_>>()
        };
        let legal = choices(&mut self.m);
        let done = self.m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(random.bits()));
        if let Err(error) = done {
            seen.outcome(&format!("redeal: {error}"));
            differ(&format!("a redeal that fails ({error})"), &before, &glance(&self.m))?;
            return match error {
                MatchError::NoDeal { .. } => Ok("no deal"),
                MatchError::Script(fault) if self.may_fail(&fault.message) => Ok("failed deal"),
                error => Err(format!("redeal: {error}")),
            };
        }
        // In the new deal, a hook that waits for another seat may run to its end.
        if own && !self.edited {
            if observation != self.m.observe(Some(seat)) {
                return Err(format!("seat {seat} notices the redeal"));
            }
            if legal != choices(&mut self.m) {
                return Err(format!("seat {seat} is asked something else: {legal:?}, {:?}", choices(&mut self.m)));
            }
        }
        self.redealt = true;
        Ok("redeal")
    }

    /// Redeals twice with the same generator and compares.
    fn redeal_twice(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        if self.edited {
            return Ok("edited");
        }
        let (seat, seed, snapshot) = (self.seat(random), random.bits(), self.m.snapshot());
        self.other.restore(&snapshot).map_err(|error| format!("restore in another match: {error}"))?;
        let one = self.m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed));
        let two = self.other.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed));
        if one != two {
            return Err(format!("redealt in two ways: {one:?}, {two:?}"));
        }
        differ("redealt in two ways", &glance(&self.m), &glance(&self.other))?;
        self.redealt |= one.is_ok();
        Ok("redeal twice")
    }

    fn restart(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        let mut setup = self.m.setup().clone();
        setup.seed = random.bits();
        self.m.restart(&setup).map_err(|error| format!("restart: {error}"))?;
        (self.edited, self.redealt) = (false, false);
        // Snapshots belong to one setup, which includes the seed.
        self.kept.clear();
        Ok("restart")
    }

    fn focus(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        let (seat, before) = (self.seat(random), glance(&self.m));
        let pending = before.3.iter().any(|decision| decision.seat == seat);
        match self.m.focus(seat) {
            Ok(()) if !pending => Err(format!("seat {seat} has nothing to decide, but the focus")),
            Ok(()) if self.m.decision().map(|decision| decision.seat) != Some(seat) => {
                Err(format!("the focus is not on seat {seat}"))
            }
            Ok(()) if self.m.pending() != before.3 => Err("a focus changes who is asked".to_owned()),
            Ok(()) => Ok("focus"),
            Err(error) if pending && !self.edited => Err(format!("focus on seat {seat}: {error}")),
            Err(_) => differ("a focus that is refused", &before, &glance(&self.m)).map(|()| "no focus"),
        }
    }

    fn look(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        let before = glance(&self.m);
        self.m.set_logging(random.below(2) == 0);
        let json = serde_json::to_string(&self.m.observe(Some(self.seat(random))));
        json.map_err(|error| error.to_string())?;
        let texts: Vec<String> = before
            .3
            .iter()
            .map(|decision| decision.text(self.m.game()))
            .chain(self.m.legal().into_iter().map(|c| c.label))
            .collect();
        if texts.iter().any(String::is_empty) {
            return Err(format!("a question or choice without a text: {texts:?}"));
        }
        if random.below(2) == 0 {
            self.m.take_log();
        }
        let _ = (self.m.automatic(), self.m.words_for(Some(0)));
        differ("looking changes something", &before, &glance(&self.m))?;
        Ok("look")
    }

    fn edit(&mut self, random: &mut SplitMix64, seen: &mut Outcomes) -> Result<&'static str, String> {
        let before = glance(&self.m);
        let (counters, zones, phases) = {
            let d = self.m.game().declarations();
            (d.counters.len(), d.zones.len(), d.phases.len())
        };
        let tokens = self.m.game().layout().tokens.len() + 2;
        let holder = random.below(20) as i32 - 1;
        let value = [-3, -1, 0, 1, 2, 3, 9, 12, i32::MAX, i32::MIN][random.below(10)];
        let list: Vec<i32> = (0..random.below(4)).map(|_| random.below(tokens) as i32 - 1).collect();
        let (at, seat, up) = (random.below(counters + 1), random.below(20) as u8, random.below(2) == 0);
        let kept = self.m.snapshot();
        let mut editor = self.m.edit();
        let done = match random.below(6) {
            0 | 1 => editor.set_counter(holder, at, value),
            2 => editor.set_zone(random.below(zones + 1), holder, &list),
            3 => editor.set_face_up(random.below(tokens) as i32 - 1, up),
            4 => editor.show(random.below(tokens) as i32 - 1, seat),
            _ => editor.begin_phase(random.below(phases + 1), Some(random.below(4) as i32), Some(seat)),
        };
        match done {
            Ok(()) if self.count() == 0 && !self.m.is_over() => self.leave(&kept, &before),
            Ok(()) => {
                self.edited = true;
                Ok("edit")
            }
            Err(error) => {
                seen.outcome(&format!("edit: {error}"));
                differ(&format!("an edit that is refused ({error})"), &before, &glance(&self.m))?;
                Ok("no edit")
            }
        }
    }

    /// The edit left the pending question without a choice: every answer fails, and the earlier snapshot can be restored.
    fn leave(&mut self, kept: &Snapshot, before: &Glance) -> Result<&'static str, String> {
        let stuck = glance(&self.m);
        if self.m.answer(0) != Err(MatchError::BadChoice { index: 0, count: 0 }) {
            return Err("an answer without a choice is taken".to_owned());
        }
        differ("an answer without a choice", &stuck, &glance(&self.m))?;
        match self.m.restore(kept) {
            Ok(()) if self.edited => {}
            Ok(()) => differ("an edit taken back", before, &glance(&self.m))?,
            // A hook that runs again in an edited position may fail.
            Err(_) if self.edited => self.begin_anew()?,
            Err(error) => return Err(format!("an edit taken back: {error}")),
        }
        Ok("edit without a choice")
    }

    fn begin_anew(&mut self) -> Result<(), String> {
        let setup = self.m.setup().clone();
        self.m.restart(&setup).map_err(|error| format!("begun again: {error}"))?;
        (self.edited, self.redealt) = (false, false);
        Ok(())
    }

    fn replay(&mut self, random: &mut SplitMix64) -> Result<&'static str, String> {
        if self.edited || self.redealt || random.below(8) > 0 {
            return Ok("no replay");
        }
        let replay = Replay::record(&self.m);
        replay.verify(self.m.game()).map_err(|error| format!("what was recorded: {error}"))?;
        let played = replay.play(self.m.game(), None).map_err(|error| format!("what was recorded: {error}"))?;
        if played.state().hash() != self.m.state().hash() {
            return Err("played again to another state".to_owned());
        }
        Ok("replay")
    }

    /// Checks the invariants of every position.
    fn sound(&self, random: &mut SplitMix64) -> Result<(), String> {
        let m = &self.m;
        let (decision, count) = (m.decision(), m.choices().len());
        let pending = m.pending();
        if decision.is_none() != m.is_over() || (count == 0) != m.is_over() || pending.is_empty() != m.is_over() {
            return Err(format!("over: {}, but {decision:?} with {count} choices, {pending:?}", m.is_over()));
        }
        if decision.is_some_and(|decision| !pending.contains(&decision)) || m.outcome().is_some() != m.is_over() {
            return Err(format!("{decision:?} of {pending:?}, {:?}", m.outcome()));
        }
        if random.below(8) == 0 { in_range(m, m.state()) } else { Ok(()) }
    }
}

/// Checks that no counter is out of range and no token is in two places.
pub fn in_range(m: &Match, state: StateRef<'_>) -> Result<(), String> {
    let (d, layout) = (m.game().declarations(), m.game().layout());
    for (at, (name, counter)) in d.counters.iter().enumerate() {
        for holder in 0..=40 {
            if let Some(word) = layout.counter_word(at, holder)
                && !(counter.min..=counter.max).contains(&state.words()[word])
            {
                return Err(format!("counter {name} of {holder} is {}", state.words()[word]));
            }
        }
    }
    let mut places = vec![0; layout.tokens.len() + 1];
    for (zone, declared) in d.zones.values().enumerate() {
        for holder in 0..=i32::from(m.setup().players) {
            for token in m.zone(zone, holder).unwrap_or_default() {
                let place = usize::try_from(token).ok().and_then(|token| places.get_mut(token));
                let Some(place) = place else { return Err(format!("no token {token}")) };
                *place += 1;
                let kind = layout.tokens[token as usize - 1].kind;
                if *place > 1 || !declared.holds.contains(&kind) {
                    return Err(format!("token {token} is in {place} zones, of kind {kind}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn matches_survive_random_operations() {
    fuzz::<Matches>();
}
