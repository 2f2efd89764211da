"""Faults of input signatures: exact texts, at decoration or at the call; Python numbers under a spec become tensors."""
# rules: TF505, TF501
import tensorflow as tf
from expect import raises

spec = tf.TensorSpec([], tf.float32)
one, two = tf.constant(1.0), tf.constant([1.0, 2.0])


def f(x):
    return x


def declare(signature, function=f):
    return lambda *args: tf.function(function, input_signature=signature)(*args)


raises("TypeError", "input_signature must be either a tuple or a list", declare((spec)), one)
raises("TypeError", "input_signature missing type constraint for", declare([spec], lambda x, y: x), one)
raises("TypeError", "extra type constraints", declare([spec, spec]), one)
raises("TypeError", "must have a default value", declare([spec], lambda x, *, k: x), one)
raises("TypeError", "Binding inputs to tf.function failed", declare([spec]), two)
raises("TypeError", "Binding inputs to tf.function failed", declare([spec]), tf.constant(1))
raises("TypeError", "Binding inputs to tf.function failed", declare([spec]), one, one)
raises("TypeError", "", declare([spec]), "text")
numbers = tf.function(f, input_signature=[spec])
numbers(1.0), numbers(2), numbers(3.5)
assert numbers.experimental_get_tracing_count() == 1
