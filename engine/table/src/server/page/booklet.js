// @ts-check
// Cuts the rules into pages, and lays these on paper: as a booklet to fold, or in reading order.

import { el } from './dom.js';
import { place } from './fit.js';
import { page } from './sheet.js';

/** @typedef {import('./print').PrintData} PrintData */

/** Free space around a page of the rules, and height of its number, in millimetres. */
const [MARGIN, NUMBER] = [12, 6];

/**
 * The pages of the rules.
 * @param {PrintData} data
 * @param {Element} rules the rules in one piece
 * @param {Element} desk an element on the page, for measuring
 */
export function rulesPages(data, rules, desk) {
  const [wide, high] = [data.paper.height / 2, data.paper.width];
  const size = { width: wide - 2 * MARGIN, height: high - 2 * MARGIN - NUMBER };
  const leaves = cut(blocks(rules), size, desk).map((leaf, at) => {
    const number = el('div', { class: 'number' }, String(at + 1));
    place(number, { top: high - MARGIN - NUMBER + 2, width: wide });
    return el('div', { class: 'leaf' }, place(leaf, { left: MARGIN, top: MARGIN }), number);
  });
  const booklet = data.rules === 'booklet';
  while (leaves.length % (booklet ? 4 : 2) !== 0) leaves.push(el('div', { class: 'leaf' }));
  const pairs = Array.from({ length: leaves.length / 2 }, (_, at) => pair(at, leaves.length, booklet));
  return pairs.map(([left, right], at) => {
    const half = (/** @type {number} */ leaf, /** @type {number} */ from) =>
      place(leaves[leaf], { left: from, width: wide, height: high });
    const halves = [half(left, 0), half(right, wide)];
    return page(`rules-${String(at + 1).padStart(2, '0')}`, { turned: true, back: booklet && at % 2 === 1 }, ...halves);
  });
}

/**
 * The two pages on one side of a sheet, from 0. In a booklet, the outermost sheet has the last page and the first one.
 * @param {number} at the side, from 0
 * @param {number} count of pages
 * @param {boolean} booklet
 */
export function pair(at, count, booklet) {
  if (!booklet) return [2 * at, 2 * at + 1];
  return at % 2 === 0 ? [count - 1 - at, at] : [at, count - 1 - at];
}

/** The parts that stay in one piece. The items of a list are parts of their own. @param {Element} rules */
function blocks(rules) {
  return [...rules.children].flatMap((part) => {
    if (part.tagName !== 'UL' && part.tagName !== 'OL') return [part];
    const from = Number(part.getAttribute('start') ?? 1);
    return [...part.children].map((item, at) => el(part.tagName, { start: from + at }, item));
  });
}

/**
 * Fills pages with the parts, in order. A heading stays with the part below it.
 * @param {Element[]} parts
 * @param {{width: number, height: number}} size of the text on a page, in millimetres
 * @param {Element} desk
 */
function cut(parts, size, desk) {
  const fresh = () => {
    const leaf = place(el('div', { class: 'words' }), size);
    desk.append(leaf);
    return leaf;
  };
  const leaves = [fresh()];
  for (const part of parts) {
    let leaf = leaves[leaves.length - 1];
    leaf.append(part);
    if (leaf.scrollHeight <= leaf.clientHeight || leaf.children.length === 1) continue;
    const moved = [part];
    for (let last = part.previousElementSibling; last && /^H\d$/.test(last.tagName); last = last.previousElementSibling)
      moved.unshift(last);
    if (moved.length === leaf.children.length) continue;
    leaf = fresh();
    leaf.append(...moved);
    leaves.push(leaf);
  }
  return leaves;
}
