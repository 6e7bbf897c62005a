// @ts-check
// What happened, line by line, under the headings of rounds and phases.

import { el, get } from './dom.js';
import { state } from './state.js';

/** Lines that are shown, and how many nodes there were after each. @type {{line: import('./state.js').Line, nodes: number}[]} */
let shown = [];

/** Most lines that are drawn when a table is opened. */
const MOST = 400;

/** Whether the end is shown, until somebody scrolls away from it. */
let follows = true;

function follow() {
  const log = get('log');
  if (follows) log.scrollTop = log.scrollHeight;
}

get('log').addEventListener('scroll', () => {
  const log = get('log');
  follows = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
});
// A longer question leaves less room.
new ResizeObserver(follow).observe(get('log'));

/** @param {boolean} whole whether to begin anew */
export function drawStory(whole) {
  const log = get('log');
  if (whole) {
    log.replaceChildren();
    shown = [];
  }
  const { lines } = state;
  let same = 0;
  while (same < shown.length && same < lines.length && shown[same].line === lines[same]) same += 1;
  if (same < shown.length) {
    shown.length = same;
    while (log.childNodes.length > (shown.at(-1)?.nodes ?? 0)) log.lastChild?.remove();
  }
  for (const line of lines.slice(same)) {
    const before = shown.at(-1)?.line;
    const skip = whole && shown.length < lines.length - MOST;
    if (!skip && (!before || before.round !== line.round || before.phase !== line.phase)) log.append(el('h3', {}, line.round > 0 ? `Round ${line.round} · ${line.phase}` : line.phase));
    if (!skip) log.append(el('p', { class: line.by }, line.text));
    shown.push({ line, nodes: log.childNodes.length });
  }
  if (whole) follows = true;
  follow();
}
