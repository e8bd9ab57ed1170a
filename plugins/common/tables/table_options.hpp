// The options of data modules of tables.
#pragma once
#include <string>

#include "../csv_file.hpp"
#include "../damaged_rows.hpp"
#include "../split_options.hpp"
#include "column_types.hpp"
#include "fit.hpp"
#include "missing.hpp"
#include "window_options.hpp"

namespace tables {

inline constexpr const char* tasks[] = {"auto", "classification", "regression", nullptr};
inline constexpr const char* of_numbers[] = {"error", "drop", "mean", "median", nullptr};
inline constexpr const char* of_categories[] = {"error", "drop", "own", nullptr};
inline constexpr const char* of_unknown[] = {"error", "zeros", nullptr};
inline constexpr const char* normalizations[] = {"standard", "min_max", "none", nullptr};

// Those behind the format's own, which name the tables.
inline constexpr levin_option own_options[] = {
    levin::text(
        "target", "\"\"",
        "column to predict: name, or index from 0 (-1 = last); not needed to predict with a checkpoint. Several, "
        "'a, b', are numbers"),
    levin::choice("task", "\"auto\"",
                  "auto = classification for texts and for up to 20 different integers, else regression", tasks),
    levin::text("ignore", "\"\"", "columns to ignore: names, indices and patterns, such as 'id, name_*'"),
    levin::text("group", "\"\"", "column, not used as input, whose equal values keep rows in one split; empty = none"),
    levin::text(
        "numbers", "\"\"",
        "columns of numbers, where text is an error: names, indices and patterns; a name goes before a pattern of "
        "another option"),
    levin::text("categories", "\"\"", "columns whose numbers are categories: names, indices and patterns"),
    levin::text("dates", "\"\"",
                "columns of dates, times or seconds since 1970, beside those whose texts all are dates: names, indices "
                "and patterns"),
    levin::text("missing_texts", "\"#N/A, <NA>, N/A, NA, NULL, NaN, None, n/a, nan, null, ?\"",
                "texts that mean a missing value; empty fields and infinite numbers always do"),
    common::damaged_rows_option,
    levin::choice(
        "missing_numbers", "\"error\"",
        "rows with a missing number: error = stop, drop the row, or fill in mean or median of the training rows",
        of_numbers),
    levin::choice("missing_categories", "\"error\"",
                  "rows with a missing category: error = stop, drop the row, or own = a category of its own",
                  of_categories),
    levin::choice("unknown_categories", "\"error\"",
                  "categories that the training rows do not have: error = stop, zeros = encode as all zeros",
                  of_unknown),
    levin::integer("max_categories", "100", "maximum number of categories in a column", 1, 1e6),
    levin::choice("normalize", "\"standard\"",
                  "scale numbers by the training rows: standard = mean 0 and deviation 1, min_max = 0 to 1",
                  normalizations),
    levin::flag("normalize_target", "false",
                "regression: scale the target to mean 0 and deviation 1; predictions are in this unit")};
inline constexpr auto table_options =
    common::joined(own_options, common::joined(window_option_rows, common::split_options));

// How a format names its tables: the options for the rows of training, validation, test and prediction.
struct Names {
  const char *train, *val, *test, *predict;
  bool header = true;                  // the first record holds the column names
  const char* one_column_advice = "";  // what to do if a table has one column
};

struct Options {
  Options(const levin::Args& o, const Names& names);

  std::string train, val, test, predict;  // the tables, as their options name them; "" = none
  TypeOptions types;
  WindowOptions windows;
  MissingTexts missing_texts;
  MissingOptions missing;
  std::string damaged;  // stop, check or skip
  bool zeros;           // encode unknown categories as zeros
  FitOptions fit;
  common::Splitting splitting;
};

// Reads a table that an option names.
class Source {
 public:
  virtual ~Source() = default;
  // The records have the column names in front, unless the format has tables without them.
  virtual common::CsvFile read(const std::string& table) const = 0;
};

}  // namespace tables
