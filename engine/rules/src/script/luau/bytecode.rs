//! Reads Luau's bytecode in the same way as `luau_load`, to enforce the limits of the sandbox.

/// The supported bytecode versions; `mlua` is pinned to one version, and with it Luau.
const VERSIONS: std::ops::RangeInclusive<u8> = 5..=11;

const SETUPVAL: u32 = 10;

/// Function flag that prevents native compilation.
const COLD: u8 = 2;

/// A function of a script.
pub(super) struct Function {
    /// Its instruction words.
    pub(super) instructions: Vec<u32>,
    /// Its first line; 1 for the top level.
    pub(super) line: usize,
    /// Offset of its flags in the bytecode.
    flags: usize,
    /// Indices of the functions inside it.
    inner: Vec<usize>,
    /// Its constants: the index of a function, or `None` for any other constant.
    constants: Vec<Option<usize>>,
}

/// All functions of a script, inner ones first, the top level last; `None`: not bytecode of a supported version.
pub(super) fn functions(code: &[u8]) -> Option<Vec<Function>> {
    let mut reader = Reader { code, at: 0 };
    let version = reader.byte()?;
    if !VERSIONS.contains(&version) {
        return None;
    }
    let types = reader.byte()?;
    for _ in 0..reader.number()? {
        let len = reader.number()?;
        reader.skip(len)?;
    }
    if types == 3 {
        while reader.byte()? != 0 {
            reader.number()?;
        }
    }
    (0..reader.number()?).map(|_| function(&mut reader, version)).collect()
}

impl Function {
    /// Offsets of its instructions, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let at = next;
            next += words(*self.instructions.get(at)?);
            Some(at)
        })
    }
}

/// Whether a function assigns to a variable outside itself. Such a variable may die with the call at the end of the
/// hook, but a function called while the script loads can return a closure whose variable lives on.
pub(super) fn assigns_outside(functions: &[Function]) -> bool {
    functions.iter().any(|function| function.places().any(|at| function.instructions[at] & 255 == SETUPVAL))
}

/// Marks functions whose calls Luau has all inlined, so that no native code is generated for them. Most accessors are
/// such functions.
pub(super) fn cool(code: &mut [u8], functions: &[Function]) {
    for (function, called) in functions.iter().zip(called(functions)) {
        if let (false, Some(flags)) = (called, code.get_mut(function.flags)) {
            *flags |= COLD;
        }
    }
}

/// Functions that may be called. A false positive only costs speed.
fn called(functions: &[Function]) -> Vec<bool> {
    let mut called = vec![false; functions.len()];
    let Some(top) = functions.last() else { return called };
    // The functions in each register of the top level, the functions that it uses, and the functions captured by
    // others.
    let mut held = [None; 256];
    // Variables that are assigned again: a function may use a value that the variable holds only later.
    let mut varies = [false; 256];
    let mut open = vec![functions.len() - 1];
    let mut captured: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    let mut made = None;
    for at in top.places() {
        let word = top.instructions[at];
        let [op, a, b, c] = word.to_le_bytes().map(usize::from);
        let d = word as usize >> 16;
        let used = match op {
            // NEWCLOSURE, DUPCLOSURE.
            19 | 64 => {
                made = match op {
                    19 => top.inner.get(d).copied(),
                    _ => top.constants.get(d).copied().flatten(),
                };
                held[a] = made;
                open.extend(made.filter(|_| varies[a]));
                continue;
            }
            // CAPTURE, except of variables from further outside.
            70 if a < 2 => {
                let captured = made.and_then(|function| captured.get_mut(function));
                varies[b] |= a == 1;
                if let (Some(captured), Some(function)) = (captured, held[b]) {
                    captured.push(function);
                }
                continue;
            }
            // MOVE.
            6 => b..b + 1,
            // SETTABLE, SETTABLEKS, SETTABLEN, SETUPVAL, SETGLOBAL.
            14 | 16 | 18 | 10 | 8 => a..a + 1,
            // CALL, RETURN, SETLIST: a count, or all values up to the top.
            21 | 87 => a..if b == 0 { 256 } else { a + b },
            22 => a..if b == 0 { 256 } else { a + b - 1 },
            55 => b..if c == 0 { 256 } else { b + c - 1 },
            _ => continue,
        };
        open.extend(held[used.start..used.end.min(256)].iter().flatten());
    }
    while let Some(function) = open.pop() {
        if called.get(function) != Some(&false) {
            continue;
        }
        called[function] = true;
        open.append(&mut captured[function]);
        if function + 1 < functions.len() {
            open.extend(&functions[function].inner);
        }
    }
    called
}

/// Number of words of an instruction.
fn words(word: u32) -> usize {
    // GETGLOBAL, SETGLOBAL, GETIMPORT, GETTABLEKS, SETTABLEKS, NAMECALL, JUMPIFEQ and variants, NEWTABLE, SETLIST,
    // FORGLOOP, FASTCALL3, LOADKX, FASTCALL2, FASTCALL2K, JUMPXEQK and variants, access to userdata, classes, CALLFB,
    // CMPPROTO.
    match word & 255 {
        7 | 8 | 12 | 15 | 16 | 20 | 27..=32 | 53 | 55 | 58 | 60 | 66 | 74 | 75 | 77..=80 | 83..=88 | 90 => 2,
        _ => 1,
    }
}

/// Reads bytecode in the same way as `luau_load`.
struct Reader<'a> {
    code: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let taken = self.code.get(self.at..self.at.checked_add(bytes)?)?;
        self.at += bytes;
        Some(taken)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.take(bytes).map(drop)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    /// A variable-length integer: seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }
}

fn function(reader: &mut Reader<'_>, version: u8) -> Option<Function> {
    // Registers, parameters, upvalues, variadic.
    reader.skip(4)?;
    let flags = reader.at;
    reader.skip(1)?;
    let types = reader.number()?;
    reader.skip(types)?;
    let count = reader.number()?;
    let (instructions, _) = reader.take(count.checked_mul(4)?)?.as_chunks::<4>();
    let instructions = instructions.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let constants = (0..reader.number()?).map(|_| constant(reader)).collect::<Option<_>>()?;
    let inner = (0..reader.number()?).map(|_| reader.number()).collect::<Option<_>>()?;
    let line = reader.number()?;
    // Its name.
    reader.number()?;
    if reader.byte()? != 0 {
        let gap = reader.byte()?;
        let intervals = (count.checked_sub(1)?).checked_shr(gap.into())? + 1;
        reader.skip(count + 4 * intervals)?;
    }
    if reader.byte()? != 0 {
        for _ in 0..reader.number()? {
            for _ in 0..3 {
                reader.number()?;
            }
            reader.byte()?;
        }
        for _ in 0..reader.number()? {
            reader.number()?;
        }
    }
    if version >= 11 {
        // Call counters.
        for _ in 0..reader.number()? {
            reader.byte()?;
            reader.number()?;
        }
    }
    Some(Function { instructions, line, flags, inner, constants })
}

/// Reads a constant; returns the function index if the constant is a function.
fn constant(reader: &mut Reader<'_>) -> Option<Option<usize>> {
    match reader.byte()? {
        // Nil.
        0 => {}
        // A boolean.
        1 => reader.skip(1)?,
        // A number.
        2 => reader.skip(8)?,
        // A text.
        3 => drop(reader.number()?),
        // An import.
        4 => reader.skip(4)?,
        // A table shape.
        5 => {
            for _ in 0..reader.number()? {
                reader.number()?;
            }
        }
        // A closure.
        6 => return reader.number().map(Some),
        // A vector.
        7 => reader.skip(16)?,
        // A table with its values.
        8 => {
            for _ in 0..reader.number()? {
                reader.number()?;
                reader.skip(4)?;
            }
        }
        // An integer.
        9 => {
            reader.byte()?;
            reader.number()?;
        }
        _ => return None,
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use mlua::chunk::Compiler;

    use super::*;

    #[test]
    fn all_constants_are_read() {
        let source = "local t = { a = 1, b = true, c = nil, [3] = 'x' }\nlocal u: vector = vector.create(1, 2, 3)\n\
            return function() local n = 1e300 + 2 return math.floor(n), t, u, function(...) return ... end, `{n}` end";
        for level in 0..3 {
            let compiler = Compiler::new().set_optimization_level(level).set_debug_level(level);
            assert_eq!(functions(&compiler.compile(source).unwrap()).map(|list| list.len()), Some(3));
        }
        for no_code in [&b""[..], b"return 1", b"\x06\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"] {
            assert!(functions(no_code).is_none());
        }
    }

    #[test]
    fn functions_are_called_unless_all_their_calls_are_inlined() {
        let header = "local function get(x) return x + 1 end local function set(x) get(x) end \n";
        for (source, expected) in [
            // In the order of their ends: `get`, `set`, the others, the top level.
            ("return { function(x) return get(x) end }", [false, false, true, true]),
            ("return { f = function(x) return get, x end }", [true, false, true, true]),
            ("return function(x) return set, x end", [false, true, true, true]),
            ("local f = { get } return function(x) return f[1](x) end", [true, false, true, true]),
            ("local function f(x) return set, x end", [false, false, false, true]),
            ("pcall(function(x) return x end, set)", [false, true, true, true]),
            ("local f; g = function(x) return f(x) end f = get", [true, false, true, true]),
        ] {
            let mut code = Compiler::new().set_optimization_level(2).compile(format!("{header}{source}")).unwrap();
            let list = functions(&code).unwrap();
            assert_eq!(called(&list), expected, "{source}");
            let flags: Vec<u8> = list.iter().map(|function| code[function.flags]).collect();
            cool(&mut code, &list);
            for ((function, called), flags) in list.iter().zip(expected).zip(flags) {
                assert_eq!(code[function.flags], if called { flags } else { flags | COLD }, "{source}");
            }
            mlua::Lua::new().load(code).set_mode(mlua::chunk::ChunkMode::Binary).into_function().unwrap();
        }
    }

    #[test]
    fn assignments_to_variables_outside_are_found() {
        for (source, found) in [
            ("local n = 0 return function() n += 1 end", true),
            ("local n = 0 return function() return function() n = 2 end end", true),
            ("local mk = select(1, function(n) return function() n += 1 return n end end) return { mk(0) }", true),
            ("local n n = 2 return function() return n end", false),
            ("local f local function g() return f() end f = function() return g end return f", false),
            ("local t = {} return function() local n = t n = 3 t.x = n end", false),
        ] {
            for level in 0..3 {
                let code = Compiler::new().set_optimization_level(level).compile(source).unwrap();
                assert_eq!(assigns_outside(&functions(&code).unwrap()), found, "{source} at {level}");
            }
        }
    }
}
