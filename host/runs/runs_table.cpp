#include "host/runs/runs_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Cell = std::function<std::string(const RunRow&)>;

struct Column {
  std::string name;
  Cell cell;
};

constexpr size_t most_metrics = 6;

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string count_text(const std::optional<int64_t>& value) { return value ? std::to_string(*value) : ""; }

std::string value_of(const RunRow& row, const std::string& option) {
  for (const auto& [name, value] : row.values)
    if (name == option) return value;
  return "";
}

std::string metric_of(const RunRow& row, const std::string& name) {
  const auto found = row.metrics.find(name);
  return found == row.metrics.end() ? "" : number_text(found->second);
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::vector<std::string> options_of(const std::vector<RunRow>& rows) {
  std::vector<std::string> out;
  for (const RunRow& row : rows)
    for (const auto& [name, value] : row.values) add_name(out, name);
  return out;
}

std::vector<std::string> metrics_of(const std::vector<RunRow>& rows) {
  std::vector<std::string> out;
  for (const RunRow& row : rows)
    for (const auto& [name, value] : row.metrics) add_name(out, name);
  std::sort(out.begin(), out.end());
  return out;
}

// "best val_loss" where all runs mean the same.
std::string best_name(const std::vector<RunRow>& rows) {
  std::vector<std::string> monitors;
  for (const RunRow& row : rows)
    if (row.best) add_name(monitors, row.monitor);
  return monitors.size() == 1 && !monitors[0].empty() ? "best " + monitors[0] : "best";
}

std::vector<Column> usual_columns(const std::vector<RunRow>& rows) {
  std::vector<Column> out = {{"run", [](const RunRow& r) { return r.name; }},
                             {"state", [](const RunRow& r) { return std::string(name_of(r.state)); }}};
  for (const std::string& option : options_of(rows))
    out.push_back({option, [option](const RunRow& r) { return value_of(r, option); }});
  out.push_back({"epoch", [](const RunRow& r) { return count_text(r.epoch); }});
  out.push_back({"step", [](const RunRow& r) { return count_text(r.step); }});
  out.push_back({best_name(rows), [](const RunRow& r) { return r.best ? number_text(*r.best) : ""; }});
  return out;
}

// The metrics of epochs first, as those of steps have the same again.
void add_metrics(std::vector<Column>& columns, const std::vector<RunRow>& rows, const std::string& sorted_by) {
  size_t n = 0;
  for (const std::string& name : metrics_of(rows))
    if (name == sorted_by || (!ends_with(name, "_step") && n++ < most_metrics))
      columns.push_back({name, [name](const RunRow& r) { return metric_of(r, name); }});
}

std::string padded(const std::string& text, size_t width) { return text + std::string(width - text.size(), ' '); }

// By numbers where both are some, else by text; what is empty comes last.
bool comes_before(const std::string& a, const std::string& b, bool descending) {
  if (a.empty() || b.empty()) return !a.empty();
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  if (*end_a != '\0' || *end_b != '\0') return a < b;
  if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
  return descending ? y < x : x < y;
}

std::vector<Column> all_columns(const std::vector<RunRow>& rows) {
  std::vector<Column> out = usual_columns(rows);
  for (Column& column : out)
    if (starts_with(column.name, "best ")) column.name = "best";
  for (const std::string& name : metrics_of(rows))
    out.push_back({name, [name](const RunRow& r) { return metric_of(r, name); }});
  return out;
}

}  // namespace

void sort_runs(std::vector<RunRow>& rows, const std::string& by) {
  const std::vector<Column> columns = all_columns(rows);
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), by);
  if (found == names.end()) throw Error(ErrorKind::usage, unknown_name("host runs: --sort: no run has", by, names));
  const Column& column = columns[static_cast<size_t>(found - names.begin())];
  const bool descending = std::any_of(rows.begin(), rows.end(), [&by](const RunRow& r) {
    return r.larger_is_better && (by == "best" || by == r.monitor);
  });
  std::stable_sort(rows.begin(), rows.end(), [&](const RunRow& a, const RunRow& b) {
    return comes_before(column.cell(a), column.cell(b), descending);
  });
}

std::string runs_table(const std::vector<RunRow>& rows, const std::string& sorted_by) {
  std::vector<Column> columns = usual_columns(rows);
  add_metrics(columns, rows, sorted_by);
  std::vector<std::string> lines(rows.size() + 1);
  for (const Column& column : columns) {
    std::vector<std::string> cells = {printable(column.name)};
    for (const RunRow& row : rows) cells.push_back(printable(column.cell(row)));
    size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (size_t i = 0; i < cells.size(); ++i) lines[i] += padded(cells[i], width + 2);
  }
  std::string out;
  for (const std::string& line : lines) out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  for (const RunRow& row : rows)
    if (!row.problem.empty())
      out += printable(row.name + ": " + name_of(row.state) + ": " + split(row.problem, '\n')[0]) + "\n";
  return out;
}

json runs_json(const std::vector<RunRow>& rows) {
  json out = json::array();
  for (const RunRow& row : rows) {
    json values = json::object(), metrics = json::object();
    for (const auto& [name, value] : row.values) values[name] = value;
    for (const auto& [name, value] : row.metrics) metrics[name] = number_to_json(value);
    json one = {{"run", row.name},
                {"folder", row.folder.string()},
                {"state", name_of(row.state)},
                {"job", row.job},
                {"problem", row.problem},
                {"options", values},
                {"metrics", metrics},
                {"monitor", row.monitor},
                {"epoch", nullptr},
                {"step", nullptr},
                {"best", nullptr}};
    if (row.epoch) one["epoch"] = *row.epoch;
    if (row.step) one["step"] = *row.step;
    if (row.best) one["best"] = number_to_json(*row.best);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace levin::core
