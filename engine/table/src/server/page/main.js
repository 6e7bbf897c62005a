// @ts-check
// The page of a table: keeps a socket open, draws incoming views, and sends the person's choices.

import { el, get, keepingFocus } from './dom.js';
import { head, isLive, round, state, applyMessage } from './state.js';
import { draw as drawQuestion, drawMarks, drawPreview, press, reopen } from './question.js';
import { setAnswerSender, setPreviewSender, setWhySender } from './question.js';
import { setUndoSender } from './picks.js';
import { drawMats } from './mat.js';
import { drawPlaces, narrow } from './places.js';
import { drawStory } from './story.js';
import { handleReply, drawTools, updateTabStops, pressTool, setSender } from './tools.js';
import * as film from './film.js';
import { openGallery, redrawGallery } from './gallery.js';
import { forgetRules, openRules, openRulesAt, receiveRules, setRulesSender } from './rulebook.js';
import { receiveEdited, receiveForm, receiveTakenBack, recheck, setEditorSender } from './editor.js';
import { withLinks } from './links.js';
import { follow } from './route.js';
import { forgetPlaces, inPlace } from './reserve.js';
import { setRematchSender } from './result.js';
import { canShowAgain, keepMessage, keepScene, showAgain } from './again.js';
import { hasSound, ring, setSound } from './sound.js';
import { answerGiven, setSpeed, showChanges, speed, SPEED_NAMES, survey } from './motion.js';

const token = new URLSearchParams(location.hash.slice(1)).get('t') ?? '';
/** @type {WebSocket | null} */
let socket = null;
let wait = 500;
/** Whether the server closed this socket for another window with the same link. Reconnecting would close that one. */
let crowded = false;

function connect() {
  const protocols = ['lode.2', `token.${token}`];
  if (state.skeleton) protocols.push(`known.${state.skeleton.fingerprint}`);
  if (!/^[0-9a-f]{32}$/.test(token)) return notice('This is not a link to a table: it must end in “#t=…”.');
  socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/socket`, protocols);
  let opened = false;
  socket.addEventListener('open', () => {
    opened = true;
    wait = 500;
    notice('');
  });
  socket.addEventListener('message', (event) => receive(JSON.parse(event.data)));
  socket.addEventListener('close', () => {
    if (crowded) return;
    notice(
      opened || state.skeleton
        ? 'The table does not answer. Trying again …'
        : 'The table does not answer, or the link is invalid.',
    );
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, 8000);
  });
}

/** @param {unknown} message */
function send(message) {
  film.skip();
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else reopen();
}

/** Films the changes of the table; anything else is shown at once. @param {any} message */
function receive(message) {
  if (message.presence) return showPresence(message.presence);
  keepMessage(message);
  const isScene = Boolean(message.patch);
  if ((isScene || message.place) && document.visibilityState === 'visible') return film.add(message, isScene);
  film.skip();
  show(message);
}

/** @param {any} message */
function show(message) {
  if (message.refused) {
    reopen();
    crowded ||= message.refused.code === 'crowded';
    return notice(message.refused.text);
  }
  if (handleReply(message)) return;
  if (message.broken) {
    broken = message.broken.text;
    return notice('');
  }
  if (message.rulebook) return receiveRules(message.rulebook);
  if (message.edited) return receiveEdited(message.edited);
  if (message.form) return receiveForm(message.form);
  if (message.taken_back) return receiveTakenBack(message.taken_back);
  if (message.estimates) {
    if (!state.place || state.place.step !== message.estimates.step) return;
    state.estimates = message.estimates.choices;
    return keepingFocus(() => drawQuestion(false));
  }
  if (message.reasons) {
    if (state.decision !== message.reasons.decision) return;
    state.refused = message.reasons.choices;
    return keepingFocus(() => drawQuestion(false));
  }
  if (message.preview) {
    if (state.decision !== message.preview.decision) return;
    state.previews.set(message.preview.index, message.preview.of);
    return drawPreview();
  }
  const before = message.patch ? survey() : null;
  const asked = state.request;
  const changed = applyMessage(message);
  if (message.table) forgetPlaces();
  tellOutcome(asked);
  if (message.skeleton) return newCards();
  notice('');
  redraw(changed);
  followAddress();
  if (message.patch) showChanges(before);
  else answerGiven();
}

/** Shows which people are away. @param {{people: number[], here: number[]}} presence */
function showPresence({ people, here }) {
  state.away = people.filter((seat) => !here.includes(seat));
  if (state.skeleton) redraw(new Set(['marks', 'piles']));
}

/** Redraws what changed; the rest of the page stays where it is. @param {Set<string> | null} changed */
const redraw = (changed) => keepingFocus(() => inPlace(() => draw(changed)));

/** What became of this seat's undo request, until it acts again. */
let outcome = '';

/** Why the newest rules cannot be played. */
let broken = '';

/** Tells the person what became of the undo request. @param {import('./protocol').UndoRequestView | null} asked */
function tellOutcome(asked) {
  if (!asked || asked.seat !== head().seat || state.request) return;
  outcome = state.lines.findLast((line) => line.by === 'table')?.text ?? '';
}

let hasCards = false;
/** Redraws the views of the cards. */
function newCards() {
  broken = '';
  notice('');
  if (hasCards) {
    forgetRules();
    redrawGallery();
    recheck();
  }
  hasCards = true;
}

let isFollowed = false;
/** Opens the view that the address names, once the page knows what its link allows. */
function followAddress() {
  if (isFollowed) return;
  isFollowed = true;
  setTimeout(follow);
}

/** Moment at which the question first appeared, in milliseconds, and its number. */
let asked = { at: -Infinity, decision: -1 };
/** Whether this player was not asked before. */
let waited = false;
/** Time after a new question in which a click is taken for one at the old question, in milliseconds. */
const TOO_SOON = 250;

document.addEventListener(
  'click',
  (event) => {
    const isPointer = event.isTrusted && event.detail > 0;
    const where = /** @type {Element} */ (event.target).closest('#ask, #left');
    if (!isPointer || !where || performance.now() - asked.at > TOO_SOON) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

/** @param {Set<string> | null} changed */
function draw(changed) {
  const other = (/** @type {string[]} */ ...ids) => !changed || [...changed].some((id) => ids.includes(id));
  const now = head();
  const asks = other('question');
  if (asks && asked.decision !== state.decision) {
    asked = { at: performance.now(), decision: state.decision };
    if (waited && state.view.question && isLive()) ring();
    document.body.classList.add('new');
    setTimeout(() => document.body.classList.remove('new'), TOO_SOON);
  }
  if (other('head')) {
    get('game').textContent = state.skeleton?.name ?? '';
    const toRules = () => openRulesAt(now.phase.name);
    const props = { type: 'button', class: 'to', 'data-key': 'phase', title: 'Rules of this phase', click: toRules };
    const phase = el('button', props, now.phase.name);
    get('now').replaceChildren(now.round > 0 ? `${round(now.round)} · ` : '', now.phase.name ? phase : '');
    get('phase').replaceChildren(...withLinks(now.phase.text));
    get('phase').title = now.phase.text;
    get('now').dataset.src = `phases.${now.phase.id}`;
  }
  if (asks || other('head', 'outcome', 'marks')) drawQuestion(asks);
  if (asks || other('head', 'rows', 'piles', 'boards', 'cells')) drawMats();
  if (asks || other('head', 'shared', 'piles', 'boards', 'cells')) drawPlaces();
  drawMarks();
  waited = !state.view.question;
  document.title = title();
  drawStory(!changed);
  drawBar();
}

/** The title of the tab: whose turn it is, and the game. */
function title() {
  const game = state.skeleton?.name ?? 'Table';
  const { over, seats, seat } = head();
  if (over) return `Over – ${game}`;
  if (state.view.question && isLive()) return `Your turn – ${game}`;
  const awaited = seats.filter((one) => one.turn && one.seat !== seat).map((one) => one.name);
  return awaited.length > 0 ? `Waiting for ${awaited.join(', ')} – ${game}` : game;
}

/** @param {string} text */
function notice(text) {
  get('notice').textContent = text || outcome || broken;
  get('notice').hidden = get('notice').textContent === '';
}

const undo = () => send({ undo: {} });

/** Draws the pending undo request: the question to this seat, or whom its own request waits for. */
function drawRequest() {
  const { request } = state;
  const place = get('request');
  place.hidden = !request;
  if (!request) return place.replaceChildren();
  const { number, seat, text, waits, missing } = request;
  const consent = (/** @type {boolean} */ agree) => () => send({ consent: { request: number, agree } });
  const names = missing.map((one) => head().seats.find((other) => other.seat === one)?.name ?? '').join(', ');
  const status = seat === head().seat ? `You asked to undo: waiting for ${names} to agree.` : text;
  const buttons = [
    el('button', { type: 'button', class: 'can', 'data-key': 'agree', click: consent(true) }, 'Agree'),
    el('button', { type: 'button', class: 'plain', 'data-key': 'refuse', click: consent(false) }, 'Refuse'),
  ];
  place.replaceChildren(el('span', { role: 'status' }, status), ...(waits ? buttons : []));
}

function drawBar() {
  const { place } = state;
  get('tools').replaceChildren(
    el(
      'button',
      { type: 'button', class: 'plain', 'data-key': 'undo', click: undo, disabled: place !== null && !place.live },
      'Undo',
    ),
    el('button', { type: 'button', class: 'plain', 'data-key': 'keys', click: showKeys }, 'Keys'),
    el('button', { type: 'button', class: 'plain', 'data-key': 'gallery', click: openGallery }, 'Cards'),
    el('button', { type: 'button', class: 'plain', 'data-key': 'rules', click: () => openRules() }, 'Rules'),
    speedList(),
    // The button has its place whether it is there or not.
    el('span', { class: 'slot' }, film.isRunning() ? skipButton() : canShowAgain() && againButton()),
    ...drawTools(),
  );
  drawRequest();
  updateTabStops();
}

/** The list of speeds of moves. */
function speedList() {
  const now = speed();
  const list = /** @type {HTMLSelectElement} */ (
    el(
      'select',
      { 'data-key': 'speed', 'aria-label': 'Speed of moves', change: () => setSpeed(list.value) },
      ...SPEED_NAMES.map((value) => el('option', { value, selected: value === now }, `moves: ${value}`)),
    )
  );
  return list;
}

const skipButton = () =>
  el('button', { type: 'button', class: 'can', 'data-key': 'skip', click: () => film.skip() }, 'Skip');

const again = () => showAgain(() => redraw(null));
const againButton = () => {
  const title = 'Shows again what has happened since your last answer';
  return el('button', { type: 'button', class: 'plain', 'data-key': 'again', title, click: again }, 'Again');
};

const KEYS = [
  ['the key of a choice', 'choose it (with Enter if other keys begin like it)'],
  ['↑ ↓', 'move through the choices; Enter chooses'],
  ['Tab', 'move to cards, boards and players; arrows move on a board'],
  ['Space', 'skip the moves of the others'],
  ['u', 'undo your last answer'],
  ['a', 'show again what has happened since your last answer'],
  ['q, o, l', 'go to the question, the table, the transcript'],
  ['c, r', 'see all cards, read the rules'],
  ['d', 'designer: show or hide the tools'],
  ['e, t, s', 'designer: estimates, rule test, sources'],
  ['Esc', 'clear the typed keys or the clicks, or close'],
  ['?', 'show these keys'],
];

/** The box that turns the sound on and off. */
function soundBox() {
  const box = /** @type {HTMLInputElement} */ (
    el('input', { type: 'checkbox', 'data-key': 'sound', change: () => setSound(box.checked) })
  );
  box.checked = hasSound();
  return box;
}

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (get('keys'));
  const list = el('dl', {}, ...KEYS.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]));
  dialog.replaceChildren(
    el('h2', {}, 'Keys'),
    list,
    el('label', {}, soundBox(), ' a sound when it is your turn'),
    el('button', { type: 'button', class: 'plain', click: () => dialog.close() }, 'Close'),
  );
  dialog.showModal();
}

// The side column ends at the lower edge of the window, below the bar.
new ResizeObserver(() =>
  document.documentElement.style.setProperty('--bar', `${get('bar').offsetHeight}px`),
).observe(get('bar'));

// Areas that a narrow screen does not name have other contents.
narrow.addEventListener('change', () => {
  forgetPlaces();
  redraw(null);
});

film.setScreen(show, () => keepingFocus(drawBar));

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
  const target = /** @type {HTMLElement} */ (event.target);
    // A closed dialog keeps the focus until the next redraw.
  if (target.matches('input, select, summary, textarea') && !target.closest('dialog')) return;
    // Enter presses the focused button unless a choice has been typed.
  if (event.key === 'Enter' && target.matches('button') && get('ask').querySelector('#typed')?.textContent === '')
    return;
  const first = (/** @type {string} */ selector) =>
    /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
  if (film.isRunning()) {
    const wasAsked = state.view.question !== null;
    film.skip();
    if (!wasAsked || event.key === ' ') return event.preventDefault();
  }
  if (press(event.key)) event.preventDefault();
  else if (event.key === '?') showKeys();
  else if (event.key === 'u') undo();
  else if (event.key === 'a') again();
  else if (event.key === 'q') first('#ask button');
  else if (event.key === 'o') first('#left button, #left .board [tabindex="0"]');
  else if (event.key === 'l') get('log').focus();
  else if (event.key === 'c') openGallery();
  else if (event.key === 'r') openRules();
  else pressTool(event.key);
});

setSender(send, () => {
  forgetPlaces();
  redraw(new Set());
});
setRematchSender(() => send({ rematch: {} }));
setRulesSender(send);
setEditorSender(send);
/** @param {object} message */
function sendAnswer(message) {
  answerGiven();
  outcome = '';
  notice('');
  film.skip();
  keepScene();
  send(message);
}
setAnswerSender(
  (decision, index) => sendAnswer({ answer: { decision, index } }),
  (decision, indices) => sendAnswer({ several: { decision, indices } }),
  () => redraw(new Set(['boards', 'marks', 'piles'])),
);
setUndoSender(undo);
setPreviewSender((decision, index) => send({ preview: { decision, index } }));
setWhySender((decision) => send({ why: { decision } }));
connect();
