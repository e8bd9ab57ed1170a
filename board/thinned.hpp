// Few points in place of many, for a curve on a screen.
#pragma once
#include <cstddef>
#include <vector>

namespace levin::core::board {

// The indices of the points to show, in order: all of them if there are at most `most`, else the lowest and the highest
// value, and the first that is not a number, of each of most/3 equal intervals of the points, with the first and the
// last point.
std::vector<size_t> thinned(const std::vector<double>& values, size_t most);

}  // namespace levin::core::board
