import keras
import tensorflow as tf

import wgan_gp_keras as it

generator = keras.Sequential([keras.Input((8,)), keras.layers.Dense(784), keras.layers.Reshape((28, 28, 1))])
model = it.WGAN(it.make_discriminator(), generator, 8, discriminator_extra_steps=1)
model.compile(keras.optimizers.Adam(), keras.optimizers.Adam())
model.fit(tf.zeros([4, 28, 28, 1]), callbacks=[it.Monitor(1, 8)], verbose=0)
