// Curves in characters of Braille: 2 x 4 points each.
#pragma once
#include <string>
#include <vector>

namespace levin::core::watch {

struct Line {
  std::vector<double> xs, ys;  // values that are not finite are gaps
};

// Returns `height` rows of `width` columns, with the values of the first and the last row at the left. Each line has a
// colour of the terminal if colours are wanted: line_colour(i). Without a value all rows are empty.
std::vector<std::string> chart(const std::vector<Line>& lines, size_t width, size_t height, bool colours);

std::string line_colour(size_t line);  // the control sequence
inline constexpr const char* no_colour = "\x1b[0m";

}  // namespace levin::core::watch
