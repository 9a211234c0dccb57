#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/sanitize.sh BUILD: the C++ tests of models, host and scoreboard in a build with sanitizers,
# and every scenario for a moment on the C++ engine. BUILD was made with NVMEARB_SANITIZE.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
failed=0
ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
for folder in models host_driver tb/fuzz; do
  ctest --test-dir "$build/$folder" --output-on-failure --no-tests=error -j "$(nproc)" || failed=1
done
ctest --test-dir "$build/tb/scoreboard" --output-on-failure -E rtl -j "$(nproc)" || failed=1
for scenario in $("$build/bin/nvmearb" list | cut -d' ' -f1); do
  log=$("$build/bin/nvmearb" run "$scenario" --engine model --runtime 2ms --json /dev/null 2>&1)
  # Exit 1 is a comparison that so short a run cannot meet; the sanitizers' is another.
  if [ $? -le 1 ] && ! echo "$log" | grep -qE 'runtime error|Sanitizer'; then
    echo "ok    $scenario"
  else
    failed=1
    echo "FAIL  $scenario"
    echo "$log"
  fi
done
exit $failed
