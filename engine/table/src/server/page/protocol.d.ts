// Made of the types in Rust by `LODE_WRITE_REFERENCE=1 cargo test the_page_knows`.

/** The table as one seat sees it, or as somebody who sees everything. */
export type View = {
/** Who sees this, from 0; `None`: somebody who sees everything. */
seat: number | null,
/** Round, from 1; 0 before the first. */
round: number,
/** The phase. */
phase: Phase,
/** Whether the match is over. */
over: boolean,
/** Who sits at the table. */
seats: Array<Seat>,
/** What players have: one value for each seat. */
rows: Array<Row>,
/** What the game has: one value. */
shared: Array<Row>,
/** Cards and tiles, those of the game first, then seat by seat. */
piles: Array<Pile>,
/** Boards, those of the game and of each seat. */
boards: Array<Board>,
/** What this seat is asked. */
question: Question | null, };

/** A phase. */
export type Phase = {
/** Its id. */
id: string,
/** Its name. */
name: string,
/** What happens in it. */
text: string, };

/** One seat at the table. */
export type Seat = {
/** Its number, from 0. */
seat: number,
/** Its name. */
name: string,
/** Its declared colour, or nothing. */
colour: string,
/** Whether it is still in the game. */
is_in: boolean,
/** Whether it is its turn. */
turn: boolean, };

/** Counters that stand together: one, or those of a group. */
export type Row = {
/** Name of its first counter. */
id: string,
/** What it is called. */
label: string,
/** Whether it is the score. */
score: boolean,
/** One for each seat, or one of the game. */
values: Array<Value>, };

/** What one holder has of the counters of a row. */
export type Value = {
/** In words: `4`, `2 red, 1 white`, `?`. */
text: string,
/** Declared colour, or nothing. */
colour: string,
/** Whether there is nothing of it. */
none: boolean,
/** The counters, one by one. */
amounts: Array<Amount>, };

/** One counter. */
export type Amount = {
/** Its name. */
id: string,
/** What it is called within a sentence. */
label: string,
/** Its value in words. */
text: string,
/** Its value, if it is a number that the seat sees. */
number: number | null,
/** Id of the face of the card that its value is, or of those that it counts. */
face: string | null, };

/** What a pile is for. */
export type Form = "hand" | "display" | "deck" | "discard" | "pile";

/** A zone of one holder. */
export type Pile = {
/** Name of the zone. */
id: string,
/** What it is called. */
label: string,
/** Whose it is, from 0; `None`: the game's. */
seat: number | null,
/** What it is for. */
form: Form,
/** How many cards there are, if the seat sees that. */
count: number | null,
/** The cards, bottom first. */
cards: Array<Card>, };

/** A card in a pile. */
export type Card = {
/** Id of its face; `None`: the seat does not know which one it is. */
face: string | null,
/** Its name, or nothing. */
name: string,
/** What is special about this one: `face down`, `load 2`. */
details: Array<string>,
/** Where it lies on a board, if it says so itself. */
place: CardPlace | null, };

/** A cell on which a card lies. */
export type CardPlace = {
/** What the counter that says so is called. */
label: string,
/** Name of the grid. */
board: string,
/** Coordinates of the cell. */
cell: string, };

/** A grid of one holder. */
export type Board = {
/** Name of the grid. */
id: string,
/** What it is called. */
label: string,
/** Whose it is, from 0; `None`: the game's. */
seat: number | null,
/** Whether its cells are hexagons in rows of different length. */
hex: boolean,
/** Whether its cells have names of their own. */
named: boolean,
/** What is drawn in each cell, one after the other. */
pens: Array<Pen>,
/** Its cells, row by row, without holes. */
cells: Array<Cell>,
/** What the symbols mean. */
legend: Array<Legend>, };

/** A counter that is drawn in the cells of a board. */
export type Pen = {
/** What it is called. */
label: string,
/** Whether words stand here, which need a space before them. */
words: boolean, };

/** A cell of a board. */
export type Cell = {
/** Its coordinates: `b3`. */
id: string,
/** Its name, if the board names its cells. */
name: string,
/** Id of the face of what names it. */
face: string | null,
/** Its row, from 1 on top. */
row: number,
/** Distance from the left edge in half cells. */
half: number,
/** What is drawn, one for each pen. */
marks: Array<Mark>,
/** What there is, in words. */
words: Array<string>,
/** The cards that lie here. */
cards: Array<Card>,
/** What these cards show towards the cells around. */
sides: Array<Side>, };

/** What a card on a board shows at one of its sides. */
export type Side = {
/** Rows down to the cell beyond it. */
row: number,
/** Half cells to the right to it. */
half: number, };

/** What is drawn for one counter of a cell. */
export type Mark = {
/** A symbol, a number or a word; empty: nothing. */
text: string,
/** Declared colour, or nothing. */
colour: string, };

/** What the symbols of one counter mean. */
export type Legend = {
/** What the counter is called. */
label: string,
/** Its symbols; none: a number is drawn. */
symbols: Array<Symbol>, };

/** A symbol of a legend. */
export type Symbol = {
/** As drawn. */
text: string,
/** Declared colour, or nothing. */
colour: string,
/** What it means. */
means: string, };

/** What a seat is asked. */
export type Question = {
/** Who is asked, from 0. */
seat: number,
/** Name of the prompt. */
prompt: string,
/** The question. */
text: string,
/** Ids of the faces of the cards that it names. */
about: Array<string>,
/** What may be chosen. */
choices: Array<ChoiceView>, };

/** A choice. */
export type ChoiceView = {
/** Its number among the choices of the decision, from 0. */
index: number,
/** What tells it from the others in every match. */
key: string,
/** The name that content gives it. */
id: string,
/** What it does, in words. */
label: string,
/** What one types to choose it. No two choices of a question share it, and a number that is offered is typed as that number. */
typed: string,
/** Id of the face of the card that it is. */
face: string | null,
/** More about it: what an effect says, what lies there, whose card it is. */
note: string,
/** What it acts on. */
on: On, };

/** What a choice acts on. */
export type On = "nothing" | { "number": number } | { "player": number } | { "card": {
/** Name of the zone, if the seat sees where it lies. */
zone: string | null,
/** Whose zone it is, from 0. */
seat: number | null, } } | { "cell": {
/** Name of the grid. */
board: string,
/** Whose board it is, from 0. */
seat: number | null,
/** Coordinates of the cell. */
cell: string, } };

/** What never changes in a game: sent once for each fingerprint. */
export type Skeleton = {
/** The fingerprint of the game and of its mods. */
fingerprint: string,
/** How many rounds there are, if there always are as many. */
rounds: number | null,
/** Name of the game. */
name: string,
/** One sentence about the game. */
text: string,
/** The faces of all cards. */
faces: Array<Face>, };

/** All that is printed on a card, a tile, a figure or a place. */
export type Face = {
/** Its kind and its id: `tools.drill`. */
id: string,
/** What its kind is. */
kind: string,
/** Its name. */
name: string,
/** Its values: cost, points. */
facts: Array<Fact>,
/** Its rules text. */
text: string,
/** What each of its effects says, by the name of the hook. */
effects: Record<string, string>, };

/** A value that is printed on a card. */
export type Fact = {
/** What it is; empty: the value says so. */
label: string,
/** The value; empty: the label is all there is to say. */
value: string, };

/** A line of the transcript. */
export type Line = {
/** Round, from 1; 0 before the first. */
round: number,
/** Name of the phase. */
phase: string,
/** Who says it. */
by: Teller,
/** What it says. */
text: string, };

/** Where a line of the transcript comes from. */
export type Teller = "game" | "secret" | "answer" | "change" | "table";

/** Where a browser looks that may go through the match. */
export type Place = {
/** The seat through whose eyes, from 0; a seat beyond the table: what is public. */
seat: number,
/** How many answers were given before. */
step: number,
/** How many answers there are. */
steps: number,
/** Whether that is the own seat's table as it is now. */
live: boolean,
/** After how many answers the newest rules first made a difference. */
differs: number | null,
/** Whether the designer's tools are there, and the match may go on from here. */
designer: boolean,
/** Whether the match before an edit, or another branch, is kept. */
older: boolean, };

/** What a seat is told of a request to take back an answer. */
export type Request = {
/** Number of the request, which belongs to the answer. */
number: number,
/** Who asks, from 0. */
seat: number,
/** Whether something may have been revealed since. */
wiser: boolean,
/** Whether something has been revealed for certain. */
certain: boolean,
/** Whether this seat is asked, and has not said anything. */
waits: boolean, };

/** What a choice has come to in random games. */
export type Estimated = {
/** Share of the games that were won, from 0 to 1. */
wins: number,
/** Mean score of the seat. */
score: number,
/** Number of games. */
games: number, };
