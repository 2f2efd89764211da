#!/usr/bin/env bash
# Examples in README.md and docs/ are real. In a fenced block `console`, each line `$ tfcheck …` is run from the top folder,
# and the lines below it must be what it prints.
#
#   tests/check_docs.sh           compares
#   tests/check_docs.sh --bless   writes the real output into the documents
set -u
cd "$(dirname "$0")/.."
program=$(realpath "${TFCHECK:-build/tfcheck}")
bless=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/tfcheck"
unset NO_COLOR FORCE_COLOR CLICOLOR_FORCE TFCHECK_OUTPUT
export PATH="$scratch/bin:$PATH"
bad=0

# The document with every output replaced by the real one.
rewrite() {
  local inside=no line
  while IFS= read -r line; do
    case $inside,$line in
      'no,```console') inside=yes ;;
      'yes,```' | 'skip,```') inside=no ;;
      'yes,$ tfcheck'* | 'skip,$ tfcheck'*)
        printf '%s\n' "$line"
        (eval "${line#\$ }") </dev/null 2>&1
        inside=skip
        continue
        ;;
    esac
    [ $inside = skip ] || printf '%s\n' "$line"
  done <"$1"
}

for document in README.md docs/*.md; do
  grep -q '^```console$' "$document" || continue
  rewrite "$document" >"$scratch/new"
  if [ "$bless" = --bless ]; then
    cmp -s "$scratch/new" "$document" || cat "$scratch/new" >"$document"
  elif diff -u --label "$document" --label 'what the program prints' "$document" "$scratch/new"; then
    printf 'ok docs/%s\n' "$(basename "$document")"
  else
    printf 'not ok docs/%s\n' "$(basename "$document")"
    bad=1
  fi
done

# Every command and every long option that the program knows stands in the reference, and the other way round.
words_of() { grep -oE -- '--[a-z][a-z-]+' "$1" | sort -u; }
{
  tfcheck help
  for command in check rule rules why files debug version help; do tfcheck help $command; done
} >"$scratch/help"
if diff <(words_of "$scratch/help") <(sed -n '/^```console$/,/^```$/p' docs/cli.md | words_of /dev/stdin); then
  printf 'ok docs/options\n'
else
  printf 'not ok docs/options\n'
  bad=1
fi
exit $bad
