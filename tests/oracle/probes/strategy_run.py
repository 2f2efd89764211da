"""`Strategy.run` from eager code runs Python; from a traced function it traces and AutoGraph converts the function."""
# rules: TF301, TF401
import tensorflow as tf
from expect import converted

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
seen = []


def step(x):
    seen.append((tf.executing_eagerly(), converted()))
    return x


@tf.function
def traced(x):
    return strategy.run(step, args=(x,))


strategy.run(step, args=(tf.constant(1.0),))
traced(tf.constant(1.0))
assert seen == [(True, False), (False, True)], seen
