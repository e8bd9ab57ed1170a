#include "split_lists.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>

#include "not_opened.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t of_several = UINT32_MAX;  // the row of a name that several rows have

std::string plain_path(const std::string& path) { return fs::path(path).lexically_normal().generic_string(); }

std::string without_ending(const std::string& path) { return fs::path(path).replace_extension().generic_string(); }

class NamedRows {
 public:
  NamedRows(int64_t n, const RowNames& names) : n_(n), names_(names) {
    for (uint32_t row = 0; row < names.paths.size(); ++row) {
      const std::string path = plain_path(names.paths[row]);
      add(row_of_, path, row);
      add(row_without_ending_, without_ending(path), row);
    }
  }

  // place: file and line, for messages.
  uint32_t row(const std::string& name, const std::string& place) const {
    return names_.paths.empty() ? numbered(name, place) : named(name, place);
  }

 private:
  uint32_t named(const std::string& name, const std::string& place) const {
    const std::string path = plain_path(name);
    const auto whole = row_of_.find(path), short_one = row_without_ending_.find(path);
    if (whole == row_of_.end() && short_one == row_without_ending_.end())
      throw levin::Error(LEVIN_E_IO, place + ": no row is named '" + name +
                                         "'; a row is named by its path in the folder of the data, such as '" +
                                         names_.paths[0] + "'");
    const uint32_t row = whole != row_of_.end() ? whole->second : short_one->second;
    if (row == of_several) throw levin::Error(LEVIN_E_IO, place + ": '" + name + "' names several rows");
    return row;
  }

  uint32_t numbered(const std::string& name, const std::string& place) const {
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size())
      throw levin::Error(LEVIN_E_IO, place + ": '" + name + "' is no number of a row; rows are numbered from 0");
    if (names_.numbers.empty()) {
      if (number < n_) return number;
      throw levin::Error(LEVIN_E_IO, place + ": there is no row " + name + "; the rows are numbered from 0 to " +
                                         std::to_string(n_ - 1));
    }
    const auto at = std::lower_bound(names_.numbers.begin(), names_.numbers.end(), number);
    if (at == names_.numbers.end() || *at != number)
      throw levin::Error(LEVIN_E_IO, place + ": there is no row " + name +
                                         ", or it is left out; the rows are numbered from 0 to " +
                                         std::to_string(names_.numbers.back()));
    return static_cast<uint32_t>(at - names_.numbers.begin());
  }

  using Rows = std::map<std::string, uint32_t>;  // by path
  static void add(Rows& rows, const std::string& path, uint32_t row) {
    const auto [at, is_new] = rows.emplace(path, row);
    if (!is_new) at->second = of_several;
  }

  const int64_t n_;
  const RowNames& names_;
  Rows row_of_, row_without_ending_;
};

std::vector<uint32_t> read_list(const std::string& path, const NamedRows& names, std::vector<std::string>& place_of) {
  std::vector<uint32_t> rows;
  if (path.empty()) return rows;
  std::ifstream in(path);
  if (!in) fail_to_open("cannot open the list " + path, errno);
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    const size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const std::string place = path + ":" + std::to_string(number);
    const uint32_t row = names.row(line.substr(first, last - first + 1), place);
    std::string& before = place_of[row];
    if (!before.empty() && before.substr(0, before.rfind(':')) != path)
      throw levin::Error(LEVIN_E_IO, place + ": this row is also in " + before + "; a row is in one list");
    if (before.empty()) rows.push_back(row);
    before = place;
  }
  if (in.bad()) fail_to_open("cannot read the list " + path, errno);
  if (rows.empty()) throw levin::Error(LEVIN_E_IO, path + " names no row");
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

std::string path_below(const std::string& folder, const std::string& path) {
  const std::string prefix = folder + "/";
  return path.compare(0, prefix.size(), prefix) == 0 ? path.substr(prefix.size()) : path;
}

ListedRows RowLists::rows(int64_t n, const NamesOfRows& names) const {
  if (!any()) return {};
  const RowNames known = names ? names() : RowNames();
  const NamedRows named(n, known);
  std::vector<std::string> place_of(static_cast<size_t>(n));
  return {read_list(train, named, place_of), read_list(val, named, place_of), read_list(test, named, place_of)};
}

}  // namespace common
