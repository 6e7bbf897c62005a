//! Adding to the table that a script returns, without a look at the rest of the script.

/// The source with these fields at the end of the table it returns; `None` if it does not end with one.
pub fn with_fields(source: &str, fields: &str) -> Option<String> {
    let table = source.trim_end().strip_suffix('}')?;
    let end = last_code(table)?;
    let comma = if table[..end].ends_with([',', ';', '{']) { "" } else { "," };
    let (before, between, rest) = (&table[..end], &table[end..], &source[table.len()..]);
    // An empty table may stand on one line.
    let line = if between.ends_with('\n') { "" } else { "\n" };
    Some(format!("{before}{comma}{between}{line}{fields}{rest}"))
}

/// Where the last code of a text ends; what follows is space and comments.
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

/// Where the comment of a line begins, if it has one: dashes outside of texts.
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
        assert_eq!(with_fields("local t = {}\nreturn t\n", ""), None);
        assert_eq!(with_fields("", ""), None);
    }
}
