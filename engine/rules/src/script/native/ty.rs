//! Types: the sets of values that a register may hold.

use std::rc::Rc;

use crate::script::native::known::Known;

/// The runtime tags of values. Of all values, only those of the first two are false.
pub mod tag {
    /// `nil`.
    pub const NIL: u8 = 0;
    /// `false`.
    pub const FALSE: u8 = 1;
    /// `true`.
    pub const TRUE: u8 = 2;
    /// A whole number of at most 53 bits, as an integer; never a negative zero.
    pub const INT: u8 = 3;
    /// Any number, as the bits of an `f64`.
    pub const NUMBER: u8 = 4;
    /// A known text, by its index.
    pub const TEXT: u8 = 5;
    /// A known table, by its index.
    pub const TABLE: u8 = 6;
    /// A table made by the running hook, by its address.
    pub const NEW: u8 = 7;
    /// A known function, by its index.
    pub const FUNCTION: u8 = 8;
    /// A function made by the running hook, by the address of its captured values.
    pub const CLOSURE: u8 = 9;
    /// A buffer, or an unusable value.
    pub const OTHER: u8 = 10;
}

/// A set of tags, as bits.
pub type Mask = u16;

/// The bit of a tag.
#[must_use]
pub const fn bit(tag: u8) -> Mask {
    1 << tag
}

/// `nil` and `false`.
pub const FALSY: Mask = bit(tag::NIL) | bit(tag::FALSE);
/// Both booleans.
pub const BOOLEAN: Mask = bit(tag::FALSE) | bit(tag::TRUE);
/// All numbers.
pub const NUMERIC: Mask = bit(tag::INT) | bit(tag::NUMBER);
/// All values that a hook can store or pass on.
pub const ANY: Mask = (1 << tag::OTHER) - 1;

/// The greatest whole number that is exact, and the negative of the least.
pub const EXACT: i64 = 1 << 53;

/// Maximum members of a set before it is replaced by all.
const MOST: usize = 1024;

/// A set of indices.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Set {
    /// All of them.
    All,
    /// These, in order.
    Of(Rc<[u32]>),
}

impl Set {
    /// No index.
    #[must_use]
    pub fn none() -> Self {
        thread_local! {
            // Most sets are empty.
            static NONE: Rc<[u32]> = Rc::new([]);
        }
        Self::Of(NONE.with(Rc::clone))
    }

    /// One index.
    #[must_use]
    pub fn one(index: u32) -> Self {
        Self::Of(Rc::new([index]))
    }

    /// The only index.
    #[must_use]
    pub fn only(&self) -> Option<u32> {
        match self {
            Self::Of(list) if list.len() == 1 => Some(list[0]),
            _ => None,
        }
    }

    fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Of(a), Self::Of(b)) => {
                if a == b || b.is_empty() {
                    return self.clone();
                }
                if a.is_empty() {
                    return other.clone();
                }
                let mut all: Vec<u32> = a.iter().chain(b.iter()).copied().collect();
                all.sort_unstable();
                all.dedup();
                if all.len() > MOST { Self::All } else { Self::Of(all.into()) }
            }
            _ => Self::All,
        }
    }
}

/// A function made by a hook: its number, and the types of its upvalues.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Made {
    /// Its number in the bytecode of the game.
    pub number: usize,
    /// Its upvalues.
    pub upvalues: Vec<Ty>,
    /// Whether each is a variable that it shares with the function that made it.
    pub shared: Vec<bool>,
    /// The upvalue that is the function itself, so that it can call itself; its type here says only that.
    pub own: Option<usize>,
}

impl Made {
    /// The types of its upvalues as its code finds them.
    #[must_use]
    pub fn upvalues_inside(self: &Rc<Self>) -> Vec<Ty> {
        let mut upvalues = self.upvalues.clone();
        if let Some(own) = self.own {
            upvalues[own].made = Some(self.clone());
        }
        upvalues
    }
}

/// The set of values that a register may hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ty {
    /// The possible tags.
    pub mask: Mask,
    /// The range of integers.
    pub range: (i64, i64),
    /// The bits of the only number.
    pub number: Option<u64>,
    /// The texts.
    pub texts: Set,
    /// The known tables.
    pub tables: Set,
    /// The known functions.
    pub functions: Set,
    /// The only made function.
    pub made: Option<Rc<Made>>,
    /// The buffer, by its number.
    pub buffer: Option<u8>,
}

impl Ty {
    /// No value.
    #[must_use]
    pub fn never() -> Self {
        Self {
            mask: 0,
            range: (0, 0),
            number: None,
            texts: Set::none(),
            tables: Set::none(),
            functions: Set::none(),
            made: None,
            buffer: None,
        }
    }

    /// Any value of these tags.
    #[must_use]
    pub fn of(mask: Mask) -> Self {
        let set = |tag| if mask & bit(tag) == 0 { Set::none() } else { Set::All };
        Self {
            mask,
            range: if mask & bit(tag::INT) == 0 { (0, 0) } else { (-EXACT, EXACT) },
            texts: set(tag::TEXT),
            tables: set(tag::TABLE),
            functions: set(tag::FUNCTION),
            ..Self::never()
        }
    }

    /// `nil`.
    #[must_use]
    pub fn nil() -> Self {
        Self::of(bit(tag::NIL))
    }

    /// Any value.
    #[must_use]
    pub fn any() -> Self {
        Self::of(ANY)
    }

    /// Both booleans.
    #[must_use]
    pub fn boolean() -> Self {
        Self::of(BOOLEAN)
    }

    /// A boolean.
    #[must_use]
    pub fn truth(is: bool) -> Self {
        Self::of(bit(if is { tag::TRUE } else { tag::FALSE }))
    }

    /// The integers of a range.
    #[must_use]
    pub fn int(low: i64, high: i64) -> Self {
        Self { range: (low, high), ..Self::of(bit(tag::INT)) }
    }

    /// All words of 32 bits, with sign.
    #[must_use]
    pub fn word() -> Self {
        Self::int(i64::from(i32::MIN), i64::from(i32::MAX))
    }

    /// Any number.
    #[must_use]
    pub fn float() -> Self {
        Self::of(bit(tag::NUMBER))
    }

    /// These texts.
    #[must_use]
    pub fn texts(texts: Set) -> Self {
        Self { texts, ..Self::of(bit(tag::TEXT)) }
    }

    /// A known value.
    #[must_use]
    pub fn known(value: Known) -> Self {
        match value {
            Known::Nil => Self::nil(),
            Known::Boolean(is) => Self::truth(is),
            Known::Number(n) => match as_int(n) {
                Some(n) => Self::int(n, n),
                None => Self { number: Some(n.to_bits()), ..Self::float() },
            },
            Known::Text(text) => Self::texts(Set::one(text)),
            Known::Table(table) => Self { tables: Set::one(table), ..Self::of(bit(tag::TABLE)) },
            Known::Function(function) => Self { functions: Set::one(function), ..Self::of(bit(tag::FUNCTION)) },
            Known::Buffer(buffer) => Self { buffer: Some(buffer as u8), ..Self::of(bit(tag::OTHER)) },
            Known::Other => Self::of(bit(tag::OTHER)),
        }
    }

    /// The tag of a known value, as a mask.
    #[must_use]
    pub fn mask_of(value: Known) -> Mask {
        bit(match value {
            Known::Nil => tag::NIL,
            Known::Boolean(false) => tag::FALSE,
            Known::Boolean(true) => tag::TRUE,
            Known::Number(n) if as_int(n).is_some() => tag::INT,
            Known::Number(_) => tag::NUMBER,
            Known::Text(_) => tag::TEXT,
            Known::Table(_) => tag::TABLE,
            Known::Function(_) => tag::FUNCTION,
            Known::Buffer(_) | Known::Other => tag::OTHER,
        })
    }

    /// These known values, which are nearly all of few tags.
    #[must_use]
    pub fn union(values: impl IntoIterator<Item = Known>) -> Self {
        let (mut texts, mut tables, mut functions) = (Vec::new(), Vec::new(), Vec::new());
        let (mut out, mut range) = (Self::never(), None);
        for value in values {
            match value {
                Known::Number(n) if let Some(n) = as_int(n) => {
                    let (low, high) = range.unwrap_or((n, n));
                    range = Some((n.min(low), n.max(high)));
                }
                Known::Text(text) => texts.push(text),
                Known::Table(table) => tables.push(table),
                Known::Function(function) => functions.push(function),
                _ => out = out.join(&Self::known(value)),
            }
        }
        if let Some((low, high)) = range {
            out = out.join(&Self::int(low, high));
        }
        let mut add = |mut list: Vec<u32>, tag| {
            if list.is_empty() {
                return Set::none();
            }
            out.mask |= bit(tag);
            list.sort_unstable();
            list.dedup();
            if list.len() > MOST { Set::All } else { Set::Of(list.into()) }
        };
        let (texts, tables) = (add(texts, tag::TEXT), add(tables, tag::TABLE));
        let functions = add(functions, tag::FUNCTION);
        Self { texts, tables, functions, ..out }
    }

    /// The only value, if it is known.
    #[must_use]
    pub fn only(&self) -> Option<Known> {
        let tag = self.tag()?;
        match tag {
            tag::NIL => Some(Known::Nil),
            tag::FALSE => Some(Known::Boolean(false)),
            tag::TRUE => Some(Known::Boolean(true)),
            tag::INT if self.range.0 == self.range.1 => Some(Known::Number(self.range.0 as f64)),
            tag::NUMBER => self.number.map(|bits| Known::Number(f64::from_bits(bits))),
            tag::TEXT => self.texts.only().map(Known::Text),
            tag::TABLE => self.tables.only().map(Known::Table),
            tag::FUNCTION => self.functions.only().map(Known::Function),
            _ => None,
        }
    }

    /// The only tag.
    #[must_use]
    pub fn tag(&self) -> Option<u8> {
        (self.mask.count_ones() == 1).then(|| self.mask.trailing_zeros() as u8)
    }

    /// The tags of its numbers. Of values that may be anything, only integers are taken as numbers.
    #[must_use]
    pub fn numbers(&self) -> Mask {
        if self.may(bit(tag::INT)) && !self.is(NUMERIC) { bit(tag::INT) } else { self.mask & NUMERIC }
    }

    /// Whether it may be a whole number, or another one, or something else: no single kind of number can be assumed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.may(bit(tag::INT)) && self.may(bit(tag::NUMBER)) && !self.is(NUMERIC)
    }

    /// Whether values of a tag are possible.
    #[must_use]
    pub fn may(&self, mask: Mask) -> bool {
        self.mask & mask != 0
    }

    /// Whether all values have one of these tags.
    #[must_use]
    pub fn is(&self, mask: Mask) -> bool {
        self.mask & !mask == 0
    }

    /// Whether the value is true; `None`: unknown.
    #[must_use]
    pub fn is_true(&self) -> Option<bool> {
        match (self.may(FALSY), self.may(!FALSY)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// The values of these tags only.
    #[must_use]
    pub fn only_tags(&self, mask: Mask) -> Self {
        let keep = |set: &Set, tag| if mask & bit(tag) == 0 { Set::none() } else { set.clone() };
        let left = self.mask & mask;
        Self {
            mask: left,
            range: if left & bit(tag::INT) == 0 { (0, 0) } else { self.range },
            number: self.number.filter(|_| left & bit(tag::NUMBER) != 0),
            texts: keep(&self.texts, tag::TEXT),
            tables: keep(&self.tables, tag::TABLE),
            functions: keep(&self.functions, tag::FUNCTION),
            made: self.made.clone().filter(|_| left & bit(tag::CLOSURE) != 0),
            buffer: self.buffer.filter(|_| left & bit(tag::OTHER) != 0),
        }
    }

    /// The tables that machine code can read. Of values that may be any table, only new ones are taken as tables.
    #[must_use]
    pub fn readable(&self) -> Self {
        let is_known = matches!(self.tables, Set::Of(_)) || !self.may(bit(tag::NEW));
        self.only_tags(if is_known { bit(tag::TABLE) | bit(tag::NEW) } else { bit(tag::NEW) })
    }

    /// The values of both.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        if self == other || other.mask == 0 {
            return self.clone();
        }
        if self.mask == 0 {
            return other.clone();
        }
        let int = bit(tag::INT);
        let range = match (self.may(int), other.may(int)) {
            (true, true) => (self.range.0.min(other.range.0), self.range.1.max(other.range.1)),
            (true, false) => self.range,
            _ => other.range,
        };
        let has = |ty: &Self, tag| ty.may(bit(tag));
        let one = |a: bool, b: bool| a && b;
        let number = match (has(self, tag::NUMBER), has(other, tag::NUMBER)) {
            (true, false) => self.number,
            (false, true) => other.number,
            _ => self.number.filter(|_| self.number == other.number),
        };
        let made = match (has(self, tag::CLOSURE), has(other, tag::CLOSURE)) {
            (true, false) => self.made.clone(),
            (false, true) => other.made.clone(),
            _ => self.made.clone().filter(|_| self.made == other.made),
        };
        let both_other = one(has(self, tag::OTHER), has(other, tag::OTHER));
        let buffer =
            if both_other { self.buffer.filter(|_| self.buffer == other.buffer) } else { self.buffer.or(other.buffer) };
        Self {
            mask: self.mask | other.mask,
            range,
            number,
            texts: self.texts.join(&other.texts),
            tables: self.tables.join(&other.tables),
            functions: self.functions.join(&other.functions),
            made,
            buffer,
        }
    }

    /// A larger set, so that repeated joins come to an end: bounds that grow become the widest.
    #[must_use]
    pub fn widen(&self, next: &Self) -> Self {
        let mut out = self.join(next);
        if self.may(bit(tag::INT)) && next.may(bit(tag::INT)) {
            if next.range.0 < self.range.0 {
                out.range.0 = *STEPS.iter().rev().find(|step| **step <= next.range.0).unwrap_or(&-EXACT);
            }
            if next.range.1 > self.range.1 {
                out.range.1 = *STEPS.iter().find(|step| **step >= next.range.1).unwrap_or(&EXACT);
            }
        }
        out
    }
}

/// The bounds to which ranges grow.
const STEPS: [i64; 7] = [-EXACT, i32::MIN as i64, -1, 0, 1 << 16, i32::MAX as i64, EXACT];

/// A number as an integer of at most 53 bits; `None`: it is none, or a negative zero.
#[must_use]
pub fn as_int(n: f64) -> Option<i64> {
    let whole = n as i64;
    (whole as f64 == n && whole.abs() <= EXACT && !(whole == 0 && n.is_sign_negative())).then_some(whole)
}
