//! The sandbox: a VM that contains only what scripts may use.

use std::sync::OnceLock;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Lua, Table, Value as LuaValue};

use crate::script::kernels::context::Context;
use crate::script::kernels::{KERNELS, TEXT_KERNELS};
use crate::script::luau::facts::with_facts;
use crate::script::luau::meter::meter_of;
use crate::script::luau::parts::Parts;
use crate::script::luau::raw::{OWN_FUNCTIONS, Vm};
use crate::script::luau::tables;
use crate::script::machine::budget::Price;
use motherlode_content::declare::Declarations;

/// How a VM runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Optimised, and as machine code once they have run long enough to justify it and it is ready: for play.
    Play,
    /// As machine code from the start.
    Compiled,
    /// Optimised but interpreted: to check scripts, and for a few matches.
    Plain,
    /// Interpreted, without inlining: to find the line at which a hook failed.
    Careful,
    /// Interpreted, with coverage counters, for tests and games.
    Counting,
    /// Interpreted, with a record of refused choices and their reasons.
    Reasons,
}

impl Mode {
    /// Whether scripts are optimised, as in play.
    pub(super) fn is_fast(self) -> bool {
        matches!(self, Self::Play | Self::Compiled | Self::Plain)
    }
}

/// Memory limit of one VM, in bytes.
pub(super) const MEMORY: usize = 32 << 20;
/// Memory limit of a VM that decides whether a step runs out of memory. A fresh VM with this much never fails where
/// an old one succeeds, because garbage at most doubles the memory in use.
pub(super) const ROOMY: usize = 3 * MEMORY;
/// Step budget of a script's top level.
pub(super) const LOAD_STEPS: i64 = 5_000_000;
/// Step budget of the top levels of all scripts together.
pub(super) const ALL_LOAD_STEPS: i64 = 4 * LOAD_STEPS;

/// Functions that Luau would compile to special instructions. Scripts lack them or have metered versions.
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
/// Library tables available to scripts.
pub(super) const LIBRARIES: [&str; 5] = ["string", "table", "math", "bit32", "utf8"];
/// Global functions that are metered.
pub(super) const METERED: [&str; 3] = ["unpack", "tonumber", "select"];
/// Functions removed from these tables: no game needs them, and each would need a meter of its own.
pub(super) const ABSENT: [(&str, &[&str]); 3] = [
    ("string", &["pack", "packsize", "unpack"]),
    ("table", &["foreach", "foreachi", "getn", "maxn"]),
    ("math", &["random", "randomseed", "noise"]),
];

/// A VM before any script has run.
pub(super) struct Sandbox {
    pub(super) vm: Vm,
    /// The compiler for its scripts.
    pub(super) compiler: Compiler,
    /// The table used by the header of every script.
    pub(super) shared: Table,
    /// The table that holds the options of the match.
    pub(super) options: Table,
    /// The minimum price of a safepoint; above 1 if the declarations contain long texts.
    pub(super) price: Price,
}

impl Sandbox {
    pub(super) fn new(parts: &Parts, mode: Mode) -> mlua::Result<Self> {
        let (d, layout) = (&parts.declarations, &parts.layout);
        let lua = Lua::new();
        // Loaded code is never garbage.
        lua.gc_stop();
        let careful = mode == Mode::Careful;
        let compiler = Compiler::new()
            .set_optimization_level(match mode {
                Mode::Play | Mode::Compiled | Mode::Plain => 2,
                // Inlined code cannot be counted.
                Mode::Counting | Mode::Reasons => 1,
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
        // String methods go through this table; it gets the metered functions below before it becomes read-only.
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
        shared.set("__PLAYERS", vm.lists_of_players(d.players.min..=d.players.max)?)?;
        for (name, function) in OWN_FUNCTIONS.iter().zip(vm.own_functions()?) {
            shared.set(format!("__{name}"), function)?;
        }
        let libraries = metered_libraries(&vm, &globals)?;
        shared.set("__libraries", &libraries)?;
        shared.set("__globals", globals)?;
        shared.set("__careful", careful)?;
        // They have room from the start, so that a hook costs the same in a VM that has explained others.
        let (choices, verbs) = if careful { (512, 256) } else { (0, 0) };
        shared.set("__listed", lua.create_table_with_capacity(0, choices)?)?;
        shared.set("__running", lua.create_table_with_capacity(verbs, 0)?)?;
        let options = lua.create_table()?;
        shared.set("__OPTIONS", &options)?;
        tables::fill(lua, &shared, d, layout, &parts.labels, MEMORY)?;
        vm.set_memory(MEMORY);
        vm.begin_scripts();
        let code = parts.own("prelude", mode.is_fast(), || prelude(mode, &compiler).map(<[u8]>::to_vec))?;
        let prelude = lua.load(&code[..]).set_name("=engine/prelude.luau");
        let prelude = prelude.set_mode(ChunkMode::Binary).into_function()?;
        let env: Table = prelude.call(&shared)?;
        parts_of_games(lua, &compiler, &shared, parts, mode)?;
        // The string metatable must contain only the metered functions.
        let metered: Table = libraries.get("string")?;
        methods.set_readonly(false);
        for pair in methods.clone().pairs::<String, LuaValue>() {
            let (name, _) = pair?;
            methods.raw_set(name.as_str(), metered.raw_get::<LuaValue>(name.as_str())?)?;
        }
        methods.set_readonly(true);
        take_globals(lua, &env, &shared)?;
        let price = tables::declared_texts(d).fold(Price::LEAST, Price::with_text);
        Ok(Self { vm, compiler, shared, options, price })
    }
}

/// Runs the chunks that only games with targets or events, or a mode, need.
fn parts_of_games(lua: &Lua, compiler: &Compiler, shared: &Table, parts: &Parts, mode: Mode) -> mlua::Result<()> {
    let d = &parts.declarations;
    let chunks = [
        (!d.aims.is_empty(), "=engine/aims.luau", include_str!("std/aims.luau")),
        (has_events(d), "=engine/events.luau", include_str!("std/events.luau")),
        (mode == Mode::Reasons, "=engine/refusals.luau", include_str!("std/refusals.luau")),
    ];
    for (_, name, source) in chunks.into_iter().filter(|(is_needed, ..)| *is_needed) {
        let code = parts.own(name, mode.is_fast(), || compiler.compile(with_facts(source)))?;
        let chunk = lua.load(&code[..]).set_name(name).set_mode(ChunkMode::Binary).into_function()?;
        chunk.call::<()>(shared)?;
    }
    Ok(())
}

/// Whether a game has events besides the built-in ones, or listens to any.
pub(super) fn has_events(d: &Declarations) -> bool {
    !d.listeners.is_empty()
        || d.events.values().any(|event| !event.standard)
        || d.kinds.values().any(|kind| kind.becomes.is_some())
}

/// Makes an environment the globals of all chunks.
fn take_globals(lua: &Lua, env: &Table, shared: &Table) -> mlua::Result<()> {
    // The environment replaces the VM's own globals instead of being set per chunk: when Luau loads a chunk, it
    // resolves the chunk's imports (`math.floor`) in the globals, whatever environment the chunk is given.
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

/// The bytecode of the prelude, shared by all VMs with the same compiler settings.
fn prelude(mode: Mode, compiler: &Compiler) -> mlua::Result<&'static [u8]> {
    static CODES: [OnceLock<Vec<u8>>; 4] = [const { OnceLock::new() }; 4];
    let code = &CODES[match mode {
        Mode::Play | Mode::Compiled | Mode::Plain => 0,
        Mode::Careful => 1,
        Mode::Counting => 2,
        Mode::Reasons => 3,
    }];
    if let Some(code) = code.get() {
        return Ok(code);
    }
    let compiled = compiler.compile(with_facts(include_str!("std/prelude.luau")))?;
    Ok(code.get_or_init(|| compiled))
}

/// The library tables for scripts, metered, with the global functions that need a meter.
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
