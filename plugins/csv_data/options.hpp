// The options of the CSV data module.
#pragma once
#include <string>

#include "../common/csv_columns.hpp"
#include "../common/damaged_rows.hpp"
#include "../common/split_options.hpp"
#include "column_types.hpp"
#include "fit.hpp"
#include "missing.hpp"

namespace csv_data {

inline constexpr const char* tasks[] = {"auto", "classification", "regression", nullptr};
inline constexpr const char* of_numbers[] = {"error", "drop", "mean", "median", nullptr};
inline constexpr const char* of_categories[] = {"error", "drop", "own", nullptr};
inline constexpr const char* of_unknown[] = {"error", "zeros", nullptr};
inline constexpr const char* normalizations[] = {"standard", "min_max", "none", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(levin::path(
        "file", nullptr,
        "CSV file of the training rows, from which validation and test rows are taken too; or of new rows to predict")),
    levin::text("target", "\"\"",
                "column to predict: name, or index from 0 (-1 = last); not needed to predict with a checkpoint"),
    levin::path("val_file", "\"\"", "CSV file of the validation rows, instead of a fraction of file"),
    levin::path("test_file", "\"\"", "CSV file of the test rows"),
    levin::path("predict_file", "\"\"",
                "CSV file of the rows to predict, with or without the target; empty = the test rows, or all"),
    levin::choice("task", "\"auto\"",
                  "auto = classification for texts and for up to 20 different integers, else regression", tasks),
    levin::text("ignore", "\"\"", "columns to ignore: names or indices, such as 'id, name'"),
    levin::text("group", "\"\"", "column, not used as input, whose equal values keep rows in one split; empty = none"),
    levin::text("categories", "\"\"", "columns whose numbers are categories: names or indices"),
    levin::flag("header", "true", "the first line holds the column names"),
    levin::text("delimiter", "\"auto\"",
                "a character, or comma, semicolon, tab, space; auto = detected in the first line"),
    levin::flag("decimal_comma", "false", "numbers have a decimal comma (1,5)"),
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
inline constexpr auto csv_options = common::joined(own_options, common::split_options);

struct Options {
  explicit Options(const levin::Args& o);

  std::string file, val_file, test_file, predict_file;
  TypeOptions types;
  char delimiter;  // 0 = detected in the file
  bool decimal_comma;
  MissingTexts missing_texts;
  MissingOptions missing;
  std::string damaged;  // stop, check or skip
  bool zeros;           // encode unknown categories as zeros
  FitOptions fit;
  double test_fraction;
  common::Splitting splitting;
};

}  // namespace csv_data
