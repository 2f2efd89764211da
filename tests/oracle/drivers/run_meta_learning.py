import tensorflow as tf

import meta_learning as it

learner = it.MAML([1, 4, 1])
learner.outer_step(tuple(tf.ones([3, 5, 1]) for _ in range(4)))
data = tf.data.Dataset.from_tensors((tf.ones([4, 1]), tf.ones([4, 1])))
it.population(data, size=4, rounds=2)
