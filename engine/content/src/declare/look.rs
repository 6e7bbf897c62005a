//! How a game looks. Nothing here changes a match.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Icons, and the faces of kinds: `look.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Icons by name.
    pub icons: IndexMap<String, Icon>,
    /// The faces of kinds, by the name of the kind.
    pub kinds: IndexMap<String, KindLook>,
    /// The grounds of boards, by the name of the grid.
    pub grids: IndexMap<String, GridLook>,
    /// The forms of piles, by the name of the zone or of its family.
    pub zones: IndexMap<String, ZoneLook>,
    /// The forms of counters, by the name of the counter or of its family.
    pub counters: IndexMap<String, CounterLook>,
    /// Where the parts of the table lie.
    pub table: Areas,
    /// The rules that explain a prompt to a new player, by the name of the prompt.
    pub guide: IndexMap<String, Vec<GuideRule>>,
    /// Where choices lie, by the name of the prompt.
    pub choices: IndexMap<String, ChoiceLook>,
}

/// Where the choices of a prompt lie: in one of these ways.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceLook {
    /// A zone, a counter, a family of them or a grid; of a family or a grid, the member that the choice names.
    pub on: String,
    /// The same by label.
    pub labels: IndexMap<String, String>,
    /// The kind of the definitions in whose places the choices lie.
    pub kind: String,
    /// The values of their attributes: `choice`, or the name of a counter of the asked player.
    pub matches: IndexMap<String, String>,
    /// The player whose places they are: `all`, or a counter of the asked player that holds one; empty: the player that
    /// the question names, or else the asked player.
    pub of: String,
    /// Whether they are in the list alone.
    pub list: bool,
}

impl ChoiceLook {
    /// Stands for the choice itself where an attribute is compared.
    pub const CHOICE: &str = "choice";
    /// Stands for the places of all players.
    pub const ALL: &str = "all";
}

/// A rule as plain text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuideRule {
    /// Number of the rule.
    pub number: String,
    /// Text of the rule.
    pub text: String,
}

/// The areas of the table: a row of names for each line of the screen, all rows equally long. The same name in several
/// places is one area, which is a rectangle. Empty: the parts lie below each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Areas {
    /// On wide screens.
    pub wide: Vec<Vec<String>>,
    /// On narrow screens.
    pub narrow: Vec<Vec<String>>,
}

/// The form of a pile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneLook {
    /// How its cards lie.
    pub show: ZoneShow,
}

/// How the cards of a pile lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZoneShow {
    /// By the purpose of the pile.
    #[default]
    Auto,
    /// Side by side.
    Spread,
    /// In one row, over each other if there are many.
    Fan,
    /// On one stack with the last card on top.
    Stack,
    /// As names.
    Names,
    /// As their number.
    Count,
    /// Below each other, the lowest first.
    Column,
}

/// The form of a counter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterLook {
    /// How its amount is drawn.
    pub show: CounterShow,
    /// Last step of a track; 0 for other forms.
    pub steps: i32,
    /// Number of tokens on paper; `None`: one by the holders of the counter.
    pub copies: Option<u16>,
}

/// How an amount is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CounterShow {
    /// As a number.
    #[default]
    Number,
    /// As a heap of tokens.
    Tokens,
    /// As a marker on a track.
    Track,
    /// As a number; on paper, each player has a marker to put on a printed track.
    Marker,
}

/// A drawing of 24 by 24 units in one colour.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Icon {
    /// Path data of SVG: the attribute `d`. Holds nothing but commands and numbers.
    pub path: String,
    /// Declared colour; empty: that of the text.
    pub colour: String,
    /// Names of the counters, zones, kinds, attributes, values and definitions that the icon stands for.
    pub of: Vec<String>,
    /// Words of texts that the icon stands before.
    pub words: Vec<String>,
}

/// The faces of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindLook {
    /// Declared colour of the frame; empty: one by the order of the kinds.
    pub colour: String,
    /// Where name, picture, facts and text stand.
    pub layout: Layout,
    /// Ground of the picture.
    pub picture: Picture,
    /// Attribute in the corner of the face; empty: none.
    pub corner: String,
    /// Attribute that is a list, or list of hooks, drawn in place of the picture; empty: none.
    pub chart: String,
    /// Entries in a row of the chart.
    pub columns: u8,
    /// Size on paper; `None`: one by the layout.
    pub size: Option<CardSize>,
    /// Icons drawn on the picture of a definition, by its id.
    pub draws: IndexMap<String, Vec<String>>,
    /// Family of zones in which its definitions are places; empty: none.
    pub pile: String,
    /// Attribute with the place in such a zone, from 1 at the bottom; empty: the whole zone.
    pub at: String,
}

impl KindLook {
    /// Size of its cards on paper.
    #[must_use]
    pub fn paper_size(&self) -> CardSize {
        self.size.unwrap_or(match self.layout {
            Layout::Card => CardSize::Poker,
            Layout::Tile => CardSize::Tile,
            Layout::Token => CardSize::Token,
            Layout::Wide => CardSize::Landscape,
        })
    }
}

/// The ground of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridLook {
    /// Material below the cells.
    pub ground: Ground,
    /// Whether each row lies on a piece of land of its own.
    pub bands: bool,
    /// Whether the cells are long points on which men stand in a row.
    pub points: bool,
    /// The attribute of a card whose icons its cell shows in place of the symbol of the first counter; empty: none.
    pub fact: String,
    /// The player counter whose value is the cell on which a man of the player stands; empty: none.
    pub men: String,
}

/// The material below the cells of a board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// None: the cells lie on the table.
    #[default]
    None,
    /// Water.
    Sea,
    /// Rock in layers.
    Rock,
    /// Sand.
    Sand,
    /// Felt of a gaming table.
    Felt,
    /// Planks.
    Wood,
}

/// The ground of a picture, drawn from the id of a card.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Picture {
    /// Layers of rock.
    #[default]
    Strata,
    /// A vein through rock.
    Seam,
    /// A timbered shaft.
    Shaft,
    /// Wheels and beams.
    Machine,
    /// A flag.
    Banner,
    /// Cut stones.
    Gems,
    /// Hills below a sky.
    Land,
    /// No picture.
    None,
}

/// Where the parts of a face stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Upright: name, picture, facts and text below each other.
    #[default]
    Card,
    /// Square: the picture fills it, name and facts lie on the picture.
    Tile,
    /// Round: the picture with the name below it.
    Token,
    /// Broad: the picture on the left, all else on the right.
    Wide,
}

/// The size of a printed card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardSize {
    /// 63.5 by 88.9 mm.
    Poker,
    /// 57.15 by 88.9 mm.
    Bridge,
    /// 44 by 67 mm.
    Mini,
    /// 70 by 120 mm.
    Tarot,
    /// 88.9 by 63.5 mm: poker on its side.
    Landscape,
    /// 70 by 70 mm.
    Square,
    /// 45 by 45 mm.
    Tile,
    /// 30 by 30 mm.
    Token,
    /// Not printed, unless the command names the kind and a size.
    None,
}

impl CardSize {
    /// All sizes by name.
    pub const ALL: [(&str, Self); 9] = [
        ("poker", Self::Poker),
        ("bridge", Self::Bridge),
        ("mini", Self::Mini),
        ("tarot", Self::Tarot),
        ("landscape", Self::Landscape),
        ("square", Self::Square),
        ("tile", Self::Tile),
        ("token", Self::Token),
        ("none", Self::None),
    ];

    /// Width and height in millimetres; `None` for a kind that is not printed.
    #[must_use]
    pub fn millimetres(self) -> Option<(f64, f64)> {
        match self {
            Self::Poker => Some((63.5, 88.9)),
            Self::Bridge => Some((57.15, 88.9)),
            Self::Mini => Some((44.0, 67.0)),
            Self::Tarot => Some((70.0, 120.0)),
            Self::Landscape => Some((88.9, 63.5)),
            Self::Square => Some((70.0, 70.0)),
            Self::Tile => Some((45.0, 45.0)),
            Self::Token => Some((30.0, 30.0)),
            Self::None => None,
        }
    }
}
