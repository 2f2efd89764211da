#!/usr/bin/env bash
# The command line, seen from outside: each folder of fixtures/cli is one case.
#
#   cmd      a shell script, run in an empty folder that holds a copy of the case's `tree/`; `tfcheck` is on its PATH
#   stdout   what it must print; stderr the same (absent: nothing); the folder's own path is written @ROOT@
#   code     its exit status (absent: 0); a cmd that exits with 77 is skipped
#
#   tests/check_cli.sh            compares
#   tests/check_cli.sh --bless    rewrites stdout, stderr and code; read the diff before you commit it
set -u
cd "$(dirname "$0")/.."
program=$(realpath "${TFCHECK:-build/tfcheck}")
bless=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/tfcheck"
unset NO_COLOR FORCE_COLOR CLICOLOR_FORCE TFCHECK_OUTPUT
export LC_ALL=C TERM=dumb PATH="$scratch/bin:$PATH"
bad=0

run_case() {
  local folder="$scratch/run"
  rm -rf "$folder"
  mkdir "$folder"
  [ ! -d "$1/tree" ] || cp -r "$1/tree/." "$folder"
  (cd "$folder" && exec timeout 60 bash "$OLDPWD/$1/cmd" </dev/null >"$scratch/stdout.raw" 2>"$scratch/stderr.raw")
  printf '%s\n' $? >"$scratch/code"
  sed "s|$folder|@ROOT@|g" "$scratch/stdout.raw" >"$scratch/stdout"
  sed "s|$folder|@ROOT@|g" "$scratch/stderr.raw" >"$scratch/stderr"
}

# An absent file stands for no output, and for status 0.
keep() {
  if [ "$2" = code ] && [ "$(cat "$scratch/code")" = 0 ] || [ ! -s "$scratch/$2" ]; then rm -f "$1/$2"; else cp "$scratch/$2" "$1/$2"; fi
}

same() {
  local expected="$1/$2"
  if [ ! -e "$expected" ]; then
    expected="$scratch/nothing"
    if [ "$2" = code ]; then echo 0 >"$expected"; else : >"$expected"; fi
  fi
  diff -u --label "expected $2" --label "actual $2" "$expected" "$scratch/$2"
}

for case in fixtures/cli/*/; do
  case=${case%/}
  name=$(basename "$case")
  run_case "$case"
  if [ "$(cat "$scratch/code")" = 77 ]; then
    printf 'ok cli/%s # SKIP\n' "$name"
  elif [ "$bless" = --bless ]; then
    for part in stdout stderr code; do keep "$case" $part; done
  elif same "$case" stdout && same "$case" stderr && same "$case" code; then
    printf 'ok cli/%s\n' "$name"
  else
    printf 'not ok cli/%s\n' "$name"
    bad=1
  fi
done
exit $bad
