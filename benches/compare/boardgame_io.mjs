// Connect Four in boardgame.io, played at random by a local client: npm install boardgame.io@0.50.2
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const GAMES = 300;
const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

const at = (cells, column, row) => (column < 0 || column > 6 || row < 0 || row > 5 ? null : cells[row * 7 + column]);

function isWon(cells, column, row, player) {
  return WAYS.some(([right, up]) => {
    let length = 1;
    for (const sign of [1, -1]) {
      for (let n = sign; at(cells, column + n * right, row + n * up) === player; n += sign) length++;
    }
    return length >= 4;
  });
}

const game = {
  setup: () => ({ cells: Array(42).fill(null), heights: Array(7).fill(0), winner: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      const row = G.heights[column]++;
      if (row > 5) return INVALID_MOVE;
      G.cells[row * 7 + column] = playerID;
      if (isWon(G.cells, column, row, playerID)) G.winner = playerID;
    },
  },
  endIf: ({ G }) => (G.winner ? { winner: G.winner } : G.heights.every((height) => height > 5) ? { draw: true } : undefined),
};

let moves = 0;
const begin = process.cpuUsage();
for (let n = 0; n < GAMES; n++) {
  const client = Client({ game, debug: false });
  client.start();
  for (let { G, ctx } = client.getState(); !ctx.gameover; { G, ctx } = client.getState()) {
    const open = [0, 1, 2, 3, 4, 5, 6].filter((column) => G.heights[column] < 6);
    client.moves.drop(open[Math.floor(Math.random() * open.length)]);
    moves++;
  }
  client.stop();
}
const used = process.cpuUsage(begin);
const took = (used.user + used.system) / 1e6;
console.log(`${(GAMES / took).toFixed(0)} games/s, ${(moves / took).toFixed(0)} decisions/s, ${(moves / GAMES).toFixed(1)} decisions a game`);
