// The options of windows of time series.
#pragma once
#include <cstdint>
#include <string>

#include "levin/options.hpp"
#include "levin/state.hpp"

namespace tables {

inline constexpr levin_option window_option_rows[] = {
    levin::integer("window", "0", "rows of a time series in one input, of shape [window, features]; 0 = rows alone", 0,
                   1e6),
    levin::text("horizon", "\"1\"",
                "rows from the end of the window to the target: 1 = the next row; 1..24 = each of the next 24"),
    levin::integer("stride", "1", "rows between the starts of two windows", 1, 1e9),
    levin::text("time", "\"\"",
                "column of dates, times or numbers that orders the rows of a series; empty = the order of the file"),
    levin::text("series", "\"\"", "column whose equal values are one time series; windows never cross two"),
    levin::with(
        levin::number("max_gap", "null",
                      "maximum time between two rows of a window, in seconds or in the unit of the time column; null = "
                      "1.5 times the median, 0 = no limit",
                      0, 1e300),
        LEVIN_OPT_NULLABLE)};

// What a model is made for. Checkpoints contain it.
struct WindowShape {
  int64_t length = 0;                     // rows of an input; 0 = rows are independent
  int64_t first_step = 0, last_step = 0;  // the rows behind the window whose values are the targets, counted from 1
  std::string time, series;               // columns; "" = none

  int64_t steps() const { return last_step - first_step + 1; }
  std::string text() const;  // "windows of 48 rows for the horizon 1..12"; "rows without windows"
  void save(levin::Writer writer) const;
  void load(levin::Reader reader);  // keeps the default if the state has none
};
bool operator==(const WindowShape& a, const WindowShape& b);  // of the numbers alone

struct WindowOptions {
  // Throws levin::Error for a horizon that is none, and for an option of windows without a window.
  explicit WindowOptions(const levin::Args& o);

  WindowShape shape;
  int64_t stride;
  double max_gap;  // < 0: 1.5 times the median; 0 = no limit
};

}  // namespace tables
