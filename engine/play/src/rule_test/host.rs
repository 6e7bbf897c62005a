//! The sandbox of a test file, and the table `t` that its tests receive.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaOptions, MultiValue, StdLib, Table, Value};
use motherlode::SourceFile;
use motherlode::tools::guest::{Guest, GuestPrice, Refusal};
use motherlode::tools::hidden;

use super::case::{Args, Case, Seating, too_much_together};
use super::methods::{self, CHECKS, Run, STEPS};
use super::result::TestResult;
use super::suggest::did_you_mean;
use super::{order, values};

/// Maximum steps (calls and loop iterations) of one test, and of the file's body. Large objects and searches cost
/// more.
const MOST_STEPS: u64 = 10_000_000;

/// Fixed cost of a test and of a file, in steps, for garbage collection and the sandbox.
const EACH_TEST: u64 = 2000;
const EACH_FILE: u64 = 50_000;

/// Memory of a test file's sandbox, in bytes.
const MOST_MEMORY: usize = 32 << 20;

/// Luau's message when memory runs out.
const EXHAUSTED: &str = "not enough memory";
/// Our message for that.
const OUT_OF_MEMORY: &str = "ran out of memory";

/// `error` and `assert`, extended to report the line for every kind of value.
const RAISING: &str = r##"
local error, type, select = error, type, select
local function raise(value, level)
    local kind = type(value)
    if kind == "string" or kind == "number" then error(value, level) end
    error(`a failure must be a string, not a {kind}`, 3)
end
return {
    error = function(value, level)
        raise(value, if type(level) == "number" and level > 0 then level + 2 else 3)
    end,
    assert = function(...)
        local ok, message = ...
        if ok then return ... end
        if select("#", ...) == 0 then error("missing argument #1 to 'assert'", 2) end
        raise(if message == nil then "assertion failed!" else message, 3)
    end,
}
"##;

/// Cost of calling a method of `t`, in units of work, in addition to its arguments.
const CALL: u64 = 5;

/// Cost of an expected failure, which finds the line and shows the position.
const EXPECTED: u64 = 100;

/// Globals available to tests; all others are removed. `pcall` is absent because a failed check must end the test:
/// see `t.error`.
pub const GLOBALS: [&str; 17] = [
    "_VERSION", "assert", "bit32", "error", "ipairs", "math", "next", "pairs", "select", "string", "table", "tonumber",
    "tostring", "type", "typeof", "unpack", "utf8",
];

/// Luau chunk names of the test file and lib.luau: short, because Luau truncates long ones.
const TEST: &str = "test";
const LIB: &str = "lib";

/// The reason and line of a failed test.
struct Failure {
    /// Whether the line is in lib.luau.
    is_in_lib: bool,
    line: Option<u32>,
    message: String,
}

/// The host's state, shared with the functions in the sandbox.
#[derive(Clone)]
struct Shared {
    case: Rc<RefCell<Case>>,
    /// The failure behind the error that is propagating through the sandbox.
    failed: Rc<RefCell<Option<Failure>>>,
    /// Steps left for all tests together, excluding those of the running test.
    left: Rc<Cell<u64>>,
    /// Steps that the running test may take in its sandbox.
    allowed: Rc<Cell<u64>>,
    /// The price of steps.
    price: Rc<Cell<GuestPrice>>,
    /// The step counter.
    guest: Guest,
    /// The step at which memory ran out, while the test runs again to find the line.
    exhausted: Rc<Cell<Option<u64>>>,
}

/// Whether to run a test, given the names of all tests in its file and its own.
pub(super) type TestSelector<'c> = dyn Fn(&[String], &str) -> bool + 'c;

/// Runs the tests of a file, with the result of `lib` as a global.
pub(super) fn run(
    seating: &mut Seating,
    test: &SourceFile,
    lib: Option<&SourceFile>,
    wanted: &TestSelector<'_>,
) -> Vec<TestResult> {
    let case = Rc::new(RefCell::new(Case::new(seating)));
    let (failed, exhausted, allowed, price) = (Rc::default(), Rc::default(), Rc::default(), Rc::default());
    let left = Rc::new(Cell::new(seating.left.saturating_sub(EACH_FILE)));
    let guest = Guest::default();
    let shared = Shared { case: case.clone(), failed, left, exhausted, allowed, price, guest };
    let results = run_in(&shared, test, lib, wanted);
    shared.charge();
    case.borrow_mut().give_back(seating);
    seating.left = shared.left.get();
    results
}

fn run_in(shared: &Shared, test: &SourceFile, lib: Option<&SourceFile>, wanted: &TestSelector<'_>) -> Vec<TestResult> {
    let lib_file = &lib.unwrap_or(test).path;
    let loaded = shared.with_line(|| {
        shared.begin();
        load(shared, test, lib).map_err(|error| shared.failure(&error))
    });
    match loaded {
        Err(failure) => {
            let file = if failure.is_in_lib { lib_file } else { &test.path };
            vec![TestResult::fault(file, failure.line.unwrap_or(0), failure.message)]
        }
        Ok((lua, Value::Table(table))) => run_all(shared, &lua, test, lib_file, &table, wanted),
        Ok((_, other)) => {
            let message = format!("the file must return a table of tests by name, not {}", values::show(&other));
            vec![TestResult::fault(&test.path, 0, message)]
        }
    }
}

/// Creates the sandbox and runs the bodies of lib.luau and the test file.
fn load(shared: &Shared, test: &SourceFile, lib: Option<&SourceFile>) -> mlua::Result<(Lua, Value)> {
    let lua = sandbox(shared)?;
    let body = |name: &str, text: &str| -> mlua::Result<Value> {
        let mut price = shared.price.get();
        let code = price.compile(text).map_err(|(line, message)| {
            let line = u32::try_from(line).ok();
            *shared.failed.borrow_mut() = Some(Failure { is_in_lib: name == LIB, line, message });
            mlua::Error::runtime("code refused")
        })?;
        let chunk = match &code {
            Some(code) => lua.load(code).set_mode(ChunkMode::Binary),
            None => lua.load(text).set_mode(ChunkMode::Text),
        };
        // Loading creates the chunk's strings.
        let chunk = chunk.set_name(format!("={name}")).into_function()?;
        shared.price.set(price.with_made_objects(&shared.guest));
        shared.allow_rest();
        let value = chunk.call(())?;
        shared.price.set(shared.price.get().with_made_objects(&shared.guest));
        Ok(value)
    };
    if let Some(lib) = lib {
        match body(LIB, &lib.text)? {
            Value::Table(table) => {
                let inner = shared.clone();
                let functions = table.clone();
                guard(&lua, &table, move |lua, key| {
                    let names: Vec<String> =
                        functions.pairs::<String, Value>().flatten().map(|(name, _)| name).collect();
                    let near = did_you_mean(key, names.iter().map(String::as_str));
                    inner.fail(lua, format!("unknown lib.{key}{near}"))
                })?;
                lua.globals().raw_set(LIB, table)?;
            }
            other => {
                let message =
                    format!("the file must return a table of functions by name, not {}", values::show(&other));
                *shared.failed.borrow_mut() = Some(Failure { is_in_lib: true, line: None, message });
                return Err(mlua::Error::runtime("no table"));
            }
        }
    }
    let value = body(TEST, &test.text)?;
    Ok((lua, value))
}

/// Makes a table read-only, with an error for unknown names.
fn guard(lua: &Lua, table: &Table, unknown: impl Fn(&Lua, &str) -> mlua::Error + 'static) -> mlua::Result<()> {
    let unknown = lua.create_function(move |lua, (_, key): (Value, Value)| {
        let key = if let Value::String(key) = &key { key.to_string_lossy() } else { values::show(&key) };
        Err::<(), _>(unknown(lua, &key))
    })?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", unknown)?;
    table.set_metatable(Some(meta))?;
    table.set_readonly(true);
    Ok(())
}

fn run_all(
    shared: &Shared,
    lua: &Lua,
    SourceFile { path: file, text }: &SourceFile,
    lib_file: &str,
    table: &Table,
    wanted: &TestSelector<'_>,
) -> Vec<TestResult> {
    let result = |name: &str, line: u32, message: String| TestResult {
        name: name.to_owned(),
        passed: message.is_empty(),
        message,
        line,
        file: file.clone(),
    };
    let t = match methods(shared, lua) {
        Ok(t) => t,
        Err(error) => return vec![TestResult::fault(file, 0, error.to_string())],
    };
    let written = order::names(text);
    let mut results = Vec::new();
    let mut tests: Vec<(u32, String, Function)> = Vec::new();
    for (key, value) in table.pairs::<Value, Value>().flatten() {
        let name = match &key {
            Value::String(name) => name.to_string_lossy(),
            other => values::show(other),
        };
        let line = written.iter().find(|(written, _)| *written == name).map(|(_, line)| *line);
        match (&key, value) {
            (Value::String(_), Value::Function(test)) => {
                let defined = || test.info().line_defined.and_then(|line| u32::try_from(line).ok());
                tests.push((line.or_else(defined).unwrap_or(0), name, test));
            }
            (Value::String(_), _) => {
                results.push(result(&name, line.unwrap_or(0), "a test must be a function".to_owned()))
            }
            _ => results.push(result(&name, 0, "a test must have a name".to_owned())),
        }
    }
    if tests.is_empty() && results.is_empty() {
        return vec![TestResult::fault(file, 0, "the file has no tests".to_owned())];
    }
    for (name, first, second) in order::duplicates(&written) {
        if tests.iter().any(|(_, known, _)| known == name) {
            let message = format!("duplicate test name in lines {first} and {second}: only one of the tests would run");
            results.push(result(name, second, message));
        }
    }
    tests.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let names: Vec<String> = tests.iter().map(|(_, name, _)| name.clone()).collect();
    results.retain(|result| wanted(&names, &result.name));
    for (line, name, test) in tests.into_iter().filter(|(_, name, _)| wanted(&names, name)) {
        let failure = shared.run(lua, &test, &t);
        let spent = failure.is_some() && shared.is_spent();
        results.push(match failure {
            None => result(&name, line, String::new()),
            Some(Failure { is_in_lib: true, line, message }) => {
                TestResult { file: lib_file.to_owned(), ..result(&name, line.unwrap_or(0), message) }
            }
            Some(failure) => result(&name, failure.line.unwrap_or(line), failure.message),
        });
        if spent {
            break;
        }
    }
    results.sort_by_key(|result| {
        written.iter().find(|(name, _)| *name == result.name).map_or(result.line, |(_, line)| *line)
    });
    results
}

impl Shared {
    /// Runs one test; `None` if it passed.
    fn run(&self, lua: &Lua, test: &Function, t: &Table) -> Option<Failure> {
        self.with_line(|| {
            // Collect garbage first, so that no test or attempt uses up the memory of the next.
            let _ = lua.gc_collect();
            let _ = lua.set_memory_limit(self.memory());
            self.attempt(test, t)
        })
        .err()
    }

    /// Charges the last test, or the loading of the file, to the budget of the run.
    fn charge(&self) {
        self.left.set(self.left.get().saturating_sub(self.cost()));
        self.allowed.set(0);
        self.guest.allow(0, self.price.get());
    }

    /// Resets the state for the next test or for loading the file.
    fn begin(&self) {
        self.charge();
        self.case.borrow_mut().begin(self.left.get());
        self.allow();
        self.failed.take();
    }

    /// Sets the step limit.
    fn allow(&self) {
        let most = self.left.get().min(MOST_STEPS);
        self.allowed.set(self.exhausted.get().map_or(most, |at| most.min(at.saturating_sub(1))));
        self.guest.allow(self.allowed.get(), self.price.get());
    }

    /// Sets the price of the remaining steps.
    fn allow_rest(&self) {
        self.guest.allow(u64::try_from(self.guest.left()).unwrap_or(0), self.price.get());
    }

    /// Steps that the sandbox has taken since [`Self::allow`].
    fn taken(&self) -> u64 {
        self.allowed.get().saturating_add_signed(self.guest.left().saturating_neg())
    }

    /// Cost of the running test so far, in steps, capped at the limit of a test.
    fn cost(&self) -> u64 {
        self.taken().min(MOST_STEPS + 1).saturating_add(self.case.borrow().work_steps())
    }

    /// Whether the budget of the run is spent.
    fn is_spent(&self) -> bool {
        self.left.get() <= self.cost()
    }

    /// Memory of the sandbox, in bytes. A repeated run gets more, because the time of garbage collection varies.
    fn memory(&self) -> usize {
        if self.exhausted.get().is_some() { 3 * MOST_MEMORY } else { MOST_MEMORY }
    }

    /// Runs `work`. Out-of-memory errors have no line, so such work runs again up to the same step to find it.
    fn with_line<T>(&self, work: impl Fn() -> Result<T, Failure>) -> Result<T, Failure> {
        let failure = match work() {
            Err(failure) if failure.line.is_none() && failure.message.starts_with(OUT_OF_MEMORY) => failure,
            done => return done,
        };
        self.exhausted.set(Some(self.taken()));
        let again = work();
        self.exhausted.set(None);
        Err(again.err().filter(|again| again.line.is_some()).unwrap_or(failure))
    }

    fn attempt(&self, test: &Function, t: &Table) -> Result<(), Failure> {
        self.begin();
        self.left.set(self.left.get().saturating_sub(EACH_TEST));
        self.allow();
        let done = test.call::<()>(t);
        let case = &mut *self.case.borrow_mut();
        let unplaced = |message: &str| Failure { is_in_lib: false, line: None, message: message.to_owned() };
        let mut failure = match done {
            Err(error) => self.failure(&error),
            Ok(()) if case.checks == 0 => unplaced("the test asserts nothing"),
            Ok(()) if case.is_open() && !case.may_end_open => {
                unplaced("the test ends with an open decision: answer it, or call t.left()")
            }
            Ok(()) => match case.chance_left() {
                0 => return Ok(()),
                1 => unplaced("1 result of t.random was never used"),
                left => unplaced(&format!("{left} results of t.random were never used")),
            },
        };
        failure.message += &case.position();
        Err(failure)
    }

    /// The failure behind an error: from a method of `t`, or from Luau.
    fn failure(&self, error: &mlua::Error) -> Failure {
        let failure = self.failed.take().unwrap_or_else(|| parse(error));
        let message = match (failure.message, self.refusal()) {
            (_, Some(refusal)) => refusal,
            (message, None) if message == EXHAUSTED => OUT_OF_MEMORY.to_owned(),
            (message, None) => message,
        };
        Failure { message: hidden::clipped(hidden::shown(message)), ..failure }
    }

    /// Why the running test may not take another step; `None` if it may.
    fn refusal(&self) -> Option<String> {
        let (taken, left) = (self.taken(), self.left.get());
        Some(match self.guest.refusal()? {
            Refusal::TooLong(message) => message.to_owned(),
            Refusal::Spent if taken > left && left <= MOST_STEPS => too_much_together(),
            Refusal::Spent if taken > MOST_STEPS => format!("more than {MOST_STEPS} steps: the test may never end"),
            Refusal::Spent => OUT_OF_MEMORY.to_owned(),
        })
    }

    /// Ends a test that has exceeded its steps.
    fn refuse(&self, lua: &Lua) -> mlua::Error {
        self.fail(lua, self.refusal().unwrap_or_default())
    }

    /// Ends the test with a failure in the current line.
    fn fail(&self, lua: &Lua, mut message: String) -> mlua::Error {
        let error = mlua::Error::runtime(&message);
        let place = |level| {
            lua.inspect_stack(level, |frame| {
                let line = frame.current_line().and_then(|line| u32::try_from(line).ok())?;
                Some((frame.source().short_src.is_some_and(|chunk| chunk == LIB), line))
            })
        };
        let mut lines = (0..64).map_while(place).flatten();
        let (is_in_lib, line) = lines.next().unzip();
        let is_in_lib = is_in_lib.unwrap_or(false);
        if is_in_lib && let Some((_, line)) = lines.find(|(is_in_lib, _)| !is_in_lib) {
            message += &called_in(line);
        }
        *self.failed.borrow_mut() = Some(Failure { is_in_lib, line, message });
        error
    }
}

/// The suffix of a failure in lib.luau.
fn called_in(line: u32) -> String {
    format!("\n  called from line {line} of the test file")
}

/// Parses `test:12: message`, without the stack trace.
fn parse(error: &mlua::Error) -> Failure {
    let (mut error, mut calls) = (error, "");
    while let mlua::Error::CallbackError { cause, traceback } = error {
        (error, calls) = (cause, traceback);
    }
    let text = match error {
        mlua::Error::RuntimeError(text) | mlua::Error::MemoryError(text) => text.clone(),
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    let (text, trace) = text.split_once("\nstack traceback:").unwrap_or((&text, calls));
    let text = text.trim_end();
    for (chunk, is_in_lib) in [(TEST, false), (LIB, true)] {
        if let Some(rest) = text.strip_prefix(chunk).and_then(|rest| rest.strip_prefix(':'))
            && let Some((number, message)) = rest.split_once(": ")
            && let Ok(line) = number.parse()
        {
            let mut message = message.to_owned();
            if is_in_lib && let Some(line) = trace.lines().find_map(line_of_test) {
                message += &called_in(line);
            }
            return Failure { is_in_lib, line: Some(line), message };
        }
    }
    Failure { is_in_lib: false, line: trace.lines().find_map(line_of_test), message: text.to_owned() }
}

/// The line in an entry of the stack trace, such as `test:12 function name`, if it is in the test file.
fn line_of_test(step: &str) -> Option<u32> {
    let number = step.trim_start().strip_prefix(TEST)?.strip_prefix(':')?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A Luau state without access to the system, with limited steps and memory.
fn sandbox(shared: &Shared) -> mlua::Result<Lua> {
    let libraries = StdLib::MATH | StdLib::STRING | StdLib::TABLE | StdLib::BIT | StdLib::UTF8;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    lua.set_memory_limit(shared.memory())?;
    let globals = lua.globals();
    let forbidden: Vec<Value> = globals
        .pairs::<Value, Value>()
        .filter_map(|pair| Some(pair.ok()?.0))
        .filter(|key| !matches!(key, Value::String(name) if GLOBALS.contains(&name.to_string_lossy().as_str())))
        .collect();
    for key in forbidden {
        globals.raw_set(key, Value::Nil)?;
    }
    // The holder of the game's counters, as in scripts.
    globals.raw_set("game", "game")?;
    let raising: Table = lua.load(RAISING).set_mode(ChunkMode::Text).call(())?;
    for name in ["error", "assert"] {
        globals.raw_set(name, raising.get::<Function>(name)?)?;
    }
    let inner = shared.clone();
    lua.set_interrupt(move |lua| Err(inner.refuse(lua)));
    shared.guest.meter(&lua)?;
    lua.sandbox(true)?;
    Ok(lua)
}

/// Cost of traversing a value, in steps; one step covers `elements` elements of a list.
fn size(value: &Value, elements: u64) -> u64 {
    match value {
        Value::String(text) => text.as_bytes().len() as u64 / 16,
        Value::Table(list) => list.raw_len() as u64 / elements,
        _ => 0,
    }
}

/// The table `t`.
fn methods(shared: &Shared, lua: &Lua) -> mlua::Result<Table> {
    let t = lua.create_table()?;
    for (methods, checks) in [(&STEPS[..], false), (&CHECKS[..], true)] {
        for method in methods {
            let name = method.name();
            let shared = shared.clone();
            let call = move |lua: &Lua, values: MultiValue| {
                let args = Args { method: name, values: values.into_iter().collect() };
                call(&shared, lua, &args, method.run, checks).map_err(|message| shared.fail(lua, message))
            };
            t.raw_set(name, lua.create_function(call)?)?;
        }
    }
    let inner = shared.clone();
    t.raw_set("error", lua.create_function(move |lua, args: MultiValue| expect_error(&inner, lua, args))?)?;
    let inner = shared.clone();
    guard(lua, &t, move |lua, key| {
        let known = methods::all().map(|(signature, _)| methods::name(signature));
        inner.fail(lua, format!("unknown t.{key}{}", did_you_mean(key, known)))
    })?;
    Ok(t)
}

fn call(shared: &Shared, lua: &Lua, args: &Args, method: Run, check: bool) -> Result<Value, String> {
    if let Some(Value::Table(first)) = args.values.first()
        && first.is_readonly()
        && first.metatable().is_some()
    {
        return Err(format!("write t.{0}(...), not t:{0}(...)", args.method));
    }
    let mut case =
        shared.case.try_borrow_mut().map_err(|_| "a method of t cannot be called inside another".to_owned())?;
    case.work(args.values.iter().map(|value| size(value, 1)).sum::<u64>() + CALL)?;
    case.checks += u32::from(check);
    let done = method(&mut case, lua, args);
    case.work_played()?;
    done
}

/// `t.error("text", function() ... end)`: checks that the function fails with a message that contains the text.
fn expect_error(shared: &Shared, lua: &Lua, args: MultiValue) -> mlua::Result<()> {
    let args: Vec<Value> = args.into_iter().collect();
    let [Value::String(text), Value::Function(function)] = args.as_slice() else {
        return Err(shared.fail(lua, "t.error takes a string and a function".to_owned()));
    };
    let text = text.to_string_lossy();
    {
        let mut case = shared.case.borrow_mut();
        case.checks += 1;
        case.work(EXPECTED).map_err(|message| shared.fail(lua, message))?;
    }
    let Err(error) = function.call::<()>(()) else {
        return Err(shared.fail(lua, format!("expected a failure with `{text}`, but nothing failed")));
    };
    if shared.guest.refusal().is_some() {
        return Err(error);
    }
    let failure = shared.failure(&error);
    if failure.message.contains(&text) {
        return Ok(());
    }
    Err(shared.fail(lua, format!("expected a failure with `{text}`, but it failed with: {}", failure.message)))
}
