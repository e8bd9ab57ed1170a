#include "window_options.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "../counted.hpp"

namespace tables {
namespace {

constexpr int64_t most_steps = 1000000;

bool read_number(const std::string& text, int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 1 && out <= most_steps;
}

void read_horizon(const std::string& text, WindowShape& shape) {
  const size_t dots = text.find("..");
  const bool whole = read_number(text.substr(0, dots), shape.first_step) &&
                     read_number(dots == text.npos ? text : text.substr(dots + 2), shape.last_step);
  if (!whole || shape.first_step > shape.last_step)
    throw levin::Error(LEVIN_E_INVALID, "--data.horizon is '" + text +
                                            "': give a number of rows from 1 to 1000000, or a range such as 1..24");
}

}  // namespace

WindowOptions::WindowOptions(const levin::Args& o)
    : stride(o.integer("stride")), max_gap(o.is_null("max_gap") ? -1 : o.number("max_gap")) {
  shape.length = o.integer("window");
  shape.time = o.text("time");
  shape.series = o.text("series");
  if (shape.length > 0) {
    read_horizon(o.text("horizon"), shape);
    return;
  }
  const auto refuse = [](const std::string& option) {
    throw levin::Error(LEVIN_E_INVALID, "--data." + option + " needs --data.window, the number of rows in a window");
  };
  if (o.text("horizon") != "1") refuse("horizon " + o.text("horizon"));
  if (stride != 1) refuse("stride " + std::to_string(stride));
  if (!shape.time.empty()) refuse("time " + shape.time);
  if (!shape.series.empty()) refuse("series " + shape.series);
  if (max_gap >= 0) refuse("max_gap");
}

std::string WindowShape::text() const {
  if (length == 0) return "rows without windows";
  const std::string last = last_step > first_step ? ".." + std::to_string(last_step) : "";
  return "windows of " + common::counted(static_cast<uint64_t>(length), "row", "rows") + " with the horizon " +
         std::to_string(first_step) + last;
}

void WindowShape::save(levin::Writer writer) const {
  if (length == 0) return;
  writer.put("window", std::vector<int64_t>{length, first_step, last_step});
  writer.put("time", time);
  writer.put("series", series);
}

void WindowShape::load(levin::Reader reader) {
  std::vector<int64_t> numbers;
  *this = {};
  if (!reader.get("window", numbers)) return;
  const auto is_possible = [](int64_t number) { return number >= 1 && number <= most_steps; };
  if (numbers.size() != 3 || !std::all_of(numbers.begin(), numbers.end(), is_possible) || numbers[2] < numbers[1])
    throw levin::Error(LEVIN_E_STATE, "the window that the checkpoint keeps is damaged");
  length = numbers[0], first_step = numbers[1], last_step = numbers[2];
  reader.get("time", time);
  reader.get("series", series);
}

bool operator==(const WindowShape& a, const WindowShape& b) {
  return std::tie(a.length, a.first_step, a.last_step) == std::tie(b.length, b.first_step, b.last_step);
}

}  // namespace tables
