// The windows of consecutive rows in a part of a table.
#pragma once
#include "timeline.hpp"

namespace tables {

struct Windows {
  std::vector<uint32_t> rows;    // those of the part, series by series and in the order of time
  std::vector<uint32_t> begins;  // the place in `rows` of each window's first row
  size_t longest = 0;            // rows of the longest run without a gap
};

// Each row alone.
Windows single_rows(const std::vector<uint32_t>& rows);

// The windows whose rows, and the rows of their targets, all are in `rows`. Without targets, the last windows end with
// the last row of a run.
Windows windows_in(const std::vector<uint32_t>& rows, const Timeline& timeline, const WindowShape& shape,
                   int64_t stride, bool with_targets);

}  // namespace tables
