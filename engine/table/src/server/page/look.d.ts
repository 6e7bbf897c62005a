/** A drawing of 24 by 24 units in one colour. */
export type Icon = {
/** The attribute `d` of an SVG path. */
path: string,
/** Declared colour, or empty. */
colour: string,
/** Names of what it stands for. */
of: Array<string>,
/** Words of texts that it stands before. */
words: Array<string>, };

/** The faces of a kind. */
export type KindLook = {
/** Declared colour of the frame, or empty. */
colour: string,
/** Where name, picture, facts and text stand. */
layout: "card" | "tile" | "token" | "wide",
/** Ground of the picture. */
picture: "strata" | "seam" | "shaft" | "machine" | "banner" | "gems" | "land" | "none",
/** Attribute in the corner, or empty. */
corner: string,
/** Size on paper, or null: one by the layout. */
size: "poker" | "bridge" | "mini" | "tarot" | "landscape" | "square" | "tile" | "token" | "none" | null,
/** Icons on the picture of a definition, by its id. */
draws: Record<string, Array<string>>, };

/** The ground of a board. */
export type GridLook = {
/** Material below the cells. */
ground: "none" | "sea" | "rock" | "sand" | "felt" | "wood",
/** Whether each row lies on a piece of land of its own. */
bands: boolean,
/** Whether the cells are long points on which men stand in a row. */
points: boolean, };

/** The form of a pile. */
export type ZoneLook = {
/** How its cards lie. */
show: "auto" | "spread" | "fan" | "stack" | "names" | "count", };

/** The form of a counter. */
export type CounterLook = {
/** How its amount is drawn. */
show: "number" | "tokens" | "track",
/** Last step of a track; 0 for other forms. */
steps: number, };

/** The areas of the table, row by row; empty: the parts lie below each other. */
export type Areas = {
/** On wide screens. */
wide: Array<Array<string>>,
/** On narrow screens. */
narrow: Array<Array<string>>, };

/** A rule as plain text. */
export type GuideRule = {
/** Number of the rule. */
number: string,
/** Text of the rule. */
text: string, };

/** Icons, the faces of kinds, the grounds of boards, and the places of the table. */
export type Look = {
counters: Record<string, CounterLook>,
grids: Record<string, GridLook>,
guide: Record<string, Array<GuideRule>>,
icons: Record<string, Icon>,
kinds: Record<string, KindLook>,
table: Areas,
zones: Record<string, ZoneLook>, };
