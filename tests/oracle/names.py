"""Looks the names of rules/api up in the packages that this interpreter has, and calls what is said to return a tensor.

Prints one line of JSON: for each name, where it was found (`""`: nowhere) and what calling it gave where that is no tensor.
"""
import glob
import importlib
import inspect
import itertools
import json
import os
import re
import signal
import sys

import yaml

PACKAGES = ("tensorflow", "keras", "numpy")
# Not to be called for a try: they write, wait, or change how TensorFlow behaves.
EFFECTS = {"io", "save", "log", "print", "sleep", "seed", "exports", "experiment", "eager-switch", "numpy-behavior", "subprocess", "asserts"}


class Slow(Exception):
    pass


def expand(key):
    """`a.{b,c}` stands for each of the words."""
    match = re.search(r"\{([^{}]*)\}", key)
    if not match:
        return [key]
    return [name for word in match.group(1).split(",") for name in expand(key[:match.start()] + word.strip() + key[match.end():])]


def facts_of(block, prefix=""):
    for key, fact in block.items():
        if key == "aliases" and not prefix:
            continue
        for name in expand(str(key)):
            full = prefix + name
            yield full, fact
            if isinstance(fact, dict):
                yield from facts_of(fact.get("members") or {}, full + ".")


def find(name):
    """The object of a dotted name: attributes from the package down, for folders of TensorFlow lie about its names; modules where need be."""
    parts = name.split(".")
    thing = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], 2):
        if not hasattr(thing, part) and inspect.ismodule(thing):
            importlib.import_module(".".join(parts[:index]))
        thing = getattr(thing, part)
    return thing


def places(name):
    """Where a name may live besides where it is kept: v1 names below compat.v1, Keras below tf.keras."""
    yield name
    if name.startswith("tensorflow.") and ".compat." not in name:
        yield "tensorflow.compat.v1" + name[len("tensorflow"):]
    if name.startswith("keras."):
        yield "tensorflow." + name
        yield "tensorflow.compat.v1." + name


def locate(name):
    for place in places(name):
        try:
            return place, find(place)
        except Exception:
            continue
    return "", None


def is_tensors(value):
    import tensorflow as tf

    leaves = tf.nest.flatten(value)
    return bool(leaves) and all(isinstance(leaf, (tf.Tensor, tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)) for leaf in leaves)


def attempt(function):
    """What a cheap call gives: the type's name, `tensor` for tensors, None where no call succeeds."""
    import tensorflow as tf

    floats, ints, flags = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 0]), tf.constant([True, False])
    choices = [floats, ints, flags, tf.constant(["a"]), 2]
    for count in (1, 2, 0):
        for arguments in itertools.product(choices, repeat=count) if count < 2 else [(c, c) for c in choices]:
            signal.setitimer(signal.ITIMER_REAL, 2.0)
            try:
                value = function(*arguments)
            except Slow:
                return None
            except Exception:
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            return "tensor" if is_tensors(value) else type(value).__name__
    return None


def should_call(name, fact, thing):
    spec = fact if isinstance(fact, str) else (fact or {}).get("returns", "")
    tags = set() if isinstance(fact, str) else set((fact or {}).get("tags") or [])
    simple = isinstance(spec, str) and re.match(r"tensor(\[[^\]]*\])?$", spec)
    return bool(simple) and name.startswith("tensorflow.") and callable(thing) and not inspect.isclass(thing) and not tags & EFFECTS


def main():
    import keras  # noqa: F401  before the clock runs
    import numpy  # noqa: F401
    import tensorflow  # noqa: F401

    def late(*_):
        raise Slow

    signal.signal(signal.SIGALRM, late)
    seen, answers = set(), []
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.yaml"))):
        with open(path, encoding="utf-8") as file:
            block = yaml.safe_load(file) or {}
        for name, fact in facts_of(block.get("api", block)):
            if name.split(".")[0] not in PACKAGES or name in seen or "*" in name:
                continue
            seen.add(name)
            place, thing = locate(name)
            method = any(name.startswith(other + ".") and inspect.isclass(locate(other)[1]) for other in [name.rsplit(".", 1)[0]])
            gave = attempt(thing) if place and not method and should_call(name, fact, thing) else None
            answers.append({"name": name, "file": os.path.basename(path), "place": place, "method": method, "gave": gave,
                            "absent": not isinstance(fact, str) and "host-attribute" in ((fact or {}).get("tags") or [])})
    sys.stdout.flush()
    print(json.dumps(answers))


main()
