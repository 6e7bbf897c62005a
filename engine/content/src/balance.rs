//! Reads `balance.toml`: plans for bots, and expectations of a game's balance. Matches do not depend on it.

use super::document::{Document, Faults, Node, Span, Table};
use super::keys;
use super::limits::MAX_PLAYERS;
use super::mods::manifest::fault_at;
use super::{Diagnostic, SourceFile};

/// A parsed file. Names in it are resolved later, because they depend on the game.
#[derive(Debug, Clone, Default)]
pub struct BalanceFile {
    /// The strongest bot of the game.
    pub best: Option<PlacedText>,
    /// Plans, in file order.
    pub plans: Vec<PlanDecl>,
    /// Expectations, in file order.
    pub expects: Vec<Expect>,
}

/// A text with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedText {
    /// The text.
    pub text: String,
    span: Span,
}

/// A named plan.
#[derive(Debug, Clone)]
pub struct PlanDecl {
    /// Its name.
    pub name: PlacedText,
    /// Patterns of preferred choices, the most preferred first.
    pub prefer: Vec<PlacedText>,
    /// Patterns of choices that exclude all others.
    pub always: Vec<PlacedText>,
    /// Patterns of forbidden choices.
    pub never: Vec<PlacedText>,
    /// The bot for all other decisions.
    pub base: Option<PlacedText>,
}

/// A measured quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BalanceQuantity {
    /// Share of first places, in percent.
    Share,
    /// Mean score, in points.
    Score,
    /// Mean margin, in points.
    Margin,
    /// How often choices are taken when offered, in percent.
    Taken,
    /// As `Taken`, for each choice separately.
    EachTaken,
    /// Mean length of a game.
    Length,
}

/// The keys of the quantities.
const MEASURES: [(&str, BalanceQuantity); 6] = [
    ("share", BalanceQuantity::Share),
    ("score", BalanceQuantity::Score),
    ("margin", BalanceQuantity::Margin),
    ("taken", BalanceQuantity::Taken),
    ("each_taken", BalanceQuantity::EachTaken),
    ("length", BalanceQuantity::Length),
];

impl BalanceQuantity {
    /// Its key.
    #[must_use]
    pub fn word(self) -> &'static str {
        MEASURES.iter().find(|(_, measured)| *measured == self).map_or("", |(word, _)| word)
    }

    /// Whether it is a percentage.
    #[must_use]
    pub fn is_percent(self) -> bool {
        matches!(self, Self::Share | Self::Taken | Self::EachTaken)
    }
}

/// One expectation.
#[derive(Debug, Clone)]
pub struct Expect {
    /// Line of its table, from 1.
    pub line: u32,
    /// The reason for the expectation.
    pub text: String,
    /// The quantity that is measured.
    pub measured: BalanceQuantity,
    /// The choices, players or bots that it measures.
    pub of: PlacedText,
    /// Lower bound, inclusive.
    pub low: Option<i32>,
    /// Upper bound, inclusive.
    pub high: Option<i32>,
    /// The bots that play; empty for the best bot of the game.
    pub bots: Vec<PlacedText>,
    /// Number of players.
    pub players: Option<PlacedText>,
    /// Options of the game.
    pub options: Vec<(PlacedText, PlacedText)>,
    /// Maximum number of games.
    pub games: u32,
}

/// Default maximum number of games.
const GAMES: u32 = 400;

/// Reads a file. Reports faulty entries and leaves them out.
#[must_use]
pub fn read(source: &SourceFile) -> (BalanceFile, Vec<Diagnostic>) {
    let faults = Faults::default();
    let document = Document::parse(source, &faults);
    let root = document.root("the balance file");
    let common = Setting::read(&root);
    let mut file = BalanceFile { best: root.get("best").and_then(|node| written(&node)), ..BalanceFile::default() };
    if let Some(plans) = root.get("plans").and_then(|node| node.table("`plans`")) {
        for (key, node) in plans.entries() {
            let Some(table) = node.table(format!("plan `{}`", key.text)) else { continue };
            table.text("text");
            let list = |name| table.get(name).map(|node| texts(&node)).unwrap_or_default();
            let plan = PlanDecl {
                name: PlacedText { text: key.text.to_owned(), span: key.span },
                prefer: list("prefer"),
                always: list("always"),
                never: list("never"),
                base: table.get("base").and_then(|node| written(&node)),
            };
            if plan.prefer.is_empty() && plan.always.is_empty() && plan.never.is_empty() {
                table.fault("missing-key", format!("{} needs `prefer`, `always` or `never`", table.what), None);
            }
            table.finish(keys::plan);
            file.plans.push(plan);
        }
    }
    for node in root.get("expect").and_then(|node| node.list(true)).unwrap_or_default() {
        let line = document.place(node.span).line;
        let Some(table) = node.table("the expectation") else { continue };
        let expect = expect(&table, line, &common);
        table.finish(keys::expect);
        file.expects.extend(expect);
    }
    root.finish(keys::balance);
    (file, faults.take())
}

impl PlacedText {
    /// Another text with the same place.
    #[must_use]
    pub fn with(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), span: self.span }
    }

    /// A fault at this text.
    #[must_use]
    pub fn fault(&self, source: &SourceFile, message: impl Into<String>, help: Option<String>) -> Diagnostic {
        fault_at(source, self.span, "balance", message.into(), help)
    }
}

/// The setting: bots, players, options, and the number of games.
#[derive(Default)]
struct Setting {
    bots: Vec<PlacedText>,
    players: Option<PlacedText>,
    options: Vec<(PlacedText, PlacedText)>,
    games: Option<u32>,
}

impl Setting {
    fn read(table: &Table<'_>) -> Self {
        let number = |key: &str, range| {
            let node = table.get(key)?;
            Some(PlacedText { text: node.integer(range)?.to_string(), span: node.span })
        };
        let options = table.get("options").and_then(|node| node.table("`options`"));
        let option = |(key, node): (super::document::Key<'_>, Node<'_>)| {
            let name = PlacedText { text: key.text.to_owned(), span: key.span };
            let value = PlacedText { text: node.written().trim_matches('"').to_owned(), span: node.span };
            (name, value)
        };
        Self {
            bots: table.get("bots").map(|node| texts(&node)).unwrap_or_default(),
            players: number("players", 1..=MAX_PLAYERS),
            options: options.map(|table| table.entries().into_iter().map(option).collect()).unwrap_or_default(),
            games: number("games", 16..=keys::MOST_GAMES).and_then(|games| games.text.parse().ok()),
        }
    }
}

fn expect(table: &Table<'_>, line: u32, common: &Setting) -> Option<Expect> {
    let own = Setting::read(table);
    let text = table.text("text").unwrap_or_default();
    let mut found: Vec<(BalanceQuantity, Node<'_>)> =
        MEASURES.iter().filter_map(|(word, measured)| Some((*measured, table.get(word)?))).collect();
    // Read all keys before any fault returns, because an unread key counts as unknown.
    let [low, high] = ["at_least", "at_most"].map(|key| table.integer(key, i32::MIN..=i32::MAX));
    let between = table.get("between");
    let names = MEASURES.map(|(word, _)| format!("`{word}`")).join(", ");
    if found.len() > 1 {
        let (_, second) = found.swap_remove(1);
        second.fault(
            "unknown-value",
            format!("an expectation has one of {names}"),
            Some("write an [[expect]] for each".to_owned()),
        );
        return None;
    }
    let Some((measured, node)) = found.pop() else {
        table.fault("missing-key", format!("an expectation needs one of {names}"), None);
        return None;
    };
    let (low, high) = bounds(table, &node, measured, ([low, high], between))?;
    let of = if measured == BalanceQuantity::Length {
        node.word(&[("rounds", ()), ("decisions", ())])?;
        written(&node)?
    } else {
        written(&node)?
    };
    let bots = if own.bots.is_empty() { common.bots.clone() } else { own.bots };
    Some(Expect {
        line,
        text,
        measured,
        of,
        low,
        high,
        bots,
        players: own.players.or_else(|| common.players.clone()),
        options: if own.options.is_empty() { common.options.clone() } else { own.options },
        games: own.games.or(common.games).unwrap_or(GAMES),
    })
}

/// The bounds of the quantity whose key is `node`, from the values of the bound keys.
fn bounds<'t>(
    table: &Table<'t>,
    node: &Node<'t>,
    measured: BalanceQuantity,
    ([low, high], between): ([Option<i32>; 2], Option<Node<'t>>),
) -> Option<(Option<i32>, Option<i32>)> {
    let (low, high) = match &between {
        None => (low, high),
        Some(node) => {
            let pair: Vec<i32> = node.list(false)?.iter().filter_map(|one| one.integer(i32::MIN..=i32::MAX)).collect();
            match pair.as_slice() {
                [least, most] if least < most && low.is_none() && high.is_none() => (Some(*least), Some(*most)),
                [_, _] if low.is_some() || high.is_some() => {
                    let help = Some("remove `at_least` and `at_most`".to_owned());
                    node.fault("unknown-value", "`between` cannot be combined with `at_least` or `at_most`", help);
                    return None;
                }
                _ => {
                    let help = Some("write between = [25, 42]".to_owned());
                    node.fault("unknown-value", "`between` must be the lower bound, then the upper one", help);
                    return None;
                }
            }
        }
    };
    if let (None, Some(least), Some(most)) = (&between, low, high)
        && least >= most
    {
        let help = Some("lower `at_least`, or raise `at_most`".to_owned());
        table.get("at_least").as_ref().unwrap_or(node).fault(
            "unknown-value",
            format!("`at_least` {least} must be less than `at_most` {most}"),
            help,
        );
        return None;
    }
    if low.is_none() && high.is_none() {
        table.fault("missing-key", "the expectation needs `between`, `at_least` or `at_most`", None);
        return None;
    }
    if measured.is_percent() && low.into_iter().chain(high).any(|bound| !(0..=100).contains(&bound)) {
        let at = between.or_else(|| table.get("at_least")).or_else(|| table.get("at_most"));
        let message = format!("`{}` is measured in percent: from 0 to 100", measured.word());
        at.as_ref().unwrap_or(node).fault("out-of-range", message, None);
        return None;
    }
    Some((low, high))
}

fn written(node: &Node<'_>) -> Option<PlacedText> {
    Some(PlacedText { text: node.text()?.to_owned(), span: node.span })
}

/// Reads a text or a list of texts.
fn texts(node: &Node<'_>) -> Vec<PlacedText> {
    node.list(true).unwrap_or_default().iter().filter_map(written).collect()
}
