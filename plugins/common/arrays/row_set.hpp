// The inputs and targets of the same rows, and which of the rows can be used.
#pragma once
#include "../damaged_rows.hpp"
#include "array.hpp"

namespace arrays {

struct RowSet {
  std::shared_ptr<const Array> inputs;
  std::shared_ptr<const Array> targets;  // nullptr for rows to predict
};

// Returns the rows that can be used, and reports the others: those with an element that is NaN or infinite in float32,
// and with labels (classes) those with a label that is no class. Reads all rows.
std::vector<uint32_t> usable_rows(const RowSet& set, bool classes, common::DamagedRows& damaged);

// Throws levin::Error if one of these numbers of a row is NaN or infinite.
void check_finite(const Array& array, int64_t row, const float* numbers);

}  // namespace arrays
