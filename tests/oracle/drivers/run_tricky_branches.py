import tensorflow as tf

import tricky_branches as it

it.main()
it.multi(tf.ones([2, 3, 8]), tf.eye(8), heads=1)
it.Pipeline([], it.Mode.SERVE)(tf.ones([3]))
try:
    it.Pipeline([]).add(tf.nn.relu)
except NotImplementedError:
    pass
model = tf.keras.Sequential([tf.keras.Input((3,)), it.Warmup(0.1)])
model.compile("sgd", "mse")
model.fit(tf.ones([2, 3]), tf.ones([2, 3]), verbose=0)
