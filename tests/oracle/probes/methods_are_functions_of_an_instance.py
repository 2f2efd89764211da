"""A traced method is one function for each instance: each has a first call of its own; a shared function has not."""
# rules: TF105
import tensorflow as tf
from expect import raises


class Lazy:
    def __init__(self):
        self.v = None

    @tf.function
    def step(self, x):
        if self.v is None:
            self.v = tf.Variable(1.0)
        return self.v * x


@tf.function
def shared(owner, x):
    if owner.v is None:
        owner.v = tf.Variable(1.0)
    return owner.v * x


x = tf.constant(1.0)
kept = [Lazy(), Lazy()]
for owner in kept:
    owner.step(x)
# The function holds its owner weakly, so one that nobody keeps is gone before the call.
raises("AttributeError", "'NoneType' object has no attribute 'v'", lambda: Lazy().step(x))
kept = [Lazy(), Lazy()]
shared(kept[0], x)
raises("ValueError", "tf.function only supports singleton tf.Variables created on the first call", shared, kept[1], x)
