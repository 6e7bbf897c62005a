// Generated from the Rust types by `LODE_WRITE_REFERENCE=1 cargo test the_page_of_print`.

import type { Face } from './protocol';
import type { Look } from './look';

/** A format of paper, upright, in millimetres. */
export type Paper = {
/** Width. */
width: number,
/** Height. */
height: number, };

/** A sheet of cards of one size. */
export type Sheet = {
/** Width of a card, in millimetres. */
width: number,
/** Height of a card, in millimetres. */
height: number,
/** Whether the cards lie on their side. */
turned: boolean,
/** Cards beside each other. */
columns: number,
/** Cards below each other. */
rows: number,
/** Ids of the faces, row by row. */
cards: Array<string>, };

/** A board on paper. */
export type PrintedBoard = {
/** Name of the grid. */
id: string,
/** Label of the board. */
label: string,
/** Whether the cells are hexagons. */
hex: boolean,
/** The cells row by row, without holes. */
cells: Array<PrintedCell>, };

/** A cell of a board on paper. */
export type PrintedCell = {
/** Coordinates: `b3`. */
id: string,
/** Name, if the board names its cells. */
name: string,
/** Id of the face of the definition that names the cell. */
face: string | null,
/** The counters of the cell at the beginning of a match, if they are the same in every match. */
contents: Array<import('./protocol').Fact>,
/** Row, from 1 at the top. */
row: number,
/** Distance from the left edge, in half cells. */
half: number, };

/** The form of the printed rules. */
export type RulesForm = "booklet" | "pages";

/** Everything to print. */
export type PrintData = {
/** Name of the game. */
game: string,
/** Number of cards and sheets, in words. */
summary: string,
/** Width and height. */
paper: Paper,
/** Colour beyond the cut, in millimetres. */
bleed: number,
/** Whether each sheet has a page with the backs. */
backs: boolean,
/** The sheets of cards. */
sheets: Array<Sheet>,
/** The sheets of tokens. Their cards are labels. */
token_sheets: Array<Sheet>,
/** The name whose icon a token shows, by the label of the token. */
tokens: Record<string, string>,
/** The boards, each on a page of its own. */
boards: Array<PrintedBoard>,
/** The form of the rules; null: without rules. */
rules: RulesForm | null,
/** The faces of all cards. */
faces: Array<Face>,
/** The images of the cards as data URIs, by displayed path. */
images: Record<string, string>,
/** Colours, icons and forms. */
look: Look, };
