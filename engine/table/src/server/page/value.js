// @ts-check
// Draws counters: as numbers, as heaps of tokens, or as markers on tracks.

import { el, hue } from './dom.js';
import { declaredLook, deck, face, familyOf } from './deck.js';
import { openCard } from './card.js';
import { iconOf } from './icon.js';
import { onCounter } from './state.js';
import { pick } from './question.js';

/** @typedef {import('./protocol').Amount} Amount */
/** @typedef {import('./protocol').ChoiceView} Choice */
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
  const some = value.amounts.filter(({ id, number }) => number !== 0 || fitting(id, seat).length > 0);
  if (some.length === 0) return [el('dd', {}, value.text)];
  return [el('dd', { class: 'amounts' }, ...some.map((amount) => drawAmount(amount, seat)))];
}

/** @param {Amount} amount @param {number | ''} seat */
function drawAmount(amount, seat) {
  const member = amount.id.split('.')[1] ?? amount.id;
  const drawn = iconOf(member);
  const numbers = fitting(amount.id, seat).filter(isNumber);
  const heap = lookOf(amount.id)?.show === 'tokens' && drawn !== null && heapOf(member, amount.number, numbers);
  return el(
    ...choosable(amount.id, seat, 'amount', amount.label),
    heap || drawn,
    el('span', { class: drawn ? 'unseen' : '' }, `${amount.label} `),
    number(amount.text, `${amount.id}//${seat}`, heap ? 'unseen' : ''),
  );
}

/** The choices whose place is a counter. @param {string} id @param {number | ''} seat */
const fitting = (id, seat) => onCounter(id, seat === '' ? null : seat);

/**
 * Tag and properties of an amount: a button where it is a choice.
 * @param {string} id @param {number | ''} seat @param {string} of its class @param {string} title
 * @returns {[string, Record<string, any>]}
 */
function choosable(id, seat, of, title) {
  const fits = fitting(id, seat);
  if (fits.length === 0 || fits.every(isNumber)) return ['span', { class: of, title }];
  const key = `counter/${id}/${seat}`;
  return ['button', { type: 'button', class: `${of} can`, title, 'data-key': key, click: () => pick(fits, key) }];
}

/** A number that counts up and shows its difference. @param {string} text @param {string} key @param {string} of */
const number = (text, key, of = '') => el('b', { class: of, 'data-value': key, 'data-now': text }, text);

/** Whether a choice is a number. @param {Choice} choice */
const isNumber = ({ key }) => key.startsWith('number:');

/**
 * A heap of tokens, if there are few enough. Where numbers are the choices, a token stands for itself and those before.
 * @param {string} what @param {number | null} count @param {Choice[]} numbers
 */
function heapOf(what, count, numbers) {
  if (count === null || count < 1 || count > HEAP) return false;
  const tokens = Array.from({ length: count }, (_, at) => {
    const fits = numbers.filter(({ id }) => Number(id) === at + 1);
    if (fits.length === 0) return iconOf(what);
    const props = { type: 'button', class: 'token can', tabindex: -1, title: String(at + 1), click: () => pick(fits) };
    return el('button', { ...props, 'aria-label': String(at + 1) }, iconOf(what));
  });
  return el('span', numbers.length > 0 ? { class: 'heap' } : { class: 'heap', 'aria-hidden': 'true' }, ...tokens);
}

/** Draws the value of a row with one counter. @param {Row} row @param {Value} value @param {number | ''} seat */
function single(row, value, seat) {
  const key = `${row.id}/${row.label}/${seat}`;
  const [first] = value.amounts;
  const look = lookOf(row.id);
  const count = first?.number ?? null;
  const numbers = fitting(row.id, seat).filter(isNumber);
  const heap = look?.show === 'tokens' && heapOf(row.id, count, numbers);
  const path = look?.show === 'track' && count !== null && trackOf(count, look.steps);
  const of = namedBy(value);
  const chosen = fitting(row.id, seat).some((choice) => !isNumber(choice));
  const name = chosen
    ? el(...choosable(row.id, seat, 'value', row.label), value.text)
    : of && explained(of, value.text, row.id, seat);
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
export function namedBy({ amounts: [first, ...more] }) {
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
