# SPDX-License-Identifier: Apache-2.0
"""The proofs of tb/formal/proofs.toml as single runs of SymbiYosys."""
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

# Property set -> SymbiYosys mode, and the result that is good.
KINDS = {"contract": ("prove", "PASS"), "bounded": ("bmc", "PASS"), "covers": ("cover", "PASS"),
         "reached": ("bmc", "FAIL"), "deliberately false": ("bmc", "FAIL")}
ENGINES = {"k-induction": "smtbmc --unroll z3", "pdr": "abc pdr", "bmc": "abc bmc3",
           "bmc z3": "smtbmc --unroll z3", "cover": "smtbmc --unroll z3"}
KEYS = {"module", "top", "files", "checks", "boot", "params", "contract", "bounded", "covers",
        "reached", "false"}


class DataError(Exception):
    """proofs.toml says something that it cannot mean."""


@dataclass(frozen=True)
class Job:
    module: str
    top: str
    files: tuple          # relative to the root, in reading order
    checks: dict          # flavor -> number of check cells of the wrapper
    params: dict
    kind: str             # key of KINDS
    method: str           # key of ENGINES
    depth: int
    quick: bool
    boot: int             # clocks that are simulated before the proof begins

    @property
    def name(self) -> str:
        values = "_".join(f"{key}{value}" for key, value in self.params.items())
        return "_".join(x for x in (self.top, self.kind.replace(" ", "_"), self.method.replace(
            " ", "_"), values) if x)

    @property
    def module_file(self) -> str:
        return next(file for file in self.files if Path(file).stem == self.module)

    @property
    def expected(self) -> str:
        return KINDS[self.kind][1]

    def sby(self, root: Path, assumed: list[str]) -> str:
        """The SymbiYosys file; assumed: checks of the design that are its assumptions."""
        values = " ".join(f"-G{key}={value}" for key, value in self.params.items())
        names = " ".join(Path(file).name for file in self.files)
        engine = ENGINES[self.method]
        if self.boot:
            # From the state after the set-up on, in which all that stands still is constant.
            engine = engine.replace("abc ", f"abc cycle -F {self.boot}; scorr; dc2; dc2; ")
        lines = ["[options]", f"mode {KINDS[self.kind][0]}", f"depth {self.depth}",
                 *(["aigsmt none"] if engine.startswith("abc") else []),
                 "[engines]", engine, "[script]",
                 f"read_slang -j 1 --top {self.top} {values} {names}"]
        lines += [f"chformal -assert2assume {cells}" for cells in assumed]
        lines += ["write_rtlil ../model/read.il"]
        if self.kind == "covers":
            # Those of the design are for simulation (make coverage), and may need longer.
            lines += [f"chformal -cover -remove a:src={Path(file).name}:*" for file in self.files
                      if file.startswith("rtl/")]
        if self.expected == "FAIL":
            # The others are proved elsewhere; this one has to fail.
            lines += ["select -set others t:$check c:*False_A %d",
                      "chformal -assert -remove @others"]
        lines += [f"prep -top {self.top}", "memory_map", "opt -fast"]
        if self.boot:
            # The clock must not be an input with an assumption: ABC's cycle knows none.
            lines += ["async2sync", "formalff -clk2ff -ff2anyinit",
                      "setattr -unset replaced_by_gclk w:clk_i"]
        lines += ["[files]"]
        lines += [str(root / file) for file in self.files]
        return "\n".join(lines) + "\n"


def labels(path: Path) -> dict[str, int]:
    """Labelled checks of a source file, and the line in which each begins."""
    found, label = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        begin = re.search(r"begin : (\w+_[AM])\b", line)
        label = begin[1] if begin else label
        if label and re.search(r"\b(assert|assume) ?\(", line):
            found[label], label = number, None
    return found


def expand(root: Path, files: list[str]) -> list[str]:
    """File lists replaced by the files that they name."""
    out = []
    for file in files:
        if file.endswith(".f"):
            out += [line for line in (root / file).read_text().split() if line.endswith(".sv")]
        else:
            out.append(file)
    return out


def load(root: Path) -> list[Job]:
    path = root / "tb/formal/proofs.toml"
    data = tomllib.loads(path.read_text())
    jobs = []
    for proof in data["proof"]:
        unknown = proof.keys() - KEYS
        if unknown:
            raise DataError(f"{path.name}: {proof.get('module')}: unknown keys {sorted(unknown)}, "
                            f"allowed are {sorted(KEYS)}")
        files = (*expand(root, proof["files"]), f"tb/formal/{proof['top']}.sv")

        def add(kind, params, method, depth, quick, checks=None, proof=proof, files=files):
            checks = dict(checks or proof["checks"])
            if KINDS[kind][1] == "FAIL":
                checks["assert"] += 1
            jobs.append(Job(proof["module"], proof["top"], files, checks, params, kind, method,
                            depth, quick, proof.get("boot", 0)))

        for kind in ("contract", "bounded"):
            for run in proof.get(kind, []):
                for index, params in enumerate(run.get("params", proof["params"])):
                    add(kind, params, run["method"], run["depth"], run.get("quick") == index,
                        run.get("checks"))
        if "covers" in proof:
            run = proof["covers"]
            params = run.get("params", proof["params"][-1])
            add("covers", params, run.get("method", "cover"), run["depth"], False)
        for run in proof.get("reached", []):
            for number in run["states"]:
                add("reached", {**run["params"], "Reach": number}, "bmc", run["depth"], False)
        if "false" not in proof:
            raise DataError(f"{path.name}: {proof['module']} has no false property")
        run = proof["false"]
        params = run.get("params", proof["params"][-1])
        add("deliberately false", {**params, "Lie": "1'b1"}, run.get("method", "bmc z3"),
            run["depth"], run.get("quick", False))
    return jobs
