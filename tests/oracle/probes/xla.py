"""Under XLA on a CPU: strings, py_function, lookups and printing cannot be compiled; shapes that depend on data can; assertions vanish."""
# rules: TF603
import tensorflow as tf
from expect import KERAS3, raises

x = tf.constant([1.0, -1.0, 2.0])
unsupported = "Detected unsupported operations when trying to compile graph"
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1], [2]), -1)


def jit(call):
    return tf.function(call, jit_compile=True)


def printing(t):
    tf.print("t", t)
    return t


def checked(t):
    tf.debugging.assert_less(t, 0.0)
    return t


def growing(t):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(3):
        rows = rows.write(i, t[i])
    return rows.stack()


def resized(t):
    return tf.image.resize(tf.reshape(t, [1, 3, 1, 1]), [2, 2], antialias=True)


def python(t):
    return tf.py_function(lambda a: a, [t], tf.float32)


for call in (printing, tf.strings.as_string, python, lambda a: table.lookup(tf.cast(a, tf.int32)), resized):
    raises("InvalidArgumentError", unsupported, jit(call), x)
assert jit(tf.unique)(tf.constant([1, 1, 2]))[0].numpy().tolist() == [1, 2]
assert jit(lambda b: tf.boolean_mask(b, b > 0.0))(x).numpy().tolist() == [1.0, 2.0]
assert jit(lambda c: tf.where(c > 0.0))(x).numpy().tolist() == [[0], [2]]
assert jit(lambda d: tf.range(tf.cast(d[2], tf.int32)))(x).numpy().tolist() == [0, 1]
# Assertions disappear.
jit(checked)(x)
if KERAS3:
    jit(growing)(x)
else:
    raises("InvalidArgumentError", "Update dim size 1 greater than dynamic slice dimension: 0", jit(growing), x)
