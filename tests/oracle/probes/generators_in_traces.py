"""Generators: a helper whose control flow is Python unrolls; one that is the root, or tests a tensor, fails; one that walks a dataset never ends."""
# rules: TF306, TF305
import tensorflow as tf
from expect import raises


def halves(x):
    for i in range(2):
        yield x[i]


def positive(x):
    for i in range(2):
        if x[i] > 0.0:
            yield x[i]


def walk(ds):
    for count, row in enumerate(ds):
        if count == 1000:
            raise OverflowError("a dataset of three elements does not end")
        yield row


@tf.function
def fine(x):
    total = 0.0
    for part in halves(x):
        total += part
    return total


@tf.function
def tests(x):
    total = 0.0
    for part in positive(x):
        total += part
    return total


@tf.function
def walks(ds):
    total = tf.constant(0, tf.int64)
    for part in walk(ds):
        total += part
    return total


x = tf.constant([1.0, 2.0])
assert float(fine(x)) == 3.0
raises("OperatorNotAllowedInGraphError", "as a Python `bool`", tests, x)
raises("TypeError", "must return zero or more Tensors", tf.function(halves), x)
raises("Exception", "does not end", walks, tf.data.Dataset.range(3))


async def later(x):
    return x


raises("TypeError", "must return zero or more Tensors", tf.function(later), x)
