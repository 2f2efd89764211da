"""Builtins on tensors under AutoGraph: dispatched are abs float int len range sorted; not bool sum min max list round next."""
# rules: TF205, TF401, TF402
import math

import tensorflow as tf
from expect import raises

x = tf.constant([3.0, 1.0, 2.0])
s = tf.constant(2.0)


@tf.function
def fine(x, s):
    total = abs(s) + float(s) + tf.cast(int(s), tf.float32) + float(len(x))
    for i in range(tf.cast(s, tf.int32)):
        total += tf.cast(i, tf.float32)
    return total, sorted(x)


total, ordered = fine(x, s)
assert float(total) == 10.0 and ordered.numpy().tolist() == [1.0, 2.0, 3.0]
truth, walk = "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed", "Iterating over a symbolic `tf.Tensor` is not allowed"
refused = "OperatorNotAllowedInGraphError"
for call in (lambda x, s: bool(s), lambda x, s: min(s, 1.0), lambda x, s: max(s, 1.0), lambda x, s: s in [1.0, 3.0], lambda x, s: 0.0 < s < 3.0):
    raises(refused, truth, tf.function(call), x, s)
for call in (lambda x, s: sum(x), lambda x, s: min(x), lambda x, s: max(x), lambda x, s: list(x), lambda x, s: tuple(x), lambda x, s: set(x),
             lambda x, s: [v for v in x], lambda x, s: list(zip(x, x)), lambda x, s: list(enumerate(x)), lambda x, s: list(map(abs, x)),
             lambda x, s: any(x), lambda x, s: all(x), lambda x, s: tf.stack([*x])):
    raises(refused, walk, tf.function(call), x, s)
raises("AttributeError", "has no attribute 'astype'", tf.function(lambda x, s: round(s)), x, s)
for call, text in ((lambda x, s: math.sqrt(s), "must be real number"), (lambda x, s: list(reversed(x)), "len is not well defined"),
                   (lambda x, s: complex(s), "complex() first argument"), (lambda x, s: divmod(s, 2.0), "unsupported operand type(s) for divmod()")):
    raises("TypeError", text, tf.function(call), x, s)
off = {"autograph": False}
for call in (lambda x, s: int(s), lambda x, s: float(s), lambda x, s: len(x), lambda x, s: range(s)):
    raises("TypeError", "", tf.function(call, **off), x, s)
raises(refused, walk, tf.function(lambda x, s: sorted(x), **off), x, s)
