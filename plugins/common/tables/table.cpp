#include "table.hpp"

#include <algorithm>
#include <cmath>

#include "../csv_columns.hpp"
#include "times.hpp"

namespace tables {
namespace {

// Returns true if two texts that were read as the same double are different numbers.
bool differ_in_digits(std::string_view a, std::string_view b) {
  if (a == b || std::min(a.size(), b.size()) <= kept_digits) return false;
  const std::string first = digits_of(a), second = digits_of(b);
  return std::min(first.size(), second.size()) > kept_digits && first != second;
}

}  // namespace

Table::Table(const ColumnTypes& types, bool header, bool leave_out_damaged, MissingTexts missing, std::string origin)
    : header_(header),
      leave_out_damaged_(leave_out_damaged),
      origin_(std::move(origin)),
      missing_(std::move(missing)),
      known_(types.inputs.size() + types.targets.size()) {
  for (const ColumnType& type : types.inputs) inputs_.push_back({type, {}, {}, {}, {}});
  for (const ColumnType& type : types.targets) targets_.push_back({type, {}, {}, {}, {}});
  if (header_ || origin_.empty()) return;
  for (const std::vector<ColumnType>* some : {&types.inputs, &types.targets})
    for (const ColumnType& type : *some) width_ = std::max<size_t>(width_, std::stoul(type.name) + 1);
}

// Returns true for a file without a header that has every column but the target, so that those behind it move up.
bool Table::lacks_target(const common::CsvFile& file) const {
  if (header_ || targets_.size() != 1 || file.columns + 1 != width_) return false;
  return std::none_of(inputs_.begin(), inputs_.end(),
                      [this](const Column& input) { return input.type.name == targets_[0].type.name; });
}

// Returns the column of each input and target; -1 = there is no such target.
std::vector<int64_t> Table::find_columns(const common::CsvFile& file, bool may_lack_target) const {
  std::vector<std::string> names = common::column_names(file, header_);
  if (may_lack_target && lacks_target(file))
    for (std::string& name : names)
      if (std::stoul(name) >= std::stoul(targets_[0].type.name)) name = std::to_string(std::stoul(name) + 1);
  std::vector<int64_t> found;
  for (size_t i = 0; i < known_.size(); ++i) {
    const bool is_target = i >= inputs_.size();
    const std::string& wanted = (is_target ? targets_[i - inputs_.size()] : inputs_[i]).type.name;
    const auto at = std::find(names.begin(), names.end(), wanted);
    if (at == names.end() && !(is_target && may_lack_target))
      throw levin::Error(LEVIN_E_IO, file.path + " has no column '" + wanted + "', which " + origin() + " has" +
                                         (is_target ? " for the target" : ""));
    found.push_back(at == names.end() ? -1 : at - names.begin());
  }
  return found;
}

void Table::add_cells(const common::CsvFile& file, int64_t from, Column& column, Known& known) {
  std::string_view before;
  for (size_t r = header_ ? 1 : 0; r < file.records(); ++r) {
    const std::string_view cell = from < 0 ? std::string_view() : file.cell(r, static_cast<size_t>(from));
    if (missing_(cell)) {
      if (is_infinite(cell))
        column.too_large[static_cast<uint32_t>(column.values.size())] = std::string(cell.substr(0, 60));
      column.values.push_back(NAN);
      continue;
    }
    const bool date = column.type.kind == Kind::date;
    const std::optional<double> number = date ? time_in(cell) : column.type.numeric ? number_in(cell) : std::nullopt;
    if (!column.type.category()) {
      if (!number) {
        const std::string text = file.place(r) + ": column '" + column.type.name + "' is '" +
                                 std::string(cell.substr(0, 60)) + "', and in " + origin() + " it is a " +
                                 (date ? a_time : "number");
        if (!leave_out_damaged_) throw levin::Error(LEVIN_E_IO, text);
        damaged_.emplace(static_cast<uint32_t>(column.values.size()), text);
        column.values.push_back(NAN);
        continue;
      }
      column.rounded |= !column.values.empty() && column.values.back() == *number && differ_in_digits(before, cell);
      column.values.push_back(*number);
      before = cell;
      continue;
    }
    const std::string text = number ? category_of(cell, *number) : std::string(trimmed(cell));
    const auto [at, is_new] = known.emplace(text, static_cast<uint32_t>(column.texts.size()));
    if (is_new) column.texts.push_back(text), column.first.push_back(file.place(r));
    column.values.push_back(at->second);
  }
}

uint32_t Table::add(const common::CsvFile& file, bool may_lack_target) {
  if (parts_.empty() && origin_.empty()) width_ = file.columns;
  const uint32_t begin = rows();
  if (parts_.empty()) parts_.push_back({file.path, 0});
  const std::vector<int64_t> columns = find_columns(file, may_lack_target);
  for (size_t i = 0; i < inputs_.size(); ++i) add_cells(file, columns[i], inputs_[i], known_[i]);
  for (size_t i = 0, k = inputs_.size(); i < targets_.size(); ++i, ++k)
    add_cells(file, columns[k], targets_[i], known_[k]);
  if (begin > 0) parts_.push_back({file.path, begin});
  for (const common::CsvFile::Next& next : file.next)
    parts_.push_back({next.path, begin + static_cast<uint32_t>(next.begin) - (header_ ? 1 : 0)});
  lines_.insert(lines_.end(), file.lines.begin() + (header_ ? 1 : 0), file.lines.end());
  return begin;
}

std::string Table::place(uint32_t row) const {
  size_t part = parts_.size() - 1;
  while (parts_[part].begin > row) --part;
  return parts_[part].path + ":" + std::to_string(lines_[row]);
}

}  // namespace tables
