"""Python numbers are cached by value; NumPy numbers, arrays and bools of NumPy are tensors and cause no trace of their own."""
# rules: TF501, TF503
import numpy as np
import tensorflow as tf


def traces(*values):
    f = tf.function(lambda x: tf.constant(0))
    for value in values:
        f(value)
    return f.experimental_get_tracing_count()


assert traces(1, 2, 3) == 3 and traces(1.5, 2.5) == 2 and traces("a", "b") == 2
assert traces(True, False, True) == 2
assert traces(np.float32(1), np.float32(2)) == 1 and traces(np.int64(1), np.int64(2), np.int64(3)) == 1
assert traces(np.array(1.0), np.array(2.0)) == 1
assert traces(np.array([1.0]), np.array([2.0]), np.array([1.0, 2.0])) == 2
assert traces(1, 1.0) == 1 and traces(1, True) == 1, "equal values of different types share a trace"
assert traces([1, 2], [1, 3]) == 2 and traces([tf.constant(1)], [tf.constant(2)]) == 1
assert traces((tf.constant(1),), [tf.constant(2)]) == 2
assert traces({"a": tf.constant(1), "b": tf.constant(1)}, {"b": tf.constant(1), "a": tf.constant(2)}) == 1
assert traces(tf.Variable(1.0), tf.Variable(2.0)) == 1, "distinct variables of one shape"
