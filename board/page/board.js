// The page of host board. State lives here; every view is drawn from it.
"use strict";

const colors = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"];
const shownAtFirst = 10;  // of the runs
const seedOption = "trainer.seed_everything";
const views = ["curves", "media", "compare", "run"];

const state = {
  runs: [],            // as /api/runs gives them
  shown: new Set(),    // ids of the runs in the charts
  known: new Set(),    // ids that have been seen, so that new ones are shown
  color: new Map(),    // id -> color
  metrics: {},         // id -> as /api/metrics gives them
  sort: { by: "name", down: false },
  focus: null,         // the run of the Run view
  details: {},         // id -> as /api/run gives it
  view: "curves",
};
const charts = new Map();  // name of a metric -> { box, plot, legend, graph, drawn }
const element = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else if (name in out) out[name] = value;
    else out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok && answer.status !== 404) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const numberText = (value) => typeof value === "number" ? String(Number(value.toPrecision(6))) : value ?? "";

// ---- the table of runs

function columns() {
  const options = new Set(), metrics = new Set();
  for (const run of state.runs) {
    Object.keys(run.options).forEach((name) => options.add(name));
    Object.keys(run.metrics).filter((name) => !name.endsWith("_step")).forEach((name) => metrics.add(name));
  }
  const monitors = new Set(state.runs.filter((run) => run.best !== null).map((run) => run.monitor));
  const best = monitors.size === 1 && [...monitors][0] ? "best " + [...monitors][0] : "best";
  return [
    { name: "name", title: "run", of: (run) => run.name },
    { name: "state", title: "state", of: (run) => run.state },
    { name: "epoch", title: "epoch", of: (run) => run.epoch === null ? "" : run.epoch + 1 },
    { name: "step", title: "step", of: (run) => run.step ?? "" },
    { name: "best", title: best, of: (run) => run.best ?? "" },
    ...[...metrics].sort().slice(0, 8).map((name) => ({ name: "metric " + name, title: name, of: (run) => run.metrics[name] ?? "" })),
    ...[...options].slice(0, 12).map((name) => ({ name: "option " + name, title: name, of: (run) => run.options[name] ?? "" })),
  ];
}

function compare(a, b) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const x = Number(a), y = Number(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function filteredRuns() {
  const words = element("run-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  return state.runs.filter((run) => {
    const text = [run.name, run.state, run.model, run.data, ...Object.entries(run.options).map(([k, v]) => k + "=" + v)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function drawRuns() {
  const all = columns(), by = all.find((column) => column.name === state.sort.by) ?? all[0];
  const runs = filteredRuns().sort((a, b) => {
    const x = by.of(a), y = by.of(b);
    if (x === "" || y === "") return compare(x, y);  // missing values stay last
    return (state.sort.down ? -1 : 1) * compare(x, y);
  });
  const head = make("tr", {}, make("th", { scope: "col" }, "shown"));
  for (const column of all) {
    const sorted = column.name === by.name;
    head.append(make("th", { scope: "col", ariaSort: sorted ? (state.sort.down ? "descending" : "ascending") : "none" },
      make("button", { type: "button", onclick: () => { state.sort = { by: column.name, down: sorted && !state.sort.down }; drawRuns(); } },
        column.title + (sorted ? (state.sort.down ? " ▾" : " ▴") : ""))));
  }
  element("run-table").tHead.replaceChildren(head);
  element("run-table").tBodies[0].replaceChildren(...runs.map((run) => {
    const box = make("input", { type: "checkbox", checked: state.shown.has(run.id), ariaLabel: "show " + run.name,
      onchange: () => { box.checked ? state.shown.add(run.id) : state.shown.delete(run.id); update(); } });
    const swatch = make("span", { className: "swatch" });
    swatch.style.background = state.color.get(run.id);
    const row = make("tr", { className: run.id === state.focus ? "focus" : "" }, make("td", {}, box));
    for (const column of all) {
      const value = column.of(run);
      if (column.name === "name")
        row.append(make("td", {}, swatch, make("button", { className: "link", type: "button", onclick: () => focusRun(run.id) }, value)));
      else
        row.append(make("td", { className: column.name === "state" ? value.replace(" ", "-") : "", title: column.name === "state" ? run.problem : "" }, numberText(value)));
    }
    return row;
  }));
}

// ---- curves

function parsedName(name) {
  const stage = name.match(/^(train|val|test)[_/](.+)$/);
  const rest = stage ? stage[2] : name;
  const kind = rest.match(/^(.+)_(step|epoch)$/);
  return { base: kind ? kind[1] : rest, stage: stage ? stage[1] : "", kind: kind ? kind[2] : "" };
}

// Exponential moving average without bias towards the first value. Gaps stay gaps.
function smoothed(values, weight) {
  if (weight <= 0) return values;
  let last = 0, n = 0;
  return values.map((value) => {
    if (value === null) return null;
    last = last * weight + (1 - weight) * value;
    return last / (1 - Math.pow(weight, ++n));
  });
}

// All series by the name of their metric: { base: [{ label, color, dashed, group, xs, ys }] }
function seriesByMetric() {
  const axis = element("axis").value, weight = Number(element("smoothing").value), out = {};
  for (const run of state.runs.filter((one) => state.shown.has(one.id)))
    for (const [name, metric] of Object.entries(state.metrics[run.id] ?? {})) {
      const { base, stage, kind } = parsedName(name);
      if (new Set(metric.steps).size < 2) continue;
      const what = [stage, kind].filter(Boolean).join(" ");
      const { [seedOption]: seed, ...others } = run.options;
      (out[base] ??= []).push({
        label: [run.name, what].filter(Boolean).join(" "), what, group: JSON.stringify([others, what]), id: run.id, dashed: stage === "val",
        color: state.color.get(run.id), xs: metric[axis], ys: smoothed(metric.values, weight),
      });
    }
  return out;
}

// Runs that differ in their seed alone become one series of [lowest, mean, highest].
function bands(series) {
  const groups = new Map();
  for (const one of series) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups.values()].map((members) => {
    const at = new Map();
    for (const one of members)
      one.xs.forEach((x, i) => { if (one.ys[i] !== null && x !== null) at.set(x, [...(at.get(x) ?? []), one.ys[i]]); });
    const xs = [...at.keys()].sort((a, b) => a - b);
    const ys = xs.map((x) => {
      const values = at.get(x);
      return [Math.min(...values), values.reduce((sum, value) => sum + value, 0) / values.length, Math.max(...values)];
    });
    const label = members.length === 1 ? members[0].label : `${members[0].label} and ${members.length - 1} more`;
    return { ...members[0], label, xs, ys };
  });
}

// Rows of Dygraph: [x, value of each series]; null = no value there, NaN = a gap.
function tableOf(series, band) {
  const rows = new Map();
  series.forEach((one, n) => one.xs.forEach((x, i) => {
    if (x === null) return;
    if (!rows.has(x)) rows.set(x, [x, ...series.map(() => null)]);
    const y = one.ys[i];
    rows.get(x)[n + 1] = y === null ? (band ? [NaN, NaN, NaN] : NaN) : y;
  }));
  return [...rows.values()].sort((a, b) => a[0] - b[0]);
}

function chartBox(base) {
  const plot = make("div", { className: "plot" }), legend = make("div", { className: "legend" });
  const box = make("figure", { className: "chart", role: "group", ariaLabel: "curve of " + base }, make("h2", {}, base), plot, legend);
  return { box, plot, legend, graph: null, drawn: "" };
}

function unique(labels) {
  const seen = new Map();
  return labels.map((label) => {
    const n = (seen.get(label) ?? 0) + 1;
    seen.set(label, n);
    return n === 1 ? label : `${label} (${n})`;
  });
}

function drawCurves() {
  const band = element("seeds").checked, logarithmic = element("log-scale").checked, all = seriesByMetric();
  const filter = element("metric-filter").value.toLowerCase();
  const names = Object.keys(all).filter((name) => name.toLowerCase().includes(filter)).sort();
  for (const [name, chart] of charts)
    if (!names.includes(name)) { chart.graph?.destroy(); chart.box.remove(); charts.delete(name); }
  for (const [place, base] of names.entries()) {
    if (!charts.has(base)) charts.set(base, chartBox(base));
    const chart = charts.get(base), series = band ? bands(all[base]) : all[base];
    if (element("charts").children[place] !== chart.box) element("charts").insertBefore(chart.box, element("charts").children[place] ?? null);
    const labels = unique(series.map((one) => one.label));
    const file = tableOf(series, band);
    const drawn = JSON.stringify([labels, series.map((one) => one.color), band, logarithmic, file]);
    if (drawn === chart.drawn) continue;
    chart.drawn = drawn;
    const options = {
      file, labels: [element("axis").value.slice(0, -1), ...labels], customBars: band, logscale: logarithmic, connectSeparatedPoints: true,
      series: Object.fromEntries(labels.map((label, n) => [label, { color: series[n].color, strokePattern: series[n].dashed ? [6, 3] : null }])),
    };
    if (chart.graph) { chart.graph.updateOptions(options); continue; }
    const { file: data, ...others } = options;
    chart.graph = new Dygraph(chart.plot, data, { ...others, legend: "always", labelsDiv: chart.legend, digitsAfterDecimal: 6, strokeWidth: 1.5,
      axisLineColor: "#888", gridLineColor: "#8884", highlightCircleSize: 3, axes: { y: { axisLabelWidth: 60 } } });
  }
  element("charts").dataset.count = names.length;
  if (names.length === 0) element("charts").textContent = state.shown.size ? "These runs have no metric of several steps yet." : "Choose runs on the left.";
  else for (const node of [...element("charts").childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
}

// ---- pictures, sounds, texts and histograms

const mediaSteps = new Map();  // tag -> the step that is shown; without an entry the last one is

function histogram(one) {
  const width = 240, height = 120, names = "http://www.w3.org/2000/svg", svg = document.createElementNS(names, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `histogram from ${numberText(one.lowest)} to ${numberText(one.limits.at(-1))}`);
  const low = Math.min(one.lowest, one.limits[0]), range = one.limits.at(-1) - low || 1, most = Math.max(...one.counts, 1);
  one.limits.forEach((limit, n) => {
    const left = n ? one.limits[n - 1] : low, bar = document.createElementNS(names, "rect");
    bar.setAttribute("x", (left - low) / range * width);
    bar.setAttribute("width", Math.max(0.5, (limit - left) / range * width));
    bar.setAttribute("y", height - one.counts[n] / most * height);
    bar.setAttribute("height", one.counts[n] / most * height);
    bar.setAttribute("fill", colors[0]);
    svg.append(bar);
  });
  return make("div", {}, svg, make("p", { className: "hint" }, `${numberText(low)} to ${numberText(one.limits.at(-1))}`));
}

function sample(id, one) {
  const address = `media?run=${encodeURIComponent(id)}&place=${one.place}&step=${one.step}`;
  if (one.kind === "image") return make("img", { src: address, alt: `${one.tag}, step ${one.step}` });
  if (one.kind === "audio") return make("audio", { src: address, controls: true, ariaLabel: `${one.tag}, step ${one.step}` });
  return one.kind === "text" ? make("pre", { tabIndex: 0 }, one.text) : histogram(one);
}

let drawnMedia = "";
async function drawMedia() {
  const runs = state.runs.filter((run) => state.shown.has(run.id)).slice(0, 12);
  const found = runs.length ? await ask("api/media?" + runs.map((run) => "run=" + encodeURIComponent(run.id)).join("&")) : {};
  const text = JSON.stringify([found, [...mediaSteps]]);
  if (text === drawnMedia) return;
  drawnMedia = text;
  const tags = new Map();  // kind and tag -> [{ run, one }]
  for (const run of runs)
    (found[run.id] ?? []).forEach((one, place) => {
      const key = one.kind + " " + one.tag;
      tags.set(key, [...(tags.get(key) ?? []), { run, one: { ...one, place } }]);
    });
  const sections = [...tags.entries()].sort().map(([key, all]) => {
    const steps = [...new Set(all.map(({ one }) => one.step))].sort((a, b) => a - b);
    const step = mediaSteps.get(key) ?? steps.at(-1);
    const slider = make("input", { type: "range", min: 0, max: steps.length - 1, value: Math.max(0, steps.indexOf(step)),
      onchange: () => { mediaSteps.set(key, steps[slider.value]); drawMedia(); } });
    const samples = runs.map((run) => {
      const one = all.filter((other) => other.run === run && other.one.step <= step).at(-1)?.one;
      if (!one) return "";
      const swatch = make("span", { className: "swatch" });
      swatch.style.background = state.color.get(run.id);
      return make("figure", {}, make("figcaption", {}, swatch, `${run.name}, step ${one.step}`), sample(run.id, one));
    });
    return make("section", {}, make("h2", {}, all[0].one.tag),
      steps.length > 1 ? make("label", {}, `step ${step} `, slider) : "", make("div", { className: "samples" }, ...samples));
  });
  element("media").replaceChildren(...(sections.length ? sections : ["These runs have logged no pictures, sounds, texts or histograms."]));
}

// ---- comparison and one run

function table(heads, rows) {
  return make("div", { className: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, n) => n ? make("td", { className: "wrap" }, cell) : make("th", { scope: "row" }, cell)))))));
}

async function detailsOf(ids) {
  const found = await Promise.all(ids.map((id) => ask("api/run?run=" + encodeURIComponent(id))));
  ids.forEach((id, n) => { state.details[id] = found[n]; });
  return found.filter(Boolean);
}

async function drawCompare() {
  const runs = await detailsOf(state.runs.filter((run) => state.shown.has(run.id)).slice(0, 12).map((run) => run.id));
  const values = runs.map((run) => new Map(run.settings.map(([name, value]) => [name, value])));
  const names = [...new Set(runs.flatMap((run) => run.settings.map(([name]) => name)))];
  const different = names.filter((name) => new Set(values.map((own) => own.get(name))).size > 1);
  const rows = different.map((name) => [name, ...values.map((own) => own.get(name) ?? "")]);
  element("compare").replaceChildren(make("h2", {}, "Options that differ"),
    runs.length < 2 ? "Show two or more runs to compare them." : rows.length ? table(["option", ...runs.map((run) => run.name)], rows) : "All options are equal.");
}

function sizeText(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let n = 0;
  for (; bytes >= 1000 && n < 4; ++n) bytes /= 1000;
  return (n ? bytes.toPrecision(3) : bytes) + " " + units[n];
}

async function drawRun() {
  const id = state.focus ?? [...state.shown][0];
  if (!id) { element("run").replaceChildren("Choose a run on the left."); return; }
  const [run] = await detailsOf([id]);
  if (!run) { element("run").replaceChildren("This run is gone."); return; }
  const set = run.settings.filter(([, , origin]) => origin), defaults = run.settings.filter(([, , origin]) => !origin);
  const before = element("run").querySelector("pre"), atEnd = !before || before.scrollTop + before.clientHeight >= before.scrollHeight - 4;
  const log = make("pre", { tabIndex: 0, ariaLabel: "log.txt" }, run.log), open = element("run").querySelector("details")?.open ?? false;
  element("run").replaceChildren(make("h2", {}, run.name), make("p", {}, id), ...(run.problem ? [make("p", { className: "failed" }, run.problem)] : []),
    make("h2", {}, "Options that were set"), table(["option", "value", "set by"], set),
    make("details", { open }, make("summary", {}, `${defaults.length} options with their defaults`), table(["option", "value"], defaults.map(([name, value]) => [name, value]))),
    make("h2", {}, "Checkpoints"), run.checkpoints.length ? table(["file", "size", ""], run.checkpoints.map((one) =>
      [one.file, sizeText(one.bytes), [one.best && "best", one.last && "last"].filter(Boolean).join(", ")])) : "none",
    make("h2", {}, "Log"), log);
  log.scrollTop = atEnd || !before ? log.scrollHeight : before.scrollTop;
}

function focusRun(id) {
  state.focus = id;
  drawRuns();
  show("run");
}

// ---- what is shown, and its refresh

function show(view) {
  state.view = view;
  for (const name of views) {
    element(name).hidden = name !== view;
    element("tab-" + name).setAttribute("aria-selected", name === view);
    element("tab-" + name).tabIndex = name === view ? 0 : -1;
  }
  update();
}

async function readRuns() {
  state.runs = await ask("api/runs");
  const unseen = state.runs.filter((run) => !state.known.has(run.id));
  const first = state.known.size === 0;
  for (const run of unseen) {
    state.color.set(run.id, colors[state.known.size % colors.length]);
    state.known.add(run.id);
  }
  // The newest ones: names end with growing numbers.
  const newest = [...unseen].sort((a, b) => compare(a.name, b.name)).slice(first ? -shownAtFirst : -1);
  if (first || state.shown.size < shownAtFirst) newest.forEach((run) => state.shown.add(run.id));
  const here = new Set(state.runs.map((run) => run.id));
  for (const id of state.shown) if (!here.has(id)) state.shown.delete(id);
}

async function drawView() {
  if (state.view === "compare") return drawCompare();
  if (state.view === "run") return drawRun();
  if (state.view === "media") return drawMedia();
  const ids = [...state.shown];
  const points = ids.length > 20 ? 300 : 1200;
  state.metrics = {};
  for (let n = 0; n < ids.length; n += 50)
    Object.assign(state.metrics, await ask(`api/metrics?points=${points}` + ids.slice(n, n + 50).map((id) => "&run=" + encodeURIComponent(id)).join("")));
  drawCurves();
}

let updating = null, again = false, drawnRuns = "";
async function update() {
  if (updating) { again = true; return updating; }
  updating = (async () => {
    try {
      await readRuns();
      const now = JSON.stringify([state.runs, [...state.shown], state.focus, element("run-filter").value]);
      if (now !== drawnRuns) { drawnRuns = now; drawRuns(); }
      await drawView();
      const running = state.runs.filter((run) => run.state === "running").length;
      element("status").textContent = `${state.runs.length} runs, ${running} running, ${state.shown.size} shown`;
    } catch (error) {
      element("status").textContent = "host board does not answer: was it stopped?";
    }
  })();
  await updating;
  updating = null;
  if (again) { again = false; return update(); }
}

function begin() {
  if (location.search) history.replaceState(null, "", location.pathname);  // the cookie has the token now
  for (const id of ["metric-filter", "axis", "log-scale", "seeds"]) element(id).addEventListener("input", drawCurves);
  element("smoothing").addEventListener("input", () => { element("smoothing-value").textContent = element("smoothing").value; drawCurves(); });
  element("run-filter").addEventListener("input", drawRuns);
  element("show-all").addEventListener("click", () => { filteredRuns().forEach((run) => state.shown.add(run.id)); update(); });
  element("show-none").addEventListener("click", () => { filteredRuns().forEach((run) => state.shown.delete(run.id)); update(); });
  for (const [n, name] of views.entries()) {
    element("tab-" + name).addEventListener("click", () => show(name));
    element("tab-" + name).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: views.length - 1 }[event.key];
      if (!step) return;
      const next = views[(n + step) % views.length];
      show(next);
      element("tab-" + next).focus();
    });
  }
  update();
  setInterval(() => { if (!document.hidden) update(); }, 2000);
}

begin();
