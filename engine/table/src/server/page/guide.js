// @ts-check
// Draws the guide of a first game: the rule that explains a question, the first time that the question appears.

import { el } from './dom.js';
import { deck } from './deck.js';
import { state } from './state.js';

const STORED = 'lode.guide';
/** The value that turns the guide off. */
const OFF = '*';

/** The questions that this person knows, by game and prompt. @type {Set<string>} */
const known = new Set(stored());

/** @returns {string[]} */
function stored() {
  try {
    const list = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** @param {string} one */
function learn(one) {
  if (known.has(one)) return;
  known.add(one);
  // A browser may forbid to store.
  try {
    localStorage.setItem(STORED, JSON.stringify([...known]));
  } catch {}
}

/** @param {string} prompt */
const keyOf = (prompt) => `${state.skeleton?.name ?? ''}/${prompt}`;

/** Notes that this person has answered a question. @param {string} prompt */
export function answerLearnt(prompt) {
  if (prompt in deck.look.guide) learn(keyOf(prompt));
}

/**
 * Draws the rules that explain a question, unless this person knows it.
 * @param {string} prompt
 * @returns {Node | null}
 */
export function drawGuide(prompt) {
  const rules = deck.look.guide[prompt] ?? [];
  if (rules.length === 0 || known.has(OFF) || known.has(keyOf(prompt))) return null;
  const hide = (/** @type {string} */ what) => () => {
    learn(what);
    note.remove();
  };
  const note = el(
    'aside',
    { class: 'guide', 'aria-label': 'Rule' },
    ...rules.map(({ number, text }) => el('p', {}, el('b', {}, number), ` ${text}`)),
    el('button', { type: 'button', class: 'plain', 'data-key': 'learn', click: hide(keyOf(prompt)) }, 'Got it'),
    el('button', { type: 'button', class: 'plain', 'data-key': 'learn-all', click: hide(OFF) }, 'No more hints'),
  );
  return note;
}
