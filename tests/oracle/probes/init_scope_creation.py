"""`tf.init_scope` does not exempt the creation of variables."""
# rules: TF101
import tensorflow as tf
from expect import raises


@tf.function
def scale(x):
    with tf.init_scope():
        factor = tf.Variable(2.0)
    return factor * x


raises("ValueError", "tf.function only supports singleton tf.Variables", scale, tf.constant(1.0))
