//! The longest stretches of bytecode between two safepoints.
//!
//! Only calls, returns and the ends of loops are safepoints. So a step costs more in scripts that have long stretches
//! without one.

use crate::script::bytecode::Function;

/// The weight of an instruction that allocates an object; other instructions weigh 1.
const MAKES: usize = 16;
/// The weight of concatenating one more value, which may be a number to format.
const WRITES: usize = 32;
/// Weight that raises the price of a step by one.
const WEIGHT_A_STEP: usize = 64;
/// Maximum arithmetic operations in a stretch: each may read a text of 64 KiB as a number.
pub(super) const MAX_SUMS: usize = 1000;

/// The longest stretches of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stretch {
    /// The weight of the heaviest stretch, not counting code of the top level that runs once.
    weight: usize,
    /// Maximum arithmetic operations in any stretch.
    sums: usize,
    /// The line of the function with that stretch.
    line: usize,
}

impl Stretch {
    /// The stretches of a script with these functions, of which the last is the top level.
    pub(super) fn of(functions: &[Function]) -> Self {
        let stretches = functions.iter().enumerate().map(|(i, function)| stretch(function, i + 1 == functions.len()));
        stretches.fold(Self::default(), Self::max)
    }

    /// The price of a safepoint, in steps.
    pub(super) fn price(self) -> i64 {
        1 + (self.weight / WEIGHT_A_STEP) as i64
    }

    /// The price of a safepoint for a guest, whose scripts are interpreted.
    pub(super) fn guest_price(self) -> i64 {
        1 + (self.weight / (WEIGHT_A_STEP / 4)) as i64
    }

    /// Maximum arithmetic operations between two safepoints.
    pub(super) fn sums(self) -> i64 {
        self.sums as i64
    }

    /// The line of a function that has more than [`MAX_SUMS`] in a stretch.
    pub(super) fn too_long(self) -> Option<usize> {
        (self.sums > MAX_SUMS).then_some(self.line)
    }

    fn max(self, other: Self) -> Self {
        let longer = if other.sums > self.sums { other } else { self };
        Self { weight: self.weight.max(other.weight), ..longer }
    }
}

/// The effect of an instruction on a stretch.
enum Effect {
    /// Ends the stretch; may also jump this many words.
    Safepoint(i32),
    /// Continues after the instruction, and may also jump this many words.
    Goes { weight: usize, jump: i32 },
    /// As `Goes`, and may read a text as a number, or compare two texts.
    Sums { jump: i32 },
}

fn effect(word: u32) -> Effect {
    let (c, d, e) = ((word >> 24) as i32, (word as i32) >> 16, (word as i32) >> 8);
    let goes = |weight, jump| Effect::Goes { weight, jump };
    match word & 255 {
        // CALL, RETURN, CALLFB.
        21 | 22 | 87 => Effect::Safepoint(0),
        // JUMPBACK, FORNLOOP, FORGLOOP; JUMPX.
        24 | 57 | 58 => Effect::Safepoint(d),
        67 => Effect::Safepoint(e),
        // ADD to POW, ADDK to POWK, MINUS, SUBRK, DIVRK, IDIV, IDIVK.
        33..=44 | 51 | 71 | 72 | 81 | 82 => Effect::Sums { jump: 0 },
        // JUMPIFLE, JUMPIFLT, JUMPIFNOTLE, JUMPIFNOTLT.
        28 | 29 | 31 | 32 => Effect::Sums { jump: d },
        // LOADB.
        3 => goes(1, c),
        // JUMP, JUMPIF, JUMPIFNOT, JUMPIFEQ, JUMPIFNOTEQ, FORNPREP, FORGPREP and variants, JUMPXEQK and variants,
        // CMPPROTO.
        23 | 25 | 26 | 27 | 30 | 56 | 59 | 61 | 76 | 77..=80 | 88 => goes(1, d),
        // FASTCALL and variants continue after the call, unless the fast path fails.
        60 | 68 | 73 | 74 | 75 => goes(2, c + 1),
        // CONCAT, of the values from B to C.
        49 => goes(WRITES * (c - (word >> 16 & 255) as i32).max(1) as usize, 0),
        // NEWCLOSURE, NEWTABLE, DUPTABLE, SETLIST.
        19 | 53 | 54 | 55 => goes(MAKES, 0),
        _ => goes(1, 0),
    }
}

/// The longest paths through a function from any instruction to the next safepoint. All jumps except safepoints lead
/// forward. With `once`, code before the first safepoint runs once and has no weight.
fn stretch(function: &Function, once: bool) -> Stretch {
    let Function { instructions, line, .. } = function;
    let begins: Vec<usize> = function.places().collect();
    let mut ahead = vec![Stretch::default(); instructions.len() + 1];
    // Starts of stretches that may run again.
    let mut again = vec![!once];
    again.resize(ahead.len(), false);
    let mut next = instructions.len();
    for &at in begins.iter().rev() {
        let behind = std::mem::replace(&mut next, at);
        let from = |place: Option<usize>| place.and_then(|place| ahead.get(place)).copied().unwrap_or_default();
        let jumped = |jump: i32| at.checked_add_signed(1 + jump as isize);
        let longer = |jump| from(Some(behind)).max(from(jumped(jump)));
        ahead[at] = match effect(instructions[at]) {
            Effect::Safepoint(back) => {
                for place in [Some(behind), jumped(back)] {
                    if let Some(again) = place.and_then(|place| again.get_mut(place)) {
                        *again = true;
                    }
                }
                Stretch::default()
            }
            Effect::Sums { jump } => {
                let ahead = longer(jump);
                Stretch { weight: ahead.weight + 1, sums: ahead.sums + 1, ..ahead }
            }
            Effect::Goes { weight, jump } => {
                let ahead = longer(jump);
                Stretch { weight: ahead.weight + weight, ..ahead }
            }
        };
    }
    let weight = ahead.iter().zip(again).filter(|(_, again)| *again).map(|(ahead, _)| ahead.weight).max();
    let sums = ahead.iter().map(|ahead| ahead.sums).max();
    Stretch { weight: weight.unwrap_or(0), sums: sums.unwrap_or(0), line: *line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::bytecode::functions;

    fn stretch(source: &str) -> Stretch {
        Stretch::of(&functions(&mlua::chunk::Compiler::new().compile(source).unwrap()).unwrap())
    }

    fn weight(body: &str) -> usize {
        stretch(&format!("return function(x, y, f)\n{body}return x\nend")).weight
    }

    fn sums(n: usize) -> String {
        "x = x + y\n".repeat(n)
    }

    #[test]
    fn code_without_safepoints_is_weighed() {
        for n in [10, 1000] {
            assert!((n..n + 20).contains(&weight(&sums(n))), "{}", weight(&sums(n)));
        }
        let (before, after) = (sums(500), sums(500));
        // A call ends a stretch, unless a branch can bypass it.
        assert!(weight(&format!("{before}f()\n{after}")) < 520);
        assert!(weight(&format!("{before}if y then f() end\n{after}")) > 1000);
        assert!(weight(&format!("{before}for _ = 1, y do f() end\n{after}")) > 1000);
        // A built-in fast call is not a safepoint.
        assert!(weight(&"x = math.max(x, y)\n".repeat(200)) > 600);
        // Only one of two branches is taken.
        assert!((400..420).contains(&weight(&format!("if y then\n{}else\n{}end\n", sums(300), sums(400)))));
        assert!(weight(&"x = {}\n".repeat(100)) >= 1600);
        assert!(weight(&"x = y .. y .. y\n".repeat(100)) >= 6400);
    }

    #[test]
    fn code_that_runs_once_has_no_weight() {
        let top = |body: &str| stretch(&format!("local x, y = 1, 2\n{body}return {{}}"));
        assert!(top(&sums(500)).weight < 20);
        assert!(top(&format!("for i = 1, 9 do\ny = i\n{}end\n", sums(500))).weight > 500);
        assert!(top(&format!("while x < 9 do\n{}end\n", sums(500))).weight > 500);
        assert_eq!((top(&sums(500)).too_long(), top(&sums(1500)).too_long()), (None, Some(1)));
        assert_eq!(stretch(&format!("\nlocal function f(x, y)\n{}end\nreturn f", sums(1500))).too_long(), Some(2));
    }
}
