import tensorflow as tf

import autograph_legal as it

x = tf.constant([1.0, 2.0, 3.0])
for scale in (1.0, 0.0, -1.0, -20.0):
    it.early_returns(scale * x)
    it.elif_chain(scale * x)
    it.local_to_a_branch(scale * x)
assert it.search(tf.constant([1.0, -1.0, 5.0]), 5.0) == 2
it.builtins_on_tensors(x)
data = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])
assert it.over_datasets(data, data) == 22.0
it.over_an_iterator(iter(data.repeat()), tf.constant(2))
it.nested_loops(tf.ones([3, 2]))
it.python_lists([x, x])
it.structures_in_branches(x, True)
it.structures_in_branches(x, False)
it.while_with_state(tf.constant([1.0, 3.0]))
assert it.growing(x).shape == (11, 3)
it.checked(x, x)
it.recursive_structure([x, (x, [x])])
