// @ts-check
// Draws piles: cards side by side, in a fan, on a stack, as names or as a number.

import { el } from './dom.js';
import { declaredLook, deck, familyOf } from './deck.js';
import { cardOf } from './card.js';
import { head, onCard, onPile, pileKey } from './state.js';
import { pick } from './question.js';

/** @typedef {import('./protocol').Card} Card */
/** @typedef {import('./protocol').Pile} Pile */

/** Number of cards from which a pile is shown as names. */
const MANY = 12;
/** Number of cards from which a discard pile is folded. */
const FOLDED = 3;
/** Number of cards from which a hand is a fan. */
const FANNED = 4;

/** The opened piles. @type {Set<string>} */
const opened = new Set();

/** Whether a pile shows the face of a card. @param {Pile} pile */
export const isOpen = (pile) => pile.cards.some((card) => card.face);

/** The attributes by which moves of cards find a pile. @param {Pile} pile */
export const placeOf = ({ id, seat, count, cards }) => ({
  'data-pile': `${id}/${seat}`,
  'data-count': count ?? cards.length,
});

/** The section of the content that declares a pile. @param {Pile} pile */
export const sourceOf = (pile) => `zones.${familyOf(pile.id)}`;

/** @param {Pile} pile @returns {import('./look').ZoneLook['show']} */
const showOf = (pile) => declaredLook(deck.look.zones, pile.id)?.show ?? 'auto';

/** Whether the cards of a pile lie apart, also face down. @param {Pile} pile */
export const isApart = (pile) => isOpen(pile) || ['spread', 'column'].includes(showOf(pile));

/** The label of a pile; a button where the pile is a choice. @param {Pile} pile @param {Node[]} parts */
export function labelOf(pile, ...parts) {
  const fits = onPile(pile, null);
  if (fits.length === 0) return [`${pile.label} `, ...parts];
  const key = pileKey(pile.id, pile.seat);
  const mark = el('span', { class: 'mark', 'aria-hidden': 'true' }, '▸ ');
  const props = { type: 'button', class: 'can', 'data-key': key, click: () => pick(fits, key) };
  return [el('button', props, mark, `${pile.label} `, ...parts)];
}

/** @param {Pile} pile @param {boolean} [small] whether the cards are shown as names */
export function drawPile(pile, small = false) {
  const src = sourceOf(pile);
  const count = pile.count === null ? '?' : String(pile.count);
  const title = el('h3', { 'data-src': src }, ...labelOf(pile, el('span', { class: 'count' }, count)));
  const show = showOf(pile);
  if (!isApart(pile) || (show === 'count' && !pile.cards.some((card) => onCard(pile, card).length > 0))) {
    const stack = el('span', { class: 'stack', 'aria-hidden': 'true' });
    return el('section', { class: 'pile deck', 'data-src': src, ...placeOf(pile) }, stack, title);
  }
  const list = drawCards(pile, small ? 'names' : show);
  const folds = show === 'stack' || (show === 'auto' && pile.form === 'discard' && pile.cards.length > FOLDED);
  const isHand = pile.form === 'hand' && pile.seat === head().seat;
  if (!folds) return el('section', { class: isHand ? 'pile hand' : 'pile', ...placeOf(pile) }, title, list);
  return folded(pile, title, list, !small);
}

/**
 * A pile that opens.
 * @param {Pile} pile @param {HTMLElement} title @param {HTMLElement} list @param {boolean} top whether its top is shown
 */
function folded(pile, title, list, top) {
  const key = `open/${pile.id}/${pile.seat}`;
  const details = el(
    'details',
    {
      class: 'pile',
      ...placeOf(pile),
      open: opened.has(key) || pile.cards.some((card) => onCard(pile, card).length > 0),
    },
    el('summary', { 'data-key': key, click: () => opened.delete(key) || opened.add(key) }, title),
    list,
  );
  if (!top || pile.cards.length < 2) return details;
  const at = pile.cards.length - 1;
  const last = cardOf(pile, pile.cards[at], at, false);
  const shown = el('ul', { class: 'cards heaped', 'aria-hidden': 'true', inert: true }, last);
  return el('div', { class: 'topped' }, shown, details);
}

/** @param {Pile} pile @param {import('./look').ZoneLook['show']} show */
function drawCards(pile, show) {
  const auto = show === 'auto';
  const names =
    show === 'names' || (auto && (pile.form === 'discard' || (pile.form === 'pile' && pile.cards.length > MANY)));
  const fan = (show === 'fan' || (auto && pile.form === 'hand')) && pile.cards.length >= FANNED && !names;
  const numbered = pile.cards.map((card, at) => /** @type {const} */ ([card, at]));
  // Show the top card first. In a fan it lies on the others, at the end.
  const cards = !fan && (pile.form === 'discard' || show === 'stack') ? numbered.reverse() : numbered;
  // A shared pile that is no row to choose from lies in one stack.
  const stacked = pile.seat === null && (pile.form === 'discard' || pile.form === 'pile') && pile.cards.length > 1;
  const top = stacked ? pile.cards.length - 1 : -1;
  const list = el(
    'ul',
    { class: names ? 'cards names' : fan ? 'cards fan' : show === 'column' ? 'cards column' : 'cards' },
    ...cards.map(([card, at]) => {
      const marked = at === top ? { ...card, details: [...card.details, 'top'] } : card;
      return cardOf(pile, marked, at, names);
    }),
  );
  if (fan) list.style.setProperty('--many', String(cards.length));
  // A wide fan scrolls; the top of a pile is at its end.
  if (fan && pile.form !== 'hand') requestAnimationFrame(() => (list.scrollLeft = list.scrollWidth));
  return list;
}
