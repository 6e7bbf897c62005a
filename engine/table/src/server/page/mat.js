// @ts-check
// Draws the mat of each player.

import { el, get, hue } from './dom.js';
import { boards, head, onCounter, onPile, onPlace, piles, rows, state } from './state.js';
import { countedCard } from './card.js';
import { drawBoard, isBroad, isOnBoard } from './board.js';
import { drawPile, isOpen, labelOf, placeOf, sourceOf } from './pile.js';
import { pick } from './question.js';
import { areaNames, areaOf } from './places.js';
import { drawValue, isCards, namedBy, sourceOf as counterSource } from './value.js';
import { cardLine } from './face.js';

/** @typedef {import('./protocol').Pile} Pile */
/** @typedef {import('./protocol').Seat} Seat */

/** Draws this player's mat, then the others in seat order. */
export function drawMats() {
  const { seats, seat: own } = head();
  const at = Math.max(
    0,
    seats.findIndex((one) => one.seat === own),
  );
  const order = [...seats.slice(at), ...seats.slice(0, at)];
  const [mine, others] = [order.filter((one) => one.seat === own), order.filter((one) => one.seat !== own)];
  const areas = areaNames();
  get('own').replaceChildren(...mine.map((one) => drawMat(one, areas)));
  get('others').replaceChildren(...others.map((one) => drawMat(one, areas)));
}

/** @param {Seat} one @param {Set<string>} areas the zones and grids with an area of their own */
function drawMat(one, areas) {
  const own = one.seat === head().seat;
  const isHere = (/** @type {Pile} */ pile) =>
    pile.seat === one.seat &&
    (pile.count !== 0 || onPile(pile, null).length > 0) &&
    !isOnBoard(pile) &&
    !areaOf(pile, areas);
  const piled = piles().filter(isHere);
  const pictures = boards().filter(
    (board) =>
      board.seat === one.seat &&
      !areaOf(board, areas) &&
      (own || board.cells.some((cell) => cell.cards.length > 0 || cell.words.length > 0)),
  );
  const of = ['mat', own && 'own', pictures.some(isBroad) && 'broad', one.turn && 'turns', hue(one.colour)];
  return el(
    'section',
    { class: of.filter((name) => name !== false).join(' '), 'aria-label': one.name },
    el('h2', {}, title(one, own)),
    el(
      'div',
      { class: 'in' },
      ...drawValues(one, piled),
      ...pictures.map((board) => drawBoard(board)),
      ...list(handFirst(piled.filter(isOpen)).map((pile) => drawPile(pile, !own))),
    ),
  );
}

/** The hand before other piles, whose size changes more often. @param {Pile[]} some */
const handFirst = (some) => [
  ...some.filter((pile) => pile.form === 'hand'),
  ...some.filter((pile) => pile.form !== 'hand'),
];

/** The name of a seat; a button where it is a choice. @param {Seat} one @param {boolean} own */
function title(one, own) {
  const key = `seat/${one.seat}`;
  const fits = onPlace(key);
  const name = [
    one.name,
    own && el('small', {}, 'you'),
    one.turn && el('small', { class: 'turn' }, own ? 'have the turn' : 'has the turn'),
    state.away.includes(one.seat) && el('small', { class: 'away' }, 'away'),
    !one.is_in && el('small', {}, 'out of the game'),
  ];
  if (fits.length === 0) return el('span', { 'data-key': key }, ...name);
  const mark = el('span', { class: 'mark', 'aria-hidden': 'true' }, '▸ ');
  return el('button', { type: 'button', class: 'can', 'data-key': key, click: () => pick(fits, key) }, mark, ...name);
}

/**
 * Draws the counters of a seat, its hidden piles, and the cards that it owns as counters.
 * @param {Seat} one
 * @param {Pile[]} piled
 */
function drawValues(one, piled) {
  const values = rows()
    .map((row) => /** @type {const} */ ([row, row.values[one.seat]]))
    .filter(([, value]) => value);
  const printed = values.filter(([row, value]) => isCards(row) && !value.none);
  const isZero = (/** @type {import('./protocol').Row} */ row) => !row.score && row.values.every(({ none }) => none);
  const isShown = (/** @type {import('./protocol').Row} */ row) =>
    row.score || (one.is_in && !row.held && !isZero(row));
  const chips = values.filter(
    ([row, value]) => !isCards(row) && (!value.none || isShown(row) || isChosen(value, one.seat)),
  );
  const zero = one.seat === head().seat ? rows().filter((row) => !isCards(row) && isZero(row)) : [];
  const backs = piled.filter((pile) => !isOpen(pile));
  const counted = printed.map(([row, value]) =>
    el(
      'section',
      { class: 'pile' },
      el('h3', { 'data-src': counterSource(row) }, row.label),
      el(
        'ul',
        { class: 'cards' },
        ...value.amounts.filter((amount) => amount.number !== 0).map((amount) => countedCard(amount, one.seat)),
      ),
    ),
  );
  return [
    el(
      'dl',
      { class: 'chips' },
      ...chips.map(([row, value]) => drawValue(row, value, one.seat)),
      ...backs.map(drawBacks),
    ),
    ...(one.seat === head().seat ? chips.flatMap(([, value]) => meaning(namedBy(value))) : []),
    ...(zero.length > 0 ? [el('p', { class: 'zero' }, `Zero for all: ${zero.map(named).join(', ')}`)] : []),
    ...list(counted),
  ];
}

/**
 * The text of the card that is the value of a counter, unless it lies on the table.
 * @param {import('./protocol').Face | undefined} of
 */
function meaning(of) {
  const lies = (/** @type {Pile} */ { seat, cards }) => seat === null && cards.some(({ face }) => face === of?.id);
  if (!of || piles().some(lies)) return [];
  return [el('p', { class: 'zero' }, el('b', {}, of.name), ` – ${cardLine({ ...of, name: '' })}`)];
}

/** The label of a row within a sentence. @param {import('./protocol').Row} row */
const named = ({ label }) => label.replace(/^\p{Lu}(?=\p{Ll}| )/u, (letter) => letter.toLowerCase());

/** Whether a counter of a value can be chosen. @param {import('./protocol').Value} value @param {number} seat */
const isChosen = ({ amounts }, seat) => amounts.some(({ id }) => onCounter(id, seat).length > 0);

/** Draws a hidden pile as its number of cards. @param {Pile} pile */
function drawBacks(pile) {
  const count = pile.count === null ? '?' : String(pile.count);
  return el(
    'div',
    { class: 'chip backs', 'data-src': sourceOf(pile), ...placeOf(pile) },
    el('dt', {}, pile.label),
    el('dd', {}, el('span', { class: 'tiny', 'aria-hidden': 'true' }), count),
  );
}

/** @param {Node[]} nodes */
const list = (nodes) => (nodes.length > 0 ? [el('div', { class: 'piles' }, ...nodes)] : []);
