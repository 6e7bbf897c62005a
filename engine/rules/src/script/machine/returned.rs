//! Results of hook calls.

/// The return value of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// Nothing, or `nil`.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A list of whole numbers, stored in [`Traces::list`](super::Traces::list).
    List,
    /// A value of another type, with the type's name.
    Other(&'static str),
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallEnd {
    /// The hook has returned.
    Done(Returned),
    /// The hook is suspended at [`Traces::question`](super::Traces::question).
    Asks,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trap {
    /// The hook asked but was called as a plain function. Use [`Machine::start`](super::Machine::start).
    Asks,
    /// Machine code could not finish the hook. The state must be restored, and the hook called again without machine
    /// code (see [`Grants::compiled`](super::Grants::compiled)).
    Unfinished,
    /// The step budget ran out.
    Steps,
    /// Memory ran out. The machine must be renewed.
    Memory,
    /// The script raised an error; the text begins with Luau's position (`file:line: message`).
    Raised(String),
}
