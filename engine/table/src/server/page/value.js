// @ts-check
// Draws counters: as numbers, as heaps of tokens, or as markers on tracks.

import { el, hue } from './dom.js';
import { declaredLook, deck, face, familyOf } from './deck.js';
import { openCard } from './card.js';
import { iconOf } from './icon.js';

/** @typedef {import('./protocol').Amount} Amount */
/** @typedef {import('./protocol').Face} Face */
/** @typedef {import('./protocol').Row} Row */
/** @typedef {import('./protocol').Value} Value */

/** The most tokens of a heap. A larger amount is one token with its number. */
const HEAP = 12;

/**
 * Draws the value of a row for one holder, with its label.
 * @param {Row} row
 * @param {Value} value
 * @param {number | ''} seat the holder; empty: the game
 */
export function drawValue(row, value, seat) {
  const kind = `${row.score ? 'score ' : ''}${value.none && !row.score ? 'none ' : ''}${hue(value.colour)}`;
  const group = value.amounts.length > 1 && value.amounts.every((amount) => amount.number !== null);
  return el(
    'div',
    { class: `chip ${kind}`, 'data-src': sourceOf(row) },
    el('dt', {}, group ? null : iconOf(row.id), row.label),
    ...(group ? amounts(value, seat) : [single(row, value, seat)]),
  );
}

/** The section of the content that declares the counters of a row. @param {Row} row */
export const sourceOf = (row) => `counters.${familyOf(row.id)}`;

/** The declared form of a counter. @param {string} id */
const lookOf = (id) => declaredLook(deck.look.counters, id);

/** Draws the amounts of a group that are not zero. @param {Value} value @param {number | ''} seat */
function amounts(value, seat) {
  const some = value.amounts.filter((amount) => amount.number !== 0);
  if (some.length === 0) return [el('dd', {}, value.text)];
  return [el('dd', { class: 'amounts' }, ...some.map((amount) => drawAmount(amount, seat)))];
}

/** @param {Amount} amount @param {number | ''} seat */
function drawAmount(amount, seat) {
  const member = amount.id.split('.')[1] ?? amount.id;
  const drawn = iconOf(member);
  const heap = lookOf(amount.id)?.show === 'tokens' && drawn !== null && heapOf(member, amount.number);
  return el(
    'span',
    { class: 'amount', title: amount.label },
    heap || drawn,
    el('span', { class: drawn ? 'unseen' : '' }, `${amount.label} `),
    number(amount.text, `${amount.id}//${seat}`, heap ? 'unseen' : ''),
  );
}

/** A number that counts up and shows its difference. @param {string} text @param {string} key @param {string} of */
const number = (text, key, of = '') => el('b', { class: of, 'data-value': key, 'data-now': text }, text);

/** A heap of tokens, if there are few enough. @param {string} what @param {number | null} count */
function heapOf(what, count) {
  if (count === null || count < 1 || count > HEAP) return false;
  return el('span', { class: 'heap', 'aria-hidden': 'true' }, ...Array.from({ length: count }, () => iconOf(what)));
}

/** Draws the value of a row with one counter. @param {Row} row @param {Value} value @param {number | ''} seat */
function single(row, value, seat) {
  const key = `${row.id}/${row.label}/${seat}`;
  const [first] = value.amounts;
  const look = lookOf(row.id);
  const count = first?.number ?? null;
  const heap = look?.show === 'tokens' && heapOf(row.id, count);
  const path = look?.show === 'track' && count !== null && trackOf(count, look.steps);
  const of = namedBy(value);
  const name = of && explained(of, value.text, row.id, seat);
  return el(
    'dd',
    { 'data-value': key, 'data-now': value.text },
    name ?? value.text,
    ...[heap, path].filter((part) => part !== false),
  );
}

/** A track from 0 to its last step, with a marker. @param {number} at @param {number} steps */
const trackOf = (at, steps) =>
  el(
    'span',
    { class: 'track', 'aria-hidden': 'true' },
    ...Array.from({ length: steps + 1 }, (_, step) =>
      el('span', { class: step === at ? 'at' : step < at ? 'done' : '', title: String(step) }),
    ),
  );

/** A value that opens its card. @param {Face} of @param {string} text @param {string} id @param {number | ''} seat */
const explained = (of, text, id, seat) =>
  el(
    'button',
    { type: 'button', class: 'value', 'data-key': `value/${id}/${seat}`, click: () => openCard(of) },
    text,
  );

/** The card that a value names, if it says anything. @param {Value} value */
function namedBy({ amounts: [first, ...more] }) {
  const of = more.length === 0 && first ? face(first.face) : undefined;
  return of && (of.text !== '' || of.facts.length > 0) && first.number === null ? of : undefined;
}

/** Whether the counters of a row count cards, which are then drawn as cards. @param {Row} row */
export const isCards = (row) =>
  row.values.every(
    (value) =>
      value.amounts.length > 0 &&
      value.amounts.every((amount) => isPrinted(face(amount.face)) && amount.id.includes('.')),
  );

/** Whether a card has values and a text. @param {import('./protocol').Face | undefined} of */
const isPrinted = (of) => of !== undefined && of.text !== '' && of.facts.length > 0;
