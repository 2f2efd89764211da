"""From eager code `tf.cond`, `while_loop`, `map_fn`, `scan` and `foldl` run Python; `vectorized_map` and tf.data trace."""
# rules: TF301, TF302
import tensorflow as tf

seen = {}


def note(name, value):
    seen.setdefault(name, []).append(tf.executing_eagerly())
    return value


x = tf.constant([1.0, 2.0])
tf.cond(x[0] > 0.0, lambda: note("cond", x), lambda: note("cond", x))
tf.switch_case(tf.constant(0), [lambda: note("switch", x), lambda: note("switch", x)])
tf.while_loop(lambda i: i < 2, lambda i: (note("while", i + 1),), [tf.constant(0)])
tf.map_fn(lambda a: note("map_fn", a), x)
tf.scan(lambda a, b: note("scan", a + b), x)
tf.foldl(lambda a, b: note("foldl", a + b), x)
tf.vectorized_map(lambda a: note("vectorized_map", a), x)
list(tf.data.Dataset.range(2).filter(lambda a: note("filter", a > 0)))
traced = {name for name, eager in seen.items() if not any(eager)}
assert traced == {"vectorized_map", "filter"}, seen
assert len(seen["cond"]) == 1 and len(seen["map_fn"]) == 2
