"""A `match` anywhere keeps a function from being converted; an assignment expression does so in TensorFlow 2.21, not in 2.15."""
# rules: TF401, TF402
import tensorflow as tf
from expect import KERAS3, autograph_works


@tf.function
def after_match(x):
    match x.shape.rank:
        case 0:
            y = 1.0
        case _:
            y = 2.0
    if x > 0.0:
        x = -x
    return x * y


@tf.function
def in_match(x):
    match x.shape.rank:
        case 0:
            if x > 0.0:
                x = -x
    return x


@tf.function
def on_match(x):
    match x:
        case 1.0:
            return -x
    return x


@tf.function
def on_walrus(x):
    if (y := x * 2.0) > 1.0:
        x = y
    return x


@tf.function
def beside_walrus(x):
    z = (y := x * 2.0)
    if x > 0.0:
        x = -x
    return x * y * z


assert not autograph_works(after_match) and not autograph_works(in_match) and not autograph_works(on_match)
assert autograph_works(on_walrus) == autograph_works(beside_walrus) == (not KERAS3)
