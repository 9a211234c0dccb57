#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the timing diagrams of docs/integration.md from a simulation of the RTL.

Verilator runs docs/integration/waves_tb.sv; each diagram below is a scene of it, sampled at
the rising edges, as a WaveDrom source (docs/integration/NAME.json) and a drawing (NAME.svg).
With --check nothing is written; exit code 1 when a source is not what would be written.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import wavedrom
from vcdvcd import VCDVCD

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/integration"
TB = "waves_tb"


@dataclass
class Signal:
    label: str
    path: str               # below waves_tb; a bit, or a vector with high and low
    high: int = -1          # bits that are shown, of a vector
    low: int = 0
    when: str = ""          # a vector is shown only in clocks in which this bit is 1
    form: str = "d"         # of its values


AXIL = [
    Signal("s_axil aw, wvalid", "awvalid"),
    Signal("s_axil_awaddr", "awaddr", 13, 0, "awvalid", "x"),
    Signal("s_axil_wdata", "wdata", 31, 0, "awvalid", "x"),
]
GRANT = [
    Signal("grant_valid", "dut.grant_valid"),
    Signal("grant.sqid", "dut.grant", 71, 56, "dut.grant_valid"),
    Signal("grant.head", "dut.grant", 39, 24, "dut.grant_valid"),
    Signal("grant.count", "dut.grant", 7, 4, "dut.grant_valid"),
]
# Name -> title, scene, clocks, signals.
DIAGRAMS = {
    "enable": ("The host sets CC.EN", 1, 48, [
        *AXIL[:1],
        Signal("enable_valid_o", "enable_valid"),
        Signal("dev_cfg_valid_i", "dev_cfg_valid"),
        Signal("dev_cfg_done_o", "dev_cfg_done"),
        Signal("slot_give_i", "slot_give", 3, 0, "slot_given"),
        Signal("device_ready_i", "device_ready"),
        Signal("CSTS.RDY", "dut.csts_rdy")]),
    "create": ("The device side creates CQ 1 and SQ 1", 2, 16, [
        Signal("dev_cfg_valid_i", "dev_cfg_valid"),
        Signal("dev_cfg_ready_o", "dev_cfg_ready"),
        Signal("dev_cfg_i.op", "dev_cfg", 139, 137, "dev_cfg_valid"),
        Signal("dev_cfg_i.id", "dev_cfg", 136, 121, "dev_cfg_valid"),
        Signal("dev_cfg_done_o", "dev_cfg_done")]),
    "doorbell": ("A doorbell with two commands, to the stream", 3, 26, [
        *AXIL,
        Signal("db_valid (core)", "dut.db_valid"),
        *GRANT,
        Signal("m_axi_arvalid_o", "m_arvalid"),
        Signal("m_axi_arready_i", "m_arready"),
        Signal("m_axi_araddr_o", "m_araddr", 63, 0, "m_arvalid", "x"),
        Signal("m_axi_arlen_o", "m_arlen", 7, 0, "m_arvalid"),
        Signal("m_axi_rvalid_i", "m_rvalid"),
        Signal("m_axi_rlast_i", "m_rlast"),
        Signal("commit_valid (core)", "dut.commit_valid"),
        Signal("m_axis_sqe_tvalid_o", "sqe_valid"),
        Signal("tuser.sqid", "sqe_user", 50, 35, "sqe_valid"),
        Signal("tuser.sqhd", "sqe_user", 18, 3, "sqe_valid")]),
    "complete": ("A command has left: completion, and its slot back", 4, 10, [
        Signal("complete_valid_i", "complete_valid"),
        Signal("complete_ready_o", "complete_ready"),
        Signal("complete_i.sqid", "complete", 32, 17, "complete_valid"),
        Signal("slot_give_i", "slot_give", 3, 0, "slot_given")]),
    "refused": ("A doorbell beyond the ring", 5, 12, [
        *AXIL,
        Signal("db_valid (core)", "dut.db_valid"),
        Signal("db_error_valid_o", "db_error_valid"),
        Signal("db_error_info_o", "db_error_info", 7, 0, "db_error_valid", "x")]),
    "reset": ("The host clears CC.EN", 6, 30, [
        *AXIL[:1],
        Signal("disable_valid_o", "disable_valid"),
        Signal("device_ready_i", "device_ready"),
        Signal("CSTS.RDY", "dut.csts_rdy")]),
}


def simulate(folder: Path) -> VCDVCD:
    """Runs the testbench and reads its waveform."""
    files = [line for line in (ROOT / "rtl/nvmearb.f").read_text().splitlines()
             if line.startswith("rtl/")]
    make = ["verilator", "--binary", "--trace", "--timing", "-CFLAGS", "-O0", "--Mdir", str(folder),
            "--top-module", TB, *files, str(FOLDER / f"{TB}.sv")]
    done = subprocess.run(make, cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"waves: verilator: {done.stderr}")
    subprocess.run([folder / f"V{TB}", f"+vcd={folder}/waves.vcd"], check=True, timeout=60,
                   stdout=subprocess.DEVNULL)
    return VCDVCD(str(folder / "waves.vcd"))


class Waves:
    """Values of signals at rising edges: those that a flip-flop takes."""

    def __init__(self, vcd: VCDVCD):
        self.signals = {name.split("[")[0].removeprefix("TOP."): vcd[name]
                        for name in vcd.signals}
        clock = self.signals[f"{TB}.clk"]
        self.edges = [time for time, value in clock.tv if value == "1"]

    def bits(self, path: str, clock: int) -> str:
        if path == "slot_given":  # a give has no valid bit: it is one where not 0
            return "1" if "1" in self.bits("slot_give", clock) else "0"
        return self.signals[f"{TB}.{path}"][self.edges[clock] - 1]

    def start(self, scene: int) -> int:
        """The first clock of a scene."""
        at = next(time for time, value in self.signals[f"{TB}.mark"].tv
                  if value.isdigit() and int(value, 2) == scene)
        return next(clock for clock, time in enumerate(self.edges) if time > at)


def value(waves: Waves, signal: Signal, clock: int) -> str:
    """What is shown in a clock: 0, 1, x, or the formatted value of a vector, "" when not valid."""
    bits = waves.bits(signal.path, clock)
    if signal.high < 0:
        return bits if bits in "01" else "x"
    if signal.when and waves.bits(signal.when, clock) != "1":
        return ""
    width = max(len(bits), signal.high + 1)
    bits = bits.rjust(width, "0" if bits[0] in "01" else "x")
    cut = bits[width - 1 - signal.high:width - signal.low]
    return format(int(cut, 2), signal.form) if set(cut) <= {"0", "1"} else "x"


def lane(waves: Waves, signal: Signal, clocks: range) -> dict:
    """One line of the diagram."""
    wave, data, before = "", [], None
    for clock in clocks:
        now = value(waves, signal, clock)
        if now == before:
            wave += "."
        elif signal.high < 0:
            wave += now
        elif now == "":
            wave += "x"
        else:
            wave += "="
            data.append(now)
        before = now
    return {"name": signal.label, "wave": wave} | ({"data": data} if data else {})


def source(waves: Waves, name: str) -> dict:
    """The WaveDrom source of a diagram."""
    title, scene, count, signals = DIAGRAMS[name]
    first = waves.start(scene)
    clocks = range(first, first + count)
    lanes = [{"name": "clk", "wave": "p" + "." * (count - 1)}]
    lanes += [lane(waves, signal, clocks) for signal in signals]
    return {"head": {"text": title, "tick": 0}, "signal": lanes}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        waves = Waves(simulate(Path(folder)))
    stale = 0
    for name in DIAGRAMS:
        text = json.dumps(source(waves, name), indent=1) + "\n"
        path = FOLDER / f"{name}.json"
        if not args.check:
            path.write_text(text)
            wavedrom.render(text).saveas(str(FOLDER / f"{name}.svg"))
        elif not path.exists() or path.read_text() != text:
            print(f"docs/integration/{name}.json: the RTL behaves otherwise; run `make waves`")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
