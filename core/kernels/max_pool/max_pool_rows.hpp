// The loops of max pooling.
#pragma once
#include <cstdint>
#include <vector>

namespace levin::core {

// Along one axis.
struct PoolAxis {
  int64_t size;  // of the input
  int64_t kernel, stride, padding, dilation;
  int64_t results;  // the size of the output
};

// Pools planes of one shape. An object belongs to one thread.
class MaxPoolPlanes {
 public:
  MaxPoolPlanes(const PoolAxis& rows, const PoolAxis& columns);
  // in: rows.size x columns.size numbers in row-major order. Writes the greatest number of each window and its position
  // in the plane, as LibTorch does: of equal numbers the first, and the last NaN.
  void pool(const float* in, float* out, int64_t* positions);

 private:
  void copy_padded(const float* in);

  PoolAxis rows_, columns_;
  int64_t width_;  // of a row of the output, rounded up
  int64_t phase_;  // numbers of one phase of a row
  // The plane with a border of -inf. A row has its columns 0, stride, 2 * stride, ... first, then 1, 1 + stride, ...:
  // so the elements of neighbouring windows are neighbours.
  std::vector<float> padded_;
  std::vector<float> best_;             // a row of the output
  std::vector<int32_t> place_, first_;  // its positions; the first position of each window in row 0
};

}  // namespace levin::core
