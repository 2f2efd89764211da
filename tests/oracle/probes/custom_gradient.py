"""`tf.custom_gradient`: AutoGraph converts neither the decorated function nor its gradient function."""
# rules: TF401
import tensorflow as tf
from expect import autograph_works, raises


@tf.custom_gradient
def forward(x):
    if x > 0.0:
        y = x
    else:
        y = -x

    def grad(dy):
        return dy

    return y, grad


@tf.custom_gradient
def backward(x):
    def grad(dy):
        if dy > 0.0:
            return dy
        return -dy

    return x * 1.0, grad


@tf.function
def run_forward(x):
    return forward(x)


@tf.function
def run_backward(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = backward(x)
    return tape.gradient(y, x)


assert not autograph_works(run_forward)
assert not autograph_works(run_backward)


@tf.function
def passed(function, x):
    return function(x)


# Passed into a traced function, it comes in without its decorator: the gradient function is part of the result.
raises("TypeError", "found return value of type", passed, backward, tf.constant(1.0))
