// @ts-check
// Shows messages one after another, so that a person can follow the bots' turns. Any act of the person ends the film.

import { flight } from './motion.js';

/** Longest film in milliseconds: a longer queue is shown faster. */
const LONGEST = 6000;

/** Shows a message. @type {(message: any) => void} */
let show = () => {};
/** Tells that a film began or ended. @type {() => void} */
let changed = () => {};
/** The messages that wait. @type {{message: any, isScene: boolean}[]} */
const queue = [];
/** Time after a skip in which new messages belong to the skipped film, in milliseconds. */
const AFTER_SKIP = 500;
/** Moment until which messages are shown at once. */
let skipped = -Infinity;
/** Moment of the last shown message. */
let last = -Infinity;
/** The pending timer. @type {number | undefined} */
let timer;

/** @param {(message: any) => void} how @param {() => void} tell */
export function setScreen(how, tell) {
  [show, changed] = [how, tell];
}

/** Whether messages wait. */
export const isRunning = () => queue.length > 0;

/**
 * Shows a message now, or after those that wait.
 * @param {any} message
 * @param {boolean} isScene whether people need time to see it
 */
export function add(message, isScene) {
  const before = isRunning();
  if (!before && (!isScene || performance.now() < skipped)) return show(message);
  if (!before && performance.now() - last >= pace()) return showNow(message);
  queue.push({ message, isScene });
  if (!before) changed();
  schedule();
}

/** Shows all waiting messages at once, and the next one without a pause: it is the reply to an act of the person. */
export function skip() {
  last = -Infinity;
  if (!isRunning()) return;
  skipped = performance.now() + AFTER_SKIP;
  clearTimeout(timer);
  timer = undefined;
  for (const { message } of queue.splice(0)) show(message);
  changed();
}

/** @param {any} message */
function showNow(message) {
  last = performance.now();
  show(message);
}

/** Time between two messages in milliseconds. */
const pace = () => Math.min(1.4 * flight(), LONGEST / Math.max(1, queue.length));

function schedule() {
  if (timer !== undefined || !isRunning()) return;
  const wait = Math.max(0, last + pace() - performance.now());
  timer = setTimeout(() => {
    timer = undefined;
    const next = queue.shift();
    if (next) showNow(next.message);
    while (queue[0] && !queue[0].isScene) show(queue.shift()?.message);
    if (isRunning()) schedule();
    else changed();
  }, wait);
}
