import tensorflow as tf

import neural_ode as it

y0 = tf.ones([3, 2])
assert it.integrate(y0, tf.linspace(0.0, 1.0, 4)).shape == (4, 3, 2)
assert it.integrate_scan(y0, tf.fill([4], 0.1)).shape == (4, 3, 2)
it.adaptive(y0, 0.05, 0.1)
it.trajectory_until(y0, 100.0)
assert it.collatz(tf.constant(6)) == 8
assert it.running_maximum(tf.data.Dataset.range(4).map(float))[1] == 4
it.beam(tf.ones([3, 2]), 2)
