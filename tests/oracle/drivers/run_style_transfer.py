import tensorflow as tf

import style_transfer as it

for name in ("content.jpg", "style.jpg"):
    tf.io.write_file(name, tf.io.encode_jpeg(tf.zeros([32, 32, 3], tf.uint8)))
plain_vgg, plain_load = tf.keras.applications.VGG19, it.load_image
tf.keras.applications.VGG19 = lambda include_top, weights: plain_vgg(include_top=include_top, weights=None)
it.load_image = lambda path: plain_load(path, limit=32)
it.main("content.jpg", "style.jpg", steps=1)
