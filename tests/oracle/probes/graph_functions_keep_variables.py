"""`wrap_function` and v1 graphs may create variables while they are built."""
# rules: TF101
import tensorflow as tf


def scale(x):
    return tf.Variable(2.0) * x


wrapped = tf.compat.v1.wrap_function(scale, [tf.TensorSpec([], tf.float32)])
assert float(wrapped(tf.constant(3.0))) == 6.0
with tf.Graph().as_default():
    scale(tf.constant(3.0))
