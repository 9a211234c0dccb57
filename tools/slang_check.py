#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Elaborates SystemVerilog files with slang and prints its diagnostics.

Usage: slang_check.py --top MODULE FILE...; exit code 1 when there are any.
"""
import sys

from pyslang import driver


def main() -> int:
    slang = driver.Driver()
    slang.addStandardArgs()
    if not slang.parseCommandLine(" ".join(["slang"] + sys.argv[1:])):
        return 1
    if not slang.processOptions() or not slang.parseAllSources():
        return 1
    slang.reportParseDiags()
    compilation = slang.createCompilation()
    slang.reportCompilation(compilation, True)
    return 0 if slang.reportDiagnostics(True) else 1


if __name__ == "__main__":
    sys.exit(main())
