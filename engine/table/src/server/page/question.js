// @ts-check
// Draws the pending question as a list of buttons.

import { el, get } from './dom.js';
import { face } from './deck.js';
import { choices, head, isLive, question, remaining, state, stepsOf, target } from './state.js';
import { openCard } from './card.js';
import { printed, stripe } from './face.js';
import { answerLearnt, drawGuide } from './guide.js';
import { drawPicks, notePick } from './picks.js';
import { drawResult } from './result.js';
import { drawConfirm, marked, markedAnswer, pressed, toggleMark } from './several.js';

/** @typedef {import('./protocol').ChoiceView} Choice */

/** Sends an answer. @type {(decision: number, index: number) => void} */
let answer = () => {};
/** Sends several answers. @type {(decision: number, indices: number[]) => void} */
let answerSeveral = () => {};
/** Asks why other choices are missing. @type {(decision: number) => void} */
let askWhy = () => {};
/** Asks what a choice would change. @type {(decision: number, index: number) => void} */
let askPreview = () => {};
/** The typed part of a choice's key. */
let typed = '';
/** Number of the last answered question. */
let answered = -1;

/** Draws the table again. */
let redraw = () => {};

/**
 * @param {(decision: number, index: number) => void} one
 * @param {(decision: number, indices: number[]) => void} many
 * @param {() => void} again
 */
export function setAnswerSender(one, many, again) {
  [answer, answerSeveral, redraw] = [one, many, again];
}

/** @param {(decision: number, index: number) => void} how */
export function setPreviewSender(how) {
  askPreview = how;
}

/** @param {(decision: number) => void} how */
export function setWhySender(how) {
  askWhy = how;
}

/** @param {Choice} choice */
export function choose(choice) {
  const { decision } = question();
  if (!isLive() || answered === decision) return;
  if (toggleMark(choice)) {
    typed = '';
    return redraw();
  }
  if (marked().length > 0) return confirm();
  sent();
  notePick(choice);
  answer(decision, choice.index);
}

/** Gives the marked choices, if they are enough. */
function confirm() {
  const { decision } = question();
  const indices = markedAnswer();
  if (!indices || answered === decision) return;
  sent();
  answerSeveral(decision, indices);
}

/** Closes the question until the table replies. */
function sent() {
  answered = question().decision;
  typed = '';
  if (state.view.question) answerLearnt(state.view.question.prompt);
  get('ask').classList.add('sent');
}

/** Reopens the question after a refused answer. */
export function reopen() {
  answered = -1;
  get('ask').classList.remove('sent');
}

/**
 * Chooses the only choice of a clicked node. Of several, the next places light up, or else the buttons.
 * @param {Choice[]} some
 * @param {string[]} keys of the node
 */
export function pick(some, ...keys) {
  if (some.length === 1) return choose(some[0]);
  if (some.some((choice) => stepsOf(choice).length > state.clicked.length + 1)) {
    state.clicked.push(keys);
    redraw();
    return mark(remaining());
  }
  openList();
  mark(some);
  buttons()
    .find((button) => button.classList.contains('fits'))
    ?.focus();
}

/** Marks the buttons of these choices. @param {Choice[]} some */
function mark(some) {
  for (const button of buttons())
    button.classList.toggle(
      'fits',
      some.some((choice) => String(choice.index) === button.dataset.index),
    );
}

/** Takes the clicks back; returns whether there were any. */
export function unpick() {
  if (state.clicked.length === 0) return false;
  state.clicked = [];
  redraw();
  mark([]);
  return true;
}

/** @returns {HTMLButtonElement[]} */
const buttons = () => /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('#ask .choices button')]);

/** @param {boolean} other whether the question is new */
export function draw(other) {
  const asked = question().asked;
  const place = get('ask');
  place.classList.remove('sent');
  if (other) {
    typed = '';
    peek([]);
  }
  const { over, seats, seat } = head();
  const { outcome } = state;
  if (outcome) return place.replaceChildren(...drawResult(outcome));
  if (!asked) {
    const named = (/** @type {import('./protocol').Seat} */ one) =>
      state.away.includes(one.seat) ? `${one.name} (away)` : one.name;
    const turn = seats.filter((one) => one.turn && one.seat !== seat).map(named);
    const text = over
      ? 'The game is over.'
      : turn.length > 0
        ? `Waiting for ${turn.join(', ')} …`
        : 'Waiting for the others …';
    return place.replaceChildren(el('p', { class: 'waiting' }, text));
  }
  const about = asked.about.map(face).filter((one) => one !== undefined);
  const plain = asked.choices.every((choice) => !choice.face && choice.label.length < 14 && !choice.note);
  const cells = asked.choices.length > 4 && asked.choices.every((choice) => target(choice).cell && !choice.face);
  const list = el(
    'div',
    {
      class: `choices${plain ? ' plainly' : cells ? ' cells' : ''}`,
      'data-scroll': 'choices',
      role: 'group',
      'aria-labelledby': 'question',
    },
    ...asked.choices.map((choice) => button(choice, about)),
  );
  const parts = [
    el('h2', { id: 'question', 'data-src': `prompts.${asked.prompt}` }, asked.text, time(asked.time)),
    isLive() && drawGuide(asked.prompt),
    ...about.map((of) =>
      el(
        'button',
        {
          type: 'button',
          class: `card about ${stripe(of)}`,
          'data-src': of.id,
          'data-key': `about/${of.id}`,
          click: () => openCard(of),
        },
        el('span', { class: 'name' }, of.name),
        ...printed(of, true),
      ),
    ),
    ...drawPicks(),
    ...drawConfirm(confirm),
    ...(cells && isLive() ? [folded(list)] : [list]),
    el('p', { id: 'preview', 'aria-live': 'polite' }),
    ...drawRefused(),
    el('p', { id: 'typed', 'aria-live': 'polite' }),
  ];
  place.replaceChildren(...parts.filter((part) => part instanceof Node));
}

/** Which of several times the question is asked. @param {[number, number] | null} of */
const time = (of) => of && el('small', { class: 'time' }, ` ${of[0]} of ${of[1]}`);

/** Whether the person keeps the list of cells open. */
let isListOpen = false;

/** Folds a list away if each of its choices can be clicked on a board. @param {HTMLElement} list */
const folded = (list) =>
  el(
    'details',
    { id: 'list', open: isListOpen },
    el('summary', { 'data-key': 'list', click: () => (isListOpen = !isListOpen) }, 'Click a place, or open the list'),
    list,
  );

/** Opens the list of choices. */
function openList() {
  document.getElementById('list')?.setAttribute('open', '');
}

/** Draws the choices that the question does not have, or the button that asks for them. @returns {Node[]} */
function drawRefused() {
  const { refused } = state;
  if (!isLive()) return [];
  if (!refused) {
    const click = () => askWhy(question().decision);
    return [el('button', { type: 'button', class: 'plain', 'data-key': 'why', click }, 'Why not others?')];
  }
  if (refused.length === 0) return [el('p', { class: 'note' }, 'Nothing else is refused now.')];
  const row = (/** @type {import('./protocol').RefusedChoice} */ { label, reason }) =>
    el('li', {}, el('span', { class: 'name' }, label), ' ', el('span', { class: 'note' }, reason));
  return [el('ul', { class: 'refused', 'data-key': 'refused', 'aria-label': 'Not possible now' }, ...refused.map(row))];
}

/** @param {Choice} choice @param {import('./protocol').Face[]} about */
function button(choice, about) {
  const of = face(choice.face);
  const shown = about.some((one) => one.id === choice.face) ? undefined : of;
  return el(
    'button',
    {
      type: 'button',
      class: shown ? stripe(shown) : '',
      'aria-pressed': pressed(choice),
      'data-key': `choice/${choice.key}`,
      'data-index': choice.index,
      'data-src': of?.id ?? null,
      disabled: !isLive(),
      click: () => choose(choice),
      focus: () => highlight(choice),
      mouseenter: () => highlight(choice),
      blur: () => highlight(null),
      mouseleave: () => highlight(null),
    },
    choice.typed !== choice.label && el('kbd', {}, choice.typed),
    el(
      'span',
      { class: 'what' },
      el('span', { class: 'name' }, choice.label),
      ...printed(shown, true),
      choice.note !== '' && choice.note !== shown?.text && el('span', { class: 'note' }, choice.note),
      estimate(choice),
    ),
  );
}

/** Draws the estimate of a choice as a bar and numbers. @param {Choice} choice */
function estimate(choice) {
  const one = state.estimates?.[choice.index];
  if (!one) return null;
  const parts = [
    one.share !== null && `${Math.round(one.share * 100)} % won`,
    one.margin !== null && `margin ${one.margin > 0 ? '+' : ''}${one.margin.toFixed(1)}`,
    `${one.score.toFixed(1)} points`,
    `${one.games} random games`,
  ];
  const text = parts.filter((part) => part !== false).join(' · ');
  return el(
    'span',
    { class: 'estimate' },
    el('meter', { min: 0, max: 1, value: one.level, 'aria-label': text }),
    el('span', {}, ` ${text}`),
  );
}

/** Asks why a place of the table is no choice, if places like it are choices. @param {string} key */
export function askAbout(key) {
  const [sort, of] = key.split('/');
  const isLike = (/** @type {string} */ other) => other.startsWith(`${sort}/${of}/`);
  if (!isLive() || state.refused || !choices().some((choice) => stepsOf(choice).flat().some(isLike))) return;
  askWhy(question().decision);
}

/** Highlights the target of a choice on the table. @param {Choice | null} choice */
function highlight(choice) {
  for (const old of document.querySelectorAll('.aim')) old.classList.remove('aim');
  peek(choice ? [choice] : []);
  if (choice) for (const node of nodesOf(choice)) node.classList.add('aim');
}

/** The nodes on the table that stand for a choice. @param {Choice} choice @returns {Iterable<Element>} */
function nodesOf(choice) {
  if (choice.on === 'nothing') return [];
  const keys = stepsOf(choice).flat();
  return keys.length > 0
    ? document.querySelectorAll(keys.map((key) => `[data-key="${CSS.escape(key)}"]`).join(', '))
    : document.querySelectorAll(`.pile .can[data-src="${CSS.escape(choice.face ?? '')}"]`);
}

/** Shows on the table which choices are marked. */
export function drawMarks() {
  for (const choice of marked()) for (const node of nodesOf(choice)) node.classList.add('marked');
}

/** The choice whose preview is shown. @type {Choice | null} */
let peeked = null;
/** The timer before the table is asked. @type {number | undefined} */
let peekTimer;
/** Time over a choice after which its preview is asked for, in milliseconds. */
const PEEK_DELAY = 150;

/** Shows what the only one of these choices would change; for several or none, nothing. @param {Choice[]} some */
export function peek(some) {
  peeked = some.length === 1 ? some[0] : null;
  clearTimeout(peekTimer);
  drawPreview();
  if (!peeked || !isLive() || state.previews.has(peeked.index)) return;
  const { decision } = question();
  const { index } = peeked;
  peekTimer = setTimeout(() => askPreview(decision, index), PEEK_DELAY);
}

/** Most sentences of a preview. */
const SENTENCES = 6;

/** Draws the preview of the choice under the pointer or with the focus. */
export function drawPreview() {
  const place = document.getElementById('preview');
  if (!place) return;
  const of = peeked && state.previews.get(peeked.index);
  if (!of) return place.replaceChildren();
  const what = of.certain.length > 0 ? 'More' : 'What happens';
  const open = `${what} depends on what you cannot know.`;
  const more = of.certain.length - SENTENCES;
  const parts = [
    ...of.certain.slice(0, more > 0 ? SENTENCES - 1 : SENTENCES),
    ...(more > 0 ? [`and ${more + 1} more`] : []),
    ...(of.varies ? [open] : of.certain.length === 0 ? ['Nothing changes yet.'] : []),
  ];
  place.replaceChildren(...parts.map((part) => el('span', {}, part)));
}

/**
 * Handles a key for the question; returns whether it did.
 * @param {string} key
 */
export function press(key) {
  const all = choices();
  if (all.length === 0 || !isLive()) return false;
  if (key === 'ArrowDown' || key === 'ArrowUp' || key === 'Home' || key === 'End') {
    openList();
    const list = buttons();
    const at = list.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? list.length - 1 : at - 1, Home: 0, End: list.length - 1 }[key];
    list[(next + list.length) % list.length]?.focus();
    return true;
  }
  if (key === 'Escape' || key === 'Backspace') {
    if (typed === '') return unpick();
    typed = key === 'Escape' ? '' : typed.slice(0, -1);
  } else if (key === 'Enter' && typed === '' && markedAnswer()) {
    confirm();
  } else if (key === 'Enter') {
    const found = all.find((choice) => choice.typed === typed);
    if (!found) return false;
    choose(found);
    return true;
  } else {
    const longer = all.filter((choice) => choice.typed.startsWith(typed + key));
    if (longer.length === 0) return false;
    typed += key;
        // Choose at once if no longer key is possible.
    if (longer.length === 1 && longer[0].typed === typed) {
      choose(longer[0]);
      return true;
    }
  }
  for (const button of buttons())
    button.classList.toggle(
      'fits',
      typed !== '' &&
        (all.find((choice) => String(choice.index) === button.dataset.index)?.typed.startsWith(typed) ?? false),
    );
  get('typed').textContent = typed === '' ? '' : `${typed} – Enter chooses, Escape clears`;
  return true;
}
