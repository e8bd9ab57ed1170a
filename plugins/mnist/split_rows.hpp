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

}  // namespace mnist
