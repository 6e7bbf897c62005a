//! Adds to the table that a script returns, without parsing the rest of the script.

/// The source with these fields at the end of the table it returns, or set before it returns the table by name; `None` if it does
/// neither.
pub fn with_fields(source: &str, fields: &str) -> Option<String> {
    if let Some((before, name)) = returned_name(source) {
        let rest = &source[before.len()..];
        return Some(format!("{before}{}\n{rest}", as_settings(name, fields)));
    }
    let table = source.trim_end().strip_suffix('}')?;
    let end = last_code(table)?;
    let comma = if table[..end].ends_with([',', ';', '{']) { "" } else { "," };
    let (before, between, rest) = (&table[..end], &table[end..], &source[table.len()..]);
    // An empty table may be on one line.
    let line = if between.ends_with('\n') { "" } else { "\n" };
    Some(format!("{before}{comma}{between}{line}{fields}{rest}"))
}

/// What precedes `return name` at the end of a source, and the name.
fn returned_name(source: &str) -> Option<(&str, &str)> {
    let last = source.trim_end().rfind('\n')? + 1;
    let name = source[last..].trim_end().strip_prefix("return ")?.trim();
    let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    name.chars().all(is_name).then_some((&source[..last], name))
}

/// `    field = value,` as `name.field = value`.
fn as_settings(name: &str, fields: &str) -> String {
    let lines = fields.lines().map(|line| {
        let line = line.strip_prefix("    ").unwrap_or(line);
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && line.contains(" = ");
        let ends = if begins || !line.starts_with(' ') { line.trim_end_matches(',') } else { line };
        if begins { format!("{name}.{ends}\n") } else { format!("{ends}\n") }
    });
    lines.collect()
}

/// Where the last code of a text ends; only space and comments follow.
fn last_code(text: &str) -> Option<usize> {
    let mut end = text.trim_end().len();
    loop {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let comment = comment_of(&text[line..end]).map(|at| line + at);
        match comment {
            Some(at) => end = text[..at].trim_end().len(),
            None => return (end > 0).then_some(end),
        }
    }
}

/// Where the comment of a line begins, if it has one: dashes outside of quotes.
fn comment_of(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open && before != '\\' => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None if line[at..].starts_with("--") => return Some(at),
            None => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_set_in_a_table_with_a_name() {
        let fields = "    -- A verb.\n    dig = function(player)\n        pass(player)\n    end,\n";
        assert_eq!(
            with_fields("local t = {}\n\nreturn t\n", fields).unwrap(),
            "local t = {}\n\n-- A verb.\nt.dig = function(player)\n    pass(player)\nend\n\nreturn t\n"
        );
    }

    #[test]
    fn fields_are_put_behind_the_last_one() {
        let with = |source: &str| with_fields(source, "    b = 2,\n").unwrap();
        assert_eq!(with("return {\n    a = 1,\n}\n"), "return {\n    a = 1,\n    b = 2,\n}\n");
        assert_eq!(with("return {\n    a = 1\n}"), "return {\n    a = 1,\n    b = 2,\n}");
        assert_eq!(with("return {}\n"), "return {\n    b = 2,\n}\n");
        assert_eq!(
            with("return {\n    a = 1 -- one\n    -- two\n}\n"),
            "return {\n    a = 1, -- one\n    -- two\n    b = 2,\n}\n"
        );
        assert_eq!(with("return {\n    a = '--'\n}\n"), "return {\n    a = '--',\n    b = 2,\n}\n");
        assert_eq!(with_fields("return make()\n", "    b = 2,\n"), None);
        assert_eq!(with_fields("", ""), None);
    }
}
