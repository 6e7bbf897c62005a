//! Kinds of bots: name, budget, description and constructor.

use std::sync::Arc;

use super::bot::Bot;
use super::form::BotForm;
use super::limits::Limits;
use crate::value::loaded::Value;

/// The word for a learned value in a spec: `learned`, `search:200+learned:FILE`.
pub const LEARNED: &str = "learned";

/// Makes a bot without a learned value.
type MakeAlone = fn(&BotParts) -> Box<dyn Bot>;
/// Makes a bot with a learned value.
type MakeByValue = fn(&BotParts, &Value) -> Box<dyn Bot>;

/// A kind of bot. The parser, help, messages and the README table are generated from it.
#[derive(Debug)]
pub struct BotKind {
    /// The first word of its spec.
    pub name: &'static str,
    /// The number after the word; `None` if the bot has none.
    pub budget: Option<Budget>,
    /// The variant without a learned value; `None` if it needs one.
    pub alone: Option<Variant<MakeAlone>>,
    /// The variant with a learned value; `None` if it uses none.
    pub by_value: Option<Variant<MakeByValue>>,
}

/// The number of a bot: how much it spends, and on what.
#[derive(Debug)]
pub struct Budget {
    /// The placeholder of the number in forms.
    pub letter: char,
    /// The unit it spends, for example `playouts`.
    pub of: &'static str,
    /// The occasion it spends them on, for example `decision`.
    pub per: &'static str,
    /// An example value.
    pub usual: u32,
}

/// A variant of a bot: description and constructor.
#[derive(Debug)]
pub struct Variant<M> {
    /// How the bot plays, in one line.
    pub plays: &'static str,
    /// Makes the bot.
    pub make: M,
}

/// The parameters of a new bot.
pub struct BotParts {
    /// The bot's spec.
    pub name: String,
    /// The bot's budget; 0 if it has none.
    pub count: u32,
    /// Limits that a search assumes for its own seat.
    pub limits: Option<Arc<Limits>>,
    pub seed: u64,
}

impl BotKind {
    /// The word, followed by the given text for its number.
    fn with(&self, number: impl Fn(&Budget) -> String) -> String {
        self.name.to_owned() + &self.budget.as_ref().map_or_else(String::new, |budget| format!(":{}", number(budget)))
    }

    /// The form, for example `flat:B`.
    pub fn form(&self) -> String {
        self.with(|budget| budget.letter.to_string())
    }

    /// The shortest valid spec, for example `flat:200`.
    pub fn example(&self) -> String {
        let example = self.with(|budget| budget.usual.to_string());
        if self.alone.is_some() || self.is_value() { example } else { format!("{example}+{LEARNED}") }
    }

    /// Whether this kind is `learned`, which consists of the value alone.
    pub fn is_value(&self) -> bool {
        self.name == LEARNED
    }

    /// All forms of this kind.
    pub fn forms(&self) -> Vec<BotForm> {
        let budget = self.budget.as_ref().map_or_else(String::new, |of| format!("{} per {}", of.of, of.per));
        let of = |form: String, plays: &'static str| BotForm { form, plays, budget: budget.clone() };
        let valued = if self.is_value() { LEARNED.to_owned() } else { format!("{}+{LEARNED}", self.form()) };
        let alone = self.alone.iter().map(|variant| of(self.form(), variant.plays));
        let mut forms: Vec<BotForm> =
            alone.chain(self.by_value.iter().map(|variant| of(valued.clone(), variant.plays))).collect();
        if self.is_value() {
            forms.push(of(
                format!("{LEARNED}:FILE"),
                "like `learned`, with another value file; `+learned:FILE` works too",
            ));
        }
        forms
    }
}

impl PartialEq for BotKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for BotKind {}
