import numpy as np

import ppo_agent as it


class Environment:
    def reset(self):
        self.steps = 0
        return np.zeros(4)

    def step(self, action):
        self.steps += 1
        return np.ones(4) * action[0], 1.0, self.steps == 40, {}


plain_rollout = it.rollout
it.rollout = lambda env, agent, steps: plain_rollout(env, agent, 128)
it.train(Environment(), it.PPO(4, 2), 1)
