// IDX files: two zero bytes, an element type, the number of dimensions, the sizes and the data, all big-endian;
// plain or gzip-compressed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mnist {

struct IdxArray {
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;  // row-major, one element a byte
  int64_t rows() const { return shape.front(); }
  int64_t row_size() const;
};

// The whole file, of unsigned bytes and 1 to 4 dimensions. Throws levin::Error for anything else: not a file, another
// format, truncated, damaged, sizes that cannot be.
IdxArray read_idx(const std::string& path);

}  // namespace mnist
