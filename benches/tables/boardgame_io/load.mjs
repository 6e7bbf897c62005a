// Answers at a fixed rate, as `cargo bench --bench tables` does: what waits counts as waiting.

import fs from 'node:fs';
import { io } from 'socket.io-client';

const [server, active, seconds, ...rates] = process.argv.slice(2).map(Number);
const host = 'http://127.0.0.1:8461';
const memory = () => Math.round((Number(fs.readFileSync(`/proc/${server}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20);
/** Processor time of the server in milliseconds. */
const used = () => fs.readFileSync(`/proc/${server}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
const pause = (time) => new Promise((done) => setTimeout(done, time));
const post = async (path, body) => (await fetch(`${host}/games/load/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();

for (let tries = 0; ; tries += 1) {
  try {
    await fetch(`${host}/games`);
    break;
  } catch (error) {
    if (tries > 100) throw error;
    await pause(100);
  }
}

/** Seats that are asked, and have not been told to answer. */
const ready = [];
let waits = [];
let bytes = 0;

async function open() {
  const { matchID } = await post('create', { numPlayers: 2 });
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: playerID });
    const socket = io(`${host}/load`, { transports: ['websocket'], forceNew: true });
    let due = null;
    const heard = (state) => {
      if (due !== null) waits.push(performance.now() - due);
      due = null;
      if (state.ctx.currentPlayer !== playerID) return;
      ready.push((when, index) => {
        due = when;
        const action = { type: 'MAKE_MOVE', payload: { type: 'choose', args: [index], playerID, credentials: playerCredentials } };
        socket.emit('update', action, state._stateID, matchID, playerID);
      });
    };
    await new Promise((done) => {
      socket.on('sync', (_, { state }) => {
        heard(state);
        done();
      });
      socket.on('update', (_, state) => heard(state));
      socket.on('connect', () => socket.emit('sync', matchID, playerID, playerCredentials, 2));
    });
    socket.io.engine.on('packet', ({ data }) => {
      bytes += data?.length ?? 0;
    });
  }
}

for (let at = 0; at < active; at += 1) await open();
console.log(`boardgame.io: ${active * 2} sockets at ${active} matches; the server has ${memory()} MiB`);
console.log('offered/s  answered/s   p50 ms   p99 ms   max ms  CPU ms/answer   KiB/s');
for (const rate of rates) {
  waits = [];
  bytes = 0;
  const before = used();
  const begin = performance.now();
  let sent = 0;
  while (performance.now() - begin < seconds * 1000) {
    const due = ((performance.now() - begin) / 1000) * rate;
    while (sent < due && ready.length > 0) {
      ready.shift()(begin + (sent / rate) * 1000, Math.floor(Math.random() * 6));
      sent += 1;
    }
    await pause(1);
  }
  const time = (performance.now() - begin) / 1000;
  waits.sort((a, b) => a - b);
  const at = (part) => (waits[Math.floor((waits.length - 1) * part)] ?? NaN).toFixed(1).padStart(8);
  console.log(`${String(rate).padStart(9)}  ${(waits.length / time).toFixed(0).padStart(10)} ${at(0.5)} ${at(0.99)} ${at(1)} ${((used() - before) / waits.length).toFixed(2).padStart(14)} ${(bytes / time / 1024).toFixed(0).padStart(7)}`);
}
console.log(`the server has ${memory()} MiB`);
process.exit(0);
