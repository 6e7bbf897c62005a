// @ts-check
// Tools to step through a match, for the designer and, after the match, for everybody; and the designer's other tools:
// sources, rule tests, estimates.

import { el, get } from './dom.js';
import { linkTo } from './route.js';
import { head, state } from './state.js';

/** @typedef {import('./protocol').Viewpoint} Place */
/** @typedef {{path: string, value: string | null, layer: string, file: string, line: number}} Field */

/** Sends a message. @type {(message: unknown) => void} */
let send = () => {};
/** Whether a click shows the source of a value. */
let asking = false;

/** Draws the page again, because other tools are shown. */
let redraw = () => {};

/** @param {(message: unknown) => void} how @param {() => void} again */
export function setSender(how, again) {
  [send, redraw] = [how, again];
}

const STORED = 'lode.designer';
/** Whether the tools are shown; the browser remembers it. */
let isOpen = stored() === null ? null : stored() === 'open';

function stored() {
  // A browser may forbid to store.
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function toggleTools() {
  isOpen = !isOpen;
  if (!isOpen && asking) toggle();
  try {
    localStorage.setItem(STORED, isOpen ? 'open' : 'closed');
  } catch {}
  redraw();
}

/** @param {string} key @param {string} text @param {() => void} click @param {Record<string, any>} [props] */
const button = (key, text, click, props = {}) =>
  el('button', { type: 'button', class: 'plain', 'data-key': key, click, ...props }, text);

/** Draws the tools that the link permits: the player's, and behind a switch those of the designer. @returns {Node[]} */
export function drawTools() {
  const { place } = state;
  if (!place) return [];
  // A recorded match is there to be stepped through.
  isOpen ??= place.designer && state.outcome !== null && !state.outcome.rematch;
  const parts = [];
  if (place.designer)
    parts.push(
      button('estimate', 'Estimates', estimate, {
        disabled: !state.view.question,
        title: 'results of each choice in random games',
      }),
    );
  parts.push(
    button('designer', place.designer ? 'Designer' : 'Look back', toggleTools, {
      'aria-expanded': String(isOpen),
      title: place.designer ? 'steps, branches, rule tests, sources' : 'see the match step by step',
    }),
  );
  if (!place.live)
    parts.push(button('live', 'Back to the match', () => send({ look: { seat: null, step: null } }), { class: 'can' }));
  const group = { id: 'designer', role: 'group', 'aria-label': 'Designer' };
  if (isOpen) parts.push(el('div', group, ...drawDesigner(place)));
  return parts;
}

const estimate = () => send({ estimate: {} });
const test = () => send({ position: {} });

/**
 * Draws the tools to step through the match and, for its designer, those that change or explain it.
 * @param {Place} place
 */
function drawDesigner(place) {
  const own = place.live ? null : place.seat;
  const look = (/** @type {number} */ seat, /** @type {number} */ step) =>
    send({ look: { seat, step: step >= place.steps ? null : step } });
  const eyes = /** @type {HTMLSelectElement} */ (
    el(
      'select',
      { 'data-key': 'eyes', 'aria-label': 'See as', change: () => look(Number(eyes.value), place.step) },
      ...[...head().seats.map((one) => ({ seat: one.seat, name: one.name })), { seat: 255, name: 'onlookers' }].map(
        (one) => el('option', { value: one.seat, selected: one.seat === (own ?? place.seat) }, `as ${one.name}`),
      ),
    )
  );
  const time = /** @type {HTMLInputElement} */ (
    el('input', {
      type: 'range',
      'data-key': 'time',
      list: 'marks',
      min: 0,
      max: place.steps,
      value: place.step,
      'aria-label': 'Answers so far',
      change: () => look(place.seat, Number(time.value)),
    })
  );
  const parts = [
    eyes,
    time,
    el(
      'datalist',
      { id: 'marks' },
      place.differs !== null && el('option', { value: place.differs, label: 'first difference' }),
    ),
    el('output', {}, `${place.step} of ${place.steps}`),
  ];
  if (place.differs !== null && place.step !== place.differs)
    parts.push(
      button('differs', `First difference: ${place.differs}`, () => look(place.seat, place.differs ?? 0), {
        class: 'plain other',
      }),
    );
  if (place.older)
    parts.push(
      button('keep', place.differs === null ? 'Other branch' : 'Keep the old rules', () => send({ keep: {} }), {
        title: 'the match under the old rules, with all its answers',
      }),
    );
  if (place.designer && !place.live && place.step < place.steps)
    parts.push(button('branch', 'Go on from here', () => send({ branch: { step: place.step } })));
  if (!place.designer) return parts;
  parts.push(
    button('position', 'Rule test', test, { title: 'this position as a rule test' }),
    button('sources', 'Sources', toggle, {
      'aria-pressed': asking ? 'true' : 'false',
      title: 'click a value to see where it is set',
    }),
  );
  return parts;
}

/** Handles a key of a designer tool; returns whether it did. @param {string} key */
export function pressTool(key) {
  if (key === 'd' && state.place) toggleTools();
  if (!state.place?.designer) return false;
  if (key === 'e' && state.view.question) estimate();
  else if (key === 't') test();
  else if (key === 's') toggle();
  else return false;
  return true;
}

function toggle() {
  asking = !asking;
  document.body.classList.toggle('asking', asking);
  document.querySelector('[data-key="sources"]')?.setAttribute('aria-pressed', String(asking));
  updateTabStops();
}

/** While the sources tool is on, makes every item with a source reachable by Tab. */
export function updateTabStops() {
  for (const node of document.querySelectorAll('[data-src]')) {
    if (node.matches('button, [role=button]')) continue;
    if (asking) {
      node.setAttribute('tabindex', '0');
      node.setAttribute('data-asked', '');
    } else if (node.hasAttribute('data-asked')) {
      node.removeAttribute('tabindex');
      node.removeAttribute('data-asked');
    }
  }
}

/** @param {Event} event */
function ask(event) {
  if (!asking) return;
  const node = /** @type {Element} */ (event.target).closest('[data-src]');
  if (!node || (event instanceof KeyboardEvent && event.key !== 'Enter')) return;
  event.preventDefault();
  event.stopPropagation();
  send({ explain: { path: node.getAttribute('data-src') } });
}
document.addEventListener('click', ask, true);
document.addEventListener('keydown', ask, true);

/** Handles a tool's reply; returns whether it was one. @param {any} message */
export function handleReply(message) {
  if (message.explained) explain(message.explained);
  else if (message.position) position(message.position);
  else return false;
  return true;
}

/** @param {string} title @param {...(Node | null)} children */
function show(title, ...children) {
  const dialog = /** @type {HTMLDialogElement} */ (get('tool'));
  dialog.setAttribute('aria-label', title);
  dialog.replaceChildren(
    el('h2', {}, title),
    ...children.filter((child) => child !== null),
    button('close', 'Close', () => dialog.close()),
  );
  if (!dialog.open) dialog.showModal();
}

/** @param {{path: string, found: {fields: Field[], rules: {number: string, text: string}[]}}} answer */
function explain({ path, found }) {
  const rows = found.fields.map((field) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, field.path),
      el('td', {}, el('code', {}, field.value ?? 'removed')),
      el('td', {}, field.layer),
      el('td', {}, el('code', {}, `${field.file}:${field.line}`)),
    ),
  );
  const headings = ['Field', 'Value', 'Set by', 'Where'].map((text) => el('th', { scope: 'col' }, text));
  const rules = found.rules.map(({ number, text }) =>
    el('div', {}, el('dt', {}, linkTo('rule', number, number)), el('dd', {}, text)),
  );
  show(
    path,
    el(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Fields' },
      el('table', {}, el('thead', {}, el('tr', {}, ...headings)), el('tbody', {}, ...rows)),
    ),
    rules.length > 0 ? el('dl', { class: 'rules' }, ...rules) : null,
  );
}

/** @param {{text?: string, why?: string}} answer */
function position({ text, why }) {
  if (text === undefined) return show('Rule test', el('p', {}, why ?? ''));
  const area = /** @type {HTMLTextAreaElement} */ (
    el('textarea', { readonly: true, rows: 18, 'aria-label': 'Rule test' })
  );
  area.value = text;
  const copied = el('span', { role: 'status' });
  const copy = () => {
    area.select();
    navigator.clipboard.writeText(text).then(
      () => (copied.textContent = ' copied'),
      () => (copied.textContent = ' press Ctrl+C'),
    );
  };
  show(
    'This position as a rule test',
    el('p', {}, 'Paste this into the table that a file in tests/ returns; `lode test` runs it.'),
    area,
    el('p', {}, button('copy', 'Copy', copy), copied),
  );
}
