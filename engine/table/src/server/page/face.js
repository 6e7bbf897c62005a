// @ts-check
// Draws the face of a card: the same at the table, in the gallery and on paper.

import { el, hue, svg } from './dom.js';
import { deck, lookOf, orderOf } from './deck.js';
import { iconOf, iconsFor, withIcons } from './icon.js';
import { picture } from './picture.js';

/** @typedef {import('./protocol').Face} Face */

/** Number of stripe colours for kinds of cards. */
const STRIPES = 8;

/** The stripe class of a card's kind. @param {Face | undefined} of */
export function stripe(of) {
  const colour = hue(lookOf(of)?.colour);
  return colour ? `k${colour}` : `k${orderOf(of) % STRIPES}`;
}

/** The class of a card's layout. @param {Face | undefined} of */
export const layout = (of) => `l-${lookOf(of)?.layout ?? 'card'}`;

/**
 * Draws a face: its name, the fact in its corner, its picture, its facts and its text.
 * @param {Face} of
 * @param {...(Node | string | false)} name
 * @returns {Node[]}
 */
export function drawFace(of, ...name) {
  const corner = cornerOf(of);
  const head = el(
    'span',
    { class: 'head' },
    el('span', { class: 'name' }, ...name),
    corner && el('span', { class: 'corner', title: corner.label }, iconOf(corner.of), bare(corner.value)),
  );
  // A track shows the text.
  const parts = printed(isTrack(of) ? { ...of, text: '' } : of);
  return [head, pictureOf(of), ...parts].filter((part) => part !== null);
}

/** Whether the chart of a card is a track: rows with room for words. @param {Face} of */
const isTrack = (of) => of.chart.length > 0 && lookOf(of)?.columns === 1;

/** Draws the picture of a card: its chart, its image, or else a picture made from its id. @param {Face} of */
export function pictureOf(of) {
  if (of.chart.length > 0) return drawChart(of, lookOf(of)?.columns ?? 1);
  const href = of.image && deck.images[of.image];
  if (!href) return picture(of.id, lookOf(of), orderOf(of));
  const image = svg('image', { href, width: '100%', height: '100%', preserveAspectRatio: 'xMidYMid slice' });
  return svg('svg', { class: 'picture', 'aria-hidden': 'true' }, image);
}

/** Draws the list of a card as a chart. @param {Face} of @param {number} columns */
function drawChart(of, columns) {
  const drawn = isTrack(of) ? withIcons : iconsFor;
  const cells = of.chart.map((entry) => el('span', { class: 'entry', title: entry }, ...drawn(entry)));
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) =>
    el('span', {}, ...cells.slice(row * columns, (row + 1) * columns)),
  );
  return el('span', { class: `picture chart${isTrack(of) ? ' track-chart' : ''}` }, ...rows);
}

/** The fact in the corner of a card. @param {Face} of */
const cornerOf = (of) => of.facts.find((fact) => fact.of === lookOf(of)?.corner);

/** A value without its unit, where an icon shows the unit: `3` of `3 gold`. @param {string} value */
const bare = (value) => /^\d+/.exec(value)?.[0] ?? value;

/**
 * Draws the facts and the text of a card.
 * @param {Face | undefined} of
 * @param {boolean} [all] whether the fact of the corner is among them
 * @returns {Node[]}
 */
export function printed(of, all = false) {
  if (!of) return [];
  const corner = cornerOf(of);
  const facts = of.facts.filter((fact) => all || fact !== corner).map(drawFact);
  return [
    facts.length > 0 && el('span', { class: 'facts' }, ...facts),
    of.text !== '' && el('span', { class: 'text' }, ...withIcons(of.text)),
  ].filter((part) => part !== false);
}

/**
 * Draws a fact: its icon or its label, and its value; open sides as a picture.
 * @param {import('./protocol').Fact} fact
 */
export function drawFact(fact) {
  const drawn = iconOf(fact.of);
  const sides = fact.sides.length > 0 && drawSides(fact.sides);
  return el(
    'span',
    { class: 'fact', title: `${fact.label} ${fact.value}`.trim() },
    drawn,
    fact.label && el('span', { class: drawn && fact.value ? 'unseen' : '' }, fact.label),
    fact.label && fact.value && ' ',
    sides || null,
    fact.value && el('b', { class: sides ? 'unseen' : '' }, ...withIcons(fact.value)),
  );
}

/** Draws the open sides of a card as half circles on its edges. @param {import('./protocol').Side[]} open */
function drawSides(open) {
  const circle = (/** @type {import('./protocol').Side} */ { row, half }) => {
    const [x, y] = [15 + (row === 0 ? Math.sign(half) * 11 : half * 5.5), 10 + row * 8];
    return svg('circle', { class: 'open', cx: x, cy: y, r: 3.2 });
  };
  const box = svg('rect', { x: 4, y: 2, width: 22, height: 16, rx: 2 });
  return svg('svg', { class: 'sides', viewBox: '0 0 30 20', 'aria-hidden': 'true' }, box, ...open.map(circle));
}

/** The whole printed text of a card in one line. @param {Face} of */
export const cardLine = (of) =>
  [of.name, ...of.facts.map((fact) => `${fact.label} ${fact.value}`.trim()), of.text].filter(Boolean).join(' · ');
