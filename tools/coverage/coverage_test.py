#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of make coverage: each way in which coverage is missing, or not measured, is seen."""
import collections
import contextlib
import fnmatch
import io
import pathlib
import re
import tempfile
import unittest

import coverage
import cxx
import exclusions
import functional
import pages
import plan
import process_counters

import rtl

ROOT = coverage.ROOT
GENERATED = """\
void Vx___024root::__vlCoverInsert(std::atomic<uint32_t>* countp, bool enable, const char* f,
    const char* hierp, const char* pagep, const char* commentp, const char* linescovp) {
    *count32p = 0;
}
void f() {
    vlSymsp->__Vcoverage[12].fetch_add(1, std::memory_order_relaxed);
}
"""


def counter(page, comment, count, line=5, lines="", file="rtl/a.sv", column=3):
    covered = f"\x01S\x02{lines}" if lines else ""
    return (f"C '\x01f\x02/root/{file}\x01l\x02{line}\x01n\x02{column}\x01page\x02{page}"
            f"\x01o\x02{comment}{covered}' {count}\n")


def read(*files, sources=("rtl/a.sv",)):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, text in enumerate(files):
            (folder / f"rtl-{number}.dat").write_text("# SystemC::Coverage-3\n" + text)
        merged = rtl.Rtl()
        for path in sorted(folder.glob("*.dat")):
            rtl.add_file(merged, path, pathlib.Path("/root"), set(sources))
    return merged


class ProcessCounters(unittest.TestCase):
    def rewrite_folder(self, **files):
        with tempfile.TemporaryDirectory() as name:
            for file, text in files.items():
                (pathlib.Path(name) / file.replace("_dot_", ".")).write_text(text)
            with contextlib.redirect_stdout(io.StringIO()):
                return process_counters.main(name)

    def test_counters_become_those_of_the_class(self):
        text, found = process_counters.rewrite(
            "Vx__Syms.h", "    std::atomic<uint32_t> __Vcoverage[19];\n")
        self.assertEqual(text, "    inline static uint32_t __Vcoverage[19];\n")
        self.assertEqual(found, 1)
        text, found = process_counters.rewrite("Vx.cpp", GENERATED)
        self.assertIn("    ++vlSymsp->__Vcoverage[12];\n", text)
        self.assertIn("NvmearbRegisterCounter(countp", text)
        self.assertNotIn("count32p", text)
        self.assertEqual(found, 1)

    def test_other_sources_are_an_error(self):
        array = "std::atomic<uint32_t> __Vcoverage[19];"
        self.assertEqual(self.rewrite_folder(V__Syms_dot_h=array, V_dot_cpp=GENERATED), 0)
        self.assertEqual(self.rewrite_folder(V__Syms_dot_h=array, V_dot_cpp="int x;"), 1)
        self.assertEqual(self.rewrite_folder(V__Syms_dot_h="int x;", V_dot_cpp=GENERATED), 1)
        other = GENERATED.replace("std::memory_order_relaxed", "x")
        self.assertEqual(self.rewrite_folder(V__Syms_dot_h=array, V_dot_cpp=other), 1)


class Rtl(unittest.TestCase):
    def test_points_are_merged_over_files_instances_and_parameters(self):
        merged = read(
            counter("v_toggle/a__W7", "x[3]", 0) + counter("v_line/a", "block", 0, 5, "5-6"),
            counter("v_toggle/a__W9_D2", "x[3]", 4) + counter("v_line/a", "block", 2, 5, "5"))
        self.assertEqual(merged.toggles, {("rtl/a.sv", "a.x[3]"): 4})
        self.assertEqual(merged.lines, {("rtl/a.sv", 5): 2, ("rtl/a.sv", 6): 0})

    def test_branches_and_covers(self):
        merged = read(counter("v_branch/a", "if", 3, 7, "8") + counter("v_branch/a", "else", 0, 7,
                                                                         column=4) +
                      counter("v_user/a", "u_x.Seldom_C", 0, 9))
        self.assertEqual(sorted(merged.branches.values()), [0, 3])
        self.assertEqual(merged.covers, {("rtl/a.sv", "Seldom_C"): 0})

    def test_other_files_do_not_count(self):
        self.assertFalse(read(counter("v_line/t", "block", 1, 1, "1", "tb/t.sv")).lines)

    def test_a_broken_file_is_an_error(self):
        for text in ("nonsense\n", counter("v_other/a", "x", 1)):
            with self.assertRaises(rtl.DataError):
                read(text)

    def test_a_source_that_nothing_counted_is_an_error(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "rtl").mkdir()
            for file, text in (("a", "module a; endmodule"), ("b", "module b; endmodule"),
                               ("p", "package p; endpackage")):
                (root / f"rtl/{file}.sv").write_text(text + "\n")
            (root / "x.dat").write_text(
                "# SystemC::Coverage-3\n" +
                counter("v_line/a", "block", 1, 1, "1").replace("/root", str(root)))
            with self.assertRaisesRegex(rtl.DataError, "rtl/b.sv"):
                rtl.read(root, root, ["rtl/a.sv", "rtl/b.sv", "rtl/p.sv"])
            rtl.read(root, root, ["rtl/a.sv", "rtl/p.sv"])
            with self.assertRaisesRegex(rtl.DataError, "no test wrote"):
                rtl.read(root / "rtl", root, ["rtl/a.sv"])

    def test_memories_alone_are_left_out_of_toggles(self):
        text = (coverage.DATA / "memories.vlt").read_text()
        found = re.findall(r'-file "\*/(\S+)" -lines (\d+)(?:-(\d+))?', text)
        self.assertEqual(len(found), text.count("coverage_off"))
        named = set()
        for file, first, last in found:
            named |= {(file, n) for n in range(int(first), int(last or first) + 1)}
        memories = {(file, number) for file in rtl.sources_of(ROOT)
                    for number, line in enumerate((ROOT / file).read_text().splitlines(), 1)
                    if re.match(r"\s*logic \[.*\] \w+ \[\w+\];", line)}
        self.assertEqual(named, memories)


class Exclusions(unittest.TestCase):
    def load(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(text)
            file.flush()
            return exclusions.load(pathlib.Path(file.name))

    entry = '[[exclude]]\nkind = "toggle"\nfile = "rtl/a.sv"\ntext = "a\\\\.x.*"\nreason = "why"\n'

    def test_takes_what_was_not_hit_out_of_the_goal(self):
        (one,) = self.load(self.entry.replace('"a\\\\.x.*"', "'a\\.x.*'"))
        tally = exclusions.Tally("toggle")
        for count, text in ((0, "a.x[1]"), (3, "a.x[0]"), (0, "a.y")):
            tally.add(count, "rtl/a.sv", 5, text, [one])
        self.assertEqual((tally.total, tally.hit, tally.excluded), (2, 1, 1))
        self.assertEqual(tally.missing, [("rtl/a.sv", 5, "a.y")])
        self.assertEqual(exclusions.stale([one]), [])

    def test_one_that_matches_nothing_is_an_error(self):
        (one,) = self.load(self.entry)
        tally = exclusions.Tally("toggle")
        for count, file, text in ((3, "rtl/a.sv", "a.x"), (0, "rtl/b.sv", "a.x"),
                                  (0, "rtl/a.sv", "y")):
            tally.add(count, file, 5, text, [one])
        self.assertEqual(len(exclusions.stale([one])), 1)

    def test_bad_entries(self):
        for old, new in (("why", " "), ("toggle", "togle"), ("reason", "raeson"), ("file", "path")):
            with self.assertRaises(exclusions.ExclusionError):
                self.load(self.entry.replace(old, new))

    def test_those_of_the_project_are_readable(self):
        exclusions.load(coverage.DATA / "exclusions.toml")


class Judge(unittest.TestCase):
    def tallies(self, **changes):
        found = {name: exclusions.Tally(name, 100, 100) for name in coverage.GOALS}
        found.update(changes)
        return found

    def test_goals(self):
        self.assertEqual(coverage.judge(self.tallies()), [])
        for name, hit in (("rtl_line", 99), ("rtl_toggle", 97), ("rtl_cover", 99),
                          ("functional", 99), ("cxx_line", 94)):
            problems = coverage.judge(self.tallies(**{name: exclusions.Tally(name, 100, hit)}))
            self.assertEqual(len(problems), 1, name)
        enough = self.tallies(rtl_toggle=exclusions.Tally("t", 100, 98))
        self.assertEqual(coverage.judge(enough), [])

    def test_almost_is_not_all(self):
        almost = exclusions.Tally("rtl_line", 100000, 99999)
        self.assertEqual(len(coverage.judge(self.tallies(rtl_line=almost))), 1)

    def test_nothing_measured_is_a_miss(self):
        self.assertEqual(len(coverage.judge(self.tallies(cxx_line=exclusions.Tally("c")))), 1)

    def test_cxx_lines_and_branches(self):
        data = {"files": [{"file": "README.md", "lines": [
            {"line_number": 1, "count": 2, "branches": [{"count": 1}, {"count": 0}]},
            {"line_number": 2, "count": 0, "branches": [], "gcovr/excluded": True},
            {"line_number": 3, "count": 0, "branches": []}]}]}
        found = coverage.tally_cxx(data, coverage.Sources(ROOT), [])
        self.assertEqual((found["cxx_line"].hit, found["cxx_line"].total), (1, 2))
        self.assertEqual((found["cxx_branch"].hit, found["cxx_branch"].total), (1, 2))
        self.assertEqual(len(cxx.totals(data)), 2)

    def test_the_page_says_what_is_missed(self):
        data = coverage.summary(self.tallies(rtl_line=exclusions.Tally("line", 2, 1, 0, [
            ("rtl/a.sv", 3, "x <= y;")])), [], ["rtl_line: 1 of 2"])
        with tempfile.TemporaryDirectory() as name:
            pages.write(pathlib.Path(name), data, [], [])
            text = (pathlib.Path(name) / "index.html").read_text()
        for part in ("Goals are missed", "rtl/a.sv:3: x &lt;= y;", "50.00 %", "source/index.html"):
            self.assertIn(part, text)
        self.assertFalse(data["good"])


MODEL = """
[[point]]
name = "class"
quantity = "class"
bins = { admin = [4, 4], low = [3, 3] }
[[point]]
name = "count"
quantity = "count"
bins = { one = [1, 1], more = [2, 8] }
[[cross]]
name = "grants"
goal = "g"
events = ["grant"]
points = ["class", "count"]
[[cross.impossible]]
bins = { class = ["admin"], count = ["more"] }
reason = "no"
"""


class Functional(unittest.TestCase):
    crosses = functional.parse(MODEL)

    def tally(self, **counts):
        found = collections.Counter({("grants", *key.split("_")): count
                                     for key, count in counts.items()})
        return functional.tally(self.crosses, found)

    def test_all_possible_combinations_are_wanted(self):
        result, problems = self.tally(admin_one=1, low_one=1, low_more=1)
        self.assertEqual((result.hit, result.total, result.excluded, problems), (3, 3, 1, []))
        result, _ = self.tally(admin_one=1, low_one=1)
        self.assertEqual([text for _, _, text in result.missing], ["grants: low more"])

    def test_an_impossible_one_that_occurs_is_an_error(self):
        self.assertEqual(len(self.tally(admin_more=1)[1]), 1)

    def test_files_are_added_up_and_unknown_lines_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "functional-a-1.txt").write_text("grants low one 2\n")
            (folder / "functional-b-2.txt").write_text("grants low one 3\ngrants low more 1\n")
            counts = functional.read(self.crosses, folder)
            self.assertEqual(counts[("grants", "low", "one")], 5)
            self.assertEqual(functional.by_cross(self.crosses, counts), {"grants": (2, 3)})
            (folder / "functional-c-3.txt").write_text("grants high one 2\n")
            with self.assertRaises(functional.ModelError):
                functional.read(self.crosses, folder)

    def test_bad_models(self):
        for old, new in (('quantity = "count"', 'quantity = "cuont"'), ("[2, 8]", "[8, 2]"),
                         ('["grant"]', '["grnat"]'), ('"class", "count"]', '"clas", "count"]'),
                         ('["more"]', '["most"]'), ('"no"', '""'), ("goal", "gaol")):
            self.assertIn(old, MODEL)
            with self.assertRaises(functional.ModelError):
                functional.parse(MODEL.replace(old, new))

    def test_tables(self):
        text = functional.tables(self.crosses)
        self.assertIn('{"grants", 32u, 0, 2, 0}', text)
        self.assertIn("constexpr unsigned kCounterCount = 4;", text)

    def test_names_are_those_of_the_header(self):
        header = (coverage.DATA / "functional_coverage.h").read_text()
        names = re.findall(r"^  k(\w+),  ", header, re.M)
        self.assertEqual([re.sub(r"(?<!^)(?=[A-Z])", "_", n).lower() for n in names],
                         list(functional.QUANTITIES))
        kinds = re.search(r"enum class EventKind[^{]*\{(.*?)\};",
                          (ROOT / "models/arbiter/types.h").read_text(), re.S)[1]
        self.assertEqual([k.lower() for k in re.findall(r"^\s*k(\w+)", kinds, re.M)],
                         list(functional.EVENTS[:9]))


PLAN = '[[goal]]\nid = "g"\ngoal = "it works"\nrule = "r"\n'


class Plan(unittest.TestCase):
    def join(self, items, **changes):
        evidence = plan.Evidence(
            tests={"A.One": "passed", "A.Two": "passed", "Conformance.DB_01_X": "passed"},
            checks={"DB-01", "DB-02"}, proofs={"p:contract": "not run here"}, covers={}, crosses={})
        for name, value in changes.items():
            getattr(evidence, name).update(value)
        return plan.join(plan.parse(PLAN + items), evidence)[1]

    def test_evidence(self):
        self.assertEqual(self.join('tests = ["A.*"]\nchecks = ["DB-01"]\nproofs = ["p:contract"]\n'
                                   'covers = ["C"]\ncrosses = ["x"]', covers={"C": 2},
                                   crosses={"x": (3, 3)}), [])

    def test_a_test_that_did_not_run_or_pass(self):
        self.assertEqual(self.join('tests = ["A.Three"]'), ["plan: g: no test A.Three ran"])
        for result in ("failed", "skipped"):
            self.assertEqual(self.join('tests = ["A.One"]', tests={"A.One": result}),
                             [f"plan: g: A.One {result}"])
        for checks in ("DB-02", "DB-*", "RR-*"):
            self.assertEqual(len(self.join(f'checks = ["{checks}"]')), 1)
        self.assertEqual(len(self.join('checks = ["DB-01"]',
                                       tests={"Conformance.DB_01_X": "failed"})), 1)

    def test_a_proof_that_is_missing_or_failed(self):
        self.assertEqual(len(self.join('proofs = ["q:contract"]')), 1)
        self.assertEqual(len(self.join('proofs = ["p:contract"]',
                                       proofs={"p:contract": "failed"})), 1)

    def test_a_cover_or_cross_that_was_not_hit(self):
        self.assertEqual(len(self.join('covers = ["C"]', covers={"C": 0})), 1)
        self.assertEqual(len(self.join('covers = ["C"]')), 1)
        self.assertEqual(len(self.join('crosses = ["x"]', crosses={"x": (2, 3)})), 1)
        self.assertEqual(len(self.join('crosses = ["x"]')), 1)

    def test_a_cover_or_cross_without_a_goal(self):
        self.assertEqual(self.join('tests = ["A.One"]', covers={"C": 1}, crosses={"x": (1, 1)}),
                         ["plan: no goal names cover C", "plan: no goal names cross x"])

    def test_bad_plans(self):
        for text in ("", PLAN, PLAN + 'test = ["A"]', PLAN.replace("rule", "ruel"),
                     (PLAN + 'tests = ["A"]\n') * 2):
            with self.assertRaises(plan.PlanError):
                plan.parse(text)

    def test_instances_count_as_one_that_fails_with_any_and_is_skipped_with_all(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write('<testsuites><testsuite>'
                       '<testcase classname="Sizes/A" name="One/0" result="completed"/>'
                       '<testcase classname="Sizes/A" name="One/1"><failure/></testcase>'
                       '<testcase classname="A" name="Two" result="suppressed"/>'
                       '<testcase classname="Sizes/A" name="Three/0" result="completed"/>'
                       '<testcase classname="Sizes/A" name="Three/1"><skipped/></testcase>'
                       '<testcase classname="Sizes/A" name="Four/0"><skipped/></testcase>'
                       '</testsuite></testsuites>')
            file.flush()
            self.assertEqual(plan.read_tests(pathlib.Path(file.name)),
                             {"A.One": "failed", "A.Two": "skipped", "A.Three": "passed",
                              "A.Four": "skipped"})

    def test_proofs_are_joined_with_their_runs(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('[{"name": "ram_props_contract_pdr_Depth2", "property set": "contract", '
                       '"good": false}, {"name": "ram_props_covers_cover", "property set": '
                       '"covers", "good": true}]')
            file.flush()
            found = plan.read_proofs(ROOT, pathlib.Path(file.name))
        self.assertEqual(found["ram_props:contract"], "failed")
        self.assertEqual(found["ram_props:covers"], "passed")
        self.assertEqual(found["core_props:bounded"], "not run here")


class Project(unittest.TestCase):
    goals = plan.load(coverage.DATA / "plan.toml")

    def test_the_page_is_up_to_date(self):
        self.assertEqual(coverage.main(["plan", "--check"]), 0)

    def test_every_check_and_proof_has_a_goal(self):
        patterns = [pattern for g in self.goals for pattern in g.checks]
        for check in plan.ids_of_checks(ROOT):
            self.assertTrue(any(fnmatch.fnmatchcase(check, p) for p in patterns), check)
        self.assertEqual({p for g in self.goals for p in g.proofs},
                         set(plan.read_proofs(ROOT, pathlib.Path("/nosuch"))))

    def test_every_cover_of_the_rtl_has_a_goal_and_a_name_of_its_own(self):
        labels = [label for file in rtl.sources_of(ROOT)
                  for label in re.findall(r"begin : (\w+_C)\b", (ROOT / file).read_text())]
        self.assertEqual(len(labels), len(set(labels)))
        self.assertEqual(set(labels), {c for g in self.goals for c in g.covers})
        self.assertEqual({c.name for c in functional.load(coverage.DATA / "functional.toml")},
                         {c for g in self.goals for c in g.crosses})


if __name__ == "__main__":
    unittest.main(argv=["coverage_test", "-q"])
