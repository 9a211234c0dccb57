#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lints the RTL with every tool at hand: Verilator -Wall (no suppressions), Icarus Verilog, and
# slang (Python package pyslang, skipped with a note where it is not installed), at a small, an odd
# and a large size. Verilator runs without --assert: assertions that look at the reset would make it
# call the reset both synchronous and asynchronous. They are compiled in every build, and Icarus and
# slang see them. Exit code 1 when a tool has something to say.
#
# Two messages of Icarus 11 are no findings and are left out:
#  "constant selects in always_* processes ...": it watches a whole vector instead of a bit, which
#  is harmless; "System task ($error) cannot be synthesized": it names the assertions.
set -u
cd "$(dirname "$0")/.." || exit 1
files=$(cat rtl/nvmearb_core.f rtl/nvmearb_bus.f | sed -n '/^rtl\//p')
status=0

run() {  # run NAME COMMAND...
  name=$1
  shift
  out=$("$@" 2>&1)
  code=$?
  # shellcheck disable=SC2016  # the messages say it so
  out=$(printf '%s\n' "$out" | grep -v \
    -e 'sorry: constant selects in always_\* processes are not currently supported' \
    -e 'System task (\$error) cannot be synthesized in an always_ff process')
  if [ $code -ne 0 ] || [ -n "$out" ]; then
    printf '%s\n' "$out"
    printf 'lint: %s: not clean\n' "$name"
    status=1
  else
    printf 'lint: %s: clean\n' "$name"
  fi
}

for top in nvmearb_core nvmearb_top; do
  for sqs in 2 7 129 1024; do
    # shellcheck disable=SC2086
    run "verilator $top NumSqs=$sqs" verilator --lint-only -Wall --no-timing \
      --top-module $top -GNumSqs=$sqs $files
  done
done
for widths in '64 1' '128 15' '256 2'; do
  # shellcheck disable=SC2086  # two words on purpose
  set -- $widths
  # shellcheck disable=SC2086
  run "verilator nvmearb_top DataW=$1 Dstrd=$2" verilator --lint-only -Wall --no-timing \
    --top-module nvmearb_top -GNumSqs=7 -GDataW="$1" -GDstrd="$2" $files
done

if command -v iverilog > /dev/null; then
  for sqs in 2 129; do
    # shellcheck disable=SC2086
    run "icarus NumSqs=$sqs" iverilog -g2012 -Wall -tnull -s nvmearb_top \
      -Pnvmearb_top.NumSqs=$sqs $files
  done
else
  echo 'lint: icarus: not installed, skipped'
fi

if python3 -c 'import pyslang' 2> /dev/null; then
  # shellcheck disable=SC2086
  run slang python3 tools/slang_check.py --top nvmearb_top $files
else
  echo 'lint: slang: python package pyslang is not installed, skipped'
fi
exit $status
