// @ts-check
// The cards of a game and their look: what the table, the gallery and the printed sheets draw from.

import { wholeWords } from './words.js';

/** @typedef {import('./protocol').Face} Face */
/** @typedef {import('./look').Look} Look */

/** The deck of the game. */
export const deck = {
  /** @type {Look} */
  look: {
    choices: {}, counters: {}, grids: {}, guide: {}, icons: {}, kinds: {}, zones: {},
    table: { wide: [], narrow: [] },
  },
  /** @type {Map<string, Face>} */
  faces: new Map(),
  /** Addresses of images, by the path that a face names. @type {Record<string, string>} */
  images: {},
  /** Kinds of cards, in order of declaration. @type {string[]} */
  kinds: [],
  /** Names of icons by what they stand for. @type {Map<string, string>} */
  iconNames: new Map(),
  /** Words with an icon. @type {{any: RegExp, icons: Map<string, string>} | null} */
  words: null,
};

/** Replaces the deck. @param {{look: Look, faces: Face[], images: Record<string, string>}} parts */
export function setDeck({ look, faces, images }) {
  deck.look = look;
  deck.images = images;
  deck.faces = new Map(faces.map((of) => [of.id, of]));
  deck.kinds = [...new Set(faces.map((of) => kindOf(of)))];
  deck.iconNames = new Map();
  const icons = new Map();
  for (const [name, { of, words }] of Object.entries(look.icons)) {
    for (const what of of) deck.iconNames.set(what, name);
    for (const word of words) icons.set(word.toLowerCase(), name);
  }
  deck.words = icons.size > 0 ? { any: wholeWords([...icons.keys()], 'gi'), icons } : null;
}

/** @param {string | null | undefined} id @returns {Face | undefined} */
export const face = (id) => (id ? deck.faces.get(id) : undefined);

/** The first part of an id: the kind of a card, or the family of a counter or a zone. @param {string} id */
export const familyOf = (id) => id.split('.')[0];

/**
 * The look declared for a counter or a zone, or else for its family.
 * @template T
 * @param {Record<string, T>} looks
 * @param {string} id
 * @returns {T | undefined}
 */
export const declaredLook = (looks, id) => looks[id] ?? looks[familyOf(id)];

/** The kind of a card: `tools` of `tools.drill`. @param {Face | undefined} of */
export const kindOf = (of) => familyOf(of?.id ?? '');

/** The declared look of a card's kind. @param {Face | undefined} of */
export const lookOf = (of) => deck.look.kinds[kindOf(of)];

/** The place of a card's kind among the kinds. @param {Face | undefined} of */
export const orderOf = (of) => Math.max(0, deck.kinds.indexOf(kindOf(of)));
