//! Loads the hooks of definitions: script functions, and lists of verbs, which are compiled once.
//!
//! A list of verbs becomes two functions: one runs the list, the other decides whether it can be used. The second
//! exists only if the list has costs, or no effect that is always possible. All payments of a list are added up and
//! checked together. A function `can_<hook>` of a script is checked in addition. The careful VM records the running
//! verb, so that a fault names its line of TOML.

use indexmap::IndexMap;
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::script::luau::aims;
use crate::script::luau::layers::{LayeredFunction, LayeredFunctions, NewFunctions};
use crate::script::luau::loader::Loader;
use crate::script::luau::tables;
use crate::script::machine::VerbPlace;
use motherlode_content::declare::{
    Bearer, CAN, Declarations, Definition, Kind, Listener, ListenerAction, Script, Value, VerbCall,
};

/// Functions of verbs, each with its arguments.
struct Calls {
    functions: Table,
    args: Table,
}

impl Calls {
    fn new(lua: &Lua) -> mlua::Result<Self> {
        Ok(Self { functions: lua.create_table()?, args: lua.create_table()? })
    }

    fn push(&self, function: impl mlua::IntoLua, args: impl mlua::IntoLua) -> mlua::Result<()> {
        self.functions.raw_push(function)?;
        self.args.raw_push(args)
    }
}

impl Loader<'_> {
    pub(super) fn definitions(&mut self, d: &Declarations) -> mlua::Result<()> {
        let lua = self.vm.lua().clone();
        let (hooks, cans): (Table, Table) = (self.shared.get("__HOOK")?, self.shared.get("__CAN")?);
        let tokens = self.parts.layout.tokens.len();
        let (def_hooks, def_cans): (Table, Table) = (self.shared.get("__DEF_HOOK")?, self.shared.get("__DEF_CAN")?);
        for (kind_name, kind) in &d.kinds {
            let (hooks_by_id, cans_by_id) = (lua.create_table()?, lua.create_table()?);
            for name in kind.hooks.keys() {
                if !hooks.contains_key(name.as_str())? {
                    // Sized for all tokens: most have no such hook, but arrays are faster to read.
                    for functions in [&hooks, &cans] {
                        functions.set(name.as_str(), lua.create_table_with_capacity(tokens, 0)?)?;
                    }
                }
            }
            let definitions = &d.definitions[kind.first..kind.first + kind.len];
            let ids: Vec<&str> = definitions.iter().map(|x| x.id.as_str()).collect();
            let mut scripted: Vec<(&Script, IndexMap<String, NewFunctions>)> = Vec::new();
            let faults = self.faults.len();
            for script in d.scripts_of(kind_name) {
                let Some(table) = self.run_script(script) else { continue };
                let can: Vec<String> = kind.hooks.keys().map(|hook| format!("{CAN}{hook}")).collect();
                let reactions = scripted_reactions(d, kind.first..kind.first + kind.len);
                let known = kind.hooks.keys().chain(&can).map(String::as_str);
                let known: Vec<&str> = known.chain(reactions.iter().map(|(_, name)| *name)).collect();
                let mut by_id = IndexMap::new();
                for (id, section) in self.sections(script, &table, &ids, kind_name) {
                    by_id.insert(id, self.functions(script, &section, &known, "hook"));
                }
                scripted.push((script, by_id));
            }
            let is_broken = self.faults.len() > faults;
            for (index, definition) in (kind.first..).zip(definitions) {
                self.place = (definition.place.file.clone(), definition.place.line);
                let mut functions = LayeredFunctions::new();
                self.add_verbs(&mut functions, kind_name, definition)?;
                for (script, by_id) in &mut scripted {
                    if let Some(mut new) = by_id.swap_remove(&definition.id) {
                        new.retain(|hook, _| !is_removed(d, kind_name, definition, hook));
                        self.add_layer(&mut functions, new, script, &format!("{}.", definition.id));
                    }
                }
                for (listener, name) in scripted_reactions(d, index..index + 1) {
                    self.set_reaction(listener, functions.get(name).map(|layered| &layered.function))?;
                }
                let (found, can) = (lua.create_table()?, lua.create_table()?);
                for hook in kind.hooks.keys() {
                    if !is_broken {
                        self.check_scripted((kind_name, kind), definition, hook, functions.get(hook));
                    }
                    let scripted = functions.get(&format!("{CAN}{hook}"));
                    let Some(layered) = functions.get(hook) else {
                        self.alone(definition, hook, scripted);
                        continue;
                    };
                    let scripted = scripted.map(|layered| layered.function.clone());
                    let (run, usable) = self.hook(d, (kind_name, definition, hook), layered, scripted)?;
                    found.set(hook.as_str(), run)?;
                    can.set(hook.as_str(), self.refusing_hook((&definition.id, hook), usable)?)?;
                }
                if let Some(counting) = &self.counting {
                    let counted: Function = self.shared.get("__counted")?;
                    let hooks: Vec<(String, Function)> = found.pairs().collect::<mlua::Result<_>>()?;
                    for (hook, function) in hooks {
                        let key = format!("{index}:{hook}");
                        found.set(hook, counted.call::<Function>((function, &counting.hooks, key))?)?;
                    }
                }
                hooks_by_id.set(definition.id.as_str(), found)?;
                cans_by_id.set(definition.id.as_str(), can)?;
            }
            def_hooks.set(kind_name.as_str(), &hooks_by_id)?;
            def_cans.set(kind_name.as_str(), &cans_by_id)?;
        }
        self.by_token(&def_hooks, &hooks)?;
        self.by_token(&def_cans, &cans)?;
        self.shared.get::<Function>("__seal_hooks")?.call::<()>(())
    }

    /// The function of a hook of a definition, and the one that decides whether it can be used (`None`: always).
    fn hook(
        &mut self,
        d: &Declarations,
        (kind, definition, hook): (&str, &Definition, &str),
        layered: &LayeredFunction,
        scripted: Option<Function>,
    ) -> mlua::Result<(Function, Option<Function>)> {
        let aims = definition.aims_of(hook);
        let usable = match definition.verbs.get(hook).filter(|_| layered.runs_verbs) {
            Some(calls) => {
                self.targets = aims::fields(d, aims);
                self.usable(d, (kind, &definition.id, hook), calls)?
            }
            None => None,
        };
        let usable = match (usable, scripted) {
            (Some(usable), Some(scripted)) => Some(self.shared.get::<Function>("__both")?.call((usable, scripted))?),
            (usable, scripted) => usable.or(scripted),
        };
        let args = d.kinds.get(kind).and_then(|kind| kind.hooks.get(hook)).map_or(&[][..], Vec::as_slice);
        if !aims::takes_targets(definition, hook, layered.runs_verbs, args) {
            return Ok((layered.function.clone(), usable));
        }
        let aims = aims::list(self.vm.lua(), aims)?;
        let run = self.shared.get::<Function>("__aiming")?.call((&layered.function, &aims))?;
        let usable = self.shared.get::<Function>("__can_use_aiming")?.call((usable, aims))?;
        Ok((run, Some(usable)))
    }

    /// Adds the hooks that a definition writes as verbs.
    fn add_verbs(&mut self, into: &mut LayeredFunctions, kind: &str, definition: &Definition) -> mlua::Result<()> {
        for (hook, calls) in &definition.verbs {
            self.targets = aims::fields(self.d, definition.aims_of(hook));
            let effect = self.effect((kind, &definition.id, hook), calls)?;
            into.insert(hook.clone(), LayeredFunction::of_verbs(effect));
        }
        Ok(())
    }

    /// Reports a `can_` function for a hook that does not exist.
    fn alone(&mut self, definition: &Definition, hook: &str, can: Option<&LayeredFunction>) {
        if let Some((file, line)) = can.and_then(LayeredFunction::place) {
            let message = format!("`{}` has `{CAN}{hook}`, but no `{hook}`", definition.id);
            let help = format!("write `{hook}` as verbs in the TOML file, or as a function here");
            self.fault("missing-script", &file, line, message, Some(help));
        }
    }

    /// Reports a hook whose function is not in the TOML file, and one of the TOML file without a function.
    fn check_scripted(
        &mut self,
        (kind_name, kind): (&str, &Kind),
        definition: &Definition,
        hook: &str,
        function: Option<&LayeredFunction>,
    ) {
        let id = &definition.id;
        let written = match kind.list_of(hook) {
            Some((list, place)) => format!("\"script\" at place {place} of `{list}`"),
            None => format!("`{hook} = \"script\"`"),
        };
        match (definition.scripted.contains(hook), function) {
            (false, Some(function)) => {
                let Some((file, line)) = function.added_at() else { return };
                let message = format!("`{id}` has a function `{hook}`, but {kind_name}.toml does not say so");
                let help = format!("write {written} in `[{id}]` of {kind_name}.toml, or remove the function");
                self.fault("unwritten-hook", &file, line, message, Some(help));
            }
            (true, None) => {
                let args = kind.hooks.get(hook).map_or(&[][..], Vec::as_slice);
                let args = ["token"].into_iter().chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(", ");
                let function = format!("`{hook} = function({args}) ... end` under `{id}` in {kind_name}.luau");
                let (message, help) = if kind.scripted.iter().any(|one| one == hook) {
                    let message =
                        format!("`{id}` has no function `{hook}`, which is in `scripted` of kind `{kind_name}`");
                    (message, format!("write {function}, or `{hook} = []` here"))
                } else {
                    let message = format!("`{id}` has {written}, but no function `{hook}`");
                    (message, format!("write {function}, or remove the word here"))
                };
                self.declared_fault("missing-script", &definition.place, message, Some(help));
            }
            _ => {}
        }
    }

    /// Fills functions by hook and token from functions by kind, id and hook.
    fn by_token(&self, by_id: &Table, into: &Table) -> mlua::Result<()> {
        let token_ids: Table = self.shared.get("__ID")?;
        let token_kinds: Table = self.shared.get("__KIND")?;
        for pair in token_ids.pairs::<i32, String>() {
            let (token, id) = pair?;
            let kind: String = token_kinds.get(token)?;
            let found: Table = by_id.get::<Table>(kind)?.get(id)?;
            for hook in found.pairs::<String, Function>() {
                let (name, function) = hook?;
                into.get::<Table>(name)?.raw_set(token, function)?;
            }
        }
        Ok(())
    }

    /// The function that runs a list of verbs: of a kind, a definition and a hook.
    pub(super) fn effect(&mut self, of: (&str, &str, &str), calls: &[VerbCall]) -> mlua::Result<Function> {
        let lua = self.vm.lua().clone();
        let (runs, cans) = (self.shared.get::<Table>("__VERB")?, self.shared.get::<Table>("__CAN_VERB")?);
        let list = Calls::new(&lua)?;
        let (can, costs, notes) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
        let mut with_context = false;
        for call in calls {
            let cost = self.d.verbs.get(&call.verb).is_some_and(|verb| verb.cost);
            let map = Value::Map(call.args.clone());
            // A verb without a function is a fault of its own.
            let run = runs.raw_get::<LuaValue>(call.verb.as_str())?;
            if run.is_nil() {
                continue;
            }
            with_context |= run.as_function().is_some_and(|run| self.takes_context(&call.verb, run));
            let args = self.args(&map)?;
            with_context |= args.is_function();
            list.push(run, args)?;
            let possible = cans.get::<Option<Function>>(call.verb.as_str())?;
            with_context |= possible.as_ref().is_some_and(|can| self.takes_context(&format!("{}.can", call.verb), can));
            can.raw_push(possible.map_or(LuaValue::Boolean(false), LuaValue::Function))?;
            costs.raw_push(cost)?;
            notes.raw_push(self.note(of, call))?;
        }
        let effect: Function = self.shared.get("__effect")?;
        effect.call((list.functions, can, costs, list.args, notes, with_context))
    }

    /// The arguments of a verb: a table, or a function that computes it from the player and the context.
    pub(super) fn args(&self, args: &Value) -> mlua::Result<LuaValue> {
        let lua = self.vm.lua();
        let plain = tables::to_lua(lua, args)?;
        let fields = lua.create_table()?;
        let add = |arg: &str, name: Option<&str>, index: usize| {
            let field = lua.create_table()?;
            field.set("arg", arg)?;
            field.set("name", name)?;
            field.set("formula", index)?;
            fields.raw_push(field)
        };
        let Value::Map(map) = args else { return Ok(plain) };
        for (arg, value) in map {
            match value {
                Value::Formula(written) => add(arg, None, written.index)?,
                Value::Map(amounts) => {
                    for (name, amount) in amounts {
                        if let Value::Formula(written) = amount {
                            add(arg, Some(name), written.index)?;
                        }
                    }
                }
                _ => {}
            }
        }
        if fields.raw_len() == 0 {
            return Ok(plain);
        }
        Ok(LuaValue::Function(self.shared.get::<Function>("__computing")?.call((
            plain,
            fields,
            self.targets.clone(),
        ))?))
    }

    /// The function that decides whether a list of verbs can be used; `None`: always.
    pub(super) fn usable(
        &mut self,
        d: &Declarations,
        of: (&str, &str, &str),
        calls: &[VerbCall],
    ) -> mlua::Result<Option<Function>> {
        let lua = self.vm.lua().clone();
        let cans: Table = self.shared.get("__CAN_VERB")?;
        let (costs, effects) = (Calls::new(&lua)?, Calls::new(&lua)?);
        let (mut cost_notes, mut effect_notes) = (Vec::new(), Vec::new());
        // All payments must be possible together: two of one coin each need two coins.
        let mut due: IndexMap<String, Value> = IndexMap::new();
        let mut payment = None;
        let (mut always, mut with_context) = (false, false);
        for call in calls {
            let Some(verb) = d.verbs.get(&call.verb) else { continue };
            let is_computed =
                |amounts: &IndexMap<String, Value>| amounts.values().any(|amount| matches!(amount, Value::Formula(_)));
            if let (true, true, Some(Value::Map(amounts))) = (verb.standard, verb.cost, call.args.get("amounts"))
                && !is_computed(amounts)
            {
                payment = payment.or(Some(call));
                for (counter, n) in amounts {
                    let (Value::Integer(n), before) = (n, due.get(counter)) else { continue };
                    let before = if let Some(Value::Integer(before)) = before { *before } else { 0 };
                    due.insert(counter.clone(), Value::Integer(before.saturating_add(*n)));
                }
                continue;
            }
            match cans.get::<Option<Function>>(call.verb.as_str())? {
                // Whether an effect on a target can act is known only with the target.
                Some(can)
                    if !verb.cost
                        && !self.targets.is_empty()
                        && self.takes_context(&format!("{}.can", call.verb), &can) =>
                {
                    always = true
                }
                Some(can) => {
                    with_context |= self.takes_context(&format!("{}.can", call.verb), &can);
                    let args = self.args(&Value::Map(call.args.clone()))?;
                    with_context |= args.is_function();
                    let (list, notes) =
                        if verb.cost { (&costs, &mut cost_notes) } else { (&effects, &mut effect_notes) };
                    list.push(self.refusing_call(call, can)?, args)?;
                    notes.push(self.note(of, call));
                }
                None => always |= !verb.cost,
            }
        }
        if let Some(call) = payment {
            let args = IndexMap::from([("amounts".to_owned(), Value::Map(due))]);
            let all = VerbCall { args, ..call.clone() };
            let can = self.refusing_call(&all, cans.get::<Function>(call.verb.as_str())?)?;
            costs.push(can, tables::to_lua(&lua, &Value::Map(all.args))?)?;
            cost_notes.push(self.note(of, call));
        }
        let (effects, effect_notes) = if always { (Calls::new(&lua)?, Vec::new()) } else { (effects, effect_notes) };
        if costs.functions.raw_len() + effects.functions.raw_len() == 0 {
            return Ok(None);
        }
        let notes = lua.create_sequence_from(cost_notes.into_iter().chain(effect_notes))?;
        let usable: Function = self.shared.get("__usable")?;
        usable.call((costs.functions, costs.args, effects.functions, effects.args, notes, with_context)).map(Some)
    }

    /// Whether a function of a verb takes the context as its third argument.
    fn takes_context(&self, name: &str, function: &Function) -> bool {
        let info = function.info();
        (info.num_params > 2 || info.is_vararg) && !self.plain_functions.contains(name)
    }

    /// Numbers a verb of a definition, from 1, so that error messages can name it.
    fn note(&mut self, (kind, id, hook): (&str, &str, &str), call: &VerbCall) -> usize {
        if self.careful {
            self.verb_places.push(VerbPlace {
                kind: kind.to_owned(),
                id: id.to_owned(),
                hook: hook.to_owned(),
                verb: call.verb.clone(),
                place: call.place.clone(),
            });
        }
        self.verb_places.len()
    }
}

/// Whether a mod removes the word for a script from a definition, and with it the function.
fn is_removed(d: &Declarations, kind: &str, definition: &Definition, hook: &str) -> bool {
    !definition.scripted.contains(hook) && d.removed.contains(&format!("{kind}.{}.{hook}", definition.id))
}

/// The listeners of these definitions that are script functions, each with the function's name.
fn scripted_reactions(d: &Declarations, definitions: std::ops::Range<usize>) -> Vec<(usize, &str)> {
    let of = |(index, listener): (usize, &'_ Listener)| match (&listener.action, listener.bearer) {
        (ListenerAction::Script(_), Bearer::Definition(definition)) if definitions.contains(&definition) => Some(index),
        _ => None,
    };
    let found = d.listeners.iter().enumerate().filter_map(of);
    let name = |index: usize| match &d.listeners[index].action {
        ListenerAction::Script(name) => (index, name.as_str()),
        _ => (index, ""),
    };
    found.map(name).collect()
}
