import numpy as np
import tensorflow as tf

import tfp_mcmc as it

x = np.linspace(0.0, 1.0, 8).astype(np.float32)
it.run(x, 2.0 * x, results=4, burnin=5)
it.fit(it.Flow(2, layers=1), tf.data.Dataset.from_tensors(tf.ones([4, 2])), 1)
