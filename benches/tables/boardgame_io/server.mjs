// Opens MATCHES matches and prints a link for each seat, as `lode table` does. Usage: node server.mjs MATCHES PLAYERS

import { createRequire } from 'node:module';
import { Game } from './game.mjs';

const { Server, Origins } = createRequire(import.meta.url)('boardgame.io/server');
const [matches, players] = process.argv.slice(2).map(Number);
/** Number of matches that are opened at the same time. */
const AT_ONCE = 50;

const { appServer } = await Server({ games: [Game], origins: [Origins.LOCALHOST] }).run({ port: 0 });
const host = `127.0.0.1:${appServer.address().port}`;

async function post(path, body) {
  const answer = await fetch(`http://${host}/games/load/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.json();
}

/** Opens a match; returns its tokens: one for each seat, then one for spectators. */
async function open() {
  const { matchID } = await post('create', { numPlayers: players });
  const seats = Array.from({ length: players }, (_, seat) => String(seat));
  const secrets = [];
  for (const playerID of seats) {
    const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: playerID });
    secrets.push([matchID, playerID, playerCredentials].join(':'));
  }
  return [...secrets, `${matchID}::`];
}

for (let made = 0; made < matches; made += AT_ONCE) {
  const all = await Promise.all(Array.from({ length: Math.min(AT_ONCE, matches - made) }, open));
  all.forEach((secrets, at) => secrets.forEach((secret) => console.log(`match ${made + at + 1}, seat: http://${host}/#t=${secret}`)));
}
console.log('Ctrl-C ends this');
