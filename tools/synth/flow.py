# SPDX-License-Identifier: Apache-2.0
"""One point of the matrix: a module with its parameters on a device, from RTL to clock frequency.

 1. map_module: Yosys maps the module alone; its cells are the area that is reported.
 2. wrap: the netlist goes between flip-flops (wrapper.py).
 3. place: nextpnr places and routes that, once per seed.
Each stage keeps its result under the hash of all that went into it, so an unchanged stage costs
nothing the next time.
"""
import hashlib
import json
import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path

import toolchain
import wrapper

TARGET_MHZ = "300"  # asked of the router: more than any point reaches


@dataclass(frozen=True)
class Device:
    title: str
    synth: str           # Yosys command
    place: tuple         # nextpnr program and its device arguments
    lut: dict            # cell type -> LUTs that it takes
    lutram: str          # cell type of a LUT-RAM, or ""
    ff: str              # prefix of the flip-flop cells
    bram: tuple          # cell types of block RAMs
    resources: dict      # nextpnr's name of a resource -> ours


DEVICES = {
    "hx8k": Device(
        title="iCE40 HX8K", synth="synth_ice40",
        place=("nextpnr-ice40", "--hx8k", "--package", "ct256"),
        lut={"SB_LUT4": 1}, lutram="", ff="SB_DFF", bram=("SB_RAM40_4K",),
        resources={"ICESTORM_LC": "logic cells", "ICESTORM_RAM": "block RAMs"}),
    # A CCU2C is two LUTs of a slice; a DPR16X4 takes four, and two for its write port.
    "ecp5": Device(
        title="ECP5-25F speed 6", synth="synth_ecp5",
        place=("nextpnr-ecp5", "--25k", "--package", "CABGA381", "--speed", "6",
               "--lpf-allow-unconstrained"),
        lut={"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}, lutram="TRELLIS_DPR16X4",
        ff="TRELLIS_FF", bram=("DP16KD", "PDPW16KD"),
        resources={"TRELLIS_COMB": "LUTs", "TRELLIS_FF": "flip-flops", "DP16KD": "block RAMs"}),
}


@dataclass
class Point:
    top: str             # name in the report
    module: str
    n: int
    device: str
    files: list          # source files relative to the root
    params: dict
    seeds: list


def clock_ports(source: str) -> list[str]:
    """Ports of a module for its clock: one, or one copy for each part."""
    return re.findall(r"^ *input +wire logic +(clk(?:_\w+)?_i)\b", source, re.M)


def one_clock(module: str, ports: list[str]) -> list[str]:
    """Yosys commands that make the copies of the clock the same net, as they are without clock
    gating. As nets of their own no memory would map to block RAM."""
    if len(ports) < 2:
        return []
    return [f"cd {module}",
            *(command for name in ports[1:]
              for command in (f"delete -port w:{name}", f"connect -set {name} {ports[0]}",
                              f"rename {name} of_{name}")), "cd"]


def copies_as_ports(module: str, ports: list[str]) -> list[str]:
    """Gives the netlist the ports back that one_clock took, without a use."""
    if len(ports) < 2:
        return []
    return [f"cd {module}", *(f"add -input {name} 1" for name in ports[1:]), "cd"]


@dataclass
class Flow:
    root: Path           # source tree
    cache: Path          # one folder per hash
    versions: dict = field(default_factory=toolchain.versions)

    def _folder(self, *inputs: str) -> Path:
        digest = hashlib.sha256("\0".join((*inputs, str(self.versions))).encode()).hexdigest()
        folder = self.cache / digest[:24]
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def map_module(self, point: Point) -> Path:
        """Folder with the module's netlist.il, netlist.json and stat.json."""
        parameters = " ".join(f"-G{name}={value}" for name, value in point.params.items())
        files = " ".join(f"/src/{name}" for name in point.files)
        clocks = clock_ports(next(self.root / name for name in point.files
                                  if Path(name).stem == point.module).read_text())
        script = "\n".join([
            f"read_slang -j 1 --ignore-assertions --top {point.module} {parameters} {files}",
            *one_clock(point.module, clocks),
            f"{DEVICES[point.device].synth} -top {point.module}",
            *copies_as_ports(point.module, clocks),
            "check -assert",
            "tee -o /out/stat.json stat -json",
            f"select {point.module}", "write_rtlil -selected /out/netlist.il", "select -clear",
            "write_json /out/netlist.json"])
        texts = [(self.root / name).read_text() for name in point.files]
        folder = self._folder(script, *texts)
        if not (folder / "netlist.json").exists():
            (folder / "map.ys").write_text(script + "\n")
            log = toolchain.run("yosys", ["-s", "/out/map.ys"], self.root, folder)
            (folder / "map.log").write_text(log)
        return folder

    def wrap(self, point: Point, mapped: Path) -> Path:
        """Folder with the wrapped netlist, wrapped.json."""
        ports = json.loads((mapped / "netlist.json").read_text())["modules"][point.module]["ports"]
        text = wrapper.verilog(point.module, ports)
        script = "\n".join([
            "read_verilog /out/wrapper.v",
            f"{DEVICES[point.device].synth} -top {wrapper.NAME}",
            f"delete ={point.module}", "read_rtlil /out/netlist.il", "flatten", "clean",
            "check -assert", "write_json /out/wrapped.json"])
        netlist = (mapped / "netlist.il").read_text()
        folder = self._folder(script, text, netlist)
        if not (folder / "wrapped.json").exists():
            (folder / "wrapper.v").write_text(text)
            (folder / "netlist.il").write_text(netlist)
            (folder / "wrap.ys").write_text(script + "\n")
            toolchain.run("yosys", ["-q", "-s", "/out/wrap.ys"], self.root, folder)
        return folder

    def place(self, point: Point, wrapped: Path, seed: int) -> dict:
        """nextpnr's result of a seed: {"mhz", "path"}, or {"too_big"} where it does not fit."""
        device = DEVICES[point.device]
        tool, *arguments = device.place
        arguments += ["--json", "/out/wrapped.json", "--report", f"/out/report_{seed}.json",
                      "--freq", TARGET_MHZ, "--timing-allow-fail", "--seed", str(seed)]
        kept = wrapped / f"placed_{hashlib.sha256(' '.join(arguments).encode()).hexdigest()[:12]}"
        if not kept.exists():
            try:
                log = toolchain.run(tool, arguments, self.root, wrapped)
            except toolchain.ToolError as error:
                too_big = over_full(error.log, device)
                if not too_big:
                    raise
                kept.write_text(json.dumps({"too_big": too_big}))
            else:
                (wrapped / f"place_{seed}.log").write_text(log)
                report = json.loads((wrapped / f"report_{seed}.json").read_text())
                kept.write_text(json.dumps(timing(report)))
        return json.loads(kept.read_text())

    def run(self, point: Point) -> dict:
        """The row of the report. A point that does not fit has mhz None and a reason."""
        mapped = self.map_module(point)
        cells = json.loads((mapped / "stat.json").read_text())["design"]["num_cells_by_type"]
        row = {"top": point.top, "n": point.n, "device": point.device,
               **area(cells, DEVICES[point.device]), "mhz": None, "module": point.module,
               "params": point.params, "seeds": {}}
        wrapped = self.wrap(point, mapped)
        results = {}
        for seed in point.seeds:
            results[seed] = self.place(point, wrapped, seed)
            if "too_big" in results[seed]:
                return {**row, "reason": "does not fit: " + results[seed]["too_big"]}
        row["seeds"] = {str(seed): result["mhz"] for seed, result in results.items()}
        row["mhz"] = statistics.median(row["seeds"].values())
        middle = min(results.values(), key=lambda result: abs(result["mhz"] - row["mhz"]))
        return {**row, "critical_path": middle["path"], "endpoint": middle["to"]}


def area(cells: dict, device: Device) -> dict:
    """LUTs, flip-flops and memories of a mapped module."""
    return {
        "lut": sum(cells.get(name, 0) * each for name, each in device.lut.items()),
        "ff": sum(count for name, count in cells.items() if name.startswith(device.ff)),
        "bram": sum(cells.get(name, 0) for name in device.bram),
        "lutram": cells.get(device.lutram, 0)}


def over_full(log: str, device: Device) -> str:
    """What the module in its wrapper needs too much of, from nextpnr's table; "" if nothing."""
    found = re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*(\d+)", log)
    return ", ".join(f"{used} of {there} {device.resources[name]}" for name, used, there in found
                     if name in device.resources and int(used) > int(there))


def timing(report: dict) -> dict:
    """Clock frequency and the slowest path between flip-flops, as nets with delays in ns."""
    (achieved,) = [clock["achieved"] for clock in report["fmax"].values()]
    (slowest,) = [path["path"] for path in report["critical_paths"]
                  if "<async>" not in (path["from"], path["to"])]
    steps, logic = [], 0.0
    for hop in slowest:
        if hop["type"] == "routing":
            source = next((place for place in hop.get("sources", []) if "/rtl/" in "/" + place), "")
            steps.append({"net": net_name(hop["net"]), "logic_ns": round(logic, 2),
                          "route_ns": round(hop["delay"], 2),
                          "source": re.sub(r"^/?src/", "", source)})
            logic = 0.0
        else:
            logic += hop["delay"]
    return {"mhz": round(achieved, 2), "path": steps, "to": net_name(slowest[-1]["to"]["cell"])}


def net_name(name: str) -> str:
    """The part of a name that comes from the RTL: Yosys names a net after the cells behind it."""
    return re.split(r"_(?:SB|TRELLIS|LUT4|CCU2C|PFUMX|L6MUX|DP16KD|PDPW16KD)[_\d]|_(?:LUT4|PFUMX)",
                    name.removeprefix("dut."))[0]

