// @ts-check
// The page of a table: keeps a socket open, draws incoming views, and sends the person's choices.

import { el, get, keepingFocus } from './dom.js';
import { head, round, state, applyMessage } from './state.js';
import { reopen, setAnswerSender, setWhySender, draw as drawQuestion, press } from './question.js';
import { drawSeats, drawTable } from './seats.js';
import { drawStory } from './story.js';
import { handleReply, drawTools, updateTabStops, pressTool, setSender } from './tools.js';

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
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else reopen();
}

/** @param {any} message */
function receive(message) {
  if (message.refused) {
    reopen();
    crowded ||= message.refused.code === 'crowded';
    return notice(message.refused.text);
  }
  if (handleReply(message)) return;
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
  const changed = applyMessage(message);
  if (message.skeleton) return;
  notice('');
  keepingFocus(() => draw(changed));
}

/** @param {Set<string> | null} changed */
function draw(changed) {
  const other = (/** @type {string[]} */ ...ids) => !changed || [...changed].some((id) => ids.includes(id));
  const now = head();
  const asks = other('question');
  if (other('head')) {
    get('game').textContent = state.skeleton?.name ?? '';
    document.title = state.skeleton?.name ?? 'Table';
    get('now').textContent = now.round > 0 ? `${round(now.round)} · ${now.phase.name}` : now.phase.name;
    get('phase').textContent = now.phase.text;
    get('now').dataset.src = `phases.${now.phase.id}`;
  }
  if (asks || other('head', 'outcome')) drawQuestion(asks);
  if (asks || other('head', 'rows', 'piles', 'boards', 'cells')) drawSeats();
  if (asks || other('head', 'shared', 'piles', 'boards', 'cells')) drawTable();
  drawStory(!changed);
  drawBar();
}

/** @param {string} text */
function notice(text) {
  get('notice').textContent = text;
  get('notice').hidden = text === '';
}

const undo = () => send({ undo: {} });

/** Draws another seat's undo request. @param {import('./protocol').UndoRequestView} request */
function drawRequest({ number, seat, wiser: revealedSince, certain }) {
  const consent = (/** @type {boolean} */ agree) => () => send({ consent: { request: number, agree } });
  const who = head().seats.find((one) => one.seat === seat)?.name ?? '';
  const seen = certain ? ' and has seen its result' : ' and may have seen its result';
  const text = `${who} asks to undo an answer${revealedSince ? seen : ''}.`;
  return [
    el('span', { role: 'status' }, text),
    el('button', { type: 'button', class: 'can', 'data-key': 'agree', click: consent(true) }, 'Agree'),
    el('button', { type: 'button', class: 'plain', 'data-key': 'refuse', click: consent(false) }, 'Refuse'),
  ];
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
    ...(state.request?.waits ? drawRequest(state.request) : []),
    ...drawTools(),
  );
  updateTabStops();
}

const KEYS = [
  ['the key of a choice', 'choose it (with Enter if other keys begin like it)'],
  ['↑ ↓', 'move through the choices; Enter chooses'],
  ['Tab', 'move to cards, boards and players; arrows move on a board'],
  ['u', 'undo your last answer'],
  ['q, o, l', 'go to the question, the table, the transcript'],
  ['e, t, s', 'designer: estimates, rule test, sources'],
  ['Esc', 'clear the typed keys or the clicked cells, or close'],
  ['?', 'show these keys'],
];

function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (get('keys'));
  const list = el('dl', {}, ...KEYS.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]));
  dialog.replaceChildren(
    el('h2', {}, 'Keys'),
    list,
    el('button', { type: 'button', class: 'plain', click: () => dialog.close() }, 'Close'),
  );
  dialog.showModal();
}

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
  if (press(event.key)) event.preventDefault();
  else if (event.key === '?') showKeys();
  else if (event.key === 'u') undo();
  else if (event.key === 'q') first('#ask button');
  else if (event.key === 'o') first('#left button, #left .board [tabindex="0"]');
  else if (event.key === 'l') get('log').focus();
  else pressTool(event.key);
});

setSender(send);
setAnswerSender(
  (decision, index) => send({ answer: { decision, index } }),
  () => keepingFocus(() => draw(new Set(['boards']))),
);
setWhySender((decision) => send({ why: { decision } }));
connect();
