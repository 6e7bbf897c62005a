# Connect Four in PettingZoo, played at random: pip install 'pettingzoo[classic]==1.27.0'
import random
import time

from pettingzoo.classic import connect_four_v3

GAMES = 500
env = connect_four_v3.env()
moves, begin = 0, time.process_time()
for seed in range(GAMES):
    env.reset(seed=seed)
    while env.agents:
        mask = env.observe(env.agent_selection)["action_mask"]
        is_over = env.terminations[env.agent_selection]
        env.step(None if is_over else random.choice([column for column in range(7) if mask[column]]))
        moves += not is_over
took = time.process_time() - begin
print(f"{GAMES / took:.0f} games/s, {moves / took:.0f} decisions/s, {moves / GAMES:.1f} decisions a game")
