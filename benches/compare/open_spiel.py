# Connect Four in OpenSpiel, played at random in C++: pip install open_spiel==2.0.2
import time

import pyspiel

GAMES = 20_000
game = pyspiel.load_game("connect_four")
bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
moves, begin = 0, time.process_time()
for seed in range(GAMES):
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, seed)
    moves += len(state.history())
took = time.process_time() - begin
print(f"{GAMES / took:.0f} games/s, {moves / took:.0f} decisions/s, {moves / GAMES:.1f} decisions a game")
