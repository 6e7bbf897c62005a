//! The forms of bot specs, for help and docs.

/// One form of a bot spec, for help and docs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BotForm {
    /// The form, for example `flat:B`.
    pub form: String,
    /// How the bot plays, in one line.
    pub plays: &'static str,
    /// The unit of the bot's number, for example `playouts per choice`; empty if the bot has no number.
    pub budget: String,
}

impl BotForm {
    pub(crate) fn new(form: &str, plays: &'static str, budget: &str) -> Self {
        Self { form: form.to_owned(), plays, budget: budget.to_owned() }
    }
}
