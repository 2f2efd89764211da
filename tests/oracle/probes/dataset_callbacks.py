"""`Dataset.map`: a returned list becomes a tuple of components; an element's dict may be changed; the callback is always traced."""
# rules: TF308, TF210
import tensorflow as tf

pairs = tf.data.Dataset.range(2).map(lambda i: [i, i + 1])
assert isinstance(pairs.element_spec, tuple) and len(pairs.element_spec) == 2


def split(row):
    label = row.pop("label")
    row["twice"] = row["x"] * 2
    return row, label


rows = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "label": [0, 1]}).map(split)
assert sorted(rows.element_spec[0]) == ["twice", "x"]
assert len(list(rows)) == 2


def second(row):
    return row["label"]


source = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "label": [0, 1]})
source.map(split)
list(source.map(second))
