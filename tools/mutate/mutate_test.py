#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What make mutate relies on; run by it, with the same packages."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

import equivalence
import mutate
import sites

MODULE = """// A module.
`default_nettype none
module sample (
    input  wire logic clk_i,
    input  wire logic a_i,
    input  wire logic b_i,
    output logic      y_o,
    output logic      z_o,
    output logic      q_o,
    output logic      set_q
);
  assign y_o = a_i & a_i;
  assign z_o = a_i & b_i;
  always_ff @(posedge clk_i) begin
    if (a_i) q_o <= b_i;
    set_q <= !a_i;
    if (a_i && b_i) set_q <= 1'b1;
  end
  // Implementation checks.
  always @(posedge clk_i) begin
    begin : NeverBoth_M
      assert (!(a_i && b_i));
    end
  end
endmodule
`default_nettype wire
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "sample.sv").write_text(MODULE)
        self.file = sites.File(self.folder / "sample.sv", "sample.sv")

    def site(self, line: str, change: str):
        row = next(n for n, text in enumerate(MODULE.splitlines(), 1) if line in text)
        found = [s for s in self.file.sites if s.line == row and s.change == change]
        self.assertEqual(len(found), 1, self.file.sites)
        return found[0]

    def line(self, line: str, change: str) -> str:
        site = self.site(line, change)
        return self.file.text({site: 1}, "on").splitlines()[site.line - 1].strip()


class Sites(Folder):
    def test_each_change_is_one_switch_in_its_place(self):
        self.assertEqual(self.line("assign z_o", "op |"),
                         "assign z_o = (on ? (a_i | b_i) : (a_i & b_i));")
        self.assertEqual(self.line("if (a_i)", "never"), "if (on ? 1'b0 : (a_i)) q_o <= b_i;")
        self.assertEqual(self.line("if (a_i)", "always"), "if (on ? 1'b1 : (a_i)) q_o <= b_i;")
        self.assertEqual(self.line("set_q <=", "plain"), "set_q <= (on ? (a_i) : (!a_i));")

    def test_checks_have_no_sites(self):
        last = MODULE[:MODULE.index(sites.CHECKS)].count("\n") + 1
        self.assertTrue(self.file.sites)
        self.assertTrue(all(site.line < last for site in self.file.sites))

    def test_without_sites_the_text_is_as_before(self):
        self.assertEqual(self.file.text({}, "on"), MODULE)


class Equivalence(Folder):
    def same(self, *asked):
        return equivalence.same(sys.executable, self.folder / "work", self.file, [], asked)

    def test_what_does_the_same_is_found_and_what_does_not_is_left(self):
        same, other = self.site("assign y_o", "op |"), self.site("if (a_i)", "never")
        self.assertEqual(self.same(same, other), {same: "the defaults"})

    def test_what_the_checks_rule_out_is_no_difference(self):
        both = self.site("if (a_i && b_i)", "never")
        either = self.site("if (a_i && b_i)", "always")
        self.assertEqual(self.same(both, either), {both: "the defaults"})


class Answers(unittest.TestCase):
    def test_the_choice_of_a_file_does_not_depend_on_the_others(self):
        rtl = mutate.Rtl()
        every = rtl.choose(10 ** 6, 1, "")
        one = next(iter(rtl.files))
        alone = rtl.choose(10 ** 6, 1, one)
        self.assertEqual([site for site in every if site.file == one], alone)
        self.assertEqual(len(set(rtl.ids.values())), len(rtl.ids))
        self.assertNotEqual(every[:100], rtl.choose(100, 2, ""))

    def test_an_answer_about_other_rtl_is_only_a_hint(self):
        rtl = mutate.Rtl()
        site = rtl.choose(1, 1, "")[0]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            mutate.Results(path, rtl).put(site, by="soak_test")
            again = mutate.Results(path, rtl)
            self.assertEqual(again.get(site)["by"], "soak_test")
            known = json.loads(path.read_text())
            known[rtl.ids[site]]["rtl"] = "another"
            path.write_text(json.dumps(known))
            other = mutate.Results(path, rtl)
            self.assertIsNone(other.get(site))
            self.assertEqual(other.hint(site), "soak_test")

    def test_the_test_that_killed_before_comes_first_then_the_best(self):
        order = mutate.Order({"slow": 10.0, "quick": 1.0, "other": 2.0})
        self.assertEqual(order.of("f", ("slow", "quick", "other"), ""), ["quick", "other", "slow"])
        self.assertEqual(order.of("f", ("slow", "quick", "other"), "slow")[0], "slow")
        for _ in range(9):
            order.learn("f", "other", True, 0.1)
        self.assertEqual(order.of("f", ("slow", "quick", "other"), "")[0], "other")

    def test_an_explanation_is_of_one_place(self):
        rtl = mutate.Rtl()
        site = rtl.choose(1, 1, "")[0]
        source = rtl.files[site.file].source
        row = {"file": site.file, "change": site.change, "reason": "because",
               "text": " ".join(source[site.start:site.end].split())}
        self.assertEqual(mutate.explained(site, source, [row]), "because")
        self.assertEqual(mutate.explained(site, source, [{**row, "line": "another"}]), "")


if __name__ == "__main__":
    unittest.main()
