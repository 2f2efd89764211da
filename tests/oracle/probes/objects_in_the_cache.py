"""Fresh objects, lambdas and bound methods: which of them trace again."""
# rules: TF503
import tensorflow as tf
from expect import raises


class Plain:
    def method(self):
        return 0


def traces(make, times=4):
    f = tf.function(lambda x: tf.constant(0))
    for _ in range(times):
        f(make())
    return f.experimental_get_tracing_count()


kept = Plain()
assert traces(lambda: kept) == 1
assert traces(Plain) == 4
assert traces(lambda: (lambda: 0)) == 4
print("obj.method", traces(lambda: kept.method))
assert traces(lambda: kept.method) == 4
