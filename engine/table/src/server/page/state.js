// @ts-check
// What the table has told this browser. The shapes are those of the view, see engine/table/src/view.rs.

/** @typedef {{label: string, value: string}} Fact */
/** @typedef {{id: string, kind: string, name: string, facts: Fact[], text: string, effects: Record<string, string>}} Face */
/** @typedef {{fingerprint: string, rounds: number | null, name: string, text: string, faces: Face[]}} Skeleton */
/** @typedef {{seat: number, name: string, colour: string, is_in: boolean, turn: boolean}} Seat */
/** @typedef {{id: string, label: string, text: string, number: number | null, face: string | null}} Amount */
/** @typedef {{text: string, colour: string, none: boolean, amounts: Amount[]}} Value */
/** @typedef {{id: string, label: string, score: boolean, values: Value[]}} Row */
/** @typedef {{face: string | null, name: string, details: string[], place: {label: string, board: string, cell: string} | null}} Card */
/** @typedef {{row: number, half: number}} Side */
/** @typedef {{id: string, label: string, seat: number | null, form: string, count: number | null, cards: Card[]}} Pile */
/** @typedef {{text: string, colour: string}} Mark */
/** @typedef {{id: string, name: string, face: string | null, row: number, half: number, marks: Mark[], words: string[], cards: Card[], sides: Side[]}} Cell */
/** @typedef {{label: string, symbols: {text: string, colour: string, means: string}[]}} Legend */
/** @typedef {{id: string, label: string, seat: number | null, hex: boolean, named: boolean, pens: {label: string, words: boolean}[], legend: Legend[], cells: Cell[]}} Board */
/** @typedef {{zone: string | null, seat: number | null}} OnCard */
/** @typedef {{board: string, seat: number | null, cell: string}} OnCell */
/** @typedef {'nothing' | {number?: number, player?: number, card?: OnCard, cell?: OnCell}} On */
/** @typedef {{index: number, key: string, id: string, label: string, typed: string, face: string | null, note: string, on: On}} Choice */
/** @typedef {{seat: number, prompt: string, text: string, about: string[], choices: Choice[]}} Question */
/** @typedef {{round: number, phase: string, by: string, text: string}} Line */
/** @typedef {{number: number, seat: number, wiser: boolean, certain: boolean, waits: boolean}} Request */
/** @typedef {{seat: number, step: number, steps: number, live: boolean, differs: number | null, designer: boolean, older: boolean}} Place */
/** @typedef {{wins: number, score: number, games: number}} Estimate */
/** @typedef {{outcome: {scores: number[], ranks: number[], rounds: number, reason: string, won?: boolean}, players: string[], parts: [string, number[]][]}} Ending */
/** @typedef {{seat: number | null, round: number, phase: {id: string, name: string, text: string}, over: boolean, seats: Seat[], rows: Row[], shared: Row[], piles: Pile[], boards: Board[], question: Question | null}} View */

export const state = {
  /** @type {Skeleton | null} */
  skeleton: null,
  /** @type {Map<string, Face>} */
  faces: new Map(),
  /** Kinds of cards, in their order. @type {string[]} */
  kinds: [],
  /** @type {View} */
  view: { seat: 0, round: 0, phase: { id: '', name: '', text: '' }, over: false, seats: [], rows: [], shared: [], piles: [], boards: [], question: null },
  /** @type {Line[]} */
  lines: [],
  /** @type {Place | null} */
  place: null,
  /** Number of the question. */
  decision: 0,
  /** @type {Ending | null} */
  outcome: null,
  /** What a seat asks of the others. @type {Request | null} */
  request: null,
  /** What the choices may come to. @type {Estimate[] | null} */
  estimates: null,
};

/** @param {any} beside */
function takeBeside(beside) {
  if (beside.decision !== state.decision) state.estimates = null;
  state.decision = beside.decision;
  state.outcome = beside.outcome;
  state.request = beside.request;
  state.lines.length = Math.min(state.lines.length, beside.kept);
  state.lines.push(...beside.lines);
}

/**
 * Takes over a list of which only some may be other.
 * @template T
 * @param {T[]} list
 * @param {{some?: T[], all?: T[]}} part
 * @param {(one: T) => string} key
 * @returns {T[]}
 */
function put(list, part, key) {
  if (part.all) return part.all;
  const other = new Map((part.some ?? []).map((one) => [key(one), one]));
  return list.map((one) => other.get(key(one)) ?? one);
}

/**
 * Takes over a message; returns what is other, or null: all of it.
 * @param {any} message
 * @returns {Set<string> | null}
 */
export function take(message) {
  if (message.skeleton) {
    state.skeleton = message.skeleton;
    state.kinds = [...new Set(message.skeleton.faces.map((/** @type {Face} */ one) => one.id.split('.')[0]))];
    state.faces = new Map(message.skeleton.faces.map((/** @type {Face} */ one) => [one.id, one]));
    return null;
  }
  if (message.table) {
    state.view = message.table.view;
    state.place = message.table.place;
    state.estimates = null;
    state.lines = [];
    takeBeside(message.table.beside);
    return null;
  }
  if (message.place) {
    state.place = message.place;
    return new Set();
  }
  const { view: patch, beside } = message.patch;
  const { view } = state;
  if (patch.head) Object.assign(view, patch.head);
  for (const list of /** @type {const} */ (['rows', 'shared'])) if (patch[list]) view[list] = put(view[list], patch[list], (row) => `${row.id}/${row.label}`);
  if (patch.piles) view.piles = put(view.piles, patch.piles, (pile) => `${pile.id}/${pile.seat}`);
  if (patch.boards) view.boards = patch.boards;
  for (const { board, seat, cells } of patch.cells ?? []) {
    const of = view.boards.find((one) => one.id === board && one.seat === seat);
    if (of) of.cells = put(of.cells, { some: cells }, (cell) => cell.id);
  }
  if ('question' in patch) view.question = patch.question;
  const again = beside.decision !== state.decision;
  takeBeside(beside);
  return new Set([...Object.keys(patch), ...(again ? ['question'] : []), ...(state.outcome ? ['outcome'] : [])]);
}

export const head = () => state.view;
export const rows = () => state.view.rows;
export const shared = () => state.view.shared;
export const question = () => ({ decision: state.decision, asked: state.view.question });
/** @returns {Choice[]} */
export const choices = () => state.view.question?.choices ?? [];
/** Whether this seat may answer what it is shown. */
export const live = () => !state.place || state.place.live;
export const piles = () => state.view.piles;
export const boards = () => state.view.boards;
/** @param {string | null | undefined} id @returns {Face | undefined} */
export const face = (id) => (id ? state.faces.get(id) : undefined);
/** @param {number | null} seat */
export const seatOf = (seat) => head().seats.find((one) => one.seat === seat);

/** The choices that act on a card of a pile. @param {Pile} pile @param {Card} card */
export function onCard(pile, card) {
  if (!live()) return [];
  return choices().filter((choice) => {
    const on = typeof choice.on === 'object' ? choice.on.card : undefined;
    return on && card.face && choice.face === card.face && (on.zone === null ? pile.seat === head().seat : on.zone === pile.id) && (on.seat === null || on.seat === pile.seat);
  });
}

/** The choices that act on a cell. @param {Board} board @param {string} id */
export function onCell(board, id) {
  if (!live()) return [];
  return choices().filter((choice) => {
    const on = typeof choice.on === 'object' ? choice.on.cell : undefined;
    return on && on.board === board.id && on.cell === id && on.seat === board.seat;
  });
}

/** `Round 3 of 5`, where there always are as many. @param {number} number */
export function round(number) {
  const rounds = state.skeleton?.rounds;
  return rounds ? `Round ${number} of ${rounds}` : `Round ${number}`;
}
