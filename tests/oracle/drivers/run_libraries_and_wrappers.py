import tensorflow as tf

import libraries_and_wrappers as it

it.main()
batch = {"x": tf.ones([3, 3]), "y": tf.zeros([3, 3])}
it.moments(batch)
rnn = it.RNN(4)
tf.function(rnn)((tf.ones([2, 5, 3]), tf.constant([5, 3])))
