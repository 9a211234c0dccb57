#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""process_counters.py FOLDER: coverage counters of a Verilated model become the process's own.

Verilator keeps them in each instance of a model and registers them with its context, to be written
by whoever owns both before either goes. Tests here make and drop thousands of models. With this
change to the generated sources a model class has one set of counters, which is registered once and
written when the process ends (tb/coverage/process_counters.cc). Where a source does not look as
that of Verilator 5.006 this ends with an error: otherwise nothing would be counted.
"""
import pathlib
import re
import sys

ARRAY = re.compile(r"std::atomic<uint32_t> (__Vcoverage\[\d+\];)")
COUNT = re.compile(r"(\w+->__Vcoverage\[\d+\])\.fetch_add\(1, std::memory_order_relaxed\)")
INSERT = re.compile(
    r"^(?:VL_ATTR_COLD )?void \w+::__vlCoverInsert\(std::atomic<uint32_t>\* countp, bool enable.*?"
    r"^\}\n", re.M | re.S)
REGISTER = """\
extern "C" void NvmearbRegisterCounter(uint32_t*, const char*, int, int, const char*, const char*,
                                       const char*);
void {model}::__vlCoverInsert(uint32_t* countp, bool enable, const char* filenamep, int lineno,
    int column, const char* hierp, const char* pagep, const char* commentp,
    const char* linescovp) {{
    if (enable) {{
        NvmearbRegisterCounter(countp, filenamep, lineno, column, pagep, commentp, linescovp);
    }}
}}
"""


def rewrite(name: str, text: str) -> tuple[str, int]:
    """The changed source, and how many counter arrays and registrations were found."""
    found = 0
    if name.endswith("__Syms.h"):
        text, found = ARRAY.subn(r"inline static uint32_t \1", text)
    text = COUNT.sub(r"++\1", text)

    def register(match):
        return REGISTER.format(model=re.search(r"void (\w+)::", match[0])[1])
    text, registrations = INSERT.subn(register, text)
    text = text.replace("__vlCoverInsert(std::atomic<uint32_t>* countp",
                        "__vlCoverInsert(uint32_t* countp")
    return text, found + registrations


def main(folder: str) -> int:
    found = 0
    for path in sorted(pathlib.Path(folder).glob("*.[ch]*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        old = path.read_text()
        text, count = rewrite(path.name, old)
        found += count
        if "__Vcoverage" in text and "fetch_add" in text:
            print(f"{path}: a counter that does not look as those of Verilator 5.006")
            return 1
        if text != old:
            path.write_text(text)
    if found < 2:
        print(f"{folder}: no coverage counters as those of Verilator 5.006")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
