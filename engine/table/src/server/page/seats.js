// @ts-check
// Draws the shared part of the table and the mat of each player.

import { el, get, hue } from './dom.js';
import { face } from './deck.js';
import { boards, choices, head, isLive, piles, rows, shared, target } from './state.js';
import { cardOf, countedCard, openCard, unlimitedCard } from './card.js';
import { drawBoard, isBroad, isOnBoard } from './board.js';
import { iconOf } from './icon.js';
import { pick } from './question.js';

/** @typedef {import('./protocol').Face} Face */
/** @typedef {import('./protocol').Pile} Pile */
/** @typedef {import('./protocol').Row} Row */
/** @typedef {import('./protocol').Seat} Seat */

/** Draws the shared part: boards above this player's mat, cards below it. */
export function drawTable() {
  const all = piles().filter(
    (pile) => pile.seat === null && (pile.count !== 0 || pile.form === 'deck' || pile.form === 'display'),
  );
  const closed = (/** @type {Pile} */ pile) => !pile.cards.some((card) => card.face) || pile.form === 'discard';
  get('table').replaceChildren(
    ...section(
      'boards',
      boards()
        .filter((board) => board.seat === null)
        .map((board) => drawBoard(board)),
    ),
    ...sharedRows(),
  );
  const piled = [
    ...section('piles', [...supply(), ...all.filter((pile) => !closed(pile)).map((pile) => drawPile(pile))]),
    ...section(
      'piles decks',
      all.filter(closed).map((pile) => drawPile(pile)),
    ),
  ];
  get('common').replaceChildren(
    ...(piled.length > 0 ? [el('h2', { class: 'unseen' }, 'Shared cards'), ...piled] : []),
  );
}

/** Cards of unlimited supply that players own as counters: one section per kind. */
function supply() {
  const ids = new Set(
    rows()
      .filter(isCards)
      .flatMap((row) => row.values[0]?.amounts.map((amount) => amount.face) ?? []),
  );
  const faces = [...ids].map(face).filter((of) => of !== undefined);
  return [...new Set(faces.map((of) => of.kind))].map((kind) =>
    el(
      'section',
      { class: 'pile' },
      el('h3', {}, kind),
      el('ul', { class: 'cards' }, ...faces.filter((of) => of.kind === kind).map(unlimitedCard)),
    ),
  );
}

/** @param {string} of @param {Node[]} nodes */
const section = (of, nodes) => (nodes.length > 0 ? [el('div', { class: of }, ...nodes)] : []);

function sharedRows() {
  const list = shared().filter((row) => row.values[0] && row.values[0].text !== '');
  if (list.length === 0) return [];
  return [
    el(
      'dl',
      { class: 'chips shared' },
      ...list.map((row) => chip(row.label, row.values[0].text, hue(row.values[0].colour), row.id)),
    ),
  ];
}

/**
 * Draws a value with its label.
 * @param {string} label
 * @param {string} text
 * @param {string} kind
 * @param {string} id
 * @param {number | string} [seat]
 * @param {Face} [of] the card that the value names
 */
const chip = (label, text, kind, id, seat = '', of = undefined) =>
  el(
    'div',
    { class: `chip ${kind}`, 'data-src': `counters.${id.split('.')[0]}` },
    el('dt', {}, iconOf(id), label),
    el('dd', { 'data-value': `${id}/${label}/${seat}`, 'data-now': text }, of ? explained(of, text, id, seat) : text),
  );

/**
 * A value that opens its card.
 * @param {Face} of
 * @param {string} text
 * @param {string} id
 * @param {number | string} seat
 */
const explained = (of, text, id, seat) =>
  el(
    'button',
    { type: 'button', class: 'value', 'data-key': `value/${id}/${seat}`, click: () => openCard(of) },
    text,
  );

/** The card that a value names, if it says anything. @param {import('./protocol').Value} value */
function namedBy({ amounts: [first, ...more] }) {
  const of = more.length === 0 && first ? face(first.face) : undefined;
  return of && (of.text !== '' || of.facts.length > 0) && first.number === null ? of : undefined;
}

/** The attributes by which moves of cards find a pile. @param {Pile} pile */
const placeOf = ({ id, seat, count, cards }) => ({
  'data-pile': `${id}/${seat}`,
  'data-count': count ?? cards.length,
});

/** @param {Pile} pile @param {boolean} [small] */
function drawPile(pile, small = false) {
  const count = pile.count === null ? '?' : String(pile.count);
  const src = `zones.${pile.id.split('.')[0]}`;
  const title = el('h3', { 'data-src': src }, `${pile.label} `, el('span', { class: 'count' }, count));
  const known = pile.cards.some((card) => card.face);
  if (!known)
    return el(
      'section',
      { class: 'pile deck', 'data-src': src, ...placeOf(pile) },
      el('span', { class: 'stack', 'aria-hidden': 'true' }),
      title,
    );
  const names = small || pile.form === 'discard' || (pile.form === 'pile' && pile.cards.length > 12);
  const numbered = pile.cards.map((card, at) => /** @type {const} */ ([card, at]));
    // Show the top card first.
  const cards = pile.form === 'discard' ? numbered.reverse() : numbered;
  // A shared pile that is no row to choose from lies in one stack.
  const stacked = pile.seat === null && (pile.form === 'discard' || pile.form === 'pile') && pile.cards.length > 1;
  const top = stacked ? pile.cards.length - 1 : -1;
  const list = el(
    'ul',
    { class: names ? 'cards names' : 'cards' },
    ...cards.map(([card, at]) => {
      const marked = at === top ? { ...card, details: [...card.details, 'top'] } : card;
      return cardOf(pile, marked, at, names);
    }),
  );
  if (pile.form !== 'discard' || cards.length <= 3)
    return el('section', { class: 'pile', ...placeOf(pile) }, title, list);
  const key = `open/${pile.id}/${pile.seat}`;
  const details = el(
    'details',
    {
      class: 'pile',
      ...placeOf(pile),
      open: opened.has(key),
      toggle: () => (/** @type {HTMLDetailsElement} */ (details).open ? opened.add(key) : opened.delete(key)),
    },
    el('summary', { 'data-key': key }, title),
    list,
  );
  return details;
}

/** The opened piles. @type {Set<string>} */
const opened = new Set();

/** Draws the players' mats: this player's, then the others in seat order. */
export function drawSeats() {
  const { seats, seat: own } = head();
  const at = Math.max(
    0,
    seats.findIndex((one) => one.seat === own),
  );
  const order = [...seats.slice(at), ...seats.slice(0, at)];
  const [mine, others] = [order.filter((one) => one.seat === own), order.filter((one) => one.seat !== own)];
  get('own').replaceChildren(...mine.map(drawMat));
  get('seats').replaceChildren(...others.map(drawMat));
}

/** @param {Seat} one */
function drawMat(one) {
  const own = one.seat === head().seat;
  const fits = isLive() ? choices().filter((choice) => target(choice).player === one.seat) : [];
  const key = `seat/${one.seat}`;
  const name = [
    one.name,
    own && el('small', {}, 'you'),
    one.turn && el('small', { class: 'turn' }, 'has the turn'),
    !one.is_in && el('small', {}, 'out of the game'),
  ];
  const title =
    fits.length > 0
      ? el(
          'button',
          { type: 'button', class: 'can', 'data-key': key, click: () => pick(fits) },
          el('span', { class: 'mark', 'aria-hidden': 'true' }, '▸ '),
          ...name,
        )
      : el('span', { 'data-key': key }, ...name);
  const piled = piles().filter((pile) => pile.seat === one.seat && pile.count !== 0 && !isOnBoard(pile));
  const backs = piled.filter((pile) => !pile.cards.some((card) => card.face));
  const open = piled.filter((pile) => pile.cards.some((card) => card.face));
  const values = rows()
    .map((row) => /** @type {const} */ ([row, row.values[one.seat]]))
    .filter(([, value]) => value);
  const printed = values.filter(([row]) => isCards(row));
  const chips = values.filter(([row]) => !isCards(row) && (row.score || row.values.some((value) => !value.none)));
  const pictures = boards().filter(
    (board) =>
      board.seat === one.seat && (own || board.cells.some((cell) => cell.cards.length > 0 || cell.words.length > 0)),
  );
  return el(
    'section',
    {
      class: ['mat', own && 'own', pictures.some(isBroad) && 'broad', one.turn && 'turns', hue(one.colour)]
        .filter((name) => name !== false)
        .join(' '),
      'aria-label': one.name,
    },
    el('h2', {}, title),
    el(
      'div',
      { class: 'in' },
      el(
        'dl',
        { class: 'chips' },
        ...chips.map(([row, value]) =>
          chip(
            row.label,
            value.text,
            `${row.score ? 'score ' : ''}${value.none && !row.score ? 'none ' : ''}${hue(value.colour)}`,
            row.id,
            one.seat,
            namedBy(value),
          ),
        ),
        ...backs.map((pile) =>
          el(
            'div',
            { class: 'chip backs', 'data-src': `zones.${pile.id.split('.')[0]}`, ...placeOf(pile) },
            el('dt', {}, pile.label),
            el(
              'dd',
              {},
              el('span', { class: 'tiny', 'aria-hidden': 'true' }),
              pile.count === null ? '?' : String(pile.count),
            ),
          ),
        ),
      ),
      ...section(
        'piles',
        printed
          .filter(([, value]) => !value.none)
          .map(([row, value]) =>
            el(
              'section',
              { class: 'pile' },
              el('h3', { 'data-src': `counters.${row.id.split('.')[0]}` }, row.label),
              el(
                'ul',
                { class: 'cards' },
                ...value.amounts.filter((amount) => amount.number !== 0).map((amount) => countedCard(amount, one.seat)),
              ),
            ),
          ),
      ),
      ...pictures.map((board) => drawBoard(board)),
      ...section(
        'piles',
        open.map((pile) => drawPile(pile, !own)),
      ),
    ),
  );
}

/** Whether the counters of a row count cards, which are then drawn as cards. @param {Row} row */
const isCards = (row) =>
  row.values.every(
    (value) =>
      value.amounts.length > 0 &&
      value.amounts.every((amount) => isPrinted(face(amount.face)) && amount.id.includes('.')),
  );

/** Whether a card has values and a text. @param {import('./protocol').Face | undefined} of */
const isPrinted = (of) => of !== undefined && of.text !== '' && of.facts.length > 0;
