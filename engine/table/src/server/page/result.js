// @ts-check
// Draws the end of a match: the winner, the scores with their sources, and the button for a rematch.

import { el, hue } from './dom.js';
import { head, isLive, seatOf, state } from './state.js';

/** @typedef {import('./state.js').Ending} Ending */

/** Asks for a rematch. */
let askRematch = () => {};

/** @param {() => void} how */
export function setRematchSender(how) {
  askRematch = how;
}

const nameOf = (/** @type {number} */ seat) => seatOf(seat)?.name ?? '';

/** Several names: `Ann, Ben and Cleo`. @param {string[]} names */
const listed = (names) => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');

/** @param {Ending} end */
export function drawResult(end) {
  const { rounds, reason } = end.outcome;
  const why = reason === 'script' ? '' : ` (${reason})`;
  const over = `The game is over after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}${why}`;
  return [
    el('h2', { id: 'over' }, winner(end)),
    el('p', { class: 'note' }, over),
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Result' }, drawTable(end)),
    ...drawRematch(end),
  ];
}

/** The result in a sentence, for this reader. @param {Ending} end */
function winner({ outcome, scores, score, shared, teams, lead }) {
  const label = score ?? 'Score';
  if (shared) {
    const total = `${label}: ${scores[0]}`;
    return outcome.won === undefined ? total : `${outcome.won ? 'Won' : 'Lost'} together – ${total}`;
  }
  if (outcome.ranks.length === 1) return `${label}: ${scores[0]}`;
  const first = outcome.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  const own = outcome.ranks[head().seat ?? -1];
  const others = listed(first.filter((seat) => seat !== head().seat).map(nameOf));
  const team = teams?.[1][first[0]];
  if (team && first.every((seat) => teams[1][seat] === team))
    return own === undefined ? `${team} wins` : `You ${own === 1 ? 'win' : 'lose'}: ${team} wins`;
  if (own === 1) return first.length === 1 ? `You win${lead}` : `You draw with ${others}`;
  const won = first.length === 1 ? `${others} wins${lead}` : `${others} draw`;
  return own === undefined ? won : `You lose: ${won}`;
}

/**
 * The result: one column for each seat, best first; below its place the sources of its score, and their sum.
 * @param {Ending} end
 */
function drawTable({ outcome, scores, score, shared, players, parts, breakers, teams }) {
  const order = outcome.ranks.map((_, seat) => seat).sort((a, b) => outcome.ranks[a] - outcome.ranks[b]);
  const some = shared ? [] : parts.filter(([, of]) => of.some((points) => points !== '0'));
  const first = (/** @type {number} */ seat) => (outcome.ranks[seat] === 1 ? 'first' : '');
  const names = order.map((seat) =>
    el('th', { scope: 'col', class: `${first(seat)} ${hue(seatOf(seat)?.colour)}` }, nameOf(seat)),
  );
  const row = (/** @type {string} */ label, /** @type {(seat: number) => string} */ of, kind = '') =>
    el(
      'tr',
      { class: kind },
      el('th', { scope: 'row' }, label),
      ...order.map((seat) => el('td', { class: first(seat) }, of(seat))),
    );
  const lines = [
    !shared && row('Place', (seat) => String(outcome.ranks[seat])),
    ...some.map(([label, of]) => row(label, (seat) => of[seat] ?? '0', 'part')),
    !shared && row(score ?? 'Score', (seat) => scores[seat] ?? '', 'total'),
    ...breakers.map(([label, of]) => row(`Tie: ${label}`, (seat) => of[seat] ?? '0')),
    teams && row(teams[0], (seat) => teams[1][seat] ?? ''),
    row('Played by', (seat) => players[seat] ?? ''),
  ];
  return el(
    'table',
    { class: 'result' },
    el('thead', {}, el('tr', {}, el('td', {}), ...names)),
    el('tbody', {}, ...lines.filter((line) => line instanceof Node)),
  );
}

/** The button for a rematch, and who asked for one. @param {Ending} end @returns {Node[]} */
function drawRematch({ rematch }) {
  if (!rematch || !isLive() || !(seatOf(head().seat) || state.place?.designer)) return [];
  const own = rematch.includes(/** @type {number} */ (head().seat));
  const others = rematch.filter((seat) => seat !== head().seat).map(nameOf);
  const asked = others.length > 0 ? `${listed(others)} ${others.length > 1 ? 'ask' : 'asks'} for a rematch.` : '';
  const text = own ? 'A rematch begins when the others ask for it, too.' : asked;
  const props = { type: 'button', class: 'can', 'data-key': 'rematch', disabled: own, click: () => askRematch() };
  return [el('p', { class: 'again' }, el('button', props, 'Rematch'), el('span', { role: 'status' }, ` ${text}`))];
}
