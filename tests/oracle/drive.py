"""Calls the traced functions of a module, for fixtures that define them and call few."""
import inspect
import itertools


def candidates():
    import tensorflow as tf

    return (tf.ones([2, 2]), tf.constant(2.0), tf.constant(3), 2)


def count_required(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def try_call(function):
    """A few calls that might fit; what they raise is the fixture's subject."""
    count = count_required(function)
    for value in candidates() if count else [None]:
        try:
            function(*itertools.repeat(value, count))
            return
        except Exception:
            continue


def is_traced(thing):
    return hasattr(thing, "get_concrete_function") and hasattr(thing, "python_function")


def try_all(namespace, path):
    for thing in list(namespace.values()):
        if is_traced(thing):
            try_call(thing)
        elif inspect.isclass(thing) and thing.__module__ == namespace["__name__"]:
            try:
                owner = thing()
            except Exception:
                continue
            for name in [name for name, member in vars(thing).items() if is_traced(member)]:
                try_call(getattr(owner, name))
