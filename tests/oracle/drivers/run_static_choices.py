import tensorflow as tf

import static_choices as it

for config in (it.Config(), it.Config(norm="layer", dropout=0.5), it.Config(norm="none", residual=False)):
    net = it.Net(config)
    net.compile("sgd", "mse")
    net.fit({"x": tf.ones([4, 32])}, tf.ones([4, 32]), verbose=0)
    tf.function(net)(tf.ones([2, 4, 8]))
x = tf.ones([2, 3])
it.reduce(x)
it.reduce(x, mode="sum")
it.batch_size(x)
it.flatten(tf.ones([2, 3, 4]))
for inputs in ([], {"a": x}, [x, x], (x,), x):
    it.structured(inputs)
it.checked(x)
it.clip(x, 0.5)
it.legacy(x)
