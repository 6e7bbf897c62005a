//! Loading: a VM, its sandbox, the scripts of a pack, and the hooks found in them.

use std::sync::Arc;

use indexmap::IndexMap;
use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::content::declare::{Declarations, Script, Turns};
use crate::content::diagnostic::{Diagnostic, nearest};
use crate::content::source::SourceFile;
use crate::script::budget::{self, EXHAUSTED, SPENT};
use crate::script::counting::Counting;
use crate::script::kernel::{Context, KERNELS, TEXT_KERNELS};
use crate::script::layers::{Functions, Given, GivenFunctions, Hands, Laid};
use crate::script::parts::Parts;
use crate::script::raw::{Func, Vm};
use crate::script::specialise::MOST;
use crate::script::{header, tables};

/// Most memory the objects of one VM may take, in bytes.
const MEMORY: usize = 32 << 20;
/// Most safepoints a script's top level may pass while it loads.
const LOAD_STEPS: i64 = 5_000_000;

/// Functions that compile to an instruction of their own and that scripts do not have.
const ABSENT: [&str; 7] = ["setmetatable", "getmetatable", "rawset", "rawget", "rawequal", "rawlen", "vector.create"];
/// Most faults of one script's table that are reported.
pub(super) const MAX_FAULTS: usize = 50;

/// How a VM runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Optimised native code: for play.
    Fast,
    /// The same interpreted, which takes half as long to load: to find what is wrong with the scripts, and for a few matches.
    Plain,
    /// Interpreted without inlining: to find the line at which a hook failed.
    Careful,
    /// Interpreted, with counters of what runs: to find out what tests and games exercise.
    Counting,
}

/// Hooks of one phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct PhaseHooks {
    /// `applies()`
    pub applies: Option<Func>,
    /// `start()`
    pub start: Option<Func>,
    /// `run()`
    pub run: Option<Func>,
    /// `order()`
    pub order: Option<Func>,
    /// `skip(player)`
    pub skip: Option<Func>,
    /// `turn(player)`
    pub turn: Option<Func>,
    /// `offer(player)`
    pub offer: Option<Func>,
    /// `act(player, choice)`
    pub act: Option<Func>,
    /// `finish()`
    pub finish: Option<Func>,
}

/// Names of the hooks a phase may have.
pub const PHASE_HOOKS: [&str; 9] = ["applies", "start", "run", "order", "skip", "turn", "offer", "act", "finish"];
/// Names of the hooks of a game.
pub const GAME_HOOKS: [&str; 2] = ["setup", "finish"];

/// A VM with everything of a pack loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The VM.
    pub vm: Vm,
    /// The table the host writes the options of a match into.
    pub options: Table,
    /// Hooks of the phases, as declared.
    pub phases: Vec<PhaseHooks>,
    /// `setup` of the game.
    pub setup: Option<Func>,
    /// `finish` of the game.
    pub finish: Option<Func>,
    /// Which layers had a hand in each function.
    pub hands: Hands,
    /// What runs, if it is counted.
    pub counting: Option<Counting>,
}

/// Loads a pack's scripts. All faults of all scripts come back at once.
pub fn load(parts: &Parts, mode: Mode) -> Result<Loaded, Vec<Diagnostic>> {
    match Loader::new(parts, mode) {
        Ok(loader) => loader.run(),
        Err(error) => {
            Err(vec![Diagnostic::of_file("host", "scripts", format!("the script host did not start: {error}"))])
        }
    }
}

pub(super) struct Loader<'a> {
    parts: &'a Parts,
    pub(super) d: &'a Arc<Declarations>,
    compiler: Compiler,
    careful: bool,
    counting: Option<Counting>,
    vm: Vm,
    pub(super) shared: Table,
    options: Table,
    faults: Vec<Diagnostic>,
    pub(super) hands: Hands,
    /// What a safepoint costs after what the scripts made at their top level.
    price: i64,
}

impl<'a> Loader<'a> {
    fn new(parts: &'a Parts, mode: Mode) -> mlua::Result<Self> {
        let (d, layout) = (&parts.declarations, &parts.layout);
        let lua = Lua::new();
        // What is loaded stays.
        lua.gc_stop();
        let careful = mode == Mode::Careful;
        lua.enable_jit(mode == Mode::Fast);
        let compiler = Compiler::new()
            .set_optimization_level(match mode {
                Mode::Fast | Mode::Plain => 2,
                // What is inlined is not counted.
                Mode::Counting => 1,
                Mode::Careful => 0,
            })
            .set_coverage_level(u8::from(mode == Mode::Counting))
            .set_debug_level(if careful { 2 } else { 1 })
            // Without this the compiler calls them past the environment, in which they are not.
            .set_disabled_builtins(ABSENT);
        lua.set_compiler(compiler.clone());
        lua.set_memory_limit(MEMORY)?;
        let globals = lua.create_table()?;
        for name in [
            "ipairs", "pairs", "next", "select", "type", "typeof", "tonumber", "error", "assert", "pcall", "xpcall",
            "unpack",
        ] {
            globals.set(name, lua.globals().get::<LuaValue>(name)?)?;
        }
        for name in ["require", "loadstring", "getfenv", "setfenv", "collectgarbage", "gcinfo", "newproxy", "print"] {
            lua.globals().set(name, LuaValue::Nil)?;
        }
        // Text methods go through this table: it gets the capped functions below, before it becomes read-only.
        let methods: Table = lua.globals().get("string")?;
        lua.sandbox(true)?;
        let vm = Vm::new(lua, layout.clone(), Context::new(d.clone()))?;
        let lua = vm.lua();
        let shared = lua.create_table()?;
        let (state, choices) = vm.buffers()?;
        shared.set("__S", state)?;
        shared.set("__O", choices)?;
        for (i, (name, _, _)) in KERNELS.iter().enumerate() {
            shared.set(*name, vm.kernel(i)?)?;
        }
        for (i, (name, _)) in TEXT_KERNELS.iter().enumerate() {
            shared.set(*name, vm.text_kernel(i)?)?;
        }
        shared.set("__ask", vm.ask()?)?;
        shared.set("__globals", globals)?;
        shared.set("__careful", careful)?;
        let options = lua.create_table()?;
        shared.set("__OPTIONS", &options)?;
        tables::fill(lua, &shared, d, layout, &parts.labels)?;
        budget::allow(LOAD_STEPS, 1);
        let env: Table = lua
            .load(include_str!("std/prelude.luau"))
            .set_name("=engine/prelude.luau")
            .set_mode(ChunkMode::Text)
            .call(&shared)?;
        // The string metatable's methods must be the capped ones.
        let capped: Table = env.get("string")?;
        methods.set_readonly(false);
        for name in ["find", "split", "format"] {
            methods.raw_set(name, capped.raw_get::<Function>(name)?)?;
        }
        methods.set_readonly(true);
        // The environment is the VM's own table of globals, not one set for a chunk: Luau looks up what a chunk imports
        // (`math.floor`) in the globals when it loads it, whatever environment the chunk is given.
        let globals = lua.globals();
        globals.set_metatable(None)?;
        globals.clear()?;
        for pair in env.pairs::<String, LuaValue>() {
            let (name, value) = pair?;
            globals.raw_set(name, value)?;
        }
        globals.raw_set("__T", &shared)?;
        globals.set_readonly(true);
        globals.set_safeenv(true);
        let counting = match mode {
            Mode::Counting => Some(Counting { scripts: Vec::new(), hooks: vm.lua().create_table()? }),
            _ => None,
        };
        let (faults, hands) = (Vec::new(), Hands::new());
        Ok(Self { parts, d, compiler, careful, counting, vm, shared, options, faults, hands, price: 1 })
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
        diagnostic.line = line;
        diagnostic.help = help;
        if let Some(script) = self.d.all_scripts().find(|s| s.path == file) {
            let source = SourceFile { path: String::new(), text: script.source.clone() };
            ((diagnostic.start, diagnostic.end), diagnostic.column) = source.line_span(line);
        }
        self.faults.push(diagnostic);
    }

    /// Compiles a script with its header, unless another host of the game has done so.
    fn compile(&self, script: &Script) -> mlua::Result<Function> {
        if self.careful || self.counting.is_some() {
            return self.chunk(script, header::with_header(&script.source, None).as_bytes(), ChunkMode::Text);
        }
        if let Some(code) = self.parts.compiled(&script.path) {
            return self.chunk(script, &code, ChunkMode::Binary);
        }
        let mut most = MOST;
        loop {
            let source = header::with_header(&script.source, Some((&**self.d, most)));
            match self.compiler.compile(&source) {
                Ok(code) => {
                    self.parts.keep(&script.path, &code);
                    return self.chunk(script, &code, ChunkMode::Binary);
                }
                // A script with many variables of its own leaves less room for functions made for its calls.
                Err(error) if most > 0 && message_of(&error).contains("Out of local registers") => {
                    most = if most > 20 { most / 2 } else { 0 };
                }
                // Compiled as a text, its message names the script.
                Err(_) => return self.chunk(script, source.as_bytes(), ChunkMode::Text),
            }
        }
    }

    fn chunk(&self, script: &Script, code: &[u8], mode: ChunkMode) -> mlua::Result<Function> {
        self.vm.lua().load(code).set_name(format!("={}", script.path)).set_mode(mode).into_function()
    }

    /// Compiles and runs a script's top level; its table.
    fn run_script(&mut self, script: &Script) -> Option<Table> {
        for (at, word) in header::words(&script.source) {
            if word.starts_with("__") && !is_metamethod(word) {
                let line = script.source[..at].matches('\n').count() as u32 + 1;
                let message = format!("`{word}`: names that start with two underscores are reserved");
                self.fault("reserved-name", &script.path, line, message, None);
                return None;
            }
        }
        let top = self.compile(script);
        if let (Some(counting), Ok(top)) = (&mut self.counting, &top) {
            counting.scripts.push((script.path.clone(), top.clone()));
        }
        let outcome = top.and_then(|top| {
            budget::allow(LOAD_STEPS, 1);
            let outcome = top.call::<LuaValue>(());
            self.price = self.price.max(budget::price());
            outcome
        });
        match outcome {
            Ok(LuaValue::Table(table)) => Some(table),
            Ok(_) => {
                let lines = script.source.lines().count().max(1) as u32;
                let help = Some("end the script with `return { ... }`".to_owned());
                self.fault("script", &script.path, lines, "a script returns a table", help);
                None
            }
            Err(error) => {
                let (line, message) = place_of(&script.path, &message_of(&error));
                let message = match message.as_str() {
                    SPENT => {
                        format!("spent its budget of {LOAD_STEPS} steps while it loaded: is there an endless loop?")
                    }
                    EXHAUSTED => "ran out of memory while it loaded".into(),
                    _ if matches!(error, mlua::Error::MemoryError(_)) => "ran out of memory while it loaded".into(),
                    _ => message,
                };
                self.fault("script", &script.path, line, message, None);
                None
            }
        }
    }

    fn run(mut self) -> Result<Loaded, Vec<Diagnostic>> {
        let d = self.d.clone();
        let lib = self.lib(&d);
        let shared = self.faults.len();
        if let Err(error) = lib.and_then(|()| self.verbs(&d)) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        if let Err(error) = self.definitions(&d) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        let phases = self.phases(&d);
        let (setup, finish) = self.game(&d);
        if let Err(error) = self.shared.get::<Table>("__LABELS").and_then(|labels| self.vm.seal(&labels)) {
            self.fault("host", "scripts", 1, error.to_string(), None);
        }
        if shared > 0 {
            // What other scripts miss of a broken `lib` is no fault of theirs.
            let mut at = 0..;
            self.faults.retain(|fault| at.next() < Some(shared) || fault.code != "script");
        }
        if self.faults.is_empty() {
            self.shared.set_readonly(true);
            self.vm.lua().gc_restart();
            self.vm.set_price(self.price);
            let (vm, options, hands, counting) = (self.vm, self.options, self.hands, self.counting);
            Ok(Loaded { vm, options, phases, setup, finish, hands, counting })
        } else {
            Err(self.faults)
        }
    }

    fn anchor(&self, function: &Function) -> Option<Func> {
        self.vm.anchor(function).ok()
    }

    /// Functions by name of a script that returns a table of functions; each is checked against the known names.
    fn functions(&mut self, script: &Script, table: &Table, known: &[&str], what: &str) -> GivenFunctions {
        let mut out = IndexMap::new();
        for pair in table.pairs::<LuaValue, LuaValue>() {
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            let given = pair.as_ref().ok().and_then(|(_, value)| Given::read(value));
            match (pair, given) {
                (Ok((LuaValue::String(name), _)), Some(given)) => {
                    let name = name.to_string_lossy();
                    if known.contains(&name.as_str()) {
                        out.insert(name, given);
                    } else if !self.d.removed.contains(&format!("{}.{name}", stem_of(script))) {
                        let line = given.line();
                        let help = nearest(&name, known.iter().copied()).map_or_else(
                            || format!("known: {}", known.join(", ")),
                            |near| format!("did you mean `{near}`?"),
                        );
                        self.fault("unknown-hook", &script.path, line, format!("unknown {what} `{name}`"), Some(help));
                    }
                }
                (Ok((key, value)), _) => {
                    let key = key.to_string().unwrap_or_default();
                    let line = line_of_word(&script.source, &key);
                    let message = format!("`{key}`: expected a function, found a {}", value.type_name());
                    self.fault("script", &script.path, line, message, None);
                }
                (Err(_), _) => {}
            }
        }
        out.sort_keys();
        out
    }

    /// Tables by name of a script that returns a table of tables.
    fn sections(&mut self, script: &Script, table: &Table, known: &[&str], what: &str) -> IndexMap<String, Table> {
        let mut out = IndexMap::new();
        for pair in table.pairs::<LuaValue, LuaValue>() {
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            match pair {
                Ok((LuaValue::String(name), LuaValue::Table(section))) => {
                    let name = name.to_string_lossy();
                    if known.contains(&name.as_str()) {
                        out.insert(name, section);
                    } else if !self.d.removed.contains(&format!("{}.{name}", stem_of(script))) {
                        let line = line_of_word(&script.source, &name);
                        let help = nearest(&name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                        self.fault(
                            "unknown-definition",
                            &script.path,
                            line,
                            format!("no {what} `{name}` is declared"),
                            help,
                        );
                    }
                }
                Ok((key, value)) => {
                    let key = key.to_string().unwrap_or_default();
                    let line = line_of_word(&script.source, &key);
                    let message = format!("`{key}`: expected a table of functions, found a {}", value.type_name());
                    self.fault("script", &script.path, line, message, None);
                }
                Err(_) => {}
            }
        }
        out.sort_keys();
        out
    }

    /// The functions of `lib.luau`, which every script loaded afterwards knows as the global `lib`: Luau resolves `lib.name` once, when
    /// it loads a script.
    fn lib(&mut self, d: &Declarations) -> mlua::Result<()> {
        for table in ["__VERB", "__HOOK", "__DEF_HOOK"] {
            self.shared.set(table, self.vm.lua().create_table()?)?;
        }
        let mut functions = Functions::new();
        for script in d.scripts_of("lib") {
            let Some(table) = self.run_script(script) else { continue };
            let names: Vec<String> = table
                .pairs::<LuaValue, LuaValue>()
                .flatten()
                .filter_map(|(key, _)| key.as_string()?.to_str().ok().map(|name| name.to_owned()))
                .collect();
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let given = self.functions(script, &table, &known, "function");
            self.lay(&mut functions, given, script, "lib.");
            // The next layer's lib.luau sees this one, all other scripts the last.
            let lib = self.vm.lua().create_table()?;
            for (name, laid) in &functions {
                lib.raw_set(name.as_str(), &laid.function)?;
            }
            self.shared.get::<Function>("__guard_lib")?.call::<()>(&lib)?;
            let globals = self.vm.lua().globals();
            globals.set_readonly(false);
            globals.raw_set("lib", lib)?;
            globals.set_readonly(true);
            // Writing has told the VM not to trust its built-in functions any more, and then native code leaves them to the
            // interpreter.
            globals.set_safeenv(true);
        }
        Ok(())
    }

    fn verbs(&mut self, d: &Declarations) -> mlua::Result<()> {
        let all: Table = self.shared.get("__VERB")?;
        let text = include_str!("std/verbs.luau");
        let standard = Script { path: "engine/verbs.luau".into(), source: text.into(), layer: 0 };
        let own = d.scripts_of("verbs").iter().map(|script| (script, false));
        let mut functions = Functions::new();
        for (script, is_standard) in std::iter::once((&standard, true)).chain(own) {
            let known: Vec<&str> =
                d.verbs.iter().filter(|(_, v)| v.standard == is_standard).map(|(name, _)| name.as_str()).collect();
            if let Some(table) = self.run_script(script) {
                let given = self.functions(script, &table, &known, "verb");
                self.lay(&mut functions, given, script, "verbs.");
            }
        }
        for (name, laid) in &functions {
            all.set(name.as_str(), &laid.function)?;
        }
        for (name, verb) in &d.verbs {
            if !all.contains_key(name.as_str())? && !verb.standard && self.faults.is_empty() {
                let path = format!("scripts/{}/verbs.luau", d.id);
                let message = format!("verb `{name}` is declared in verbs.toml but has no function here");
                self.fault("missing-script", &path, 1, message, None);
            }
        }
        Ok(())
    }

    fn definitions(&mut self, d: &Declarations) -> mlua::Result<()> {
        let lua = self.vm.lua().clone();
        let hooks: Table = self.shared.get("__HOOK")?;
        let def_hooks: Table = self.shared.get("__DEF_HOOK")?;
        let verbs: Table = self.shared.get("__VERB")?;
        let effect: Function = self.shared.get("__effect")?;
        for (kind_name, kind) in &d.kinds {
            let by_id = lua.create_table()?;
            for name in kind.hooks.keys() {
                if !hooks.contains_key(name.as_str())? {
                    hooks.set(name.as_str(), lua.create_table()?)?;
                }
            }
            let ids: Vec<&str> =
                d.definitions[kind.first..kind.first + kind.len].iter().map(|x| x.id.as_str()).collect();
            let mut scripted: Vec<(&Script, IndexMap<String, GivenFunctions>)> = Vec::new();
            for script in d.scripts_of(kind_name) {
                let Some(table) = self.run_script(script) else { continue };
                let known: Vec<&str> = kind.hooks.keys().map(String::as_str).collect();
                let mut by_id = IndexMap::new();
                for (id, section) in self.sections(script, &table, &ids, kind_name) {
                    by_id.insert(id, self.functions(script, &section, &known, "hook"));
                }
                scripted.push((script, by_id));
            }
            for index in kind.first..kind.first + kind.len {
                let definition = &d.definitions[index];
                let mut functions = Functions::new();
                for (hook, calls) in &definition.verbs {
                    let (list, args) = (lua.create_table()?, lua.create_table()?);
                    for call in calls {
                        list.raw_push(verbs.get::<LuaValue>(call.verb.as_str())?)?;
                        let map = crate::content::declare::Value::Map(call.args.clone());
                        args.raw_push(tables::to_lua(&lua, &map)?)?;
                    }
                    functions.insert(hook.clone(), Laid::of_verbs(effect.call((list, args))?));
                }
                for (script, by_id) in &mut scripted {
                    if let Some(given) = by_id.swap_remove(&definition.id) {
                        self.lay(&mut functions, given, script, &format!("{}.", definition.id));
                    }
                }
                let found = lua.create_table()?;
                for (hook, laid) in &functions {
                    found.set(hook.as_str(), &laid.function)?;
                }
                if let Some(counting) = &self.counting {
                    let counted: Function = self.shared.get("__counted")?;
                    let hooks: Vec<(String, Function)> = found.pairs().collect::<mlua::Result<_>>()?;
                    for (hook, function) in hooks {
                        let key = format!("{index}:{hook}");
                        found.set(hook, counted.call::<Function>((function, &counting.hooks, key))?)?;
                    }
                }
                by_id.set(definition.id.as_str(), found)?;
            }
            def_hooks.set(kind_name.as_str(), &by_id)?;
        }
        let token_ids: Table = self.shared.get("__ID")?;
        let token_kinds: Table = self.shared.get("__KIND")?;
        for pair in token_ids.clone().pairs::<i32, String>() {
            let (token, id) = pair?;
            let kind: String = token_kinds.get(token)?;
            let found: Table = def_hooks.get::<Table>(kind)?.get(id)?;
            for hook in found.pairs::<String, Function>() {
                let (name, function) = hook?;
                hooks.get::<Table>(name)?.raw_set(token, function)?;
            }
        }
        self.shared.get::<Function>("__seal_hooks")?.call::<()>(())
    }

    fn phases(&mut self, d: &Declarations) -> Vec<PhaseHooks> {
        let mut found: IndexMap<String, Functions> = IndexMap::new();
        for script in d.scripts_of("phases") {
            let Some(table) = self.run_script(script) else { continue };
            let known: Vec<&str> = d.phases.keys().map(String::as_str).collect();
            for (phase, section) in self.sections(script, &table, &known, "phase") {
                let given = self.functions(script, &section, &PHASE_HOOKS, "hook of a phase");
                let owner = format!("{phase}.");
                self.lay(found.entry(phase).or_default(), given, script, &owner);
            }
        }
        let broken = !self.faults.is_empty();
        let mut out = Vec::new();
        for (name, phase) in &d.phases {
            let none = Functions::new();
            let hooks = found.get(name).unwrap_or(&none);
            let has = |hook: &str| hooks.contains_key(hook);
            let missing = match phase.turns {
                Turns::None if !has("run") => Some("`run`"),
                Turns::None => None,
                _ if !phase.asks.is_empty() => None,
                _ if has("turn") || ((has("offer") || phase.offer.is_some()) && has("act")) => None,
                _ => Some("`turn`, or `offer` and `act`"),
            };
            if let (Some(missing), false) = (missing, broken) {
                let mut fault = Diagnostic::of_file(
                    "missing-script",
                    phase.place.file.clone(),
                    format!("phase `{name}` has no hook {missing} in phases.luau"),
                );
                fault.line = phase.place.line;
                fault.column = phase.place.column;
                self.faults.push(fault);
            }
            if has("offer") && phase.prompt.is_none() {
                let line = hooks.get("offer").and_then(|f| f.function.info().line_defined).unwrap_or(1) as u32;
                let path = d.scripts_of("phases").last().map(|s| s.path.clone()).unwrap_or_default();
                let message = format!("phase `{name}` offers choices but declares no `prompt`");
                self.fault(
                    "missing-prompt",
                    &path,
                    line,
                    message,
                    Some("add `prompt = \"...\"` in phases.toml".into()),
                );
            }
            let get = |hook: &str| hooks.get(hook).and_then(|f| self.anchor(&f.function));
            out.push(PhaseHooks {
                applies: get("applies"),
                start: get("start"),
                run: get("run"),
                order: get("order"),
                skip: get("skip"),
                turn: get("turn"),
                offer: get("offer"),
                act: get("act"),
                finish: get("finish"),
            });
        }
        out
    }

    fn game(&mut self, d: &Declarations) -> (Option<Func>, Option<Func>) {
        let mut hooks = Functions::new();
        for script in d.scripts_of("game") {
            let Some(table) = self.run_script(script) else { continue };
            let given = self.functions(script, &table, &GAME_HOOKS, "hook of a game");
            self.lay(&mut hooks, given, script, "game.");
        }
        let get = |name: &str| hooks.get(name).and_then(|f| self.anchor(&f.function));
        (get("setup"), get("finish"))
    }
}

/// The stem of a script: `phases`.
pub(super) fn stem_of(script: &Script) -> &str {
    let name = script.path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".luau").unwrap_or(name)
}

/// Whether a word is made of underscores only, as in `for _, __ in`.
pub(super) fn is_metamethod(word: &str) -> bool {
    word.chars().all(|c| c == '_')
}

fn message_of(error: &mlua::Error) -> String {
    match error {
        mlua::Error::SyntaxError { message, .. } | mlua::Error::RuntimeError(message) => message.clone(),
        mlua::Error::CallbackError { cause, .. } => message_of(cause),
        other => other.to_string(),
    }
}

/// Line and message of a text such as `scripts/x/phases.luau:12: message`.
#[must_use]
pub fn place_of(path: &str, text: &str) -> (u32, String) {
    let mut lines = text.lines();
    let first = without_engine(lines.next().unwrap_or(text));
    let place = |text: &str| {
        // The path of a script of a mod ends with that of the script it lies over.
        let starts = |at: &usize| !text[..*at].ends_with(|c: char| c == '/' || c == '_' || c.is_alphanumeric());
        let at = text.match_indices(path).map(|(at, _)| at).find(starts)?;
        let rest = &text[at + path.len()..];
        let digits = rest.strip_prefix(':')?.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((digits.parse::<u32>().ok()?, without_engine(rest[1 + digits.len()..].trim_start_matches(':')).to_owned()))
    };
    let (line, message) = place(first).unwrap_or((1, first.to_owned()));
    if line > 1 {
        return (line, message);
    }
    // What C functions raise has no place, and line 1 is that of the header; the trace behind it tells more.
    let traced = lines.filter_map(|line| Some(place(line)?.0)).find(|&line| line > 1);
    (traced.unwrap_or(1), message)
}

/// A message without the place in the engine's own scripts that raised it.
fn without_engine(text: &str) -> &str {
    let inside = text.trim().strip_prefix("engine/").and_then(|rest| rest.split_once(".luau:"));
    let rest = inside.and_then(|(_, rest)| rest.split_once(':'));
    match rest {
        Some((line, rest)) if line.bytes().all(|b| b.is_ascii_digit()) => rest.trim(),
        _ => text.trim(),
    }
}

fn line_of_word(source: &str, word: &str) -> u32 {
    header::words(source).find(|(_, w)| *w == word).map_or(1, |(at, _)| source[..at].matches('\n').count() as u32 + 1)
}
