"""What a partial holds stays as it is in a trace; only `tf.function` makes inputs of its keywords."""
# rules: TF201, TF501
import functools

import numpy as np
import tensorflow as tf

seen = []


def note(x, y):
    seen.append((type(x).__name__, type(y).__name__))
    return x


array = np.ones(3, np.float32)
tf.function(functools.partial(note, y=array))(tf.constant(1.0))
tf.function(functools.partial(note, array))(tf.constant(1.0))
tf.data.Dataset.range(2).map(functools.partial(note, y=array))
tf.data.Dataset.range(2).map(functools.partial(note, tf.constant(1.0)))
assert seen == [("SymbolicTensor", "SymbolicTensor"), ("ndarray", "SymbolicTensor"), ("SymbolicTensor", "ndarray"), ("EagerTensor", "SymbolicTensor")], seen
