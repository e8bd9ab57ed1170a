// Arrays as NumPy's .npy files, version 1.0: numpy.load reads them.
#pragma once
#include <string>
#include <vector>

#include "levin/abi.h"

namespace levin::prediction_writer {

struct Array {
  levin_dtype dtype{LEVIN_FLOAT, 32, 1};
  std::vector<int64_t> shape;  // the first dimension: rows
  std::string bytes;           // row-major
};

// The elements of a view on the CPU, also a strided one. Throws Error for a type that NumPy does not have.
Array array_of(const levin_view& view);
// The rows of b behind those of a. Throws Error if the rest of the shape or the type differs.
void append(Array& a, const Array& b);
std::string npy(const Array& array);

}  // namespace levin::prediction_writer
