// Generated from the Rust types by `LODE_WRITE_REFERENCE=1 cargo test the_page_of_print`.

/** Icons, and the faces of kinds: `look.toml`. */
export type Look = {
/** Icons by name. */
icons: Record<string, Icon>,
/** The faces of kinds, by the name of the kind. */
kinds: Record<string, KindLook>,
/** The grounds of boards, by the name of the grid. */
grids: Record<string, GridLook>,
/** The forms of piles, by the name of the zone or of its family. */
zones: Record<string, ZoneLook>,
/** The forms of counters, by the name of the counter or of its family. */
counters: Record<string, CounterLook>,
/** Where the parts of the table lie. */
table: Areas,
/** The rules that explain a prompt to a new player, by the name of the prompt. */
guide: Record<string, Array<GuideRule>>,
/** Where choices lie, by the name of the prompt. */
choices: Record<string, ChoiceLook>,
};

/** Where the choices of a prompt lie: in one of these ways. */
export type ChoiceLook = {
/** A zone, a counter, a family of them or a grid; of a family or a grid, the member that the choice names. */
on: string,
/** The same by label. */
labels: Record<string, string>,
/** The kind of the definitions in whose places the choices lie. */
kind: string,
/** The values of their attributes: `choice`, or the name of a counter of the asked player. */
matches: Record<string, string>,
/** The player whose places they are: `all`, or a counter of the asked player that holds one; empty: the player that */
/** the question names, or else the asked player. */
of: string,
/** Whether they are in the list alone. */
list: boolean,
};

/** A rule as plain text. */
export type GuideRule = {
/** Number of the rule. */
number: string,
/** Text of the rule. */
text: string,
};

/** The areas of the table: a row of names for each line of the screen, all rows equally long. The same name in several places is one area, which is a rectangle. Empty: the parts lie below each other. */
export type Areas = {
/** On wide screens. */
wide: Array<Array<string>>,
/** On narrow screens. */
narrow: Array<Array<string>>,
};

/** The form of a pile. */
export type ZoneLook = {
/** How its cards lie. */
show: ZoneShow,
};

/** How the cards of a pile lie. */
export type ZoneShow = "auto" | "spread" | "fan" | "stack" | "names" | "count" | "column";

/** The form of a counter. */
export type CounterLook = {
/** How its amount is drawn. */
show: CounterShow,
/** Last step of a track; 0 for other forms. */
steps: number,
/** Number of tokens on paper; `None`: one by the holders of the counter. */
copies: number | null,
};

/** How an amount is drawn. */
export type CounterShow = "number" | "tokens" | "track" | "marker";

/** A drawing of 24 by 24 units in one colour. */
export type Icon = {
/** Path data of SVG: the attribute `d`. Holds nothing but commands and numbers. */
path: string,
/** Declared colour; empty: that of the text. */
colour: string,
/** Names of the counters, zones, kinds, attributes, values and definitions that the icon stands for. */
of: Array<string>,
/** Words of texts that the icon stands before. */
words: Array<string>,
};

/** The faces of a kind. */
export type KindLook = {
/** Declared colour of the frame; empty: one by the order of the kinds. */
colour: string,
/** Where name, picture, facts and text stand. */
layout: Layout,
/** Ground of the picture. */
picture: Picture,
/** Attribute in the corner of the face; empty: none. */
corner: string,
/** Attribute that is a list, or list of hooks, drawn in place of the picture; empty: none. */
chart: string,
/** Entries in a row of the chart. */
columns: number,
/** Size on paper; `None`: one by the layout. */
size: CardSize | null,
/** Icons drawn on the picture of a definition, by its id. */
draws: Record<string, Array<string>>,
/** Family of zones in which its definitions are places; empty: none. */
pile: string,
/** Attribute with the place in such a zone, from 1 at the bottom; empty: the whole zone. */
at: string,
};

/** The ground of a board. */
export type GridLook = {
/** Material below the cells. */
ground: Ground,
/** Whether each row lies on a piece of land of its own. */
bands: boolean,
/** Whether the cells are long points on which men stand in a row. */
points: boolean,
/** The attribute of a card whose icons its cell shows in place of the symbol of the first counter; empty: none. */
fact: string,
/** The player counter whose value is the cell on which a man of the player stands; empty: none. */
men: string,
};

/** The material below the cells of a board. */
export type Ground = "none" | "sea" | "rock" | "sand" | "felt" | "wood";

/** The ground of a picture, drawn from the id of a card. */
export type Picture = "strata" | "seam" | "shaft" | "machine" | "banner" | "gems" | "land" | "none";

/** Where the parts of a face stand. */
export type Layout = "card" | "tile" | "token" | "wide";

/** The size of a printed card. */
export type CardSize = "poker" | "bridge" | "mini" | "tarot" | "landscape" | "square" | "tile" | "token" | "none";
