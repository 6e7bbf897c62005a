// @ts-check
// Draws a cell as a long point with men in a row, as in backgammon.

import { svg } from './dom.js';
import { deck } from './deck.js';

/** Width and height of a point. */
export const [WIDTH, HEIGHT] = [44, 122];

/** Radius of a man. */
const RADIUS = 10.5;

/** Number of men that fit on a point; a number stands for the others. */
const MOST = 5;

/** @typedef {{text: string, hue: string}} Mark */

/** Whether the cells of a grid are points. @param {string} grid */
export const hasPoints = (grid) => deck.look.grids[grid]?.points ?? false;

/**
 * Draws a point and its men, from the edge of the board to the tip.
 * @param {string} name
 * @param {Mark[]} marks
 * @param {{x: number, y: number}} at
 * @param {boolean} down whether the tip is below
 * @param {boolean} dark
 */
export function drawPoint(name, marks, { x, y }, down, dark) {
  const [edge, tip, way] = down ? [y + 2, y + HEIGHT - 20, 1] : [y + HEIGHT - 2, y + 20, -1];
  const middle = x + WIDTH / 2;
  const dart = `${x + 3},${edge} ${x + WIDTH - 3},${edge} ${middle},${tip}`;
  const where = svg('text', { x: middle, y: tip + way * 10 + 4, class: 'where' }, document.createTextNode(name));
  /** @type {SVGElement[]} */
  const men = [];
  let count = 0;
  for (const mark of marks) {
    const number = menOf(mark);
    for (let at = 0; at < Math.min(number, MOST); at += 1, count += 1) {
      const cy = edge + way * (RADIUS + 1 + count * 2 * RADIUS * 0.93);
      men.push(svg('circle', { cx: middle, cy, r: RADIUS, class: `man ${mark.hue}` }));
      const last = at === MOST - 1 && number > MOST;
      const props = { x: middle, y: cy + 4, class: `short owned ${mark.hue}` };
      if (last) men.push(svg('text', props, document.createTextNode(String(number))));
    }
  }
  return [svg('polygon', { points: dart, class: dark ? 'dart dark' : 'dart' }), where, ...men];
}

/** The number of men that a mark stands for: its number, or one. @param {Mark} mark */
const menOf = ({ text }) => Number(/\d+/.exec(text)?.[0] ?? 1);
