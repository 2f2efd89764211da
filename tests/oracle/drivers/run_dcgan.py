import os

import tensorflow as tf

import dcgan as it

it.BATCH = 4
os.makedirs("images")
it.train(tf.data.Dataset.from_tensors(tf.zeros([4, 28, 28, 1])).repeat(2), 1)
assert os.listdir("images") == ["0000.png"]
