"""Layers with random state of their own create a variable at construction in Keras 3 only; metrics and generators always do."""
# rules: TF102, TF103
import tensorflow as tf
from expect import KERAS3, raises

refused = "tf.function only supports singleton tf.Variables"


def dropout(x):
    return tf.keras.layers.Dropout(0.5)(x, training=True)


def noise(x):
    return tf.keras.layers.GaussianNoise(0.5)(x, training=True)


def metric(x):
    return tf.keras.metrics.Mean()(x)


def generator(x):
    return tf.random.Generator.from_seed(1).normal([2])


def loss(x):
    return tf.keras.losses.MeanSquaredError()(x, x)


def relu(x):
    return tf.keras.layers.ReLU()(x)


x = tf.ones([2, 2])
for call in (dropout, noise):
    if KERAS3:
        raises("ValueError", refused, tf.function(call), x)
    else:
        tf.function(call)(x)
for call in (metric, generator):
    raises("ValueError", refused, tf.function(call), x)
for call in (loss, relu):
    tf.function(call)(x)
