// Reads rows of a data module into buffers that detect writes beyond their ends.
#pragma once
#include <string>
#include <vector>

#include "core/components/data_module.hpp"

namespace levin::core {

struct Place {
  uint32_t split, loader;
  SplitInfo info;
  std::string name() const;
};

using Rows = std::vector<std::string>;  // the bytes of each row, with all its fields one after the other

// Calls the plugin's fill on buffers filled with the pattern. Throws Error{plugin} if it writes beyond a buffer.
Rows fill(const DataModule& data, const Place& place, const std::vector<int64_t>& indices,
          unsigned char pattern = 0x5a);

// Returns the indices of the first and last rows of the split, a few of each.
std::vector<int64_t> sample(const Place& place);

// Returns which row differs, or "".
std::string differing(const Place& place, const std::vector<int64_t>& indices, const Rows& a, const Rows& b);

}  // namespace levin::core
