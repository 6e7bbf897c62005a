//! Reads Luau's bytecode in the same way as `luau_load`: to enforce the limits of the sandbox, to number functions, and
//! to compile them to machine code.

use std::ops::Range;
use std::sync::Arc;

/// The supported bytecode versions; `mlua` is pinned to one version, and with it Luau.
const VERSIONS: std::ops::RangeInclusive<u8> = 5..=11;

const SETUPVAL: u32 = 10;

/// A function of a script.
#[derive(Debug)]
pub struct Function {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its instruction words.
    pub instructions: Vec<u32>,
    /// Its first line; 1 for the top level.
    pub line: usize,
    /// Size of its stack.
    pub stack: usize,
    /// Number of its parameters, without `...`.
    pub parameters: usize,
    /// Whether it takes more arguments as `...`.
    pub is_variadic: bool,
    /// Indices of the functions inside it.
    pub inner: Vec<usize>,
    /// Its constants.
    pub constants: Vec<Constant>,
    /// The line of each instruction word; empty if the bytecode does not tell.
    lines: Vec<u32>,
    /// Place of its first line in the bytecode.
    line_at: Range<usize>,
}

/// A constant of a function.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// `nil`.
    Nil,
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(Arc<[u8]>),
    /// A global, or a field of one, as the indices of constant texts.
    Import(Vec<usize>),
    /// The fields of a new table: the indices of their names, and of their values.
    Shape(Vec<(usize, Option<usize>)>),
    /// The index of a function.
    Function(usize),
    /// A constant that no script of a game has.
    Other,
}

/// All functions of a script, inner ones first, the top level last; `None`: not bytecode of a supported version.
pub fn functions(code: &[u8]) -> Option<Vec<Function>> {
    let mut reader = Reader { code, at: 0 };
    let version = reader.byte()?;
    if !VERSIONS.contains(&version) {
        return None;
    }
    let types = reader.byte()?;
    let mut texts: Vec<Arc<[u8]>> = Vec::new();
    for _ in 0..reader.number()? {
        let len = reader.number()?;
        texts.push(reader.take(len)?.into());
    }
    if types == 3 {
        while reader.byte()? != 0 {
            reader.number()?;
        }
    }
    (0..reader.number()?).map(|_| function(&mut reader, version, &texts)).collect()
}

/// A function by its number in a game.
#[derive(Debug, Clone)]
pub struct Numbered {
    functions: Arc<[Function]>,
    /// Its place among the functions of its script.
    pub place: usize,
    /// The path of its script.
    pub script: Arc<str>,
}

impl Numbered {
    /// The functions of a script, in order.
    pub fn all(functions: Vec<Function>, script: &str) -> impl Iterator<Item = Self> {
        let (functions, script): (Arc<[Function]>, Arc<str>) = (functions.into(), script.into());
        (0..functions.len()).map(move |place| Self { functions: functions.clone(), place, script: script.clone() })
    }

    /// The function.
    #[must_use]
    pub fn function(&self) -> &Function {
        &self.functions[self.place]
    }
}

impl Function {
    /// The line of an instruction; the first line of the function for code of the engine, which stands in line 1.
    #[must_use]
    pub fn line_of(&self, at: usize) -> usize {
        let before = self.lines.get(..=at).unwrap_or_default();
        before.iter().rev().find(|line| **line > 1).map_or(self.line, |line| *line as usize)
    }

    /// Offsets of its instructions, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
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
pub fn assigns_outside(functions: &[Function]) -> bool {
    functions.iter().any(|function| function.places().any(|at| function.instructions[at] & 255 == SETUPVAL))
}

/// Number of words of an instruction.
pub fn words(word: u32) -> usize {
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

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
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

fn function(reader: &mut Reader<'_>, version: u8, texts: &[Arc<[u8]>]) -> Option<Function> {
    let (stack, parameters) = (usize::from(reader.byte()?), usize::from(reader.byte()?));
    // The number of upvalues.
    reader.skip(1)?;
    let is_variadic = reader.byte()? != 0;
    reader.skip(1)?;
    let types = reader.number()?;
    reader.skip(types)?;
    let count = reader.number()?;
    let (instructions, _) = reader.take(count.checked_mul(4)?)?.as_chunks::<4>();
    let instructions = instructions.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let constants = (0..reader.number()?).map(|_| constant(reader, texts)).collect::<Option<_>>()?;
    let inner = (0..reader.number()?).map(|_| reader.number()).collect::<Option<_>>()?;
    let line_from = reader.at;
    let line = reader.number()?;
    let line_at = line_from..reader.at;
    let name = reader.number()?.checked_sub(1).and_then(|index| texts.get(index));
    let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
    let lines = if reader.byte()? == 0 { Vec::new() } else { lines(reader, count)? };
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
    Some(Function { name, instructions, line, stack, parameters, is_variadic, inner, constants, lines, line_at })
}

/// The lines of instruction words: for some, the line as a sum of differences; for all, the distance from it.
fn lines(reader: &mut Reader<'_>, count: usize) -> Option<Vec<u32>> {
    let gap = reader.byte()?;
    let intervals = (count.checked_sub(1)?).checked_shr(gap.into())? + 1;
    let distances = reader.take(count)?.to_vec();
    let mut bases = Vec::new();
    let mut base = 0_u32;
    for _ in 0..intervals {
        base = base.wrapping_add(reader.word()?);
        bases.push(base);
    }
    let mut distance = 0_u8;
    let of = |(at, by): (usize, &u8)| {
        distance = distance.wrapping_add(*by);
        bases.get(at >> gap).map(|base| base.wrapping_add(distance.into()))
    };
    distances.iter().enumerate().map(of).collect()
}

fn constant(reader: &mut Reader<'_>, texts: &[Arc<[u8]>]) -> Option<Constant> {
    Some(match reader.byte()? {
        0 => Constant::Nil,
        1 => Constant::Boolean(reader.byte()? != 0),
        2 => Constant::Number(f64::from_le_bytes(reader.take(8)?.try_into().ok()?)),
        // Texts count from 1.
        3 => Constant::Text(texts.get(reader.number()?.checked_sub(1)?)?.clone()),
        4 => {
            let id = reader.word()? as usize;
            let part = |place: usize| id >> (20 - 10 * place) & 1023;
            Constant::Import((0..id >> 30).map(part).collect())
        }
        5 => {
            let mut fields = Vec::new();
            for _ in 0..reader.number()? {
                fields.push((reader.number()?, None));
            }
            Constant::Shape(fields)
        }
        6 => Constant::Function(reader.number()?),
        // A vector.
        7 => {
            reader.skip(16)?;
            Constant::Other
        }
        // A table with its values.
        8 => {
            let mut fields = Vec::new();
            for _ in 0..reader.number()? {
                fields.push((reader.number()?, usize::try_from(reader.word()?.cast_signed()).ok()));
            }
            Constant::Shape(fields)
        }
        // An integer.
        9 => {
            reader.byte()?;
            reader.number()?;
            Constant::Other
        }
        _ => return None,
    })
}

/// The number and the first line of a function that [`numbered`] has marked, from Luau's debug information.
#[must_use]
pub fn number_and_line(marked: usize) -> (Option<usize>, usize) {
    ((marked >> LINE_BITS).checked_sub(1), marked & ((1 << LINE_BITS) - 1))
}

/// Bits of a first line; more lines are not numbered.
const LINE_BITS: usize = 16;
/// Most functions of a game that have numbers.
const MOST_NUMBERS: usize = 1 << 14;

/// Bytecode in which the first line of each function also tells its number, from `first` on: so that a function of a
/// running VM can be found in the bytecode.
#[must_use]
pub fn numbered(code: &[u8], functions: &[Function], first: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(code.len() + 3 * functions.len());
    let mut from = 0;
    for (place, function) in functions.iter().enumerate() {
        out.extend_from_slice(&code[from..function.line_at.start]);
        from = function.line_at.end;
        let number = first + place + 1;
        let number = if number < MOST_NUMBERS { number } else { 0 };
        let mut marked = number << LINE_BITS | function.line & ((1 << LINE_BITS) - 1);
        while marked >= 128 {
            out.push((marked & 127 | 128) as u8);
            marked >>= 7;
        }
        out.push(marked as u8);
    }
    out.extend_from_slice(&code[from..]);
    out
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
