import tensorflow as tf


def small(**_):
    return tf.keras.Sequential([tf.keras.Input((8, 8, 3)), tf.keras.layers.GlobalAveragePooling2D(),
                                tf.keras.layers.Dense(10, activation="softmax")])


tf.keras.applications.ResNet50 = small
plain_normal = tf.random.normal
tf.random.normal = lambda shape: plain_normal([80, 8, 8, 3])

import mirrored_training as it

it.GLOBAL_BATCH = 8
data = it.strategy.distribute_datasets_from_function(it.input_fn)
it.train_step(next(iter(data)))
it.main(1)
assert it.is_chief(tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["a:1"]})))
