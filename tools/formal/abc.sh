#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tools/formal/abc.sh -c COMMANDS: Debian's ABC as SymbiYosys calls it. Its pdr does not know the
# option -l yet, which only makes newer ones print a line.
exec berkeley-abc "$1" "$(printf '%s' "$2" | sed 's/pdr -v -l/pdr -v/')"
