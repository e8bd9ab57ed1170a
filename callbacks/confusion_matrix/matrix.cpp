#include "matrix.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::confusion_matrix {
namespace {

std::string name_of(int64_t c, const std::vector<std::string>& names) {
  const auto i = static_cast<size_t>(c);
  return i < names.size() ? names[i] : std::to_string(c);
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    out += byte < 0x20 ? ' ' : c;
  }
  return out + '"';
}

// Visits the cells of a table: a head of `first` and the class names, then the rows, each starting with its name.
template <class Cell, class Row>
void visit(const Matrix& matrix, const std::vector<std::string>& names, Cell&& cell, Row&& row) {
  for (int64_t target = 0; target < matrix.size(); ++target) {
    row(name_of(target, names));
    for (int64_t prediction = 0; prediction < matrix.size(); ++prediction) cell(matrix.count(target, prediction));
  }
}

std::string right_part(const Matrix& matrix, int64_t target) {
  int64_t all = 0;
  for (int64_t prediction = 0; prediction < matrix.size(); ++prediction) all += matrix.count(target, prediction);
  return all == 0 ? "-"
                  : fixed(100.0 * static_cast<double>(matrix.count(target, target)) / static_cast<double>(all), 1);
}

using Cells = std::vector<std::vector<std::string>>;

std::string padding(const std::string& text, size_t width) { return std::string(width - text_columns(text), ' '); }

// Returns the first column and the columns from `first` to `end` (exclusive) as text.
std::string block(const Cells& cells, const std::vector<size_t>& widths, size_t first, size_t end) {
  std::string out;
  for (const auto& row : cells) {
    out += row[0] + padding(row[0], widths[0]);
    for (size_t i = first; i < end; ++i) out += "  " + padding(row[i], widths[i]) + row[i];
    out += '\n';
  }
  return out;
}

// Places as many columns side by side as fit into the width, and the others below. The first column is repeated.
std::string in_blocks(const Cells& cells, size_t width) {
  std::vector<size_t> widths(cells[0].size());
  for (const auto& row : cells)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_columns(row[i]));
  std::string out;
  for (size_t first = 1; first < widths.size();) {
    size_t end = first, used = widths[0];
    do used += 2 + widths[end++];
    while (end < widths.size() && (width == 0 || used + 2 + widths[end] <= width));
    out += (out.empty() ? "" : "\n") + block(cells, widths, first, end);
    first = end;
  }
  out.pop_back();
  return out;
}

}  // namespace

void Matrix::set_counts(std::vector<int64_t> counts) {
  counts_ = std::move(counts);
  total_ = std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
}

void Matrix::reserve(int64_t classes) {
  if (classes <= classes_) return;
  std::vector<int64_t> counts(static_cast<size_t>(classes * classes));
  for (int64_t target = 0; target < classes_; ++target)
    for (int64_t prediction = 0; prediction < classes_; ++prediction)
      counts[static_cast<size_t>(target * classes + prediction)] = count(target, prediction);
  counts_ = std::move(counts);
  classes_ = classes;
}

void Matrix::add(int64_t target, int64_t prediction) {
  if (target < 0 || prediction < 0) return;
  reserve(std::max(target, prediction) + 1);
  ++counts_[at(target, prediction)];
  ++total_;
}

std::string to_csv(const Matrix& matrix, const std::vector<std::string>& names) {
  std::string out = "target";
  for (int64_t c = 0; c < matrix.size(); ++c) out += ',' + csv_text(name_of(c, names));
  visit(
      matrix, names, [&](int64_t count) { out += ',' + std::to_string(count); },
      [&](const std::string& name) { out += '\n' + csv_text(name); });
  return out + '\n';
}

std::string to_json(const Matrix& matrix, const std::vector<std::string>& names) {
  std::string out = "{\"columns\": [\"target\"";
  for (int64_t c = 0; c < matrix.size(); ++c) out += ", " + json_text(name_of(c, names));
  out += "], \"rows\": [";
  bool first = true;
  visit(
      matrix, names, [&](int64_t count) { out += ", " + std::to_string(count); },
      [&](const std::string& name) {
        out += (first ? "[" : "], [") + json_text(name);
        first = false;
      });
  return out + (first ? "]}" : "]]}");
}

std::string to_table(const Matrix& matrix, const std::vector<std::string>& names, size_t width) {
  std::vector<std::vector<std::string>> cells(1, {"target"});
  for (int64_t c = 0; c < matrix.size(); ++c) cells[0].push_back(name_of(c, names));
  cells[0].push_back("right %");
  visit(
      matrix, names, [&](int64_t count) { cells.back().push_back(std::to_string(count)); },
      [&](const std::string& name) { cells.push_back({name}); });
  for (int64_t c = 0; c < matrix.size(); ++c) cells[static_cast<size_t>(c) + 1].push_back(right_part(matrix, c));
  return in_blocks(cells, width);
}

Figure to_figure(const Matrix& matrix, const std::vector<std::string>& names) {
  std::vector<std::string> classes;
  std::vector<double> fractions;
  for (int64_t target = 0; target < matrix.size(); ++target) {
    classes.push_back(name_of(target, names));
    int64_t all = 0;
    for (int64_t c = 0; c < matrix.size(); ++c) all += matrix.count(target, c);
    for (int64_t c = 0; c < matrix.size(); ++c)
      fractions.push_back(static_cast<double>(matrix.count(target, c)) /
                          static_cast<double>(std::max<int64_t>(all, 1)));
  }
  const int side = 300 + 24 * static_cast<int>(std::min<int64_t>(matrix.size(), 40));
  Figure out("fraction of each target (rows) predicted as each class (columns)");
  return std::move(out.size(side + 160, side).heat_map(classes, classes, fractions));
}

}  // namespace levin::confusion_matrix
