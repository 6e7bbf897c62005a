// @ts-check
// Draws the transcript below headings of rounds and phases: each answer with its question, then its effects.

import { el, get, hue } from './dom.js';
import { head, round, seatOf, state } from './state.js';
import { withLinks } from './links.js';
import { wholeWords } from './words.js';

/** @typedef {import('./protocol').Line} Line */

/**
 * The drawn lines, and the number of nodes after each.
 * @type {{line: import('./protocol').Line, nodes: number}[]}
 */
let shown = [];

/** Maximum lines drawn when a table opens. */
const MOST = 400;

/** Whether the log scrolls to its end, unless somebody scrolled away. */
let follows = true;

function follow() {
  const log = get('log');
  if (follows) log.scrollTop = log.scrollHeight;
}

get('log').addEventListener('scroll', () => {
  const log = get('log');
  follows = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
});
// A longer question shrinks the log.
new ResizeObserver(follow).observe(get('log'));

/** A question before its answer: a question mark ends it, or a colon. @param {string} question */
const asked = (question) => (/[?!…]$/.test(question) ? question : `${question.replace(/[.:]$/, '')}:`);

/**
 * Draws a line with coloured player names: an answer with its question, and below it what the answer did.
 * @param {Line} line
 * @param {boolean} isEffect whether an answer caused it
 */
function drawLine(line, isEffect) {
  const { answer } = line;
  if (!answer) return el('p', { class: isEffect ? `${line.by} effect` : line.by }, ...colourNames(line.text));
  const { name, colour } = seatOf(answer.seat) ?? { name: '', colour: '' };
  return el(
    'p',
    { class: 'answer' },
    el('b', { class: hue(colour) }, name),
    ' ',
    el('span', { class: 'asked' }, ...linked(asked(answer.question))),
    ' ',
    el('span', { class: 'chosen' }, ...colourNames(answer.choice)),
  );
}

/** Whether an answer before it caused a line. @param {Line} line @param {Line[]} lines @param {number} at */
function isCaused(line, lines, at) {
  if (line.by === 'answer' || line.by === 'table') return false;
  for (let before = at - 1; before >= 0; before -= 1) {
    const { by, round: then, phase } = lines[before];
    if (then !== line.round || phase !== line.phase || by === 'table') return false;
    if (by === 'answer') return true;
  }
  return false;
}

/** A text with links, which Tab skips: there are too many. @param {string} text */
function linked(text) {
  const parts = withLinks(text);
  for (const part of parts) if (part instanceof HTMLElement) part.tabIndex = -1;
  return parts;
}

/** Colours the names of players in a text, but not inside of other words. @param {string} text */
function colourNames(text) {
  const { seats } = head();
  const names = seats.map((seat) => seat.name).filter(Boolean);
  if (names.length === 0) return linked(text);
  const parts = text.split(wholeWords(names, ''));
  // Every second part is a name.
  return parts.flatMap((part, at) =>
    at % 2 === 0 ? linked(part) : el('b', { class: hue(seats.find((seat) => seat.name === part)?.colour) }, part),
  );
}

/** @param {boolean} whole whether to redraw all lines */
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
  for (let at = same; at < lines.length; at += 1) {
    const line = lines[at];
    const before = shown.at(-1)?.line;
    const skip = whole && shown.length < lines.length - MOST;
    if (!skip && (!before || before.round !== line.round || before.phase !== line.phase))
      log.append(el('h3', {}, line.round > 0 ? `${round(line.round)} · ${line.phase}` : line.phase));
    if (!skip) log.append(drawLine(line, isCaused(line, lines, at)));
    shown.push({ line, nodes: log.childNodes.length });
  }
  if (whole) follows = true;
  follow();
}
