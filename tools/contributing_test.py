#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/contributing_test.py BUILD: carries out the worked examples of CONTRIBUTING.md.

The code blocks whose first line is the name of a file become that file in a copy of the tree; the
diffs are applied to it (no line numbers: their context has to occur exactly once). What an example
adds is compiled and linked with the libraries of BUILD, and has to do what the page says."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(sys.argv.pop(1)).resolve()
FOLDERS = ("host_driver", "models", "rtl", "tb", "tools", "sim_configs", "docs")
FLAGS = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


def run(*command, expect=0, **options) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **options)
    if done.returncode != expect:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {done.returncode}\n"
                             f"{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def blocks(section: str) -> list[tuple[str, str]]:
    return re.findall(r"^```([a-z]+)\n(.*?)^```$", section, re.M | re.S)


def apply_diff(diff: str, tree: Path):
    """Hunks after "+++ b/FILE"; each begins with "@@"."""
    for name, hunks in re.findall(r"^--- a/.*\n\+\+\+ b/(.*)\n((?:(?!--- a/).*\n)*)", diff, re.M):
        path = tree / name
        lines = path.read_text().split("\n")
        for hunk in re.split(r"^@@\n", hunks, flags=re.M)[1:]:
            body = hunk.rstrip("\n").split("\n")
            old = [line[1:] for line in body if line[:1] in (" ", "-")]
            new = [line[1:] for line in body if line[:1] in (" ", "+")]
            places = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
            if len(places) != 1:
                raise AssertionError(f"CONTRIBUTING.md: a hunk of {name} fits in {len(places)} "
                                     "places:\n" + hunk)
            lines[places[0]:places[0] + len(old)] = new
        path.write_text("\n".join(lines))


class Example:
    """One section, carried out in a copy of the tree."""

    def __init__(self, title: str, folder: Path):
        self.tree = folder / "tree"
        self.tree.mkdir()
        for name in FOLDERS:
            shutil.copytree(ROOT / name, self.tree / name)
        for path in ("CMakeLists.txt", "nvmearb.core", "Bender.yml"):
            shutil.copy(ROOT / path, self.tree)
        for language, code in blocks(sections((ROOT / "CONTRIBUTING.md").read_text())[title]):
            name = re.match(r"(?://|#) (\S+)\n", code)
            if language == "diff":
                apply_diff(code, self.tree)
            elif name:
                (self.tree / name.group(1)).write_text(code.split("\n", 1)[1])
        # The layers' include paths, over the copy.
        self.include = []
        for link in (BUILD / "include").glob("*/*"):
            layer = folder / "include" / link.name
            layer.mkdir(parents=True)
            inside = link.resolve().relative_to(ROOT)
            (layer / link.name).symlink_to(self.tree / inside)
            self.include.append(f"-I{layer}")

    def compile(self, source: str, *flags) -> Path:
        target = self.tree / (source + ".o")
        run("c++", *FLAGS, *self.include, "-DFMT_SHARED", "-DSC_INCLUDE_DYNAMIC_PROCESSES", *flags,
            "-c", self.tree / source, "-o", target)
        return target


def link_like(target: str, change, output: Path):
    """The build's own command that links `target`, with its words changed."""
    command = run("ninja", "-C", BUILD, "-t", "commands", target).splitlines()
    line = next(line for line in reversed(command) if f"-o bin/{target} " in line)
    words = change(line.split(" -o ")[0].replace(": && ", "").split())
    rest = line.split(f"-o bin/{target} ")[1].replace(" && :", "").split()
    run(*words, "-o", output, *rest, cwd=BUILD)


class Contributing(unittest.TestCase):
    def example(self, title: str) -> Example:
        return Example(title, Path(self.enterContext(tempfile.TemporaryDirectory())))

    def test_a_scheduler(self):
        example = self.example("A scheduler")
        elevator = example.compile("host_driver/block/elevator.cc")
        test = example.compile("host_driver/block/sched/lifo_test.cc")
        program = example.tree / "lifo_test"
        run("c++", test, elevator, BUILD / "host_driver/libnvmearb_host_driver.a", "-lgtest",
            "-lgtest_main", "-lfmt", "-lpthread", "-o", program)
        self.assertIn("[  PASSED  ] 1 test", run(program))
        # An object before the library of the same name takes its place.
        nvmearb = example.tree / "nvmearb"
        link_like("nvmearb", lambda words: [*words, str(elevator)], nvmearb)
        command = [nvmearb, "run", "wrr_v3_randread", "--scenarios", example.tree / "sim_configs",
                   "--variant", "rr", "--engine", "model", "--runtime", "30ms", "--set",
                   "host.scheduler=lifo"]
        self.assertRegex(run(*command), r"judged: [\d,]+ grants, 0 findings")
        self.assertIn("lifo", run(nvmearb, "list", "--keys"))

    def test_a_scenario(self):
        example = self.example("A scenario")
        program = BUILD / "bin/nvmearb"
        folder = ["--scenarios", example.tree / "sim_configs"]
        self.assertRegex(run(program, "list", *folder), r"(?m)^example ")
        self.assertIn("2 within tolerance, 0 outside",
                      run(program, "run", "example", *folder, "--engine", "model"))

    def test_a_module(self):
        example = self.example("A module")
        run(sys.executable, example.tree / "tools/packaging.py", "--root", example.tree)
        self.assertIn("nvmearb_lowest_one.sv", (example.tree / "nvmearb.core").read_text())
        source = example.tree / "rtl/leaf/nvmearb_lowest_one.sv"
        flags = []
        for width in (1, 5):
            name = f"Vnvmearb_unit_lowest_one_{width}"
            run("verilator", "--lint-only", "-Wall", "--assert", f"-GWidth={width}", source)
            run("verilator", "--cc", "--assert", "--build", "-CFLAGS", "-O0", "--prefix", name,
                f"-GWidth={width}", "--Mdir", example.tree / name, source)
            flags += [f"-isystem{example.tree / name}", str(example.tree / name / f"{name}__ALL.a")]
        root = run("verilator", "--getenv", "VERILATOR_ROOT").strip()
        program = example.tree / "lowest_one_test"
        run("c++", *FLAGS, f"-isystem{root}/include", *flags[0::2],
            example.tree / "tb/unit/lowest_one_test.cc", *flags[1::2],
            BUILD / "tb/harness/libnvmearb_verilated_runtime.a", "-lgtest", "-lgtest_main",
            "-lpthread", "-o", program)
        self.assertIn("[  PASSED  ] 2 tests", run(program))

    def test_a_check(self):
        example = self.example("A check")
        checks = example.compile("tb/conformance/registers_checks.cc")
        for target in ("conformance_test", "conformance_can_fail_test"):
            program = example.tree / target
            link_like(target, lambda words: [
                str(checks) if word.endswith("/registers_checks.cc.o") else word
                for word in words], program)
            output = run(program, "--gtest_filter=*.REG_14_*")
            self.assertIn("[  PASSED  ] 1 test", output)
        # The page says no more than what the tree has: it takes in the new line.
        self.assertIn("REG-14", (example.tree / "tb/conformance/checks.csv").read_text())

    def test_a_hunk_that_does_not_fit_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.txt").write_text("one\ntwo\n")
            apply_diff("--- a/a.txt\n+++ b/a.txt\n@@\n one\n+new\n", Path(folder))
            self.assertEqual((Path(folder) / "a.txt").read_text(), "one\nnew\ntwo\n")
            with self.assertRaisesRegex(AssertionError, "fits in 0 places"):
                apply_diff("--- a/a.txt\n+++ b/a.txt\n@@\n three\n+new\n", Path(folder))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q", *sys.argv[1:]])
