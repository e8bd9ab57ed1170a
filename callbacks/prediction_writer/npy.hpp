// Arrays in NumPy's .npy format (version 1.0), as read by numpy.load.
#pragma once
#include <string>
#include <vector>

#include "levin/abi.h"

namespace levin::prediction_writer {

struct Array {
  levin_dtype dtype{LEVIN_FLOAT, 32, 1};
  std::vector<int64_t> shape;  // the first dimension is the number of rows
  std::string bytes;           // row-major
};

// Copies the elements of a CPU view, which may be strided. Throws Error for a type that NumPy lacks.
Array array_of(const levin_view& view);
// Appends the rows of b to those of a. Throws Error if the other dimensions or the types differ.
void append(Array& a, const Array& b);
std::string npy(const Array& array);

}  // namespace levin::prediction_writer
