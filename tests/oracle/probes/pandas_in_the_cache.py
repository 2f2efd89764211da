"""A pandas Series as an argument: a tensor of its values, so that equal lengths share a trace; in the body it is symbolic."""
# rules: TF501, TF503
import pandas as pd
import tensorflow as tf

kinds = []


@tf.function
def total(x):
    kinds.append(type(x).__name__)
    return tf.reduce_sum(x)


total(pd.Series([1.0, 2.0]))
total(pd.Series([3.0, 4.0]))
assert kinds == ["SymbolicTensor"], kinds
