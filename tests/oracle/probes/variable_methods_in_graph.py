"""`.numpy()` and NumPy on a variable raise in a trace; `+=` on a variable raises anywhere."""
# rules: TF107, TF201, TF204
import numpy as np
import tensorflow as tf
from expect import raises

v = tf.Variable([1.0, 2.0])


def add():
    w = v
    w += 1.0


raises("NotImplementedError", "numpy() is only available when eager execution is enabled", tf.function(lambda: v.numpy()))
raises("NotImplementedError", "numpy() is only available when eager execution is enabled", tf.function(lambda: np.sum(v)))
raises("RuntimeError", "with `tf.Variable`s is not supported", tf.function(add))
