//! Types of the results of library functions and kernels.

use crate::script::kernels::KERNELS;
use crate::script::native::known::{Constants, KnownFunction};
use crate::script::native::ty::{FALSY, NUMERIC, Set, Ty, bit, tag};
use crate::state::layout::MAX_PLAYERS;

/// Library functions that Luau calls without a safepoint, by their numbers in the bytecode.
pub mod builtin {
    pub const ASSERT: u8 = 1;
    pub const ABS: u8 = 2;
    pub const CEIL: u8 = 7;
    pub const FLOOR: u8 = 12;
    pub const MAX: u8 = 18;
    pub const MIN: u8 = 19;
    pub const AND: u8 = 29;
    pub const NOT: u8 = 30;
    pub const OR: u8 = 31;
    pub const XOR: u8 = 32;
    pub const TEST: u8 = 33;
    pub const EXTRACT: u8 = 34;
    pub const REPLACE: u8 = 37;
    pub const SHIFT_LEFT: u8 = 36;
    pub const SHIFT_RIGHT: u8 = 39;
    pub const TYPE: u8 = 40;
    pub const TYPE_OF: u8 = 44;
    pub const INSERT: u8 = 52;
    pub const WRITE_BYTE: u8 = 67;
    pub const CLAMP: u8 = 46;
    pub const READ_WORD: u8 = 71;
    pub const WRITE_WORD: u8 = 73;
}

/// All words of 32 bits without sign.
const UNSIGNED: (i64, i64) = (0, u32::MAX as i64);

/// The result of a fast call. `None`: the call takes the usual way. `Some(None)`: it ends the machine code.
pub fn fast(constants: &mut Constants, number: u8, given: &[Ty], results: Option<usize>) -> Option<Option<Ty>> {
    let numeric = |at: usize| given.get(at).is_some_and(|ty| ty.may(NUMERIC));
    let whole = |at: usize| given.get(at).is_some_and(|ty| ty.may(bit(tag::INT)));
    let int = |at: usize| given[at].only_tags(bit(tag::INT)).range;
    let when = |is: bool, ty: Ty| Some(is.then_some(ty));
    match number {
        builtin::ASSERT if results == Some(0) => when(given.first().is_some_and(|ty| ty.may(!FALSY)), Ty::nil()),
        builtin::FLOOR | builtin::CEIL => {
            let is_int = given.first().is_some_and(|ty| ty.numbers() == bit(tag::INT));
            let range = if is_int && numeric(0) { int(0) } else { Ty::of(bit(tag::INT)).range };
            when(numeric(0), Ty::int(range.0, range.1))
        }
        builtin::ABS => when(whole(0), {
            let (low, high) = if whole(0) { int(0) } else { (0, 0) };
            let least = if low > 0 { low } else { (-high).max(0) };
            Ty::int(least, low.abs().max(high.abs()))
        }),
        builtin::MAX | builtin::MIN if given.len() >= 2 => Some(extreme(number == builtin::MAX, given)),
        builtin::CLAMP if given.len() == 3 => when(whole(0) && whole(1) && whole(2), {
            let all = [0, 1, 2].map(|at| if whole(at) { int(at) } else { (0, 0) });
            let (low, high) = (all.map(|range| range.0), all.map(|range| range.1));
            Ty::int(low.into_iter().min().unwrap_or(0), high.into_iter().max().unwrap_or(0))
        }),
        builtin::AND if given.len() == 2 => {
            let high = |at: usize| if whole(at) && int(at).0 >= 0 { int(at).1 } else { UNSIGNED.1 };
            when(whole(0) && whole(1), Ty::int(0, high(0).min(high(1)).min(UNSIGNED.1)))
        }
        builtin::EXTRACT if given.len() == 2 => when(whole(0) && whole(1), Ty::int(0, 1)),
        builtin::REPLACE if given.len() == 3 => when(whole(0) && whole(1) && whole(2), Ty::int(0, UNSIGNED.1)),
        builtin::OR | builtin::XOR if given.len() == 2 => when(whole(0) && whole(1), Ty::int(0, UNSIGNED.1)),
        builtin::NOT => when(whole(0), Ty::int(0, UNSIGNED.1)),
        builtin::TEST if given.len() == 2 => when(whole(0) && whole(1), Ty::boolean()),
        builtin::SHIFT_LEFT | builtin::SHIFT_RIGHT => when(whole(0) && whole(1), Ty::int(0, UNSIGNED.1)),
        builtin::TYPE | builtin::TYPE_OF if given.len() == 1 => {
            when(!given[0].may(bit(tag::OTHER)), type_names(constants, &given[0]))
        }
        builtin::INSERT if given.len() == 2 && results == Some(0) => {
            when(given[0].may(bit(tag::NEW)) && given[1].may(!bit(tag::OTHER)), Ty::nil())
        }
        builtin::READ_WORD => when(given.len() == 2 && given[0].buffer.is_some() && whole(1), Ty::word()),
        builtin::WRITE_WORD | builtin::WRITE_BYTE => {
            when(given.len() == 3 && given[0].buffer.is_some() && whole(1) && given[2].may(NUMERIC), Ty::nil())
        }
        _ => None,
    }
}

fn extreme(is_max: bool, given: &[Ty]) -> Option<Ty> {
    if given.iter().any(|ty| !ty.may(NUMERIC)) {
        return None;
    }
    if given.iter().any(|ty| ty.may(bit(tag::NUMBER))) {
        let whole = bit(tag::INT);
        return given
            .iter()
            .map(|ty| ty.only_tags(NUMERIC))
            .reduce(|a, b| a.join(&b))
            .map(|ty| if ty.may(whole) { Ty { number: None, ..ty } } else { Ty::float() });
    }
    let ranges = || given.iter().map(|ty| ty.range);
    let pick = |a: i64, b: i64| if is_max { a.max(b) } else { a.min(b) };
    let low = ranges().map(|range| range.0).reduce(pick)?;
    let high = ranges().map(|range| range.1).reduce(pick)?;
    Some(Ty::int(low, high))
}

/// Names of types by tag.
pub const TYPES: [(u8, &str); 10] = [
    (tag::NIL, "nil"),
    (tag::FALSE, "boolean"),
    (tag::TRUE, "boolean"),
    (tag::INT, "number"),
    (tag::NUMBER, "number"),
    (tag::TEXT, "string"),
    (tag::TABLE, "table"),
    (tag::NEW, "table"),
    (tag::FUNCTION, "function"),
    (tag::CLOSURE, "function"),
];

fn type_names(constants: &mut Constants, of: &Ty) -> Ty {
    let mut names: Vec<u32> = Vec::new();
    for (tag, name) in TYPES {
        let text = constants.text(name.as_bytes());
        if of.may(bit(tag)) && !names.contains(&text) {
            names.push(text);
        }
    }
    names.sort_unstable();
    Ty::texts(Set::Of(names.into()))
}

/// Why machine code ends at an error, and at a line of the transcript: no hook that plays well in silence gets there.
pub const SAYS: &str = "an error or a line of the transcript";

/// Why machine code ends at a call of a function that always ends it.
pub const ALWAYS_ENDS: &str = "a call that always ends machine code";

/// Results of a call: their types, and their number if it is always the same.
pub type Results = Result<(Vec<Ty>, Option<usize>), &'static str>;

/// The results of a call of a function that is not of a script.
pub fn called(function: &KnownFunction, given: &[Ty]) -> Results {
    match function {
        KnownFunction::Kernel(kernel) => Ok(kernel_results(KERNELS[*kernel].name)),
        KnownFunction::Ask => Err("a question"),
        KnownFunction::Library(name) => library(name, given),
        KnownFunction::TextKernel => Err(SAYS),
        KnownFunction::Script { .. } | KnownFunction::Other => Err("a function of the library"),
    }
}

fn library(name: &str, given: &[Ty]) -> Results {
    let first = given.first().cloned().unwrap_or_else(Ty::nil);
    let lists = first.readable().mask;
    match name {
        "ipairs" | "pairs" if first.may(lists) => Ok((vec![Ty::nil(), first.only_tags(lists), Ty::int(0, 0)], Some(3))),
        "assert" if first.may(!FALSY) => {
            let mut out = given.to_vec();
            out[0] = first.only_tags(!FALSY);
            let count = out.len();
            Ok((out, Some(count)))
        }
        "table.remove" if matches!(given.len(), 1 | 2) && first.may(bit(tag::NEW)) => Ok((vec![Ty::any()], None)),
        "table.clone" if first.may(lists) => Ok((vec![Ty::of(bit(tag::NEW))], Some(1))),
        "table.find" if given.len() == 2 && first.may(lists) && given[1].may(!bit(tag::OTHER)) => {
            Ok((vec![Ty::int(1, i64::from(i32::MAX)).join(&Ty::nil())], Some(1)))
        }
        "table.isfrozen" if first.may(lists) => Ok((vec![Ty::boolean()], Some(1))),
        "table.create" if first.may(bit(tag::INT)) => Ok((vec![Ty::of(bit(tag::NEW))], Some(1))),
        "engine.kept" => Ok((vec![Ty::truth(false).join(&Ty::of(bit(tag::NEW)))], Some(1))),
        "engine.keep" if first.is(bit(tag::FALSE) | bit(tag::NEW)) => Ok((Vec::new(), Some(0))),
        "engine.count_fields" if first.may(bit(tag::NEW)) => Ok((vec![Ty::int(0, i64::from(i32::MAX))], Some(1))),
        "error" => Err(SAYS),
        _ => Err("a function of the library"),
    }
}

/// The types of a kernel's results.
#[must_use]
pub fn kernel_results(name: &str) -> (Vec<Ty>, Option<usize>) {
    match name {
        "__cards" | "__ray" | "__around" | "__tokens_where" | "__targets" => (vec![Ty::of(bit(tag::NEW))], Some(1)),
        "__pile_of" => (vec![Ty::int(0, i64::from(i32::MAX))], Some(1)),
        "__can_draw" | "__passes" => (vec![Ty::int(0, 1)], Some(1)),
        "__player_on_turn" => (vec![Ty::int(0, MAX_PLAYERS as i64 + 1)], Some(1)),
        "__random" | "__random_hidden" | "__seen" | "__longest" | "__count_cells" | "__choice_cells"
        | "__choice_zone" | "__choice_numbers" | "__formula" => (vec![Ty::word()], Some(1)),
        "__draw" => (vec![Ty::word().join(&Ty::nil())], None),
        "__move" | "__move_under" | "__shuffle" | "__set_seen" | "__eliminate" | "__pass" | "__flag" | "__nobody"
        | "__also" | "__remove" | "__refresh" | "__reset" => (Vec::new(), Some(0)),
        _ => (vec![Ty::word().join(&Ty::of(bit(tag::NEW) | bit(tag::NIL)))], None),
    }
}
