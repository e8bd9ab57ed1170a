#include "joined.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "../common/csv_columns.hpp"

namespace csv_data {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

std::string advice(const std::string& first) {
  return ", and all files need the columns of " + first + ", in any order";
}

// Returns the column in `from` of each column of `to`.
std::vector<size_t> places_of(const common::CsvFile& to, const common::CsvFile& from, bool header) {
  const std::vector<std::string> wanted = common::column_names(to, header), names = common::column_names(from, header);
  if (!header && wanted.size() != names.size())
    refuse(from.place(0) + ": " + std::to_string(names.size()) + (names.size() == 1 ? " column" : " columns") +
           ", where " + to.path + " has " + std::to_string(wanted.size()));
  std::vector<size_t> places;
  for (const std::string& name : wanted) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) refuse(from.path + " has no column '" + name + "'" + advice(to.path));
    places.push_back(static_cast<size_t>(at - names.begin()));
  }
  for (const std::string& name : names)
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      refuse(from.path + " has the column '" + name + "'" + advice(to.path));
  if (names.size() != wanted.size())  // of several columns without a name
    refuse(from.path + " has " + std::to_string(names.size()) + " columns" + advice(to.path));
  return places;
}

}  // namespace

void append(common::CsvFile& to, common::CsvFile from, bool header) {
  const std::vector<size_t> places = places_of(to, from, header);
  const size_t skipped = header ? 1 : 0, before = to.records();
  to.next.push_back({from.path, before});
  for (size_t r = skipped; r < from.records(); ++r)
    for (const size_t place : places) to.cells.push_back(from.cell(r, place));
  to.lines.insert(to.lines.end(), from.lines.begin() + static_cast<ptrdiff_t>(skipped), from.lines.end());
  for (const size_t record : from.left_out) to.left_out.push_back(before + record - skipped);
  std::move(from.damaged.begin(), from.damaged.end(), std::back_inserter(to.damaged));
  to.more_buffers.push_back(std::move(from.buffer));
  std::move(from.more_buffers.begin(), from.more_buffers.end(), std::back_inserter(to.more_buffers));
}

void add_file_column(common::CsvFile& file, const std::string& name, bool header) {
  const std::string value = std::filesystem::path(file.path).filename().string();
  for (size_t c = 0; header && c < file.columns; ++c)
    if (file.cell(0, c) == name)
      refuse("--data.file_column " + name + ": " + file.path + " has a column of this name: choose another one");
  for (const std::string& text : {name, value}) file.more_buffers.emplace_back(text.begin(), text.end());
  const auto text_at = [&](size_t i) {
    const std::vector<char>& text = file.more_buffers[file.more_buffers.size() - i];
    return std::string_view(text.data(), text.size());
  };
  std::vector<std::string_view> cells;
  cells.reserve(file.cells.size() + file.records());
  for (size_t r = 0; r < file.records(); ++r) {
    const auto begin = file.cells.begin() + static_cast<ptrdiff_t>(r * file.columns);
    cells.insert(cells.end(), begin, begin + static_cast<ptrdiff_t>(file.columns));
    cells.push_back(text_at(header && r == 0 ? 2 : 1));
  }
  file.cells = std::move(cells);
  ++file.columns;
}

}  // namespace csv_data
