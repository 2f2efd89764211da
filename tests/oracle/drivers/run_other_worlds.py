import tensorflow as tf

import other_worlds as it

tf.function(it.Attention())(tf.ones([1, 2]))
