//! The machine code of a game.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, UserFuncName, Value as Ssa, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, isa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use indexmap::IndexMap;

use crate::script::bytecode::Numbered;
use crate::script::machine::{Hook, PhaseHook};
use crate::script::native::data::{Data, parts};
use crate::script::native::emit::{Emitter, End, Functions, passes};
use crate::script::native::infer::{Analysis, Callee};
use crate::script::native::known::{Constants, Known};
use crate::script::native::library::{ALWAYS_ENDS, SAYS};
use crate::script::native::raw::arena::Value;
use crate::script::native::raw::code::{Code, EntryPoint};
use crate::script::native::raw::frame::{Frame, helpers};
use crate::script::native::ty::{Ty, tag};
use motherlode_content::declare::OptionValue;

/// The machine code of a game, shared by all its matches.
#[derive(Debug)]
pub struct Compiled {
    entries: Vec<Option<EntryPoint>>,
    /// Entries of hooks that get a label with values, which they unpack.
    unpacking: Vec<Option<EntryPoint>>,
    /// The labels of all prompts, as texts of the code.
    labels: Vec<u32>,
    /// The names of the options, in the order of their values.
    pub options: Vec<String>,
    /// All texts of the code.
    texts: HashMap<String, u32>,
    /// The hooks, and what machine code leaves to Luau.
    pub hooks: Vec<HookCode>,
    #[expect(dead_code, reason = "the entries are in it")]
    code: Code,
}

/// A hook, and what machine code leaves to Luau.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCode {
    /// Its name: `setup`, `main.act`.
    pub hook: String,
    /// Whether it has machine code.
    pub is_compiled: bool,
    /// Where its machine code ends, so that Luau must run it again from its start.
    pub ends: Vec<CodeEnd>,
}

/// A place where machine code ends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeEnd {
    /// The path of the script.
    pub script: String,
    /// The line.
    pub line: usize,
    /// The function of the engine that the line calls and in which the code ends; `None`: it ends in the line itself.
    pub inside: Option<String>,
    /// The operation that machine code lacks.
    pub why: &'static str,
}

/// A hook with its function.
#[derive(Debug, Clone, Copy)]
pub struct HookFunction {
    /// The hook.
    pub hook: Hook,
    /// Its function, by its index in the constants.
    pub function: u32,
}

/// The material of machine code.
#[derive(Debug)]
pub struct Source {
    /// All values that are the same in every match.
    pub constants: Constants,
    /// All functions, by their number in the bytecode.
    pub code: Vec<Numbered>,
    /// The hooks.
    pub hooks: Vec<HookFunction>,
    /// The labels of all prompts.
    pub labels: Vec<String>,
    /// The labels of each prompt.
    pub prompts: Vec<Vec<String>>,
    /// The prompt of each phase.
    pub phases: Vec<Option<usize>>,
    /// For each phase, whether its prompt has labels with values.
    pub has_values: Vec<bool>,
    /// The function that calls a hook with a label that has values.
    pub with_values: Option<u32>,
    /// The names of the options.
    pub options: Vec<String>,
    /// Number of words of the state block.
    pub words: usize,
    /// The names of all hooks that a game with these phases may have.
    pub names: Vec<String>,
}

impl Compiled {
    /// Compiles the hooks of a game. `None`: the machine has no back end, or forbids new code.
    #[must_use]
    pub fn new(source: Source) -> Option<Self> {
        catch_unwind(AssertUnwindSafe(|| Self::compile(source))).ok().flatten()
    }

    fn compile(source: Source) -> Option<Self> {
        let Source {
            mut constants,
            code,
            hooks,
            labels,
            prompts,
            phases,
            has_values,
            with_values,
            options,
            words,
            names,
        } = source;
        let labels: Vec<u32> = labels.iter().map(|label| constants.text(label.as_bytes())).collect();
        let mut texts_of = |list: &Vec<String>| {
            Ty::union(list.iter().map(|label| Known::Text(constants.text(label.as_bytes()))).collect::<Vec<_>>())
        };
        let prompts: Vec<Ty> = prompts.iter().map(&mut texts_of).collect();
        let mut functions = functions()?;
        let mut data = Data::default();
        let mut analysis = Analysis::new(&mut constants, &code, labels.clone(), prompts, words);
        let instances: Vec<(Hook, Option<usize>)> = hooks
            .iter()
            .map(|HookFunction { hook, function }| {
                let arguments = arguments_of(*hook, &analysis, &phases);
                (*hook, analysis.instance(&Callee::Known(*function), &arguments))
            })
            .collect();
        let unpacking: Vec<(Hook, Option<usize>)> = hooks
            .iter()
            .filter(
                |one| matches!(one.hook, Hook::Phase(phase, PhaseHook::Act) if has_values.get(phase) == Some(&true)),
            )
            .filter_map(|HookFunction { hook, function }| {
                let hook_itself = Ty::known(Known::Function(*function));
                let arguments = [hook_itself, Ty::int(0, i64::from(i32::MAX)), Ty::word()];
                Some((*hook, analysis.instance(&Callee::Known(with_values?), &arguments)))
            })
            .collect();
        analysis.spread_asks();
        let mut writer = Writer { context: functions.module.make_context(), builder: FunctionBuilderContext::new() };
        for instance in instances.iter().chain(&unpacking).filter_map(|(_, instance)| *instance) {
            if analysis.instances[instance].returns() {
                writer.entry(&mut functions, &analysis, instance)?;
            }
        }
        writer.all(&mut functions, &mut analysis, &mut data)?;
        functions.module.finalize_definitions().ok()?;
        let address = |functions: &Functions, id: &FuncId| functions.module.get_finalized_function(*id);
        for table in &functions.dispatch {
            for (place, instance) in &table.instances {
                let at = functions.entries.get(instance).map_or(0, |id| address(&functions, id) as i64);
                data.lists[table.list][*place] = at;
            }
        }
        let entries_of = |instances: &[(Hook, Option<usize>)]| {
            let mut entries = vec![None; names.len()];
            for (hook, instance) in instances {
                let id = instance.and_then(|instance| functions.entries.get(&instance));
                entries[hook.index()] = id.map(|id| EntryPoint::at(address(&functions, id)));
            }
            entries
        };
        let hooks = instances
            .iter()
            .map(|(hook, instance)| {
                // A choice with values comes in through the other instance, and perhaps no other choice comes at all.
                let unpacks = unpacking.iter().find(|(other, _)| other == hook).and_then(|(_, instance)| *instance);
                let name = names.get(hook.index()).cloned().unwrap_or_default();
                code_of(name, instance.iter().copied().chain(unpacks), &functions, &analysis)
            })
            .collect();
        let (entries, unpacking) = (entries_of(&instances), entries_of(&unpacking));
        let texts = constants.texts.iter().enumerate();
        let texts = texts.filter_map(|(at, text)| Some((std::str::from_utf8(text).ok()?.to_owned(), at as u32)));
        let texts = texts.collect();
        Some(Self { entries, unpacking, labels, options, texts, hooks, code: Code::new(functions.module, data.lists) })
    }

    /// The code of a label without values.
    #[inline]
    fn label(&self, arg: i32) -> Option<u32> {
        self.labels.get(arg.unsigned_abs() as usize - 1).copied()
    }

    /// Whether one of a hook's arguments is a label with values.
    #[inline]
    #[must_use]
    pub fn unpacks(&self, args: &[i32]) -> bool {
        args.iter().any(|&arg| arg < 0 && self.label(arg).is_none())
    }

    /// The entry of a hook; `unpacks`: it gets a label with values as its number.
    #[inline]
    #[must_use]
    pub fn entry(&self, hook: Hook, unpacks: bool) -> Option<EntryPoint> {
        let entries = if unpacks { &self.unpacking } else { &self.entries };
        entries.get(hook.index()).copied().flatten()
    }

    /// Passes the arguments of a hook as values, with labels as texts. A label with values stays a number, for the function
    /// that unpacks it; the first argument of that function is the hook, which its code knows.
    #[inline]
    pub fn pass(&self, args: &[i32], unpacks: bool, into: &mut [Value]) {
        if unpacks {
            into[0] = Value::NIL;
        }
        for (value, &arg) in into[usize::from(unpacks)..].iter_mut().zip(args) {
            *value = match (arg < 0).then(|| self.label(arg)).flatten() {
                Some(text) => Value { payload: i64::from(text), tag: i64::from(tag::TEXT) },
                None => Value::int(i64::from(arg)),
            };
        }
    }

    /// The values of options, in the order of the code.
    #[must_use]
    pub fn option_values(&self, options: &IndexMap<String, OptionValue>) -> Vec<Value> {
        let value = |name: &String| match options.get(name) {
            Some(OptionValue::Bool(is)) => Value::from(parts(Known::Boolean(*is))),
            Some(OptionValue::Integer(n)) => Value::from(parts(Known::Number(f64::from(*n)))),
            Some(OptionValue::Name(text)) => {
                let at = self.texts.get(text).map_or(-1, |at| i64::from(*at));
                Value { payload: at, tag: i64::from(tag::TEXT) }
            }
            None => Value::NIL,
        };
        self.options.iter().map(value).collect()
    }
}

/// Tells of the machine code of a hook: of the instances that can end well, if there are any.
fn code_of(
    hook: String,
    instances: impl Iterator<Item = usize>,
    functions: &Functions,
    analysis: &Analysis<'_>,
) -> HookCode {
    let (compiled, other): (Vec<usize>, Vec<usize>) = instances.partition(|at| analysis.instances[*at].returns());
    let is_compiled = !compiled.is_empty();
    let told = if is_compiled { compiled } else { other };
    let ends: BTreeSet<CodeEnd> = told.into_iter().flat_map(|at| ends_of(at, functions, analysis)).collect();
    HookCode { hook, is_compiled, ends: ends.into_iter().collect() }
}

/// Where the code of an instance ends, and that of all that it calls.
fn ends_of(instance: usize, functions: &Functions, analysis: &Analysis<'_>) -> BTreeSet<CodeEnd> {
    let (mut callers, mut open) = (BTreeMap::from([(instance, None)]), VecDeque::from([instance]));
    while let Some(at) = open.pop_front() {
        for (&called, &place) in &analysis.instances[at].called {
            if let Entry::Vacant(entry) = callers.entry(called) {
                entry.insert(Some((at, place)));
                open.push_back(called);
            }
        }
    }
    let seen: BTreeSet<usize> = callers.keys().copied().collect();
    let mut out = BTreeSet::new();
    let mut add = |instance: usize, at: usize, why| {
        // The called function says why.
        if why != SAYS && why != ALWAYS_ENDS {
            out.extend(end_of((instance, at), why, &callers, analysis));
        }
    };
    for End { instance, at, why } in functions.ends.iter().filter(|end| seen.contains(&end.instance)) {
        add(*instance, *at, *why);
    }
    for instance in seen {
        if !analysis.instances[instance].returns() {
            analysis.instances[instance].ends.iter().for_each(|(at, why)| add(instance, *at, *why));
        }
    }
    out
}

/// The end of the code at a place of an instance. Authors do not know the lines of the engine, so an end there is at
/// the line that calls the engine.
fn end_of(
    (mut instance, mut at): (usize, usize),
    why: &'static str,
    callers: &BTreeMap<usize, Option<(usize, usize)>>,
    analysis: &Analysis<'_>,
) -> Option<CodeEnd> {
    let mut inside = None;
    loop {
        let code = analysis.code.get(analysis.instances[instance].number)?;
        let (function, script) = (code.function(), code.script.to_string());
        let line = function.line_of(at);
        // The engine's own scripts have no file name, or are in a folder of the engine. Its functions in a script of
        // the game are in line 1.
        let is_of_engine = !script.ends_with(".luau") || script.starts_with("engine/") || line <= 1;
        match callers.get(&instance).copied().flatten().filter(|_| is_of_engine) {
            Some(caller) => {
                inside = function.name.as_deref().map(|name| name.trim_start_matches('_').to_owned()).or(inside);
                (instance, at) = caller;
            }
            None => return Some(CodeEnd { script, line, inside, why }),
        }
    }
}

/// The types of a hook's arguments: numbers, and labels of choices.
fn arguments_of(hook: Hook, analysis: &Analysis<'_>, phases: &[Option<usize>]) -> Vec<Ty> {
    let number = Ty::int(0, i64::from(i32::MAX));
    match hook {
        Hook::Phase(phase, PhaseHook::Act) => {
            let prompt = phases.get(phase).copied().flatten();
            let labels = prompt.and_then(|prompt| analysis.prompts.get(prompt)).unwrap_or(&analysis.labels);
            vec![number, Ty::word().join(labels)]
        }
        Hook::Redeal
        | Hook::Phase(
            _,
            PhaseHook::Skip
            | PhaseHook::BeginTurn
            | PhaseHook::Turn
            | PhaseHook::Offer
            | PhaseHook::EndTurn
            | PhaseHook::Resolve,
        ) => vec![number],
        Hook::Setup
        | Hook::Finish
        | Hook::Phase(
            _,
            PhaseHook::Applies | PhaseHook::Start | PhaseHook::Run | PhaseHook::Order | PhaseHook::Finish,
        ) => Vec::new(),
    }
}

fn functions() -> Option<Functions> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").ok()?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
    flags.set("use_colocated_libcalls", "false").ok()?;
    flags.set("is_pic", "false").ok()?;
    let isa: Arc<dyn isa::TargetIsa> = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    for (name, address, ..) in helpers() {
        builder.symbol(name, address);
    }
    let mut module = JITModule::new(builder);
    let mut ids = Vec::new();
    for (name, _, arguments, returns) in helpers() {
        let mut signature = module.make_signature();
        signature.params.extend(vec![AbiParam::new(types::I64); arguments]);
        if returns {
            signature.returns.push(AbiParam::new(types::I64));
        }
        ids.push(module.declare_function(name, Linkage::Import, &signature).ok()?);
    }
    Some(Functions {
        module,
        helpers: ids,
        instances: HashMap::new(),
        entries: HashMap::new(),
        open: Vec::new(),
        dispatch: Vec::new(),
        ends: Vec::new(),
    })
}

struct Writer {
    context: Context,
    builder: FunctionBuilderContext,
}

impl Writer {
    /// Writes all functions that are called.
    fn all(&mut self, functions: &mut Functions, analysis: &mut Analysis<'_>, data: &mut Data) -> Option<()> {
        let mut dispatched = 0;
        loop {
            while let Some(at) = functions.open.pop() {
                self.instance(functions, analysis, data, at)?;
            }
            let called: Vec<usize> = functions.dispatch[dispatched..]
                .iter()
                .flat_map(|table| table.instances.iter().map(|(_, instance)| *instance))
                .filter(|at| analysis.instances[*at].returns())
                .collect();
            dispatched = functions.dispatch.len();
            for instance in called {
                self.entry(functions, analysis, instance)?;
            }
            if functions.open.is_empty() && dispatched == functions.dispatch.len() {
                return Some(());
            }
        }
    }

    fn instance(
        &mut self,
        functions: &mut Functions,
        analysis: &mut Analysis<'_>,
        data: &mut Data,
        at: usize,
    ) -> Option<()> {
        let id = functions.instances[&at];
        let function = analysis.function(analysis.instances[at].number)?;
        let instance = &analysis.instances[at];
        self.context.func.signature = functions.signature(instance);
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let emitter = Emitter::new(analysis, builder, data, functions, at, function);
        let builder = emitter.write();
        builder.finalize(functions.module.target_config());
        let defined = functions.module.define_function(id, &mut self.context);
        functions.module.clear_context(&mut self.context);
        defined.ok()
    }

    /// Writes the entry of an instance: it takes the arguments from the frame, and leaves the result there.
    fn entry(&mut self, functions: &mut Functions, analysis: &Analysis<'_>, at: usize) -> Option<()> {
        if functions.entries.contains_key(&at) {
            return Some(());
        }
        let target = functions.instance(at, &analysis.instances[at])?;
        let signature = functions.entry_signature();
        let id = functions.module.declare_anonymous_function(&signature).ok()?;
        functions.entries.insert(at, id);
        self.context.func.signature = signature;
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let frame = builder.block_params(block)[0];
        let offset = |place: usize, part: usize| {
            (std::mem::offset_of!(Frame, arguments) + place * size_of::<Value>() + part) as i32
        };
        let mut passed: Vec<Ssa> = vec![frame];
        if analysis.instances[at].is_made {
            let upvalues = std::mem::offset_of!(Frame, upvalues) as i32;
            passed.push(builder.ins().load(types::I64, MemFlagsData::trusted(), frame, upvalues));
        }
        for (place, ty) in analysis.instances[at].arguments.iter().enumerate() {
            let (payload, tag) = passes(ty);
            for (_, part) in [(payload, 0), (tag, 8)].into_iter().filter(|(is_passed, _)| *is_passed) {
                passed.push(builder.ins().load(types::I64, MemFlagsData::trusted(), frame, offset(place, part)));
            }
        }
        let target = functions.module.declare_func_in_func(target, builder.func);
        let call = builder.ins().call(target, &passed);
        let first = builder.inst_results(call).to_vec();
        let result = std::mem::offset_of!(Frame, results) as i32;
        builder.ins().store(MemFlagsData::trusted(), first[0], frame, result);
        builder.ins().store(MemFlagsData::trusted(), first[1], frame, result + 8);
        builder.ins().return_(&[]);
        builder.seal_all_blocks();
        builder.finalize(functions.module.target_config());
        let defined = functions.module.define_function(id, &mut self.context);
        functions.module.clear_context(&mut self.context);
        defined.ok()
    }
}
