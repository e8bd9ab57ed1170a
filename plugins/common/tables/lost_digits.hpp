// Columns whose numbers differ only in digits that are lost by rounding.
#pragma once
#include <string>
#include <vector>

#include "statistics.hpp"
#include "table.hpp"

namespace tables {

// Returns a message for each such column of the training rows. The digits are lost as float64 in the table, or as
// float32 in the numbers given to the model.
std::vector<std::string> lost_digits(const Table& table, const Statistics& statistics,
                                     const std::vector<uint32_t>& train);

}  // namespace tables
