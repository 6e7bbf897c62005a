//! Refused choices, as scripts record them.

/// A choice that scripts refused while they listed the choices of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedTest {
    /// The seat of a simultaneous phase whose hook refused it.
    pub seat: Option<u8>,
    /// The choice.
    pub choice: RefusedChoice,
    /// A sentence for people.
    pub reason: String,
}

/// The choice that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedChoice {
    /// A label, or the id of a definition.
    Label(String),
    /// A number in the domain of the prompt.
    Value(i32),
    /// A token with a hook that cannot be used, and the hook's name.
    Token(i32, String),
}
