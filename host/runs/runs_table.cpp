#include "host/runs/runs_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Cell = std::function<std::string(const RunRow&)>;

struct Column {
  std::string name;
  Cell cell;
  int spare = 0;  // on a narrow terminal, columns with larger numbers are left out first; 0 = always shown
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

// Returns "best val_loss" if all runs have the same metric.
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
    out.push_back({option, [option](const RunRow& r) { return value_of(r, option); }, 1});
  out.push_back({"epoch", [](const RunRow& r) { return r.epoch ? std::to_string(*r.epoch + 1) : ""; }, 2});
  out.push_back({"step", [](const RunRow& r) { return count_text(r.step); }, 3});
  out.push_back({best_name(rows), [](const RunRow& r) { return r.best ? number_text(*r.best) : ""; }});
  return out;
}

// Metrics of steps get no column unless the table is sorted by them, because the metrics of epochs repeat them.
void add_metrics(std::vector<Column>& columns, const std::vector<RunRow>& rows, const std::string& sorted_by) {
  size_t n = 0;
  for (const std::string& name : metrics_of(rows))
    if (name == sorted_by || (!ends_with(name, "_step") && n++ < most_metrics))
      columns.push_back({name, [name](const RunRow& r) { return metric_of(r, name); }, name == sorted_by ? 0 : 4});
}

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - text_columns(text), ' ');
}

// Returns the columns that may be left out, in the order of leaving out.
std::vector<size_t> spare_columns(const std::vector<Column>& columns) {
  std::vector<size_t> out;
  for (size_t i = columns.size(); i-- > 0;)
    if (columns[i].spare > 0) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](size_t a, size_t b) { return columns[a].spare > columns[b].spare; });
  return out;
}

std::vector<std::string> names_of_others(const std::vector<Column>& columns, const std::vector<size_t>& kept) {
  std::vector<std::string> out;
  for (size_t i = 0; i < columns.size(); ++i)
    if (std::find(kept.begin(), kept.end(), i) == kept.end()) out.push_back(columns[i].name);
  return out;
}

// Compares numbers if both texts are numbers, else the texts. Empty texts come last.
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

std::string cure(const RunRow& row) {
  const bool can_resume = row.state == RunState::failed && !row.checkpoint.empty();
  return can_resume ? "; host resume " + row.folder.string() + " continues from its last checkpoint" : "";
}

}  // namespace

void sort_runs(std::vector<RunRow>& rows, const std::string& by) {
  const std::vector<Column> columns = all_columns(rows);
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), by);
  if (found == names.end())
    throw Error(ErrorCode::option_value_invalid, unknown_name("host runs: --sort: no run has", by, names));
  const Column& column = columns[static_cast<size_t>(found - names.begin())];
  const bool descending = std::any_of(rows.begin(), rows.end(), [&by](const RunRow& r) {
    return r.larger_is_better && (by == "best" || by == r.monitor);
  });
  std::stable_sort(rows.begin(), rows.end(), [&](const RunRow& a, const RunRow& b) {
    return comes_before(column.cell(a), column.cell(b), descending);
  });
}

std::string runs_table(const std::vector<RunRow>& rows, const std::string& sorted_by, size_t width) {
  std::vector<Column> columns = usual_columns(rows);
  add_metrics(columns, rows, sorted_by);
  std::vector<std::vector<std::string>> cells;  // by column
  std::vector<size_t> widths;
  for (const Column& column : columns) {
    std::vector<std::string>& own = cells.emplace_back(1, printable(column.name));
    for (const RunRow& row : rows) own.push_back(printable(column.cell(row)));
    widths.push_back(0);
    for (const std::string& cell : own) widths.back() = std::max(widths.back(), text_columns(cell));
  }
  const std::vector<size_t> kept = columns_that_fit(widths, 2, width, spare_columns(columns));
  std::string out;
  for (size_t line = 0; line <= rows.size(); ++line) {
    std::string text;
    for (const size_t i : kept) text += padded(cells[i][line], widths[i] + 2);
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  if (const std::vector<std::string> others = names_of_others(columns, kept); !others.empty())
    out += "No room for: " + printable(join(others, ", ")) + "; --json has all\n";
  for (const RunRow& row : rows)
    if (!row.problem.empty())
      out += printable(row.name + ": " + name_of(row.state) + code_in_brackets(row) + ": " +
                       split(row.problem, '\n')[0] + cure(row)) +
             "\n";
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
                {"code", row.code.empty() ? json(nullptr) : json(row.code)},
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
