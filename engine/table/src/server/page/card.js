// @ts-check
// Draws cards, small or full.

import { el, get } from './dom.js';
import { face } from './deck.js';
import { cardLine, drawFace, layout, pictureOf, printed, stripe } from './face.js';
import { choices, isLive, onCard, onCounter, onPile } from './state.js';
import { peek, pick } from './question.js';

/** @typedef {import('./protocol').Face} Face */

/** Text length in letters from which a card is drawn broad. */
const LONG = 170;
/**
 * Draws a card of a pile. A click chooses it or opens it.
 * @param {import('./protocol').Pile} pile
 * @param {import('./protocol').Card} card
 * @param {number} at
 * @param {boolean} small only the name
 */
export function cardOf(pile, card, at, small) {
  const of = face(card.face);
  const here = onPile(pile, at);
  if (!card.face || !of) return back(pile, card, at, here);
  const fits = [...here, ...onCard(pile, card)];
  const props = {
    'data-key': `card/${pile.id}/${pile.seat}/${at}`,
    class: `card ${layout(of)} ${stripe(of)}${small ? ' small' : ''}${fits.length > 0 ? ' can' : ''}`,
    'data-src': of.id,
    click: () => (fits.length > 0 ? pick(fits) : openCard(of)),
    mouseenter: () => peek(fits),
    focus: () => peek(fits),
    mouseleave: () => peek([]),
    title: small ? cardLine(of) : null,
  };
  return el(
    'li',
    { class: of.text.length > LONG && !small ? 'long' : '' },
    button(of, props, card.name, fits.length > 0, small, card.details),
  );
}

/**
 * Draws the back of a card. A click chooses it.
 * @param {import('./protocol').Pile} pile @param {import('./protocol').Card} card
 * @param {number} at @param {import('./protocol').ChoiceView[]} fits
 */
function back({ id, seat }, card, at, fits) {
  const can = fits.length > 0;
  const props = {
    type: 'button',
    'data-key': `card/${id}/${seat}/${at}`,
    click: () => pick(fits),
    mouseenter: () => peek(fits),
    mouseleave: () => peek([]),
  };
  const parts = [
    el('span', { class: 'name' }, can && mark(), card.name || 'face down'),
    ...card.details
      .filter((detail) => card.name !== '' || detail !== 'face down')
      .map((detail) => el('span', { class: 'detail' }, detail)),
  ];
  const drawn = can
    ? el('button', { class: 'card back can', ...props }, ...parts)
    : el('span', { class: 'card back' }, ...parts);
  return el('li', {}, drawn);
}

/**
 * Draws cards that exist only as a count.
 * @param {import('./protocol').Amount} amount
 * @param {number} seat
 */
export function countedCard(amount, seat) {
  const of = /** @type {Face} */ (face(amount.face));
  const fits = onCounter(amount.id, seat);
  const can = fits.length > 0;
  const props = {
    'data-key': `counted/${amount.id}/${seat}`,
    class: `card ${layout(of)} ${stripe(of)}${can ? ' can' : ''}`,
    'data-src': of.id,
    click: () => (can ? pick(fits) : openCard(of)),
  };
  return el(
    'li',
    {},
    button(of, props, amount.number === 1 ? of.name : `${of.name} ×${amount.text}`, can, false, []),
  );
}

/**
 * Draws a card of unlimited supply. A click chooses it or opens it.
 * @param {Face} of
 */
export function unlimitedCard(of) {
  const fits = isLive() ? choices().filter((choice) => choice.face === of.id && choice.on === 'nothing') : [];
  const props = {
    'data-key': `endless/${of.id}`,
    class: `card ${layout(of)} ${stripe(of)}${fits.length > 0 ? ' can' : ''}`,
    'data-src': of.id,
    click: () => (fits.length > 0 ? pick(fits) : openCard(of)),
  };
  return el(
    'li',
    { class: of.text.length > LONG ? 'long' : '' },
    button(of, props, of.name, fits.length > 0, false, []),
  );
}

/** The mark of a card that can be chosen. */
const mark = () => el('span', { class: 'mark', 'aria-hidden': 'true' }, '▸ ');

/**
 * @param {Face} of
 * @param {Record<string, any>} props
 * @param {string} name
 * @param {boolean} can
 * @param {boolean} small
 * @param {string[]} details
 */
const button = (of, props, name, can, small, details) =>
  el(
    'button',
    { type: 'button', ...props },
    ...(small
      ? [el('span', { class: 'name' }, can && mark(), name)]
      : drawFace(of, can && mark(), name)),
    ...details.map((detail) => el('span', { class: 'detail' }, detail)),
  );

/** The tools for a card in its dialog. @type {(of: Face) => Node[]} */
let cardTools = () => [];

/** @param {(of: Face) => Node[]} how */
export function setCardTools(how) {
  cardTools = how;
}

/**
 * Opens a card in a dialog.
 * @param {Face} of
 */
export function openCard(of) {
  const dialog = /** @type {HTMLDialogElement} */ (get('card'));
  const close = el('button', { type: 'button', class: 'plain', click: () => dialog.close() }, 'Close');
  dialog.replaceChildren(
    el('p', { class: 'kind' }, of.kind),
    el('h2', {}, of.name),
    ...[pictureOf(of), ...printed(of, true)].filter((part) => part !== null),
    el('div', { class: 'row' }, close, ...cardTools(of)),
  );
  if (!dialog.open) dialog.showModal();
}
