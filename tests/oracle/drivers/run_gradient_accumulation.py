import tensorflow as tf

import gradient_accumulation as it

data = tf.data.Dataset.from_tensors((tf.ones([2, 4]), tf.ones([2, 1]))).repeat(8)
it.main(data, epochs=2)
if hasattr(tf.keras.mixed_precision.LossScaleOptimizer, "get_scaled_loss"):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    it.mixed_precision_step(model, tf.keras.optimizers.SGD(0.1))(tf.ones([2, 4]), tf.ones([2, 1]))
