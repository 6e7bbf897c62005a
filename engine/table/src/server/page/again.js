// @ts-check
// Shows again what has happened since this person's last answer.

import { state } from './state.js';
import * as film from './film.js';
import { speed } from './motion.js';

/** The table at the last answer. @type {{view: import('./protocol').View, lines: any[], decision: number} | null} */
let before = null;
/** The messages since. @type {any[]} */
let since = [];
/** Most messages that are kept. */
const MOST = 400;

/** Keeps the table, because this person answers. */
export function keepScene() {
  const { view, lines, decision } = state;
  before = structuredClone({ view: { ...view, question: null }, lines, decision });
  since = [];
}

/** Keeps a message that changes the table. @param {any} message */
export function keepMessage(message) {
  if (message.table || message.skeleton || since.length >= MOST) before = null;
  else if (message.patch) since.push(structuredClone(message));
}

/** Whether others have acted since the last answer, and nothing is shown now. */
export const canShowAgain = () =>
  before !== null && since.length > 1 && speed() !== 'off' && !film.isRunning() && (state.place?.live ?? true);

/** Puts the table back and plays the messages. @param {() => void} redraw */
export function showAgain(redraw) {
  if (!canShowAgain()) return;
  Object.assign(state, structuredClone(before), { outcome: null, clicked: [] });
  redraw();
  for (const message of since) film.add(structuredClone(message), true);
}
