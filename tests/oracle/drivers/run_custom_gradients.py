import tensorflow as tf

import custom_gradients as it

x = tf.Variable([[0.5, 2.0], [1.0, -1.0]])


def gradients(function):
    @tf.function
    def step():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(function(x))
        return tape.gradient(y, x)

    return step()


for function in (it.straight_through, it.gradient_reversal, it.clip_gradient(1.0), it.log1pexp, it.cheap_block):
    assert gradients(function).shape == x.shape
layer = it.BinaryDense(3)
layer.build([None, 2])
gradients(layer)
it.hessian_vector(tf.constant([1.0, 2.0]), tf.constant([1.0, 1.0]))
it.jacobian_penalty(layer, tf.ones([4, 2]))
it.conjugate_gradient(lambda v: 2.0 * v, tf.constant([1.0, 2.0]))
it.domain_adversarial(tf.nn.relu, tf.nn.tanh, tf.nn.softmax, tf.ones([2, 2]))
