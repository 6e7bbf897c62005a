//! Known values: the constants of a loaded game, which no hook can change.

use indexmap::{IndexMap, IndexSet};

/// A value that is the same in every match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// `nil`.
    Nil,
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text, by its index in [`Constants::texts`].
    Text(u32),
    /// A table, by its index in [`Constants::tables`].
    Table(u32),
    /// A function, by its index in [`Constants::functions`].
    Function(u32),
    /// A buffer that scripts share with the engine.
    Buffer(Buffer),
    /// A value that machine code does not use.
    Other,
}

/// A buffer that scripts share with the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
    /// The state block.
    State,
    /// The number of choices, then the choices.
    Choices,
    /// The marks of written words.
    Marks,
}

/// How a table behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read-only; a missing key is `nil`.
    Plain,
    /// Read-only; a missing key is an error or computed.
    Guarded,
    /// The options of the match, by name.
    Options,
    /// The lists of the players who are still in the game.
    Players,
    /// May change.
    Open,
}

/// A value as a key that can be hashed.
pub type Bits = (u8, u64);

impl Known {
    /// The value as a key.
    #[must_use]
    pub fn bits(self) -> Bits {
        match self {
            Self::Nil => (0, 0),
            Self::Boolean(is) => (1, u64::from(is)),
            Self::Number(n) => (2, n.to_bits()),
            Self::Text(text) => (3, u64::from(text)),
            Self::Table(table) => (4, u64::from(table)),
            Self::Function(function) => (5, u64::from(function)),
            Self::Buffer(buffer) => (6, buffer as u64),
            Self::Other => (7, 0),
        }
    }
}

/// A table of the loaded game.
#[derive(Debug, Clone)]
pub struct KnownTable {
    /// Its fields by key, in the order of iteration.
    pub fields: IndexMap<Bits, (Known, Known)>,
    /// Its length.
    pub length: usize,
    /// How it behaves.
    pub access: Access,
}

/// A function of the loaded game.
#[derive(Debug, Clone)]
pub enum KnownFunction {
    /// A function of a script, by its number, with its upvalues.
    Script {
        /// Its number in the bytecode of the game.
        number: usize,
        /// Its upvalues.
        upvalues: Vec<Known>,
    },
    /// A kernel, by its index.
    Kernel(usize),
    /// A kernel that takes texts.
    TextKernel,
    /// The question to a player.
    Ask,
    /// A library function, by its name: `table.insert`.
    Library(String),
    /// Another function of Rust or C++.
    Other,
}

/// All known values of a game.
#[derive(Debug, Default)]
pub struct Constants {
    /// All texts.
    pub texts: IndexSet<Box<[u8]>>,
    /// All tables.
    pub tables: Vec<KnownTable>,
    /// All functions.
    pub functions: Vec<KnownFunction>,
    /// The globals of scripts.
    pub globals: Option<u32>,
}

impl Constants {
    /// The index of a text.
    pub fn text(&mut self, text: &[u8]) -> u32 {
        if let Some(at) = self.texts.get_index_of(text) {
            return at as u32;
        }
        self.texts.insert_full(text.into()).0 as u32
    }

    /// A table.
    #[must_use]
    pub fn table(&self, table: u32) -> &KnownTable {
        &self.tables[table as usize]
    }

    /// The value of a field; `None`: it is missing.
    #[must_use]
    pub fn field(&self, table: u32, key: Known) -> Option<Known> {
        self.table(table).fields.get(&key.bits()).map(|(_, value)| *value)
    }

    /// A global, or a field of one, by the names on the path to it.
    #[must_use]
    pub fn import(&self, path: &[&[u8]]) -> Option<Known> {
        let mut value = Known::Table(self.globals?);
        for name in path {
            let Known::Table(table) = value else { return None };
            let text = self.texts.get_index_of(*name)?;
            value = self.field(table, Known::Text(text as u32))?;
        }
        Some(value)
    }
}
