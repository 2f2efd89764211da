import tensorflow as tf

import factories as it

data = tf.data.Dataset.from_tensors((tf.ones([4, 3]), tf.ones([4, 1]))).repeat(2)
assert it.ensemble(data, size=2).shape == (4, 1)
assert len(it.compare(data)) == 2
experiment = it.Experiment(it.small(), 0.1)
for x, y in data:
    experiment.train_step(x, y)
    experiment.evaluate(x, y)
assert experiment.sampler(3)(tf.constant([1, 2])).shape == (3, 4)
