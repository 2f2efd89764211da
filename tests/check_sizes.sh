#!/usr/bin/env bash
# The hard stops on size: 90 lines a function, 700 a .c file, 250 a .h file, 300 a file of src/rules. A function that is one
# flat table may be longer if a comment `/* flat table: reason */` stands directly above it.
set -euo pipefail
cd "$(dirname "$0")/.."

find src tests tools -name '*.[ch]' | LC_ALL=C sort | xargs -r awk '
  function wrong(line, why) { printf "%s:%d: %s\n", file, line, why; bad = 1 }
  function file_stop(name) {
    if (name ~ /\.h$/) return 250
    return name ~ /^src\/rules\// ? 300 : 700
  }
  function end_file() {
    if (file != "" && lines > file_stop(file)) wrong(lines, lines " lines, the hard stop is " file_stop(file))
  }
  # Sources are formatted: a definition starts at the margin, and ends with a brace there.
  FNR == 1 { end_file(); file = FILENAME; inside = 0; start = 0; above = "" }
  { lines = FNR }
  inside {
    if (/^}/) {
      length_ = FNR - start + 1
      if (length_ > 90 && !flat) wrong(start, "function of " length_ " lines, the hard stop is 90")
      inside = start = 0
      above = ""
    }
    next
  }
  /^[A-Za-z_]/ && !start { start = FNR; text = ""; flat = above ~ /flat table:/ }
  start {
    text = text $0
    if (/\{[ \t]*$/) {
      if (text ~ /\(/ && text !~ /=[^(]*\{[ \t]*$/ && text !~ /^(typedef|struct|enum|union)[^(]*\{/) inside = 1
      else start = 0
    } else if (/[;}][ \t]*(\/\/.*)?$/) start = 0
    next
  }
  { above = /^[ \t]*$/ ? "" : (/^(\/\*| \*)/ ? above $0 : $0) }
  END { end_file(); exit bad }'
