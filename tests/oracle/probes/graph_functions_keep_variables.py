"""`wrap_function` and v1 graphs may create variables while they are built; AutoGraph converts neither."""
# rules: TF101, TF401
import tensorflow as tf


def scale(x):
    return tf.Variable(2.0) * x


wrapped = tf.compat.v1.wrap_function(scale, [tf.TensorSpec([], tf.float32)])
assert float(wrapped(tf.constant(3.0))) == 6.0
with tf.Graph().as_default():
    scale(tf.constant(3.0))


def branch(x):
    return x if x > 0.0 else -x


try:
    tf.compat.v1.wrap_function(branch, [tf.TensorSpec([], tf.float32)])
    raise AssertionError("AutoGraph converted it")
except tf.errors.OperatorNotAllowedInGraphError:
    pass
