#include "summary.hpp"

#include <algorithm>

#include "levin/util/terminal.hpp"
#include "levin/util/text.hpp"

namespace levin::model_summary {
namespace {

using Row = std::vector<std::string>;

bool inside(const std::string& parameter, const std::string& module) {
  return parameter.size() > module.size() + 1 && parameter[module.size()] == '.' &&
         parameter.compare(0, module.size(), module) == 0;
}

std::string padded(const std::string& text, size_t width) { return text + std::string(width - text.size(), ' '); }

std::string line(const Row& row, const std::vector<size_t>& widths, const std::vector<size_t>& columns) {
  std::string out;
  for (const size_t i : columns) out += (i == columns.front() ? "" : " | ") + padded(row[i], widths[i]);
  return out + "\n";
}

std::vector<Row> rows_of(const Summary& s) {
  std::vector<Row> rows = {{"", "Name", "Type", "Params", "Mode"}};
  for (const Module& m : s.layers)
    rows.push_back(
        {std::to_string(rows.size() - 1), m.name, m.type, human_count(m.parameters), m.training ? "train" : "eval"});
  const auto known = [](const Module& m) { return m.in_sizes != "?" || m.out_sizes != "?"; };
  if (std::none_of(s.layers.begin(), s.layers.end(), known)) return rows;
  rows[0].insert(rows[0].end(), {"In sizes", "Out sizes"});
  for (size_t i = 0; i < s.layers.size(); ++i)
    rows[i + 1].insert(rows[i + 1].end(), {s.layers[i].in_sizes, s.layers[i].out_sizes});
  return rows;
}

// Returns the columns to leave out on a narrow terminal, in the order of removal.
std::vector<size_t> spare_columns(const Row& head) {
  std::vector<size_t> out;
  for (const char* name : {"In sizes", "Out sizes", "Mode", "Type"})
    if (const auto found = std::find(head.begin(), head.end(), name); found != head.end())
      out.push_back(static_cast<size_t>(found - head.begin()));
  return out;
}

std::string names_of_others(const Row& head, const std::vector<size_t>& columns) {
  std::string out;
  for (size_t i = 0; i < head.size(); ++i)
    if (std::find(columns.begin(), columns.end(), i) == columns.end()) out += (out.empty() ? "" : ", ") + head[i];
  return out;
}

std::string total(const std::string& number, const char* what) { return padded(number, 10) + what + "\n"; }

}  // namespace

Summary summarize(const std::vector<Module>& modules, const std::vector<Parameter>& parameters, int64_t max_depth) {
  Summary s;
  for (const Parameter& p : parameters) {
    s.total += p.elements;
    s.trainable += p.trainable ? p.elements : 0;
    s.bytes += p.bytes;
  }
  for (Module module : modules) {
    if (module.name.empty()) continue;
    ++(module.training ? s.in_train_mode : s.in_eval_mode);
    if (max_depth >= 0 && module.depth > static_cast<uint64_t>(max_depth)) continue;
    for (const Parameter& p : parameters) module.parameters += inside(p.name, module.name) ? p.elements : 0;
    s.layers.push_back(module);
  }
  return s;
}

std::string human_count(int64_t n) {
  const char* units[] = {" ", "K", "M", "B", "T"};
  size_t unit = 0;
  double value = static_cast<double>(n);
  while (value >= 1000 && unit < 4) value /= 1000, ++unit;
  if (unit > 0 && value < 100) return fixed(value, 1) + " " + units[unit];
  std::string digits = std::to_string(static_cast<int64_t>(value));
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits + " " + units[unit];
}

std::string table(const Summary& s, size_t width) {
  const std::vector<Row> rows = rows_of(s);
  std::vector<size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const std::vector<size_t> columns = columns_that_fit(widths, 3, width, spare_columns(rows[0]));
  const std::string head = line(rows[0], widths, columns), rule(head.size() - 1, '-');
  std::string out = head + rule + "\n";
  for (size_t i = 1; i < rows.size(); ++i) out += line(rows[i], widths, columns);
  if (rows.size() > 1) out += rule + "\n";
  out += total(human_count(s.trainable), "Trainable params");
  out += total(human_count(s.total - s.trainable), "Non-trainable params");
  out += total(human_count(s.total), "Total params");
  out += total(fixed(static_cast<double>(s.bytes) / 1e6, 3), "Params size (MB)");
  out += total(std::to_string(s.in_train_mode), "Modules in train mode");
  out += total(std::to_string(s.in_eval_mode), "Modules in eval mode");
  if (const std::string others = names_of_others(rows[0], columns); !others.empty())
    out += "No room for: " + others + "\n";
  out.pop_back();
  return out;
}

}  // namespace levin::model_summary
