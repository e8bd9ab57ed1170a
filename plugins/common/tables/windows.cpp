#include "windows.hpp"

#include <algorithm>

#include "../split_rows.hpp"

namespace tables {

Windows single_rows(const std::vector<uint32_t>& rows) {
  return {rows, common::all_rows(static_cast<int64_t>(rows.size())), 1};
}

Windows windows_in(const std::vector<uint32_t>& rows, const Timeline& timeline, const WindowShape& shape,
                   int64_t stride, bool with_targets) {
  Windows out{timeline.sorted(rows), {}, 0};
  const size_t needed = static_cast<size_t>(shape.length + (with_targets ? shape.last_step : 0));
  for (size_t begin = 0, end; begin < rows.size(); begin = end) {
    end = begin + 1;
    while (end < rows.size() && timeline.follows(out.rows[end - 1], out.rows[end])) ++end;
    out.longest = std::max(out.longest, end - begin);
    for (size_t at = begin; at + needed <= end; at += static_cast<size_t>(stride))
      out.begins.push_back(static_cast<uint32_t>(at));
  }
  return out;
}

}  // namespace tables
