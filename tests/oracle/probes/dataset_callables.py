"""Dataset methods: what they trace, AutoGraph converts, but no key, length and class functions; `apply` and generators run Python."""
# rules: TF301, TF302, TF401
import tensorflow as tf
from expect import converted

seen = {}


def note(name, value):
    seen.setdefault(name, set()).add((tf.executing_eagerly(), converted()))
    return value


def even(x):
    return note("group_by_window key", x % 2)


def window_reduce(key, rows):
    return note("group_by_window reduce", rows.batch(2))


def produce():
    yield note("from_generator", 1)


def halve(dataset):
    return note("apply", dataset.take(2))


ds = tf.data.Dataset.range(4)
ds.map(lambda x: note("map", x))
ds.filter(lambda x: note("filter", x > 0))
ds.flat_map(lambda x: note("flat_map", tf.data.Dataset.from_tensors(x)))
ds.interleave(lambda x: note("interleave", tf.data.Dataset.from_tensors(x)))
ds.reduce(tf.constant(0, tf.int64), lambda state, x: note("reduce", state + x))
ds.scan(tf.constant(0, tf.int64), lambda state, x: note("scan", (state + x, x)))
ds.take_while(lambda x: note("take_while", x < 2))
ds.group_by_window(even, window_reduce, window_size=2)
ds.group_by_window(even, window_reduce, window_size_func=lambda key: note("group_by_window size", tf.constant(2, tf.int64)))
ds.map(lambda x: tf.range(x)).bucket_by_sequence_length(lambda x: note("bucket_by_sequence_length", tf.shape(x)[0]), [2], [1, 1])
ds.rejection_resample(lambda x: note("rejection_resample", tf.cast(x % 2, tf.int32)), [0.5, 0.5], [0.5, 0.5])
ds.apply(halve)
list(tf.data.Dataset.from_generator(produce, output_signature=tf.TensorSpec([], tf.int32)))
eager = {name for name, ways in seen.items() if any(way[0] for way in ways)}
assert eager == {"apply", "from_generator"}, eager
plain = {name for name, ways in seen.items() if ways == {(False, False)}}
assert plain == {"group_by_window key", "group_by_window size", "bucket_by_sequence_length", "rejection_resample"}, plain
assert all(ways == {(False, True)} for name, ways in seen.items() if name not in eager | plain), seen
# A pair in the elements is spread over the parameters, a dict is one of them, a list that is returned becomes a tuple.
pairs = tf.data.Dataset.from_tensors((1, 2)).map(lambda a, b: [a, {"b": b}])
assert pairs.map(lambda a, rest: rest["b"]).element_spec == tf.TensorSpec([], tf.int32)
assert isinstance(pairs.element_spec, tuple)
# `window` makes datasets of the components.
assert isinstance(ds.window(2).element_spec, tf.data.DatasetSpec)
