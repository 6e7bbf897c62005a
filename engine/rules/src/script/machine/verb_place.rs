//! Places of verbs in the content.

use motherlode_content::declare::Location;

/// A verb in a definition, for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerbPlace {
    /// Kind of the definition.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// The hook written as verbs.
    pub hook: String,
    /// The verb.
    pub verb: String,
    /// Its place in the file.
    pub place: Location,
}

impl std::fmt::Display for VerbPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, id, hook, verb, place } = self;
        write!(f, "verb `{verb}` in `{hook}` of `{id}` ({kind}), {}:{}", place.file, place.line)
    }
}
