//! A kind of bot: its word, its number, how it plays, and how it is made.

use std::sync::Arc;

use super::bot::Bot;
use super::form::BotForm;
use super::limits::Limits;
use crate::value::loaded::Value;

/// The word for a learned value in a spec: `learned`, `search:200+learned:FILE`.
pub const LEARNED: &str = "learned";

/// Makes a bot.
type MakeAlone = fn(&Making) -> Box<dyn Bot>;
/// Makes a bot that plays by a learned value.
type MakeByValue = fn(&Making, &Value) -> Box<dyn Bot>;

/// A kind of bot. Parser, help, messages and the table of the README are made from it.
#[derive(Debug)]
pub struct BotKind {
    /// The word that its spec begins with.
    pub name: &'static str,
    /// The number behind the word; `None`: there is none.
    pub budget: Option<Budget>,
    /// How it plays without a learned value; `None`: it needs one.
    pub alone: Option<Way<MakeAlone>>,
    /// How it plays by a learned value; `None`: it uses none.
    pub by_value: Option<Way<MakeByValue>>,
}

/// The number of a bot: how much of what it spends on what.
#[derive(Debug)]
pub struct Budget {
    /// Stands for the number in forms.
    pub letter: char,
    /// What it spends: `playouts`.
    pub of: &'static str,
    /// On what: `decision`.
    pub per: &'static str,
    /// An example.
    pub usual: u32,
}

/// A way to play, in a line, and its maker.
#[derive(Debug)]
pub struct Way<M> {
    /// How the bot plays.
    pub plays: &'static str,
    /// Makes the bot.
    pub make: M,
}

/// What a bot is made of.
pub struct Making {
    /// Its spec.
    pub name: String,
    /// Its budget; 0: it has none.
    pub count: u32,
    /// What it expects of itself, if it searches.
    pub limits: Option<Arc<Limits>>,
    pub seed: u64,
}

impl BotKind {
    /// The word, with the letter or the example of its number.
    fn with(&self, number: impl Fn(&Budget) -> String) -> String {
        self.name.to_owned() + &self.budget.as_ref().map_or_else(String::new, |budget| format!(":{}", number(budget)))
    }

    /// A bot with this number: `flat:200`; `B` for any.
    pub fn form(&self) -> String {
        self.with(|budget| budget.letter.to_string())
    }

    /// A spec, the shortest: `flat:200`.
    pub fn example(&self) -> String {
        let example = self.with(|budget| budget.usual.to_string());
        if self.alone.is_some() || self.is_value() { example } else { format!("{example}+{LEARNED}") }
    }

    /// Whether the value is all of the bot.
    pub fn is_value(&self) -> bool {
        self.name == LEARNED
    }

    /// All its forms.
    pub fn forms(&self) -> Vec<BotForm> {
        let budget = self.budget.as_ref().map_or_else(String::new, |of| format!("{} per {}", of.of, of.per));
        let of = |form: String, plays: &'static str| BotForm { form, plays, budget: budget.clone() };
        let valued = if self.is_value() { LEARNED.to_owned() } else { format!("{}+{LEARNED}", self.form()) };
        let alone = self.alone.iter().map(|way| of(self.form(), way.plays));
        let mut forms: Vec<BotForm> =
            alone.chain(self.by_value.iter().map(|way| of(valued.clone(), way.plays))).collect();
        if self.is_value() {
            forms.push(of(format!("{LEARNED}:FILE"), "the same by another file than the game's; so behind `+`, too"));
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
