import sys
import types

import numpy as np


class CartPole:
    def reset(self):
        self.steps = 0
        return np.zeros(4, np.float32)

    def step(self, action):
        self.steps += 1
        return np.zeros(4, np.float32), 1.0, self.steps == 5, {}


sys.modules["gym"] = types.SimpleNamespace(make=lambda name: CartPole())

import actor_critic_loop as it

it.main(episodes=2)
