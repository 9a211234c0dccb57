#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/report_test.py NVMEARB SCREENS: the pages of `run --html`, `report` and `sweep --html` in a
headless Chromium: they load without a message or a request, show the numbers of the JSON, fit
windows of 400 and 1600 pixels in light and dark, and work with keyboard and screen reader.
Screenshots go to SCREENS."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from browser import Browser

SCREENS = Path(sys.argv.pop())
NVMEARB = sys.argv.pop()
WIDTHS = (400, 1600)
SCHEMES = ("light", "dark")


def nvmearb(*arguments):
    done = subprocess.run([NVMEARB, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):  # so short a run may be outside a tolerance
        raise RuntimeError(done.stderr)


def table(browser, kind: str, index: int) -> list[list[str]]:
    return browser.evaluate(f"""[...document.querySelectorAll('table[data-kind="{kind}"]')][{index}]
        .querySelectorAll('tbody tr').values().toArray()
        .map((row) => [...row.cells].map((cell) => cell.textContent))""")


def shown(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def close(text: str, value: float, digits: int) -> bool:
    """Whether the text is the value at so many digits (either way of rounding a tie)."""
    return abs(float(text.replace(",", "")) - value) <= 0.500001 * 10 ** -digits


def differences(browser, run: dict) -> list[str]:
    """Where the page shows other numbers than the run's JSON."""
    found = []
    for index, variant in enumerate(run["variants"]):
        rows = table(browser, "measured", index)
        for job, row in zip(variant["jobs"], rows, strict=False):
            for column, (key, digits) in enumerate(
                    [("share_pct", 1), ("iops", 0), ("mib_per_s", 1), ("lat_mean_us", 1),
                     ("clat_p50_us", 0), ("clat_p99_us", 0), ("clat_p999_us", 0)], start=2):
                if row[:2] != [job["name"], job["queue_class"]] or not close(
                        row[column], job[key], digits):
                    found.append(f"{variant['name']}: {job['name']} {key}: {row}")
        compared = table(browser, "published", index) if variant["compare"] else []
        for value, row in zip(variant["compare"], compared, strict=True):
            if row[0] != value["job"] or not close(row[2], value["published"], 0) or not close(
                    row[3], value["measured"], 1):
                found.append(f"{variant['name']}: published: {row}")
    return found


def plots(browser) -> dict:
    """Of every plot: its curves as [[x, y]] by label."""
    return browser.evaluate("""Object.fromEntries([...document.querySelectorAll('figure')]
      .map((figure) => [figure.querySelector('h2, h3, h4').textContent, Object.fromEntries(
        Chart.getChart(figure.querySelector('canvas')).data.datasets.map((set) => [set.label,
          set.data.map((point) => typeof point === 'number' ? point : [point.x, point.y])]))]))""")


def contrast(one: str, other: str) -> float:
    """WCAG's ratio of two colours, "#rrggbb"."""
    def luminance(text):
        parts = [int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.run_json, cls.run_page = folder / "run.json", folder / "run.html"
        nvmearb("run", "wrr_v3_randread", "--runtime", "20ms", "--json", cls.run_json, "--html",
                cls.run_page)
        other = folder / "other.json"
        nvmearb("run", "wrr_v3_randread", "--engine", "model", "--runtime", "5ms", "--json", other)
        cls.two_page = folder / "two.html"
        nvmearb("report", cls.run_json, other, "-o", cls.two_page)
        cls.sweep_page = folder / "sweep.html"
        nvmearb("sweep", "wrr_v3_randread", "--engine", "model", "--runtime", "3ms", "--set",
                "device.window=64,128", "--csv", folder / "sweep.csv", "--html", cls.sweep_page)
        cls.folder = folder
        cls.run_data = json.loads(cls.run_json.read_text())
        cls.browser = cls.enterClassContext(Browser())

    def test_every_page_loads_quietly_and_fits_the_window(self):
        for page in (self.run_page, self.two_page, self.sweep_page):
            for width in WIDTHS:
                for scheme in SCHEMES:
                    with self.subTest(page=page.stem, width=width, scheme=scheme):
                        self.browser.view(width, 1000, scheme)
                        self.browser.open(page)
                        self.assertEqual(self.browser.errors(), [])
                        self.assertLessEqual(
                            self.browser.evaluate("document.documentElement.scrollWidth"), width)
                        self.assertGreater(
                            self.browser.evaluate("document.querySelectorAll('canvas').length"), 2)
                        self.browser.screenshot(SCREENS / f"{page.stem}-{width}-{scheme}.png")

    def test_messages_and_requests_are_seen(self):
        for script in ("throw new Error('x')", "console.warn('x')",
                       "new Image().src = 'http://127.0.0.1:1/x.png'"):
            bad = self.folder / "bad.html"
            bad.write_text(self.run_page.read_text().replace(
                "</body>", f"<script>{script}</script></body>"))
            self.browser.open(bad)
            self.assertNotEqual(self.browser.errors(), [], script)

    def test_numbers_are_those_of_the_json(self):
        self.browser.open(self.run_page)
        self.assertEqual(differences(self.browser, self.run_data), [])

    def test_another_number_is_seen(self):
        changed = json.loads(self.run_json.read_text())
        changed["variants"][1]["jobs"][2]["iops"] += 1
        changed["variants"][0]["compare"][0]["measured"] += 1
        self.browser.open(self.run_page)
        self.assertEqual(len(differences(self.browser, changed)), 2)

    def test_curves_are_those_of_the_json(self):
        self.browser.open(self.run_page)
        drawn = plots(self.browser)
        for variant in self.run_data["variants"]:
            of = f", variant {variant['name']}"
            width = variant["series"]["bucket_s"]
            for job, (label, points) in zip(
                    variant["series"]["jobs"], drawn["Throughput over time" + of].items(),
                    strict=True):
                self.assertTrue(label.startswith(job["name"]))
                self.assertEqual(len(points), len(job["ios"]))
                for (x, y), ios, i in zip(points, job["ios"], range(len(points)), strict=True):
                    self.assertAlmostEqual(x, (i + 0.5) * width)
                    self.assertAlmostEqual(y, ios / width, delta=1e-6 * ios / width)
            for curve in variant["latency_cdf"]:
                points = drawn["Share of I/Os completed within a latency" + of][curve["name"]]
                self.assertEqual(points, [list(point) for point in
                                          zip(curve["us"], curve["pct"], strict=True)])
            depths = drawn["Commands waiting and in the drive" + of]
            self.assertEqual([y for x, y in depths["in the drive"]], variant["depths"]["in_drive"])
            grants = drawn[f"The first {len(variant['grants']['sqid']):,} grants of I/O" + of]
            self.assertEqual(sorted(x for points in grants.values() for x, y in points),
                             variant["grants"]["time_us"])
        shares = drawn["Shares of the weighted classes, variant wrr"]
        weights = self.run_data["variants"][1]["weights"]
        for got, weight in zip(shares["by weight"], weights, strict=True):
            self.assertAlmostEqual(got, 100 * weight / sum(weights))

    def test_landmarks_headings_and_names(self):
        for page in (self.run_page, self.two_page, self.sweep_page):
            self.browser.open(page)
            self.assertEqual(self.browser.evaluate(
                "['header', 'nav', 'main', 'footer', 'h1'].map((name) => "
                "document.querySelectorAll(name).length)"), [1] * 5)
            levels = self.browser.evaluate(
                "[...document.querySelectorAll('h1,h2,h3,h4,h5')].map((h) => +h.tagName[1])")
            for before, after in zip(levels, levels[1:], strict=False):
                self.assertLessEqual(after, before + 1, levels)
            self.assertEqual(self.browser.evaluate(
                "[...document.querySelectorAll('canvas, button, nav, .scroll, summary')]"
                ".filter((e) => !e.getAttribute('aria-label')).length"), 0)
            self.assertEqual(self.browser.evaluate(
                "[...document.querySelectorAll('nav a')].filter((a) => "
                "!document.querySelector(a.getAttribute('href'))).length"), 0)
            # Every plot opens a table with a row for each of its points or more.
            self.assertEqual(self.browser.evaluate("""(async () => {
              for (const d of document.querySelectorAll('details')) d.open = true;
              await new Promise((done) => setTimeout(done, 300));
              return [...document.querySelectorAll('figure')].filter((figure) =>
                !figure.querySelector('details caption') ||
                figure.querySelectorAll('details tbody tr').length < 2).length;
            })()"""), 0)

    def test_the_keyboard_reaches_and_zooms_the_timeline(self):
        self.browser.open(self.run_page)
        self.browser.press("Tab", 9)
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "skip")
        said = "document.querySelector('.zoom output').textContent"
        all_of_it = self.browser.evaluate(said)
        for _ in range(200):
            self.browser.press("Tab", 9)
            if self.browser.evaluate("document.activeElement.ariaLabel") == "Zoom in":
                break
        self.browser.press("Enter", 13)
        zoomed = self.browser.evaluate(said)
        self.assertNotEqual(zoomed, all_of_it)
        begin, end = (float(number.replace(",", ""))
                      for number in re.findall(r"[\d,.]*\d", zoomed))
        scale = self.browser.evaluate(
            "(() => {const x = Chart.getChart(document.querySelector('.wide canvas')).scales.x;"
            "return [x.min, x.max]})()")
        self.assertAlmostEqual(scale[0], begin, delta=0.06)
        self.assertAlmostEqual(scale[1], end, delta=0.06)

    def test_colours_can_be_read(self):
        for scheme in SCHEMES:
            self.browser.view(1600, 1000, scheme)
            self.browser.open(self.run_page)
            colors = self.browser.evaluate("""Object.fromEntries(['--ground', '--stripe', '--text',
              '--quiet', '--good', '--bad', '--warn', '--c0', '--c1', '--c2', '--c3', '--c4'].map(
              (name) => [name, getComputedStyle(document.documentElement).getPropertyValue(name)
                .trim()]))""")
            for name in ("--text", "--quiet", "--good", "--bad", "--warn", "--c0"):
                for ground in ("--ground", "--stripe"):
                    self.assertGreaterEqual(contrast(colors[name], colors[ground]), 4.5,
                                            f"{name} on {ground}, {scheme}")
            for name in ("--c0", "--c1", "--c2", "--c3", "--c4"):
                self.assertGreaterEqual(contrast(colors[name], colors["--ground"]), 3, name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
