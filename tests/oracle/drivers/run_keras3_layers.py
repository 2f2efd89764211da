import keras
import numpy as np

import keras3_layers as it

layers = [it.MultiHeadSelfAttention(8, 2, dropout=0.1), it.GatedResidual(8), it.RunningMoments(), it.StochasticDepth(0.5)]
model = keras.Sequential([keras.Input((4, 8)), layers[0], layers[1], keras.layers.Flatten(), layers[2], layers[3]])
model.compile("sgd", "mse")
model.fit(np.ones([4, 4, 8]), np.ones([4, 32]), verbose=0)
model.predict(np.ones([4, 4, 8]), verbose=0)
assert layers[0].get_config()["heads"] == 2
