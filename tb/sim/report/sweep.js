// SPDX-License-Identifier: Apache-2.0
// Draws the page of a sweep from the JSON in #data: per variant and metric a plot over the first
// key, with a line for each job and combination of the other keys.
"use strict";
(() => {
  const {run, page, add, number, part, table, plot, paint, jobColor, jobDash} = nvmearb;
  const top = document.getElementById("head");
  const key = run.keys[0];
  const byNumber = run.rows.every((row) => row.x !== null);
  const categories = [...new Set(run.rows.map((row) => row.values[0]))];
  const xOf = (row) => byNumber ? row.x : categories.indexOf(row.values[0]);
  const others = (row) => run.keys.slice(1).map((name, i) => name + "=" + row.values[i + 1]);
  const labelOf = (row) => [row.job, ...others(row)].join(", ");
  const metrics = [
    {title: "IOPS", y: "I/O per second", key: "iops", digits: 0},
    {title: "Mean latency", y: "latency (us)", key: "lat_mean_us", digits: 1},
    {title: "99th percentile of latency", y: "latency (us)", key: "clat_p99_us", digits: 1}];

  document.title = "sweep of " + run.scenario + " - nvmearb";
  add(top, "h1", "Sweep: " + run.title);
  add(top, "p", "Scenario " + run.scenario + ", engine " + run.engine + ", seed " + run.seed +
    ". Varied: " + run.keys.join(", ") + ".");
  add(top, "p", "Source: " + run.source, "quiet");
  for (const variant of new Set(run.rows.map((row) => row.variant))) {
    const rows = run.rows.filter((row) => row.variant === variant);
    const section = part(page, 2, "Variant " + variant);
    const plots = add(section, "div", undefined, "plots");
    const labels = [...new Set(rows.map(labelOf))];
    for (const metric of metrics) {
      plot(plots, {
        title: metric.title + ", variant " + variant, y: metric.y, dots: true,
        x: key + (run.units[0] ? " (" + run.units[0] + ")" : ""),
        xScale: byNumber ? {} : {min: -0.2, max: categories.length - 0.8, ticks: {
          stepSize: 1, callback: (index) => categories[index] || ""}},
        sets: labels.map((label, index) => ({
          label: label, color: jobColor(index), dash: jobDash(index),
          points: rows.filter((row) => labelOf(row) === label)
            .map((row) => ({x: xOf(row), y: row[metric.key]}))
            .sort((a, b) => a.x - b.x)})),
        head: [...run.keys, "job", metric.y],
        rows: rows.map((row) => [...row.values, row.job, number(row[metric.key], metric.digits)])});
    }
    table(section, "Measured", [...run.keys, "job", {text: "class", className: "text"}, "share %",
      "IOPS", "MiB/s", "mean us", "p99 us"],
      rows.map((row) => [...row.values, row.job, {text: row.queue_class, className: "text"},
        number(row.share_pct, 1), number(row.iops, 0), number(row.mib_per_s, 1),
        number(row.lat_mean_us, 1), number(row.clat_p99_us, 0)]));
  }
  paint();
})();
