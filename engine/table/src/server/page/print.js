// @ts-check
// Draws the printed pages: sheets of cards, boards and rules. Then fits the texts, and reports those that do not fit.

import { el, get } from './dom.js';
import { face, setDeck } from './deck.js';
import { fit } from './fit.js';
import { sheetPages, tokenPages } from './sheet.js';
import { boardPage } from './boardpage.js';
import { rulesPages } from './booklet.js';

/** @type {import('./print').PrintData} */
const data = JSON.parse(get('data').textContent ?? '');
setDeck(data);

const pages = get('pages');
data.sheets.forEach((sheet, at) => pages.append(...sheetPages(data, sheet, at + 1)));
data.token_sheets.forEach((sheet, at) => pages.append(...tokenPages(data, sheet, at + 1)));
pages.append(...data.boards.map((board) => boardPage(data, board)));
if (data.rules) pages.append(...rulesPages(data, get('rules'), get('desk')));
get('rules').remove();
get('desk').remove();

const cramped = fitAll();
const names = [...pages.children].map((one) => /** @type {HTMLElement} */ (one).dataset.name ?? '');
report();
showOne();
addEventListener('hashchange', showOne);

/** Fits all faces. Copies of a card have one scale. @returns {string[]} ids of the cards whose text is too long */
function fitAll() {
  /** @type {Map<string, string>} */
  const scales = new Map();
  /** @type {Set<string>} */
  const long = new Set();
  for (const drawn of /** @type {NodeListOf<HTMLElement>} */ (pages.querySelectorAll('[data-card] .face'))) {
    const place = /** @type {HTMLElement} */ (drawn.closest('[data-card]'));
    const id = place.dataset.card ?? '';
    const key = `${id} ${drawn.parentElement?.clientWidth} ${drawn.parentElement?.clientHeight}`;
    const known = scales.get(key);
    if (known !== undefined) drawn.style.setProperty('--scale', known);
    else {
      if (!fit(drawn)) long.add(id);
      scales.set(key, drawn.style.getPropertyValue('--scale'));
    }
  }
  return [...long];
}

/** Whether paper shows nothing but coordinates of a board. @param {import('./print').PrintedBoard} board */
function isEmpty(board) {
  return board.cells.every((cell) => cell.face === null && cell.name === '' && cell.contents.length === 0);
}

/** Shows the report above the pages, and leaves it as data for the command. */
function report() {
  const long = cramped.map((id) => face(id)?.name ?? id).join(', ');
  get('summary').append(
    el('p', {}, `${data.game}: ${data.summary}. ${names.length} pages.`),
    el('p', {}, 'Print at 100 %, without margins of the browser; on both sides: turn over the long edge.'),
    ...data.boards.filter(isEmpty).map(({ label }) => el('p', {}, `${label} is empty on paper: each match fills it.`)),
    ...(cramped.length > 0 ? [el('p', { class: 'long' }, `Too long for their cards: ${long}.`)] : []),
  );
  const found = JSON.stringify({ pages: names, cramped }).replaceAll('<', '\\u003c');
  document.body.append(el('script', { type: 'application/json', id: 'report' }, found));
}

/** Shows a single page, for a picture: `#page=3`. */
function showOne() {
  const wanted = /^#page=(\d+)$/.exec(location.hash)?.[1];
  if (!wanted) return;
  document.body.classList.add('single');
  [...pages.children].forEach((one, at) => one.toggleAttribute('hidden', at + 1 !== Number(wanted)));
}
