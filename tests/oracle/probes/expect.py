"""What probes share: which Keras this is, whether code runs converted by AutoGraph, and a check for an error's type and text."""
import sys

import keras
import tensorflow as tf

KERAS3 = int(keras.__version__.split(".")[0]) >= 3


def raises(kind, text, call, *args, **kwargs):
    """`kind` is the name of the error's type or of one of its bases; `text` a part of its message."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        kinds = [cls.__name__ for cls in type(error).__mro__]
        assert kind in kinds and text in str(error), "%s: %s" % (type(error).__name__, error)
        return
    raise AssertionError("nothing was raised, not even %s" % kind)


@tf.autograph.experimental.do_not_convert
def converted():
    """Whether the code that calls this was made by AutoGraph."""
    frame = sys._getframe(1)
    while frame:
        path = frame.f_code.co_filename
        if "__autograph_generated_file" in path or frame.f_globals.get("__name__") == "__main__":
            return "__autograph_generated_file" in path
        frame = frame.f_back
    return False


def autograph_works(call):
    """For a `call(x)` that puts a tensor into an `if` somewhere: whether AutoGraph converts that place."""
    try:
        call(tf.constant(1.0))
    except tf.errors.OperatorNotAllowedInGraphError:
        return False
    return True
