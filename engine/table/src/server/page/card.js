// @ts-check
// Draws cards, small or full.

import { el, get } from './dom.js';
import { face } from './deck.js';
import { cardLine, drawFace, layout, pictureOf, printed, stripe } from './face.js';
import { cardKey, choices, isClicked, isLive, onCard, onCounter, onPile, state } from './state.js';
import { peek, pick, unpick } from './question.js';

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
  const key = cardKey(pile.id, pile.seat, at);
  const clicked = isClicked(key);
  const can = fits.length > 0 ? ' can' : clicked ? ' clicked' : '';
  const props = {
    'data-key': key,
    class: `card ${layout(of)} ${stripe(of)}${small ? ' small' : ''}${can}`,
    'data-src': of.id,
    click: () => (fits.length > 0 ? pick(fits, key) : clicked ? unpick() : openCard(of)),
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
  const key = cardKey(id, seat, at);
  const props = {
    type: 'button',
    'data-key': key,
    click: () => pick(fits, key),
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
    click: () => (can ? pick(fits, `counter/${amount.id}/${seat}`) : openCard(of)),
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
  const fits = isLive() && state.clicked.length === 0
    ? choices().filter((choice) => choice.face === of.id && choice.on === 'nothing')
    : [];
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
