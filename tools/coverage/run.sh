#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/coverage/run.sh BUILD JOBS [CMAKE ARGUMENT...]: builds the tests of tb/coverage/targets.txt
# with counters in BUILD, and runs them; counters in BUILD/coverage, results in
# BUILD/reports/tests.xml. Exit code 1 when one fails.
set -eu

build=$1
jobs=$2
shift 2
targets=$(grep -v '^#' tb/coverage/targets.txt)

mkdir -p "$build"
cmake -S . -B "$build" -G Ninja -DNVMEARB_COVERAGE=ON "$@" >"$build/configure.log" ||
  { cat "$build/configure.log"; exit 1; }
# shellcheck disable=SC2086  # a list of words on purpose
cmake --build "$build" --parallel "$jobs" --target $targets

# Counts of an earlier run are not those of this one.
rm -rf "$build/coverage"
mkdir -p "$build/coverage"
find "$build" -name '*.gcda' -delete
names=$(cd "$build/bin" && find . -name '*_test' | sed 's,^\./,,' | paste -sd'|' -)
NVMEARB_COVERAGE_DIR=$(realpath "$build/coverage")
export NVMEARB_COVERAGE_DIR
# A quarter of the seeds of the stress test: the rest finds nothing new to count.
NVMEARB_COUNT=30
export NVMEARB_COUNT
tools/run_tests.py --build "$build" --jobs "$jobs" -- -R "^($names)\$"
