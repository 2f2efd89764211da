"""Names in TensorFlow loops: born in the loop, None first, growing shapes, read before set, no iteration at all."""
# rules: TF403, TF406
import tensorflow as tf
from expect import raises


@tf.function
def born(n):
    for i in tf.range(n):
        last = i * 2
    return last


@tf.function
def born_while(n):
    while n > 0:
        last = n
        n -= 1
    return last


@tf.function
def born_tensor(x):
    for row in x:
        last = row
    return last


@tf.function
def born_dataset(ds):
    for row in ds:
        last = row
    return last


@tf.function
def none_first(n):
    last = None
    for i in tf.range(n):
        last = i
    return last


@tf.function
def none_first_dataset(ds):
    last = None
    for row in ds:
        last = row
    return last


@tf.function
def none_read(n):
    last = None
    for i in tf.range(n):
        if last is None:
            last = i + 10
        last = last + i
    return last


@tf.function
def read_first(n):
    for i in tf.range(n):
        if i > 0:
            total = total + i
        else:
            total = i
    return total


@tf.function
def grow(x):
    rows = tf.zeros([0])
    for value in x:
        rows = tf.concat([rows, [value]], 0)
    return rows


@tf.function
def grow_dataset(ds):
    rows = tf.zeros([0], tf.int64)
    for value in ds:
        rows = tf.concat([rows, [value]], 0)
    return rows


@tf.function
def dtype_dataset(ds):
    total = 0
    for value in ds:
        total = tf.cast(total, tf.float32) + tf.cast(value, tf.float32)
    return total


@tf.function
def after_range(n):
    i = -1
    for i in tf.range(n):
        pass
    return i


ds = tf.data.Dataset.range(3)
none = "loop must iterate at least once to initialize"
assert int(born(tf.constant(3))) == 4 and int(born_while(tf.constant(3))) == 1 and int(born_tensor(tf.constant([1, 2]))) == 2
raises("InvalidArgumentError", none, born, tf.constant(0))
raises("InvalidArgumentError", none, born_while, tf.constant(0))
raises("ValueError", "'last' must be defined before the loop", born_dataset, ds)
assert int(none_first(tf.constant(3))) == 2
raises("InvalidArgumentError", none, none_first, tf.constant(0))
raises("ValueError", "'last' is not allowed to be None before the loop", none_first_dataset, ds)
# Python gives 13. The test for None is true only while AutoGraph finds out what the name will be; the loop starts from 0.
assert int(none_read(tf.constant(3))) == 3
raises("ValueError", "'total' must be defined before the loop", read_first, tf.constant(3))
raises("ValueError", "Use tf.autograph.experimental.set_loop_options to set shape invariants", grow, tf.constant([1.0, 2.0]))
assert grow_dataset(ds).numpy().tolist() == [0, 1, 2]
raises("TypeError", "'total' has dtype int32 before the loop, but dtype float32 after one iteration", dtype_dataset, ds)
assert int(after_range(tf.constant(3))) == 2
