//! The source order of the tests in a file, which the returned Lua table does not keep.

/// Names written as `["name"] =` at the start of a line, with their line numbers from 1, in order.
pub(super) fn names(source: &str) -> Vec<(String, u32)> {
    let mut names = Vec::new();
    for (line, number) in source.lines().zip(1..) {
        let Some(rest) = line.trim_start().strip_prefix('[') else { continue };
        let Some(quote @ ('"' | '\'')) = rest.trim_start().chars().next() else { continue };
        let Some((name, rest)) = rest.trim_start()[1..].split_once(quote) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix(']') else { continue };
        if !name.contains('\\') && rest.trim_start().starts_with('=') {
            names.push((name.to_owned(), number));
        }
    }
    names
}

/// Duplicate names, each with its first two lines.
pub(super) fn duplicates(names: &[(String, u32)]) -> Vec<(&str, u32, u32)> {
    let mut duplicates: Vec<(&str, u32, u32)> = Vec::new();
    for (i, (name, line)) in names.iter().enumerate() {
        if duplicates.iter().any(|(known, ..)| known == name) {
            continue;
        }
        if let Some((_, second)) = names[i + 1..].iter().find(|(other, _)| other == name) {
            duplicates.push((name, *line, *second));
        }
    }
    duplicates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_their_lines() {
        let source = "return {\n  [\"P-1 one\"] = function(t) end,\n  -- [\"no\"] = 1\n  [ 'P-2 two' ]= f,\n  [\"P-1 one\"] = g,\n [x] = 3, }";
        let names = names(source);
        assert_eq!(names, [("P-1 one".to_owned(), 2), ("P-2 two".to_owned(), 4), ("P-1 one".to_owned(), 5)]);
        assert_eq!(duplicates(&names), [("P-1 one", 2, 5)]);
    }
}
