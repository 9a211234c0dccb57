#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/lint_templates.sh: the templates of docs/integration.md compile with the RTL as it is
# (Verilator -Wall). Prints what is wrong; exit code 1 when something is.
set -u
cd "$(dirname "$0")/.." || exit 1
files=$(sed -n '/^rtl\//p' rtl/nvmearb.f)
status=0
for template in docs/integration/example_*.sv; do
  # shellcheck disable=SC2086  # a list of files
  verilator --lint-only -Wall --assert --no-timing --top-module "$(basename "$template" .sv)" \
    $files "$template" || status=1
done
exit $status
