// Reads IDX files, plain or compressed by gzip. An IDX file has two zero bytes, an element type, the number of
// dimensions, the sizes and the data, all big-endian.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mnist {

struct IdxArray {
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;  // row-major, one byte per element
  int64_t rows() const { return shape.front(); }
};

// Reads a whole file of unsigned bytes with 1 to 4 dimensions. Throws levin::Error for a missing file, another format,
// a truncated or damaged file, impossible sizes, and data larger than the machine's memory.
IdxArray read_idx(const std::string& path);

// Reads only the sizes, from the header.
std::vector<int64_t> read_idx_shape(const std::string& path);

}  // namespace mnist
