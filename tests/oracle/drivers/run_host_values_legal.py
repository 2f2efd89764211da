import os

import tensorflow as tf

import host_values_legal as it

os.makedirs("a")
for number in range(4):
    with open(os.path.join("a", "%d.csv" % number), "w") as file:
        file.write("1.0,2.0,3.0")
it.ROOT = os.getcwd()
it.main(["a/%d.csv" % number for number in range(4)])
it.shapes(tf.ones([2, 3]))
it.scattered(tf.ones([3]), tf.constant(1), 2.0)
it.messages(tf.ones([2, 3]))
