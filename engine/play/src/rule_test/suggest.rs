//! Suggestions for misspelt names.

/// `, did you mean ...?`, or an empty string.
pub(super) fn did_you_mean<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    motherlode::tools::nearest(wrong, names).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
