//! How a call of a hook ends.

/// The value that a hook returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// Nothing, or `nil`.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A list of whole numbers, which is in [`Traces::list`](super::Traces::list).
    List,
    /// Something else; its type's name.
    Other(&'static str),
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The hook returned.
    Done(Returned),
    /// The hook waits for the answer to [`Traces::question`](super::Traces::question).
    Asks,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trap {
    /// The hook asked but was called as a plain function: start it.
    Asks,
    /// The step budget ran out.
    Steps,
    /// Memory ran out: this machine must be renewed.
    Memory,
    /// The script raised an error; the text begins with the position as Luau writes it (`file:line: message`).
    Raised(String),
}
