// @ts-check
// Draws cards, small or full.

import { el, get, hue } from './dom.js';
import { iconOf, withIcons } from './icon.js';
import { picture } from './picture.js';
import { choices, face, isLive, onCard, state } from './state.js';
import { peek, pick } from './question.js';

/** @typedef {import('./protocol').Face} Face */

/** Text length in letters from which a card is drawn broad. */
const LONG = 170;
/** Number of stripe colours for kinds of cards. */
const STRIPES = 8;

/** The stripe class of a card's kind. @param {Face | undefined} of */
export function stripe(of) {
  const colour = hue(lookOf(of)?.colour);
  return colour ? `k${colour}` : `k${orderOf(of) % STRIPES}`;
}

/** The place of a card's kind among the kinds. @param {Face | undefined} of */
const orderOf = (of) => Math.max(0, state.kinds.indexOf(of?.id.split('.')[0] ?? ''));

/** The declared face of a card's kind. @param {Face | undefined} of */
const lookOf = (of) => state.skeleton?.look.kinds[of?.id.split('.')[0] ?? ''];

/** Draws the top of a card: its name, the fact in its corner, and its picture. @param {Face} of @param {...any} name */
function top(of, ...name) {
  const corner = cornerOf(of);
  return [
    el(
      'span',
      { class: 'head' },
      el('span', { class: 'name' }, ...name),
      corner && el('span', { class: 'corner', title: corner.label }, iconOf(corner.of), bare(corner.value)),
    ),
    picture(of.id, lookOf(of), orderOf(of)),
  ];
}

/** The fact in the corner of a card. @param {Face} of */
const cornerOf = (of) => of.facts.find((fact) => fact.of === lookOf(of)?.corner);

/** A value without its unit, where an icon shows the unit: `3` of `3 gold`. @param {string} value */
const bare = (value) => /^\d+/.exec(value)?.[0] ?? value;

/**
 * Draws the facts and the text of a card.
 * @param {Face | undefined} of
 * @returns {(Node | false)[]}
 */
export function printed(of) {
  if (!of) return [];
  const corner = cornerOf(of);
  const facts = of.facts
    .filter((fact) => fact !== corner)
    .map((fact) =>
      el(
        'span',
        { class: 'fact' },
        iconOf(fact.of),
        fact.label && el('span', {}, fact.label),
        fact.label && fact.value && ' ',
        fact.value && el('b', {}, ...withIcons(fact.value)),
      ),
    );
  return [
    facts.length > 0 && el('span', { class: 'facts' }, ...facts),
    of.text !== '' && el('span', { class: 'text' }, ...withIcons(of.text)),
  ];
}

/** The whole printed text of a card in one line. @param {Face} of */
export const cardLine = (of) =>
  [of.name, ...of.facts.map((fact) => `${fact.label} ${fact.value}`.trim()), of.text].filter(Boolean).join(' · ');

/**
 * Draws a card of a pile. A click chooses it or opens it.
 * @param {import('./protocol').Pile} pile
 * @param {import('./protocol').Card} card
 * @param {number} at
 * @param {boolean} small only the name
 */
export function cardOf(pile, card, at, small) {
  const of = face(card.face);
  if (!card.face || !of) {
    return el(
      'li',
      {},
      el(
        'span',
        { class: 'card back' },
        el('span', { class: 'name' }, card.name || 'face down'),
        ...card.details.map((detail) => el('span', { class: 'detail' }, detail)),
      ),
    );
  }
  const fits = onCard(pile, card);
  const props = {
    'data-key': `card/${pile.id}/${pile.seat}/${at}`,
    class: `card ${stripe(of)}${small ? ' small' : ''}${fits.length > 0 ? ' can' : ''}`,
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
 * Draws cards that exist only as a count.
 * @param {import('./protocol').Amount} amount
 * @param {number} seat
 */
export function countedCard(amount, seat) {
  const of = /** @type {Face} */ (face(amount.face));
  const props = {
    'data-key': `counted/${amount.id}/${seat}`,
    class: `card ${stripe(of)}`,
    'data-src': of.id,
    click: () => openCard(of),
  };
  return el(
    'li',
    {},
    button(of, props, amount.number === 1 ? of.name : `${of.name} ×${amount.text}`, false, false, []),
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
    class: `card ${stripe(of)}${fits.length > 0 ? ' can' : ''}`,
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
      : [...top(of, can && mark(), name), ...printed(of)]),
    ...details.map((detail) => el('span', { class: 'detail' }, detail)),
  );

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
    ...[picture(of.id, lookOf(of), orderOf(of)), ...printed(of)].filter((part) => part instanceof Node),
    close,
  );
  dialog.showModal();
}
