import os

import numpy as np
import tensorflow as tf

import data_pipeline as it

pixels = tf.zeros([8, 8, 3], tf.uint8)
jpeg = tf.io.encode_jpeg(pixels)
for name in ("cat", "dog"):
    os.makedirs(os.path.join("photos", name))
    tf.io.write_file(os.path.join("photos", name, "1.jpg"), jpeg)
features = {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[jpeg.numpy()])),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[1])),
            "boxes": tf.train.Feature(float_list=tf.train.FloatList(value=[0.0, 0.0, 1.0, 1.0]))}
with tf.io.TFRecordWriter("rows.tfrecord") as writer:
    writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())

images, labels = next(iter(it.from_folder("photos", 2)))
assert images.shape == (2, 224, 224, 3) and sorted(labels.numpy()) == [0, 1]
for training in (False, True):
    batch, label = next(iter(it.from_records("*.tfrecord", 1, training)))
    assert batch["boxes"].shape == (1, 1, 4)
one_hot = tf.data.Dataset.from_tensors((tf.ones([2, 4, 4, 3]), tf.ones([2, 3])))
mixed, _ = next(iter(tf.data.Dataset.zip((one_hot, one_hot)).map(it.mixup)))
assert mixed.shape == (2, 4, 4, 3)
x, y = next(iter(it.windows(np.arange(10.0), 3)))
assert x.shape == (7, 3) and y.shape == (7,)
assert it.statistics(tf.data.Dataset.from_tensor_slices([[1.0, 3.0], [3.0, 5.0]])) == 3.0
np.savez("one.npz", x=np.ones([2, 3]), y=np.int64(4))
assert len(list(it.generated("."))) == 1
