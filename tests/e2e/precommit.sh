#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml under the real pre-commit, in a git repository made for it.
#
# The story: a helper in one file is traced by a root in another. A commit that touches only the helper is stopped, because of
# a file that it does not touch; a commit that only adds the root is stopped by the hook for the whole project. pre-commit
# comes from PyPI into a virtual environment under build/; where PyPI cannot be reached the script says so and exits with 77.
#
# One TAP line a step; TFCHECK is the program to test.
set -u
cd "$(dirname "$0")/../.."
program=$(realpath "${TFCHECK:-build/tfcheck}") || exit 2
home="$PWD/${BUILD:-build}/pre-commit"
pin=tests/e2e/requirements.txt
hooks=$PWD/.pre-commit-hooks.yaml

if ! cmp -s "$pin" "$home/installed.txt"; then
  rm -rf "$home"
  mkdir -p "$(dirname "$home")"
  if ! { python3 -m venv "$home" && "$home/bin/python3" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
    --retries 1 --timeout 20 -r "$pin" && cp "$pin" "$home/installed.txt"; } >"$home.log" 2>&1; then
    tail -n 3 "$home.log"
    printf '1..0 # SKIP pre-commit could not be installed from PyPI\n'
    exit 77
  fi
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/home"
ln -s "$program" "$scratch/bin/tfcheck"
export PATH="$scratch/bin:$home/bin:$PATH" HOME="$scratch/home" PRE_COMMIT_HOME="$scratch/cache"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null LC_ALL=C.UTF-8
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE PRE_COMMIT_COLOR FORCE_COLOR TFCHECK_OUTPUT

steps=0 failed=0
# The last command's output is in $scratch/log.
verdict() {
  steps=$((steps + 1))
  if [ "$1" -eq 0 ]; then
    printf 'ok %d - %s\n' "$steps" "$2"
  else
    failed=1
    printf 'not ok %d - %s\n' "$steps" "$2"
    sed 's/^/  /' "$scratch/log"
  fi
}
commits() {
  git commit -q -m change >"$scratch/log" 2>&1
  verdict $? "$1"
}
# stopped TITLE TEXT... : the commit fails, and says each text.
stopped() {
  local title=$1 text bad=0
  shift
  git commit -q -m change >"$scratch/log" 2>&1 && bad=1
  for text in "$@"; do grep -qF -- "$text" "$scratch/log" || bad=1; done
  verdict $bad "$title"
}

# What a user names under `repo:` is a repository with the hooks' file and a tag.
hook_repository() {
  git init -q "$scratch/hooks"
  cp "$hooks" "$scratch/hooks/.pre-commit-hooks.yaml"
  git -C "$scratch/hooks" add -A
  git -C "$scratch/hooks" commit -q -m hooks
  git -C "$scratch/hooks" tag v1.0.0
}

configure() {
  printf 'repos:\n- repo: %s\n  rev: v1.0.0\n  hooks:\n  - id: %s\n' "$scratch/hooks" "$1" >.pre-commit-config.yaml
  git add .pre-commit-config.yaml
}

hook_repository
git init -q "$scratch/project"
cd "$scratch/project" || exit 2
mkdir -p model vendor
touch model/__init__.py
cat >model/helpers.py <<'PYTHON'
import tensorflow as tf


def scaled(x):
    return x / tf.reduce_max(x)
PYTHON
cat >train.py <<'PYTHON'
import tensorflow as tf

from model.helpers import scaled


@tf.function
def step(x):
    return scaled(tf.square(x))
PYTHON
printf 'vendor/\n' >.gitignore
configure tfcheck
git add -A
pre-commit install >"$scratch/log" 2>&1
verdict $? 'pre-commit install'
commits 'a clean project is committed'

cat >model/helpers.py <<'PYTHON'
import numpy as np


def scaled(x):
    return x / np.max(x)
PYTHON
git add model/helpers.py
stopped 'a commit that touches only a helper is stopped because of a root in an untouched file' \
  TF201 model/helpers.py:5 'train.py:6' 'tracing starts here'

sed -i 's/np.max(x)$/np.max(x)  # tfcheck: ignore[TF201] -- on trial/' model/helpers.py
git add model/helpers.py
commits 'a suppression lets it pass'

printf 'import tensorflow as tf\n\n\n@tf.function\ndef step(x):\n    print(x)\n    return x\n' >vendor/copied.py
git add -f vendor/copied.py
commits 'an excluded file is not reported on though it is named'

printf 'notes\n' >notes.txt
git add notes.txt
commits 'a commit without Python files passes'

# More names than one command line takes: pre-commit splits them over several runs.
mkdir many
for i in $(seq 1 2600); do : >"many/a_module_with_a_rather_long_name_to_fill_the_command_line_$i.py"; done
printf 'def doubled(x):\n    print(x)\n    return x * 2.0\n' >many/doubled.py
printf '\n\n@tf.function\ndef other(x):\n    return doubled(x)\n' >>train.py
sed -i 's/^from model/from many.doubled import doubled\nfrom model/' train.py
git add -A
stopped 'every batch of many files sees the whole project' TF301 many/doubled.py:2
sed -i '/print/d' many/doubled.py
git add -A
commits 'and they pass when the fault is mended'

printf 'def shown(x):\n    print(x)\n    return x\n' >model/shown.py
git add model/shown.py
commits 'a helper that nobody traces is committed'
printf 'import tensorflow as tf\n\nfrom model.shown import shown\n\n\n@tf.function\ndef late(x):\n    return shown(x)\n' >late.py
git add late.py
commits 'a commit that adds the root touches no faulty file'
configure tfcheck-project
sed -i 's/shown(x)/shown(x + 1.0)/' late.py
git add late.py
stopped 'the hook for the whole project finds what it broke' TF301 model/shown.py:2 late.py:6

printf '1..%d\n' "$steps"
exit $failed
