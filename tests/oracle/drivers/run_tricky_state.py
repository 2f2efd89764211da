import tensorflow as tf

import tricky_state as it


class Doubling(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def __call__(self, x):
        return 2.0 * x


rows = {"user": tf.constant([1, 2]), "item": tf.constant([3, 4])}
it.main(tf.data.Dataset.from_tensors((rows, tf.ones([2]))).repeat(3))
it.typed(tf.ones([2]), tf.Variable([1.0, 2.0]))
it.lifted(tf.ones([2]))
tf.saved_model.save(Doubling(), "doubling")
it.Pretrained("doubling").call(tf.ones([2, 3]))
scheduler = it.Scheduler(tf.keras.optimizers.SGD(0.1))
for _ in range(5):
    scheduler.step(tf.constant(1.0))
