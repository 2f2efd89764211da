"""Which callees AutoGraph converts: methods, partials, `__call__`, decorated wrappers; not constructors, iterators, context managers, caches."""
# rules: TF401, TF402
import contextlib
import functools

import tensorflow as tf
from expect import converted

seen = {}


def note(name):
    seen[name] = converted()


class Thing:
    def __init__(self):
        seen["__init__"] = converted()

    def __call__(self):
        seen["__call__"] = converted()

    def __enter__(self):
        seen["__enter__"] = converted()

    def __exit__(self, *error):
        seen["__exit__"] = converted()

    def __add__(self, other):
        seen["__add__"] = converted()
        return self

    def __getitem__(self, key):
        seen["__getitem__"] = converted()
        return key

    @staticmethod
    def static():
        seen["static"] = converted()

    @classmethod
    def of_class(cls):
        seen["of_class"] = converted()


class Numbers:
    def __iter__(self):
        seen["__iter__"] = converted()
        return iter([1])


def wrapped(f):
    @functools.wraps(f)
    def inner(*args):
        seen["wrapper"] = converted()
        return f(*args)

    return inner


@wrapped
def decorated():
    seen["decorated"] = converted()


@functools.lru_cache(None)
def cached():
    seen["lru_cache"] = converted()


@contextlib.contextmanager
def manager():
    seen["contextmanager"] = converted()
    yield


def partial(a, b):
    seen["partial"] = converted()


def by_name(x):
    seen["cond branch by name"] = converted()
    return x


def each(x):
    seen["map_fn by name"] = converted()
    return x


def vectorized(x):
    seen["vectorized_map by name"] = converted()
    return x


def mapped(x):
    seen["map_structure by name"] = converted()
    return x


def sort_key(x):
    seen["sort key"] = converted()
    return x


def generator():
    seen["generator"] = converted()
    yield 1


@tf.autograph.experimental.do_not_convert
def excluded():
    seen["do_not_convert"] = converted()
    below()


def below():
    seen["below do_not_convert"] = converted()


@tf.function
def step(x):
    thing = Thing()
    thing()
    thing + 1
    thing[0]
    thing.static()
    Thing.of_class()
    with thing:
        pass
    with manager():
        pass
    for _ in Numbers():
        pass
    for _ in generator():
        pass
    decorated()
    cached()
    functools.partial(partial, 1)(2)
    tf.cond(x > 0.0, lambda: by_name(x), lambda: x)
    tf.cond(x > 0.0, functools.partial(by_name, x), lambda: x)
    tf.map_fn(each, tf.stack([x, x]))
    tf.vectorized_map(vectorized, tf.stack([x, x]))
    tf.nest.map_structure(mapped, [x])
    max([1, 2], key=sort_key)
    excluded()
    return x


step(tf.constant(1.0))
print(sorted(seen.items()))
yes = {"__call__", "static", "of_class", "wrapper", "decorated", "partial", "map_fn by name"}
maybe = {"vectorized_map by name", "cond branch by name"}
assert {name for name, on in seen.items() if on} - maybe == yes, sorted(name for name, on in seen.items() if on)
