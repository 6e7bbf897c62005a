//! Explains why and where a hook failed.

use crate::script::luau::absent::{absent_in, line_of};
use crate::script::luau::host::Host;
use crate::script::luau::message::place_of;
use crate::script::luau::raw::FaultLines;
use crate::script::luau::sandbox::Mode;
use crate::script::machine::chance::Chance;
use crate::script::machine::choosable::refused;
use crate::script::machine::guard::Guard;
use crate::script::machine::{CallEnd, Hook, Machine, ScriptFault, Trap, VerbPlace, guarded, replay};

/// Place and message of a failure.
struct FaultPlace {
    file: String,
    line: u32,
    message: String,
    /// The script line that called the failing function of `lib.luau`.
    caller: Option<(String, u32)>,
    verb: Option<VerbPlace>,
}

impl Host {
    /// Explains a failure. To find the line, it runs the hook again in a careful VM, from the same state with the
    /// same answers, because inlined code has no line numbers.
    pub(super) fn find(
        &mut self,
        trap: &Trap,
        hook: Hook,
        args: &[i32],
        state: &[i32],
        answers: &[u16],
    ) -> ScriptFault {
        let refused = self.take_refused();
        let careful = if self.mode == Mode::Careful {
            None
        } else {
            self.run_carefully(trap, hook, args, (state, answers), refused)
        };
        let FaultPlace { file, line, message, caller, verb } = careful.unwrap_or_else(|| {
            let (file, line, message) = self.locate(trap, hook);
            FaultPlace { file, line, message, caller: None, verb: None }
        });
        let d = &self.parts.declarations;
        let source = d.all_scripts().find(|script| script.path == file).map_or("", |script| script.source.as_str());
        let message = match absent_in(&message, line_of(source, line)) {
            Some((name, instead)) => format!("{message}: scripts have no `{name}`; {instead}"),
            None => message,
        };
        let (hook, player) = (hook.shown(d), hook.player(args));
        ScriptFault { pack: d.id.clone(), file, line, hook, player, caller, verb, message }
    }

    fn run_carefully(
        &mut self,
        trap: &Trap,
        hook: Hook,
        args: &[i32],
        (state, answers): (&[i32], &[u16]),
        refused: Option<i32>,
    ) -> Option<FaultPlace> {
        let mut host = match self.careful.take() {
            Some(host) if !host.broken => {
                // A text that an earlier hook has left behind would cost nothing to make.
                host.program.vm.lua().gc_collect().ok()?;
                host
            }
            _ => Box::new(Self::new(&self.parts, Mode::Careful).ok()?),
        };
        host.set_options(&self.options);
        host.words_mut().copy_from_slice(state);
        let (grants, careful) = (self.grants(), host.grants_mut());
        careful.limits = grants.limits;
        careful.seat = grants.seat;
        careful.fixed.clone_from(&grants.fixed);
        careful.chance = grants.chance.as_ref().map(|chance| Chance::new(chance.given.clone()));
        let guard = hook.looks().map_or_else(|| grants.guard.clone(), Guard::Looks);
        let found = guarded(&mut *host, guard, |host| host.find_fault(trap, hook, args, answers, refused));
        self.careful = Some(host);
        found
    }

    /// The choice that the prompt of the last question does not accept.
    fn take_refused(&mut self) -> Option<i32> {
        let (_, _, choices, _) = self.program.vm.buffers_mut();
        let refused = refused(choices);
        if refused.is_some() {
            choices[2] = 0;
        }
        refused
    }

    /// File and line of the call that listed a choice.
    fn listing_of(&self, choice: i32) -> Option<(String, u32)> {
        let place: String = self.program.listed.raw_get(choice).ok()?;
        let (file, line) = place.rsplit_once(':')?;
        Some((file.to_owned(), line.parse().ok()?))
    }

    /// Runs a failing hook again; returns the place of the failure. `refused`: a listed choice that is to blame.
    fn find_fault(
        &mut self,
        trap: &Trap,
        hook: Hook,
        args: &[i32],
        answers: &[u16],
        refused: Option<i32>,
    ) -> Option<FaultPlace> {
        self.program.running.clear().ok()?;
        self.program.listed.clear().ok()?;
        // If the hook must not ask, find even a question with a single choice.
        self.grants_mut().silent = *trap == Trap::Asks;
        let mut rest = answers;
        let ended = replay(self, hook, args, |host, given| host.traces().take_answers(&mut rest, given));
        self.grants_mut().silent = false;
        let trap = match ended {
            Err(trap) => trap,
            // The careful VM runs every hook as a coroutine, so a hook that must not ask can ask here. Or its
            // question was wrong.
            Ok(CallEnd::Asks) => trap.clone(),
            // The hook listed a choice that its prompt does not accept.
            Ok(CallEnd::Done(_)) => {
                let (file, line) = self.listing_of(refused?)?;
                let (_, _, message) = self.locate(trap, hook);
                return Some(FaultPlace { file, line, message, caller: None, verb: None });
            }
        };
        let listing = self.take_refused().or(refused).and_then(|choice| self.listing_of(choice));
        let (file, line, message) = self.locate(&trap, hook);
        let FaultLines { lines, in_verb } = self.program.vm.fault_lines();
        // If a mod's loop calls the game, the mod is to blame for the spent steps.
        let of_mod = lines.iter().find(|(file, _)| trap == Trap::Steps && self.is_of_mod(file));
        // A function called by a built-in verb is itself to blame.
        let in_verb = of_mod.is_none() && (in_verb || lines.is_empty());
        let (file, line) = listing.or_else(|| of_mod.or_else(|| lines.first()).cloned()).unwrap_or((file, line));
        let verb = self.running_verb();
        // Authors do not know the lines of built-in verbs.
        let standard = |verb: &&VerbPlace| {
            in_verb && self.parts.declarations.verbs.get(&verb.verb).is_some_and(|one| one.standard)
        };
        let (file, line) = match verb.as_ref().filter(standard) {
            Some(verb) => (verb.place.file.clone(), verb.place.line),
            None => (file, line),
        };
        let d = &self.parts.declarations;
        let caller = lines.iter().find(|(caller, _)| !d.is_lib(caller)).filter(|_| d.is_lib(&file)).cloned();
        Some(FaultPlace { file, line, message, caller, verb })
    }

    fn is_of_mod(&self, file: &str) -> bool {
        self.parts.declarations.all_scripts().any(|script| script.layer > 0 && script.path == file)
    }

    /// The innermost verb of a definition that was running when the hook failed.
    fn running_verb(&self) -> Option<VerbPlace> {
        let running = &self.program.running;
        let number: usize = running.raw_get(running.raw_len()).ok()?;
        self.program.verb_places.get(number.checked_sub(1)?).cloned()
    }

    /// File, line and message of a failure, from its text. Without a place in the text: the first line of the hook.
    fn locate(&self, trap: &Trap, hook: Hook) -> (String, u32, String) {
        let file = match hook {
            Hook::Setup | Hook::Finish | Hook::Redeal => "game",
            Hook::Phase(..) => "phases",
        };
        let layers = self.program.contributions.get(&format!("{file}.{}", hook.shown(&self.parts.declarations)));
        let begins = layers.and_then(|layers| layers.last());
        let path = begins.map(|begins| begins.file.clone()).unwrap_or_default();
        let text = match trap {
            Trap::Asks => "this hook must not ask: only `start`, `run`, `begin_turn`, `turn`, `act`, `end_turn`, `resolve`, `setup` and `finish` may".into(),
            Trap::Unfinished => "this hook must be called again".to_owned(),
            Trap::Steps => {
                format!("spent its budget of {} steps: is there an infinite loop?", self.grants().limits.steps)
            }
            Trap::Memory => "ran out of memory".to_owned(),
            Trap::Raised(text) => text.clone(),
        };
        for script in self.parts.declarations.all_scripts() {
            if text.starts_with(&script.path) {
                let (line, message) = place_of(&script.path, &text);
                // Kernels prepend their own position.
                let (_, message) = place_of(&script.path, &message);
                return (script.path.clone(), line, message);
            }
        }
        let (line, message) = place_of(&path, &text);
        (path, if line > 1 { line } else { begins.map_or(1, |begins| begins.line) }, message)
    }
}
