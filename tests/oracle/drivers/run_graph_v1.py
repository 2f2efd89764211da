import graph_v1 as it

if hasattr(it.tf, "estimator"):
    with it.tf.Graph().as_default():
        features, labels = {"x": it.tf.ones([2, 4])}, it.tf.zeros([2], it.tf.int64)
        it.model_fn(features, labels, it.tf.estimator.ModeKeys.TRAIN, {"classes": 3})
it.tf.app.run(it.main)
