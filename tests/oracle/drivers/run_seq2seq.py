import tensorflow as tf

import seq2seq as it

it.MAX_LENGTH = 3
source = tf.ones([2, 4], tf.int32)
it.train_step(source, source, it.encoder.initial_state(2), tf.constant(1))
it.evaluate("a b", lambda sentence: [ord(letter) for letter in sentence])
tf.function(it.recurrent)(tf.ones([2, 3, 4]))
