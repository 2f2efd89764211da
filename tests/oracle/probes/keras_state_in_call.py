"""State made in `call` behind a guard: Keras 3 has locked the layer by then, Keras 2 accepts it."""
# rules: TF101, TF102
import tensorflow as tf
from expect import KERAS3, raises


class Weight(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.w = None

    def build(self, shape):
        super().build(shape)

    def call(self, x):
        if self.w is None:
            self.w = self.add_weight(name="w", shape=(), initializer="ones")
        return x * self.w


class Sub(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = None

    def build(self, shape):
        super().build(shape)

    def call(self, x):
        if self.dense is None:
            self.dense = tf.keras.layers.Dense(1)
        return self.dense(x)


for kind in (Weight, Sub):
    layer = kind()
    call = tf.function(lambda x: layer(x))
    if KERAS3:
        raises("ValueError", "You cannot add new elements of state (variables or sub-layers) to a layer that is already built", call, tf.ones([2, 2]))
    else:
        call(tf.ones([2, 2]))
