// The parts that the page is made of: elements, tables and figures.
"use strict";

const colors = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"];

// An attribute on... is a listener. key: names the element among those that are drawn again.
function make(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "key") out.dataset.key = value;
    else if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else if (name in out) out[name] = value;
    else out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

// Draws the children of an element again. The focus stays on the element with the same key.
function replace(parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children);
  if (key !== undefined) [...parent.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus({ preventScroll: true });
}

function numberText(value) {
  if (typeof value !== "number") return value ?? "";
  const rounded = Number(value.toPrecision(6));
  return rounded !== 0 && Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
}

function timeText(seconds) {
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(seconds / 60 % 60)}:${two(seconds % 60)}`;
}

function sizeText(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let n = 0;
  for (; bytes >= 1000 && n < 4; ++n) bytes /= 1000;
  return (n ? bytes.toPrecision(3) : bytes) + " " + units[n];
}

// ---- tables

function table(heads, rows) {
  return make("div", { className: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, n) => n ? make("td", { className: "wrap" }, cell) : make("th", { scope: "row" }, cell)))))));
}

// The cells of a Markdown table, or null if the text is something else.
function tableOfText(text) {
  const lines = text.trim().split("\n");
  if (lines.length < 2 || !lines.every((line) => line.startsWith("|")) || !/^\|( *:?-+:? *\|)+ *$/.test(lines[1])) return null;
  const cells = (line) => line.replace(/^\|/, "").replace(/\|\s*$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return { columns: cells(lines[0]), rows: lines.slice(2).map(cells) };
}

// In a confusion matrix each count is shaded by its share of the row.
function numberTable({ columns, rows }, name) {
  const out = table(columns, rows);
  if (!/confusion/i.test(name)) return out;
  out.querySelectorAll("tbody tr").forEach((line, row) => {
    const counts = rows[row].slice(1, rows.length + 1).map(Number), sum = counts.reduce((all, one) => all + one, 0);
    [...line.children].slice(1, rows.length + 1).forEach((cell, n) => {
      cell.className = "count";
      if (sum > 0 && counts[n] > 0) cell.style.background = `color-mix(in srgb, ${n === row ? colors[0] : colors[1]} ${Math.round(10 + 60 * counts[n] / sum)}%, transparent)`;
    });
  });
  out.prepend(make("p", { className: "hint" }, "Rows: target. Columns: prediction. Shaded by the share of the row."));
  return out;
}

// ---- figures

function drawn(tag, attributes = {}, ...children) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  out.append(...children);
  return out;
}

const figure = (width, height, label, ...children) =>
  drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, fill: "currentColor", "font-size": 11 }, ...children);

function histogram(one) {
  const width = 240, height = 120, low = Math.min(one.lowest, one.limits[0]), high = one.limits.at(-1), range = high - low || 1, most = Math.max(...one.counts, 1);
  const bars = one.limits.map((limit, n) => {
    const left = n ? one.limits[n - 1] : low;
    return drawn("rect", { x: (left - low) / range * width, width: Math.max(0.5, (limit - left) / range * width), y: height - one.counts[n] / most * height,
      height: one.counts[n] / most * height, fill: colors[0] });
  });
  return make("div", {}, figure(width, height, `histogram from ${numberText(one.lowest)} to ${numberText(high)}`, ...bars),
    make("p", { className: "hint" }, `${numberText(low)} to ${numberText(high)}`));
}

// precision and recall of thresholds from 0 to 1.
function prCurve(one) {
  const size = 220, left = 30, n = one.precision.length, x = (recall) => left + recall * size, y = (precision) => 8 + (1 - precision) * size;
  const area = one.precision.reduce((sum, precision, i) => sum + precision * (one.recall[i] - (one.recall[i + 1] ?? 0)), 0);
  const points = one.recall.map((recall, i) => [recall, one.precision[i]]).filter(([recall, precision]) => recall > 0 || precision > 0);
  const ticks = [0, 0.5, 1].flatMap((tick) => [
    drawn("text", { x: left - 4, y: y(tick) + 4, "text-anchor": "end" }, tick), drawn("text", { x: x(tick), y: size + 24, "text-anchor": "middle" }, tick),
    drawn("path", { d: `M${left} ${y(tick)}H${left + size}M${x(tick)} 8V${size + 8}`, stroke: "currentColor", "stroke-opacity": 0.2, fill: "none" })]);
  const rows = one.recall.map((recall, i) => [numberText(i / (n - 1)), numberText(one.precision[i]), numberText(recall)]).filter((row, i) => i % Math.ceil(n / 20) === 0);
  return make("div", {},
    figure(left + size + 12, size + 44, `precision by recall; average precision ${numberText(area)}`, ...ticks,
      drawn("text", { x: left + size / 2, y: size + 40, "text-anchor": "middle" }, "recall (precision upwards)"),
      drawn("polyline", { points: points.map(([recall, precision]) => `${x(recall)},${y(precision)}`).join(" "), fill: "none", stroke: colors[0], "stroke-width": 2 })),
    make("p", { className: "hint" }, `average precision ${numberText(area)}`),
    make("details", {}, make("summary", {}, "values"), table(["threshold", "precision", "recall"], rows)));
}

// Where the values of an axis lie, from 0 (below) to 1: numbers by their size, logarithmic if they span three decades;
// other texts in alphabetical order.
function axisScale(values) {
  const numbers = values.filter((value) => value !== "").map(Number);
  if (numbers.length && numbers.every(Number.isFinite)) {
    const low = Math.min(...numbers), high = Math.max(...numbers), log = low > 0 && high / low >= 1000;
    const of = log ? Math.log : (value) => value, range = of(high) - of(low);
    return { place: (value) => value === "" ? null : range ? (of(Number(value)) - of(low)) / range : 0.5, ticks: low === high ? [low] : [low, high] };
  }
  const texts = [...new Set(values.map(String))].sort();
  return { place: (value) => texts.length > 1 ? texts.indexOf(String(value)) / (texts.length - 1) : 0.5, ticks: texts.length > 12 ? [texts[0], texts.at(-1)] : texts };
}

// runs: from the best to the worst by the last axis, which gives the colour. axes: [{ name, of }].
function parallelCoordinates(runs, axes) {
  const apart = 150, left = 70, top = 34, height = 260, scales = axes.map((axis) => axisScale(runs.map(axis.of)));
  const x = (n) => left + n * apart, y = (place) => top + (1 - place) * height;
  const lines = runs.map((run, rank) => {
    const points = axes.map((axis, n) => [n, scales[n].place(axis.of(run))]).filter(([, place]) => place !== null);
    const share = runs.length > 1 ? rank / (runs.length - 1) : 0;
    const path = drawn("path", { d: points.map(([n, place], i) => `${i ? "L" : "M"}${x(n)} ${y(place).toFixed(1)}`).join(""), fill: "none",
      stroke: `hsl(${Math.round(210 - 185 * share)} 75% 48%)`, "stroke-opacity": runs.length > 100 ? 0.35 : 0.8, "stroke-width": 1.5 },
      drawn("title", {}, `${run.name}: ` + axes.map((axis) => `${axis.name} ${numberText(axis.of(run))}`).join(", ")));
    path.dataset.run = run.id;
    return path;
  }).reverse();  // the best ones on top
  const rules = axes.flatMap((axis, n) => [
    drawn("path", { d: `M${x(n)} ${top}V${top + height}`, stroke: "currentColor", "stroke-opacity": 0.5 }),
    drawn("text", { x: x(n), y: n % 2 ? 26 : 12, "text-anchor": "middle", "font-weight": "bold" }, axis.name.length > 40 ? "..." + axis.name.slice(-37) : axis.name),
    ...scales[n].ticks.map((tick) => drawn("text", { x: x(n) + 5, y: y(scales[n].place(tick)) + 4 }, String(numberText(tick)).slice(0, 18)))]);
  const svg = figure(left * 2 + (axes.length - 1) * apart, top + height + 16,
    `${runs.length} runs as lines through ${axes.map((axis) => axis.name).join(", ")}; blue lines are the best by ${axes.at(-1).name}. The table below has the values.`, ...rules, ...lines);
  svg.classList.add("parallel");
  return svg;
}
