//! The forms that specs of bots may have, for help and docs.

use std::fmt;

/// A form that a spec may have, for help and docs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BotForm {
    /// The form: `flat:B`.
    pub form: String,
    /// How such a bot plays.
    pub plays: &'static str,
    /// What its number counts; empty: it has none.
    pub budget: String,
}

impl BotForm {
    pub(crate) fn new(form: &str, plays: &'static str, budget: &str) -> Self {
        Self { form: form.to_owned(), plays, budget: budget.to_owned() }
    }
}

impl fmt::Display for BotForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, plays, budget } = self;
        write!(f, "{form}: {plays}")?;
        if budget.is_empty() { Ok(()) } else { write!(f, " ({budget})") }
    }
}
