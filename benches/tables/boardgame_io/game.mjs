// A match about as large as one of photon for two: a seat gets a state of about as many bytes, and a move changes little of it.

const card = (at) => ({ id: `card_${at}`, name: `Card number ${at}`, text: 'Gain two and pay one to the player on the left.', at: 'deck' });

export const Game = {
  name: 'load',
  setup: ({ ctx }) => ({
    players: Object.fromEntries(Array.from({ length: ctx.numPlayers }, (_, seat) => [seat, { gold: 5, points: 0, hand: [], row: Array(6).fill(null) }])),
    deck: Array.from({ length: 60 }, (_, at) => card(at)),
    open: [],
  }),
  // Hides what other players hold, as `lode table` does.
  playerView: ({ G, playerID }) => ({
    ...G,
    deck: G.deck.length,
    players: Object.fromEntries(Object.entries(G.players).map(([seat, one]) => [seat, seat === playerID ? one : { ...one, hand: one.hand.length }])),
  }),
  moves: {
    choose: ({ G, playerID, random }, index) => {
      if (!Number.isInteger(index) || index < 0 || index > 5) return 'INVALID_MOVE';
      const own = G.players[playerID];
      own.gold += random.Die(6);
      own.points += index;
      own.row[index] = `card_${own.points % 60}`;
      const drawn = G.deck.shift();
      if (drawn) (own.points % 2 ? own.hand : G.open).push(drawn);
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};
