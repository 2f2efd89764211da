import tensorflow as tf

import pinn as it


class Small(it.Burgers):
    def __init__(self, layers):
        super().__init__([4, 1])

    def lbfgs(self, data, points, iterations):
        return super().lbfgs(data, points, 2)


it.Burgers, it.range = Small, lambda *bounds: range(min(2, *bounds)) if len(bounds) == 1 else range(*bounds)
it.main()
