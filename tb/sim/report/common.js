// SPDX-License-Identifier: Apache-2.0
// What the pages share: elements, tables, plots with their numbers, colours.
"use strict";
const nvmearb = (() => {
  const run = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const charts = [];
  let ids = 0;

  const add = (parent, tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.appendChild(element);
    return element;
  };
  const number = (value, digits) => value.toLocaleString("en", {
    minimumFractionDigits: digits, maximumFractionDigits: digits});
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // A part of the page with a heading that the navigation leads to.
  const part = (parent, level, title) => {
    const section = add(parent, "section");
    section.id = "part" + ++ids;
    const heading = add(section, "h" + level, title);
    heading.id = section.id + "h";
    section.setAttribute("aria-labelledby", heading.id);
    const nav = document.getElementById("nav");
    const link = add(nav, "a", title);
    link.href = "#" + section.id;
    return section;
  };

  // head and rows: arrays of strings or {text, className}
  const table = (parent, caption, head, rows) => {
    const scroll = add(parent, "div", undefined, "scroll");
    scroll.tabIndex = 0;  // so that the arrow keys scroll it
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", caption);
    const element = add(scroll, "table");
    add(element, "caption", caption);
    const top = add(add(element, "thead"), "tr");
    for (const cell of head) {
      const plain = typeof cell === "string";
      add(top, "th", plain ? cell : cell.text, plain ? undefined : cell.className).scope = "col";
    }
    const body = add(element, "tbody");
    for (const row of rows) {
      const line = add(body, "tr");
      row.forEach((cell, index) => {
        const plain = typeof cell === "string";
        const box = add(line, index ? "td" : "th", plain ? cell : cell.text,
          plain ? undefined : cell.className);
        if (!index) box.scope = "row";
      });
    }
    return element;
  };

  // Buttons that move the horizontal window of a chart; `span`: all there is.
  const zoom = (figure, chart, title, span, unit) => {
    const bar = add(figure, "div", undefined, "zoom");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Part of the time that is shown: " + title);
    const shown = {min: span.min, max: span.max};
    const said = document.createElement("output");
    const show = (min, max) => {
      const width = Math.min(max - min, span.max - span.min);
      shown.min = Math.min(Math.max(min, span.min), span.max - width);
      shown.max = shown.min + width;
      chart.options.scales.x.min = shown.min;
      chart.options.scales.x.max = shown.max;
      said.textContent = number(shown.min, 1) + " to " + number(shown.max, 1) + " " + unit;
      chart.update("none");
    };
    const button = (label, name, change) => {
      const element = add(bar, "button", label);
      element.type = "button";
      element.setAttribute("aria-label", name);
      element.addEventListener("click", () => change(shown.max - shown.min));
    };
    button("\u2212", "Zoom out", (width) => show(shown.min - width / 2, shown.max + width / 2));
    button("+", "Zoom in", (width) => show(shown.min + width / 4, shown.max - width / 4));
    button("\u2190", "Earlier", (width) => show(shown.min - width / 2, shown.max - width / 2));
    button("\u2192", "Later", (width) => show(shown.min + width / 2, shown.max + width / 2));
    button("All", "All of the time", () => show(span.min, span.max));
    bar.appendChild(said);
    show(span.min, span.max);
  };

  // A plot with a title, axis labels with units, and its numbers in a table below. options: title,
  // type ("line", "scatter" or "bar"), x, y, sets, head, rows; xScale, yScale, tooltip, dots, wide,
  // labels (of bars), note, zoom ({min, max, unit}), level (of the heading).
  const plot = (parent, options) => {
    const type = options.type || "line";
    const figure = add(parent, "figure", undefined, options.wide ? "wide" : undefined);
    const heading = add(figure, "h" + (options.level || 3), options.title);
    heading.id = "plot" + ++ids;
    figure.setAttribute("aria-labelledby", heading.id);
    if (options.note) add(figure, "p", options.note, "quiet");
    const canvas = add(add(figure, "div", undefined, "canvas"), "canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", options.title + ". The numbers are in the table below.");
    const axis = (label, extra) => ({
      type: "linear", title: {display: true, text: label}, ...extra});
    const chart = new Chart(canvas, {
      type: type,
      data: {labels: options.labels, datasets: options.sets.map((set) => ({
        label: set.label, data: set.points, pointStyle: set.shape,
        borderColor: () => color(set.color), backgroundColor: () => color(set.color),
        pointRadius: type === "scatter" || options.dots ? 2.5 : 0, pointHitRadius: 6,
        borderWidth: type === "bar" ? 0 : 2, borderDash: set.dash || [], stepped: set.stepped,
        maxBarThickness: 48}))},
      options: {
        animation: false, normalized: true, maintainAspectRatio: false,
        parsing: type === "bar" ? undefined : false,
        interaction: type === "line" ? {mode: "index", intersect: false}
                                     : {mode: "nearest", intersect: true},
        plugins: {
          legend: {position: "top", align: "start",
            labels: {usePointStyle: true, boxWidth: 12, boxHeight: 7, padding: 12}},
          tooltip: {callbacks: options.tooltip ? {label: options.tooltip} : {}}},
        scales: {
          x: axis(options.x, type === "bar" ? {type: "category"} : options.xScale),
          y: axis(options.y, options.yScale || {beginAtZero: true, grace: "5%"})}}});
    charts.push(chart);
    if (options.zoom) zoom(figure, chart, options.title, options.zoom, options.zoom.unit);
    const details = add(figure, "details");
    add(details, "summary", "Numbers of this plot").setAttribute("aria-label",
      "Numbers of this plot: " + options.title);
    details.addEventListener("toggle", () => {  // a page with many plots opens at once
      if (!details.querySelector("table")) {
        table(details, options.title, options.head, options.rows);
      }
    });
  };

  const paint = () => {
    for (const chart of charts) {
      chart.options.plugins.legend.labels.color = color("--text");
      for (const scale of Object.values(chart.options.scales)) {
        scale.grid = {color: color("--line"), borderColor: color("--line")};
        scale.ticks = {...scale.ticks, color: color("--quiet")};
        scale.title.color = color("--quiet");
      }
      chart.update("none");
    }
  };

  const jobColor = (index) => "--c" + (index % 5);
  const jobDash = (index) => [[], [6, 3], [2, 2]][Math.floor(index / 5) % 3];
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  return {run, page, add, number, part, table, plot, paint, jobColor, jobDash};
})();
