// Text files that name the rows of a split, one a line, as the lists of PASCAL VOC and Speech Commands do.
#pragma once
#include <string>
#include <vector>

#include "split_rows.hpp"

namespace common {

// The names by which lists know rows.
struct RowNames {
  std::vector<std::string> paths;  // one per row, relative to the folder of the data
  std::vector<uint32_t> numbers;   // one per row, ascending; without paths and numbers, rows are numbered from 0
};

// Returns `paths` without the folder that they begin with.
RowNames names_below(const std::string& folder, const std::vector<std::string>& paths);

// The rows that each list names, in ascending order; empty without that list.
struct ListedRows {
  std::vector<uint32_t> train, val, test;
};

// Lists are paths of text files; "" = none.
struct RowLists {
  std::string train, val, test;
  bool any() const { return !train.empty() || !val.empty() || !test.empty(); }
  // Returns the rows of 0 to n-1 that the lists name. A path may lack its ending. Throws levin::Error with file and
  // line for a name that no row has, for a row of two lists, and for a list without names.
  ListedRows rows(int64_t n, const RowNames& names) const;
};

}  // namespace common
