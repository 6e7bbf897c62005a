//! Loads named script functions: those of `lib`, and the hooks of phases and of the game.

use indexmap::IndexMap;
use mlua::{Function, Table, Value as LuaValue};

use crate::script::bytecode::number_and_line;
use crate::script::luau::contribution::ContributionKind;
use crate::script::luau::layers::{LayeredFunctions, NewFunction, NewFunctions};
use crate::script::luau::loader::{Loader, MAX_FAULTS};
use crate::script::luau::raw::FunctionRef;
use crate::script::luau::reactions::concerns_phase;
use crate::script::luau::sandbox::has_events;
use crate::script::luau::words::{line_of_field, line_of_word};
use crate::script::machine::{GAME_HOOKS, PHASE_HOOKS};
use motherlode_content::declare::{Declarations, Moment, Phase, Redeal, Script, Turns};
use motherlode_content::diagnostic::nearest;
use motherlode_content::source::{LIB, is_in_lib_folder, script_stem};

/// The layer of a file of `lib`, its table, and the functions that it adds or replaces.
type LibTable = (usize, Table, Vec<(String, Function)>);

impl Loader<'_> {
    /// Loads `lib.luau`, or the files of the folder `lib`. Later scripts find its functions in the global `lib`; Luau
    /// resolves `lib.name` once, when it loads a script. Functions that a mod wraps or replaces are bound late: callers
    /// inside `lib.luau` run the mod's.
    pub(super) fn lib(&mut self, d: &Declarations) -> mlua::Result<()> {
        for table in ["__VERB", "__CAN_VERB", "__HOOK", "__CAN", "__DEF_HOOK", "__DEF_CAN"] {
            self.shared.set(table, self.vm.lua().create_table()?)?;
        }
        let mut functions = LayeredFunctions::new();
        let mut layers = Vec::new();
        for script in d.scripts_of(LIB) {
            let Some(table) = self.run_script(script) else { continue };
            let names: Vec<String> = table
                .pairs::<LuaValue, LuaValue>()
                .flatten()
                .filter_map(|(key, _)| key.as_string()?.to_str().ok().map(|name| name.to_owned()))
                .collect();
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let new = self.functions(script, &table, &known, "function");
            let own = new.iter().filter(|(_, new)| new.kind != ContributionKind::Wraps);
            let own: Vec<_> = own.map(|(name, new)| (name.clone(), new.function.clone())).collect();
            layers.push((script.layer, table, own));
            self.add_layer(&mut functions, new, script, "lib.");
            // The next file of `lib` sees this table; all other scripts see the last one.
            let lib = self.vm.lua().create_table()?;
            for (name, layered) in &functions {
                lib.raw_set(name.as_str(), &layered.function)?;
            }
            self.shared.get::<Function>("__guard_lib")?.call::<()>(&lib)?;
            let globals = self.vm.lua().globals();
            globals.set_readonly(false);
            globals.raw_set("lib", lib)?;
            globals.set_readonly(true);
            // A write to the globals makes the VM distrust its built-in functions, which are then called as others are.
            // So declare the globals unchanged.
            globals.set_safeenv(true);
        }
        if d.scripts_of(LIB).last().is_some_and(|script| script.layer > 0) {
            self.rebind(&layers, &functions)?;
        }
        Ok(())
    }

    /// Makes callers inside each file of `lib` use the highest layer of the functions that its own layer defines.
    /// Functions that a file has from layers beneath it stay: a wrap calls them.
    fn rebind(&self, files: &[LibTable], last: &LayeredFunctions) -> mlua::Result<()> {
        let rebind: Function = self.shared.get("__rebind")?;
        for (layer, root, _) in files {
            let map = self.vm.lua().create_table()?;
            let own = files.iter().filter(|(of, ..)| of == layer).flat_map(|(.., own)| own);
            for (name, function) in own {
                if let Some(layered) = last.get(name).filter(|layered| layered.function != *function) {
                    map.raw_set(function, &layered.function)?;
                }
            }
            rebind.call::<()>((root, map, self.vm.rebind()?))?;
        }
        Ok(())
    }

    /// The hooks of all phases, in the order of [`Hook::all`](crate::script::machine::Hook::all).
    pub(super) fn phases(&mut self, d: &Declarations) -> Vec<Option<FunctionRef>> {
        let mut found: IndexMap<String, LayeredFunctions> = IndexMap::new();
        for script in d.scripts_of("phases") {
            let Some(table) = self.run_script(script) else { continue };
            let known: Vec<&str> = d.phases.keys().map(String::as_str).collect();
            for (phase, section) in self.sections(script, &table, &known, "phase") {
                let new = self.functions(script, &section, &PHASE_HOOKS, "hook of a phase");
                let owner = format!("{phase}.");
                self.add_layer(found.entry(phase).or_default(), new, script, &owner);
            }
        }
        let (broken, none) = (!self.faults.is_empty(), LayeredFunctions::new());
        let mut out = Vec::new();
        for (name, phase) in &d.phases {
            let hooks = found.get(name).unwrap_or(&none);
            self.check_phase(d, name, phase, hooks, broken);
            for hook in PHASE_HOOKS {
                let function = hooks.get(hook).map(|layered| layered.function.clone());
                let function = match self.with_events(d, name, hook, function.as_ref()) {
                    Ok(None) => function,
                    Ok(wrapped) => wrapped,
                    Err(error) => {
                        self.host_fault(&error);
                        None
                    }
                };
                out.push(function.and_then(|function| self.anchor(&function)));
            }
        }
        out
    }

    /// A hook of a phase with the events of the phase or of a turn, if something listens to them.
    fn with_events(
        &self,
        d: &Declarations,
        phase: &str,
        hook: &str,
        function: Option<&Function>,
    ) -> mlua::Result<Option<Function>> {
        let (event, wrap) = match hook {
            "start" => ("phase_begins", "__begins"),
            "finish" => ("phase_ends", "__ends"),
            "begin_turn" => ("turn_begins", "__begins"),
            "end_turn" => ("turn_ends", "__ends"),
            "resolve" if has_events(d) => {
                let resolving: Function = self.shared.get("__resolving")?;
                return function.map(|function| resolving.call(function)).transpose();
            }
            _ => return Ok(None),
        };
        let index = d.events.get_index_of(event);
        let is_heard = |event| Moment::ALL.iter().any(|at| self.parts.layout.reactions.is_heard(event, *at));
        if !index.is_some_and(is_heard) {
            return Ok(None);
        }
        let is_concerned = index.is_some_and(|index| concerns_phase(d, &self.parts.layout, index, phase));
        self.shared.get::<Function>(wrap)?.call((index, phase, function, is_concerned)).map(Some)
    }

    /// Reports missing hooks of a phase, and hooks that contradict its declaration. `broken`: another fault may
    /// explain missing hooks.
    fn check_phase(&mut self, d: &Declarations, name: &str, phase: &Phase, hooks: &LayeredFunctions, broken: bool) {
        let has = |hook: &str| hooks.contains_key(hook);
        let missing = match phase.turns {
            Turns::None if !has("run") => Some("`run`"),
            Turns::None => None,
            _ if !phase.asks.is_empty() => None,
            _ if has("turn") || ((has("offer") || phase.offer.is_some()) && has("act")) => None,
            _ => Some("`turn`, or `offer` and `act`"),
        };
        if let (Some(missing), false) = (missing, broken) {
            let message = format!("phase `{name}` has no hook {missing} in phases.luau");
            self.declared_fault("missing-script", &phase.place, message, None);
        }
        let shows = phase.prompt.and_then(|prompt| d.prompts.get_index(prompt)).filter(|(_, prompt)| prompt.shows > 0);
        if let (Some((prompt, _)), false, false) = (shows, has("offer"), broken) {
            let message =
                format!("prompt `{prompt}` shows values, but phase `{name}` has no hook `offer` that returns them");
            let help = "let the hook `offer` return them, or ask with `ask` or `choose` in `turn`".to_owned();
            self.declared_fault("conflict", &phase.place, message, Some(help));
        }
        if let (Some(offer), None) = (hooks.get("offer"), phase.prompt) {
            let message = format!("phase `{name}` offers choices but declares no `prompt`");
            self.hook_fault("missing-prompt", &offer.function, message, "add `prompt = \"...\"` in phases.toml");
        }
        if phase.turns == Turns::Priority && !has("resolve") && !broken {
            let message = format!("phase `{name}` has no hook `resolve` in phases.luau");
            let help = "add `resolve = function(token) ... end`: what the top of the stack does".to_owned();
            self.declared_fault("missing-script", &phase.place, message, Some(help));
        }
        if let (Some(resolve), false) = (hooks.get("resolve"), phase.turns == Turns::Priority) {
            let message = format!("`resolve` has no effect in phase `{name}`, which has no stack");
            self.hook_fault("conflict", &resolve.function, message, "set `turns = \"priority\"`, or remove it");
        }
        if let (Turns::Sealed, Some(order)) = (phase.turns, hooks.get("order")) {
            let message = format!("`order` has no effect in phase `{name}`: in a sealed phase all act at once");
            let help = "remove `order`; `skip` says who is not asked";
            self.hook_fault("conflict", &order.function, message, help);
        }
        if let Some(turn) = hooks.get("turn").filter(|_| phase.offer.is_some() || has("offer") || has("act")) {
            let message = format!("phase `{name}` has `turn` as well as an offer: only one of them can be its turn");
            let help = "remove `turn`, or remove the offer and `act`";
            self.hook_fault("conflict", &turn.function, message, help);
        }
    }

    /// Reports a fault of a phase's hook, at its function.
    fn hook_fault(&mut self, code: &'static str, hook: &Function, message: String, help: &str) {
        let line = number_and_line(hook.info().line_defined.unwrap_or(1)).1 as u32;
        let path = self.d.scripts_of("phases").last().map(|s| s.path.clone()).unwrap_or_default();
        self.fault(code, &path, line, message, Some(help.into()));
    }

    /// The hooks of the game.
    pub(super) fn game(&mut self, d: &Declarations) -> Vec<Option<FunctionRef>> {
        let mut hooks = LayeredFunctions::new();
        for script in d.scripts_of("game") {
            let Some(table) = self.run_script(script) else { continue };
            let new = self.functions(script, &table, &GAME_HOOKS, "hook of a game");
            self.add_layer(&mut hooks, new, script, "game.");
        }
        let dealt = d.counters.iter().find(|(_, counter)| counter.dealt() == Redeal::Hook);
        if let Some((name, _)) = dealt.filter(|_| !hooks.contains_key("redeal")) {
            let path = format!("scripts/{}/game.luau", d.id);
            let message = format!("counter `{name}` has `redeal = \"hook\"`, but there is no hook `redeal` here");
            let help = "add `redeal = function(player) ... end`, which sets what the player cannot see";
            self.fault("missing-script", &path, 1, message, Some(help.into()));
        }
        GAME_HOOKS.map(|name| hooks.get(name).and_then(|layered| self.anchor(&layered.function))).into()
    }

    /// The functions in a table returned by a script. Checks each name against the known ones.
    pub(super) fn functions(&mut self, script: &Script, table: &Table, known: &[&str], what: &str) -> NewFunctions {
        let mut out = IndexMap::new();
        for pair in table.pairs::<LuaValue, LuaValue>() {
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            let new = pair.as_ref().ok().and_then(|(_, value)| NewFunction::read(value));
            match (pair, new) {
                (Ok((LuaValue::String(name), _)), Some(new)) => {
                    let name = name.to_string_lossy();
                    if known.contains(&name.as_str()) {
                        out.insert(name, new);
                    } else {
                        self.unknown_function(script, &name, new.line(), known, what);
                    }
                }
                (Ok((key, value)), _) => {
                    self.no_function(script, &key.to_string().unwrap_or_default(), &value, "a function");
                }
                (Err(_), _) => {}
            }
        }
        out.sort_keys();
        out
    }

    /// Reports a function name that the engine never calls.
    pub(super) fn unknown_function(&mut self, script: &Script, name: &str, line: u32, known: &[&str], what: &str) {
        if self.d.removed.contains(&format!("{}.{name}", script_stem(&script.path))) {
            return;
        }
        let help = nearest(name, known.iter().copied())
            .map_or_else(|| format!("known: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
        self.fault("unknown-hook", &script.path, line, format!("unknown {what} `{name}`"), Some(help));
    }

    /// Reports a value of the wrong type.
    pub(super) fn no_function(&mut self, script: &Script, key: &str, value: &LuaValue, expected: &str) {
        let line = line_of_field(&script.source, key);
        let message = format!("`{key}`: expected {expected}, found a {}", value.type_name());
        // Only functions of `lib` stand for values that scripts share.
        let help = format!("return a function that returns the {}: `{key} = function() ... end`", value.type_name());
        let is_of_lib = script_stem(&script.path) == LIB || is_in_lib_folder(&script.path);
        self.fault("script", &script.path, line, message, is_of_lib.then_some(help));
    }

    /// The subtables in a table returned by a script. Checks each name against the known ones.
    pub(super) fn sections(
        &mut self,
        script: &Script,
        table: &Table,
        known: &[&str],
        what: &str,
    ) -> IndexMap<String, Table> {
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
                    } else if !self.d.removed.contains(&format!("{}.{name}", script_stem(&script.path))) {
                        let line = line_of_word(&script.source, &name);
                        let help = nearest(&name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                        self.fault("unknown-definition", &script.path, line, format!("unknown {what} `{name}`"), help);
                    }
                }
                Ok((key, value)) => {
                    self.no_function(script, &key.to_string().unwrap_or_default(), &value, "a table of functions");
                }
                Err(_) => {}
            }
        }
        out.sort_keys();
        out
    }

    fn anchor(&mut self, function: &Function) -> Option<FunctionRef> {
        let anchored = self.vm.anchor(function);
        if let Err(error) = &anchored {
            self.host_fault(error);
        }
        anchored.ok()
    }
}
