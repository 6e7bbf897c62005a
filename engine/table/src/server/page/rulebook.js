// @ts-check
// The rules of the game to read and search. Rule numbers and names of cards are links.

import { el, get } from './dom.js';
import { deck } from './deck.js';
import { withLinks } from './links.js';
import { wholeWords } from './words.js';
import { enter, linkTo, setView } from './route.js';

/** @typedef {import('./protocol').Rulebook} Rulebook */
/** @typedef {import('./protocol').RuleSpan} Span */

/** @type {Rulebook | null} */
let book = null;
/** The place to open when the rules arrive: a rule, or a name in their text. */
let wanted = { rule: '', name: '' };
/** Sends a message. @type {(message: unknown) => void} */
let send = () => {};
/** @param {(message: unknown) => void} how */
export function setRulesSender(how) {
  send = how;
}

const dialog = () => /** @type {HTMLDialogElement} */ (get('rules'));

/** Opens the rules, at a rule if one is named. @param {string} [rule] */
export const openRules = (rule = '') => open({ rule, name: '' });
setView('rule', openRules);

/** Opens the rules at the first place that names something, such as a phase. @param {string} name */
export const openRulesAt = (name) => open({ rule: '', name });

/** @param {{rule: string, name: string}} where */
function open(where) {
  enter('rule', where.rule);
  wanted = where;
  if (!book) return send({ rules: {} });
  if (!dialog().open) {
    draw(book);
    dialog().showModal();
  }
  goTo();
}

/** Shows the rules that the table sent. @param {Rulebook} received */
export function receiveRules(received) {
  book = received;
  draw(book);
  if (!dialog().open) dialog().showModal();
  goTo();
}

/** Forgets the rules after an edit of the game. */
export function forgetRules() {
  book = null;
  if (dialog().open) send({ rules: {} });
}

/** Scrolls to the wanted place. */
function goTo() {
  const { rule, name } = wanted;
  const all = /** @type {HTMLElement[]} */ ([...get('rules-text').querySelectorAll('[data-place]')]);
  const any = name ? wholeWords([name], 'i') : null;
  const named = (/** @type {string} */ kind) =>
    all.find((node) => any?.test(node.textContent ?? '') && node.matches(kind));
  const found = rule ? all.find((node) => node.dataset.place === rule) : (named('h3, h4') ?? named('*'));
  if (!found) return;
  filter('');
  found.scrollIntoView({ block: 'start' });
  found.focus({ preventScroll: true });
}

/** The element of each style. @type {Record<import('./protocol').SpanStyle, string>} */
const TAGS = { plain: '', strong: 'strong', emphasis: 'em', code: 'code' };

/** @param {Span[]} spans @param {string} [own] @returns {Node[]} */
const drawSpans = (spans, own) =>
  spans.flatMap(({ text, style }) => {
    const parts = withLinks(text, own);
    return TAGS[style] ? [el(TAGS[style], {}, ...parts)] : parts;
  });

/** @param {import('./protocol').RuleBlock} block @returns {HTMLElement} */
function drawBlock(block) {
  if ('heading' in block)
    return el(
      block.heading.level > 2 ? 'h4' : 'h3',
      { tabindex: -1, 'data-place': '' },
      ...block.heading.spans.map((span) => span.text),
    );
  if ('paragraph' in block) return el('p', { tabindex: -1, 'data-place': '' }, ...drawSpans(block.paragraph));
  if ('list' in block)
    return el(
      'ul',
      {},
      ...block.list.map(({ number, spans }) =>
        el(
          'li',
          { tabindex: -1, 'data-place': number, class: number ? 'rule' : '' },
          number && linkTo('rule', number, number, 'number'),
          el('span', {}, ...drawSpans(spans, number)),
        ),
      ),
    );
  const [first, ...rows] = block.table;
  const cell = (/** @type {string} */ tag) => (/** @type {Span[]} */ spans) =>
    el(tag, tag === 'th' ? { scope: 'col' } : {}, ...drawSpans(spans));
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...first.map(cell('th')))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map(cell('td'))))),
    ),
  );
}

/** @param {Rulebook} of */
function draw(of) {
  const blocks = of.blocks.map(drawBlock);
  // The first heading is the title of the dialog.
  const first = of.blocks[0];
  const hasTitle = first !== undefined && 'heading' in first && first.heading.level === 1;
  const title = hasTitle ? (blocks.shift()?.textContent ?? '') : 'Rules';
  const terms = of.terms.map(({ name, text }) => el('div', {}, el('dt', {}, name), el('dd', {}, ...withLinks(text))));
  if (terms.length > 0) blocks.push(el('h3', { tabindex: -1, 'data-place': '' }, 'Glossary'), el('dl', {}, ...terms));
  const contents = blocks.filter((block) => block.matches('h3')).map((heading) => {
    const go = () => {
      filter('');
      heading.scrollIntoView({ block: 'start' });
      heading.focus({ preventScroll: true });
    };
    return el('li', {}, el('button', { type: 'button', class: 'to', click: go }, heading.textContent ?? ''));
  });
  const search = /** @type {HTMLInputElement} */ (
    el('input', {
      type: 'search',
      'aria-label': 'Search the rules',
      placeholder: 'Search',
      input: () => filter(search.value),
    })
  );
  const isWide = matchMedia('(min-width: 60rem)').matches;
  dialog().replaceChildren(
    el(
      'header',
      {},
      el('h2', {}, title),
      search,
      el('output', { id: 'rules-count' }),
      el('button', { type: 'button', class: 'plain', click: () => dialog().close() }, 'Close'),
    ),
    el(
      'div',
      { class: 'book' },
      el('details', { open: isWide }, el('summary', {}, 'Contents'), el('ul', {}, ...contents)),
      el(
        'div',
        { id: 'rules-text', tabindex: 0, role: 'group', 'aria-label': 'Text of the rules' },
        el('p', { id: 'rules-cards', hidden: true }),
        ...blocks,
      ),
    ),
  );
}

/** Shows the rules and the cards with these words. @param {string} text */
function filter(text) {
  const search = /** @type {HTMLInputElement} */ (dialog().querySelector('[type=search]'));
  if (search.value !== text) search.value = text;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (/** @type {string} */ of) => words.every((word) => of.toLowerCase().includes(word));
  const parts = get('rules-text').querySelectorAll(':scope > p:not(#rules-cards), li, dl > div, .scroll');
  let count = 0;
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (parts)) {
    node.hidden = words.length > 0 && !fits(node.textContent ?? '');
    if (!node.hidden) count += 1;
  }
  hideEmptySections();
  get('rules-count').textContent = words.length > 0 ? `${count} found` : '';
  const found = words.length > 0 ? [...deck.faces.values()].filter((of) => fits(of.name)).slice(0, 24) : [];
  const names = found.flatMap((of) => [linkTo('card', of.id, of.name), ' ']);
  get('rules-cards').replaceChildren(el('b', {}, 'Cards: '), ...names);
  get('rules-cards').hidden = found.length === 0;
}

/** Hides the headings without anything below. */
function hideEmptySections() {
  // Whether something is visible below the next heading of each level.
  let [inPart, inSection] = [false, false];
  for (const node of /** @type {HTMLElement[]} */ ([...get('rules-text').children].reverse())) {
    if (node.matches('#rules-cards')) continue;
    const inner = /** @type {HTMLElement[]} */ ([...node.querySelectorAll('li, dl > div')]);
    if (node.matches('ul, dl')) node.hidden = inner.every((one) => one.hidden);
    if (node.matches('h4')) {
      node.hidden = !inPart;
      inPart = false;
    } else if (node.matches('h3')) {
      node.hidden = !inSection;
      [inPart, inSection] = [false, false];
    } else if (!node.hidden) [inPart, inSection] = [true, true];
  }
}
