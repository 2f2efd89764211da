"""NumPy on a symbolic tensor: what converts raises, what only looks at attributes or defers to the tensor works."""
# rules: TF201
import numpy as np
import tensorflow as tf
from expect import raises

refused = "Cannot convert a symbolic tf.Tensor"


def store(x):
    canvas = np.zeros(2)
    canvas[0] = x[0]
    return canvas


@tf.function
def fine(x):
    assert np.ndim(x) == 1 and tuple(np.shape(x)) == (2,) and not np.isscalar(x)
    return np.float32(2.0) * x + np.ones(2, np.float32) - np.array([1.0, 1.0], np.float32) * x


x = tf.constant([1.0, 2.0])
fine(x)
for call in (np.sum, np.size, lambda t: np.array(t)):
    raises("NotImplementedError", refused, tf.function(call), x)
raises("NotImplementedError", refused, tf.function(lambda u: np.asarray([u, u])), x)
raises("NotImplementedError", refused, tf.function(lambda w: np.where(w > 0.0)), x)
# NumPy hides the cause when an element is stored.
raises("ValueError", "setting an array element with a sequence", tf.function(store), x)
raises("AttributeError", "has no attribute 'T'", tf.function(lambda x: x.T), x)
raises("AttributeError", "has no attribute 'astype'", lambda x: x.astype("int32"), x)
