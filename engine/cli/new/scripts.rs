//! Adds fields to the table that a script returns, without parsing the rest of the script.

/// Adds fields at the end of the table that a script returns, or sets them before the script returns a table by name. `None` if the
/// script does neither.
pub fn with_fields(source: &str, fields: &str) -> Option<String> {
    if let Some((before, name)) = returned_name(source) {
        let rest = &source[before.len()..];
        return Some(format!("{before}{}\n{rest}", as_assignments(name, fields)));
    }
    let table = source.trim_end().strip_suffix('}')?;
    let end = last_code(table)?;
    let comma = if table[..end].ends_with([',', ';', '{']) { "" } else { "," };
    let (before, between, rest) = (&table[..end], &table[end..], &source[table.len()..]);
    // An empty table may be written on one line.
    let line = if between.ends_with('\n') { "" } else { "\n" };
    Some(format!("{before}{comma}{between}{line}{fields}{rest}"))
}

/// Splits `return name` off the end of a source; returns the text before it and the name.
fn returned_name(source: &str) -> Option<(&str, &str)> {
    let last = source.trim_end().rfind('\n')? + 1;
    let name = source[last..].trim_end().strip_prefix("return ")?.trim();
    let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    name.chars().all(is_name).then_some((&source[..last], name))
}

/// Turns `    field = value,` into `name.field = value`.
fn as_assignments(name: &str, fields: &str) -> String {
    let lines = fields.lines().map(|line| {
        let line = line.strip_prefix("    ").unwrap_or(line);
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && line.contains(" = ");
        let ends = if begins || !line.starts_with(' ') { line.trim_end_matches(',') } else { line };
        if begins { format!("{name}.{ends}\n") } else { format!("{ends}\n") }
    });
    lines.collect()
}

/// The end of the last code in a text; only space and comments follow.
fn last_code(text: &str) -> Option<usize> {
    let mut end = text.trim_end().len();
    loop {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let comment = comment_start(&text[line..end]).map(|at| line + at);
        match comment {
            Some(at) => end = text[..at].trim_end().len(),
            None => return (end > 0).then_some(end),
        }
    }
}

/// The start of a line's comment: dashes outside quotes.
fn comment_start(line: &str) -> Option<usize> {
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
    fn fields_are_assigned_to_a_named_table() {
        let fields = "    -- A verb.\n    dig = function(player)\n        pass(player)\n    end,\n";
        assert_eq!(
            with_fields("local t = {}\n\nreturn t\n", fields).unwrap(),
            "local t = {}\n\n-- A verb.\nt.dig = function(player)\n    pass(player)\nend\n\nreturn t\n"
        );
    }

    #[test]
    fn fields_follow_the_last_one() {
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
