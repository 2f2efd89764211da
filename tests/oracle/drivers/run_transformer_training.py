import tensorflow as tf

import transformer_training as it


def small(**_):
    return plain(layers=1, dim=128, heads=1, hidden=8, vocabulary=8000)


plain, it.Encoder = it.Encoder, small
words = tf.ones([2, 4], tf.int64)
data = tf.data.Dataset.from_tensors((words, words))
translator = it.main(data, data)
translator.max_length = 3
translator(tf.ones([1, 2], tf.int64))
