//! The rules of a game to read: the blocks of `rules.md`, and the terms that the content explains.
//!
//! A small part of Markdown counts: headings, lists, tables, paragraphs, bold, italic and code. Everything else stays the text that it
//! is, so that a page which draws blocks parses no markup.

use std::collections::BTreeSet;

use motherlode::Game;
use motherlode::declare::Declarations;
use motherlode_content::{list_item, numbered};
use serde::{Deserialize, Serialize};

/// The rules of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rulebook {
    /// The text of the rules.
    pub blocks: Vec<RuleBlock>,
    /// Phases, kinds and printed values with their explanations.
    pub terms: Vec<RuleTerm>,
}

/// A block of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RuleBlock {
    /// A heading.
    Heading {
        /// From 1.
        level: u8,
        /// Its text.
        spans: Vec<RuleSpan>,
    },
    /// A paragraph.
    Paragraph(Vec<RuleSpan>),
    /// A list.
    List(Vec<RuleItem>),
    /// A table: rows of cells, the first with the headings.
    Table(Vec<Vec<Vec<RuleSpan>>>),
}

/// An item of a list; a rule, if it has a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleItem {
    /// Number of the rule, such as `P-12`; empty: the item is no rule.
    pub number: String,
    /// Its text.
    pub spans: Vec<RuleSpan>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleSpan {
    /// The characters.
    pub text: String,
    /// How they are printed.
    pub style: SpanStyle,
}

/// How a part of a text is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SpanStyle {
    /// As the text around it.
    Plain,
    /// Bold.
    Strong,
    /// Italic.
    Emphasis,
    /// In letters of equal width.
    Code,
}

/// A term with its explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuleTerm {
    /// The term.
    pub name: String,
    /// Its explanation.
    pub text: String,
}

impl Rulebook {
    /// Reads the rules of a game, with those of its mods after them. A rule that a mod replaces is left out.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let d = game.declarations();
        let mut replaced = BTreeSet::new();
        let mut layers: Vec<Vec<RuleBlock>> = Vec::new();
        for text in d.rule_texts.iter().rev() {
            let mut blocks = read(text);
            let mut own = BTreeSet::new();
            for block in &mut blocks {
                if let RuleBlock::List(items) = block {
                    items.retain(|item| !replaced.contains(&item.number));
                    own.extend(items.iter().map(|item| item.number.clone()).filter(|number| !number.is_empty()));
                }
            }
            blocks.retain(|block| !matches!(block, RuleBlock::List(items) if items.is_empty()));
            replaced.extend(own);
            layers.push(blocks);
        }
        Self { blocks: layers.into_iter().rev().flatten().collect(), terms: terms(d) }
    }
}

/// The explained terms, in the order of the content.
fn terms(d: &Declarations) -> Vec<RuleTerm> {
    let phase = |(id, phase): (&String, &motherlode::declare::Phase)| RuleTerm {
        name: if phase.name.is_empty() { id.clone() } else { phase.name.clone() },
        text: phase.text.clone(),
    };
    let mut terms: Vec<RuleTerm> = d.phases.iter().map(phase).collect();
    for kind in d.kinds.values() {
        let printed = kind.attributes.iter().filter(|(_, attribute)| !attribute.internal);
        terms.extend(
            printed.map(|(name, attribute)| RuleTerm { name: name.replace('_', " "), text: attribute.text.clone() }),
        );
    }
    let mut known = BTreeSet::new();
    terms.retain(|term| !term.text.is_empty() && known.insert((term.name.clone(), term.text.clone())));
    terms
}

/// Reads the blocks of a text.
#[must_use]
pub fn read(text: &str) -> Vec<RuleBlock> {
    let mut blocks = Vec::new();
    // Whether the next line may go on with the last block.
    let mut is_open = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            is_open = false;
            continue;
        }
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        if (1..=6).contains(&level) && line[level..].starts_with(' ') {
            let level = u8::try_from(level).unwrap_or(6);
            blocks.push(RuleBlock::Heading { level, spans: spans(line[usize::from(level)..].trim()) });
            is_open = false;
        } else if let Some(cells) = trimmed.strip_prefix('|') {
            add_row(&mut blocks, cells, is_open);
            is_open = true;
        } else if let Some(content) = list_item(trimmed) {
            let (number, rest) = numbered(content).unwrap_or(("", content));
            let item = RuleItem { number: number.to_owned(), spans: spans(rest) };
            match blocks.last_mut() {
                Some(RuleBlock::List(items)) => items.push(item),
                _ => blocks.push(RuleBlock::List(vec![item])),
            }
            is_open = true;
        } else {
            match blocks.last_mut() {
                Some(RuleBlock::Paragraph(all)) if is_open => join(all, trimmed),
                Some(RuleBlock::List(items)) if is_open && line.starts_with([' ', '\t']) => {
                    if let Some(item) = items.last_mut() {
                        join(&mut item.spans, trimmed);
                    }
                }
                _ => blocks.push(RuleBlock::Paragraph(spans(trimmed))),
            }
            is_open = true;
        }
    }
    blocks
}

/// Adds a row to the table that is open, or begins one. The line below the headings is not a row.
fn add_row(blocks: &mut Vec<RuleBlock>, cells: &str, is_open: bool) {
    let cells: Vec<&str> = cells.trim_end_matches('|').split('|').map(str::trim).collect();
    if is_open && cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
        return;
    }
    let row = cells.into_iter().map(spans).collect();
    match blocks.last_mut() {
        Some(RuleBlock::Table(rows)) if is_open => rows.push(row),
        _ => blocks.push(RuleBlock::Table(vec![row])),
    }
}

/// Appends a line to a text.
fn join(all: &mut Vec<RuleSpan>, line: &str) {
    let mut more = spans(line);
    match (all.last_mut(), more.first_mut()) {
        (Some(last), _) if last.style == SpanStyle::Plain => last.text.push(' '),
        (Some(_), Some(first)) if first.style == SpanStyle::Plain => first.text.insert(0, ' '),
        _ => all.push(RuleSpan { text: " ".to_owned(), style: SpanStyle::Plain }),
    }
    all.extend(more);
}

/// The marks around parts of a text. A longer one comes before its beginning.
const MARKS: [(&str, SpanStyle); 4] =
    [("`", SpanStyle::Code), ("**", SpanStyle::Strong), ("*", SpanStyle::Emphasis), ("_", SpanStyle::Emphasis)];

/// Splits a line into parts. A mark without its end is text.
fn spans(line: &str) -> Vec<RuleSpan> {
    let mut spans: Vec<RuleSpan> = Vec::new();
    let mut plain = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let marked = MARKS.iter().find_map(|(mark, style)| {
            let inner = rest.strip_prefix(mark)?;
            let end = inner.find(mark)?;
            let (inside, after) = (&inner[..end], &inner[end + mark.len()..]);
            let is_word = plain.ends_with(char::is_alphanumeric) && *mark == "_";
            let is_text = !inside.is_empty() && !inside.starts_with(' ') && !inside.ends_with(' ') && !is_word;
            is_text.then_some((inside, after, *style))
        });
        if let Some((inside, after, style)) = marked {
            if !plain.is_empty() {
                spans.push(RuleSpan { text: std::mem::take(&mut plain), style: SpanStyle::Plain });
            }
            spans.push(RuleSpan { text: inside.to_owned(), style });
            rest = after;
            continue;
        }
        plain.push(first);
        rest = &rest[first.len_utf8()..];
    }
    if !plain.is_empty() {
        spans.push(RuleSpan { text: plain, style: SpanStyle::Plain });
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks as one line each, with marks of styles.
    fn shown(text: &str) -> Vec<String> {
        let line = |spans: &[RuleSpan]| -> String {
            let mark = |style| MARKS.iter().find(|(_, of)| *of == style).map_or("", |(mark, _)| mark);
            spans.iter().map(|span| format!("{0}{1}{0}", mark(span.style), span.text)).collect()
        };
        let block = |block: &RuleBlock| match block {
            RuleBlock::Heading { level, spans } => format!("h{level} {}", line(spans)),
            RuleBlock::Paragraph(spans) => format!("p {}", line(spans)),
            RuleBlock::List(items) => {
                let all = items.iter().map(|item| format!("{}={}", item.number, line(&item.spans)));
                format!("l {}", all.collect::<Vec<_>>().join("; "))
            }
            RuleBlock::Table(rows) => {
                let row = |row: &Vec<Vec<RuleSpan>>| row.iter().map(|cell| line(cell)).collect::<Vec<_>>().join("|");
                format!("t {}", rows.iter().map(row).collect::<Vec<_>>().join("; "))
            }
        };
        read(text).iter().map(block).collect()
    }

    #[test]
    fn blocks_are_read() {
        let text = "# The *rules*\nOne\ntwo **three**\nfour\n\n- P-1 First `x_y`\n  more\n- Q7: Seventh\n- plain\n1. T-P1 An example\n\n\
            | A | B |\n| --- | :-: |\n| 1 | 2 *x* |\n\nend";
        let expected = [
            "h1 The *rules*",
            "p One two **three** four",
            "l P-1=First `x_y` more; Q7=Seventh; =plain; T-P1=An example",
            "t A|B; 1|2 *x*",
            "p end",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn open_marks_and_markup_are_text() {
        let text = "2 * 3 * 4, a_b_c, **open, `open\n\n<img src=x onerror=alert(1)> [a](javascript:b)\n\n|";
        assert_eq!(
            shown(text),
            ["p 2 * 3 * 4, a_b_c, **open, `open", "p <img src=x onerror=alert(1)> [a](javascript:b)", "t "]
        );
        assert!(read("").is_empty());
    }
}
