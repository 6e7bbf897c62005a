// @ts-check
// What the table has told this browser. Shapes: protocol.d.ts, which is made of the types in Rust.

/** @typedef {import('./protocol').Skeleton} Skeleton */
/** @typedef {import('./protocol').Face} Face */
/** @typedef {import('./protocol').Card} Card */
/** @typedef {import('./protocol').Pile} Pile */
/** @typedef {import('./protocol').Board} Board */
/** @typedef {import('./protocol').ChoiceView} Choice */
/** @typedef {import('./protocol').Line} Line */
/** @typedef {import('./protocol').Request} Request */
/** @typedef {import('./protocol').Place} Place */
/** @typedef {import('./protocol').Estimated} Estimate */
/** @typedef {import('./protocol').View} View */
/** @typedef {import('./protocol').On} On */
/**
 * @typedef {{
 *   outcome: {scores: number[], ranks: number[], rounds: number, reason: string, won?: boolean},
 *   players: string[],
 *   parts: [string, number[]][],
 * }} Ending
 */

export const state = {
  /** @type {Skeleton | null} */
  skeleton: null,
  /** @type {Map<string, Face>} */
  faces: new Map(),
  /** Kinds of cards, in their order. @type {string[]} */
  kinds: [],
  /** @type {View} */
  view: {
    seat: 0,
    round: 0,
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
  for (const list of /** @type {const} */ (['rows', 'shared']))
    if (patch[list]) view[list] = put(view[list], patch[list], (row) => `${row.id}/${row.label}`);
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
/**
 * What a choice acts on: one of these, or none.
 * @param {Choice} choice
 * @returns {{player?: number, card?: Extract<On, {card: any}>['card'], cell?: Extract<On, {cell: any}>['cell']}}
 */
export const target = (choice) => (typeof choice.on === 'object' && !('number' in choice.on) ? choice.on : {});
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

/** The choices that act on a cell. @param {Board} board @param {string} id */
export function onCell(board, id) {
  if (!live()) return [];
  return choices().filter((choice) => {
    const on = target(choice).cell;
    return on && on.board === board.id && on.cell === id && on.seat === board.seat;
  });
}

/** `Round 3 of 5`, where there always are as many. @param {number} number */
export function round(number) {
  const rounds = state.skeleton?.rounds;
  return rounds ? `Round ${number} of ${rounds}` : `Round ${number}`;
}
