#!/usr/bin/env bash
# What must not be in the tree: open ends without a condition, dead code in comments, names of one machine or of one package
# host, printing and exiting in the library, folders that do not say what they are for.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

# Complains about every line that the command finds.
none() {
  local why=$1 found
  shift
  found=$("$@" || true)
  [ -n "$found" ] || return 0
  printf '%s:\n%s\n' "$why" "$found"
  status=1
}

all_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
  else
    find . -type f -not -path './build/*' -not -path './node_modules/*' -printf '%P\0'
  fi
}

# The files that people of this project wrote; fixtures and rule pages quote other people's Python.
mapfile -d '' -t files < <(all_files | grep -zvE '^(fixtures|rules)/|^tests/check_hygiene.sh$' | LC_ALL=C sort -zu)
present=()
for file in "${files[@]}"; do [ -f "$file" ] && present+=("$file"); done
mapfile -t c_files < <(find src tests tools -name '*.[ch]' | LC_ALL=C sort)
mapfile -t library < <(find src -name '*.[ch]' -not -path 'src/cli/*' -not -path src/main.c | LC_ALL=C sort)

none 'an open end names the condition under which it is closed: TODO(condition)' \
  grep -nIE '\b(TODO|FIXME|XXX|HACK)\b($|[^(])' -- "${present[@]}"
# A statement behind `//`: an assignment or a call, a keyword with what follows it, a lone brace.
assignment='([A-Za-z_]+ \*?)?[A-Za-z_][A-Za-z0-9_>.-]*(\(| [-+*|&]?= ).*;'
none 'commented-out code' grep -nE \
  "^[ \t]*//[ \t]*($assignment|(return|break|continue|if|for|while|else)\b.*[;{]|[{}])[ \t]*\$|^#[ \t]*if 0" -- "${c_files[@]}"
none 'a tab, or blanks at the end of a line' grep -nP '\t|[ \r]+$' -- "${c_files[@]}"
none 'the path of one machine' grep -nIE '(^|[^A-Za-z0-9_.])/(root|work|home/[a-z]+|Users/[A-Za-z]+)/' -- "${present[@]}"
none 'the name of a package host' grep -nIiE 'registry[.][a-z]+[.][a-z]|npmjs[.]|pythonhosted[.]|index-url|deb[.]debian[.]' -- "${present[@]}"
none 'a download address in the lock file' grep -nE '"resolved"' package-lock.json
# Calls of the functions that the pattern names, in library files but the one excepted.
calls() {
  printf '%s\n' "${library[@]}" | grep -vx "$2" | xargs -r grep -nE "\b($1)\(" | grep -vE '^[^:]*:[0-9]*:[ \t]*(/\*|\*|//)'
}
none 'the library prints or exits' calls '[vf]?f?printf|puts|fputs|putchar|perror|_?exit|quick_exit' -
none 'only str_from measures C strings' calls 'strn?len' src/base/str.c
none 'only base/panic.c aborts' calls 'abort|assert' src/base/panic.c

folders_without_readme() {
  local folder
  for folder in src/*/; do
    compgen -G "$folder*.[ch]" >/dev/null && [ ! -f "${folder}README.md" ] && printf '%s\n' "$folder"
  done
}
none 'a folder of src/ without a README.md' folders_without_readme

exit "$status"
