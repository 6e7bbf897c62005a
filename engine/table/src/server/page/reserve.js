// @ts-check
// Keeps things in their places between answers: each part of the table keeps the greatest height that it has had.
// A part keeps at most `MOST` pixels more than it needs: larger holes look like faults.
// The setup before the first round counts apart: its choices often need more room than any later ones.

import { get } from './dom.js';
import { head } from './state.js';

/** Most empty pixels of a part. */
const MOST = 96;

/** The greatest heights so far, by part. @type {Map<string, number>} */
const heights = new Map();
/** The last drawn round. */
let current = 0;

/** Forgets the heights, because the window or its contents are others. */
export function forgetPlaces() {
  heights.clear();
}

/** The parts whose height is kept. @returns {[string, HTMLElement][]} */
function parts() {
  const nodes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#left > section'));
  const own = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.mat.own > .in > .chips'));
  return [['bar', get('bar')], ...[...nodes].map(byId), ...[...own].map(inMat)];
}
/** @param {HTMLElement} node @returns {[string, HTMLElement]} */
const byId = (node) => [node.id, node];
/** @param {HTMLElement} node @param {number} at @returns {[string, HTMLElement]} */
const inMat = (node, at) => [`chips ${at}`, node];

/** Gives each part the greatest height that it has had. */
function reserve() {
  if (current === 0 && head().round > 0) heights.clear();
  current = head().round;
  const all = parts();
  for (const [, node] of all) node.style.minHeight = '';
  const now = all.map(([, node]) => node.getBoundingClientRect().height);
  all.forEach(([name, node], at) => {
    const height = Math.max(now[at], Math.min(heights.get(name) ?? 0, now[at] + MOST));
    heights.set(name, height);
    node.classList.toggle('kept', height > 0);
    if (height > now[at]) node.style.minHeight = `${height}px`;
  });
}

/** The upper edge of this player's hand in the window. */
function handTop() {
  const hand = document.querySelector('.pile.hand');
  return hand ? hand.getBoundingClientRect().top : null;
}

/**
 * Redraws the table; the places stay. In a scrolled window the hand stays under the pointer.
 * @param {() => void} draw
 */
export function inPlace(draw) {
  const before = handTop();
  draw();
  reserve();
  const after = handTop();
  if (before === null || after === null || before === after || scrollY === 0) return;
  if (before > 0 && before < innerHeight) scrollBy({ top: after - before, behavior: 'instant' });
}

addEventListener('resize', forgetPlaces);
// A pile that somebody opens or closes is larger or smaller on purpose.
document.addEventListener(
  'click',
  (event) => {
    if (/** @type {Element} */ (event.target).closest('summary')) forgetPlaces();
  },
  true,
);
