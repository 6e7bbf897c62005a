// @ts-check
// The rules of the game to read and search. Rule numbers and names of cards are links.

import { el, get } from './dom.js';
import { deck } from './deck.js';
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
/** Words that are links, and the view and the place to which each leads.
 * @type {{any: RegExp, to: Map<string, ['card' | 'rule', string]>} | null} */
let links = null;

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
  links = null;
  draw(book);
  if (!dialog().open) dialog().showModal();
  goTo();
}

/** Forgets the rules after an edit of the game. */
export function forgetRules() {
  book = links = null;
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

/** Finds the words that are links. @param {Rulebook} of */
function findLinks(of) {
  /** @type {Map<string, ['card' | 'rule', string]>} */
  const to = new Map();
  // Very short names occur in words of other meanings.
  for (const { id, name } of deck.faces.values()) if (name.length > 2 && !to.has(name)) to.set(name, ['card', id]);
  for (const block of of.blocks)
    if ('list' in block) for (const { number } of block.list) if (number) to.set(number, ['rule', number]);
  return to.size > 0 ? { any: wholeWords([...to.keys()], 'g'), to } : null;
}

/** A text with its links. @param {string} text @param {string} [own] a word that is no link here */
function linked(text, own) {
  if (!links) return [document.createTextNode(text)];
  /** @type {Node[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(links.any)) {
    const to = links.to.get(found[0]);
    if (!to || found[0] === own) continue;
    parts.push(document.createTextNode(text.slice(from, found.index)), linkTo(...to, found[0]));
    from = found.index + found[0].length;
  }
  parts.push(document.createTextNode(text.slice(from)));
  return parts;
}

/** @type {Record<import('./protocol').SpanStyle, string>} */
const TAGS = { plain: '', strong: 'strong', emphasis: 'em', code: 'code' };

/** @param {Span[]} spans @param {string} [own] @returns {Node[]} */
const drawSpans = (spans, own) =>
  spans.flatMap(({ text, style }) => (TAGS[style] ? [el(TAGS[style], {}, ...linked(text, own))] : linked(text, own)));

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
  links = findLinks(of);
  const blocks = of.blocks.map(drawBlock);
  // The first heading is the title of the dialog.
  const first = of.blocks[0];
  const hasTitle = first !== undefined && 'heading' in first && first.heading.level === 1;
  const title = hasTitle ? (blocks.shift()?.textContent ?? '') : 'Rules';
  const terms = of.terms.map(({ name, text }) => el('div', {}, el('dt', {}, name), el('dd', {}, ...linked(text))));
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

/** Hides headings without anything below. */
function hideEmptySections() {
  /** @type {HTMLElement | null} */
  let heading = null;
  for (const node of /** @type {HTMLCollectionOf<HTMLElement>} */ (get('rules-text').children)) {
    if (node.matches('#rules-cards')) continue;
    if (node.matches('h3')) {
      heading = node;
      heading.hidden = true;
    }
    const inner = /** @type {HTMLElement[]} */ ([...node.querySelectorAll('li, dl > div')]);
    if (node.matches('ul, dl')) node.hidden = inner.every((one) => one.hidden);
    if (heading && !node.hidden && !node.matches('h3, h4')) heading.hidden = false;
  }
}
