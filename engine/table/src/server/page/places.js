// @ts-check
// Draws the shared part of the table, and lays the areas of the table where the game declares them.

import { el, get } from './dom.js';
import { deck, face, familyOf } from './deck.js';
import { boards, head, onPile, piles, rows, shared } from './state.js';
import { unlimitedCard } from './card.js';
import { drawBoard, isOnBoard, widthOf } from './board.js';
import { drawPile, isApart } from './pile.js';
import { drawValue, isCards } from './value.js';

/** @typedef {import('./protocol').Board} Board */
/** @typedef {import('./protocol').Pile} Pile */

/** The parts of every table, from top to bottom. */
const PARTS = ['boards', 'values', 'own', 'cards', 'others'];
/** Widest boards, in half cells, that leave half or a third of a wide screen. */
const [HALF, THIRD] = [20, 26];

/** Areas of a wide screen without declared ones, if the boards leave room beside them. @param {string[]} boards */
const beside = (boards) => [
  [...boards, 'own'],
  [...boards.map(() => 'values'), 'own'],
  [...boards, 'own'].map(() => 'cards'),
  [...boards, 'own'].map(() => 'others'),
];

/** Whether the screen is narrow. */
export const narrow = matchMedia('(max-width: 60rem)');

/** Draws the shared part: boards, counters and cards of the game. */
export function drawPlaces() {
  const areas = layOut();
  const isHere = (/** @type {{seat: number | null}} */ { seat }) => seat === null || seat === head().seat;
  const isDrawn = (/** @type {Pile} */ pile) =>
    !isOnBoard(pile) && (pile.count !== 0 || pile.form === 'deck' || pile.form === 'display');
  const drawn = boards().filter(isHere);
  const piled = piles().filter((pile) => isHere(pile) && isDrawn(pile));
  for (const [name, area] of areas) {
    const here = [
      ...list('boards', drawn.filter((board) => areaOf(board, areas) === name).map((board) => drawBoard(board))),
      ...drawPiles(piled.filter((pile) => areaOf(pile, areas) === name)),
    ];
    area.replaceChildren(...here);
  }
  const isRest = (/** @type {Pile | Board} */ one) => one.seat === null && !areaOf(one, areas);
  const rest = drawn.filter(isRest).map((board) => drawBoard(board));
  get('boards').replaceChildren(...list('boards', rest));
  get('values').replaceChildren(...drawShared());
  const cards = [...supply(), ...drawPiles(piled.filter(isRest))];
  const title = el('h2', { class: 'unseen' }, 'Shared cards');
  get('cards').replaceChildren(...(cards.length > 0 ? [title, ...cards] : []));
}

/** The areas of the screen as it is now, row by row. */
function rowsOfAreas() {
  const { wide, narrow: slim } = deck.look.table;
  if (narrow.matches) return slim;
  if (wide.length > 0) return wide;
  const widths = boards().filter((board) => board.seat === null).map(widthOf);
  const widest = Math.max(...widths);
  if (widths.length === 0 || widest > THIRD) return [];
  return beside(widest > HALF ? ['boards', 'boards'] : ['boards']);
}

/** The names of the zones and grids that have an area of their own. @returns {Set<string>} */
export const areaNames = () => new Set(rowsOfAreas().flat().filter((name) => !PARTS.includes(name)));

/**
 * The area of its own that a pile or a board of the game or of this player has.
 * @param {Pile | Board} one
 * @param {{has: (name: string) => boolean}} areas
 */
export function areaOf({ id, seat }, areas) {
  if (seat !== null && seat !== head().seat) return undefined;
  return [id, familyOf(id)].find((name) => areas.has(name));
}

/** Lays the areas out; returns those of single grids and zones. @returns {Map<string, HTMLElement>} */
function layOut() {
  const left = get('left');
  const grid = rowsOfAreas();
  const text = grid.map((row) => `"${row.join(' ')}"`).join(' ');
  if (left.style.gridTemplateAreas !== text) {
    left.style.gridTemplateAreas = text;
    left.style.gridTemplateColumns = `repeat(${grid[0]?.length ?? 1}, minmax(0, 1fr))`;
  }
  const named = [...new Set(grid.flat())];
  for (const part of PARTS) get(part).style.gridArea = named.includes(part) ? part : '';
  const single = named.filter((name) => !PARTS.includes(name));
  for (const node of [...left.querySelectorAll(':scope > .single')])
    if (!single.includes(node.id.replace('area-', ''))) node.remove();
  return new Map(
    single.map((name) => {
      const known = document.getElementById(`area-${name}`);
      if (known) return [name, known];
      const area = el('section', { id: `area-${name}`, class: 'single' });
      area.style.gridArea = name;
      left.append(area);
      return [name, area];
    }),
  );
}

/** Draws open piles, then decks and discards. @param {Pile[]} some */
function drawPiles(some) {
  const closed = (/** @type {Pile} */ pile) => !isApart(pile) || pile.form === 'discard';
  return [
    ...list('piles', some.filter((pile) => !closed(pile)).map((pile) => drawPile(pile))),
    ...list('piles decks', some.filter(closed).map((pile) => drawPile(pile))),
  ];
}

/** Draws the counters of the game. */
function drawShared() {
  const some = shared().filter((row) => row.values[0] && row.values[0].text !== '');
  if (some.length === 0) return [];
  return [el('dl', { class: 'chips shared' }, ...some.map((row) => drawValue(row, row.values[0], '')))];
}

/** Cards of unlimited supply that players own as counters: one section per kind. */
function supply() {
  const ids = new Set(
    rows()
      .filter(isCards)
      .flatMap((row) => row.values[0]?.amounts.map((amount) => amount.face) ?? []),
  );
  const faces = [...ids].map(face).filter((of) => of !== undefined);
  const sections = [...new Set(faces.map((of) => of.kind))].map((kind) =>
    el(
      'section',
      { class: 'pile' },
      el('h3', {}, kind),
      el('ul', { class: 'cards' }, ...faces.filter((of) => of.kind === kind).map(unlimitedCard)),
    ),
  );
  return list('piles', sections);
}

/** @param {string} of @param {Node[]} nodes */
const list = (of, nodes) => (nodes.length > 0 ? [el('div', { class: of }, ...nodes)] : []);
