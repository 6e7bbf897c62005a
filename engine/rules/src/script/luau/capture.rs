//! Reads the values of a loaded game out of its VM, for the compiler.

use std::collections::HashMap;

use indexmap::IndexMap;
use mlua::{Function, Table, Value as LuaValue};

use crate::script::bytecode::number_and_line;
use crate::script::kernels::{KERNELS, TEXT_KERNELS};
use crate::script::luau::parts::Parts;
use crate::script::luau::raw::{FunctionRef, OWN_FUNCTIONS, Vm};
use crate::script::machine::Hook;
use crate::script::native::known::{Access, Buffer, Constants, Known, KnownFunction, KnownTable};
use crate::script::native::program::{HookFunction, Source};
use motherlode_content::declare::OptionValue;

/// Fields of the engine's table that change during a match.
const CHANGING: [&str; 5] = ["__OPTIONS", "__OPTION", "__PLAYERS", "__listed", "__running"];

/// Reads all that the hooks of a loaded game can reach.
///
/// # Errors
/// The VM is out of memory.
pub(super) fn capture(vm: &Vm, parts: &Parts, hooks: &[Option<FunctionRef>]) -> mlua::Result<Source> {
    let lua = vm.lua();
    let shared: Table = lua.globals().raw_get("__T")?;
    let mut reader = Reader { vm, constants: Constants::default(), known: HashMap::new(), open: Vec::new() };
    reader.mark_engine(&shared)?;
    reader.mark_options(parts);
    let Known::Table(globals) = reader.value(&LuaValue::Table(lua.globals()))? else {
        return Err(mlua::Error::runtime("no globals"));
    };
    reader.constants.globals = Some(globals);
    let mut found = Vec::new();
    let count = parts.declarations.phases.len();
    for hook in Hook::all(count) {
        let Some(function) = hooks.get(hook.index()).copied().flatten() else { continue };
        if let Known::Function(function) = reader.value(&LuaValue::Function(vm.function(function)?))? {
            found.push(HookFunction { hook, function });
        }
    }
    let with_values = match reader.value(&shared.raw_get("__with_values")?)? {
        Known::Function(function) => Some(function),
        _ => None,
    };
    reader.finish()?;
    let d = &parts.declarations;
    let has_values = |prompt: usize| !d.prompts[prompt].values.is_empty();
    Ok(Source {
        constants: reader.constants,
        code: parts.numbered_functions(),
        hooks: found,
        labels: parts.labels.clone(),
        prompts: d.prompts.values().map(|prompt| prompt.labels.keys().cloned().collect()).collect(),
        phases: d.phases.values().map(|phase| phase.prompt).collect(),
        has_values: d.phases.values().map(|phase| phase.prompt.is_some_and(has_values)).collect(),
        with_values,
        options: d.options.keys().cloned().collect(),
        words: parts.layout.words,
        names: Hook::all(count).map(|hook| hook.shown(d)).collect(),
    })
}

struct Reader<'v> {
    vm: &'v Vm,
    constants: Constants,
    /// Known values by address.
    known: HashMap<usize, Known>,
    /// Tables and functions whose contents are not read yet.
    open: Vec<(LuaValue, u32)>,
}

impl Reader<'_> {
    /// Recognises the engine's own tables and functions.
    fn mark_engine(&mut self, shared: &Table) -> mlua::Result<()> {
        let lua = self.vm.lua();
        let (state, choices, marks) = self.vm.buffers()?;
        let buffers = [(state, Buffer::State), (choices, Buffer::Choices), (marks, Buffer::Marks)];
        for (buffer, known) in buffers {
            let address = LuaValue::Buffer(buffer).to_pointer() as usize;
            self.known.insert(address, Known::Buffer(known));
        }
        for name in CHANGING {
            let access = match name {
                "__OPTIONS" | "__OPTION" => Access::Options,
                "__PLAYERS" => Access::Players,
                _ => Access::Open,
            };
            if let LuaValue::Table(table) = shared.raw_get(name)? {
                let address = table.to_pointer() as usize;
                if self.known.contains_key(&address) {
                    continue;
                }
                let index = self.reserve(access);
                self.known.insert(address, Known::Table(index));
            }
        }
        for (place, kernel) in KERNELS.iter().enumerate() {
            self.mark_function(&shared.raw_get(kernel.name)?, KnownFunction::Kernel(place));
        }
        for (name, _) in TEXT_KERNELS {
            self.mark_function(&shared.raw_get(*name)?, KnownFunction::TextKernel);
        }
        self.mark_function(&shared.raw_get("__ask")?, KnownFunction::Ask);
        for name in OWN_FUNCTIONS {
            self.mark_function(&shared.raw_get(format!("__{name}"))?, KnownFunction::Library(format!("engine.{name}")));
        }
        let libraries: Table = shared.raw_get("__libraries")?;
        for pair in libraries.pairs::<String, Table>() {
            let (library, functions) = pair?;
            for pair in functions.pairs::<String, LuaValue>() {
                let (name, function) = pair?;
                self.mark_function(&function, KnownFunction::Library(format!("{library}.{name}")));
            }
        }
        for pair in lua.globals().pairs::<LuaValue, LuaValue>() {
            let (name, function) = pair?;
            if let LuaValue::String(name) = name {
                self.mark_function(&function, KnownFunction::Library(name.to_string_lossy()));
            }
        }
        // The engine's own tables do not change after loading, though some are not read-only.
        for pair in shared.pairs::<LuaValue, LuaValue>() {
            let (name, value) = pair?;
            let is_changing = name.as_string().is_some_and(|name| CHANGING.iter().any(|one| name == *one));
            if let (false, LuaValue::Table(table)) = (is_changing, value) {
                self.mark_constant(&table)?;
            }
        }
        Ok(())
    }

    /// Gives the table of options a value of the right type for each option.
    fn mark_options(&mut self, parts: &Parts) {
        let mut fields = IndexMap::new();
        for (name, option) in &parts.declarations.options {
            let key = Known::Text(self.constants.text(name.as_bytes()));
            let value = match &option.default {
                OptionValue::Bool(is) => Known::Boolean(*is),
                OptionValue::Integer(n) => Known::Number(f64::from(*n)),
                OptionValue::Name(name) => Known::Text(self.constants.text(name.as_bytes())),
            };
            for name in option.values.keys() {
                self.constants.text(name.as_bytes());
            }
            fields.insert(key.bits(), (key, value));
        }
        for table in self.constants.tables.iter_mut().filter(|table| table.access == Access::Options) {
            table.fields.clone_from(&fields);
        }
    }

    /// Takes a table of the engine, and the tables in it, as constant.
    fn mark_constant(&mut self, table: &Table) -> mlua::Result<()> {
        let mut open = vec![table.clone()];
        while let Some(table) = open.pop() {
            let address = table.to_pointer() as usize;
            if self.known.contains_key(&address) {
                continue;
            }
            let access = if table.metatable().is_some() { Access::Guarded } else { Access::Plain };
            let index = self.reserve(access);
            self.known.insert(address, Known::Table(index));
            for pair in table.pairs::<LuaValue, LuaValue>() {
                open.extend(pair?.1.as_table().cloned());
            }
            self.open.push((LuaValue::Table(table), index));
        }
        Ok(())
    }

    /// Names a function of C++ or Rust. Functions of scripts are read instead.
    fn mark_function(&mut self, function: &LuaValue, known: KnownFunction) {
        let LuaValue::Function(own) = function else { return };
        if own.info().what != "C" {
            return;
        }
        let address = function.to_pointer() as usize;
        if !self.known.contains_key(&address) {
            self.constants.functions.push(known);
            self.known.insert(address, Known::Function(self.constants.functions.len() as u32 - 1));
        }
    }

    fn reserve(&mut self, access: Access) -> u32 {
        self.constants.tables.push(KnownTable { fields: IndexMap::new(), length: 0, access });
        self.constants.tables.len() as u32 - 1
    }

    fn value(&mut self, value: &LuaValue) -> mlua::Result<Known> {
        Ok(match value {
            LuaValue::Nil => Known::Nil,
            LuaValue::Boolean(is) => Known::Boolean(*is),
            LuaValue::Integer(n) => Known::Number(*n as f64),
            LuaValue::Number(n) => Known::Number(*n),
            LuaValue::String(text) => Known::Text(self.constants.text(&text.as_bytes())),
            LuaValue::Table(_) | LuaValue::Function(_) => self.reference(value)?,
            LuaValue::Buffer(_) => self.known.get(&(value.to_pointer() as usize)).copied().unwrap_or(Known::Other),
            _ => Known::Other,
        })
    }

    fn reference(&mut self, value: &LuaValue) -> mlua::Result<Known> {
        let address = value.to_pointer() as usize;
        if let Some(known) = self.known.get(&address) {
            return Ok(*known);
        }
        let known = match value {
            LuaValue::Table(table) => {
                let access = match (table.is_readonly(), table.metatable()) {
                    (false, _) => Access::Open,
                    (true, Some(_)) => Access::Guarded,
                    (true, None) => Access::Plain,
                };
                let index = self.reserve(access);
                if access != Access::Open {
                    self.open.push((value.clone(), index));
                }
                Known::Table(index)
            }
            _ => {
                self.constants.functions.push(KnownFunction::Other);
                let index = self.constants.functions.len() as u32 - 1;
                self.open.push((value.clone(), index));
                Known::Function(index)
            }
        };
        self.known.insert(address, known);
        Ok(known)
    }

    /// Reads the contents of all tables and functions that were found.
    fn finish(&mut self) -> mlua::Result<()> {
        while let Some((value, index)) = self.open.pop() {
            match &value {
                LuaValue::Table(table) => {
                    let mut fields = IndexMap::new();
                    for pair in table.pairs::<LuaValue, LuaValue>() {
                        let (key, value) = pair?;
                        let (key, value) = (self.value(&key)?, self.value(&value)?);
                        fields.insert(key.bits(), (key, value));
                    }
                    let known = &mut self.constants.tables[index as usize];
                    (known.fields, known.length) = (fields, table.raw_len());
                }
                LuaValue::Function(function) => {
                    if let Some(known) = self.function(function)? {
                        self.constants.functions[index as usize] = known;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, function: &Function) -> mlua::Result<Option<KnownFunction>> {
        let (Some(number), _) = number_and_line(function.info().line_defined.unwrap_or(0)) else { return Ok(None) };
        let mut upvalues = Vec::new();
        for upvalue in self.vm.all_upvalues(function)? {
            upvalues.push(self.value(&upvalue)?);
        }
        Ok(Some(KnownFunction::Script { number, upvalues }))
    }
}
