"""A traced method needs an instance that can be hashed and weakly referenced."""
# rules: TF506
import dataclasses

import tensorflow as tf
from expect import raises


class Equal:
    def __eq__(self, other):
        return True

    @tf.function
    def step(self, x):
        return x


class Slots:
    __slots__ = ("a",)

    @tf.function
    def step(self, x):
        return x


@dataclasses.dataclass
class Data:
    a: int = 0

    @tf.function
    def step(self, x):
        return x


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int = 0

    @tf.function
    def step(self, x):
        return x


x = tf.constant(1.0)
raises("TypeError", "unhashable type", lambda: Equal().step(x))
raises("TypeError", "unhashable type", lambda: Data().step(x))
raises("TypeError", "cannot create weak reference", lambda: Slots().step(x))
Frozen().step(x)
