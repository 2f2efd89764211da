import tensorflow as tf

import detection_boxes as it

box = tf.constant([[0.0, 0.0, 16.0, 16.0]])
encoder = it.Encoder(it.Anchors(sizes=(16,)))
for boxes in (box, box[:0]):
    row = {"image": tf.zeros([32, 32, 3])}, {"boxes": boxes, "classes": tf.ones([len(boxes)], tf.int32)}
    rows = tf.data.Dataset.from_generator(lambda: [row], output_signature=(
        {"image": tf.TensorSpec([32, 32, 3])}, {"boxes": tf.TensorSpec([None, 4]), "classes": tf.TensorSpec([None], tf.int32)}))
    image, target = next(iter(encoder.dataset(rows)))
    assert target["boxes"].shape == (12, 4)
boxes, scores, classes = it.postprocess(box, tf.constant([[0.1, 0.9]]))
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(4)])
model.compile("sgd", it.SmoothL1())
model.fit(tf.ones([2, 4]), tf.ones([2, 4]), verbose=0)
it.draw(tf.zeros([32, 32]), box, tf.constant([0.9]))
