import tensorflow as tf
import tf_keras as keras

import keras2_layers as it

model = keras.Sequential([keras.Input((4,)), it.AdaptiveClip(), it.LazyDense(1), keras.layers.Activation("sigmoid")])
model.compile("sgd", it.FocalLoss(), metrics=[it.F1()])
model.fit(tf.ones([4, 4]), tf.ones([4, 1]), verbose=0)
masked = keras.Sequential([keras.Input((3,)), keras.layers.Embedding(5, 2, mask_zero=True), it.MaskedMean()])
masked.predict(tf.constant([[1, 2, 0]]), verbose=0)
power, collect, mean, f1 = it.PowerIteration(), it.CollectTokens(), it.MaskedMean(), it.F1()


@tf.function
def apply(x):
    f1.update_state(x, x, sample_weight=1.0)
    return power(x), collect(x[tf.newaxis], tf.constant(2)), mean(x[tf.newaxis])


apply(tf.eye(3))
assert f1.result() == 1.0
f1.reset_state()
