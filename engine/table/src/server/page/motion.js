// @ts-check
// Shows changes of the table: cards fly, numbers count, changed cells flash.
//
// A card in the message has no identity. A card that left one place and a card with the same face that came to another
// are taken for one card; a hidden card comes from, or goes to, a place whose number of cards changed.

import { el } from './dom.js';

/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/** @typedef {{face: string, box: Box, node: Element}} Item */
/** @typedef {{box: Box, count: number, items: Item[], node: Element}} Place */
/** @typedef {Map<string, {text: string, node: HTMLElement}>} Numbers */
/**
 * @typedef {{places: Map<string, Place>, values: Numbers, cells: Map<string, {said: string, node: Element}>}} Survey
 */

/** Maximum flights at once. More cards than these appear in their places. */
const MOST = 16;

/** Duration of a flight in milliseconds, by the name of the speed. */
const SPEEDS = { slow: 900, normal: 450, fast: 200, off: 0 };
/** @typedef {keyof typeof SPEEDS} Speed */
export const SPEED_NAMES = Object.keys(SPEEDS);

const STORED = 'lode.speed';
/** The speed that the person chose, or empty. */
let chosen = stored();
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** The person's speed; without one, nothing moves if the system asks for reduced motion. @returns {Speed} */
export function speed() {
  if (!chosen) return calm.matches ? 'off' : 'normal';
  return chosen in SPEEDS ? /** @type {Speed} */ (chosen) : 'normal';
}

/** @param {string} name */
export function setSpeed(name) {
  chosen = name;
  // A browser may forbid to store.
  try {
    localStorage.setItem(STORED, name);
  } catch {}
}

function stored() {
  try {
    return localStorage.getItem(STORED) ?? '';
  } catch {
    return '';
  }
}

/** Duration of a flight in milliseconds. */
export const flight = () => SPEEDS[speed()];

/** The numbers at this person's last answer, by chip. @type {Map<string, string>} */
let answered = new Map();

/** Remembers the present numbers, to which later ones are compared. */
export function answerGiven() {
  answered = new Map([...numbers()].map(([key, value]) => [key, value.text]));
}

/** The numbers of the chips. @returns {Numbers} */
function numbers() {
  const nodes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#left [data-value]')]);
  return new Map(nodes.map((node) => [node.dataset.value ?? '', { text: node.dataset.now ?? '', node }]));
}

/** Where the cards lie and what the numbers are; null if nothing moves. @returns {Survey | null} */
export function survey() {
  if (flight() === 0) return null;
  /** @type {Survey} */
  const found = { places: new Map(), values: numbers(), cells: new Map() };
  for (const node of document.querySelectorAll('#left [data-pile]')) {
    const cards = [...node.querySelectorAll('[data-key^="card/"]')];
    const items = cards.map((card) => ({ face: card.getAttribute('data-src') ?? '', box: boxOf(card), node: card }));
    const count = Number(node.getAttribute('data-count') ?? 0);
    found.places.set(node.getAttribute('data-pile') ?? '', { box: boxOf(node), count, items, node });
  }
  for (const node of document.querySelectorAll('#left [data-card]')) {
    const item = { face: node.getAttribute('data-card') ?? '', box: boxOf(node), node };
    found.places.set(node.getAttribute('data-key') ?? '', { box: item.box, count: 1, items: [item], node });
  }
  for (const node of document.querySelectorAll('#left [data-said]'))
    found.cells.set(node.getAttribute('data-key') ?? '', { said: node.getAttribute('data-said') ?? '', node });
  return found;
}

/** Shows how the table became what it is now. @param {Survey | null} before */
export function showChanges(before) {
  const now = survey();
  markNumbers(now?.values ?? numbers());
  if (!before || !now) return;
  const time = flight();
  countNumbers(before, now, time);
  flashCells(before, now, time);
  riffle(before.places, now.places, time);
  const flying = document.querySelectorAll('.flight').length;
  const moves = movesBetween(before.places, now.places).slice(0, Math.max(0, MOST - flying));
  for (const move of moves) fly(move, time);
}

/** Puts the difference since the last answer beside each number. @param {Numbers} now */
function markNumbers(now) {
  for (const [key, { text, node }] of now) {
    const difference = Number(text) - Number(answered.get(key) ?? text);
    if (!Number.isFinite(difference) || difference === 0) continue;
    const sign = difference > 0 ? '+' : '−';
    // A number that was not drawn again still has its last difference.
    node.querySelector(':scope > .since')?.remove();
    node.append(
      el(
        'small',
        { class: `since ${difference > 0 ? 'more' : 'less'}`, title: 'since your last answer' },
        `${sign}${Math.abs(difference)}`,
      ),
    );
  }
}

/** Counts from the old to the new number. @param {Survey} before @param {Survey} now @param {number} time */
function countNumbers(before, now, time) {
  for (const [key, { text, node }] of now.values) {
    const [from, to] = [Number(before.values.get(key)?.text ?? text), Number(text)];
    const label = node.firstChild;
    if (from === to || !Number.isInteger(from) || !Number.isInteger(to) || label?.nodeType !== Node.TEXT_NODE) continue;
    node.animate([{ transform: 'scale(1.25)' }, { transform: 'none' }], { duration: time, easing: 'ease-out' });
    const begin = performance.now();
    const step = (/** @type {number} */ moment) => {
      const share = Math.min(1, (moment - begin) / time);
      label.nodeValue = String(Math.round(from + (to - from) * share));
      if (share < 1 && label.isConnected) requestAnimationFrame(step);
    };
    label.nodeValue = text;
    requestAnimationFrame(step);
  }
}

/** Outlines the cells whose contents changed. @param {Survey} before @param {Survey} now @param {number} time */
function flashCells(before, now, time) {
  for (const [key, { said, node }] of now.cells) {
    const old = before.cells.get(key);
    if (!old || old.said === said) continue;
    const frames = [{ stroke: 'var(--yellow)', strokeWidth: '6' }, {}];
    node.querySelector('rect, polygon')?.animate(frames, { duration: 3 * time, easing: 'ease-in' });
  }
}

/**
 * Shakes the decks that were filled again.
 * @param {Map<string, Place>} before
 * @param {Map<string, Place>} now
 * @param {number} time
 */
function riffle(before, now, time) {
  const turn = (/** @type {number} */ degrees) => ({ transform: `rotate(${degrees}deg)` });
  for (const [key, { node }] of now)
    if (before.has(key) && hiddenCount(now, key) > hiddenCount(before, key) + 1)
      node.querySelector('.stack')?.animate([turn(0), turn(-9), turn(7), turn(-5), turn(0)], { duration: time });
}

/** @typedef {{from: Box, to: Box, picture: Element | null, arriving: Element | null}} Move */

/**
 * The flights that lead from one survey to the next.
 * @param {Map<string, Place>} before
 * @param {Map<string, Place>} now
 * @returns {Move[]}
 */
function movesBetween(before, now) {
  /** @type {Move[]} */
  const moves = [];
  const gone = difference(before, now);
  const came = difference(now, before);
  const keys = new Set([...before.keys(), ...now.keys()]);
  const hidden = new Map([...keys].map((key) => [key, hiddenCount(now, key) - hiddenCount(before, key)]));
  for (const { item, place } of came) {
    const at = gone.findIndex((other) => other.item.face === item.face && other.place !== place);
    if (at >= 0) {
      const [{ item: old }] = gone.splice(at, 1);
      moves.push({ from: old.box, to: item.box, picture: item.node, arriving: item.node });
      continue;
    }
    const source = takeHidden(hidden, -1);
    const box = source === undefined ? undefined : before.get(source)?.box;
    if (box) moves.push({ from: box, to: item.box, picture: item.node, arriving: item.node });
  }
  for (const { item } of gone) {
    const target = takeHidden(hidden, 1);
    const place = target === undefined ? undefined : now.get(target);
    if (place) moves.push({ from: item.box, to: place.box, picture: item.node, arriving: null });
  }
  for (;;) {
    const [source, target] = [takeHidden(hidden, -1), takeHidden(hidden, 1)];
    const [from, to] = [before.get(source ?? '')?.box, now.get(target ?? '')?.box];
    if (!from || !to) return moves;
    moves.push({ from, to, picture: null, arriving: null });
  }
}

/** Number of cards of a place whose faces are hidden. @param {Map<string, Place>} places @param {string} key */
function hiddenCount(places, key) {
  const place = places.get(key);
  return place ? Math.max(0, place.count - place.items.length) : 0;
}

/**
 * Takes one hidden card from a place that lost some (-1) or gained some (1).
 * @param {Map<string, number>} hidden
 * @param {number} sign
 */
function takeHidden(hidden, sign) {
  for (const [key, change] of hidden) {
    if (change * sign <= 0) continue;
    hidden.set(key, change - sign);
    return key;
  }
  return undefined;
}

/**
 * The cards of each place that the same place elsewhere lacks.
 * @param {Map<string, Place>} of
 * @param {Map<string, Place>} other
 */
function difference(of, other) {
  /** @type {{item: Item, place: string}[]} */
  const found = [];
  for (const [place, { items }] of of) {
    const rest = (other.get(place)?.items ?? []).map((item) => item.face);
    for (const item of items) {
      const at = rest.indexOf(item.face);
      if (at >= 0) rest.splice(at, 1);
      else found.push({ item, place });
    }
  }
  return found;
}

/** Draws one flight. @param {Move} move @param {number} time */
function fly({ from, to, picture, arriving }, time) {
  if (!isSeen(from) && !isSeen(to)) return;
  const copy = picture instanceof HTMLElement ? /** @type {HTMLElement} */ (picture.cloneNode(true)) : null;
  const inner = copy ?? el('span', { class: 'card back' });
  for (const node of [inner, ...inner.querySelectorAll('*')])
    for (const name of ['data-key', 'data-src', 'id', 'tabindex']) node.removeAttribute(name);
  inner.setAttribute('tabindex', '-1');
  const ghost = el('div', { class: 'flight', 'aria-hidden': 'true', inert: true }, inner);
  document.body.append(ghost);
  const size = copy ? (arriving ? to : from) : { width: 27, height: 37 };
  ghost.animate(
    [
      { width: `${size.width}px`, height: `${size.height}px`, transform: placed(from, size), opacity: 1 },
      { width: `${size.width}px`, height: `${size.height}px`, transform: placed(to, size), opacity: 1 },
    ],
    { duration: time, easing: 'cubic-bezier(.3, .1, .2, 1)', fill: 'both' },
  ).onfinish = () => ghost.remove();
  arriving?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }], { duration: time });
}

/**
 * The transform that puts a thing of this size into the middle of a box.
 * @param {Box} box
 * @param {{width: number, height: number}} size
 */
const placed = (box, size) =>
  `translate(${box.left + (box.width - size.width) / 2}px, ${box.top + (box.height - size.height) / 2}px)`;

/** Whether a box is on the screen. @param {Box} box */
const isSeen = (box) => box.top < innerHeight && box.top + box.height > 0 && box.left < innerWidth && box.width > 0;

/** @param {Element} node @returns {Box} */
function boxOf(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { left, top, width, height };
}
