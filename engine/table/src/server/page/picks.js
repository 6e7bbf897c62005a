// @ts-check
// Shows what a person has chosen so far, where a question comes again until all is chosen.

import { el } from './dom.js';
import { head, isLive, question, state } from './state.js';

/** Takes the last answer back. */
let undo = () => {};

/** @param {() => void} how */
export function setUndoSender(how) {
  undo = how;
}

/**
 * The person's answers: the question without its numbers, its number, and the lines of the transcript before it.
 * @type {{question: string, label: string, decision: number, at: number}[]}
 */
let picks = [];

/** The question that is asked, without its numbers: `2 of 3` counts on. */
function repeated() {
  const { asked } = question();
  return asked ? `${asked.prompt} ${asked.text.replace(/\d+/g, '')}` : '';
}

/** Notes an answer to the question that is asked. @param {import('./protocol').ChoiceView} choice */
export function notePick({ label }) {
  picks.push({ question: repeated(), label, decision: state.decision, at: state.lines.length });
}

/** Whether a line is an answer of this person. @param {import('./protocol').Line} line */
const isOwn = (line) => line.answer?.seat === head().seat;

/** Whether nobody else has answered since a line of the transcript, in the same phase. @param {number} at */
function isAlone(at) {
  const since = state.lines.slice(at);
  const [first] = since;
  return since.every(
    (line) => line.round === first.round && line.phase === first.phase && (line.by !== 'answer' || isOwn(line)),
  );
}

/** What has been chosen so far, with a button that takes the last choice back. @returns {Node[]} */
export function drawPicks() {
  // An answer that was taken back has left the transcript.
  picks = picks.filter(({ at, decision }) => decision === state.decision || state.lines.slice(at).some(isOwn));
  const now = repeated();
  const from = picks.findLastIndex((one) => one.question !== now) + 1;
  const row = picks.slice(from).filter(({ at, decision }) => decision !== state.decision && isAlone(at));
  if (row.length === 0 || !isLive()) return [];
  const names = row.map(({ label }) => el('li', {}, label));
  const button = el('button', { type: 'button', class: 'plain', 'data-key': 'back', click: undo }, 'Take back');
  return [el('div', { class: 'picks' }, `${row.length} chosen:`, el('ul', {}, ...names), button)];
}
