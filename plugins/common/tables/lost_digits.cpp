#include "lost_digits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tables {
namespace {

// Returns the distance from a number of this size to the next number of the type.
template <class T>
double step_at(double size) {
  const T at = static_cast<T>(size);
  return static_cast<double>(std::nextafter(at, std::numeric_limits<T>::infinity()) - at);
}

std::string lost_text(const Column& column, double largest, double spread, double step, const char* kept_in) {
  char text[200];
  std::snprintf(text, sizeof text,
                "' are up to %.3g and differ by no more than %.3g, and %s keeps them in steps of %.3g", largest, spread,
                kept_in, step);
  return "the numbers of '" + column.type.name + text;
}

// Returns a message if the numbers of a column differ in digits that are lost; "" = no digits are lost.
std::string lost_in(const Column& column, const ColumnStatistics& statistics, const std::vector<uint32_t>& rows,
                    const char* option) {
  constexpr double enough_steps = 1000;
  if (column.type.category()) return "";
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const uint32_t row : rows)
    if (const double value = column.values[row]; !std::isnan(value))
      least = std::min(least, value), most = std::max(most, value);
  if (least > most) return "";
  const double largest = std::max(std::fabs(least), std::fabs(most)), spread = most - least;
  if (const double step = step_at<double>(largest); spread == 0 ? column.rounded : spread < enough_steps * step)
    return lost_text(column, largest, spread, step, "float64") + ": subtract a constant from them in the file";
  const double given = std::max(std::fabs(least - statistics.shift), std::fabs(most - statistics.shift));
  const double step = step_at<float>(given / statistics.scale) * statistics.scale;
  if (spread == 0 || spread >= enough_steps * step) return "";
  return lost_text(column, largest, spread, step, "float32") + ": give --data." + option;
}

}  // namespace

std::vector<std::string> lost_digits(const Table& table, const Statistics& statistics,
                                     const std::vector<uint32_t>& train) {
  std::vector<std::string> out;
  const auto look_at = [&](const Column& column, const ColumnStatistics& of, const char* option) {
    std::string text = lost_in(column, of, train, option);
    if (!text.empty()) out.push_back(std::move(text));
  };
  for (size_t i = 0; i < table.inputs().size(); ++i)
    look_at(table.inputs()[i], statistics.inputs[i], "normalize standard");
  for (size_t i = 0; i < table.targets().size(); ++i)
    look_at(table.targets()[i], statistics.targets[i], "normalize_target true");
  return out;
}

}  // namespace tables
