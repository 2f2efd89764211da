import numpy as np
import tensorflow as tf

import custom_training_loop as it

images, labels = np.zeros((4, 28, 28), np.uint8), np.arange(4)
tf.keras.datasets.mnist.load_data = lambda: ((images, labels), (images, labels))
it.main()
