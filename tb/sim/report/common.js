// SPDX-License-Identifier: Apache-2.0
// What the pages share: elements, tables, plots with their numbers, colours.
"use strict";
const nvmearb = (() => {
  const run = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const charts = [];

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

  // head and rows: arrays of strings or {text, className}
  const table = (parent, caption, head, rows) => {
    const scroll = add(parent, "div", undefined, "scroll");
    scroll.tabIndex = 0;  // so that the arrow keys scroll it
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
      for (const cell of row) {
        const plain = typeof cell === "string";
        add(line, "td", plain ? cell : cell.text, plain ? undefined : cell.className);
      }
    }
  };

  // A plot with a title, axis labels with units, and its numbers in a table below.
  const plot = (parent, options) => {
    const figure = add(parent, "figure", undefined, options.wide ? "wide" : undefined);
    add(figure, "h3", options.title);
    const canvas = add(add(figure, "div", undefined, "canvas"), "canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", options.title + ". The numbers are in the table below.");
    const axis = (label, extra) => ({
      type: "linear", title: {display: true, text: label}, ...extra});
    const chart = new Chart(canvas, {
      type: options.scatter ? "scatter" : "line",
      data: {datasets: options.sets.map((set) => ({
        label: set.label, data: set.points, colorName: set.color, pointStyle: set.shape,
        pointRadius: options.scatter || options.dots ? 2.5 : 0, pointHitRadius: 6, borderWidth: 2,
        borderDash: set.dash || []}))},
      options: {
        animation: false, parsing: false, normalized: true, maintainAspectRatio: false,
        interaction: options.scatter ? {mode: "nearest", intersect: true}
                                     : {mode: "index", intersect: false},
        plugins: {
          legend: {position: "top", align: "start",
            labels: {usePointStyle: true, boxWidth: 12, boxHeight: 7, padding: 12}},
          tooltip: {callbacks: options.tooltip ? {label: options.tooltip} : {}}},
        scales: {x: axis(options.x, options.xScale), y: axis(options.y, options.yScale || {beginAtZero: true, grace: "5%"})}}});
    charts.push(chart);
    const details = add(figure, "details");
    add(details, "summary", "Numbers of this plot");
    table(details, options.title, options.head, options.rows);
  };

  const paint = () => {
    for (const chart of charts) {
      for (const set of chart.data.datasets) {
        set.borderColor = set.backgroundColor = color(set.colorName);
      }
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
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  return {run, page, add, number, table, plot, paint, jobColor};
})();
