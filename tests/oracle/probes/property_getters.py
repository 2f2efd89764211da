"""Getters of properties are not converted by AutoGraph; methods are."""
# rules: TF401
import tensorflow as tf
from expect import autograph_works


class Box:
    def __init__(self, x):
        self.x = x

    @property
    def sign(self):
        if self.x > 0.0:
            return 1.0
        return -1.0

    def sign_of(self):
        if self.x > 0.0:
            return 1.0
        return -1.0


@tf.function
def by_property(x):
    return Box(x).sign


@tf.function
def by_method(x):
    return Box(x).sign_of()


assert autograph_works(by_method)
assert not autograph_works(by_property)
