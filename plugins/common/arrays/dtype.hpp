// The numeric data types of NumPy, converted to float32 and float64.
#pragma once
#include <cstddef>

#include "bytes.hpp"

namespace arrays {

// Converts n elements that are `stride` bytes apart.
template <class Out>
using Convert = void (*)(const uint8_t* from, ptrdiff_t stride, size_t n, Out* out);

struct Dtype {
  std::string name;  // "float32", "int64, big-endian"
  uint64_t bytes = 0;
  bool integer = false;  // an integer or bool
  Convert<float> floats = nullptr;
  Convert<double> doubles = nullptr;
};

// descr: "<f4". Throws levin::Error that names `file` for types that are not numbers, such as Python objects.
Dtype dtype_of(const std::string& descr, const Bytes& file);

}  // namespace arrays
