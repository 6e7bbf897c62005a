import type { Face } from './protocol';
import type { Look } from './look';

/** A sheet of cards of one size. */
export type Sheet = {
/** Width of a card, in millimetres. */
width: number,
/** Height of a card, in millimetres. */
height: number,
/** Whether the cards lie on their side. */
turned: boolean,
columns: number,
rows: number,
/** Ids of the faces, row by row. */
cards: Array<string>, };

/** A board on a page of its own. */
export type PrintedBoard = {
/** Name of the grid. */
id: string,
label: string,
/** Whether the cells are hexagons. */
hex: boolean,
cells: Array<{
/** Coordinates. */
id: string,
/** Name, or empty. */
name: string,
/** Id of the face of the definition that names the cell. */
face: string | null,
/** Row, from 1 at the top. */
row: number,
/** Distance from the left edge, in half cells. */
half: number, }>, };

/** Everything to print. */
export type PrintData = {
/** Name of the game. */
game: string,
/** Number of cards and sheets, in words. */
summary: string,
/** Width and height in millimetres. */
paper: { width: number, height: number },
/** Colour beyond the cut, in millimetres. */
bleed: number,
/** Whether each sheet has a page with the backs. */
backs: boolean,
sheets: Array<Sheet>,
boards: Array<PrintedBoard>,
/** The form of the rules. */
rules: "booklet" | "pages" | null,
faces: Array<Face>,
/** Images as data URIs, by the path that a face names. */
images: Record<string, string>,
look: Look, };
