//! The loader: compiles scripts, runs their top level, and collects their faults.

use std::collections::BTreeSet;
use std::sync::Arc;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Table, Value as LuaValue};

use crate::script::bytecode::{assigns_outside, functions};
use crate::script::luau::absent::{absent_in, line_of};
use crate::script::luau::contribution::Contributions;
use crate::script::luau::counting::HostCounts;
use crate::script::luau::header::{self, Variants};
use crate::script::luau::message::{message_of, place_at_start, place_of, traced_calls, without_trace};
use crate::script::luau::parts::{CompiledScript, Parts};
use crate::script::luau::raw::Vm;
use crate::script::luau::sandbox::{ALL_LOAD_STEPS, LOAD_STEPS, MEMORY, Mode, Sandbox};
use crate::script::luau::stretch::{MAX_SUMS, Stretch};
use crate::script::luau::words::{is_underscores, line_at, words};
use crate::script::machine::VerbPlace;
use crate::script::machine::budget::{Budget, EXHAUSTED, Price, SPENT};
use crate::state::key::key_of;
use motherlode_content::declare::{Declarations, Location, Script};
use motherlode_content::diagnostic::{Diagnostic, Related};
use motherlode_content::hidden::{clean_message, shown};
use motherlode_content::source::{LIB, is_in_lib_folder, line_span, script_stem};

/// Maximum size of bytecode after inlining, in bytes.
const MOST_CODE: usize = 512 << 10;

/// Maximum faults reported for one script's table.
pub const MAX_FAULTS: usize = 50;

/// A game's scripts while they are loaded into a VM.
pub(super) struct Loader<'a> {
    pub(super) parts: &'a Parts,
    pub(super) d: &'a Arc<Declarations>,
    compiler: Compiler,
    variants: Variants,
    pub(super) careful: bool,
    /// Whether the scripts record refused choices.
    pub(super) reasons: bool,
    /// The verbs of definitions, by the numbers that the careful VM records.
    pub(super) verb_places: Vec<VerbPlace>,
    /// Functions of verbs with choices, as `verb` and `verb.can`, of which no part needs the context of a list.
    pub(super) plain_functions: BTreeSet<String>,
    pub(super) counting: Option<HostCounts>,
    pub(super) vm: Vm,
    pub(super) shared: Table,
    pub(super) options: Table,
    pub(super) faults: Vec<Diagnostic>,
    /// File and line of the item that is being loaded.
    pub(super) place: (String, u32),
    pub(super) contributions: Contributions,
    /// The tables returned by the scripts.
    returned: Vec<Table>,
    /// Whether any script function assigns to a variable outside itself.
    assigns: bool,
    /// The price of a safepoint, which grows with every loaded script.
    pub(super) price: Price,
    /// Fields of the context for the targets of the definition or listener that is being loaded.
    pub(super) targets: Vec<String>,
    /// Steps left to the top levels of all scripts; negative after the exhaustion has been reported.
    steps_left: i64,
    /// The script that has taken the most steps, with their number.
    costliest: (String, i64),
}

impl<'a> Loader<'a> {
    pub(super) fn new(parts: &'a Parts, mode: Mode) -> mlua::Result<Self> {
        let Sandbox { vm, compiler, shared, options, price } = Sandbox::new(parts, mode)?;
        let counting = match mode {
            Mode::Counting => Some(HostCounts { scripts: Vec::new(), hooks: vm.lua().create_table()? }),
            _ => None,
        };
        let (d, careful) = (&parts.declarations, mode == Mode::Careful);
        let (faults, contributions) = (Vec::new(), Contributions::new());
        let verb_places = Vec::new();
        let (mut variants, reasons) = (Variants::new(&parts.declarations, &parts.layout), mode == Mode::Reasons);
        if reasons {
            variants.record_refusals();
        }
        Ok(Self {
            parts,
            d,
            compiler,
            variants,
            careful,
            reasons,
            verb_places,
            targets: Vec::new(),
            plain_functions: BTreeSet::new(),
            counting,
            vm,
            shared,
            options,
            faults,
            place: (parts.declarations.game_file(), 1),
            contributions,
            returned: Vec::new(),
            assigns: false,
            price,
            steps_left: ALL_LOAD_STEPS,
            costliest: (String::new(), 0),
        })
    }

    pub(super) fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    pub(super) fn fault(
        &mut self,
        code: &'static str,
        file: &str,
        line: u32,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let mut diagnostic = Diagnostic::of_file(code, file, message);
        let Related { column, start, end, .. } = self.related(file, line, String::new());
        diagnostic.help = help.map(clean_message);
        (diagnostic.line, diagnostic.column, diagnostic.start, diagnostic.end) = (line, column, start, end);
        self.faults.push(diagnostic);
    }

    /// Reports a fault at a declaration of a TOML file.
    pub(super) fn declared_fault(
        &mut self,
        code: &'static str,
        place: &Location,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.fault(code, &place.file, place.line, message, help);
        self.faults.last_mut().into_iter().for_each(|fault| fault.column = place.column);
    }

    /// A line of a script as the related place of a fault.
    pub(super) fn related(&self, file: &str, line: u32, message: String) -> Related {
        let script = self.d.all_scripts().find(|script| script.path == file);
        let ((start, end), column) = script.map_or(((0, 0), 1), |script| line_span(&script.source, line));
        Related { file: file.to_owned(), line, column, start, end, message }
    }

    /// Reports a fault that no script raised: memory has run out, or the engine has a bug.
    pub(super) fn host_fault(&mut self, error: &mlua::Error) {
        let (file, line) = self.place.clone();
        self.fault("host", &file, line, host_message(error), None);
    }

    /// Compiles a script with its header, unless another host of the game has compiled it already.
    fn compile(&mut self, script: &Script) -> mlua::Result<Function> {
        let compiled = match self.parts.compiled(&script.path) {
            Some(compiled) if !self.is_slow() => compiled,
            _ => self.compile_source(script)?,
        };
        if let Some(line) = compiled.stretch.too_long() {
            return Err(mlua::Error::runtime(format!(
                "{}:{}: more than {MAX_SUMS} arithmetic operations without a loop or a call: split them into functions",
                script.path, line
            )));
        }
        self.assigns |= compiled.assigns;
        self.price = self.price.with_source(&script.source);
        self.price.stretch = self.price.stretch.max(compiled.stretch.price());
        self.price.sums = self.price.sums.max(1 + compiled.stretch.sums());
        self.chunk(script, &compiled.code, ChunkMode::Binary)
    }

    /// Whether the scripts are compiled for a special mode.
    pub(super) fn is_slow(&self) -> bool {
        self.careful || self.reasons || self.counting.is_some()
    }

    /// Compiles a script with its header.
    fn compile_source(&self, script: &Script) -> mlua::Result<CompiledScript> {
        let slow = self.is_slow();
        let key = self.key_of(script);
        let (mut compiler, mut inlines) = (self.compiler.clone(), !slow);
        // A function that was inlined could not be bound late.
        let is_beneath =
            script_stem(&script.path) == LIB && self.d.scripts_of(LIB).iter().any(|over| over.layer > script.layer);
        if is_beneath && inlines {
            compiler = compiler.set_optimization_level(1);
            inlines = false;
        }
        // Files of the folder `lib` call one another: with mods, `lib` is looked up at each call. Without mods, Luau
        // resolves `lib.name` when it loads the script, and looks up only functions of files that follow.
        if is_in_lib_folder(&script.path) && self.d.scripts_of(LIB).iter().any(|other| other.layer > 0) {
            compiler = compiler.add_mutable_global(LIB);
        }
        let source = header::with_header(&script.source, &self.variants, self.careful, key);
        loop {
            let code = match compiler.compile(&source) {
                Ok(code) => code,
                // The VM's own compilation adds the script's name to the error.
                Err(error) => return self.chunk(script, source.as_bytes(), ChunkMode::Text).and(Err(error)),
            };
            let functions =
                functions(&code).ok_or_else(|| mlua::Error::runtime("this version of Luau is not known"))?;
            let (stretch, assigns) = (Stretch::of(&functions), assigns_outside(&functions));
            // Functions that call each other many times could become gigabytes of code.
            if inlines && (code.len() > MOST_CODE || stretch.too_long().is_some()) {
                compiler = compiler.set_optimization_level(1);
                inlines = false;
                continue;
            }
            let code = if slow { code.into() } else { self.parts.number(&script.path, &code, functions) };
            let compiled = CompiledScript { code, stretch, assigns };
            if !slow {
                self.parts.keep(&script.path, compiled.clone());
            }
            return Ok(compiled);
        }
    }

    /// The key of a script in its random draws, from 0: an index by its mod and stem, independent of the game's
    /// folder. So a mod over a script does not disturb the script's draws.
    fn key_of(&self, script: &Script) -> i32 {
        let layer = script.layer.checked_sub(1).and_then(|layer| self.d.layers.get(layer));
        let stem = script.path.rsplit('/').next().unwrap_or(&script.path);
        (key_of(&["script", layer.map_or("", |layer| &layer.id), stem]) as u32 >> 1).cast_signed()
    }

    fn chunk(&self, script: &Script, code: &[u8], mode: ChunkMode) -> mlua::Result<Function> {
        self.vm.lua().load(code).set_name(format!("={}", script.path)).set_mode(mode).into_function()
    }

    /// Compiles a script and runs its top level; returns its table.
    pub(super) fn run_script(&mut self, script: &Script) -> Option<Table> {
        for (at, word) in words(&script.source) {
            if word.starts_with("__") && !is_underscores(word) {
                let line = line_at(&script.source, at);
                let message = format!("`{word}`: names that start with two underscores are reserved");
                self.fault("reserved-name", &script.path, line, message, None);
                return None;
            }
        }
        if self.steps_left < 0 {
            return None;
        }
        self.place = (script.path.clone(), 1);
        // The script's string constants are created while it is loaded.
        self.budget().allow(LOAD_STEPS, self.price);
        let top = self.compile(script);
        self.price = self.price.with_made_objects(self.budget());
        if let (Some(counting), Ok(top)) = (&mut self.counting, &top) {
            counting.scripts.push((script.path.clone(), top.clone()));
        }
        let allowed = LOAD_STEPS.min(self.steps_left);
        let outcome = top.and_then(|top| self.run_top(script, &top, allowed));
        match outcome {
            Ok(LuaValue::Table(table)) => {
                self.returned.push(table.clone());
                Some(table)
            }
            Ok(_) => {
                let line = self.line_of_return(script);
                let help = Some("end the script with `return { ... }`".to_owned());
                self.fault("script", &script.path, line, "a script must return a table", help);
                None
            }
            Err(error) => {
                self.failed(script, &error, allowed);
                None
            }
        }
    }

    /// Runs the top level of a script within a step budget.
    fn run_top(&mut self, script: &Script, top: &Function, allowed: i64) -> mlua::Result<LuaValue> {
        self.budget().allow(allowed, self.price);
        let outcome = top.call::<LuaValue>(());
        let taken = allowed - self.budget().left().max(0);
        self.price = self.price.with_made_objects(self.budget());
        // The engine's own functions must not fail because a script has used up its steps.
        self.budget().allow(i64::MAX, Price::LEAST);
        self.steps_left -= taken;
        if taken > self.costliest.1 {
            self.costliest = (script.path.clone(), taken);
        }
        outcome
    }

    /// The line of the `return` that ended a script, found by running it once more with line counters; without one,
    /// the last line.
    fn line_of_return(&mut self, script: &Script) -> u32 {
        let source = header::with_header(&script.source, &self.variants, self.careful, self.key_of(script));
        let counted = self.compiler.clone().set_optimization_level(1).set_coverage_level(1).compile(&source);
        let top = counted.and_then(|code| self.chunk(script, &code, ChunkMode::Binary));
        let allowed = LOAD_STEPS.min(self.steps_left);
        let mut last = None;
        if let Ok(top) = top
            && self.run_top(script, &top, allowed).is_ok()
        {
            top.coverage(|function| {
                if function.depth == 0 {
                    last = function.hits.iter().rposition(|hits| *hits > 0);
                }
            });
        }
        let lines = script.source.lines().count().max(1) as u32;
        let last = last.and_then(|line| u32::try_from(line).ok());
        let returns = |line: &u32| {
            words(&script.source).any(|(at, word)| word == "return" && line_at(&script.source, at) == *line)
        };
        last.filter(returns).unwrap_or(lines)
    }

    /// Reports a failed top level: the failing line, and the script line that called it.
    fn failed(&mut self, script: &Script, error: &mlua::Error, allowed: i64) {
        let text = shown(message_of(error));
        let d = self.d;
        let paths: Vec<&str> = d.all_scripts().map(|script| script.path.as_str()).collect();
        let calls = traced_calls(&paths, &text);
        // Line 1 may belong to an accessor; the trace has the line that calls it.
        let raised = place_at_start(&paths, &text).filter(|(_, line)| *line > 1);
        let (file, line) = raised.or_else(|| calls.first().copied()).unwrap_or((script.path.as_str(), 1));
        let (_, message) = place_of(file, &text);
        let source = d.all_scripts().find(|script| script.path == file).map_or("", |script| script.source.as_str());
        let mut help = absent_in(&message, line_of(source, line))
            .map(|(name, instead)| format!("scripts have no `{name}`: {instead}"));
        let message = match message.as_str() {
            // An error value that is not a string has an address, which differs from run to run.
            _ if ["table: 0x", "function: 0x"].iter().any(|kind| message.starts_with(kind)) => {
                format!("raised a {} instead of a text", message.split(':').next().unwrap_or_default())
            }
            _ if message.ends_with(SPENT) && allowed < LOAD_STEPS => {
                self.steps_left = -1;
                let (costliest, steps) = &self.costliest;
                help = Some(format!(
                    "`{costliest}` took {steps} of them: do less work at the top level of scripts, for example by writing results as literals"
                ));
                format!("all scripts together spent their budget of {ALL_LOAD_STEPS} steps while loading")
            }
            _ if message.ends_with(SPENT) => {
                format!("spent its budget of {LOAD_STEPS} steps while loading: is there an infinite loop?")
            }
            EXHAUSTED => "ran out of memory while loading".into(),
            _ if matches!(error, mlua::Error::MemoryError(_)) => "ran out of memory while loading".into(),
            _ => message,
        };
        self.fault("script", file, line, message, help);
        let call = calls.iter().rev().find(|(caller, _)| file != script.path && *caller == script.path);
        if let Some((caller, line)) = call {
            let related = self.related(caller, *line, "called here, while this script is loaded".to_owned());
            self.faults.last_mut().into_iter().for_each(|fault| fault.related.push(related.clone()));
        }
    }

    fn budget(&self) -> &Budget {
        &self.vm.context().budget
    }

    /// Makes everything that the scripts created while loading read-only, so that no hook can store data there.
    pub(super) fn freeze(&mut self) -> mlua::Result<()> {
        let returned = self.vm.lua().create_sequence_from(self.returned.drain(..))?;
        self.budget().allow(i64::MAX, Price::LEAST);
        self.shared.get::<Function>("__freeze")?.call::<()>((returned, self.vm.upvalues()?))?;
        if !self.assigns {
            self.vm.stop_restoring();
        }
        Ok(())
    }
}

/// The message of a fault that no script raised.
pub(super) fn host_message(error: &mlua::Error) -> String {
    match message_of(error) {
        message if message.contains(EXHAUSTED) => {
            format!("the scripts and declarations need more than {} MiB of memory", MEMORY >> 20)
        }
        message => format!("the script host did not start: {}", without_trace(&message)),
    }
}
