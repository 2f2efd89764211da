import tensorflow as tf

import tf_module as it

it.export("model")
it.Adder().add([1.0], [2.0])
jpeg = tf.io.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8))
model = tf.keras.Sequential([tf.keras.Input((224, 224, 3)), tf.keras.layers.GlobalAveragePooling2D()])
serving = it.Serving(model, ["r", "g", "b"])
serving.predict(jpeg[tf.newaxis])
