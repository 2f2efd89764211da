"""`compile(run_eagerly=True)`: steps, layers, losses and metrics of the model run eagerly; `run_functions_eagerly` leaves tf.data traced."""
# rules: TF602, TF301
import tensorflow as tf

seen = {}


class Layer(tf.keras.layers.Layer):
    def build(self, shape):
        self.built_once = True

    def call(self, x):
        seen["layer"] = tf.executing_eagerly()
        return x * 1.0


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layer, self.dense = Layer(), tf.keras.layers.Dense(1)

    def call(self, x):
        seen["call"] = tf.executing_eagerly()
        return self.dense(self.layer(x))

    def train_step(self, data):
        seen["train_step"] = tf.executing_eagerly()
        return super().train_step(data)


def loss(y_true, y_pred):
    seen["loss"] = tf.executing_eagerly()
    return tf.reduce_mean(tf.square(y_true - y_pred))


def metric(y_true, y_pred):
    seen["metric"] = tf.executing_eagerly()
    return tf.reduce_mean(y_true - y_pred)


model = Model()
model.compile(optimizer="sgd", loss=loss, metrics=[metric], run_eagerly=True)
model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
assert len(seen) == 5 and all(seen.values()), seen


def double(x):
    seen["map"] = tf.executing_eagerly()
    return x * 2


tf.config.run_functions_eagerly(True)
list(tf.data.Dataset.range(2).map(double))
assert not seen["map"]
