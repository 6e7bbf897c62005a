// @ts-check
// The gallery: every card of the game, to search, filter and sort.

import { el, get } from './dom.js';
import { deck, face, kindOf } from './deck.js';
import { cardLine, drawFace, layout, stripe } from './face.js';
import { openCard } from './card.js';
import { state } from './state.js';
import { enter, setView } from './route.js';

/** @typedef {import('./protocol').Face} Face */

/** Most attributes to filter by among all kinds. */
const FEW = 5;

/** Stands for all kinds of cards. */
const CARDS = '';
/** Stands for all kinds, also those that are words of the rules. */
const ALL = '*';

/** What the gallery shows. */
const shown = {
  kind: CARDS,
  text: '',
  sort: '',
  down: false,
  /** Chosen values, or parts of them, by attribute: `=3`, `>3` or `<3`. @type {Map<string, string>} */
  values: new Map(),
};

const dialog = () => /** @type {HTMLDialogElement} */ (get('gallery'));
const figures = (/** @type {Face} */ of) => state.skeleton?.figures[of.id] ?? [];

/** Opens the gallery. */
export function openGallery() {
  enter('gallery');
  draw();
  if (!dialog().open) dialog().showModal();
}
setView('gallery', openGallery);
setView('card', (id) => {
  const of = face(id);
  if (of) openCard(of);
});

/** Draws the gallery again after the cards changed. */
export function redrawGallery() {
  if (dialog().open) draw();
}

/** The value of a printed fact of a card, or empty. @param {Face} of @param {string} attribute */
function valueOf(of, attribute) {
  const fact = of.facts.find((one) => one.of === attribute);
  return fact ? fact.value || 'yes' : '';
}

/** The parts of a value that is a list: `Roman` and `Scottish` of `Roman and Scottish`. @param {string} value */
const parts = (value) => value.split(/, | and /);

/** The number that a value begins with, or null. @param {string} value */
const number = (value) => (/^[-+−]?\d/.test(value) ? Number.parseFloat(value.replace('−', '-')) : null);

/** @param {Face} of */
const inKind = (of) => isOf(shown.kind, kindOf(of));

/** Whether a kind belongs to the chosen ones. @param {string} chosen @param {string} kind */
function isOf(chosen, kind) {
  const cards = state.skeleton?.cards ?? [];
  if (chosen === CARDS) return cards.length === 0 || cards.includes(kind);
  return chosen === ALL || chosen === kind;
}

/** The attributes of the shown kind, with their labels and values. */
function attributes() {
  /** @type {Map<string, {label: string, values: Set<string>}>} */
  const all = new Map();
  for (const of of deck.faces.values()) {
    if (!inKind(of)) continue;
    for (const fact of of.facts) {
      const found = all.get(fact.of) ?? { label: fact.label || fact.of.replaceAll('_', ' '), values: new Set() };
      for (const part of parts(fact.value || 'yes')) found.values.add(part);
      all.set(fact.of, found);
    }
  }
  return all;
}

/** Whether a card has the chosen value. @param {Face} of @param {string} attribute @param {string} chosen */
function fits(of, attribute, chosen) {
  const value = valueOf(of, attribute);
  const [how, wanted] = [chosen[0], chosen.slice(1)];
  if (how === '=') return parts(value).includes(wanted);
  const [one, other] = [number(value), number(wanted)];
  if (one === null || other === null) return false;
  return how === '>' ? one >= other : one <= other;
}

/** The cards to show, in order. */
function cards() {
  const words = shown.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...deck.faces.values()].filter((of) => {
    if (!inKind(of)) return false;
    const text = `${of.kind} ${cardLine(of)} ${of.id}`.toLowerCase();
    const isNamed = words.every((word) => text.includes(word));
    return isNamed && [...shown.values].every(([attribute, chosen]) => fits(of, attribute, chosen));
  });
  const [how, name] = [shown.sort.slice(0, 2), shown.sort.slice(2)];
  if (how === '') return shown.down ? found.reverse() : found;
  /** @param {Face} of @returns {string | number | null} */
  const key = (of) => {
    if (how === 'n:') return of.name;
    if (how === 'f:') return figures(of).find((figure) => figure.name === name)?.value ?? null;
    const value = valueOf(of, name);
    return value === '' ? null : (number(value) ?? value);
  };
  const sign = shown.down ? -1 : 1;
  const compare = (/** @type {string | number} */ one, /** @type {string | number} */ other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
  return found
    .map((of) => ({ of, key: key(of) }))
    .sort((one, other) => {
      // Cards without the value come last.
      if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
      return sign * compare(one.key, other.key);
    })
    .map((one) => one.of);
}

function draw() {
  const search = /** @type {HTMLInputElement} */ (
    el('input', {
      type: 'search',
      id: 'gallery-text',
      'aria-label': 'Search cards',
      placeholder: 'Search',
      value: shown.text,
      input: () => {
        shown.text = search.value;
        drawCards();
      },
    })
  );
  const counts = new Map(deck.kinds.map((kind) => [kind, 0]));
  for (const of of deck.faces.values()) counts.set(kindOf(of), (counts.get(kindOf(of)) ?? 0) + 1);
  const named = (/** @type {string} */ kind) => `${kind.replaceAll('_', ' ')} (${counts.get(kind)})`;
  const total = (/** @type {string} */ chosen) =>
    [...counts].reduce((sum, [kind, count]) => (isOf(chosen, kind) ? sum + count : sum), 0);
  const kinds = [
    option(CARDS, `all cards (${total(CARDS)})`, shown.kind),
    ...deck.kinds.map((kind) => option(kind, named(kind), shown.kind)),
    ...(total(CARDS) < total(ALL) ? [option(ALL, `cards and words (${total(ALL)})`, shown.kind)] : []),
  ];
  const kind = select('Kind', kinds, (value) => {
    shown.kind = value;
    shown.values.clear();
    if (shown.sort.startsWith('a:')) shown.sort = '';
    drawFilters();
    drawCards();
  });
  dialog().replaceChildren(
    el(
      'header',
      {},
      el('h2', {}, 'Cards'),
      el('output', { id: 'gallery-count' }),
      el('button', { type: 'button', class: 'plain', click: () => dialog().close() }, 'Close'),
      el('div', { class: 'filters' }, search, kind, el('span', { id: 'gallery-filters', class: 'filters' })),
    ),
    el('ul', { id: 'gallery-cards', class: 'cards', keydown: move }),
  );
  drawFilters();
  drawCards();
}

/** @param {string} value @param {string} text @param {string} now */
const option = (value, text, now) => el('option', { value, selected: value === now }, text);

/** @param {string} label @param {Node[]} options @param {(value: string) => void} change @param {string} [of] */
function select(label, options, change, of = '') {
  const list = /** @type {HTMLSelectElement} */ (
    el('select', { 'aria-label': label, class: of, change: () => change(list.value) }, ...options)
  );
  return list;
}

/** Draws the order and the values to filter by. */
function drawFilters() {
  const all = attributes();
  const measured = new Set([...deck.faces.values()].filter(inKind).flatMap((of) => figures(of).map((one) => one.name)));
  const orders = [
    option('', 'as listed', shown.sort),
    option('n:', 'by name', shown.sort),
    ...[...all].map(([of, { label }]) => option(`a:${of}`, `by ${label}`, shown.sort)),
    ...[...measured].map((name) => option(`f:${name}`, `by ${name}`, shown.sort)),
  ];
  const down = el(
    'button',
    {
      type: 'button',
      class: 'plain',
      'aria-label': 'Reverse the order',
      'aria-pressed': String(shown.down),
      click: () => {
        shown.down = !shown.down;
        down.setAttribute('aria-pressed', String(shown.down));
        drawCards();
      },
    },
    '↑↓',
  );
  // The values of many kinds are too many lists.
  const isOne = ![CARDS, ALL].includes(shown.kind) || all.size <= FEW;
  const lists = (isOne ? [...all] : []).map(([of, { label, values }]) => {
    const sorted = [...values].sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
    const numbers = [...new Set(sorted.map(number).filter((one) => one !== null))].sort((one, other) => one - other);
    const now = shown.values.get(of) ?? '';
    const ranges = numbers.length > 2 ? numbers.slice(1, -1) : [];
    return select(
      label,
      [
        option('', `${label}: any`, now),
        ...sorted.map((value) => option(`=${value}`, `${label}: ${value}`, now)),
        ...ranges.map((one) => option(`>${one}`, `${label}: ${one} or more`, now)),
        ...ranges.map((one) => option(`<${one}`, `${label}: ${one} or less`, now)),
      ],
      (value) => {
        if (value === '') shown.values.delete(of);
        else shown.values.set(of, value);
        drawCards();
      },
      'value',
    );
  });
  get('gallery-filters').replaceChildren(
    select('Order', orders, (value) => {
      shown.sort = value;
      drawCards();
    }),
    down,
    ...lists,
    ...(isOne ? [] : [el('span', { class: 'hint' }, 'Choose a kind to filter by its values.')]),
  );
}

function drawCards() {
  const found = cards();
  const total = [...deck.faces.values()].filter(inKind).length;
  get('gallery-count').textContent = found.length === total ? `${found.length}` : `${found.length} of ${total}`;
  get('gallery-cards').replaceChildren(...found.map(cardOf));
}

/** @param {Face} of */
function cardOf(of) {
  const measured = figures(of).map((figure) =>
    el('span', { class: 'figure', title: figure.meaning }, el('span', {}, figure.name), ' ', el('b', {}, figure.text)),
  );
  const open = () => {
    enter('card', of.id);
    openCard(of);
  };
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', class: `card ${layout(of)} ${stripe(of)}`, 'data-card': of.id, click: open },
      ...drawFace(of, of.name),
      measured.length > 0 && el('span', { class: 'figures' }, ...measured),
    ),
  );
}

/** Moves the focus among the cards. @param {KeyboardEvent} event */
function move(event) {
  const all = /** @type {HTMLElement[]} */ ([...get('gallery-cards').querySelectorAll('button')]);
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const row = all.filter((one) => one.getBoundingClientRect().top === all[0].getBoundingClientRect().top).length;
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
  if (at < 0 || !by || !all[at + by]) return;
  event.preventDefault();
  all[at + by].focus();
}
