//! The name that was meant.

/// `, did you mean ...?`, or nothing.
pub(super) fn meant<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    motherlode::tools::nearest(wrong, names).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
