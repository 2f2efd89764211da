"""A traced method does not keep its owner alive: called on an object that nothing else holds, it finds None for `self`."""
# rules: TF506
import tensorflow as tf
from expect import raises


class Scale:
    def __init__(self):
        self.factor = tf.Variable(2.0)

    @tf.function
    def apply(self, x):
        return self.factor * x


raises("AttributeError", "'NoneType' object has no attribute 'factor'", lambda: Scale().apply(tf.constant(1.0)))
scale = Scale()
assert scale.apply(tf.constant(1.0)) == 2.0
