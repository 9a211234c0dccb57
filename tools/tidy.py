#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/tidy.py BUILD [FILE...]: clang-tidy over the C++ of the models, the host, the scoreboard
and the program (not their tests, which the compiler's warnings and the sanitizers watch), or over
FILEs.

A file that was clean is not checked again until it, a header of ours that it includes, or
.clang-tidy changes: BUILD/tidy.json. BUILD has been configured. Exit code 1 with the findings.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("models", "host_driver", "tb/scoreboard", "tb/sim")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def sources() -> list[str]:
    listed = subprocess.run(["git", "ls-files", *(f"{folder}/*.cc" for folder in FOLDERS)],
                            cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split() if "test" not in name]


class Fingerprints:
    """Of a file with the headers of ours that it includes, directly or not."""

    def __init__(self, build: Path):
        # Every layer is one symbolic link (cmake/NvmearbLayer.cmake).
        self.layers = {link.name: link.resolve() for link in build.glob("include/*/*")}
        self.memo = {}
        self.config = (ROOT / ".clang-tidy").read_text()

    def includes(self, path: Path) -> set[Path]:
        if path not in self.memo:
            found = set()
            for name in INCLUDE.findall(path.read_text(errors="replace")):
                layer, _, rest = name.partition("/")
                header = self.layers.get(layer, Path("/nonexistent")) / rest
                if header.is_file():
                    found.add(header)
            self.memo[path] = found
        return self.memo[path]

    def of(self, source: Path) -> str:
        closure, todo = {source}, [source]
        while todo:
            for header in self.includes(todo.pop()) - closure:
                closure.add(header)
                todo.append(header)
        text = self.config + "".join(path.read_text(errors="replace") for path in sorted(closure))
        return hashlib.sha256(text.encode()).hexdigest()


def check(build: Path, name: str) -> str:
    done = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), name], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    return done.stdout if "warning:" in done.stdout or "error:" in done.stdout else (
        "" if done.returncode == 0 else done.stdout + done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    build = args.build.resolve()
    if not (build / "compile_commands.json").exists():
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja"], check=True,
                       stdout=subprocess.DEVNULL)
    memory = build / "tidy.json"
    clean = json.loads(memory.read_text()) if memory.exists() else {}
    fingerprints = Fingerprints(build)
    wanted = {name: fingerprints.of(ROOT / name) for name in args.files or sources()}
    todo = [name for name, mark in wanted.items() if clean.get(name) != mark]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, output in zip(todo, pool.map(lambda name: check(build, name), todo),
                                strict=True):
            if output:
                failed = True
                print(output)
            else:
                clean[name] = wanted[name]
    memory.write_text(json.dumps(clean, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
