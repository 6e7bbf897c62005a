//! `product` of a kind: every combination of some attribute values is a definition.

use indexmap::{IndexMap, IndexSet};

use super::declare::Location;
use super::diagnostic::suggestion;
use super::document::{Node, Span, Table};
use super::limits::MAX_PRODUCT;
use super::placeholder::{Piece, pieces};

/// The combinations of a kind; none if there are no axes.
#[derive(Debug, Default)]
pub(crate) struct Product {
    /// Attributes with their values. The last one varies fastest.
    pub(crate) axes: IndexMap<String, Vec<Value>>,
    /// Pattern for ids, with attributes as placeholders; empty: the values joined in order.
    id: String,
    /// Its place in the file.
    pub(crate) place: Location,
    /// Its span in the document.
    pub(crate) span: Span,
}

/// One value of an axis.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    /// Its text in ids.
    pub(crate) written: String,
    /// Its text in names; `None`: the text in ids.
    pub(crate) word: Option<String>,
}

/// A fault of an axis: code, message and help.
type AxisFault = (&'static str, String, Option<String>);

impl Product {
    /// Reads the product of a kind without reporting faults; a faulty product is empty.
    pub(crate) fn read(kind: &Table<'_>, kinds: &IndexSet<String>, ids: &[IndexSet<String>]) -> Self {
        let Some(node) = kind.get("product") else { return Self::default() };
        let id = kind.get("id").and_then(|id| id.as_text()).unwrap_or_default().to_owned();
        let mut product = Self { id, place: node.doc.place(node.span), span: node.span, ..Self::default() };
        for (key, axis) in node.as_table().iter().flat_map(Table::entries) {
            match read_axis(&axis, kinds, ids) {
                Ok(values) => drop(product.axes.insert(key.text.to_owned(), values)),
                Err(_) => return Self { axes: IndexMap::new(), ..product },
            }
        }
        if product.len().is_none() {
            product.axes.clear();
        }
        product
    }

    /// Reports the faults of a kind's product.
    pub(crate) fn check(node: &Node<'_>, attributes: &[&str], kinds: &IndexSet<String>, ids: &[IndexSet<String>]) {
        let Some(table) = node.table(node.what.clone()) else { return };
        let (mut count, mut whole) = (1_usize, true);
        for (key, axis) in table.entries() {
            if !attributes.contains(&key.text) {
                let message = format!("unknown attribute `{}` in {}", key.text, node.what);
                key.fault("unknown-attribute", message, suggestion(key.text, attributes.iter().copied()));
            }
            match read_axis(&axis, kinds, ids) {
                Ok(values) => count = count.saturating_mul(values.len()),
                Err((code, message, help)) => {
                    axis.fault(code, message, help);
                    whole = false;
                }
            }
        }
        if table.entries().is_empty() {
            node.fault("empty", format!("{} is empty", node.what), None);
        } else if whole && count > MAX_PRODUCT {
            let message = format!("{} makes {count} definitions; at most {MAX_PRODUCT} are allowed", node.what);
            node.fault("too-large", message, None);
        }
    }

    /// Number of definitions; `None`: too many.
    pub(crate) fn len(&self) -> Option<usize> {
        let some = usize::from(!self.axes.is_empty());
        let count = self.axes.values().try_fold(some, |count, values| count.checked_mul(values.len()))?;
        Some(count).filter(|count| *count <= MAX_PRODUCT)
    }

    /// The combinations in order: for each axis the index of its value.
    pub(crate) fn combinations(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        (0..self.len().unwrap_or(0)).map(|mut number| {
            let mut picked: Vec<usize> = Vec::with_capacity(self.axes.len());
            for values in self.axes.values().rev() {
                picked.push(number % values.len());
                number /= values.len();
            }
            picked.reverse();
            picked
        })
    }

    /// The id of a combination: `clubs_2`.
    pub(crate) fn id(&self, combination: &[usize]) -> String {
        if self.id.is_empty() {
            return self.joined(combination, "_", |value| value.written.clone());
        }
        let written = |attribute: &str| {
            let (axis, _, values) = self.axes.get_full(attribute)?;
            Some(values.get(*combination.get(axis)?)?.written.as_str())
        };
        let piece = |piece| match piece {
            Piece::Text(text) => text,
            Piece::Placeholder(placeholder) => written(placeholder.value).unwrap_or_default(),
        };
        pieces(&self.id).map(piece).collect()
    }

    /// Its values in words: `clubs 2`.
    pub(crate) fn words(&self, combination: &[usize]) -> String {
        self.joined(combination, " ", |value| value.word.clone().unwrap_or_else(|| value.written.replace('_', " ")))
    }

    /// The values of a combination, with their attributes.
    pub(crate) fn values(&self, combination: &[usize]) -> impl Iterator<Item = (&str, &Value)> {
        let axes = self.axes.iter().zip(combination);
        axes.filter_map(|((attribute, values), &picked)| Some((attribute.as_str(), values.get(picked)?)))
    }

    fn joined(&self, combination: &[usize], between: &str, of: impl Fn(&Value) -> String) -> String {
        self.values(combination).map(|(_, value)| of(value)).collect::<Vec<_>>().join(between)
    }

    /// The text for a value of an attribute, if the product declares one.
    pub(crate) fn word(&self, attribute: &str, written: &str) -> Option<&str> {
        let values = self.axes.get(attribute)?;
        values.iter().find(|value| value.written == written)?.word.as_deref()
    }
}

/// Reads `["clubs", "hearts"]`, `[2, 3]`, `"2..14"`, the name of a kind, or `{ clubs = "Clubs" }`.
fn read_axis(node: &Node<'_>, kinds: &IndexSet<String>, ids: &[IndexSet<String>]) -> Result<Vec<Value>, AxisFault> {
    let plain = |written: String| Value { written, word: None };
    let what = &node.what;
    let values: Vec<Value> = if let Some(text) = node.as_text() {
        if let Some(kind) = kinds.get_index_of(text) {
            ids.get(kind).into_iter().flatten().cloned().map(plain).collect()
        } else {
            let (first, last) = range(text).ok_or_else(|| {
                let help = suggestion(text, kinds.iter().map(String::as_str));
                let help =
                    help.or_else(|| Some("write `[\"one\", \"two\"]`, or `\"1..9\"` for whole numbers".to_owned()));
                ("unknown-kind", format!("`{text}` for {what} is neither a kind nor a range of numbers"), help)
            })?;
            let count = i64::from(last) - i64::from(first) + 1;
            if !(1..=MAX_PRODUCT as i64).contains(&count) {
                let message = format!("{what} must have 1 to {MAX_PRODUCT} numbers, not {}", count.max(0));
                return Err(("out-of-range", message, None));
            }
            (first..=last).map(|number| plain(number.to_string())).collect()
        }
    } else if let Some(table) = node.as_table() {
        let word = |(key, node): (super::document::Key<'_>, Node<'_>)| {
            let word = node.as_text().ok_or_else(|| ("wrong-type", format!("{} must be text", node.what), None))?;
            Ok(Value { written: key.text.to_owned(), word: Some(word.to_owned()) })
        };
        table.entries().into_iter().map(word).collect::<Result<_, AxisFault>>()?
    } else if node.is_list() {
        let one = |element: Node<'_>| {
            let number = element.as_integer().map(|number| number.to_string());
            let written = element.as_text().map(str::to_owned).or(number);
            written.map(plain).ok_or_else(|| ("wrong-type", format!("{what} must hold texts or whole numbers"), None))
        };
        node.list(false).unwrap_or_default().into_iter().map(one).collect::<Result<_, AxisFault>>()?
    } else {
        return Err(("wrong-type", format!("{what} must be a list, a range such as \"2..14\", or a kind"), None));
    };
    if values.is_empty() {
        return Err(("empty", format!("{what} is empty"), None));
    }
    let mut seen = IndexSet::new();
    if let Some(twice) = values.iter().find(|value| !seen.insert(value.written.as_str())) {
        return Err(("duplicate", format!("`{}` is listed twice in {what}", twice.written), None));
    }
    Ok(values)
}

/// Reads `2..14`.
fn range(text: &str) -> Option<(i32, i32)> {
    let (first, last) = text.split_once("..")?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}
