// SPDX-License-Identifier: Apache-2.0
// Draws the page of a run from the JSON in #data: per variant a table, plots, and each plot's
// numbers.
"use strict";
(() => {
  const {run, page, add, number, table, plot, paint, jobColor} = nvmearb;

  const classColors = ["--c3", "--c0", "--c1", "--c2", "--c4"];  // urgent high medium low admin
  const classShapes = ["star", "circle", "triangle", "rect", "crossRot"];

  const summary = (section, variant) => {
    const head = ["job", {text: "class", className: "text"}, "share %", "IOPS", "MiB/s", "mean us",
      "p50 us", "p99 us", "p99.9 us"];
    const compared = variant.jobs.some((job) => job.compare);
    if (compared) head.push("published", "error %", "verdict");
    const rows = variant.jobs.map((job) => {
      const row = [job.name, {text: job.queue_class, className: "text"}, number(job.share_pct, 1),
        number(job.iops, 0), number(job.mib_per_s, 1), number(job.lat_mean_us, 1),
        number(job.clat_p50_us, 0), number(job.clat_p99_us, 0), number(job.clat_p999_us, 0)];
      if (compared && job.compare) {
        const c = job.compare;
        row.push(number(c.published, 0) + " " + c.unit,
          (c.error_pct > 0 ? "+" : "") + number(c.error_pct, 2),
          {text: c.verdict, className: {ok: "good", deviation: "warn"}[c.verdict] || "bad"});
      }
      return row;
    });
    const sum = (key) => variant.jobs.reduce((all, job) => all + job[key], 0);
    rows.push(["all", "", number(sum("share_pct"), 1), number(sum("iops"), 0),
      number(sum("mib_per_s"), 1), ...Array(head.length - 5).fill("")]);
    table(section, "Measured" + (compared ? " beside published" : ""), head, rows);
    for (const reason of variant.deviations) add(section, "p", "Deviation: " + reason, "warn");
    for (const finding of variant.findings) add(section, "p", "Found: " + finding, "bad");
  };

  // What the last lines of the terminal say.
  const verdict = () => {
    const jobs = run.variants.flatMap((variant) => variant.jobs);
    const verdicts = jobs.filter((job) => job.compare).map((job) => job.compare.verdict);
    const count = (which) => verdicts.filter((one) => one === which).length;
    const findings = run.variants.reduce((all, variant) => all + variant.findings.length, 0);
    const outside = verdicts.length - count("ok") - count("deviation");
    const parts = [];
    if (verdicts.length) {
      parts.push("Published values: " + count("ok") + " within tolerance, " + outside +
        " outside, " + count("deviation") + " known deviations.");
    }
    parts.push(findings ? findings + (findings === 1 ? " finding" : " findings") + ", see below." : "No findings.");
    add(page, "p", parts.join(" "), outside || findings ? "bad" : "good");
  };

  const overTime = (plots, variant) => {
    const width = variant.series.bucket_s;
    const at = (index) => (index + 0.5) * width;
    const byBytes = variant.series.unit === "MiB/s";
    const label = (job) => job.name + (job.queue_class === job.name ? "" :
      " (" + job.queue_class + " queues)");
    const kinds = [
      {title: "Throughput over time", y: byBytes ? "MiB/s" : "I/O per second", key: "rate",
        digits: byBytes ? 1 : 0},
      {title: "Mean latency over time", y: "latency (us)", key: "latency_us", digits: 1}];
    for (const kind of kinds) {
      const series = variant.series.jobs;
      plot(plots, {
        title: kind.title + ", variant " + variant.name, x: "simulated time (s)", y: kind.y,
        sets: series.map((job, index) => ({
          label: label(job), color: jobColor(index),
          points: job[kind.key].map((y, i) => ({x: at(i), y: y}))})),
        head: ["time (s)", ...series.map((job) => label(job) + " (" + kind.y + ")")],
        rows: (series[0] ? series[0][kind.key] : []).map((unused, i) =>
          [number(at(i), 4), ...series.map((job) => number(job[kind.key][i] || 0, kind.digits))])});
    }
  };

  // Only queues that have a grant get a line.
  const grantOrder = (plots, variant) => {
    if (!variant.grants.length) return;
    const grants = variant.grants;
    const used = [...new Set(grants.map((grant) => grant[2]))].sort();
    const queues = [...new Set(grants.map((grant) => grant[1]))].sort((a, b) => a - b);
    plot(plots, {
      wide: true, scatter: true,
      title: "Order of the first " + number(grants.length, 0) + " grants of I/O, variant " +
        variant.name,
      x: "time since the first I/O grant (us)", y: "submission queue (id)",
      yScale: {min: -0.5, max: queues.length - 0.5, afterBuildTicks: (scale) => {
        const step = Math.ceil(queues.length / 24);
        scale.ticks = queues.map((unused, line) => ({value: line}))
          .filter((tick) => tick.value % step === 0);
      }, ticks: {autoSkip: false, callback: (line) => String(queues[line])}},
      sets: used.map((which) => ({
        label: variant.mechanism === "rr" ? "queues, round robin" : run.classes[which] + " queues",
        color: variant.mechanism === "rr" ? "--c0" : classColors[which],
        shape: variant.mechanism === "rr" ? "circle" : classShapes[which],
        points: grants.filter((grant) => grant[2] === which)
          .map((grant) => ({x: grant[0], y: queues.indexOf(grant[1]), sqid: grant[1],
            count: grant[3]}))})),
      tooltip: (item) => "SQ " + item.raw.sqid + " at " + number(item.raw.x, 2) + " us, " +
        item.raw.count + (item.raw.count === 1 ? " command" : " commands"),
      head: ["time (us)", "SQ", {text: "class", className: "text"}, "commands"],
      rows: grants.map((grant) => [number(grant[0], 3), String(grant[1]),
        {text: run.classes[grant[2]], className: "text"}, String(grant[3])])});
  };

  document.title = run.scenario + " - nvmearb";
  add(page, "h1", run.title);
  add(page, "p", "Scenario " + run.scenario + ", engine " + run.engine + ", seed " + run.seed + ".");
  add(page, "p", "Source: " + run.source, "quiet");
  if (run.time_note) add(page, "p", "Time: " + run.time_note, "quiet");
  verdict();
  for (const variant of run.variants) {
    const section = add(page, "section");
    add(section, "h2", "Variant " + variant.name);
    if (variant.interrupted) add(section, "p", "Interrupted: what was measured so far.", "warn");
    if (variant.queues) add(section, "p", variant.queues, "quiet");
    if (variant.note) add(section, "p", variant.note);
    summary(section, variant);
    const plots = add(section, "div", undefined, "plots");
    overTime(plots, variant);
    grantOrder(plots, variant);
  }
  paint();
})();
