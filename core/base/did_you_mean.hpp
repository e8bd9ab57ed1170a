// The question at the end of a message about a name that does not exist.
#pragma once
#include <string>
#include <vector>

#include "core/base/text.hpp"

namespace levin::core {

// Returns "; did you mean 'a' or 'b'?", each name between `before` and `after`; "" without names.
inline std::string did_you_mean_one_of(const std::vector<std::string>& names, const std::string& before = "'",
                                       const std::string& after = "'") {
  return names.empty() ? "" : "; did you mean " + before + join(names, after + " or " + before) + after + "?";
}

}  // namespace levin::core
