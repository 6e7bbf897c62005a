// @ts-check
// What lies on the table, and what the players have.

import { el, hue } from './dom.js';
import { boards, choices, head, live, piles, rows, seatOf, shared } from './state.js';
import { cardOf } from './card.js';
import { drawBoard } from './board.js';
import { pick } from './question.js';

/** @typedef {import('./state.js').Pile} Pile */

/** Boards, displays and piles; those of the own seat before those of others. @param {HTMLElement} place */
export function drawTable(place) {
  const { seat } = head();
  const own = (/** @type {number | null} */ whose) => (whose === null ? 0 : whose === seat ? 1 : 2);
  const pictures = boards().slice().sort((a, b) => own(a.seat) - own(b.seat));
  const [mine, others] = [pictures.filter((board) => own(board.seat) < 2), pictures.filter((board) => own(board.seat) === 2)];
  const all = piles().filter((pile) => pile.count !== 0 || pile.form === 'deck' || pile.form === 'display');
  place.replaceChildren(
    ...some('boards', mine.map((board) => drawBoard(board))),
    ...sharedRows(),
    ...some('piles', all.filter((pile) => own(pile.seat) === 0).map((pile) => drawPile(pile))),
    ...some('piles own', all.filter((pile) => pile.seat === seat).map((pile) => drawPile(pile))),
    ...some('boards others', others.map((board) => drawBoard(board))),
    ...some('piles others', all.filter((pile) => own(pile.seat) === 2 && pile.cards.some((card) => card.face)).map((pile) => drawPile(pile, true))),
  );
}

/** @param {string} of @param {Node[]} nodes */
const some = (of, nodes) => (nodes.length > 0 ? [el('div', { class: of }, ...nodes)] : []);

function sharedRows() {
  const list = shared().filter((row) => row.values[0] && row.values[0].text !== '');
  if (list.length === 0) return [];
  return [el('dl', { class: 'shared' }, ...list.map((row) => el('div', {}, el('dt', {}, row.label), el('dd', { class: hue(row.values[0].colour) }, row.values[0].text))))];
}

/** @param {Pile} pile @param {boolean} [small] */
function drawPile(pile, small = false) {
  const whose = pile.seat === null || pile.seat === head().seat ? '' : ` of ${seatOf(pile.seat)?.name ?? ''}`;
  const count = pile.count === null ? '?' : String(pile.count);
  const title = el('h3', {}, `${pile.label}${whose} `, el('span', { class: 'count' }, count));
  const known = pile.cards.some((card) => card.face);
  if (!known) return el('section', { class: 'pile stack' }, title);
  const names = small || pile.form === 'discard' || (pile.form === 'pile' && pile.cards.length > 12);
  // The last card lies on top.
  const cards = pile.form === 'discard' ? pile.cards.map((card, at) => /** @type {const} */ ([card, at])).reverse() : pile.cards.map((card, at) => /** @type {const} */ ([card, at]));
  return el('section', { class: 'pile' }, title, el('ul', { class: names ? 'cards names' : 'cards' }, ...cards.map(([card, at]) => cardOf(pile, card, at, names))));
}

/** What the players have. @param {HTMLElement} place */
export function drawSeats(place) {
  const { seats, seat: own } = head();
  const name = (/** @type {import('./state.js').Seat} */ one) => {
    const text = `${one.turn ? '▸ ' : ''}${one.name}${one.seat === own ? ' (you)' : ''}`;
    const fits = live() ? choices().filter((choice) => typeof choice.on === 'object' && choice.on.player === one.seat) : [];
    const inside = fits.length > 0 ? el('button', { type: 'button', class: 'can', 'data-key': `seat/${one.seat}`, click: () => pick(fits) }, text) : el('span', {}, text);
    return el('th', { scope: 'col', class: `${hue(one.colour)}${one.turn ? ' turn' : ''}${one.is_in ? '' : ' out'}` }, inside);
  };
  const hands = new Map();
  const used = new Set(piles().filter((pile) => pile.count !== 0).map((pile) => pile.id));
  for (const pile of piles()) {
    if (!used.has(pile.id) || pile.seat === null || pile.count === null) continue;
    const row = hands.get(pile.id) ?? { label: pile.label, counts: new Map() };
    row.counts.set(pile.seat, pile.count);
    hands.set(pile.id, row);
  }
  const counters = rows().map((row) => el('tr', { class: row.score ? 'score' : '' }, el('th', { scope: 'row' }, row.label), ...row.values.map((value) => el('td', { class: `${hue(value.colour)}${value.none ? ' none' : ''}` }, value.text))));
  const cards = [...hands.values()].map((row) => el('tr', {}, el('th', { scope: 'row' }, row.label), ...seats.map((one) => el('td', {}, row.counts.has(one.seat) ? `${row.counts.get(one.seat)}` : '–'))));
  place.replaceChildren(el('div', { class: 'scroll', 'data-scroll': 'seats', tabindex: 0, role: 'group', 'aria-label': 'What the players have' }, el('table', {}, el('thead', {}, el('tr', {}, el('td', {}), ...seats.map(name))), el('tbody', {}, ...counters, ...cards))));
}
