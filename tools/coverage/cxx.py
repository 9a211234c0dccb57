# SPDX-License-Identifier: Apache-2.0
"""Line and branch coverage of the C++ of models/ and host_driver/, by gcovr; and the reports that
gcovr writes of C++ and RTL together."""
import json
import subprocess
import sys
from pathlib import Path

# Tests and what only they use are no part of what is measured.
NOT_MEASURED = (r".*_test\.cc", r".*/testing/.*", r".*_testing\.h", r".*/naive_arbiter\.(h|cc)")


def gcovr(root: Path, *arguments):
    command = [sys.executable, "-m", "gcovr", "--root", str(root), *map(str, arguments)]
    done = subprocess.run(command, cwd=root, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"coverage: gcovr: {done.stderr.strip()[-2000:]}")


def measure(root: Path, build: Path, output: Path, jobs: int) -> dict:
    """gcovr's JSON of what the tests of `build` ran."""
    filters = [f"--filter={root}/{folder}/" for folder in ("models", "host_driver")]
    filters += [f"--exclude={pattern}" for pattern in NOT_MEASURED]
    gcovr(root, *filters, "-j", jobs, "--exclude-throw-branches", "--merge-mode-functions=separate",
          "--json", output, "--object-directory", build, build)
    return json.loads(output.read_text())


def pages(root: Path, output: Path, tracefiles: list[Path]):
    """lcov, Cobertura, and HTML pages with the sources."""
    (output / "source").mkdir(exist_ok=True)
    gcovr(root, *(f"--json-add-tracefile={file}" for file in tracefiles),
          "--merge-mode-functions=separate",
          "--lcov", output / "coverage.info", "--cobertura", output / "cobertura.xml",
          "--html-nested", output / "source/index.html", "--html-title", "nvmearb",
          "--html-theme=github.blue")


def totals(data: dict) -> list[tuple]:
    """(file, line, count, branches hit, branches) of each line."""
    found = []
    for file in data["files"]:
        for line in file["lines"]:
            if line.get("gcovr/noncode") or line.get("gcovr/excluded"):
                continue
            branches = [b for b in line["branches"] if not b.get("gcovr/excluded")]
            found.append((file["file"], line["line_number"], line["count"],
                          sum(b["count"] > 0 for b in branches), len(branches)))
    return found
