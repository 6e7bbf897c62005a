// @ts-check
// Links in texts: rule numbers open their rule, and names of cards open the card.

import { deck } from './deck.js';
import { wholeWords } from './words.js';
import { linkTo } from './route.js';

/** A rule number: `P-12`, `P-42a`, `Q7`, `T-P1`. */
const NUMBER = '(?<![\\p{L}\\p{N}-])(?:[A-Z]{1,2}-\\d+[a-z]?|T-[A-Z]+\\d+[a-z]?|Q\\d+[a-z]?)(?![\\p{L}\\p{N}-])';

/** The names of the cards, and their ids. Very short names occur in words of other meanings. */
const names = {
  /** @type {Map<string, import('./protocol').Face> | null} */
  of: null,
  /** @type {Map<string, string>} */
  ids: new Map(),
  any: new RegExp(NUMBER, 'gu'),
};

function refresh() {
  if (names.of === deck.faces) return;
  names.of = deck.faces;
  names.ids = new Map();
  for (const { id, name } of deck.faces.values())
    if (name.length > 2 && !names.ids.has(name)) names.ids.set(name, id);
  const cards = names.ids.size > 0 ? `${wholeWords([...names.ids.keys()], '').source}|` : '';
  names.any = new RegExp(`${cards}${NUMBER}`, 'gu');
}

/**
 * A text with its links.
 * @param {string} text
 * @param {string} [own] a word that is no link here
 * @returns {Node[]}
 */
export function withLinks(text, own) {
  refresh();
  /** @type {Node[]} */
  const parts = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(names.any)) {
    if (word === own) continue;
    const id = names.ids.get(word);
    const link = id === undefined ? linkTo('rule', word, word) : linkTo('card', id, word);
    parts.push(document.createTextNode(text.slice(from, index)), link);
    from = index + word.length;
  }
  parts.push(document.createTextNode(text.slice(from)));
  return parts;
}
