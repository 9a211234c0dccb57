#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/fuzz.sh BUILD RUNS [TARGET...]: libFuzzer on everything that reads a user's files, RUNS
# inputs each, from the kept corpus (tb/fuzz/corpus) and the examples of the tree. BUILD holds the
# program fuzz (make fuzz). New inputs stay in BUILD/corpus, a fault's input in BUILD/faults; exit
# code 1 when there is one. What shows a fault goes, made small, into tb/fuzz/corpus, where
# `make test` runs it ever after.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
runs=$2
shift 2
program=$build/bin/fuzz
# shellcheck disable=SC2046  # a list of words
[ $# -gt 0 ] || set -- $("$program" --targets)
mkdir -p "$build/faults"
failed=0
for target in "$@"; do
  case $target in
  trace-*) seeds=host_driver/trace/testdata ;;
  scenario) seeds=sim_configs ;;
  *) seeds=sim_configs/fio ;;
  esac
  mkdir -p "$build/corpus/$target"
  kept=
  [ ! -d "tb/fuzz/corpus/$target" ] || kept=tb/fuzz/corpus/$target
  log=$build/corpus/$target.log
  # shellcheck disable=SC2086  # $kept may be nothing
  if "$program" "--target=$target" -runs="$runs" -seed=1 -max_len=4096 -timeout=20 \
    -rss_limit_mb=2048 -artifact_prefix="$build/faults/$target-" \
    "$build/corpus/$target" $kept "$seeds" >"$log" 2>&1; then
    echo "ok    $target: $(sed -n 's/^Done/done/p' "$log"), $(grep -o 'cov: [0-9]*' "$log" |
      tail -1)"
  else
    failed=1
    echo "FAULT $target: $log"
    grep -E 'ERROR|runtime error|check failed|SUMMARY|Test unit written' "$log" | head -8
  fi
done
exit $failed
