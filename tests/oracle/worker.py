"""Runs programs under the TensorFlow of the interpreter that runs this file, each in a process of its own.

TensorFlow is imported once and the process forked for each program: a child has executed nothing yet, so it is as good as a fresh
interpreter and starts at once. A program that decides in its first lines how TensorFlow is imported (`TF_USE_LEGACY_KERAS`) would come too
late, so the caller starts it in a worker of its own with `"bare": true`.

Jobs come as lines of JSON on standard input, results leave as lines of JSON on standard output, in order of completion:

    {"id": 1, "file": "/a/b.py", "path": ["/c"], "seconds": 60, "watch": ["/a"]}
    {"id": 1, "outcome": "clean|error|timeout|crash", "error": "ValueError", "kinds": [...], "text": "...", "printed": "...", "calls": [...]}

A program runs in an empty folder and imports what lies beside it and in `path`. `watch` names files and folders whose functions are recorded while they run (watch.py). With `"stubborn": true` each statement of the module runs though
earlier ones failed, and then every traced function of the module is tried: for files that are full of faults. Programs print to a file, so
that what TensorFlow itself logs in C++ is caught as well.
"""
import ast
import ctypes
import json
import os
import signal
import sys
import tempfile
import time
import types

PRINTED_LIMIT = 200_000
# What a program gets after its time is up, to say what it did so far.
GRACE_SECONDS = 10


class Late(BaseException):
    """No program catches it by accident."""


def describe(error):
    """What a person would compare: the type with its bases, and the text, both also of what the error was raised from."""
    kinds, texts, seen = [], [], set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        kinds += [cls.__name__ for cls in type(error).__mro__ if cls not in (object, BaseException, Exception)]
        # KeyError shows the repr of its text.
        texts.append(str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error))
        error = error.__cause__ or error.__context__
    return kinds, "\n".join(texts)


def run_plainly(source, path, namespace):
    exec(compile(source, path, "exec"), namespace)


def run_stubbornly(source, path, namespace):
    import drive

    for statement in ast.parse(source).body:
        try:
            exec(compile(ast.Module([statement], []), path, "exec"), namespace)
        except Exception:
            continue
    drive.try_all(namespace, path)


def execute(path, watch, run):
    """The program as `python path` runs it; returns what it raised and the calls that were watched."""
    import watch as watching

    with open(path, encoding="utf-8") as file:
        source = file.read()
    main = types.ModuleType("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    watcher = watching.Watcher(watch) if watch else None
    error = None
    try:
        if watcher:
            watcher.start()
        run(source, path, main.__dict__)
    except SystemExit as stop:
        error = stop if stop.code not in (None, 0) else None
    except BaseException as caught:
        error = caught
    finally:
        if watcher:
            watcher.stop()
    return error, watcher.calls() if watcher else None


def raise_late(*_):
    raise Late


def die_with_parent():
    """An interrupted oracle leaves no program running: the kernel ends this process when the worker is gone."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def child(job, scratch):
    """Never returns: the forked process ends here, without the parent's exit handlers."""
    die_with_parent()
    printed = os.open(os.path.join(scratch, "printed"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, printed), (2, printed)):
        os.dup2(source, target)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
    os.setpgid(0, 0)
    folder = os.path.join(scratch, "folder")
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    sys.path[:0] = job.get("path", [])
    signal.signal(signal.SIGALRM, raise_late)
    signal.setitimer(signal.ITIMER_REAL, job.get("seconds", 60))
    error, calls = execute(job["file"], job.get("watch"), run_stubbornly if job.get("stubborn") else run_plainly)
    signal.setitimer(signal.ITIMER_REAL, 0)
    result = {"outcome": "clean", "calls": calls}
    if error is not None:
        import traceback

        traceback.print_exception(error)
        kinds, text = describe(error)
        result.update(outcome="timeout" if isinstance(error, Late) else "error", error=type(error).__name__, kinds=kinds, text=text)
    sys.stdout.flush()
    sys.stderr.flush()
    with open(os.path.join(scratch, "result"), "w", encoding="utf-8") as file:
        json.dump(result, file)
    os._exit(0)


def collect(job, scratch, start, late):
    result = {"id": job["id"], "outcome": "timeout" if late else "crash", "seconds": round(time.monotonic() - start, 1)}
    try:
        with open(os.path.join(scratch, "result"), encoding="utf-8") as file:
            result.update(json.load(file))
    except (OSError, ValueError):
        pass
    try:
        with open(os.path.join(scratch, "printed"), encoding="utf-8", errors="replace") as file:
            result["printed"] = file.read(PRINTED_LIMIT)
    except OSError:
        result["printed"] = ""
    return result


class Server:
    """Up to `width` children at a time."""

    def __init__(self, width, home):
        self.width, self.home, self.running = width, home, {}

    def start(self, job):
        scratch = tempfile.mkdtemp(dir=self.home)
        pid = os.fork()
        if pid == 0:
            try:
                child(job, scratch)
            finally:
                os._exit(1)
        self.running[pid] = (job, scratch, time.monotonic())

    def reap(self):
        for pid, (job, scratch, start) in list(self.running.items()):
            late = time.monotonic() > start + job.get("seconds", 60) + GRACE_SECONDS
            if late:
                # The group is the child's own: only what this job started.
                for kill in (os.killpg, os.kill):
                    try:
                        kill(pid, signal.SIGKILL)
                    except OSError:
                        pass
            done, _ = os.waitpid(pid, 0 if late else os.WNOHANG)
            if done:
                del self.running[pid]
                print(json.dumps(collect(job, scratch, start, late)), flush=True)

    def serve(self, lines):
        for line in lines:
            while len(self.running) >= self.width:
                self.reap()
                time.sleep(0.02)
            self.start(json.loads(line))
        while self.running:
            self.reap()
            time.sleep(0.02)


def main():
    die_with_parent()
    width, home, bare = int(sys.argv[1]), sys.argv[2], sys.argv[3:] == ["bare"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if not bare:
        import keras
        import tensorflow

        assert keras and tensorflow.function
    Server(width, home).serve(sys.stdin)


if __name__ == "__main__":
    main()
