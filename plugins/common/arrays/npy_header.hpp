// The header of a .npy file, versions 1.0 to 3.0.
#pragma once
#include <vector>

#include "bytes.hpp"

namespace arrays {

constexpr std::string_view npy_mark = "\x93NUMPY";

struct Header {
  std::string descr;  // data type, such as "<f4"; "structured" for a list of fields
  bool fortran_order = false;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // offset of the data
};

// The header is a Python literal, which is parsed and not evaluated. Throws levin::Error unless it has exactly the keys
// descr, fortran_order and shape.
Header read_header(const Bytes& file);

}  // namespace arrays
