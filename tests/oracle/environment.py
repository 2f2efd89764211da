"""One TensorFlow in a virtual environment, and programs run under it."""
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

# What users have: the newest TensorFlow, with Keras 3, and the last one with Keras 2.
VERSIONS = {"2.21": "keras3", "2.15": "keras2"}
PYTHON = "python3.11"
INSTALL_SECONDS = 900
SETTINGS = {"TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}


class Environment:
    def __init__(self, version, python, problem, args):
        self.version, self.flavour, self.python, self.problem, self.args = version, VERSIONS[version], python, problem, args

    def describe(self):
        return {"version": self.version, "flavour": self.flavour, "problem": self.problem}

    def settings(self):
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE") if name in os.environ}
        return {**kept, **SETTINGS}

    def run_all(self, jobs, bare=False):
        """Runs jobs (see worker.py) and gives their results by id. A worker that dies leaves its jobs out."""
        if not jobs:
            return {}
        with tempfile.TemporaryDirectory(dir=self.args.home) as home:
            lines = "".join(json.dumps({"seconds": self.args.seconds, **job}) + "\n" for job in jobs)
            worker = [self.python, os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py"), str(self.args.jobs), home]
            done = subprocess.run(worker + (["bare"] if bare else []), input=lines, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  env={**self.settings(), "TMPDIR": home}, cwd=home, timeout=120 + self.args.seconds * len(jobs))
            return {result["id"]: result for result in map(json.loads, done.stdout.splitlines())}

    def run_script(self, script, *arguments, seconds=300):
        """A helper script under this TensorFlow, which prints JSON on its last line."""
        with tempfile.TemporaryDirectory(dir=self.args.home) as home:
            done = subprocess.run([self.python, script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=self.settings(), cwd=home, timeout=seconds)
        if done.returncode:
            raise RuntimeError("%s failed: %s" % (os.path.basename(script), done.stderr[-600:]))
        return json.loads(done.stdout.splitlines()[-1])


def install(home, pins, log):
    shutil.rmtree(home, ignore_errors=True)
    for command in ([PYTHON, "-m", "venv", home],
                    [os.path.join(home, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                     "--only-binary", ":all:", "--require-hashes", "-r", pins]):
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=True, timeout=INSTALL_SECONDS)


def prepare(args, version):
    """An environment that may have a `problem`: then everything under it counts as skipped."""
    home = os.path.join(args.home, "tf-" + version)
    pins = os.path.join(args.root, "tests", "oracle", "requirements", "tf-%s.txt" % version)
    with open(pins, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    stamp = os.path.join(home, "installed.txt")
    problem = None
    if not os.path.exists(stamp) or open(stamp, encoding="utf-8").read() != digest:
        if shutil.which(PYTHON) is None:
            problem = "%s is not installed" % PYTHON
        else:
            print("installing TensorFlow %s into %s" % (version, home), flush=True)
            with open(os.path.join(args.home, "install-%s.log" % version), "w", encoding="utf-8") as log:
                try:
                    install(home, pins, log)
                    with open(stamp, "w", encoding="utf-8") as file:
                        file.write(digest)
                except (OSError, subprocess.SubprocessError) as error:
                    problem = "TensorFlow %s could not be installed from PyPI: %s" % (version, type(error).__name__)
    if problem:
        print("SKIP  %s; see %s" % (problem, os.path.join(args.home, "install-%s.log" % version)), flush=True)
    return Environment(version, os.path.join(home, "bin", "python"), problem, args)
