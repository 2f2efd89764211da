import numpy as np
import tensorflow as tf

import numpy_api as it

it.host(np.random.default_rng(0).normal(size=(4, 4)))
it.soft_histogram(tf.constant([0.1, 0.5]))
it.Layer(3)(tf.ones([2, 4]))
it.constants(tf.ones([2, 3, 4]))
it.constants(tf.ones([2, 3]))
