//! Reads the bytecode that Luau compiles, as `luau_load` does, for what the walls around scripts must know of it.

/// The versions of bytecode that are understood; `mlua` is fixed to one version, and with it Luau.
const VERSIONS: std::ops::RangeInclusive<u8> = 5..=11;

const SETUPVAL: u32 = 10;

/// A function of a script.
pub(super) struct Function {
    /// Its instructions, and the words that belong to them.
    pub(super) instructions: Vec<u32>,
    /// The line where it begins; 1 for the top level.
    pub(super) line: usize,
}

/// All functions of a script, inner ones first, the top level last; `None`: this is no bytecode of a known version.
pub(super) fn functions(code: &[u8]) -> Option<Vec<Function>> {
    let mut reader = Reader(code);
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
    /// The places of its instructions, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let at = next;
            next += words(*self.instructions.get(at)?);
            Some(at)
        })
    }
}

/// Whether a function assigns to a variable outside it. That may be one of another call, which is over at the end of the hook; but a
/// function that is called while the script loads may hand out one that lives on.
pub(super) fn assigns_outside(functions: &[Function]) -> bool {
    functions.iter().any(|function| function.places().any(|at| function.instructions[at] & 255 == SETUPVAL))
}

/// How many words an instruction has.
fn words(word: u32) -> usize {
    // GETGLOBAL, SETGLOBAL, GETIMPORT, GETTABLEKS, SETTABLEKS, NAMECALL, JUMPIFEQ and its kin, NEWTABLE, SETLIST, FORGLOOP, FASTCALL3,
    // LOADKX, FASTCALL2, FASTCALL2K, JUMPXEQK and its kin, access to userdata, classes, CALLFB, CMPPROTO.
    match word & 255 {
        7 | 8 | 12 | 15 | 16 | 20 | 27..=32 | 53 | 55 | 58 | 60 | 66 | 74 | 75 | 77..=80 | 83..=88 | 90 => 2,
        _ => 1,
    }
}

/// Reads bytecode as `luau_load` does.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.get(bytes..)?;
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// Seven bits a byte, the lowest first.
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

fn function(reader: &mut Reader, version: u8) -> Option<Function> {
    // Registers, parameters, upvalues, variadic, flags.
    reader.skip(5)?;
    let types = reader.number()?;
    reader.skip(types)?;
    let count = reader.number()?;
    let (instructions, _) = reader.0.get(..count.checked_mul(4)?)?.as_chunks::<4>();
    let instructions = instructions.iter().map(|&word| u32::from_le_bytes(word)).collect();
    reader.skip(count * 4)?;
    for _ in 0..reader.number()? {
        constant(reader)?;
    }
    // The functions in it.
    for _ in 0..reader.number()? {
        reader.number()?;
    }
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
        // Where calls are counted.
        for _ in 0..reader.number()? {
            reader.byte()?;
            reader.number()?;
        }
    }
    Some(Function { instructions, line })
}

/// Reads past a constant.
fn constant(reader: &mut Reader) -> Option<()> {
    match reader.byte()? {
        // Nil.
        0 => {}
        // A boolean.
        1 => reader.skip(1)?,
        // A number.
        2 => reader.skip(8)?,
        // A text; a closure.
        3 | 6 => drop(reader.number()?),
        // An import.
        4 => reader.skip(4)?,
        // The shape of a table.
        5 => {
            for _ in 0..reader.number()? {
                reader.number()?;
            }
        }
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
    Some(())
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
