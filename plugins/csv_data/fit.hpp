// Finds the statistics of a table.
#pragma once
#include "statistics.hpp"
#include "table.hpp"

namespace csv_data {

struct FitOptions {
  std::string normalize;  // standard, min_max or none
  bool normalize_target;
  bool fill_median;       // else the mean
  bool own_category;      // missing values are a category of their own
  size_t max_categories;  // of an input
};

// Numbers are measured on the training rows. `rows` of the table have all categories and classes that there are.
// Throws levin::Error where an input has too many of them, or the target one class only.
Statistics fit(const Table& table, const std::vector<uint32_t>& train, const std::vector<uint32_t>& rows,
               const FitOptions& options);

}  // namespace csv_data
