//! Loads the functions that scripts return by name: hooks, verbs, and the functions of `lib`.

use indexmap::IndexMap;
use mlua::{Function, Table, Value as LuaValue};

use crate::script::layers::{LayeredFunction, LayeredFunctions, NewFunction, NewFunctions};
use crate::script::loader::{Loader, MAX_FAULTS, stem_of};
use crate::script::raw::FunctionRef;
use crate::script::tables;
use crate::script::words::line_of_word;
use motherlode_content::declare::{Declarations, Script, Turns};
use motherlode_content::diagnostic::{Diagnostic, nearest};

/// Hooks of one phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct PhaseHooks {
    /// `applies()`
    pub applies: Option<FunctionRef>,
    /// `start()`
    pub start: Option<FunctionRef>,
    /// `run()`
    pub run: Option<FunctionRef>,
    /// `order()`
    pub order: Option<FunctionRef>,
    /// `skip(player)`
    pub skip: Option<FunctionRef>,
    /// `turn(player)`
    pub turn: Option<FunctionRef>,
    /// `offer(player)`
    pub offer: Option<FunctionRef>,
    /// `act(player, choice)`
    pub act: Option<FunctionRef>,
    /// `finish()`
    pub finish: Option<FunctionRef>,
}

/// Names of the hooks a phase may have, in the order of [`PhaseHook`](crate::script::host::PhaseHook).
pub const PHASE_HOOKS: [&str; 9] = ["applies", "start", "run", "order", "skip", "turn", "offer", "act", "finish"];
/// Hooks of a phase that only look: they change nothing.
pub const LOOKING_HOOKS: [&str; 4] = ["applies", "order", "skip", "offer"];
/// Names of the hooks of a game.
pub const GAME_HOOKS: [&str; 2] = ["setup", "finish"];

impl Loader<'_> {
    /// Loads `lib.luau`. Every script loaded afterwards has its functions as the global `lib`: Luau resolves `lib.name` once, when it
    /// loads a script.
    pub(super) fn lib(&mut self, d: &Declarations) -> mlua::Result<()> {
        for table in ["__VERB", "__HOOK", "__DEF_HOOK"] {
            self.shared.set(table, self.vm.lua().create_table()?)?;
        }
        let mut functions = LayeredFunctions::new();
        for script in d.scripts_of("lib") {
            let Some(table) = self.run_script(script) else { continue };
            let names: Vec<String> = table
                .pairs::<LuaValue, LuaValue>()
                .flatten()
                .filter_map(|(key, _)| key.as_string()?.to_str().ok().map(|name| name.to_owned()))
                .collect();
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let new = self.functions(script, &table, &known, "function");
            self.add_layer(&mut functions, new, script, "lib.");
            // The next layer's lib.luau sees this table, all other scripts the last one.
            let lib = self.vm.lua().create_table()?;
            for (name, layered) in &functions {
                lib.raw_set(name.as_str(), &layered.function)?;
            }
            self.shared.get::<Function>("__guard_lib")?.call::<()>(&lib)?;
            let globals = self.vm.lua().globals();
            globals.set_readonly(false);
            globals.raw_set("lib", lib)?;
            globals.set_readonly(true);
            // After a write to the globals, the VM no longer trusts its built-in functions, and native code leaves them to the
            // interpreter.
            globals.set_safeenv(true);
        }
        Ok(())
    }

    pub(super) fn verbs(&mut self, d: &Declarations) -> mlua::Result<()> {
        let all: Table = self.shared.get("__VERB")?;
        let text = include_str!("std/verbs.luau");
        let standard = Script { path: "engine/verbs.luau".into(), source: text.into(), layer: 0 };
        let own = d.scripts_of("verbs").iter().map(|script| (script, false));
        let mut functions = LayeredFunctions::new();
        for (script, is_standard) in std::iter::once((&standard, true)).chain(own) {
            let known: Vec<&str> =
                d.verbs.iter().filter(|(_, v)| v.standard == is_standard).map(|(name, _)| name.as_str()).collect();
            if let Some(table) = self.run_script(script) {
                let new = self.functions(script, &table, &known, "verb");
                self.add_layer(&mut functions, new, script, "verbs.");
            }
        }
        for (name, layered) in &functions {
            all.set(name.as_str(), &layered.function)?;
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

    pub(super) fn definitions(&mut self, d: &Declarations) -> mlua::Result<()> {
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
            let mut scripted: Vec<(&Script, IndexMap<String, NewFunctions>)> = Vec::new();
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
                let mut functions = LayeredFunctions::new();
                for (hook, calls) in &definition.verbs {
                    let (list, args) = (lua.create_table()?, lua.create_table()?);
                    for call in calls {
                        list.raw_push(verbs.get::<LuaValue>(call.verb.as_str())?)?;
                        let map = motherlode_content::declare::Value::Map(call.args.clone());
                        args.raw_push(tables::to_lua(&lua, &map)?)?;
                    }
                    functions.insert(hook.clone(), LayeredFunction::of_verbs(effect.call((list, args))?));
                }
                for (script, by_id) in &mut scripted {
                    if let Some(new) = by_id.swap_remove(&definition.id) {
                        self.add_layer(&mut functions, new, script, &format!("{}.", definition.id));
                    }
                }
                let found = lua.create_table()?;
                for (hook, layered) in &functions {
                    found.set(hook.as_str(), &layered.function)?;
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

    pub(super) fn phases(&mut self, d: &Declarations) -> Vec<PhaseHooks> {
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
        let broken = !self.faults.is_empty();
        let mut out = Vec::new();
        for (name, phase) in &d.phases {
            let none = LayeredFunctions::new();
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
            let shows =
                phase.prompt.and_then(|prompt| d.prompts.get_index(prompt)).filter(|(_, prompt)| prompt.shows > 0);
            if let (Some((prompt, _)), false, false) = (shows, has("offer"), broken) {
                let message =
                    format!("prompt `{prompt}` shows values, but phase `{name}` has no hook `offer` that returns them");
                let mut fault = Diagnostic::of_file("conflict", phase.place.file.clone(), message);
                (fault.line, fault.column) = (phase.place.line, phase.place.column);
                fault.help =
                    Some("let the hook `offer` return them, or ask with `ask` or `choose` in `turn`".to_owned());
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

    pub(super) fn game(&mut self, d: &Declarations) -> (Option<FunctionRef>, Option<FunctionRef>) {
        let mut hooks = LayeredFunctions::new();
        for script in d.scripts_of("game") {
            let Some(table) = self.run_script(script) else { continue };
            let new = self.functions(script, &table, &GAME_HOOKS, "hook of a game");
            self.add_layer(&mut hooks, new, script, "game.");
        }
        let get = |name: &str| hooks.get(name).and_then(|f| self.anchor(&f.function));
        (get("setup"), get("finish"))
    }

    /// The functions in a table that a script returns; each name is checked against the known ones.
    fn functions(&mut self, script: &Script, table: &Table, known: &[&str], what: &str) -> NewFunctions {
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
                    } else if !self.d.removed.contains(&format!("{}.{name}", stem_of(script))) {
                        let line = new.line();
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

    /// The tables in a table that a script returns; each name is checked against the known ones.
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
                        self.fault("unknown-definition", &script.path, line, format!("unknown {what} `{name}`"), help);
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

    fn anchor(&self, function: &Function) -> Option<FunctionRef> {
        self.vm.anchor(function).ok()
    }
}
