// Splits rows into training, validation and test rows.
#pragma once
#include <cstdint>
#include <vector>

namespace common {

struct SplitRows {
  std::vector<uint32_t> train, val, test;  // each in ascending order
};

// Chooses n_val of n rows for validation; the choice depends on the seed alone.
SplitRows split_rows(int64_t n, int64_t n_val, uint64_t seed);

// Uses one fold of n rows for validation, with 0 <= fold < folds. The folds of one seed share no row and differ in size
// by at most one.
SplitRows fold_rows(int64_t n, int64_t folds, int64_t fold, uint64_t seed);

// Returns the rows 0 to n-1 in an order whose first `drawn` entries are drawn at random from all rows.
std::vector<uint32_t> random_order(int64_t n, int64_t drawn, uint64_t seed);

// Returns the rows 0 to n-1.
std::vector<uint32_t> all_rows(int64_t n);

// Returns the row of a split with this index. Throws levin::Error if the split has no such row.
uint32_t row_at(const std::vector<uint32_t>& rows, int64_t index);

}  // namespace common
