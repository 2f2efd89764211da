#!/usr/bin/env bash
# Includes go down: a file of src/ includes headers of its own folder and of lower floors only, written "folder/file.h", and
# no header includes itself by a detour. Foreign libraries are let in by one floor each.
set -euo pipefail
cd "$(dirname "$0")/.."

# FILE:LINE: includes WHAT, one line each.
list_includes() {
  find src -name '*.[ch]' | LC_ALL=C sort | xargs -r awk '
    /^[ \t]*#[ \t]*include[ \t]/ {
      what = $0
      sub(/^[ \t]*#[ \t]*include[ \t]+/, "", what)
      sub(/[ \t].*$/, "", what)
      print FILENAME, FNR, what
    }'
}

check_floors() {
  awk '
    BEGIN {
      split("base 0 source 1 value 1 catalog 2 syntax 2 sema 3 trace 4 flow 5 rules 6 report 7 cli 8 main.c 9", list, " ")
      for (i = 1; i in list; i += 2) floor[list[i]] = list[i + 1]
      beside["value source"] = 1   # documents have spans
      owner["yaml.h"] = owner["jansson.h"] = " value "
      owner["tree_sitter/api.h"] = " syntax value "
      owner["pthread.h"] = owner["setjmp.h"] = owner["stdatomic.h"] = " base "
      owner["catalog_ids.h"] = " syntax sema trace flow rules report cli main.c "   # generated
    }
    function wrong(why) { printf "%s:%d: %s\n", $1, $2, why; bad = 1 }
    {
      split($1, at, "/"); from = at[2]
      name = substr($3, 2, length($3) - 2)
      if (!(from in floor)) { wrong("folder \"" from "\" is on no floor"); next }
      if (name in owner) {
        if (index(owner[name], " " from " ") == 0) wrong(name " belongs to" owner[name] "only")
        next
      }
      if (substr($3, 1, 1) == "<") next
      if (split(name, to, "/") != 2) { wrong($3 " is not written \"folder/file.h\""); next }
      if (!(to[1] in floor)) { wrong("folder \"" to[1] "\" is on no floor"); next }
      if (to[1] == from || floor[to[1]] < floor[from] || ((from " " to[1]) in beside)) next
      wrong("includes upwards: " from "/ may not use " name)
    }
    END { exit bad }'
}

# tsort wants pairs and names the members of a loop.
check_cycles() {
  awk '$1 ~ /\.h$/ && $3 ~ /^"/ { print substr($1, 5), substr($3, 2, length($3) - 2) }' | tsort >/dev/null
}

includes=$(list_includes)
status=0
printf '%s\n' "$includes" | check_floors || status=1
printf '%s\n' "$includes" | check_cycles || status=1
exit "$status"
