// @ts-check
// The view that the address names besides the table: `#t=…&gallery=`, `&card=tools.drill`, `&rule=P-12`.

import { el } from './dom.js';

const parameters = () => new URLSearchParams(location.hash.slice(1));

/** The dialogs with an address: the id of the dialog, and the name of its parameter. */
const VIEWS = /** @type {const} */ ([['card', 'card'], ['rules', 'rule'], ['gallery', 'gallery']]);

/** @typedef {'card' | 'rule' | 'gallery'} Name */

/** The address of a view; without a name, of the table. @param {Name} [name] @param {string} [value] */
function link(name, value = '') {
  const token = parameters().get('t') ?? '';
  return `#t=${encodeURIComponent(token)}${name ? `&${name}=${encodeURIComponent(value)}` : ''}`;
}

/** Puts a view into the address. @param {Name} name @param {string} [value] */
export function enter(name, value = '') {
  const to = link(name, value);
  if (location.hash !== to) history.pushState(null, '', to);
}

/** @type {Partial<Record<Name, (value: string) => void>>} */
const openers = {};

/** Draws a link to a view.
 * @param {Name} name @param {string} value @param {string} text @param {string} [of] its class */
export function linkTo(name, value, text, of = '') {
  const go = () => {
    enter(name, value);
    follow();
  };
  const props = { type: 'button', role: 'link', class: `to ${of}`, 'data-to': `${name}/${value}`, click: go };
  return el('button', props, text);
}

/** Sets how a view is opened, and removes it from the address when its dialog is closed.
 * @param {Name} name @param {(value: string) => void} open */
export function setView(name, open) {
  openers[name] = open;
  const [id] = VIEWS.find(([, of]) => of === name) ?? [name];
  document.getElementById(id)?.addEventListener('close', () => {
    const below = VIEWS.find(([other]) => /** @type {HTMLDialogElement} */ (document.getElementById(other))?.open);
    if (!below || !parameters().has(below[1])) history.replaceState(null, '', link(below?.[1]));
  });
}

/** Opens the view that the address names, or closes all. */
export function follow() {
  const now = parameters();
  const named = VIEWS.find(([, name]) => now.has(name));
  // The dialogs above it.
  for (const [id, name] of VIEWS) {
    if (name === named?.[1]) break;
    /** @type {HTMLDialogElement} */ (document.getElementById(id))?.close();
  }
  if (named) openers[named[1]]?.(now.get(named[1]) ?? '');
}
addEventListener('hashchange', follow);
