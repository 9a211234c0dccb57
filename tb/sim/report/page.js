// SPDX-License-Identifier: Apache-2.0
// Draws the page of runs from the JSON in #data ({"runs": [what --json writes]}): tables, verdicts,
// and per variant the plots of plots.js.
"use strict";
(() => {
  const {run: data, page, add, number, part, table, paint} = nvmearb;
  const several = data.runs.length > 1;
  const text = (value, className) => ({text: value, className: "text " + (className || "")});

  const verdictOf = (c) => c.note ? "deviation" : c.pass ? "ok" : "outside its tolerance";
  const verdictClass = (c) => c.note ? "warn" : c.pass ? "good" : "bad";
  const signed = (value) => (value > 0 ? "+" : "") + number(value, 2);

  const jobHead = ["job", text("class"), "share %", "IOPS", "MiB/s", "mean us", "p50 us", "p99 us",
    "p99.9 us"];
  const jobCells = (job) => [job.name, text(job.queue_class), number(job.share_pct, 1),
    number(job.iops, 0), number(job.mib_per_s, 1), number(job.lat_mean_us, 1),
    number(job.clat_p50_us, 0), number(job.clat_p99_us, 0), number(job.clat_p999_us, 0)];

  const measured = (section, variant) => {
    const rows = variant.jobs.map(jobCells);
    if (rows.length > 1) {
      const sum = (key) => variant.jobs.reduce((all, job) => all + job[key], 0);
      rows.push(["all", "", number(sum("share_pct"), 1), number(sum("iops"), 0),
        number(sum("mib_per_s"), 1), "", "", "", ""]);
    }
    table(section, "Measured, variant " + variant.name, jobHead, rows).dataset.kind = "measured";
  };

  const published = (section, variant) => {
    if (!variant.compare.length) return;
    table(section, "Published beside measured, variant " + variant.name,
      ["job", text("metric"), "published", "measured", text("unit"), "error %", "tolerance %",
        text("verdict")],
      variant.compare.map((c) => [c.job, text(c.metric), number(c.published, 0),
        number(c.measured, 1), text(c.unit), signed(c.error_pct), number(c.tolerance_pct, 0),
        text(verdictOf(c), verdictClass(c))])).dataset.kind = "published";
    for (const note of new Set(variant.compare.map((c) => c.note).filter((note) => note))) {
      add(section, "p", "Deviation: " + note, "warn");
    }
  };

  // What the last lines of the terminal say.
  const verdict = (parent, run) => {
    const all = run.variants.flatMap((variant) => variant.compare);
    const deviations = all.filter((c) => c.note).length;
    const good = all.filter((c) => !c.note && c.pass).length;
    const outside = all.length - deviations - good;
    const findings = run.variants.flatMap((variant) => variant.findings || []).length;
    const parts = [];
    if (all.length) {
      parts.push("Published values: " + good + " within tolerance, " + outside + " outside, " +
        deviations + " known deviations.");
    }
    parts.push(findings ? findings + (findings === 1 ? " finding" : " findings") + ", see below."
                        : "No findings.");
    add(parent, "p", parts.join(" "), outside || findings ? "bad" : "good");
  };

  const about = (parent, run) => {
    add(parent, "p", "Scenario " + run.scenario + ", engine " + run.engine + ", seed " + run.seed +
      (run.file ? ", file " + run.file : "") + ".");
    add(parent, "p", "Source: " + run.source, "quiet");
    if (run.time) add(parent, "p", "Time: " + run.time, "quiet");
    verdict(parent, run);
  };

  const sideBySide = () => {
    const section = part(page, 2, "Side by side");
    table(section, "All jobs of all runs", ["run", text("variant"), text("job"),
      ...jobHead.slice(1)], data.runs.flatMap((run) => run.variants.flatMap((variant) =>
      variant.jobs.map((job) => [run.file || run.scenario, text(variant.name), text(job.name),
        ...jobCells(job).slice(1)])))).dataset.kind = "side-by-side";
  };

  const showVariant = (parent, run, variant) => {
    const level = several ? 3 : 2;
    const section = part(parent, level, (several ? run.scenario + ", variant " : "Variant ") +
      variant.name);
    if (variant.interrupted) add(section, "p", "Interrupted: what was measured so far.", "warn");
    add(section, "p", variant.device.queues, "quiet");
    if (variant.note) add(section, "p", variant.note);
    for (const note of variant.notes || []) add(section, "p", note, "quiet");
    measured(section, variant);
    published(section, variant);
    for (const finding of variant.findings || []) add(section, "p", "Found: " + finding, "bad");
    nvmearb.plots(add(section, "div", undefined, "plots"), variant, level + 1);
  };

  const head = document.getElementById("head");
  const title = several ? number(data.runs.length, 0) + " runs" : data.runs[0].title;
  document.title = (several ? title : data.runs[0].scenario) + " - nvmearb";
  add(head, "h1", title);
  if (several) sideBySide();
  else about(head, data.runs[0]);
  for (const run of data.runs) {
    let parent = page;
    if (several) {
      parent = part(page, 2, run.title);
      about(parent, run);
    }
    for (const variant of run.variants) showVariant(parent, run, variant);
  }
  paint();
})();
