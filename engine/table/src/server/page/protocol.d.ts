// Generated from the Rust types by `LODE_WRITE_REFERENCE=1 cargo test the_page_knows`.

/** The table as one seat sees it, or with nothing hidden. */
export type View = {
/** The viewing seat, from 0; `None`: nothing is hidden. */
seat: number | null,
/** Round, from 1; 0 before the first round. */
round: number,
/** Number of rounds with the options of the match, if it is declared. */
rounds: number | null,
/** Current phase. */
phase: Phase,
/** Whether the match is over. */
over: boolean,
/** All seats. */
seats: Array<Seat>,
/** Counters of players, with one value per seat. */
rows: Array<Row>,
/** Counters of the game, with one value. */
shared: Array<Row>,
/** Piles of cards and tiles: those of the game first, then seat by seat. */
piles: Array<Pile>,
/** Boards of the game and of each seat. */
boards: Array<Board>,
/** The pending question of this seat. */
question: Question | null, };

/** A phase. */
export type Phase = {
/** Id of the phase. */
id: string,
/** Name of the phase. */
name: string,
/** Description of the phase. */
text: string, };

/** A seat at the table. */
export type Seat = {
/** Number of the seat, from 0. */
seat: number,
/** Name of the seat. */
name: string,
/** Declared colour, or empty. */
colour: string,
/** Whether the seat is still in the game. */
is_in: boolean,
/** Whether the seat has the turn. */
turn: boolean, };

/** A row of counters: one, or a group. */
export type Row = {
/** Name of the first counter. */
id: string,
/** Label of the row. */
label: string,
/** Whether the row is the score. */
score: boolean,
/** Whether only holders that have any of it show the row. */
held: boolean,
/** When the transcript names changes of the row. */
transcript: "always" | "silent" | "never",
/** One value per seat, or one for the game. */
values: Array<Value>, };

/** The counters of a row for one holder. */
export type Value = {
/** The value in words: `4`, `red 2, white 1`, `?`. */
text: string,
/** Declared colour, or empty. */
colour: string,
/** Whether the value is zero or `none`. */
none: boolean,
/** The counters, one by one. */
amounts: Array<Amount>, };

/** A single counter. */
export type Amount = {
/** Name of the counter. */
id: string,
/** Label within a sentence. */
label: string,
/** Value in words. */
text: string,
/** Value, if it is a number that the seat sees. */
number: number | null,
/** Id of the face that the value names, or of the cards that the counter counts. */
face: string | null, };

/** The purpose of a pile. */
export type Form = "hand" | "display" | "deck" | "discard" | "pile";

/** A zone of one holder. */
export type Pile = {
/** Name of the zone. */
id: string,
/** Label of the pile. */
label: string,
/** Owner, from 0; `None`: the game. */
seat: number | null,
/** Purpose of the pile. */
form: Form,
/** Number of cards, if the seat sees the number. */
count: number | null,
/** The cards, bottom first. */
cards: Array<Card>, };

/** A card in a pile. */
export type Card = {
/** Id of the face; `None`: the seat cannot identify the card. */
face: string | null,
/** Name of the card, or empty. */
name: string,
/** State of this copy: `face down`, `load 2`. */
details: Array<string>,
/** Cell on a board, if a counter of the card gives one. */
place: CardPlace | null, };

/** The cell under a card. */
export type CardPlace = {
/** Label of the counter that holds the cell. */
label: string,
/** Name of the grid. */
board: string,
/** Coordinates of the cell. */
cell: string,
/** Displayed name of the cell. */
name: string, };

/** A grid of one holder. */
export type Board = {
/** Name of the grid. */
id: string,
/** Label of the board. */
label: string,
/** Owner, from 0; `None`: the game. */
seat: number | null,
/** Whether the cells are hexagons, in rows of different lengths. */
hex: boolean,
/** Whether the board is a list of its named cells. A wide board is a picture even so. */
named: boolean,
/** The counters to draw in each cell, in order. */
pens: Array<CellLayer>,
/** The cells row by row, without holes. */
cells: Array<Cell>,
/** Meanings of the symbols. */
legend: Array<Legend>, };

/** A counter that is drawn in the cells of a board. */
export type CellLayer = {
/** Label of the counter. */
label: string,
/** Whether the marks are words, which need a space before them. */
words: boolean,
/** Whether the marks are symbols or numbers. */
short: boolean, };

/** A cell of a board. */
export type Cell = {
/** Coordinates: `b3`. */
id: string,
/** Name, if the board names its cells. */
name: string,
/** Id of the face of the definition that names the cell. */
face: string | null,
/** Row, from 1 at the top. */
row: number,
/** Distance from the left edge, in half cells. */
half: number,
/** The marks, one for each drawn counter. */
marks: Array<Mark>,
/** The contents in words. */
words: Array<string>,
/** The seats that have a man on the cell, from 0. */
men: Array<number>,
/** The cards on the cell. */
cards: Array<Card>,
/** Open sides of these cards towards neighbouring cells. */
sides: Array<Side>, };

/** A marked side of a card on a board, such as an exit. */
export type Side = {
/** Rows down to the cell beyond the side. */
row: number,
/** Half cells to the right to the cell beyond the side. */
half: number, };

/** The mark of one counter in a cell. */
export type Mark = {
/** A symbol, a number or a word; empty: nothing to draw. */
text: string,
/** Declared colour, or empty. */
colour: string, };

/** Meanings of the symbols of one counter. */
export type Legend = {
/** Label of the counter. */
label: string,
/** The symbols; empty: the counter is drawn as a number. */
symbols: Array<Symbol>, };

/** A symbol with its meaning. */
export type Symbol = {
/** The symbol as drawn. */
text: string,
/** Declared colour, or empty. */
colour: string,
/** Meaning of the symbol. */
means: string, };

/** The pending question of a seat. */
export type Question = {
/** The asked seat, from 0. */
seat: number,
/** Name of the prompt. */
prompt: string,
/** Text of the question. */
text: string,
/** In a phase that is played several times in a row: which time this is, from 1, and the number of times. */
time: [number, number] | null,
/** How many choices may be marked and given at once; `None`: one. */
several: Several | null,
/** Ids of the faces that the question names. */
about: Array<string>,
/** The legal choices. */
choices: Array<ChoiceView>, };

/** Choices of a question that are marked and given at once. */
export type Several = {
/** Number of choices still to make, at least 2. */
most: number,
/** Index of the choice that ends the question early; `None`: exactly `most` are made. */
end: number | null, };

/** A choice of a question. */
export type ChoiceView = {
/** Index among the choices of the decision, from 0. */
index: number,
/** Unique key of the choice, the same in every match. */
key: string,
/** Id of the choice in the content. */
id: string,
/** Action in words. */
label: string,
/** Text to type, unique within the question. An offered number is typed as that number. */
typed: string,
/** Id of the face of the chosen card. */
face: string | null,
/** A note on the effect, the contents of the cell or the owner of the card. */
note: string,
/** The object that the choice acts on. */
on: ChoiceTarget, };

/** The object that a choice acts on. */
export type ChoiceTarget = "nothing" | { "number": number } | { "player": number } | { "card": {
/** Name of the zone, if the seat sees the card there. */
zone: string | null,
/** Owner of the zone, from 0. */
seat: number | null, } } | { "cell": {
/** Name of the grid. */
board: string,
/** Owner of the board, from 0. */
seat: number | null,
/** Coordinates of the cell. */
cell: string, } } | { "steps": Array<Array<PlaceTarget>> } | { "places": Array<PlaceTarget> };

/** A cell that a choice names. */
export type CellTarget = {
/** Name of the grid. */
board: string,
/** Owner of the board, from 0. */
seat: number | null,
/** Coordinates of the cell. */
cell: string, };

/** A place on the table that stands for a choice. */
export type PlaceTarget = { "cell": CellTarget } | { "pile": {
/** Name of the zone. */
zone: string,
/** Owner of the zone, from 0. */
seat: number | null,
/** Place of the card, from 0 at the bottom; `None`: the pile itself. */
at: number | null, } } | { "counter": {
/** Name of the counter. */
counter: string,
/** Its player, from 0. */
seat: number | null, } } | { "seat": number };

/** The constant parts of a game, sent once per fingerprint. */
export type Skeleton = {
/** Fingerprint of the game, its mods, its figures and its images. */
fingerprint: string,
/** Name of the game. */
name: string,
/** One sentence about the game. */
text: string,
/** Faces of all cards. */
faces: Array<Face>,
/** Kinds of cards; the other kinds are words of the rules. */
cards: Array<string>,
/** Icons, and the faces of kinds. */
look: import('./look').Look,
/** Figures of cards, by id of the face. */
figures: Record<string, Array<CardFigure>>,
/** Addresses of images, by displayed path. */
images: { [key in string]: string }, };

/** The printed side of a card, a tile, a figure or a space. */
export type Face = {
/** Kind and id: `tools.drill`. */
id: string,
/** Label of the kind. */
kind: string,
/** Name of the card. */
name: string,
/** Printed values, such as cost and points. */
facts: Array<Fact>,
/** Rules text. */
text: string,
/** Displayed path of its image; `None`: the page draws a picture. */
image: string | null,
/** Entries of its chart, row by row; empty: it has none. */
chart: Array<string>,
/** Texts of the effects, by the name of the hook. */
effects: Record<string, string>, };

/** A printed value of a card. */
export type Fact = {
/** Name of the attribute. */
of: string,
/** Name of the value; empty: the value explains itself. */
label: string,
/** The value; empty: the label says everything. */
value: string,
/** Open sides of the card, if the attribute lists some. */
sides: Array<Side>, };

/** A line of the transcript. */
export type Line = {
/** Round, from 1; 0 before the first round. */
round: number,
/** Name of the phase. */
phase: string,
/** Source of the line. */
by: LineSource,
/** Text of the line. */
text: string,
/** The answer that the line repeats, if the viewer may read it. */
answer: AnswerLine | null, };

/** An answer in words. */
export type AnswerLine = {
/** The seat that answered, from 0. */
seat: number,
/** The question as people read it. */
question: string,
/** The choice as people read it. */
choice: string, };

/** The source of a transcript line. */
export type LineSource = "game" | "secret" | "answer" | "change" | "table";

/** The seat and the step that a browser displays. */
export type Viewpoint = {
/** The viewing seat, from 0; a seat beyond the table sees public information only. */
seat: number,
/** Number of answers before the displayed position. */
step: number,
/** Number of all answers. */
steps: number,
/** Whether this is the browser's own seat at the current step. */
live: boolean,
/** First step at which the newest rules made a difference. */
differs: number | null,
/** Whether the browser has the designer's permissions. */
designer: boolean,
/** Whether the match can return to older rules or to another branch. */
older: boolean, };

/** An undo request, as shown to a seat. */
export type UndoRequestView = {
/** Number of the request, which the reply repeats. */
number: number,
/** The requesting seat, from 0. */
seat: number,
/** The request in words, with what it takes back. */
text: string,
/** Whether something may have been revealed since the answer. */
wiser: boolean,
/** Whether the request waits for this seat's consent. */
waits: boolean,
/** The seats that have not agreed yet. */
missing: Array<number>, };

/** The estimate of a choice from random games. */
export type ChoiceEstimate = {
/** Position of the seat's mean utility in its range, from 0 to 1. */
level: number,
/** Share of won games, from 0 to 1, if the goal of the game is the rank. */
share: number | null,
/** Mean margin, in points, if it is the goal. */
margin: number | null,
/** Mean score of the seat, in points. */
score: number,
/** Number of games. */
games: number, };

/** Choices that a seat does not have now, for one reason. */
export type RefusedChoice = {
/** Texts of the choices. */
label: string,
/** Why the seat does not have it. */
reason: string, };

/** The changes that a choice would make, as far as its seat can know them. */
export type ChoicePreview = {
/** Certain changes, in words. */
certain: Array<string>,
/** Whether more changes depend on hidden information or on chance. */
varies: boolean, };

/** A measured figure of a card. */
export type CardFigure = {
/** Its name. */
name: string,
/** Explanation of the name. */
meaning: string,
/** The figure with its interval. */
text: string,
/** The number to sort by. */
value: number, };

/** The rules of a game. */
export type Rulebook = {
/** The text of the rules. */
blocks: Array<RuleBlock>,
/** Phases, kinds and printed values with their explanations. */
terms: Array<RuleTerm>, };

/** A block of the rules. */
export type RuleBlock = { "heading": {
/** From 1. */
level: number,
/** Its text. */
spans: Array<RuleSpan>, } } | { "paragraph": Array<RuleSpan> } | { "list": Array<RuleItem> } | { "table": Array<Array<Array<RuleSpan>>> };

/** An item of a list; a rule, if it has a number. */
export type RuleItem = {
/** Number of the rule, such as `P-12`; empty: the item is no rule. */
number: string,
/** Its text. */
spans: Array<RuleSpan>, };

/** A part of a text. */
export type RuleSpan = {
/** The characters. */
text: string,
/** How they are printed. */
style: SpanStyle, };

/** How a part of a text is printed. */
export type SpanStyle = "plain" | "strong" | "emphasis" | "code";

/** A term with its explanation. */
export type RuleTerm = {
/** The term. */
name: string,
/** Its explanation. */
text: string, };

/** The form of a card. */
export type CardForm = {
/** Kind and id: `tools.drill`. */
card: string,
/** Displayed path of the file that holds the card. */
file: string,
/** Its fields; the first one is the id. */
fields: Array<CardField>,
/** The verbs that effects may use. */
verbs: Array<VerbHelp>,
/** Number of saves that can be taken back. */
saves: number, };

/** A field of a card. */
export type CardField = {
/** Key of the TOML. */
name: string,
/** Description; may be empty. */
text: string,
/** How the value is written: `text`, `name`, `integer`, `boolean`, `list`, `amounts`, `effect` or `toml`. */
form: string,
/** The names that the value may have; empty: any. */
names: Array<string>,
/** Range of an integer. */
range: [number, number] | null,
/** The value; empty: the card does not set it. */
value: string,
/** The value of a card that does not set it. */
default: string, };

/** A verb, for an author. */
export type VerbHelp = {
/** Its name. */
name: string,
/** Names of its arguments. */
args: Array<string>,
/** Text of its effect, with placeholders. */
text: string, };

/** The result of the check of an edited card. */
export type CheckedCard = {
/** The face of the edited card; `None`: it cannot be drawn. */
face: Face | null,
/** Faults and warnings. */
faults: Array<FieldFault>,
/** The changes of the file, each in one line. */
changes: Array<string>,
/** Whether the file has been written. */
saved: boolean, };

/** A fault of an edited card. */
export type FieldFault = {
/** The field; `None`: the fault lies elsewhere. */
field: string | null,
/** The mistake. */
message: string,
/** The likely fix. */
help: string | null,
/** Whether it prevents saving. */
is_error: boolean,
/** The value that the file has by now, if it has changed since the form was made. */
changed: string | null, };
