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
/** Ground of the picture. */
picture: "strata" | "seam" | "shaft" | "machine" | "banner" | "gems" | "land" | "none",
/** Attribute in the corner, or empty. */
corner: string,
/** Icons on the picture of a definition, by its id. */
draws: Record<string, Array<string>>, };

/** Icons, and the faces of kinds. */
export type Look = {
icons: Record<string, Icon>,
kinds: Record<string, KindLook>, };
