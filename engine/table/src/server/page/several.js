// @ts-check
// Marks several choices of a question, which are given at once.

import { el } from './dom.js';
import { choices, isLive, question, state } from './state.js';

/** @typedef {import('./protocol').ChoiceView} Choice */

/** The number of the question, the indices of its marked choices, and whether one more was refused. */
let marks = { decision: -1, indices: new Set(), full: false };

/** How many choices of the question may be marked; null: one choice answers it. */
const several = () => (isLive() ? (question().asked?.several ?? null) : null);

/** Whether a choice is marked. @param {Choice} choice */
const isMarked = ({ index }) => marks.decision === state.decision && marks.indices.has(index);

/** The marked choices, in the order of the list. */
export const marked = () => choices().filter(isMarked);

/** Marks a choice, or takes its mark away; returns whether choices are marked here. @param {Choice} choice */
export function toggleMark(choice) {
  const of = several();
  if (!of || choice.index === of.end) return false;
  if (marks.decision !== state.decision) marks = { decision: state.decision, indices: new Set(), full: false };
  const { indices } = marks;
  const isNew = !indices.delete(choice.index);
  marks.full = isNew && indices.size === of.most;
  if (isNew && !marks.full) indices.add(choice.index);
  return true;
}

/** The indices to send, if enough choices are marked. @returns {number[] | null} */
export function markedAnswer() {
  const of = several();
  const indices = marked().map(({ index }) => index);
  if (!of || indices.length === 0) return null;
  if (indices.length === of.most) return indices;
  return of.end === null ? null : [...indices, of.end];
}

/** Whether a choice is pressed; null: it cannot be marked. @param {Choice} choice @returns {'true' | 'false' | null} */
export function pressed(choice) {
  const of = several();
  if (!of || choice.index === of.end) return null;
  return isMarked(choice) ? 'true' : 'false';
}

/** The button that gives the marked choices. @param {() => void} give @returns {Node[]} */
export function drawConfirm(give) {
  const of = several();
  if (!of) return [];
  const text = `Confirm ${marked().length} of ${of.end === null ? '' : 'up to '}${of.most}`;
  const props = { type: 'button', class: 'can', 'data-key': 'confirm', disabled: !markedAnswer(), click: give };
  const full = `Only ${of.most} can be chosen: take a mark back first.`;
  const note = el('span', { role: 'status' }, marks.decision === state.decision && marks.full && full);
  return [el('div', { class: 'picks' }, el('button', props, text), note)];
}
