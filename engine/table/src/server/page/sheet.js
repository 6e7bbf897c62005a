// @ts-check
// Draws a sheet of cards: the fronts with cut marks, and the mirrored backs.

import { el, svg } from './dom.js';
import { face, kindOf, lookOf, orderOf } from './deck.js';
import { drawFace, layout, stripe } from './face.js';
import { iconOf } from './icon.js';
import { picture } from './picture.js';
import { place } from './fit.js';

/** @typedef {import('./print').Sheet} Sheet */
/** @typedef {import('./print').PrintData} PrintData */

/** Length of a cut mark, and its distance from the bleed, in millimetres. */
const [MARK, GAP] = [4, 0.5];

/** Frame of a card with open sides, which are half circles in it, in millimetres. */
const OPENING = 3.2;

/** Widest frame of a card, and width of a card whose back has full letters, in millimetres. */
const [FRAME, WIDTH] = [2.2, 60];

/**
 * An empty page. Turned pages lie on their side, fronts and backs in opposite directions: so a back has the top of its
 * front when the paper is turned over its long edge.
 * @param {string} name
 * @param {{turned: boolean, back?: boolean}} how
 * @param {...(Node | null)} parts
 */
export function page(name, { turned, back }, ...parts) {
  const of = `spread${turned ? ' turned' : ''}${back ? ' over' : ''}`;
  return el('section', { class: 'page', 'data-name': name }, el('div', { class: of }, ...parts));
}

/**
 * The pages of a sheet of cards.
 * @param {PrintData} data
 * @param {Sheet} sheet
 * @param {number} number of the sheet, from 1
 */
export const sheetPages = (data, sheet, number) =>
  twoPages(data, sheet, `sheet-${shown(number)}`, front, (id) => back(data, sheet, id));

/**
 * The pages of a sheet of tokens, which have two equal sides.
 * @param {PrintData} data
 * @param {Sheet} sheet
 * @param {number} number of the sheet, from 1
 */
export function tokenPages(data, sheet, number) {
  const side = (/** @type {string} */ label) => token(data, label);
  return twoPages(data, sheet, `tokens-${shown(number)}`, side, side);
}

/** @param {number} number */
const shown = (number) => String(number).padStart(2, '0');

/**
 * @param {PrintData} data
 * @param {Sheet} sheet
 * @param {string} name of the pages
 * @param {(id: string) => HTMLElement} upper draws a front
 * @param {(id: string) => HTMLElement} lower draws a back
 */
function twoPages(data, sheet, name, upper, lower) {
  const fronts = sheet.cards.map((id, at) => card(data, sheet, at, upper(id)));
  const pages = [page(`${name}-front`, sheet, ...fronts, marks(data, sheet))];
  if (data.backs) {
    const backs = sheet.cards.map((id, at) => card(data, sheet, mirrored(sheet, at), lower(id)));
    pages.push(page(`${name}-back`, { ...sheet, back: true }, ...backs));
  }
  return pages;
}

/** A token: its icon above its label. @param {PrintData} data @param {string} label */
function token(data, label) {
  const drawn = iconOf(data.tokens[label] ?? '');
  const name = el('span', { class: 'head' }, el('span', { class: 'name' }, label));
  const inner = el('div', { class: 'face l-token heap' }, drawn, name);
  return el('div', { class: 'printed', 'data-card': label }, el('div', { class: 'frame' }, inner));
}

/** The place behind a card. @param {Sheet} sheet @param {number} at */
const mirrored = ({ columns }, at) => at - (at % columns) + (columns - 1 - (at % columns));

/** Width and height of a page as its parts lie on it. @param {PrintData} data @param {{turned: boolean}} how */
export const spread = ({ paper }, { turned }) => (turned ? [paper.height, paper.width] : [paper.width, paper.height]);

/** The left and the upper edge of the cards on a page. @param {PrintData} data @param {Sheet} sheet */
function corner(data, sheet) {
  const [wide, high] = spread(data, sheet);
  const [width, height] = pitch(data, sheet);
  return [(wide - sheet.columns * width) / 2, (high - sheet.rows * height) / 2];
}

/** Width and height of a card with its bleed. @param {PrintData} data @param {Sheet} sheet */
const pitch = ({ bleed }, { width, height }) => [width + 2 * bleed, height + 2 * bleed];

/** @param {PrintData} data @param {Sheet} sheet @param {number} at its place @param {HTMLElement} drawn */
function card(data, sheet, at, drawn) {
  const [width, height] = pitch(data, sheet);
  const [left, top] = corner(data, sheet);
  const isOpen = drawn.querySelector('.opening') !== null;
  const frame = isOpen ? OPENING : Math.min(FRAME, Math.min(sheet.width, sheet.height) * 0.04);
  drawn.style.setProperty('--bleed', `${data.bleed}mm`);
  const box = { left: left + (at % sheet.columns) * width, top: top + Math.floor(at / sheet.columns) * height };
  return place(drawn, { ...box, width, height, padding: data.bleed + frame });
}

/** @param {string} id */
function front(id) {
  const of = face(id);
  // Open sides are drawn on the edge.
  const inside = of && { ...of, facts: of.facts.filter((fact) => fact.sides.length === 0) };
  const parts = inside ? drawFace(inside, inside.name) : [];
  return el(
    'div',
    { class: `printed ${stripe(of)}`, 'data-card': id },
    el('div', { class: 'frame' }, el('div', { class: `face ${layout(of)}` }, ...parts)),
    ...(of?.facts ?? []).flatMap((fact) => fact.sides.map(opening)),
  );
}

/** An open side as a half circle on the edge of the card. @param {import('./protocol').Side} side */
function opening({ row, half }) {
  const across = row === 0 ? (Math.sign(half) + 1) / 2 : 0.5 + half / 4;
  const drawn = el('span', { class: 'opening' });
  drawn.style.setProperty('--across', String(across));
  drawn.style.setProperty('--down', String((row + 1) / 2));
  return drawn;
}

/**
 * The back of a card: the same for all cards of its kind.
 * @param {PrintData} data
 * @param {Sheet} sheet
 * @param {string} id
 */
function back(data, sheet, id) {
  const of = face(id);
  const look = lookOf(of);
  const ground = look?.picture === 'none' ? 'strata' : (look?.picture ?? 'strata');
  const drawn = { ...(look ?? { colour: '', layout: 'card', corner: '', size: null }), picture: ground, draws: {} };
  // The text of a kind may explain its cards.
  const label = kindOf(of).replaceAll('_', ' ');
  const title = el('div', { class: 'title' }, el('b', {}, data.game), el('span', {}, label));
  title.style.setProperty('font-size', `${Math.min(1, sheet.width / WIDTH).toFixed(3)}rem`);
  return el(
    'div',
    { class: `printed back ${stripe(of)}` },
    el(
      'div',
      { class: 'frame' },
      picture(`${kindOf(of)}.back`, /** @type {import('./look').KindLook} */ (drawn), orderOf(of)),
      title,
    ),
  );
}

/** Cut marks around the cards. @param {PrintData} data @param {Sheet} sheet */
function marks(data, sheet) {
  const [left, top] = corner(data, sheet);
  const [width, height] = pitch(data, sheet);
  const cuts = (/** @type {number} */ from, /** @type {number} */ count, /** @type {number} */ step) =>
    Array.from({ length: count }, (_, at) => from + at * step).flatMap((at) => [
      at + data.bleed,
      at + step - data.bleed,
    ]);
  const [columns, rows] = [Math.min(sheet.columns, sheet.cards.length), Math.ceil(sheet.cards.length / sheet.columns)];
  const [right, bottom] = [left + columns * width, top + rows * height];
  const upright = cuts(left, columns, width).flatMap((x) => [
    line(x, top - GAP, x, top - GAP - MARK),
    line(x, bottom + GAP, x, bottom + GAP + MARK),
  ]);
  const level = cuts(top, rows, height).flatMap((y) => [
    line(left - GAP, y, left - GAP - MARK, y),
    line(right + GAP, y, right + GAP + MARK, y),
  ]);
  const [wide, high] = spread(data, sheet);
  return svg('svg', { class: 'marks', viewBox: `0 0 ${wide} ${high}` }, ...upright, ...level);
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
const line = (x1, y1, x2, y2) => svg('line', { x1, y1, x2, y2 });
