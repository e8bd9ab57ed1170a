// The page of host board. State lives here; every view is drawn from it.
"use strict";

const shownAtFirst = 10;  // of the runs
const seedOption = "trainer.seed_everything";
const views = ["curves", "hparams", "media", "system", "compare", "run"];

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
  reading: 0,          // runs whose files are still being read
};
const charts = { curves: new Map(), system: new Map() };  // name of a metric -> { box, plot, legend, graph, drawn }
const element = (id) => document.getElementById(id);

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok && answer.status !== 404) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

// ---- the table of runs

function bestTitle() {
  const monitors = new Set(state.runs.filter((run) => run.best !== null).map((run) => run.monitor));
  return monitors.size === 1 && [...monitors][0] ? "best " + [...monitors][0] : "best";
}

function columns() {
  const options = new Set(), metrics = new Set();
  for (const run of state.runs) {
    Object.keys(run.options).forEach((name) => options.add(name));
    Object.keys(run.metrics).filter((name) => !name.endsWith("_step") && !isSystem(name)).forEach((name) => metrics.add(name));
  }
  return [
    { name: "name", title: "run", of: (run) => run.name },
    { name: "state", title: "state", of: (run) => run.state },
    { name: "epoch", title: "epoch", of: (run) => run.epoch === null ? "" : run.epoch + 1 },
    { name: "step", title: "step", of: (run) => run.step ?? "" },
    { name: "best", title: bestTitle(), of: (run) => run.best ?? "" },
    { name: "started", title: "started", of: (run) => run.started.replace("T", " ") },
    { name: "seconds", title: "time", of: (run) => run.seconds || "", shown: timeText },
    ...(state.runs.some((run) => run.ranks > 1) ? [{ name: "ranks", title: "ranks", of: (run) => run.ranks }] : []),
    ...[...metrics].sort().slice(0, 8).map((name) => ({ name: "metric " + name, title: name, of: (run) => run.metrics[name] ?? "" })),
    ...[...options].slice(0, 12).map((name) => ({ name: "option " + name, title: name, of: (run) => run.options[name] ?? "" })),
  ];
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a, b) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const x = Number(a), y = Number(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return collator.compare(String(a), String(b));
}

function filteredRuns() {
  const words = element("run-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...state.runs];
  return state.runs.filter((run) => {
    const text = [run.name, run.state, run.model, run.data, ...Object.entries(run.options).map(([k, v]) => k + "=" + v)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function cellText(column, run) {
  const value = column.of(run);
  return String(column.shown && value !== "" ? column.shown(value) : numberText(value));
}

function swatchOf(run) {
  const out = make("span", { className: "swatch" });
  out.style.background = state.color.get(run.id);
  return out;
}

function runRow(run, all) {
  const box = make("input", { type: "checkbox", checked: state.shown.has(run.id), ariaLabel: "show " + run.name, key: "show " + run.id,
    onchange: () => { box.checked ? state.shown.add(run.id) : state.shown.delete(run.id); update(); } });
  const row = make("tr", { className: run.id === state.focus ? "focus" : "" }, make("td", {}, box));
  for (const column of all) {
    const text = cellText(column, run);
    if (column.name === "name")
      row.append(make("td", {}, swatchOf(run), make("button", { className: "link", type: "button", key: "run " + run.id, onclick: () => focusRun(run.id) }, text)));
    else if (column.name === "state") row.append(make("td", { className: text.replace(" ", "-"), title: run.problem }, text));
    else row.append(make("td", {}, text));
  }
  return row;
}

// A row of the longest text of each column.
function widestRow(runs, all) {
  const longest = (column) => runs.reduce((most, run) => { const text = cellText(column, run); return text.length > most.length ? text : most; }, "");
  const row = make("tr", { className: "widest", ariaHidden: "true" }, make("td"));
  for (const column of all) row.append(make("td", {}, ...(column.name === "name" ? [make("span", { className: "swatch" })] : []), longest(column)));
  return row;
}

let runTable = null;
function drawRuns() {
  const all = columns(), by = all.find((column) => column.name === state.sort.by) ?? all[0];
  const runs = filteredRuns().sort((a, b) => {
    const x = by.of(a), y = by.of(b);
    if (x === "" || y === "") return compare(x, y);  // missing values stay last
    return (state.sort.down ? -1 : 1) * compare(x, y);
  });
  const head = make("tr", { ariaRowIndex: 1 }, make("th", { scope: "col" }, "shown"));
  for (const column of all) {
    const sorted = column.name === by.name;
    head.append(make("th", { scope: "col", ariaSort: sorted ? (state.sort.down ? "descending" : "ascending") : "none" },
      make("button", { type: "button", key: "sort " + column.name, onclick: () => { state.sort = { by: column.name, down: sorted && !state.sort.down }; drawRuns(); } },
        column.title + (sorted ? (state.sort.down ? " ▾" : " ▴") : ""))));
  }
  replace(element("run-table").tHead, head);
  runTable ??= new LongTable(element("run-table"), element("runs"), (run) => run.id);
  runTable.show(runs, { draw: (run) => runRow(run, all), widest: widestRow(runs, all) });
}

// ---- curves

// What callbacks log of the machine: device_stats_monitor, gpu_memory_monitor and throughput_monitor.
const isSystem = (name) => /^DeviceStatsMonitor\.|^gpu_id: |^(min|max)_gpu_mem$|^train\/(device\/|batches$|samples$|time$)/.test(name);

function parsedName(name) {
  if (isSystem(name)) {
    const parts = name.replace("DeviceStatsMonitor.", "").split("/");
    return { base: parts.pop(), stage: parts.join("/"), kind: "" };
  }
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
function seriesByMetric(wanted) {
  const axis = element("axis").value, weight = Number(element("smoothing").value), out = {};
  for (const run of state.runs.filter((one) => state.shown.has(one.id)))
    for (const [name, metric] of Object.entries(state.metrics[run.id] ?? {})) {
      if (!wanted(name)) continue;
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
  const plot = make("div", { className: "plot", tabIndex: 0, role: "img" }), legend = make("div", { className: "legend" });
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

// What a screen reader says of a chart.
const spoken = (base, series, band) => `curve of ${base}: ` + series.slice(0, 20).map((one) => {
  const ys = one.ys.map((y) => band ? y[1] : y).filter((y) => y !== null);
  return `${one.label} from ${numberText(ys[0])} to ${numberText(ys.at(-1))}, lowest ${numberText(Math.min(...ys))}, highest ${numberText(Math.max(...ys))}`;
}).join("; ");

// + and - zoom, arrows move, 0 shows everything.
function zoomByKey(graph, event) {
  const [left, right] = graph.xAxisRange(), size = right - left, middle = (left + right) / 2;
  const windows = { "+": [middle - size / 4, middle + size / 4], "-": [middle - size, middle + size],
    ArrowLeft: [left - size / 4, right - size / 4], ArrowRight: [left + size / 4, right + size / 4] };
  if (event.key === "0") graph.resetZoom();
  else if (windows[event.key]) graph.updateOptions({ dateWindow: windows[event.key] });
  else return;
  event.preventDefault();
}

function drawCharts(view, all, none) {
  const place = element(view === "curves" ? "charts" : "system"), own = charts[view];
  const band = element("seeds").checked, logarithmic = element("log-scale").checked;
  const filter = view === "curves" ? element("metric-filter").value.toLowerCase() : "";
  const names = Object.keys(all).filter((name) => name.toLowerCase().includes(filter)).sort();
  for (const [name, chart] of own)
    if (!names.includes(name)) { chart.graph?.destroy(); chart.box.remove(); own.delete(name); }
  for (const [n, base] of names.entries()) {
    if (!own.has(base)) own.set(base, chartBox(base));
    const chart = own.get(base), series = band ? bands(all[base]) : all[base];
    if (place.children[n] !== chart.box) place.insertBefore(chart.box, place.children[n] ?? null);
    const labels = unique(series.map((one) => one.label));
    const file = tableOf(series, band);
    const drawn = JSON.stringify([labels, series.map((one) => one.color), band, logarithmic, file]);
    if (drawn === chart.drawn) continue;
    chart.drawn = drawn;
    chart.plot.setAttribute("aria-label", spoken(base, series, band));
    const options = {
      file, labels: [element("axis").value.slice(0, -1), ...labels], customBars: band, logscale: logarithmic, connectSeparatedPoints: true,
      series: Object.fromEntries(labels.map((label, i) => [label, { color: series[i].color, strokePattern: series[i].dashed ? [6, 3] : null }])),
    };
    if (chart.graph) { chart.graph.updateOptions(options); continue; }
    const { file: data, ...others } = options;
    chart.graph = new Dygraph(chart.plot, data, { ...others, legend: "always", labelsDiv: chart.legend, digitsAfterDecimal: 6, strokeWidth: 1.5,
      axisLineColor: "#888", gridLineColor: "#8884", highlightCircleSize: 3, axes: { y: { axisLabelWidth: 60 } } });
    chart.plot.addEventListener("keydown", (event) => zoomByKey(chart.graph, event));
  }
  place.dataset.count = names.length;
  if (names.length === 0) place.textContent = state.shown.size ? none : "Choose runs on the left.";
  else for (const node of [...place.childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
}

function drawCurves() {
  if (state.view === "system")
    drawCharts("system", seriesByMetric(isSystem), "These runs have logged no system load: --callback device_stats_monitor logs processors and memory, gpu_memory_monitor GPUs, throughput_monitor samples per second.");
  else
    drawCharts("curves", seriesByMetric((name) => !isSystem(name)), state.reading ? "Reading the metrics of these runs ..." : "These runs have no metric of several steps yet.");
}

// ---- hyperparameters

function drawHparams() {
  const metrics = new Set(["best"]);
  for (const run of state.runs) Object.keys(run.metrics).filter((name) => !isSystem(name)).forEach((name) => metrics.add(name));
  const select = element("hparam-metric"), wanted = select.value || "best", names = [...metrics].sort();
  if (JSON.stringify([...select.options].map((one) => one.value)) !== JSON.stringify(names)) {
    select.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    select.value = names.includes(wanted) ? wanted : "best";
  }
  const metric = select.value, options = new Set();
  const runs = filteredRuns();
  runs.forEach((run) => Object.keys(run.options).forEach((name) => options.add(name)));
  const axes = [...[...options].slice(0, 11).map((name) => ({ name, of: (run) => run.options[name] ?? "" })),
    { name: metric === "best" ? bestTitle() : metric, of: (run) => (metric === "best" ? run.best : run.metrics[metric]) ?? "" }];
  if (options.size === 0) { replace(element("hparam-plot"), "All options of these runs are equal."); return; }
  const value = axes.at(-1), up = runs.some((run) => run.larger_is_better);
  const sorted = runs.filter((run) => value.of(run) !== "").sort((a, b) => (up ? -1 : 1) * compare(value.of(a), value.of(b)));
  const light = (id, on) => element("hparam-plot").querySelectorAll("path[data-run]").forEach((path) => path.classList.toggle("lit", on && path.dataset.run === id));
  replace(element("hparam-plot"),
    make("div", { className: "scroll" }, parallelCoordinates(sorted, axes)),
    make("h2", {}, `Runs by ${value.name}`),
    sorted.length < runs.length ? make("p", { className: "hint" }, `${runs.length - sorted.length} runs have no value of ${value.name}.`) : "",
    table(["run", ...axes.map((axis) => axis.name)], sorted.slice(0, 200).map((run) => [
      make("button", { className: "link", type: "button", key: "hparam " + run.id, onclick: () => focusRun(run.id), onfocus: () => light(run.id, true),
        onblur: () => light(run.id, false), onmouseenter: () => light(run.id, true), onmouseleave: () => light(run.id, false) }, run.name),
      ...axes.map((axis) => numberText(axis.of(run)))])));
}

// ---- pictures, sounds, texts, tables, histograms and PR curves

const mediaSteps = new Map();  // tag -> the step that is shown; without an entry the last one is

function sample(id, one) {
  const address = `media?run=${encodeURIComponent(id)}&place=${one.place}&step=${one.step}`;
  if (one.kind === "image") return make("img", { src: address, alt: `${one.tag}, step ${one.step}` });
  if (one.kind === "audio") return make("audio", { src: address, controls: true, ariaLabel: `${one.tag}, step ${one.step}` });
  if (one.kind === "pr_curve") return prCurve(one);
  if (one.kind === "histogram") return histogram(one);
  const cells = tableOfText(one.text);
  return cells ? numberTable(cells, one.tag) : make("pre", { tabIndex: 0 }, one.text);
}

let drawnMedia = "";
async function drawMedia() {
  const runs = state.runs.filter((run) => state.shown.has(run.id)).slice(0, 12);
  const answer = runs.length ? await ask("api/media?" + runs.map((run) => "run=" + encodeURIComponent(run.id)).join("&")) : { runs: {}, reading: [] };
  const found = answer.runs;
  state.reading = answer.reading.length;
  const text = JSON.stringify([found, [...mediaSteps]]);
  if (text === drawnMedia) return;
  drawnMedia = text;
  const tags = new Map();  // kind and tag -> [{ run, one }]
  for (const run of runs)
    (found[run.id] ?? []).forEach((one) => {
      const key = one.kind + " " + one.tag;
      if (!tags.has(key)) tags.set(key, []);
      tags.get(key).push({ run, one });
    });
  const sections = [...tags.entries()].sort().map(([key, all]) => {
    const steps = [...new Set(all.map(({ one }) => one.step))].sort((a, b) => a - b);
    const step = mediaSteps.get(key) ?? steps.at(-1);
    const slider = make("input", { type: "range", min: 0, max: steps.length - 1, value: Math.max(0, steps.indexOf(step)), key: "step " + key,
      onchange: () => { mediaSteps.set(key, steps[slider.value]); drawMedia(); } });
    const samples = runs.map((run) => {
      const one = all.filter((other) => other.run === run && other.one.step <= step).at(-1)?.one;
      if (!one) return "";
      const swatch = make("span", { className: "swatch" });
      swatch.style.background = state.color.get(run.id);
      return make("figure", {}, make("figcaption", {}, swatch, `${run.name}, step ${one.step}`), sample(run.id, one));
    });
    return make("section", {}, make("h2", {}, all[0].one.tag.replace(/\/text_summary$/, "")),
      steps.length > 1 ? make("label", {}, `step ${step} `, slider) : "", make("div", { className: "samples" }, ...samples));
  });
  replace(element("media"), ...(sections.length ? sections : ["These runs have logged no pictures, sounds, texts, tables, histograms or PR curves."]));
}

// ---- comparison and one run

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
  replace(element("compare"), make("h2", {}, "Options that differ"),
    runs.length < 2 ? "Show two or more runs to compare them." : rows.length ? table(["option", ...runs.map((run) => run.name)], rows) : "All options are equal.");
}

const checks = new Map();  // run and file of a checkpoint -> what verifying it said

async function verify(id, file) {
  const key = id + " " + file;
  for (checks.set(key, { state: "waiting" }); checks.get(key).state === "waiting"; await new Promise((done) => setTimeout(done, 300))) {
    drawnRun = "";
    await drawRun();
    checks.set(key, await ask(`api/verify?run=${encodeURIComponent(id)}&file=${encodeURIComponent(file)}`) ?? { state: "gone" });
  }
  drawnRun = "";
  await drawRun();
}

function checkpointRow(id, one) {
  const check = checks.get(id + " " + one.file);
  const text = { waiting: "being verified ...", whole: "whole", damaged: "damaged: " + check?.reason, gone: "gone" }[check?.state];
  const plugins = one.plugins?.length ? make("details", { key: "plugins " + one.file }, make("summary", {}, `${one.plugins.length} plugins, levin ${one.levin_version}, LibTorch ${one.torch_version}`),
    table(["plugin", "version", "file", "SHA-256"], one.plugins.map((plugin) => [plugin.id, plugin.version, plugin.file, plugin.sha256.slice(0, 16)]))) : "";
  return [one.file, [one.best && "best", one.last && "last"].filter(Boolean).join(", "), numberText(one.epoch), numberText(one.global_step), sizeText(one.bytes),
    one.problem ? make("span", { className: "failed" }, one.problem) : check ? make("span", { role: "status", className: check.state === "damaged" ? "failed" : "" }, text)
      : make("button", { type: "button", key: "verify " + one.file, onclick: () => verify(id, one.file) }, "Verify"), plugins];
}

// Options and plugins of this run and of another one, where they are not equal.
function difference(run, other) {
  const facts = (one) => new Map([...one.settings.map(([name, value, origin]) => [name, [value, origin]]),
    ...one.components.map((part) => [`plugin of ${part.name}`, [`${part.component} ${part.version}, ${part.sha256.slice(0, 16)}`, part.file]])]);
  const mine = facts(run), theirs = facts(other), shown = (fact) => fact ? [fact[0], fact[1] || "default"] : ["", ""];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter((name) => mine.get(name)?.[0] !== theirs.get(name)?.[0])
    .map((name) => [name, ...shown(mine.get(name)), ...shown(theirs.get(name))]);
}

function ranksOf(ranks) {
  if (ranks.list.length < 2 && ranks.lines.length === 0) return [];
  return [make("h2", {}, "Ranks"),
    ...(ranks.lost.length ? [make("p", { className: "failed" }, `Lost: rank ${ranks.lost.join(", ")}`)] : []),
    table(["rank", "log", "last line"], ranks.list.map((one) => [`${one.rank}${one.lost ? " (lost)" : ""}`, one.file, one.last])),
    ...(ranks.lines.length ? [make("pre", { tabIndex: 0, ariaLabel: "messages on lost and silent ranks" }, ranks.lines.join("\n"))] : [])];
}

let drawnRun = "";
async function drawRun() {
  const id = state.focus ?? [...state.shown][0];
  if (!id) { replace(element("run"), "Choose a run on the left."); return; }
  const against = state.against && state.against !== id && state.runs.some((one) => one.id === state.against) ? state.against : "";
  const [run, other] = await detailsOf(against ? [id, against] : [id]);
  if (!run) { replace(element("run"), "This run is gone."); return; }
  const text = JSON.stringify([run, other, [...checks], state.runs.map((one) => one.id)]);
  if (text === drawnRun) return;
  drawnRun = text;
  const set = run.settings.filter(([, , origin]) => origin), defaults = run.settings.filter(([, , origin]) => !origin);
  const before = element("run").querySelector("pre.log"), atEnd = !before || before.scrollTop + before.clientHeight >= before.scrollHeight - 4;
  const log = make("pre", { className: "log", tabIndex: 0, key: "log", ariaLabel: "log.txt" }, run.log);
  const select = make("select", { key: "against", onchange: () => { state.against = select.value; drawRun(); } }, make("option", { value: "" }, "no other run"),
    ...state.runs.filter((one) => one.id !== id).map((one) => make("option", { value: one.id }, one.name)));
  select.value = against;
  const rows = other ? difference(run, other) : [];
  const open = new Set([...element("run").querySelectorAll("details[open]")].map((one) => one.dataset.key));
  replace(element("run"), make("h2", {}, run.name), make("p", {}, id), ...(run.problem ? [make("p", { className: "failed" }, run.problem)] : []),
    ...ranksOf(run.ranks),
    make("h2", {}, "Options that were set"), table(["option", "value", "set by"], set),
    make("details", { key: "defaults" }, make("summary", {}, `${defaults.length} options with their defaults`), table(["option", "value"], defaults.map(([name, value]) => [name, value]))),
    make("h2", {}, "Difference to another run"), make("label", {}, "Compare with ", select),
    ...(!other ? [] : [rows.length ? table(["option", run.name, "set by", other.name, "set by"], rows) : make("p", {}, "All options and plugins are equal.")]),
    make("h2", {}, "Checkpoints"), run.checkpoints.length ? table(["file", "", "epoch", "step", "size", "checksums", "made by"], run.checkpoints.map((one) => checkpointRow(id, one))) : "none",
    ...run.tables.flatMap((one) => [make("h2", {}, one.name), numberTable(one, one.name), ...(one.left_out ? [make("p", { className: "hint" }, "The first 200 rows are shown.")] : [])]),
    make("h2", {}, "Log"), log);
  element("run").querySelectorAll("details").forEach((one) => { one.open = open.has(one.dataset.key); });
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
  state.reading = 0;
  history.replaceState(null, "", "#" + view);
  for (const name of views) {
    element(name).hidden = name !== view;
    element("tab-" + name).setAttribute("aria-selected", name === view);
    element("tab-" + name).tabIndex = name === view ? 0 : -1;
  }
  update();
  return true;
}

async function readRuns() {
  const answer = await ask("api/runs");
  state.runs = answer.runs;
  state.readingRuns = answer.reading;
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
  if (state.view === "hparams") return drawHparams();
  const ids = [...state.shown];
  const points = ids.length > 20 ? 300 : 1200;
  const metrics = {};
  let reading = 0;
  for (let n = 0; n < ids.length; n += 50) {
    const answer = await ask(`api/metrics?points=${points}` + ids.slice(n, n + 50).map((id) => "&run=" + encodeURIComponent(id)).join(""));
    Object.assign(metrics, answer.runs);
    reading += answer.reading.length;
  }
  state.metrics = metrics;
  state.reading = reading;
  drawCurves();
}

// A screen reader says each change.
function say(text) {
  if (element("status").textContent !== text) element("status").textContent = text;
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
      say(`${state.runs.length} runs, ${running} running, ${state.shown.size} shown` +
        (state.readingRuns ? ", reading folders ..." : state.reading ? `, reading ${state.reading} ...` : ""));
    } catch (error) {
      say("host board does not answer: was it stopped?");
    }
  })();
  await updating;
  updating = null;
  if (state.readingRuns || state.reading) setTimeout(update, 300);
  if (again) { again = false; return update(); }
}

function begin() {
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);  // the cookie has the token now
  const named = () => views.includes(location.hash.slice(1)) && location.hash.slice(1) !== state.view && show(location.hash.slice(1));
  window.addEventListener("hashchange", named);
  element("hparam-metric").addEventListener("input", drawHparams);
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
  named() || update();
  setInterval(() => { if (!document.hidden) update(); }, 2000);
}

begin();
