"""What of Keras AutoGraph converts: Keras 2 `call`, losses and metrics, but no step and no schedule; Keras 3 nothing."""
# rules: TF401, TF402
import tensorflow as tf
from expect import KERAS3, converted

seen = {}


class Layer(tf.keras.layers.Layer):
    def call(self, x):
        seen["call"] = converted()
        return x * 1.0


class Loss(tf.keras.losses.Loss):
    def call(self, y_true, y_pred):
        seen["loss class"] = converted()
        return tf.reduce_mean(tf.square(y_true - y_pred))


class Metric(tf.keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="m")
        self.total = self.add_weight(name="t", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        seen["metric"] = converted()
        self.total.assign_add(1.0)

    def result(self):
        return tf.convert_to_tensor(self.total)


class Schedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        seen["schedule"] = converted()
        return 0.1

    def get_config(self):
        return {}


class Regularizer(tf.keras.regularizers.Regularizer):
    def __call__(self, x):
        seen["regularizer"] = converted()
        return tf.reduce_sum(x) * 0.0


class Constraint(tf.keras.constraints.Constraint):
    def __call__(self, w):
        seen["constraint"] = converted()
        return w


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layer = Layer()
        self.dense = tf.keras.layers.Dense(1, kernel_regularizer=Regularizer(), kernel_constraint=Constraint())
        self.shift = tf.keras.layers.Lambda(shift)

    def call(self, x):
        seen["model call"] = converted()
        return self.shift(self.dense(self.layer(x)))

    def train_step(self, data):
        seen["train_step"] = converted()
        return super().train_step(data)


def shift(x):
    seen["lambda layer"] = converted()
    return x + 0.0


def loss(y_true, y_pred):
    seen["loss function"] = converted()
    return tf.reduce_mean(tf.square(y_true - y_pred))


for chosen in (loss, Loss()):
    model = Model()
    model.compile(optimizer=tf.keras.optimizers.SGD(Schedule()), loss=chosen, metrics=[Metric()])
    model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)

yes = set() if KERAS3 else {"call", "model call", "loss class", "loss function", "metric"}
assert {name for name, on in seen.items() if on} == yes, seen
assert len(seen) == 10, seen
