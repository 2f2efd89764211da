"""Recursion: on tensors it does not end; on Python values it unrolls, in helpers and in a traced function (one trace a value)."""
# rules: TF408
import tensorflow as tf
from expect import raises


@tf.function
def down(n):
    if n > 0:
        return down(n - 1)
    return n


@tf.function
def down_python(x, n):
    if n > 0:
        return down_python(x + 1.0, n - 1)
    return x


def helper(x, n):
    return helper(x + 1.0, n - 1) if n > 0 else x


assert float(down_python(tf.constant(0.0), 3)) == 3.0 and down_python.experimental_get_tracing_count() == 4
assert float(tf.function(helper)(tf.constant(0.0), 3)) == 3.0
raises("Exception", "maximum recursion depth exceeded", down, tf.constant(3))
