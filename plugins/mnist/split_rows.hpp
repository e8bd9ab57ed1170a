// Which rows of the training files train and which validate.
#pragma once
#include <cstdint>
#include <vector>

namespace mnist {

struct SplitRows {
  std::vector<uint32_t> train, val;  // both in the files' order
};

// n_val of n rows, which depend on the seed alone.
SplitRows split_rows(int64_t n, int64_t n_val, uint64_t seed);

// Fold 0 <= fold < folds of n rows validates, the others train. The folds of one seed share no row and differ in size
// by one at most.
SplitRows fold_rows(int64_t n, int64_t folds, int64_t fold, uint64_t seed);

}  // namespace mnist
