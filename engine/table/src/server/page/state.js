// @ts-check
// The data received from the table. protocol.d.ts, generated from the Rust types, defines the parts of a message.
// No type covers the message itself, its patches or `Ending`: the tests in a browser do.

import { setDeck } from './deck.js';

/** @typedef {import('./protocol').Skeleton} Skeleton */
/** @typedef {import('./protocol').Card} Card */
/** @typedef {import('./protocol').Pile} Pile */
/** @typedef {import('./protocol').Board} Board */
/** @typedef {import('./protocol').ChoiceView} Choice */
/** @typedef {import('./protocol').Line} Line */
/** @typedef {import('./protocol').UndoRequestView} UndoRequestView */
/** @typedef {import('./protocol').Viewpoint} Viewpoint */
/** @typedef {import('./protocol').ChoiceEstimate} Estimate */
/** @typedef {import('./protocol').View} View */
/** @typedef {import('./protocol').ChoiceTarget} ChoiceTarget */
/** @typedef {import('./protocol').CellTarget} CellTarget */
/** @typedef {import('./protocol').PlaceTarget} PlaceTarget */
/**
 * @typedef {{
 *   outcome: {scores: number[], ranks: number[], rounds: number, reason: string, won?: boolean},
 *   scores: string[],
 *   shared: boolean,
 *   players: string[],
 *   parts: [string, string[]][],
 *   breakers: [string, string[]][],
 *   score: string | null,
 *   lead: string,
 *   teams: [string, string[]] | null,
 *   rematch: number[] | null,
 * }} Ending
 */

export const state = {
  /** @type {Skeleton | null} */
  skeleton: null,
  /** @type {View} */
  view: {
    seat: 0,
    round: 0, rounds: null,
    phase: { id: '', name: '', text: '' },
    over: false,
    seats: [],
    rows: [],
    shared: [],
    piles: [],
    boards: [],
    question: null,
  },
  /** @type {Line[]} */
  lines: [],
  /** @type {Viewpoint | null} */
  place: null,
  /** Number of the question. */
  decision: 0,
  /** @type {Ending | null} */
  outcome: null,
  /** The pending undo request. @type {UndoRequestView | null} */
  request: null,
  /** Estimates of the choices. @type {Estimate[] | null} */
  estimates: null,
  /** The choices that the question does not have. @type {import('./protocol').RefusedChoice[] | null} */
  refused: null,
  /** What the choices would change, by index. @type {Map<number, import('./protocol').ChoicePreview>} */
  previews: new Map(),
  /** Keys of the cells clicked for a choice that names several. @type {string[]} */
  clicked: [],
};

/** @param {any} beside */
function applyExtras(beside) {
  if (beside.decision !== state.decision) {
    state.estimates = state.refused = null;
    state.previews.clear();
    state.clicked = [];
  }
  state.decision = beside.decision;
  state.outcome = beside.outcome;
  state.request = beside.request;
  state.lines.length = Math.min(state.lines.length, beside.kept);
  state.lines.push(...beside.lines);
}

/**
 * Applies a list patch: the whole list, or only the changed items.
 * @template T
 * @param {T[]} list
 * @param {{some?: T[], all?: T[]}} part
 * @param {(one: T) => string} key
 * @returns {T[]}
 */
function applyListPatch(list, part, key) {
  if (part.all) return part.all;
  const other = new Map((part.some ?? []).map((one) => [key(one), one]));
  return list.map((one) => other.get(key(one)) ?? one);
}

/**
 * Applies a message; returns the changed parts, or null for everything.
 * @param {any} message
 * @returns {Set<string> | null}
 */
export function applyMessage(message) {
  if (message.skeleton) {
    state.skeleton = message.skeleton;
    setDeck(message.skeleton);
    return null;
  }
  if (message.table) {
    state.view = message.table.view;
    state.place = message.table.place;
    state.estimates = null;
    state.previews.clear();
    state.clicked = [];
    state.lines = [];
    applyExtras(message.table.beside);
    return null;
  }
  if (message.place) {
    state.place = message.place;
    return new Set();
  }
  const { view: patch, beside } = message.patch;
  const { view } = state;
  if (patch.head) Object.assign(view, patch.head);
  for (const list of /** @type {const} */ (['rows', 'shared']))
    if (patch[list]) view[list] = applyListPatch(view[list], patch[list], (row) => `${row.id}/${row.label}`);
  if (patch.piles) view.piles = applyListPatch(view.piles, patch.piles, (pile) => `${pile.id}/${pile.seat}`);
  if (patch.boards) view.boards = patch.boards;
  for (const { board, seat, cells } of patch.cells ?? []) {
    const of = view.boards.find((one) => one.id === board && one.seat === seat);
    if (of) of.cells = applyListPatch(of.cells, { some: cells }, (cell) => cell.id);
  }
  if ('question' in patch) view.question = patch.question;
  const again = beside.decision !== state.decision;
  applyExtras(beside);
  return new Set([...Object.keys(patch), ...(again ? ['question'] : []), ...(state.outcome ? ['outcome'] : [])]);
}

export const head = () => state.view;
export const rows = () => state.view.rows;
export const shared = () => state.view.shared;
export const question = () => ({ decision: state.decision, asked: state.view.question });
/** @returns {Choice[]} */
export const choices = () => state.view.question?.choices ?? [];
/**
 * The target of a choice, if it is on the table.
 * @param {Choice} choice
 * @returns {{player?: number, card?: Extract<ChoiceTarget, {card: any}>['card'],
 *   cell?: CellTarget, cells?: CellTarget[], places?: PlaceTarget[]}}
 */
export const target = (choice) => (typeof choice.on === 'object' && !('number' in choice.on) ? choice.on : {});
/** Whether the browser displays its own live table, so that its seat may answer. */
export const isLive = () => !state.place || state.place.live;
export const piles = () => state.view.piles;
export const boards = () => state.view.boards;
/** @param {number | null} seat */
export const seatOf = (seat) => head().seats.find((one) => one.seat === seat);

/** The choices that act on a card of a pile. @param {Pile} pile @param {Card} card */
export function onCard(pile, card) {
  if (!isLive()) return [];
  return choices().filter((choice) => {
    const on = target(choice).card;
    return (
      on &&
      card.face &&
      choice.face === card.face &&
      (on.zone === null ? pile.seat === head().seat : on.zone === pile.id) &&
      (on.seat === null || on.seat === pile.seat)
    );
  });
}

/** The cells that a choice names, in the order to click. @param {Choice} choice @returns {CellTarget[]} */
export function cellsOf(choice) {
  const on = target(choice);
  return on.cells ?? (on.cell ? [on.cell] : []);
}

/**
 * The choices of which a place of this sort is one.
 * @param {(place: {cell?: CellTarget, pile?: Extract<PlaceTarget, {pile: any}>['pile'],
 *   counter?: Extract<PlaceTarget, {counter: any}>['counter']}) => boolean | undefined} isHere
 */
const atPlace = (isHere) =>
  isLive() ? choices().filter((choice) => target(choice).places?.some((place) => isHere(place))) : [];

/** The choices whose place is a pile, or a card in it. @param {Pile} pile @param {number | null} at */
export const onPile = ({ id, seat }, at) =>
  atPlace(({ pile }) => pile && pile.zone === id && pile.seat === seat && pile.at === at);

/** The choices whose place is a counter. @param {string} id @param {number | null} seat */
export const onCounter = (id, seat) =>
  atPlace(({ counter }) => counter && counter.counter === id && counter.seat === seat);

/** @param {CellTarget} of */
export const cellKey = (of) => `${of.board}/${of.seat}/${of.cell}`;

/** The choices that begin with the clicked cells. */
export function remaining() {
  const begins = (/** @type {CellTarget[]} */ cells) =>
    state.clicked.every((key, at) => at < cells.length && cellKey(cells[at]) === key);
  return isLive() ? choices().filter((choice) => begins(cellsOf(choice))) : [];
}

/** The choices that a click on a cell goes on with. @param {Board} board @param {string} id */
export function onCell(board, id) {
  const key = cellKey({ board: board.id, seat: board.seat, cell: id });
  const next = (/** @type {Choice} */ choice) => cellsOf(choice)[state.clicked.length];
  const named = remaining().filter((choice) => next(choice) && cellKey(next(choice)) === key);
  return state.clicked.length > 0 ? named : [...named, ...atPlace(({ cell }) => cell && cellKey(cell) === key)];
}

/** The round's heading, `Round 3 of 5` if the number of rounds is declared. @param {number} number */
export function round(number) {
  const { rounds } = head();
  return rounds ? `Round ${number} of ${rounds}` : `Round ${number}`;
}
