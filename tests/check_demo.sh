#!/usr/bin/env bash
# `make run` shows findings on fixtures/demo that are worth reading: at least these are there, on these lines.
set -euo pipefail
cd "$(dirname "$0")/.."
program="${TFCHECK:-build/tfcheck}"

found=$("$program" check --format concise fixtures/demo 2>/dev/null || [ $? -eq 1 ])
missing=0
while read -r place code; do
  grep -Eq "(^|/)$place:[0-9]+: $code " <<<"$found" && continue
  printf 'fixtures/demo/%s: %s is not reported\n' "$place" "$code"
  missing=1
done <<'EXPECTED'
cartpole/agent.py:30 TF201
cartpole/agent.py:34 TF407
cartpole/metrics.py:12 TF101
cartpole/metrics.py:14 TF103
cartpole/metrics.py:17 TF204
cartpole/metrics.py:17 TF301
cartpole/networks.py:19 TF102
cartpole/networks.py:24 TF202
cartpole/replay.py:21 TF202
EXPECTED
exit "$missing"
