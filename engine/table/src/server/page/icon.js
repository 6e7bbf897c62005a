// @ts-check
// Draws icons. An icon is path data that the table has checked: no markup of content reaches the page.

import { el, hue, svg } from './dom.js';
import { deck, familyOf } from './deck.js';

/** Draws an icon by its name. @param {string} name @param {string} [of] its class */
export function icon(name, of = 'icon') {
  const drawn = deck.look.icons[name];
  if (!drawn) return null;
  const path = svg('path', { d: drawn.path });
  return svg('svg', { class: `${of} ${hue(drawn.colour)}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path);
}

/** Draws the icon of a counter, a kind, an attribute or a value, if it has one. @param {string} what */
export function iconOf(what) {
  const name = deck.iconNames.get(what) ?? deck.iconNames.get(familyOf(what));
  return name === undefined ? null : icon(name);
}

/**
 * A text with icons in place of its words, which only screen readers get.
 * @param {string} text
 * @returns {Node[]}
 */
export const iconsFor = (text) =>
  text.split(' ').flatMap((word) => {
    const drawn = icon(deck.words?.icons.get(word.toLowerCase()) ?? '');
    return drawn ? [drawn, el('span', { class: 'unseen' }, `${word} `)] : [el('b', {}, word)];
  });

/** A text with the icons of its words. @param {string} text @returns {Node[]} */
export function withIcons(text) {
  const { words } = deck;
  if (!words) return [document.createTextNode(text)];
  /** @type {Node[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(words.any)) {
    const drawn = icon(words.icons.get(found[0].toLowerCase()) ?? '', 'icon word');
    if (!drawn) continue;
    parts.push(document.createTextNode(text.slice(from, found.index)), drawn);
    from = found.index;
  }
  parts.push(document.createTextNode(text.slice(from)));
  return parts;
}
