"""Conditions: a size-1 tensor and a variable are fine; other shapes and dtypes raise; branches may differ in shape."""
# rules: TF410, TF413, TF404
import tensorflow as tf
from expect import raises


@tf.function
def positive(x):
    if x > 0.0:
        y = tf.ones([2])
    else:
        y = tf.ones([3])
    return y


@tf.function
def truth(x):
    if x:
        return 1
    return 0


@tf.function
def refuse(x):
    if x > 100.0:
        raise ValueError("too large")
    return x


flag = tf.Variable(True)


@tf.function
def by_variable():
    if flag:
        return tf.constant(1)
    return tf.constant(2)


@tf.function
def ternary_lists(x):
    return [x, x] if x > 0.0 else [x]


assert positive(tf.constant([1.0])).shape == (2,)
raises("ValueError", "condition of if statement expected to be `tf.bool` scalar", positive, tf.constant([1.0, 2.0]))
raises("ValueError", "condition of if statement expected to be `tf.bool` scalar", truth, tf.constant(1.0))
raises("ValueError", "too large", refuse, tf.constant(1.0))
assert int(by_variable()) == 1
flag.assign(False)
assert int(by_variable()) == 2
# No message of AutoGraph's own: an assertion fails while the branches are packed.
raises("AssertionError", "[2, 1]", ternary_lists, tf.constant(1.0))
