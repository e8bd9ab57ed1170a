#include "table.hpp"

#include <algorithm>
#include <cstdio>

#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::metrics_table {
namespace {

constexpr size_t narrowest = 10;

std::string right(const std::string& text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

// The width of a cell with its padding blank. Another blank separates two cells.
size_t cell(const std::string& column) { return std::max(column.size(), narrowest) + 1; }

}  // namespace

Metrics of_the_epoch(const Metrics& all) {
  Metrics out;
  for (const auto& [name, value] : all) {
    if (ends_with(name, "_step")) {
      const std::string epoch = name.substr(0, name.size() - 5) + "_epoch";
      const bool forked = std::any_of(all.begin(), all.end(), [&](const auto& m) { return m.first == epoch; });
      if (forked) continue;
    }
    if (ends_with(name, "_epoch")) {
      const std::string plain = name.substr(0, name.size() - 6);
      const bool twice = std::any_of(all.begin(), all.end(), [&](const auto& m) { return m.first == plain; });
      if (twice) continue;
    }
    out.emplace_back(name, value);
  }
  return out;
}

std::string Table::row(int64_t epoch, double seconds, const Metrics& metrics, size_t width) {
  std::vector<std::string> columns;
  for (const auto& metric : metrics) columns.push_back(metric.first);
  std::string out;
  if (columns != columns_ || rows_ % head_every_ == 0) {
    std::vector<std::string> head = {right("epoch", 6), right("seconds", 9)};
    for (const std::string& column : columns) head.push_back(right(column, cell(column)));
    out = wrapped(head, width, 6) + "\n";
    columns_ = std::move(columns);
    rows_ = 0;
  }
  ++rows_;
  char time[32];
  std::snprintf(time, sizeof time, "%.1f", seconds);
  std::vector<std::string> row = {right(std::to_string(epoch), 6), right(time, 9)};
  for (const auto& [name, value] : metrics) row.push_back(right(number(value), cell(name)));
  return out + wrapped(row, width, 6);
}

}  // namespace levin::metrics_table
