// The options of the data module.
#pragma once
#include <string>

#include "../common/csv_columns.hpp"
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

inline constexpr levin_option csv_options[] = {
    levin::required(levin::path("file", nullptr,
                                "CSV file of the training rows, and of the others without own files; "
                                "or of new rows, to predict with a checkpoint")),
    levin::text("target", "\"\"",
                "column to predict: its name, or its index from 0; -1: the last. A prediction with a "
                "checkpoint needs none"),
    levin::path("val_file", "\"\"", "CSV file of the validation rows, instead of a part of file"),
    levin::path("test_file", "\"\"", "CSV file of the test rows"),
    levin::path("predict_file", "\"\"",
                "CSV file of the rows to predict, perhaps without the target; empty: the test rows, or all"),
    levin::choice("task", "\"auto\"", "auto: classes of texts and of up to 20 whole numbers, else regression", tasks),
    levin::text("ignore", "\"\"", "columns to leave out: names or indices, as in 'id, name'"),
    levin::text("categories", "\"\"", "columns whose numbers stand for categories: names or indices"),
    levin::flag("header", "true", "the first line has the names of the columns"),
    levin::text("delimiter", "\"auto\"", "a character, or comma, semicolon, tab, space; auto: found in the first line"),
    levin::flag("decimal_comma", "false", "numbers are written with a decimal comma, as 1,5"),
    levin::text("missing_texts", "\"#N/A, <NA>, N/A, NA, NULL, NaN, None, n/a, nan, null, ?\"",
                "texts that stand for no value; the empty one and infinite numbers always do"),
    levin::choice("missing_numbers", "\"error\"",
                  "rows without a number: stop, leave out, or fill from the training rows", of_numbers),
    levin::choice("missing_categories", "\"error\"",
                  "rows without a category: stop, leave out, or a category of its own", of_categories),
    levin::choice("unknown_categories", "\"error\"", "texts of an input that file does not have: stop, or only zeros",
                  of_unknown),
    levin::integer("max_categories", "100", "different texts that an input may have", 1, 1e6),
    levin::choice("normalize", "\"standard\"",
                  "numbers, by the training rows: mean 0 and deviation 1, or 0 to 1 (min_max)", normalizations),
    levin::flag("normalize_target", "false",
                "regression: the target gets mean 0 and deviation 1, and predictions are in this unit"),
    common::SplitOptions::val_fraction,
    common::SplitOptions::val_rows,
    common::SplitOptions::test_fraction,
    common::SplitOptions::split_seed,
    common::SplitOptions::folds,
    common::SplitOptions::fold};

struct Options {
  explicit Options(const levin::Args& o);

  std::string file, val_file, test_file, predict_file;
  TypeOptions types;
  char delimiter;  // 0: found in the file
  bool decimal_comma;
  MissingTexts missing_texts;
  MissingOptions missing;
  bool zeros;  // of unknown categories
  FitOptions fit;
  double test_fraction;
  common::Splitting splitting;
};

}  // namespace csv_data
