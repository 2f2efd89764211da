import os

import cv2
import numpy as np
import pandas as pd
import tensorflow as tf

import fit_and_callbacks as it

os.makedirs("images")
for number in range(8):
    cv2.imwrite(os.path.join("images", "%d.png" % number), np.zeros((16, 16, 3), np.uint8))
pd.DataFrame({"file": ["%d.png" % number for number in range(8)], "label": [0, 1] * 4}).to_csv("labels.csv", index=False)


def small(**_):
    flat = tf.keras.layers.GlobalAveragePooling2D()
    return tf.keras.Sequential([tf.keras.Input((128, 128, 3)), flat, tf.keras.layers.Dense(2, activation="softmax")])


tf.keras.applications.MobileNetV2 = small
it.main()
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("sgd", it.dice_loss, metrics=[it.dice])
rows = ((x, y.astype(np.float32)) for x, y in it.noise(0))
model.fit(rows, steps_per_epoch=2, verbose=0)
