// The handling of rows with missing values.
#pragma once
#include <string>
#include <vector>

#include "table.hpp"

namespace tables {

struct MissingOptions {
  std::string numbers;     // error, drop, mean or median
  std::string categories;  // error, drop or own
};

// Returns the rows from begin to end (exclusive) to use, without damaged ones. Rows to predict are
// never dropped for a missing value and need no target. Throws
// levin::Error that names the first missing value that can be neither filled nor dropped.
std::vector<uint32_t> usable_rows(const Table& table, uint32_t begin, uint32_t end, const MissingOptions& options,
                                  bool predict);

}  // namespace tables
