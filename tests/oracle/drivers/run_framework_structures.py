import tensorflow as tf

import framework_structures as it

inputs = tf.keras.Input((2,)), {"price": tf.keras.Input((2,))}
tf.keras.Model(inputs, it.Towers()(inputs))


@tf.function
def apply(layer, *arguments):
    return layer(*arguments)


apply(it.Levels(), [tf.ones([2, 3]), tf.ones([2, 4])])
apply(it.Scaled(), {"low": tf.ones([2])})
apply(it.Spread(), tf.ones([2]), [tf.ones([2]), tf.ones([2])])
apply(it.PerHead(), [tf.ones([2]), tf.ones([3])], [tf.ones([2]), tf.ones([3])])
