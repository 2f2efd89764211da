"""`next` on a tf.data iterator runs in the graph; its default argument is not used at the end."""
# rules: TF305
import tensorflow as tf
from expect import raises

stream = iter(tf.data.Dataset.range(3))


@tf.function
def step():
    return next(stream)


@tf.function
def guarded():
    return next(stream, tf.constant(-1, tf.int64))


assert [int(step()) for _ in range(3)] == [0, 1, 2]
raises("OutOfRangeError", "End of sequence", step)
raises("OutOfRangeError", "End of sequence", guarded)
