import numpy as np
from tensorflow import keras

import vae as it

images = np.zeros((4, 28, 28), np.uint8)
keras.datasets.mnist.load_data = lambda: ((images, None), (images, None))
plain_fit, plain_plot = it.VAE.fit, it.plot_latent
it.VAE.fit = lambda vae, x, epochs, batch_size: plain_fit(vae, x, epochs=1, verbose=0)
it.plot_latent = lambda vae: (vae.evaluate(images[..., np.newaxis] / 255.0, verbose=0), vae.predict(images[..., np.newaxis], verbose=0), plain_plot(vae, n=1))
it.main()
