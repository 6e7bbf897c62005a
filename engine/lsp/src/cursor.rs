//! The place of a cursor in TOML that may be incomplete: the keys above it, and whether it is at a key or at a value.

/// A step of a path for the element of a list.
pub(crate) const ELEMENT: &str = "[]";

/// The place of a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The keys above it.
    pub path: Vec<String>,
    /// The place itself.
    pub at: At,
    /// Byte at which the word before the cursor begins.
    pub start: usize,
}

/// The kind of place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// A key, or a part of a table's header.
    Key,
    /// A value, outside quotes.
    Value,
    /// A value, in quotes.
    Text,
}

/// An open bracket.
struct Open {
    is_table: bool,
    /// Length of the path inside it.
    depth: usize,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    header: Vec<String>,
    path: Vec<String>,
    open: Vec<Open>,
    /// The parts of a key that was not yet followed by `=`.
    key: Vec<String>,
    at_value: bool,
    start: usize,
}

/// Finds the place of a cursor. `None`: in a comment.
pub(crate) fn find(text: &str, offset: usize) -> Option<Cursor> {
    let mut scan = Scan {
        text: &text[..text.floor_char_boundary(offset)],
        at: 0,
        header: Vec::new(),
        path: Vec::new(),
        open: Vec::new(),
        key: Vec::new(),
        at_value: false,
        start: 0,
    };
    scan.run()
}

impl Scan<'_> {
    fn run(&mut self) -> Option<Cursor> {
        while let Some(c) = self.text[self.at..].chars().next() {
            let place = self.at;
            self.at += c.len_utf8();
            match c {
                '#' => {
                    let end = self.text[self.at..].find('\n')?;
                    self.at += end;
                }
                '\n' if self.open.is_empty() => self.begin(),
                '"' | '\'' => match self.string(c) {
                    Some(text) if !self.at_value => self.key.push(text),
                    Some(_) => {}
                    None => return Some(self.cursor(if self.at_value { At::Text } else { At::Key })),
                },
                '[' if self.open.is_empty() && !self.at_value => {
                    if let Some(cursor) = self.header() {
                        return Some(cursor);
                    }
                }
                '[' => {
                    self.path.push(ELEMENT.to_owned());
                    self.open.push(Open { is_table: false, depth: self.path.len() });
                }
                '{' => {
                    self.open.push(Open { is_table: true, depth: self.path.len() });
                    (self.at_value, self.key) = (false, Vec::new());
                }
                '}' | ']' => self.close(),
                ',' => self.next_entry(),
                '=' => {
                    let key = std::mem::take(&mut self.key);
                    self.path.extend(key);
                    self.at_value = true;
                }
                c if is_word(c) => self.word(place),
                _ => {}
            }
        }
        let word = self
            .text
            .rfind(|c: char| !is_word(c))
            .map_or(0, |at| at + self.text[at..].chars().next().map_or(1, char::len_utf8));
        if !self.at_value && word < self.text.len() {
            // The word before the cursor is not a key yet.
            self.key.pop();
        }
        self.start = word;
        Some(self.cursor(if self.at_value { At::Value } else { At::Key }))
    }

    fn cursor(&self, at: At) -> Cursor {
        let path =
            self.header.iter().chain(&self.path).chain(self.key.iter().filter(|_| at == At::Key)).cloned().collect();
        Cursor { path, at, start: self.start }
    }

    /// Begins a line outside brackets.
    fn begin(&mut self) {
        self.path.clear();
        self.key.clear();
        self.at_value = false;
    }

    /// Reads a text; `None`: the cursor is in it.
    fn string(&mut self, quote: char) -> Option<String> {
        let long = quote.to_string().repeat(3);
        let rest = &self.text[self.at - 1..];
        let (open, close) = if rest.starts_with(&long) { (3, long) } else { (1, quote.to_string()) };
        let inner = self.at - 1 + open;
        let mut end = inner;
        loop {
            let rest = self.text.get(end..).unwrap_or_default();
            if rest.is_empty() {
                self.start = inner.min(self.text.len());
                self.at = self.text.len();
                return None;
            }
            if rest.starts_with(&close) {
                break;
            }
            // A plain text ends with its line, even without a quote.
            if open == 1 && rest.starts_with('\n') {
                self.at = end;
                return Some(self.text[inner..end].to_owned());
            }
            let length = rest.chars().next().map_or(1, char::len_utf8);
            end += if quote == '"' && rest.starts_with('\\') {
                1 + rest[1..].chars().next().map_or(0, char::len_utf8)
            } else {
                length
            };
        }
        self.at = end + close.len();
        Some(self.text[inner..end].to_owned())
    }

    /// Reads the header of a table; a cursor if it is in the header.
    fn header(&mut self) -> Option<Cursor> {
        self.begin();
        let is_list = self.text[self.at..].starts_with('[');
        let start = self.at + usize::from(is_list);
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let parts =
            |written: &str| written.split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned()).collect();
        let Some(end) = line.find(']') else {
            if start + line.len() < self.text.len() {
                // A header without an end: the next line begins something else.
                self.at = start + line.len();
                self.header = parts(line);
                return None;
            }
            let (before, start) = line.rfind('.').map_or((None, start), |dot| (Some(&line[..dot]), start + dot + 1));
            let path = before.map(parts).unwrap_or_default();
            return Some(Cursor { path, at: At::Key, start });
        };
        self.header = parts(&line[..end]);
        if is_list {
            self.header.push(ELEMENT.to_owned());
        }
        self.at = start + end + 1 + usize::from(is_list && line[end..].starts_with("]]"));
        // Rest of the line: a comment at most.
        self.at_value = false;
        None
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.path.truncate(if open.is_table { open.depth } else { open.depth - 1 });
        self.key.clear();
        self.at_value = true;
    }

    /// Begins the next entry of a table or list.
    fn next_entry(&mut self) {
        match self.open.last() {
            Some(open) => {
                self.path.truncate(open.depth);
                self.at_value = !open.is_table;
                self.key.clear();
            }
            None => self.begin(),
        }
    }

    /// Reads a key without quotes; skips a value.
    fn word(&mut self, start: usize) {
        let rest = &self.text[start..];
        let end = start + rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if !self.at_value {
            self.key.push(self.text[start..end].to_owned());
        }
        self.at = end;
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cursor at `|`.
    fn at(text: &str) -> Option<(String, At, String)> {
        let offset = text.find('|').unwrap();
        let cursor = find(&text.replace('|', ""), offset)?;
        Some((cursor.path.join("."), cursor.at, text[cursor.start..offset].to_owned()))
    }

    fn is(text: &str, path: &str, place: At, word: &str) {
        assert_eq!(at(text), Some((path.to_owned(), place, word.to_owned())), "{text}");
    }

    #[test]
    fn keys_and_values_are_found() {
        is("[mine]\nco|", "mine", At::Key, "co");
        is("[mine]\ncost = 2\n|", "mine", At::Key, "");
        is("[counters.gold]\nper = \"pl|", "counters.gold.per", At::Text, "pl");
        is("a = { name = \"A\", c|", "a", At::Key, "c");
        is("a = { first = [{ coins = 1 }, { sc|", "a.first.[]", At::Key, "sc");
        is("a = { first = [{ score = { n = 1, per = \"t|", "a.first.[].score.per", At::Text, "t");
        is("[a]\nfirst = [\n    { coins = 1 },\n    \"ag|\n]", "a.first.[]", At::Text, "ag");
        is("[a]\nfirst = [|", "a.first.[]", At::Value, "");
        is("x = [1, 2]\ny = tr|", "y", At::Value, "tr");
        is("a.b.c|", "a.b", At::Key, "c");
        is("[kinds.c|", "kinds", At::Key, "c");
        is("[[seats]]\nco|", "seats.[]", At::Key, "co");
        is("[broken\nnext = \"|", "broken.next", At::Text, "");
        assert_eq!(at("a = 1 # no|"), None);
    }
}
