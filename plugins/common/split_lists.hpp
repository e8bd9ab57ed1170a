// Text files that name the rows of a split, one a line, as the lists of PASCAL VOC and Speech Commands do.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "split_rows.hpp"

namespace common {

// The names by which lists know rows.
struct RowNames {
  std::vector<std::string> paths;  // one per row, relative to the folder of the data
  std::vector<uint32_t> numbers;   // in place of paths: one per row, ascending; none = the rows are 0, 1, 2, ...
};

using NamesOfRows = std::function<RowNames()>;

// Returns a path without the folder that it begins with.
std::string path_below(const std::string& folder, const std::string& path);

// Returns the paths of files in a folder as the names of rows. path: the member of T that holds the path.
template <class T>
RowNames names_below(const std::string& folder, const std::vector<T>& files, const std::string T::*path) {
  RowNames names;
  for (const T& file : files) names.paths.push_back(path_below(folder, file.*path));
  return names;
}

// The rows that each list names, in ascending order; empty without that list.
struct ListedRows {
  std::vector<uint32_t> train, val, test;
};

// Lists are paths of text files; "" = none.
struct RowLists {
  std::string train, val, test;
  bool any() const { return !train.empty() || !val.empty() || !test.empty(); }
  // Returns the rows of 0 to n-1 that the lists name. names: called if there is a list; without it, rows are numbered
  // from 0. A path may lack its ending. Throws levin::Error with file and
  // line for a name that no row has, for a row of two lists, and for a list without names.
  ListedRows rows(int64_t n, const NamesOfRows& names) const;
};

}  // namespace common
