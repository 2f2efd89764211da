#!/usr/bin/env bash
# docs/rules.md is what `tfcheck rule --all --format markdown` prints. `make bless` rewrites it (--bless here).
set -u
cd "$(dirname "$0")/.." || exit 2
tfcheck=${TFCHECK:-build/tfcheck}
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
"$tfcheck" rule --all --format markdown >"$fresh" || exit 1
if [ "${1:-}" = --bless ]; then
  cp "$fresh" docs/rules.md
elif ! diff -u docs/rules.md "$fresh" | head -40 | grep .; then
  exit 0
else
  echo "docs/rules.md is not what the pages say: run \`make bless\`"
  exit 1
fi
