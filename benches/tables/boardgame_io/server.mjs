// The server of boardgame.io as its guide has it: matches are kept in memory.

import { createRequire } from 'node:module';
import { Game } from './game.mjs';

const { Server, Origins } = createRequire(import.meta.url)('boardgame.io/server');
Server({ games: [Game], origins: [Origins.LOCALHOST] }).run({ port: 8461, callback: () => console.log('open') });
