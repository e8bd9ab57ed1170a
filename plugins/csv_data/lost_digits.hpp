// Columns whose numbers differ in digits that no row keeps.
#pragma once
#include <string>
#include <vector>

#include "statistics.hpp"
#include "table.hpp"

namespace csv_data {

// Returns a line for each such column of the training rows: float64 does not keep the digits in the table, or float32
// in what the model gets.
std::vector<std::string> lost_digits(const Table& table, const Statistics& statistics,
                                     const std::vector<uint32_t>& train);

}  // namespace csv_data
