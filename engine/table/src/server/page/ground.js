// @ts-check
// Draws the ground below the cells of a board, and the land below each of its rows.

import { svg } from './dom.js';
import { deck } from './deck.js';

/** @typedef {{left: number, top: number, right: number, bottom: number}} Frame */

/** Free space around the cells of a board with a ground. */
export const SHORE = 12;

/** Free space between two rows that lie on land of their own. */
export const STRAIT = 16;

/** The declared ground of a grid. @param {string} grid */
export function groundOf(grid) {
  const look = deck.look.grids[grid];
  return look && look.ground !== 'none' ? look : undefined;
}

/**
 * Draws a ground, and a piece of land for each row.
 * @param {string} grid
 * @param {Frame} frame of the whole board
 * @param {Frame[]} rows
 */
export function ground(grid, frame, rows) {
  const look = groundOf(grid);
  if (!look) return [];
  const { left, top, right, bottom } = frame;
  const box = { x: left, y: top, width: right - left, height: bottom - top, rx: 10 };
  const shapes = [svg('rect', { ...box, class: `ground g-${look.ground}` }), ...waves(look.ground, frame)];
  if (look.bands) shapes.push(...rows.map((row, at) => svg('path', { class: 'land', d: coast(row, at) })));
  return [svg('g', { class: 'below', 'aria-hidden': 'true' }, ...shapes)];
}

/** Lines of the material. @param {string} material @param {Frame} frame */
function waves(material, { left, top, right, bottom }) {
  if (material !== 'sea' && material !== 'rock' && material !== 'wood') return [];
  const step = material === 'sea' ? 17 : 23;
  const lines = [];
  for (let y = top + step; y < bottom - 4; y += step) {
    const swing = material === 'wood' ? 0 : material === 'sea' ? 5 : 9;
    let d = `M${left + 4} ${y}`;
    for (let x = left + 4; x + 48 <= right; x += 48) d += ` q12 ${-swing} 24 0 t24 0`;
    if (material === 'wood') d += ` H${right - 4}`;
    lines.push(svg('path', { class: 'wave', d }));
  }
  return lines;
}

/** The coast of the land below a row: a rounded outline with bays. @param {Frame} row @param {number} at */
function coast({ left, top, right, bottom }, at) {
  const [wide, bay] = [right - left, at % 2 === 0 ? 4 : -4];
  const third = wide / 3;
  return (
    `M${left + 10} ${top} q${third / 2} ${-bay} ${third} 0 t${third} 0 L${right - 10} ${top} q12 0 12 12 ` +
    `L${right + 2} ${bottom - 12} q0 12 -12 12 q${-third / 2} ${bay} ${-third} 0 t${-third} 0 ` +
    `L${left + 10} ${bottom} ` +
    `q-12 0 -12 -12 L${left - 2} ${top + 12} q0 -12 12 -12 Z`
  );
}
