//! The sandbox: a VM with what scripts may use and nothing else.

use std::sync::OnceLock;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::script::kernels::context::Context;
use crate::script::kernels::{KERNELS, TEXT_KERNELS};
use crate::script::luau::facts::with_facts;
use crate::script::luau::meter::meter_of;
use crate::script::luau::parts::Parts;
use crate::script::luau::raw::{Vm, inline_more};
use crate::script::luau::tables;
use crate::script::machine::budget::Price;

/// How a VM runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As optimised native code, once they have done so much that making it has been worth it: for play.
    Warming,
    /// As optimised native code from the start.
    Native,
    /// Optimised but interpreted: to check scripts, and for a few matches.
    Plain,
    /// Interpreted, without inlining: to find the line at which a hook failed.
    Careful,
    /// Interpreted, counting what runs: to measure what tests and games exercise.
    Counting,
}

/// Most memory that one VM may use, in bytes.
pub(super) const MEMORY: usize = 32 << 20;
/// The same for one that decides whether a step runs out of memory. With this much, a fresh VM never does where one that has run for
/// long does not: garbage at most doubles what is in use.
pub(super) const ROOMY: usize = 3 * MEMORY;
/// Step budget of a script's top level.
pub(super) const LOAD_STEPS: i64 = 5_000_000;
/// Step budget of the top levels of all scripts together.
pub(super) const ALL_LOAD_STEPS: i64 = 4 * LOAD_STEPS;

/// Functions that Luau would compile to instructions of their own: scripts do not have them, or have them metered.
pub(super) const NO_BUILTINS: [&str; 11] = [
    "setmetatable",
    "getmetatable",
    "rawset",
    "rawget",
    "rawequal",
    "rawlen",
    "vector.create",
    "string.sub",
    "table.unpack",
    "unpack",
    "tonumber",
];
/// The tables of functions that scripts have.
pub(super) const LIBRARIES: [&str; 5] = ["string", "table", "math", "bit32", "utf8"];
/// The plain functions that are metered.
pub(super) const METERED: [&str; 3] = ["unpack", "tonumber", "select"];
/// Functions of these tables that they do not have: no game needs them, and each would need a meter of its own.
pub(super) const ABSENT: [(&str, &[&str]); 3] = [
    ("string", &["pack", "packsize", "unpack"]),
    ("table", &["foreach", "foreachi", "getn", "maxn"]),
    ("math", &["random", "randomseed", "noise"]),
];

/// A VM in which no script has run yet.
pub(super) struct Sandbox {
    pub(super) vm: Vm,
    /// The compiler for its scripts.
    pub(super) compiler: Compiler,
    /// The table that the header of every script works with.
    pub(super) shared: Table,
    /// The table that holds the options of the match.
    pub(super) options: Table,
    /// The least price of a safepoint: more than 1 if the declarations hold long texts.
    pub(super) price: Price,
    /// The engine's own script, whose functions may become native code.
    pub(super) prelude: Function,
}

impl Sandbox {
    pub(super) fn new(parts: &Parts, mode: Mode) -> mlua::Result<Self> {
        inline_more();
        let (d, layout) = (&parts.declarations, &parts.layout);
        let lua = Lua::new();
        // What is loaded stays loaded.
        lua.gc_stop();
        let careful = mode == Mode::Careful;
        // What is loaded becomes native code later, or never.
        lua.enable_jit(false);
        let compiler = Compiler::new()
            .set_optimization_level(match mode {
                Mode::Warming | Mode::Native | Mode::Plain => 2,
                // Inlined code is not counted.
                Mode::Counting => 1,
                Mode::Careful => 0,
            })
            .set_coverage_level(u8::from(mode == Mode::Counting))
            .set_debug_level(if careful { 2 } else { 1 })
            .set_disabled_builtins(NO_BUILTINS);
        lua.set_compiler(compiler.clone());
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
        // Methods of strings go through this table; it gets the capped functions below before it becomes read-only.
        let methods: Table = lua.globals().get("string")?;
        lua.sandbox(true)?;
        let vm = Vm::new(lua, layout.clone(), Context::new(d.clone(), parts.choosable.clone()))?;
        vm.context().budget.allow(LOAD_STEPS, Price::LEAST);
        let lua = vm.lua();
        let shared = lua.create_table()?;
        let (state, choices, marks) = vm.buffers()?;
        shared.set("__S", state)?;
        shared.set("__O", choices)?;
        shared.set("__D", marks)?;
        for (i, kernel) in KERNELS.iter().enumerate() {
            shared.set(kernel.name, vm.kernel(i)?)?;
        }
        for (i, (name, _)) in TEXT_KERNELS.iter().enumerate() {
            shared.set(*name, vm.text_kernel(i)?)?;
        }
        shared.set("__ask", vm.ask()?)?;
        shared.set("__ask_together", vm.ask_together()?)?;
        let libraries = metered_libraries(&vm, &globals)?;
        shared.set("__libraries", &libraries)?;
        shared.set("__globals", globals)?;
        shared.set("__careful", careful)?;
        let options = lua.create_table()?;
        shared.set("__OPTIONS", &options)?;
        tables::fill(lua, &shared, d, layout, &parts.labels, MEMORY)?;
        vm.set_memory(MEMORY);
        vm.begin_scripts();
        let prelude = lua.load(prelude(mode, &compiler)?).set_name("=engine/prelude.luau");
        let prelude = prelude.set_mode(ChunkMode::Binary).into_function()?;
        let env: Table = prelude.call(&shared)?;
        // The string metatable's methods must be the metered ones, and no others.
        let metered: Table = libraries.get("string")?;
        methods.set_readonly(false);
        for pair in methods.clone().pairs::<String, LuaValue>() {
            let (name, _) = pair?;
            methods.raw_set(name.as_str(), metered.raw_get::<LuaValue>(name.as_str())?)?;
        }
        methods.set_readonly(true);
        take_globals(lua, &env, &shared)?;
        let price = tables::declared_texts(d).fold(Price::LEAST, Price::with_text);
        Ok(Self { vm, compiler, shared, options, price, prelude })
    }
}

/// Makes an environment that of all chunks.
fn take_globals(lua: &Lua, env: &Table, shared: &Table) -> mlua::Result<()> {
    // The environment is the VM's own table of globals, not one set per chunk: when Luau loads a chunk, it looks up what the
    // chunk imports (`math.floor`) in the globals, whatever environment the chunk is given.
    let globals = lua.globals();
    globals.set_metatable(None)?;
    globals.clear()?;
    for pair in env.pairs::<String, LuaValue>() {
        let (name, value) = pair?;
        globals.raw_set(name, value)?;
    }
    globals.raw_set("__T", shared)?;
    globals.set_readonly(true);
    globals.set_safeenv(true);
    Ok(())
}

/// The bytecode of the prelude, which all VMs that compile alike share.
fn prelude(mode: Mode, compiler: &Compiler) -> mlua::Result<&'static [u8]> {
    static CODES: [OnceLock<Vec<u8>>; 3] = [const { OnceLock::new() }; 3];
    let code = &CODES[match mode {
        Mode::Warming | Mode::Native | Mode::Plain => 0,
        Mode::Careful => 1,
        Mode::Counting => 2,
    }];
    if let Some(code) = code.get() {
        return Ok(code);
    }
    let compiled = compiler.compile(with_facts(include_str!("std/prelude.luau")))?;
    Ok(code.get_or_init(|| compiled))
}

/// The tables of functions as scripts have them, metered; the plain functions that need a meter get one, too.
fn metered_libraries(vm: &Vm, plain: &Table) -> mlua::Result<Table> {
    let lua = vm.lua();
    for name in METERED {
        plain.set(name, vm.metered(&plain.get(name)?, name, meter_of("", name))?)?;
    }
    let libraries = lua.create_table()?;
    for library in LIBRARIES {
        let metered = lua.create_table()?;
        let absent = ABSENT.iter().find(|(name, _)| *name == library).map_or(&[][..], |(_, absent)| absent);
        for pair in lua.globals().get::<Table>(library)?.pairs::<String, LuaValue>() {
            let (name, value) = pair?;
            let value = match &value {
                _ if absent.contains(&name.as_str()) => continue,
                LuaValue::Function(f) => LuaValue::Function(vm.metered(f, &name, meter_of(library, &name))?),
                _ => value,
            };
            metered.raw_set(name, value)?;
        }
        metered.set_readonly(true);
        libraries.raw_set(library, metered)?;
    }
    Ok(libraries)
}
