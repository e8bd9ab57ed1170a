// Computes the statistics of a table.
#pragma once
#include "statistics.hpp"
#include "table.hpp"

namespace tables {

struct FitOptions {
  std::string normalize;  // standard, min_max or none
  bool normalize_target;
  bool fill_median;       // false = fill with the mean
  bool own_category;      // missing values are a category of their own
  size_t max_categories;  // maximum per input
};

// Statistics of numbers come from the training rows (train), categories and classes from `rows`. Throws levin::Error if
// an input has too many categories, or the target only one class.
Statistics fit(const Table& table, const std::vector<uint32_t>& train, const std::vector<uint32_t>& rows,
               const FitOptions& options);

}  // namespace tables
