#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/lint.sh: every static check; prints what is wrong and exits with 1, else nothing but one
# line per check.
set -u
cd "$(dirname "$0")/.." || exit 1
venv=${BUILD:-build}/venv/lint
failed=0

check() {
  name=$1
  shift
  if output=$("$@" 2>&1); then
    echo "ok    $name"
  else
    failed=1
    echo "FAIL  $name"
    echo "$output"
  fi
}

# shellcheck disable=SC2317  # called through check
clang_format() { git ls-files '*.h' '*.cc' | xargs clang-format --dry-run -Werror; }
# shellcheck disable=SC2317
shell_files() { git ls-files '*.sh' .ci/run | xargs shellcheck; }
# shellcheck disable=SC2317
spdx() {
  missing=$(git ls-files '*.h' '*.cc' '*.sv' '*.py' '*.sh' '*.cmake' |
    xargs grep -L 'SPDX-License-Identifier')
  [ -z "$missing" ] || { echo "no SPDX line in:"; echo "$missing"; return 1; }
}
# shellcheck disable=SC2317
long_lines() {
  found=$(git ls-files '*.sv' '*.py' '*.sh' '*.cmake' | xargs awk 'length > 100 {
    print FILENAME ":" FNR ": longer than 100 columns" }')
  [ -z "$found" ] || { echo "$found"; return 1; }
}

tools/venv.sh "$venv" tools/lint_requirements.txt || exit 1
check "RTL: Verilator -Wall (two versions), slang, Verible, Icarus; file lists" \
  tools/lint_rtl.sh "$venv"
check "C++ format" clang_format
check "C++: clang-tidy" tools/tidy.py "${BUILD:-build}"
check "Python: ruff" "$venv/bin/ruff" check --quiet .
check "shell scripts" shell_files
check "licence lines" spdx
check "line length" long_lines
exit $failed
