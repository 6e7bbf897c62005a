// @ts-check
// Cards, small and whole.

import { el, get } from './dom.js';
import { face, onCard } from './state.js';
import { pick } from './question.js';

/** @typedef {import('./state.js').Face} Face */

/**
 * What is printed on a card below its name.
 * @param {Face | undefined} of
 * @returns {(Node | false)[]}
 */
export function printed(of) {
  if (!of) return [];
  const facts = of.facts.map((fact) => el('span', { class: 'fact' }, fact.label && el('span', {}, fact.label), fact.label && fact.value && ' ', fact.value && el('b', {}, fact.value)));
  return [facts.length > 0 && el('span', { class: 'facts' }, ...facts), of.text !== '' && el('span', { class: 'text' }, of.text)];
}

/**
 * A card of a pile: it is chosen, or shown whole.
 * @param {import('./state.js').Pile} pile
 * @param {import('./state.js').Card} card
 * @param {number} at
 * @param {boolean} small only the name
 */
export function cardOf(pile, card, at, small) {
  const of = face(card.face);
  if (!card.face || !of) {
    return el('li', { class: 'card back' }, el('span', { class: 'name' }, card.name || 'face down'), ...card.details.map((detail) => el('span', { class: 'detail' }, detail)));
  }
  const fits = onCard(pile, card);
  const key = `card/${pile.id}/${pile.seat}/${at}`;
  const act = () => (fits.length > 0 ? pick(fits) : whole(of));
  const button = el(
    'button',
    { type: 'button', 'data-key': key, class: `card${small ? ' small' : ''}${fits.length > 0 ? ' can' : ''}`, click: act },
    el('span', { class: 'name' }, fits.length > 0 && el('span', { class: 'mark', 'aria-hidden': 'true' }, '▸ '), card.name),
    ...(small ? [] : printed(of)),
    ...card.details.map((detail) => el('span', { class: 'detail' }, detail)),
  );
  if (small || fits.length > 0) button.setAttribute('title', [of.name, ...of.facts.map((fact) => `${fact.label} ${fact.value}`.trim()), of.text].filter(Boolean).join(' · '));
  return el('li', {}, button);
}

/**
 * Shows a card whole.
 * @param {Face} of
 */
export function whole(of) {
  const dialog = /** @type {HTMLDialogElement} */ (get('card'));
  const close = el('button', { type: 'button', class: 'plain', click: () => dialog.close() }, 'Close');
  dialog.replaceChildren(el('p', { class: 'kind' }, of.kind), el('h2', {}, of.name), ...printed(of).filter((part) => part !== false), close);
  dialog.showModal();
}
