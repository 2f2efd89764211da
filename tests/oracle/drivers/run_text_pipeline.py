import os

import tensorflow as tf
from tensorflow.keras import layers

import text_pipeline as it

for label in ("good", "bad"):
    os.makedirs(os.path.join("reviews", label))
    with open(os.path.join("reviews", label, "1.txt"), "w") as file:
        file.write("a few %s words" % label)
labelled, continued = it.main("reviews")
assert next(iter(labelled))[0].shape == (2, 200)
assert next(iter(continued))[0].shape == (2, 199)
assert next(iter(tf.data.Dataset.from_tensors("two words").map(it.lengths))).shape == (2,)
model = tf.keras.Sequential([tf.keras.Input((None,), dtype=tf.int32), it.TokenAndPosition(8, 20, 4), it.Decoder(4, 2, 8), layers.Dense(20)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tf.ones([2, 5], tf.int32), tf.ones([2, 5], tf.int32), verbose=0)
it.generate(model, [1, 2], 2)
