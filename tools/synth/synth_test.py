#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of make synth that need no synthesis: wrapper, area, fit, timing and the table."""
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import report  # noqa: E402
import synth  # noqa: E402
import wrapper  # noqa: E402
from flow import (  # noqa: E402
    DEVICES,
    area,
    clock_ports,
    copies_as_ports,
    net_name,
    one_clock,
    over_full,
    timing,
)


def port(direction: str, width: int) -> dict:
    return {"direction": direction, "bits": list(range(width))}


PORTS = {"clk_i": port("input", 1), "rst_ni": port("input", 1), "a_i": port("input", 7),
         "y_o": port("output", 21), "z_o": port("output", 1)}


class Tops(unittest.TestCase):
    def test_every_top_is_a_module_of_the_rtl(self):
        for module in synth.TOPS.values():
            self.assertIn(module, [Path(name).stem for name in synth.source_files(module)])

    def test_a_module_that_does_not_exist_is_named(self):
        with self.assertRaisesRegex(SystemExit, "--top nosuch: no such module; allowed: select"):
            synth.source_files("nosuch")

    def test_pointers_are_narrow_only_where_wide_ones_do_not_fit(self):
        self.assertEqual([synth.pointer_width(device, n) for device in ("hx8k", "ecp5")
                          for n in (256, 1024)], [16, 12, 16, 16])


class OneClock(unittest.TestCase):
    def test_every_copy_of_the_clock_becomes_the_first(self):
        for name, ports in (
                ("rtl/core/nvmearb_core.sv",
                 ["clk_i", "clk_cfg_i", "clk_event_i", "clk_grant_i"]),
                ("rtl/nvmearb_top.sv",
                 ["clk_regs_i", "clk_ctrl_i", "clk_core_i", "clk_fetch_i", "clk_event_i",
                  "clk_grant_i"])):
            self.assertEqual(clock_ports((synth.ROOT / name).read_text()), ports)
            commands = one_clock("m", ports)
            for copy in ports[1:]:
                self.assertIn(f"connect -set {copy} {ports[0]}", commands)
                self.assertIn(f"add -input {copy} 1", copies_as_ports("m", ports))

    def test_a_module_with_one_clock_stays_as_it_is(self):
        ports = clock_ports("  input  wire logic  clk_i,\n  input wire logic clocked_i")
        self.assertEqual(ports, ["clk_i"])
        self.assertEqual(one_clock("m", ports) + copies_as_ports("m", ports), [])


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.text = wrapper.verilog("dut_module", PORTS)

    def test_every_input_bit_has_a_flip_flop_of_its_own(self):
        self.assertIn("reg [7:0] in_q;", self.text)
        self.assertIn(".rst_ni(in_q[0:0])", self.text)
        self.assertIn(".a_i(in_q[7:1])", self.text)
        self.assertIn(".clk_i(clk)", self.text)

    def test_every_output_bit_reaches_the_pin(self):
        self.assertIn(".y_o(out[20:0])", self.text)
        self.assertIn(".z_o(out[21:21])", self.text)
        width, level = 22, 0
        while width > 1:
            used = set()
            for high, low in re.findall(rf"\^x{level}\[(\d+):(\d+)\]", self.text):
                self.assertLessEqual(int(high) - int(low), 3)
                used |= set(range(int(low), int(high) + 1))
            self.assertEqual(used, set(range(width)))
            width, level = (width + 3) // 4, level + 1
        self.assertIn(f"assign so = x{level}[0];", self.text)


class Flow(unittest.TestCase):
    def test_area_counts_the_cells_of_the_device(self):
        cells = {"LUT4": 10, "CCU2C": 3, "TRELLIS_DPR16X4": 2, "TRELLIS_FF": 5, "DP16KD": 4,
                 "PFUMX": 7}
        self.assertEqual(area(cells, DEVICES["ecp5"]),
                         {"lut": 28, "ff": 5, "bram": 4, "lutram": 2})
        cells = {"SB_LUT4": 10, "SB_CARRY": 3, "SB_DFF": 1, "SB_DFFESR": 2, "SB_RAM40_4K": 3}
        self.assertEqual(area(cells, DEVICES["hx8k"]), {"lut": 10, "ff": 3, "bram": 3, "lutram": 0})

    def test_what_does_not_fit_is_named(self):
        log = ("Info: \t ICESTORM_LC:    7681/   7680   100%\n"
               "Info: \tICESTORM_RAM:      33/     32   103%\nInfo: \t SB_IO: 3/ 206 1%\n")
        self.assertEqual(over_full(log, DEVICES["hx8k"]),
                         "7681 of 7680 logic cells, 33 of 32 block RAMs")

    def test_an_error_of_a_design_that_fits_is_no_lack_of_room(self):
        log = "Info: \t ICESTORM_LC: 7680/ 7680 100%\nERROR: failed to route\n"
        self.assertEqual(over_full(log, DEVICES["hx8k"]), "")

    def test_the_path_between_flip_flops_is_taken(self):
        def hop(kind, delay, **more):
            return {"type": kind, "delay": delay, "to": {"cell": "dut.u_a.b_SB_DFF_Q"}, **more}
        slow = [hop("clk-to-q", 0.5),
                hop("routing", 1.0, net="dut.u_a.x_SB_LUT4_O_I3", sources=["src/rtl/a.sv:1.1-1.2"]),
                hop("logic", 0.3), hop("routing", 2.0, net="dut.u_a.y[3]"), hop("setup", 0.1)]
        pads = [hop("routing", 99.0, net="so")]
        got = timing({"fmax": {"clk": {"achieved": 123.456}}, "critical_paths": [
            {"from": "posedge clk", "to": "posedge clk", "path": slow},
            {"from": "posedge clk", "to": "<async>", "path": pads}]})
        self.assertEqual(got["mhz"], 123.46)
        self.assertEqual(got["path"], [
            {"net": "u_a.x", "logic_ns": 0.5, "route_ns": 1.0, "source": "rtl/a.sv:1.1-1.2"},
            {"net": "u_a.y[3]", "logic_ns": 0.3, "route_ns": 2.0, "source": ""}])
        self.assertEqual(got["to"], "u_a.b")

    def test_names_lose_what_the_mapper_appended(self):
        self.assertEqual(net_name("dut.u_x.credit_SB_DFFESR_Q_8_D_SB_LUT4_O"), "u_x.credit")
        self.assertEqual(net_name("dut.a_LUT4_B_Z_PFUMX_Z"), "a")


class Report(unittest.TestCase):
    ROWS = [{"top": "t", "n": 16, "device": "hx8k", "lut": 1, "ff": 2, "bram": 3, "lutram": 0,
             "mhz": 120.4, "seeds": {"1": 120.4, "2": 99.6, "3": 130.0}},
            {"top": "t", "n": 16, "device": "ecp5", "lut": 4, "ff": 5, "bram": 6, "lutram": 7,
             "mhz": None, "seeds": {}, "reason": "does not fit: 57 of 56 block RAMs"}]

    def test_a_point_that_does_not_fit_is_in_the_table(self):
        last = report.table(self.ROWS).splitlines()[-1]
        self.assertEqual(last, "| `t` | 16 | 1 / 2 / 3 | **120** (120, 100, 130) | "
                         "4 / 5 / 6 + 7 LUT-RAM | does not fit: 57 of 56 block RAMs |")

    def test_critical_paths_are_named(self):
        row = {"top": "t", "n": 64, "device": "hx8k", "endpoint": "u_b.q", "critical_path": [
            {"net": "u_a.x", "logic_ns": 0.5, "route_ns": 1.0, "source": ""},
            {"net": "u_a.y", "logic_ns": 0.3, "route_ns": 2.0, "source": ""}]}
        self.assertEqual(report.paths([row, self.ROWS[1]]).splitlines()[2:],
                         ["| `t` | 64 | hx8k | `u_a.x` | `u_b.q` | 2 | 0.8 + 3.0 |"])

    def test_only_what_stands_between_the_markers_is_rewritten(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
            report.rewrite(page, self.ROWS)
            text = page.read_text()
        self.assertTrue(text.startswith(f"before\n{report.BEGIN}\n| top | N |"))
        self.assertTrue(text.endswith(f"{report.END}\nafter\n"))
        self.assertNotIn("old", text)


if __name__ == "__main__":
    unittest.main()
