// SPDX-License-Identifier: Apache-2.0
// The plots of one variant of a run, from its object in the JSON file.
"use strict";
nvmearb.plots = (() => {
  const {number, plot, jobColor, jobDash} = nvmearb;
  const classes = ["urgent", "high", "medium", "low", "admin"];
  const classColors = {urgent: "--c3", high: "--c0", medium: "--c1", low: "--c2", admin: "--c4"};
  const classShapes = {urgent: "star", high: "circle", medium: "triangle", low: "rect",
    admin: "crossRot"};
  const classText = (name) => ({text: name, className: "text"});
  const bigIo = 64 / 1024;  // MiB: from this mean size on, throughput is shown in MiB/s

  // {label, color, dash, ios, mib, latency_us} per job, or joined per class.
  const linesOfJobs = (variant) => variant.series.jobs.map((job, index) => {
    const of = variant.jobs[index].queue_class;
    return {...job, label: job.name + (of === job.name ? "" : " (" + of + " queues)"),
      color: jobColor(index), dash: jobDash(index)};
  });
  const linesOfClasses = (variant) => {
    const used = [...new Set(variant.jobs.map((job) => job.queue_class))];
    if (used.length < 2 || used.length === variant.jobs.length) return [];
    return used.map((name, index) => {
      const jobs = variant.series.jobs.filter((job, i) => variant.jobs[i].queue_class === name);
      const length = Math.max(...jobs.map((job) => job.ios.length));
      const at = (job, key, i) => job[key][i] || 0;
      const sum = (i, value) => jobs.reduce((all, job) => all + value(job, i), 0);
      const each = (value) => Array.from({length: length}, (unused, i) => value(i));
      const ios = each((i) => sum(i, (job, k) => at(job, "ios", k)));
      return {label: name + " queues", color: classColors[name] || jobColor(index), dash: [],
        ios: ios, mib: each((i) => sum(i, (job, k) => at(job, "mib", k))),
        latency_us: each((i) => ios[i] ? sum(i, (job, k) =>
          at(job, "ios", k) * at(job, "latency_us", k)) / ios[i] : 0)};
    });
  };

  const overTime = (parent, variant, level, lines, of) => {
    if (!lines.length || !lines[0].ios.length) return;
    const width = variant.series.bucket_s;
    const total = (key) => lines.reduce((all, line) =>
      all + line[key].reduce((sum, value) => sum + value, 0), 0);
    const byBytes = total("ios") > 0 && total("mib") / total("ios") >= bigIo;
    const at = (index) => (index + 0.5) * width;
    const kinds = [
      {title: "Throughput over time", y: byBytes ? "MiB/s" : "I/O per second",
        digits: byBytes ? 1 : 0,
        value: (line, i) => ((byBytes ? line.mib[i] : line.ios[i]) || 0) / width},
      {title: "Mean latency over time", y: "latency (us)", digits: 1,
        value: (line, i) => line.latency_us[i] || 0}];
    const indices = lines[0].ios.map((unused, i) => i);
    for (const kind of kinds) {
      plot(parent, {
        title: kind.title + of + ", variant " + variant.name, x: "simulated time (s)", y: kind.y,
        level: level,
        sets: lines.map((line) => ({label: line.label, color: line.color, dash: line.dash,
          points: line.ios.map((unused, i) => ({x: at(i), y: kind.value(line, i)}))})),
        head: ["time (s)", ...lines.map((line) => line.label + " (" + kind.y + ")")],
        rows: indices.map((i) => [number(at(i), 4),
          ...lines.map((line) => number(kind.value(line, i), kind.digits))])});
    }
  };

  const latencyCdf = (parent, variant, level) => {
    const curves = variant.latency_cdf.filter((curve) => curve.us.length);
    if (!curves.length) return;
    plot(parent, {
      title: "Share of I/Os completed within a latency, variant " + variant.name, level: level,
      x: "completion latency (us)", y: "I/Os (%)",
      xScale: {type: "logarithmic", ticks: {maxTicksLimit: 8,
        callback: (value) => number(value, value < 1 ? 2 : 0)}},
      yScale: {min: 0, max: 100},
      tooltip: (item) => item.dataset.label + ": " + number(item.raw.y, 2) + " % within " +
        number(item.raw.x, 1) + " us",
      sets: curves.map((curve, index) => ({label: curve.name, color: jobColor(index),
        dash: jobDash(index), points: curve.us.map((x, i) => ({x: x, y: curve.pct[i]}))})),
      head: ["percent", ...curves.map((curve) => curve.name + " (us)")],
      rows: [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99].map((percent) =>
        [String(percent), ...curves.map((curve) =>
          number(curve.us[curve.pct.findIndex((value) => value >= percent)], 1))])});
  };

  // Fetched commands per class beside what the weights say.
  const shares = (parent, variant, level) => {
    if (!variant.weights) return;
    const fetched = variant.device.fetched_by_class;
    const used = ["high", "medium", "low"].filter((name) => fetched[name] > 0);
    if (!used.length) return;
    const weight = (name) => variant.weights[["high", "medium", "low"].indexOf(name)];
    const part = (value) => (name) =>
      100 * value(name) / used.reduce((all, other) => all + value(other), 0);
    const wanted = used.map(part(weight));
    const got = used.map(part((name) => fetched[name]));
    plot(parent, {
      title: "Shares of the weighted classes, variant " + variant.name, type: "bar", level: level,
      note: "Weights " + variant.weights.join(":") + ". They decide where every class has " +
        "commands waiting; a class that has none leaves its share to the others.",
      x: "class", y: "commands (%)", labels: used,
      sets: [{label: "by weight", color: "--c4", points: wanted},
        {label: "fetched", color: "--c0", points: got}],
      head: [classText("class"), "weight", "by weight %", "fetched", "fetched %"],
      rows: used.map((name, i) => [classText(name), String(weight(name)), number(wanted[i], 2),
        number(fetched[name], 0), number(got[i], 2)])});
  };

  const publishedMeasured = (parent, variant, level) => {
    if (!variant.compare.length) return;
    const label = (c) => c.job + " " + c.metric;
    plot(parent, {
      title: "Measured in percent of published, variant " + variant.name, type: "bar",
      level: level, x: "job and metric", y: "measured / published (%)",
      labels: variant.compare.map(label),
      sets: [{label: "published", color: "--c4", points: variant.compare.map(() => 100)},
        {label: "measured", color: "--c0",
          points: variant.compare.map((c) => 100 * c.measured / c.published)}],
      head: ["job and metric", "published", "measured", classText("unit")],
      rows: variant.compare.map((c) => [label(c), number(c.published, 0), number(c.measured, 1),
        classText(c.unit)])});
  };

  const depths = (parent, variant, level) => {
    const {begin_s: begin, bucket_s: width, in_drive: drive, waiting} = variant.depths;
    if (!drive.length) return;
    const at = (index) => begin + (index + 0.5) * width;
    const names = classes.filter((name) => waiting[name]);
    const sets = names.map((name) => ({label: "waiting in " + name + " queues",
      color: classColors[name], values: waiting[name]}));
    if (variant.device.arbitration === "rr" && sets.length === 1) {
      Object.assign(sets[0], {label: "waiting in queues", color: "--c0"});
    }
    sets.push({label: "in the drive", color: "--c4", dash: [6, 3], values: drive});
    plot(parent, {
      title: "Commands waiting and in the drive, variant " + variant.name, level: level,
      x: "simulated time (s), 0: counting begins", y: "commands (mean)",
      xScale: {min: begin, max: begin + drive.length * width, ticks: {maxTicksLimit: 8,
        callback: (value) => number(value, 3)}},
      sets: sets.map((set) => ({...set,
        points: set.values.map((y, i) => ({x: at(i), y: y}))})),
      head: ["time (s)", ...sets.map((set) => set.label)],
      rows: drive.map((unused, i) => [number(at(i), 6),
        ...sets.map((set) => number(set.values[i], 2))])});
  };

  // Only queues that have a grant get a line.
  const grants = (parent, variant, level) => {
    const {time_us: times, sqid, class: of, count} = variant.grants;
    if (!times.length) return;
    const isRr = variant.device.arbitration === "rr";
    const used = classes.filter((name) => of.includes(name));
    const queues = [...new Set(sqid)].sort((a, b) => a - b);
    plot(parent, {
      wide: true, type: "scatter", level: level,
      title: "The first " + number(times.length, 0) + " grants of I/O, variant " + variant.name,
      x: "time since the first I/O grant (us)", y: "submission queue (id)",
      zoom: {min: 0, max: times[times.length - 1] || 1, unit: "us"},
      yScale: {min: -0.5, max: queues.length - 0.5, afterBuildTicks: (scale) => {
        const step = Math.ceil(queues.length / 24);
        scale.ticks = queues.map((unused, line) => ({value: line}))
          .filter((tick) => tick.value % step === 0);
      }, ticks: {autoSkip: false, callback: (line) => String(queues[line])}},
      sets: used.map((name) => ({
        label: isRr ? "queues, round robin" : name + " queues",
        color: isRr ? "--c0" : classColors[name], shape: isRr ? "circle" : classShapes[name],
        points: times.map((x, i) => ({x: x, y: queues.indexOf(sqid[i]), sqid: sqid[i],
          of: of[i], count: count[i]})).filter((point) => point.of === name)})),
      tooltip: (item) => "SQ " + item.raw.sqid + " at " + number(item.raw.x, 2) + " us, " +
        item.raw.count + (item.raw.count === 1 ? " command" : " commands"),
      head: ["time (us)", "SQ", classText("class"), "commands"],
      rows: times.map((time, i) => [number(time, 3), String(sqid[i]), classText(of[i]),
        String(count[i])])});
  };

  return (parent, variant, level) => {
    overTime(parent, variant, level, linesOfJobs(variant), "");
    overTime(parent, variant, level, linesOfClasses(variant), " by class");
    latencyCdf(parent, variant, level);
    depths(parent, variant, level);
    shares(parent, variant, level);
    publishedMeasured(parent, variant, level);
    grants(parent, variant, level);
  };
})();
