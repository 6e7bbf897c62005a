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
  /** The seats of people who have no page open. @type {number[]} */
  away: [],
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
  /** The clicks for a choice that names several places: the keys of each clicked node. @type {string[][]} */
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
 *   cell?: CellTarget, steps?: PlaceTarget[][], places?: PlaceTarget[]}}
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
  if (!isLive() || state.clicked.length > 0) return [];
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

/**
 * The choices of a card that lies on a cell by a counter of the cell. The card stays in a pile, and no pile says where
 * on the board it lies: a card of a hand is another one.
 * @param {Card} card
 */
export function onLaidCard(card) {
  if (!isLive() || state.clicked.length > 0 || !card.face) return [];
  const isHand = (/** @type {{zone: string | null, seat: number | null}} */ { zone, seat }) =>
    zone === null || piles().some((pile) => pile.id === zone && pile.seat === seat && pile.form === 'hand');
  return choices().filter((choice) => {
    const on = target(choice).card;
    return on && choice.face === card.face && !isHand(on);
  });
}

/** The key of the node that shows a place. @param {PlaceTarget} place */
function placeKey(place) {
  if ('cell' in place) return `cell/${cellKey(place.cell)}`;
  if ('counter' in place) return `counter/${place.counter.counter}/${place.counter.seat ?? ''}`;
  if ('seat' in place) return `seat/${place.seat}`;
  const { zone, seat, at } = place.pile;
  return at === null ? pileKey(zone, seat) : cardKey(zone, seat, at);
}

/** @param {CellTarget} of */
export const cellKey = (of) => `${of.board}/${of.seat}/${of.cell}`;
/** @param {string} zone @param {number | null} seat */
export const pileKey = (zone, seat) => `pile/${zone}/${seat}`;
/** @param {string} zone @param {number | null} seat @param {number} at */
export const cardKey = (zone, seat, at) => `card/${zone}/${seat}/${at}`;

/** The places to click for a choice, in order: the keys of the nodes of each step. @param {Choice} choice */
export function stepsOf(choice) {
  const { player, cell, steps, places } = target(choice);
  if (player !== undefined) return [[`seat/${player}`]];
  const all = steps ?? (places ? [places] : cell ? [[{ cell }]] : []);
  return all.map((step) => step.map(placeKey));
}

/** The choices that begin with the clicked places. */
export function remaining() {
  const begins = (/** @type {string[][]} */ steps) =>
    state.clicked.every((keys, at) => steps[at]?.some((key) => keys.includes(key)));
  return isLive() ? choices().filter((choice) => begins(stepsOf(choice))) : [];
}

/** The choices that a click on a node with these keys goes on with. @param {string[]} keys */
export const onPlace = (...keys) =>
  remaining().filter((choice) => stepsOf(choice)[state.clicked.length]?.some((key) => keys.includes(key)));

/** The choices whose place is a pile, or a card in it. @param {Pile} pile @param {number | null} at */
export const onPile = ({ id, seat }, at) => onPlace(at === null ? pileKey(id, seat) : cardKey(id, seat, at));

/** The choices whose place is a counter. @param {string} id @param {number | null} seat */
export const onCounter = (id, seat) => onPlace(`counter/${id}/${seat ?? ''}`);

/** Whether a node has been clicked for a choice that names several places. @param {string[]} keys */
export const isClicked = (...keys) => state.clicked.some((click) => keys.some((key) => click.includes(key)));

/** The round's heading, `Round 3 of 5` if the number of rounds is declared. @param {number} number */
export function round(number) {
  const { rounds } = head();
  return rounds ? `Round ${number} of ${rounds}` : `Round ${number}`;
}
