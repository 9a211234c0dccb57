#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/sanitize.sh BUILD: the C++ tests of models, host and scoreboard in a build with sanitizers.
# BUILD was made with NVMEARB_SANITIZE.
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
exit $failed
