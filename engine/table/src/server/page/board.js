// @ts-check
// Boards: cells in rows, square or hexagonal, with what lies on them.

import { el, hue, svg } from './dom.js';
import { face, onCell, seatOf } from './state.js';
import { pick } from './question.js';
import { whole } from './card.js';

/** @typedef {import('./state.js').Board} Board */
/** @typedef {import('./state.js').Cell} Cell */

/** Height of a line of words. */
const LINE = 13;
/** Most letters of a line in a wide cell. */
const WIDE = 15;

/** @param {Board} board */
export function drawBoard(board) {
  const id = `${board.id}/${board.seat}`;
  const cells = part(board);
  const wide = cells.some((cell) => cell.name !== '' || cell.cards.length > 0 || cell.marks.some((mark) => mark.text.trim().length > 3));
  const lines = wide ? cells.map((cell) => words(cell)) : [];
  const most = Math.max(1, ...lines.map((list) => list.length));
  const width = wide ? 112 : 46;
  const height = wide ? Math.max(46, 20 + most * LINE) : board.hex ? 40 : 46;
  const place = (/** @type {Cell} */ cell) => ({ x: (cell.half * width) / 2, y: (cell.row - 1) * height });
  const right = Math.max(...cells.map((cell) => place(cell).x)) + width;
  const left = Math.min(...cells.map((cell) => place(cell).x));
  const bottom = Math.max(...cells.map((cell) => place(cell).y)) + height;
  const top = Math.min(...cells.map((cell) => place(cell).y));
  const pad = board.hex && !wide ? 8 : 2;
  const whose = board.seat === null ? '' : ` of ${seatOf(board.seat)?.name ?? ''}`;
  const picture = svg('svg', { viewBox: `${left - pad} ${top - pad} ${right - left + 2 * pad} ${bottom - top + 2 * pad}`, width: right - left + 2 * pad, role: 'group', 'aria-label': `${board.label}${whose}`, class: `board${right - left < 900 ? ' fits' : ''}${wide ? ' words' : ''}` });
  cells.forEach((cell, at) => picture.append(drawCell(board, cell, place(cell), width, height, wide ? lines[at] : null)));
  roving(picture, id);
  return el('figure', {}, el('figcaption', {}, `${board.label}${whose}`), el('div', { class: 'scroll', 'data-scroll': id }, picture), legend(board));
}

/** Cells to the left and to the right of what lies on a long board that are shown with it. */
const MARGIN = 2;

/** Most cells of a row that are always shown. */
const LONG = 14;

/** Of a long board that is nearly empty: the part on which something lies or may be chosen. @param {Board} board */
function part(board) {
  const { cells } = board;
  const ends = (/** @type {Cell[]} */ of) => [Math.min(...of.map((cell) => cell.half)), Math.max(...of.map((cell) => cell.half))];
  const used = cells.filter((cell) => cell.cards.length > 0 || cell.marks.some((mark) => mark.text.trim() !== '') || onCell(board, cell.id).length > 0);
  const [from, to] = ends(cells);
  if (to - from <= 2 * LONG || used.length === 0) return cells;
  const [left, right] = ends(used);
  return cells.filter((cell) => cell.half >= left - 2 * MARGIN && cell.half <= right + 2 * MARGIN);
}

/** @param {Cell} cell @returns {{text: string, hue: string, kind: string}[]} */
function words(cell) {
  const marks = cell.marks.filter((mark) => mark.text.trim() !== '');
  const short = marks.filter((mark) => mark.text.trim().length <= 3);
  const long = marks.filter((mark) => mark.text.trim().length > 3);
  const lines = wrap(cell.name).map((text) => ({ text, hue: '', kind: 'title' }));
  for (const mark of long) lines.push(...wrap(mark.text).map((text) => ({ text, hue: hue(mark.colour), kind: 'long' })));
  for (const card of cell.cards.filter((card) => !long.some((mark) => mark.text.includes(card)))) lines.push(...wrap(card).map((text) => ({ text, hue: '', kind: 'long' })));
  if (short.length > 0) lines.push({ text: short.map((mark) => mark.text.trim()).join(' '), hue: short.length === 1 ? hue(short[0].colour) : '', kind: 'short' });
  return lines;
}

/** @param {string} text */
function wrap(text) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * @param {Board} board @param {Cell} cell @param {{x: number, y: number}} at
 * @param {number} width @param {number} height @param {{text: string, hue: string, kind: string}[] | null} lines
 */
function drawCell(board, cell, { x, y }, width, height, lines) {
  const fits = onCell(board, cell.id);
  const of = face(cell.face);
  const said = [cell.name || cell.id, ...cell.words, ...cell.cards.filter((card) => !cell.words.includes(card))].join(', ');
  const can = fits.length > 0 || of !== undefined;
  const act = () => (fits.length > 0 ? pick(fits) : of && whole(of));
  const props = { class: `cell${fits.length > 0 ? ' can' : ''}`, role: can ? 'button' : 'img', 'aria-label': said, tabindex: can ? -1 : null, 'data-key': `cell/${board.id}/${board.seat}/${cell.id}`, 'data-x': x, 'data-y': y, click: can && act };
  const middle = x + width / 2;
  const shape = board.hex && !lines ? hexagon(x, y, width, height) : svg('rect', { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 4 });
  const group = svg('g', props, svg('title', {}, document.createTextNode(said)), shape);
  if (lines) {
    if (lines.length === 0) group.append(svg('text', { x: middle, y: y + height / 2 + 3, class: 'where' }, document.createTextNode(cell.id)));
    const first = y + height / 2 - ((lines.length - 1) * LINE) / 2 + 4;
    lines.forEach((line, number) => group.append(svg('text', { x: middle, y: first + number * LINE, class: `${line.kind} ${line.hue}` }, document.createTextNode(line.text))));
  } else {
    const marks = cell.marks.filter((mark) => mark.text.trim() !== '');
    const text = svg('text', { x: middle, y: y + height / 2 + 6, class: marks.length > 2 ? 'glyph many' : 'glyph' });
    marks.forEach((mark, number) => text.append(svg('tspan', { class: hue(mark.colour), dx: number > 0 ? 2 : 0 }, document.createTextNode(mark.text.trim()))));
    if (marks.length === 0) {
      text.setAttribute('class', 'where');
      text.append(cell.id);
    }
    group.append(text);
  }
  return group;
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function hexagon(x, y, width, height) {
  const [w, side] = [width / 2, height / 3];
  const corners = [[x + w, y - side / 2 + 1], [x + width - 1, y + side / 2], [x + width - 1, y + height - side / 2], [x + w, y + height + side / 2 - 1], [x + 1, y + height - side / 2], [x + 1, y + side / 2]];
  return svg('polygon', { points: corners.map((corner) => corner.join(',')).join(' ') });
}

/** One cell of a board is reached by Tab, the others by arrows. @param {SVGElement} picture @param {string} id */
function roving(picture, id) {
  const cells = /** @type {SVGElement[]} */ ([...picture.querySelectorAll('[role=button]')]);
  const first = cells.find((cell) => cell.dataset.key === last.get(id)) ?? cells.find((cell) => cell.classList.contains('can')) ?? cells[0];
  first?.setAttribute('tabindex', '0');
  picture.addEventListener('focusin', (event) => {
    const now = /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest('[role=button]'));
    if (!now?.dataset.key) return;
    last.set(id, now.dataset.key);
    for (const cell of cells) cell.setAttribute('tabindex', cell === now ? '0' : '-1');
  });
  picture.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const now = /** @type {SVGElement} */ (event.target);
    if (key === 'Enter' || key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      now.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return;
    }
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (/** @type {SVGElement} */ cell) => [Number(cell.dataset.x), Number(cell.dataset.y)];
    const [x, y] = at(now);
    /** @type {[number, SVGElement][]} */
    const ahead = cells.filter((cell) => cell !== now).map((cell) => {
      const [cx, cy] = at(cell);
      const [along, aside] = [(cx - x) * dx + (cy - y) * dy, Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx)];
      return [along <= 0 || aside > along * 1.5 ? Infinity : along + 2 * aside, cell];
    });
    ahead.sort((a, b) => a[0] - b[0]);
    if (ahead[0] && ahead[0][0] < Infinity) ahead[0][1].focus();
  });
}

/** The cell of each board that had the focus last. @type {Map<string, string>} */
const last = new Map();

/** @param {Board} board */
function legend(board) {
  const entries = board.legend.filter((entry) => entry.symbols.length > 0);
  const seen = new Set();
  const parts = entries.flatMap((entry) => entry.symbols.map((symbol) => ({ ...symbol, label: entry.label })));
  const some = parts.filter((part) => !seen.has(part.text + part.means) && seen.add(part.text + part.means));
  if (some.length === 0) return null;
  const list = some.map((part) => el('span', { class: 'key' }, el('b', { class: hue(part.colour) }, part.text), ` ${part.means}`));
  return el('details', { class: 'legend', open: some.length <= 8 }, el('summary', {}, 'Symbols'), ...list);
}
