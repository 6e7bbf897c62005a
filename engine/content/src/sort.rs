//! The kinds of names.

/// The type of item that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// A counter.
    Counter,
    /// A family of counters.
    CounterFamily,
    /// A family of counters or zones.
    Family,
    /// A zone.
    Zone,
    /// A family of zones.
    ZoneFamily,
    /// A grid.
    Grid,
    /// A prompt.
    Prompt,
    /// A transcript text.
    Text,
    /// A kind.
    Kind,
    /// An option.
    Option,
    /// A verb.
    Verb,
    /// A hook of a kind.
    Hook,
    /// A list of hooks of a kind.
    HookList,
    /// An attribute of a kind.
    Attribute,
    /// A label of a prompt.
    Label,
    /// A phase.
    Phase,
    /// An event.
    Event,
    /// A filter of tokens.
    Filter,
}
