//! The words that keys of the engine accept, with their meanings.

use crate::declare::{
    Better, CounterShow, EventArg, Goal, Ground, Holder, Layout, ModifierLayer, Picture, Redeal, Show, TranscriptUse,
    Turns, Visibility, When, ZoneShow,
};

/// In place of a list of verbs: a function of the script.
pub(crate) const SCRIPT: &str = "script";

/// `per` of zones, grids and kinds.
pub(crate) const PER: [(&str, Holder); 2] = [("game", Holder::Game), ("player", Holder::Player)];

/// `visible` of counters.
pub(crate) const COUNTER_VISIBLE: [(&str, Visibility); 3] =
    [("public", Visibility::Public), ("owner", Visibility::Owner), ("nobody", Visibility::Nobody)];

/// `ends` of counters: whether only a player's own values end.
pub(crate) const ENDS: [(&str, bool); 2] = [("all", false), ("own", true)];

/// `visible` of zones.
pub(crate) const ZONE_VISIBLE: [(&str, Visibility); 7] = [
    ("public", Visibility::Public),
    ("owner", Visibility::Owner),
    ("secret", Visibility::Secret),
    ("others", Visibility::Others),
    ("count", Visibility::Count),
    ("nobody", Visibility::Nobody),
    ("face", Visibility::Face),
];

/// `looks` of zones: whether everybody sees to whom a token is shown.
pub(crate) const LOOKS: [(&str, bool); 2] = [("secret", false), ("open", true)];

/// `redeal` of counters.
pub(crate) const REDEAL: [(&str, Redeal); 5] = [
    ("range", Redeal::Range),
    ("pool", Redeal::Pool),
    ("hook", Redeal::Hook),
    ("keep", Redeal::Keep),
    ("lists", Redeal::Lists),
];

/// `show` of counters and zones.
pub(crate) const SHOW: [(&str, Show); 5] =
    [("always", Show::Always), ("used", Show::Used), ("held", Show::Held), ("end", Show::End), ("never", Show::Never)];

/// `better` of attributes and arguments.
pub(crate) const BETTER: [(&str, Better); 2] = [("more", Better::More), ("less", Better::Less)];

/// `transcript` of counters.
pub(crate) const TRANSCRIPT: [(&str, TranscriptUse); 3] =
    [("always", TranscriptUse::Always), ("silent", TranscriptUse::Silent), ("never", TranscriptUse::Never)];

/// `goal` of the outcome.
pub(crate) const GOALS: [(&str, Goal); 3] = [("rank", Goal::Rank), ("score", Goal::Score), ("margin", Goal::Margin)];

/// Outline of a grid, before its size is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outline {
    Square,
    Hex,
    Offset,
}

/// `shape` of grids.
pub(crate) const OUTLINES: [(&str, Outline); 3] =
    [("square", Outline::Square), ("hex", Outline::Hex), ("offset", Outline::Offset)];

/// `type` of attributes and arguments, except lists and kinds.
pub(crate) const TYPES: [&str; 6] = ["integer", "boolean", "text", "amounts", "counter", "zone"];

/// `values` of counters, except kinds, grids and lists of names.
pub(crate) const THINGS: [&str; 2] = ["player", "token"];

/// `choices` of prompts, except kinds and grids.
pub(crate) const DOMAINS: [&str; 3] = ["number", "player", "token"];

/// Types of arguments of events.
pub(crate) const EVENT_ARGS: [(&str, EventArg); 6] = [
    ("integer", EventArg::Integer),
    ("token", EventArg::Token),
    ("player", EventArg::Player),
    ("zone", EventArg::Zone),
    ("counter", EventArg::Counter),
    ("phase", EventArg::Phase),
];

/// Changes of a modifier, in their order.
pub(crate) const MODIFIER_LAYERS: [(&str, ModifierLayer); 5] = [
    ("set", ModifierLayer::Set),
    ("add", ModifierLayer::Add),
    ("multiply", ModifierLayer::Multiply),
    ("cap", ModifierLayer::Cap),
    ("floor", ModifierLayer::Floor),
];

/// `players` of a choice: whether the one who chooses is left out.
pub(crate) const PICKED_PLAYERS: [(&str, bool); 2] = [("all", false), ("others", true)];

/// `when` of phases.
pub(crate) const WHEN: [(&str, When); 3] = [("setup", When::Setup), ("round", When::Round), ("end", When::End)];

/// `turns` of phases.
pub(crate) const TURNS: [(&str, Turns); 6] = [
    ("none", Turns::None),
    ("once", Turns::Once),
    ("passes", Turns::Passes),
    ("around", Turns::Around),
    ("priority", Turns::Priority),
    ("sealed", Turns::Sealed),
];

/// The words for the answers of a declared question.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answers {
    Labels,
    Players,
    Others,
}

/// `choices` of declared questions, except numbers.
pub(crate) const ANSWERS: [(&str, Answers); 3] =
    [("labels", Answers::Labels), ("players", Answers::Players), ("others", Answers::Others)];

/// `ground` of boards.
pub(crate) const GROUNDS: [(&str, Ground); 6] = [
    ("none", Ground::None),
    ("sea", Ground::Sea),
    ("rock", Ground::Rock),
    ("sand", Ground::Sand),
    ("felt", Ground::Felt),
    ("wood", Ground::Wood),
];

/// `show` of piles in `look.toml`.
pub(crate) const ZONE_SHOWS: [(&str, ZoneShow); 7] = [
    ("auto", ZoneShow::Auto),
    ("spread", ZoneShow::Spread),
    ("fan", ZoneShow::Fan),
    ("stack", ZoneShow::Stack),
    ("names", ZoneShow::Names),
    ("count", ZoneShow::Count),
    ("column", ZoneShow::Column),
];

/// `show` of counters in `look.toml`.
pub(crate) const COUNTER_SHOWS: [(&str, CounterShow); 4] = [
    ("number", CounterShow::Number),
    ("tokens", CounterShow::Tokens),
    ("track", CounterShow::Track),
    ("marker", CounterShow::Marker),
];

/// The parts of every table that areas can name.
pub(crate) const AREAS: [&str; 5] = ["boards", "values", "own", "cards", "others"];

/// `layout` of the faces of a kind.
pub(crate) const LAYOUTS: [(&str, Layout); 4] =
    [("card", Layout::Card), ("tile", Layout::Tile), ("token", Layout::Token), ("wide", Layout::Wide)];

/// `picture` of the faces of a kind.
pub(crate) const PICTURES: [(&str, Picture); 8] = [
    ("strata", Picture::Strata),
    ("seam", Picture::Seam),
    ("shaft", Picture::Shaft),
    ("machine", Picture::Machine),
    ("banner", Picture::Banner),
    ("gems", Picture::Gems),
    ("land", Picture::Land),
    ("none", Picture::None),
];

/// The terminal colours.
pub(crate) const COLOURS: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright_black",
    "bright_red",
    "bright_green",
    "bright_yellow",
    "bright_blue",
    "bright_magenta",
    "bright_cyan",
    "bright_white",
];
