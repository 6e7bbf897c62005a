// @ts-check
// Draws the transcript, line by line, below headings of rounds and phases.

import { el, get, hue } from './dom.js';
import { head, round, state } from './state.js';
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

/** Splits an answer line into player and choice. @param {Line} line */
function answer(line) {
  const who = head()
    .seats.map((one) => one.name)
    .find((name) => line.text.startsWith(`${name}: `));
  const asked = line.by === 'answer' && who ? line.text.lastIndexOf('? ') : -1;
  return who && asked > 0 ? { who, what: line.text.slice(asked + 2) } : null;
}

/** Whether the next line of the game repeats an answer. @param {Line} line @param {Line | undefined} next */
function repeats(line, next) {
  const said = answer(line);
  return said !== null && next?.by === 'game' && next.text.startsWith(said.who) && next.text.includes(said.what);
}

/**
 * Draws a line with coloured player names. Of an answer only the choice is shown: people remember the question.
 * @param {Line} line
 */
function drawLine(line) {
  const said = answer(line);
  if (said) return el('p', { class: 'answer', title: line.text }, ...colourNames(`${said.who}: ${said.what}`));
  return el('p', { class: line.by }, ...colourNames(line.text));
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
    if (!skip && !repeats(line, lines[at + 1])) log.append(drawLine(line));
    shown.push({ line, nodes: log.childNodes.length });
  }
  if (whole) follows = true;
  follow();
}
