//! Keys of `look.toml`.

use crate::declare::{CardSize, ChoiceLook};
use crate::keys::spec::{TableSpec, ValueSpec, key, name, one_or_more_texts, required, table, words};
use crate::sort::NameKind;
use crate::words::{COLOURS, COUNTER_SHOWS, GROUNDS, LAYOUTS, PICTURES, ZONE_SHOWS};

/// Keys of `look.toml`.
pub fn look() -> TableSpec {
    table(
        "look",
        vec![
            key("icons", ValueSpec::Tables(icon), "Icons, by name"),
            key("kinds", ValueSpec::Tables(kind_look), "Faces of kinds, by the name of the kind"),
            key("grids", ValueSpec::Tables(grid_look), "Grounds of boards, by the name of the grid"),
            key("zones", ValueSpec::Tables(zone_look), "Forms of piles, by the name of the zone or its family"),
            key(
                "counters",
                ValueSpec::Tables(counter_look),
                "Forms of counters, by the name of the counter or its family",
            ),
            key(
                "guide",
                ValueSpec::Map(Box::new(one_or_more_texts())),
                "Numbers of the rules that explain a prompt to a new player, by prompt",
            ),
            key("choices", ValueSpec::Tables(choice_look), "Where choices lie, by the name of the prompt"),
            key("table", ValueSpec::Table(areas), "Where the parts of the table lie"),
        ],
    )
}

/// Keys of the places of a prompt's choices.
pub fn choice_look() -> TableSpec {
    table(
        "places of choices",
        vec![
            key(
                "on",
                place(),
                "Zone, counter, family of them or grid where they lie; of a family or a grid, the member that a choice names",
            ),
            key("labels", ValueSpec::MapOf(NameKind::Label, Box::new(place())), "The same by label"),
            key("kind", name(NameKind::Kind), "Kind of the definitions in whose places they lie; with `where`"),
            key(
                "where",
                ValueSpec::MapOf(
                    NameKind::Attribute,
                    Box::new(ValueSpec::Name(vec![NameKind::Counter], vec![ChoiceLook::CHOICE])),
                ),
                "Attributes of these definitions: each is the `choice`, or a counter of the asked player",
            ),
            key(
                "of",
                ValueSpec::Name(vec![NameKind::Counter], vec![ChoiceLook::ALL]),
                "Player whose places they are: a counter of the asked player, or `all`; default: the player whom the question names, or the asked one",
            ),
            key("list", ValueSpec::Boolean, "Whether they are in the list alone; default `false`"),
        ],
    )
}

/// A zone, a counter, a family of them or a grid.
fn place() -> ValueSpec {
    use NameKind::{Counter, CounterFamily, Grid, Zone, ZoneFamily};
    ValueSpec::Name(vec![Zone, Counter, ZoneFamily, CounterFamily, Grid], Vec::new())
}

/// Keys of the areas of the table.
pub fn areas() -> TableSpec {
    table(
        "areas",
        vec![
            key(
                "wide",
                one_or_more_texts(),
                "Lines of a wide screen with an area for each column: `boards`, `values`, `own`, `cards`, `others`, and grids and zones",
            ),
            key("narrow", one_or_more_texts(), "The same for a narrow screen, such as a telephone"),
        ],
    )
}

/// Keys of the form of a pile.
pub fn zone_look() -> TableSpec {
    table(
        "pile",
        vec![key("show", words(&ZONE_SHOWS), "How its cards lie; default `auto`: by the purpose of the pile")],
    )
}

/// Keys of the form of a counter.
pub fn counter_look() -> TableSpec {
    table(
        "form of a counter",
        vec![
            key("show", words(&COUNTER_SHOWS), "How its amount is drawn; default `number`"),
            key(
                "copies",
                ValueSpec::Integer(1, 200),
                "Prints as many tokens on paper; default: by the holders of the counter, if it is shown as tokens",
            ),
        ],
    )
}

/// Keys of an icon.
pub fn icon() -> TableSpec {
    table(
        "icon",
        vec![
            required(
                "path",
                ValueSpec::Text,
                "The drawing, on a ground of 24 by 24: the attribute `d` of one SVG path, such as \"M4 20 L12 4 L20 20 Z\"",
            ),
            key("colour", ValueSpec::Words(COLOURS.to_vec()), "Its colour; default: that of the text"),
            key(
                "of",
                one_or_more_texts(),
                "Counters, zones, kinds, attributes, values of attributes and definitions that it stands for; default: its own name",
            ),
            key("words", one_or_more_texts(), "Words of texts that it stands before, such as \"coin\" and \"coins\""),
        ],
    )
}

/// Keys of the ground of a board.
pub fn grid_look() -> TableSpec {
    table(
        "ground",
        vec![
            key("ground", words(&GROUNDS), "Material below the cells; default `none`"),
            key("bands", ValueSpec::Boolean, "Whether each row lies on a piece of land of its own; default `false`"),
            key(
                "points",
                ValueSpec::Boolean,
                "Whether the cells are long points, and the number in a mark is as many men in a row; default `false`",
            ),
            key(
                "men",
                name(NameKind::Counter),
                "Player counter with the cells of the grid as values: a man in the colour of the player stands on the cell",
            ),
            key(
                "fact",
                name(NameKind::Attribute),
                "Attribute of the card on a cell whose icons stand there, in place of the symbol of the first counter",
            ),
        ],
    )
}

/// Keys of the faces of a kind.
pub fn kind_look() -> TableSpec {
    table(
        "face",
        vec![
            key(
                "colour",
                ValueSpec::Words(COLOURS.to_vec()),
                "Colour of the frame; default: one by the order of kinds",
            ),
            key("layout", words(&LAYOUTS), "Where name, picture, facts and text stand; default `card`"),
            key("picture", words(&PICTURES), "Ground of the picture, drawn from the id; default `strata`"),
            key("corner", name(NameKind::Attribute), "Attribute in the corner of the card, such as the cost"),
            key(
                "chart",
                ValueSpec::Name(vec![NameKind::Attribute, NameKind::HookList], Vec::new()),
                "List attribute, or list of hooks as a track from the bottom: its entries are drawn in place of the picture",
            ),
            key("columns", ValueSpec::Integer(1, 12), "Entries in a row of the chart; default 3"),
            key("size", words(&CardSize::ALL), "Size on paper; default: one by the layout"),
            key("draws", ValueSpec::Map(Box::new(one_or_more_texts())), "Icons on the pictures of definitions, by id"),
            key(
                "pile",
                name(NameKind::ZoneFamily),
                "Family of zones in which its definitions are places; default: none",
            ),
            key("at", name(NameKind::Attribute), "Attribute with the place in that zone, from 1 at the bottom"),
        ],
    )
}
