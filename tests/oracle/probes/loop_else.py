"""A loop with `else` keeps AutoGraph from converting the whole function, even where the loop is Python's."""
# rules: TF401, TF402
import tensorflow as tf
from expect import raises


@tf.function
def over_range(n):
    out = 0
    for i in tf.range(n):
        out += 1
    else:
        out += 100
    return out


@tf.function
def before_python_loop(x):
    if x > 0.0:
        x += 1.0
    for _ in range(3):
        x += 1.0
    else:
        x += 100.0
    return x


@tf.function
def plain(x):
    for _ in range(3):
        x += 1.0
    else:
        x += 100.0
    return x


assert float(plain(tf.constant(0.0))) == 103.0
raises("OperatorNotAllowedInGraphError", "Iterating over a symbolic", over_range, tf.constant(3))
raises("OperatorNotAllowedInGraphError", "as a Python `bool`", before_python_loop, tf.constant(0.0))
