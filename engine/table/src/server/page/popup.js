// @ts-check
// Faces of cards on a page of figures: an element with `data-kind` names a card of that kind, and a click shows it.

import { el, get } from './dom.js';
import { deck, kindOf, setDeck } from './deck.js';
import { drawFace, layout, stripe } from './face.js';

/** @typedef {import('./protocol').Face} Face */

const data = JSON.parse(get('faces').textContent ?? '');
setDeck(data);

const style = el('style', {}, data.style);
const place = el('div', { class: 'place' });
const host = el('div');
host.attachShadow({ mode: 'open' }).append(style, place);
const dialog = /** @type {HTMLDialogElement} */ (el('dialog', { id: 'face', closedby: 'any' }, host));
document.body.append(dialog);

/** @param {Face} of */
function open(of) {
  place.replaceChildren(el('div', { class: `card ${layout(of)} ${stripe(of)}` }, ...drawFace(of, of.name)));
  dialog.setAttribute('aria-label', of.name);
  dialog.showModal();
}

for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-kind]'))) {
  const name = node.textContent;
  const named = [...deck.faces.values()].filter((one) => one.name === name);
  // An action has the kind of its prompt: it opens the only card of its name.
  const only = named.length === 1 ? named[0] : undefined;
  const of = named.find((one) => kindOf(one) === node.dataset.kind) ?? only;
  if (of) node.replaceChildren(el('button', { type: 'button', class: 'card', click: () => open(of) }, name));
}
