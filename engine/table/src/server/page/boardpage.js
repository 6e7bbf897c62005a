// @ts-check
// Draws a board on a page of its own: its cells, with the faces of the definitions that name them.

import { el, svg } from './dom.js';
import { face } from './deck.js';
import { drawFace, drawFact, stripe } from './face.js';
import { place } from './fit.js';
import { iconOf } from './icon.js';
import { ground, groundOf, SHORE, STRAIT } from './ground.js';
import { page, spread } from './sheet.js';

/** @typedef {import('./print').PrintedBoard} PrintedBoard */
/** @typedef {import('./print').PrintData} PrintData */

/** Free space around a board, and height of its title, in millimetres. */
const [MARGIN, TITLE] = [10, 9];

/** Units of the drawing of a ground in a millimetre. */
const UNITS = 3.2;

/** Broadest and narrowest cells with words: width divided by height. */
const [BROAD, NARROW] = [1.6, 0.72];

/** Height of a row of hexagons, divided by their width, and of a hexagon divided by its row. */
const [ROW, POINTS] = [Math.sqrt(3) / 2, 4 / 3];

/** @param {PrintData} data @param {PrintedBoard} board */
export function boardPage(data, board) {
  const [upright, turned] = [grid(data, board, false), grid(data, board, true)];
  const of = turned.width * turned.height > upright.width * upright.height ? turned : upright;
  const shape = board.hex ? hexagon : rectangle;
  const [wide, high] = [of.page[0] * UNITS, of.page[1] * UNITS];
  const drawn = svg(
    'svg',
    { class: 'mat', viewBox: `0 0 ${wide} ${high}` },
    ...floor(board, of),
    ...board.cells.map((cell) => shape(of.box(cell))),
  );
  const cells = board.cells.map((cell) => drawCell(board, cell, of.box(cell)));
  const title = place(el('h2', { class: 'label' }, board.label), { left: MARGIN, top: MARGIN - 2 });
  return page(`board-${board.id}`, of, title, drawn, ...cells);
}

/**
 * The cells of a board on a page, upright or turned.
 * @param {PrintData} data
 * @param {PrintedBoard} board
 * @param {boolean} turned
 */
function grid(data, board, turned) {
  const size = spread(data, { turned });
  const look = groundOf(board.id);
  const [shore, strait] = [look ? SHORE / UNITS : 0, look?.bands ? STRAIT / UNITS : 0];
  const halves = Math.max(...board.cells.map((cell) => cell.half)) + 2;
  const rows = Math.max(...board.cells.map((cell) => cell.row));
  const [free, deep] = [size[0] - 2 * (MARGIN + shore), size[1] - 2 * (MARGIN + shore) - TITLE];
  const share = (deep - (rows - 1) * strait) / (board.hex ? rows + (POINTS - 1) : rows);
  let [width, height] = [(2 * free) / halves, share];
  if (board.hex) [width, height] = [Math.min(width, height / ROW), Math.min(width * ROW, height)];
  else if (board.cells.some((cell) => cell.name !== ''))
    [width, height] = [Math.min(width, height * BROAD), Math.min(height, width / NARROW)];
  else width = height = Math.min(width, height);
  const left = (size[0] - (width * halves) / 2) / 2;
  const used = (board.hex ? rows + (POINTS - 1) : rows) * height + (rows - 1) * strait;
  const top = MARGIN + TITLE + shore + (deep - used) / 2;
  const box = (/** @type {{row: number, half: number}} */ cell) => ({
    left: left + (cell.half * width) / 2,
    top: top + (cell.row - 1) * (height + strait),
    width,
    height,
  });
  return { turned, page: size, width, height, left, top, right: left + (width * halves) / 2, used, box };
}

/** The ground of a board. @param {PrintedBoard} board @param {ReturnType<typeof grid>} of */
function floor(board, of) {
  const scaled = (/** @type {number} */ value) => value * UNITS;
  const [left, top, right, bottom] = [of.left, of.top, of.right, of.top + of.used].map(scaled);
  const frame = { left: left - SHORE, top: top - SHORE, right: right + SHORE, bottom: bottom + SHORE };
  const tops = [...new Set(board.cells.map((cell) => cell.row))].map((row) => scaled(of.box({ row, half: 0 }).top));
  return ground(board.id, frame, tops.map((at) => ({ left, top: at, right, bottom: at + scaled(of.height) })));
}

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** @param {Box} box */
function rectangle({ left, top, width, height }) {
  const size = { x: (left + 0.5) * UNITS, y: (top + 0.5) * UNITS, rx: 4 };
  return svg('rect', { ...size, width: (width - 1) * UNITS, height: (height - 1) * UNITS, class: 'cell' });
}

/** @param {Box} box */
function hexagon({ left, top, width, height }) {
  const [middle, whole] = [left + width / 2, height * POINTS];
  const [upper, lower] = [top + whole / 4, top + (whole * 3) / 4];
  const points = [
    [middle, top],
    [left + width, upper],
    [left + width, lower],
    [middle, top + whole],
    [left, lower],
    [left, upper],
  ];
  const scaled = points.map(([x, y]) => `${(x * UNITS).toFixed(2)},${(y * UNITS).toFixed(2)}`);
  return svg('polygon', { points: scaled.join(' '), class: 'cell' });
}

/** A counter in a cell without a face: an icon, a word or a number. @param {import('./protocol').Fact} fact */
function drawContent(fact) {
  const { of, label, value } = fact;
  const drawn = iconOf(of) ?? (value === '' && label);
  return el('span', { title: `${label} ${value}`.trim() }, drawn, value && el('b', {}, value));
}

/** @param {PrintedBoard} board @param {PrintedBoard['cells'][number]} cell @param {Box} box */
function drawCell(board, cell, box) {
  const of = face(cell.face);
  if (!of) {
    const high = board.hex ? box.height * POINTS : box.height;
    const filled = cell.contents.length > 0 && el('span', { class: 'contents' }, ...cell.contents.map(drawContent));
    return place(el('div', { class: 'place' }, filled, cell.name || cell.id), { ...box, height: high });
  }
  const parts = drawFace(of, cell.name || of.name);
  if (cell.contents.length > 0) parts.push(el('span', { class: 'facts' }, ...cell.contents.map(drawFact)));
  const inner = el('div', { class: `frame ${stripe(of)}` }, el('div', { class: 'face l-card' }, ...parts));
  return place(el('div', { class: 'place named', 'data-card': of.id }, inner), { ...box, padding: 1.4 });
}
