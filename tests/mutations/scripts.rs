//! Mistakes in Luau, at every word, field, text, key and call of every script.

use std::collections::BTreeSet;
use std::ops::Range;

use motherlode::declare::Turns;

use super::case::{Case, Change, Mistake};
use super::content::renamed;
use crate::twins::SplitMix64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Keyword,
    /// A text without its quotes.
    Text,
    Number,
    Sign,
}

/// A token of a script.
#[derive(Debug, Clone)]
pub struct Token {
    pub span: Range<usize>,
    pub what: TokenKind,
    /// Number of brackets and blocks around the token.
    depth: usize,
    /// Whether the token follows a dot or a colon.
    pub field: bool,
    /// Whether the token is a key of a table: `key = ...` in braces.
    pub key: bool,
}

const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Words and signs after which `if` begins an expression.
const BEFORE_VALUES: [&str; 16] =
    ["=", "(", ",", "{", "[", "return", "and", "or", "not", "+", "-", "*", "/", "<", ">", "."];

/// An open bracket or block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket(u8),
    Block,
    /// An expression `if a then b else c`, which has no `end`.
    Choice,
}

/// The tokens of a script without comments.
pub fn scan(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { text, at: 0, tokens: Vec::new(), open: Vec::new(), inner: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'s> {
    text: &'s str,
    at: usize,
    tokens: Vec<Token>,
    open: Vec<Open>,
    /// Braces within texts in backquotes.
    inner: Vec<usize>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let (text, bytes, start) = (self.text, self.text.as_bytes(), self.at);
        if bytes[start..].starts_with(b"--[[") {
            self.at = text[start..].find("]]").map_or(bytes.len(), |end| start + end + 2);
        } else if bytes[start..].starts_with(b"--") {
            self.at = text[start..].find('\n').map_or(bytes.len(), |end| start + end);
        } else if bytes[start] == b'`' || bytes[start] == b'}' && self.inner.last() == Some(&self.open.len()) {
            if bytes[start] == b'}' {
                self.inner.pop();
            }
            self.at = self.until(b"`{");
            if bytes.get(self.at) == Some(&b'{') {
                self.inner.push(self.open.len());
            }
            self.at += 1;
        } else if matches!(bytes[start], b'"' | b'\'') {
            let end = self.until(&[bytes[start]]);
            self.at = end + 1;
            self.push(start + 1..end, TokenKind::Text, self.depth());
        } else if is_word(bytes[start]) {
            self.word();
        } else if bytes[start].is_ascii_whitespace() {
            self.at += 1;
        } else {
            self.sign();
        }
    }

    /// The end of the text literal that begins here.
    fn until(&self, ends: &[u8]) -> usize {
        let (mut at, bytes) = (self.at + 1, self.text.as_bytes());
        while at < bytes.len() && !ends.contains(&bytes[at]) {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        at.min(bytes.len())
    }

    fn word(&mut self) {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let is_number = bytes[start].is_ascii_digit();
        while self.at < bytes.len() && (is_word(bytes[self.at]) || is_number && bytes[self.at] == b'.') {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let before = self.tokens.last().map(|token| &self.text[token.span.clone()]).unwrap_or_default();
        let what = match word {
            _ if KEYWORDS.contains(&word) => TokenKind::Keyword,
            _ if is_number => TokenKind::Number,
            _ => TokenKind::Word,
        };
        let mut depth = self.depth();
        match word {
            "function" | "do" | "repeat" => self.open.push(Open::Block),
            "if" => {
                let within = matches!(before, "then" | "else") && self.open.last() == Some(&Open::Choice);
                let opens = if within || BEFORE_VALUES.contains(&before) { Open::Choice } else { Open::Block };
                self.open.push(opens);
            }
            "end" | "until" => depth = self.close(),
            _ => {}
        }
        let after = self.text[self.at..].trim_start();
        let equals = after.starts_with('=') && !after.starts_with("==");
        let key = equals && self.open.last() == Some(&Open::Bracket(b'{')) && matches!(before, "{" | "," | ";");
        let field = matches!(before, "." | ":") && bytes[start - 1] == before.as_bytes()[0];
        self.push(start..self.at, what, depth);
        if let Some(token) = self.tokens.last_mut() {
            (token.field, token.key) = (field, what == TokenKind::Word && key);
        }
    }

    fn sign(&mut self) {
        let start = self.at;
        self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
        let mut depth = self.depth();
        match self.text.as_bytes()[start] {
            bracket @ (b'(' | b'[' | b'{') => self.open.push(Open::Bracket(bracket)),
            b')' | b']' | b'}' => depth = self.close(),
            b',' | b';' => while self.open.pop_if(|one| *one == Open::Choice).is_some() {},
            _ => {}
        }
        self.push(start..self.at, TokenKind::Sign, depth);
    }

    /// Closes the innermost bracket or block; returns the depth outside.
    fn close(&mut self) -> usize {
        while self.open.pop().is_some_and(|one| one == Open::Choice) {}
        self.depth()
    }

    fn depth(&self) -> usize {
        self.open.iter().filter(|one| **one != Open::Choice).count()
    }

    fn push(&mut self, span: Range<usize>, what: TokenKind, depth: usize) {
        self.tokens.push(Token { span, what, depth, field: false, key: false });
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A call `name(...)` or `table.name(...)`.
struct Call<'s> {
    file: usize,
    /// The table of the function: `lib`, `math` ...
    table: Option<&'s str>,
    name: &'s str,
    /// The arguments, as token ranges.
    args: Vec<Range<usize>>,
    /// The place for a further argument.
    end: usize,
    tokens: &'s [Token],
}

impl Call<'_> {
    /// The only token of an argument.
    fn alone(&self, index: usize) -> Option<&Token> {
        let arg = &self.args[index];
        (arg.len() == 1).then(|| &self.tokens[arg.start])
    }

    fn bytes(&self, index: usize) -> Range<usize> {
        let (first, last) = (&self.tokens[self.args[index].start], &self.tokens[self.args[index].end - 1]);
        let quotes = |token: &Token| usize::from(token.what == TokenKind::Text);
        first.span.start - quotes(first)..last.span.end + quotes(last)
    }
}

impl Case {
    fn text_at(&self, file: usize, token: &Token) -> &str {
        self.piece(file, &token.span)
    }

    /// Calls of accessors, `lib` functions, Luau's library, and the script's own functions.
    fn calls(&self) -> Vec<Call<'_>> {
        let mut calls = Vec::new();
        for (file, tokens) in &self.scripts {
            let own = self.own_functions(*file);
            for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.what == TokenKind::Word) {
                let text = |at: usize| tokens.get(at).map_or("", |token| self.text_at(*file, token));
                if text(at + 1) != "(" || at > 0 && (text(at - 1) == "function" || text(at - 1) == ":") {
                    continue;
                }
                let table = token.field.then(|| text(at - 2));
                let name = text(at);
                // `function lib.name(` is no call.
                let declared = at > 2 && token.field && text(at - 3) == "function";
                let known = match table {
                    Some(table) => ["lib", "math", "table", "string", "bit32"].contains(&table) && !declared,
                    None => motherlode::language::ACCESSORS.contains_key(name) || own.contains(name),
                };
                let Some(close) =
                    (at + 2..tokens.len()).find(|i| text(*i) == ")" && tokens[*i].depth == tokens[at + 1].depth)
                else {
                    continue;
                };
                if !known {
                    continue;
                }
                let (mut args, mut from) = (Vec::new(), at + 2);
                for i in at + 2..=close {
                    if i == close || text(i) == "," && tokens[i].depth == tokens[at + 1].depth + 1 {
                        if i > from {
                            args.push(from..i);
                        }
                        from = i + 1;
                    }
                }
                let end = tokens[close].span.start;
                calls.push(Call { file: *file, table, name, args, end, tokens });
            }
        }
        calls
    }

    /// Functions that a script defines.
    fn own_functions(&self, file: usize) -> BTreeSet<&str> {
        let tokens = self.scripts.iter().find(|(at, _)| *at == file).map_or(&[][..], |(_, tokens)| tokens);
        let pairs = tokens
            .windows(3)
            .filter(|three| self.text_at(file, &three[0]) == "function" && self.text_at(file, &three[2]) == "(");
        pairs.map(|three| self.text_at(file, &three[1])).collect()
    }

    /// The keys of the table that a script returns: depth, key, and the range with the value.
    fn returned(&self, file: usize) -> Vec<(usize, usize, Range<usize>)> {
        let Some((_, tokens)) = self.scripts.iter().find(|(at, _)| *at == file) else { return Vec::new() };
        let text = |at: usize| tokens.get(at).map_or("", |token| self.text_at(file, token));
        let Some(start) = (0..tokens.len()).rev().find(|at| text(*at) == "return" && tokens[*at].depth == 0) else {
            return Vec::new();
        };
        let keys = (start..tokens.len()).filter(|at| tokens[*at].key && tokens[*at].depth <= 2);
        keys.map(|at| {
            let depth = tokens[at].depth;
            let end =
                (at..tokens.len()).find(|i| text(*i) == "," && tokens[*i].depth == depth || tokens[*i].depth < depth);
            (depth, at, tokens[at].span.start..end.map_or(tokens[at].span.end, |end| tokens[end].span.end))
        })
        .collect()
    }

    /// Whether a phase has a table of hooks in its script.
    pub fn has_section(&self, phase: &str) -> bool {
        self.scripts.iter().filter(|(file, _)| self.stem(*file) == "phases").any(|(file, tokens)| {
            let keys = self.returned(*file);
            keys.iter().any(|(depth, at, _)| *depth == 1 && self.text_at(*file, &tokens[*at]) == phase)
        })
    }

    /// Whether a phase has this hook in its script.
    pub fn has_hook(&self, phase: &str, hook: &str) -> bool {
        self.scripts.iter().filter(|(file, _)| self.stem(*file) == "phases").any(|(file, tokens)| {
            let mut within = "";
            self.returned(*file).iter().any(|(depth, at, _)| {
                let name = self.text_at(*file, &tokens[*at]);
                if *depth == 1 {
                    within = name;
                }
                *depth == 2 && within == phase && name == hook
            })
        })
    }

    fn slip(&self, file: usize, span: &Range<usize>, random: &mut SplitMix64) -> Option<Mistake> {
        let right = self.piece(file, span);
        Some(Mistake::misspelt(file, span.clone(), right, self.typo(right, random)?))
    }
}

/// Accessors, variables and functions. A word that occurs only once is bound and never read, so it may have any name.
pub fn word(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for (file, tokens) in &case.scripts {
        let words = || tokens.iter().filter(|token| token.what == TokenKind::Word && !token.field && !token.key);
        for token in words() {
            let name = case.text_at(*file, token);
            let alone = words().filter(|other| case.text_at(*file, other) == name).count() == 1;
            let accessor = motherlode::language::ACCESSORS.contains_key(name);
            if !alone || accessor {
                made.extend(case.slip(*file, &token.span, random));
            }
        }
    }
    made
}

/// Names after a dot, and keys of tables that such names read.
pub fn field(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for (file, tokens) in &case.scripts {
        let fields: BTreeSet<&str> =
            tokens.iter().filter(|token| token.field).map(|token| case.text_at(*file, token)).collect();
        let returned: Vec<usize> = case.returned(*file).iter().map(|(_, at, _)| *at).collect();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.what == TokenKind::Word) {
            let name = case.text_at(*file, token);
            if token.field || token.key && !returned.contains(&at) && fields.contains(name) {
                made.extend(case.slip(*file, &token.span, random));
            }
        }
    }
    made
}

/// Text literals that name declared items.
pub fn text(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let d = case.game.declarations();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    names.extend(
        d.counters.keys().chain(d.zones.keys()).chain(d.grids.keys()).chain(d.kinds.keys()).map(String::as_str),
    );
    names.extend(
        d.prompts.keys().chain(d.texts.keys()).chain(d.options.keys()).chain(d.phases.keys()).map(String::as_str),
    );
    names.extend(d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str));
    names.extend(d.options.values().flat_map(|option| option.values.keys()).map(String::as_str));
    names.extend(d.counters.values().flat_map(|counter| &counter.values).map(String::as_str));
    names.extend(d.definitions.iter().map(|definition| definition.id.as_str()));
    names.extend(d.kinds.values().flat_map(|kind| kind.attributes.keys().chain(kind.hooks.keys())).map(String::as_str));
    names.extend(d.verbs.keys().map(String::as_str));
    names.extend(["column", "row", "rising", "falling"]);
    let mut made = Vec::new();
    for (file, tokens) in &case.scripts {
        for token in tokens.iter().filter(|token| token.what == TokenKind::Text) {
            if names.contains(case.text_at(*file, token)) {
                made.extend(case.slip(*file, &token.span, random));
            }
        }
    }
    made
}

/// Hooks, ids, verbs and functions of `lib`, as keys of the table that a script returns.
pub fn hook(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for (file, tokens) in &case.scripts {
        for (_, at, _) in case.returned(*file) {
            made.extend(case.slip(*file, &tokens[at].span, random));
        }
    }
    made
}

/// A hook, verb or game function with more parameters than the engine passes.
pub fn signature(case: &Case, _: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for (file, tokens) in case.scripts.iter().filter(|(file, _)| case.stem(*file) != "lib") {
        let text = |at: usize| tokens.get(at).map_or("", |token| case.text_at(*file, token));
        for (_, at, _) in case.returned(*file).into_iter().filter(|(_, at, _)| text(at + 2) == "function") {
            let Some(close) = (at..tokens.len()).find(|i| text(*i) == ")") else { continue };
            // One more than the phases and definitions pass, even if this function omits some.
            let has = (at + 4..close).filter(|i| tokens[*i].what == TokenKind::Word).count();
            let more: Vec<String> = (has..5).map(|n| format!("more_{n}")).collect();
            let more = format!("{}{}", if has > 0 { ", " } else { "" }, more.join(", "));
            made.push(Mistake::text(*file, tokens[close].span.start..tokens[close].span.start, more));
        }
    }
    made
}

/// Whether the last argument is optional, so that one argument fewer is no mistake.
fn may_be_less(case: &Case, call: &Call<'_>) -> bool {
    let text = |index: usize| call.alone(index).map(|token| case.text_at(call.file, token));
    let zone_of_game = |index: usize| {
        let zone = text(index).and_then(|name| case.game.declarations().zones.get(name));
        zone.is_none_or(|zone| zone.per == motherlode::declare::Holder::Game)
    };
    match (call.table, call.name) {
        (
            None,
            "end_game" | "end_after_round" | "log" | "log_to" | "run" | "run_def" | "can_run" | "can_run_def" | "ask"
            | "choose" | "choice_cells" | "count_cells" | "lines" | "cells" | "cell",
        ) => true,
        // The player argument is optional if the zone belongs to the game, or if the zone is unknown.
        (None, "count" | "top" | "cards" | "shuffle" | "choice_zone") => zone_of_game(0),
        (None, "at" | "move" | "move_under" | "is_at") => zone_of_game(usize::from(call.name != "at")),
        (None, "draw" | "can_draw") => zone_of_game(2),
        (Some("math"), "min" | "max") | (Some("bit32"), _) => true,
        (Some("table"), "create" | "insert" | "remove" | "sort" | "find" | "concat" | "unpack") => true,
        (Some("string"), _) => true,
        _ => false,
    }
}

/// Omits one argument: the last one, or the one before it.
pub fn too_few(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for call in case.calls() {
        let count = call.args.len();
        if count == 0 || may_be_less(case, &call) || optional(case, &call) {
            continue;
        }
        let which = random.below(count);
        // Without the argument, this is a call for a plain counter, whose name the variable may hold.
        if which == 1 && is_family_of_variable(case, &call) {
            continue;
        }
        let span = match (which, count) {
            (0, 1) => call.bytes(0),
            (0, _) => call.bytes(0).start..call.bytes(1).start,
            _ => call.bytes(which - 1).end..call.bytes(which).end,
        };
        made.push(Mistake::text(call.file, span, ""));
    }
    made
}

/// `get(player, "raw", mineral)`: a family's name before a variable.
fn is_family_of_variable(case: &Case, call: &Call<'_>) -> bool {
    let text = |at: usize| call.args.get(at).map_or("", |_| case.piece(call.file, &call.bytes(at)));
    let families = &case.game.declarations().counter_families;
    call.table.is_none() && families.contains_key(text(1).trim_matches('"')) && !text(2).starts_with('"')
}

/// Whether a parameter of the called function is optional: `more: number?`.
fn optional(case: &Case, call: &Call<'_>) -> bool {
    case.scripts.iter().any(|(file, tokens)| {
        let text = |at: usize| tokens.get(at).map_or("", |token| case.text_at(*file, token));
        (1..tokens.len()).any(|at| {
            let declared =
                text(at) == call.name && (text(at - 1) == "function" || at > 2 && text(at - 3) == "function");
            declared && (at..tokens.len()).take_while(|i| text(*i) != ")").any(|i| text(i) == "?" || text(i) == ".")
        })
    })
}

/// Adds one argument too many.
pub fn too_many(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for call in case.calls() {
        let takes_any = match (call.table, call.name) {
            // Functions that take any number of arguments, or rarely get their last ones.
            (None, "log" | "log_to" | "run" | "run_def" | "can_run" | "can_run_def" | "ask" | "choose") => true,
            (Some("math"), "min" | "max") | (Some("bit32"), "band" | "bor" | "bxor" | "btest") => true,
            (Some("string"), "format" | "find" | "match" | "rep")
            | (Some("table"), "insert" | "find" | "sort" | "create" | "concat" | "remove") => true,
            // Functions with an optional last argument: the player of a zone or grid, or the reason for the end of the game.
            (None, name) if motherlode::language::ACCESSORS.get(name).is_some_and(|a| a.signature.contains('?')) => {
                let most = motherlode::language::ACCESSORS[name].signature.split(['(', ')']).nth(1).unwrap_or_default();
                call.args.len() < most.split(',').count()
            }
            _ => optional(case, &call),
        };
        if takes_any {
            continue;
        }
        let more = ["1", "player", "\"gold\"", "nil"][random.below(3)];
        let more = if call.args.is_empty() { more.to_owned() } else { format!(", {more}") };
        made.push(Mistake::text(call.file, call.end..call.end, more));
    }
    made
}

/// A text in place of a number, or the reverse, in calls of accessors and of Luau's library.
pub fn wrong_kind(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for call in case.calls() {
        let accessor = call.table.is_none() && motherlode::language::ACCESSORS.contains_key(call.name);
        if !accessor && !matches!(call.table, Some("math" | "bit32")) {
            continue;
        }
        for index in 0..call.args.len() {
            let Some(token) = call.alone(index) else { continue };
            // Logged, passed and chosen values may have any type.
            let name = call.name;
            let first = match name {
                "log" | "choice" | "end_game" => 1,
                "log_to" | "ask" | "run" => 2,
                "run_def" | "choose" => 3,
                _ => usize::MAX,
            };
            if index >= first {
                continue;
            }
            let by = match token.what {
                TokenKind::Text => ["1", "true", "{}"][random.below(3)].to_owned(),
                TokenKind::Number => ["\"x\"", "true", "{}"][random.below(3)].to_owned(),
                // Quotes the word.
                TokenKind::Word => format!("\"{}\"", case.text_at(call.file, token)),
                _ => continue,
            };
            let around = usize::from(token.what == TokenKind::Text);
            made.push(Mistake::text(call.file, token.span.start - around..token.span.end + around, by));
        }
    }
    made
}

/// Removes a function that is named elsewhere.
pub fn function_gone(case: &Case, _: &mut SplitMix64) -> Vec<Mistake> {
    let d = case.game.declarations();
    let mut made = Vec::new();
    for (file, tokens) in &case.scripts {
        let text = |at: usize| tokens.get(at).map_or("", |token| case.text_at(*file, token));
        let returned = case.returned(*file);
        let mut within = "";
        for (depth, at, span) in &returned {
            let name = text(*at);
            if *depth == 1 {
                within = name;
            }
            let needed = match (case.stem(*file), depth) {
                ("verbs", 1) => true,
                ("lib", 1) => case.is_named(name, *file, span),
                // A phase without work.
                ("phases", 2) => d.phases.get(within).is_some_and(|phase| {
                    let own = phase.turns != Turns::None && phase.asks.is_empty();
                    match name {
                        "run" => phase.turns == Turns::None,
                        "turn" | "act" => own,
                        "offer" => own && phase.offer.is_none() && !case.has_hook(within, "turn"),
                        _ => false,
                    }
                }),
                // A definition without a hook that all others of its kind have. A card may have no effect.
                (kind, 1 | 2) => d.kinds.get(kind).is_some_and(|kind| {
                    let hooks = || returned.iter().filter(|key| key.0 == 2 && (*depth == 1 || text(key.1) == name));
                    kind.len > 2 && !kind.tokens && hooks().count() >= kind.len
                }),
                _ => false,
            };
            if needed {
                made.push(Mistake::text(*file, span.clone(), ""));
            }
        }
        // `local function name` and `function lib.name`.
        for at in 1..tokens.len() {
            if text(at) != "function"
                || tokens[at].depth > 0
                || tokens.get(at + 1).is_none_or(|t| t.what != TokenKind::Word)
            {
                continue;
            }
            let start = if text(at - 1) == "local" { at - 1 } else { at };
            let Some(end) = (at + 1..tokens.len()).find(|i| text(*i) == "end" && tokens[*i].depth == 0) else {
                continue;
            };
            let name = if text(at + 2) == "." { text(at + 3) } else { text(at + 1) };
            let span = tokens[start].span.start..tokens[end].span.end;
            let used = case.scripts.iter().any(|(other, words)| {
                words.iter().any(|word| {
                    word.what == TokenKind::Word
                        && case.text_at(*other, word) == name
                        && (other == file && !span.contains(&word.span.start) || other != file && word.field)
                })
            });
            if used {
                made.push(Mistake::text(*file, span, ""));
            }
        }
    }
    made
}

/// A script of no kind, one with a misspelt name, or a deleted one.
pub fn orphan(case: &Case, random: &mut SplitMix64) -> Vec<Mistake> {
    let mut made = Vec::new();
    for stem in ["foo", "prompts", "texts", "hook", "sub/game"] {
        let path = format!("scripts/{}/{stem}.luau", case.id);
        made.push(Mistake { changes: vec![Change::Added { path, text: "return {}\n".to_owned() }], names: None });
    }
    renamed(case, ".luau", random, &mut made);
    for (file, _) in case.scripts.iter().filter(|(file, _)| ["lib", "verbs", "phases"].contains(&case.stem(*file))) {
        made.push(Mistake { changes: vec![Change::Moved { file: *file, to: None }], names: None });
    }
    made
}
