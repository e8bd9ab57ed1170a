// Rows of a data module for the rules about them, in memory whose ends are watched.
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

// Calls the plugin's fill, with memory that holds the pattern. Throws Error{plugin} if it has written elsewhere.
Rows fill(const DataModule& data, const Place& place, const std::vector<int64_t>& indices,
          unsigned char pattern = 0x5a);

// The indices of the first and the last rows of the split, a few of them.
std::vector<int64_t> sample(const Place& place);

// Which row differs; "" if none does.
std::string differing(const Place& place, const std::vector<int64_t>& indices, const Rows& a, const Rows& b);

}  // namespace levin::core
