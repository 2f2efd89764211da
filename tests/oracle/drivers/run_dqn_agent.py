import types

import numpy as np

import dqn_agent as it


class Environment:
    observation_space = types.SimpleNamespace(shape=(4,))
    action_space = types.SimpleNamespace(n=2)

    def reset(self):
        self.steps = 0
        return np.zeros(4)

    def step(self, action):
        self.steps += 1
        return np.ones(4) * action, 1.0, self.steps == 40, {}


it.run(Environment(), episodes=3)
