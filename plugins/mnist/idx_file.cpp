#include "idx_file.hpp"

#include "../common/gz_file.hpp"
#include "../common/memory_limit.hpp"
#include "levin/error.hpp"

namespace mnist {
namespace {

constexpr uint8_t unsigned_byte = 0x08;
constexpr size_t max_dimensions = 4;
constexpr int64_t max_rows = int64_t{1} << 32;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, path + " " + what);
}

uint32_t big_endian(const uint8_t* b) {
  return uint32_t{b[0]} << 24 | uint32_t{b[1]} << 16 | uint32_t{b[2]} << 8 | uint32_t{b[3]};
}

std::vector<int64_t> read_shape(common::GzFile& file, const std::string& path) {
  uint8_t head[4];
  if (file.read(head, sizeof head) != sizeof head || head[0] != 0 || head[1] != 0)
    fail(path, "is not an IDX file: it does not start with two zero bytes, an element type and a dimension count");
  if (head[2] != unsigned_byte)
    fail(path, "holds elements of IDX type " + std::to_string(head[2]) + "; only unsigned bytes (8) are read");
  if (head[3] == 0 || head[3] > max_dimensions)
    fail(path, "has " + std::to_string(head[3]) + " dimensions; 1 to 4 are read");
  std::vector<uint8_t> sizes(4u * head[3]);
  if (file.read(sizes.data(), sizes.size()) != sizes.size()) fail(path, "is truncated: it ends inside its header");
  std::vector<int64_t> shape;
  for (size_t i = 0; i < sizes.size(); i += 4) shape.push_back(big_endian(sizes.data() + i));
  return shape;
}

uint64_t checked_bytes(const std::vector<int64_t>& shape, uint64_t most, const std::string& path) {
  uint64_t n = 1;
  std::string text;
  for (int64_t size : shape) {
    text += (text.empty() ? "" : " x ") + std::to_string(size);
    if (size == 0) fail(path, "is empty: a size of its header is 0");
    n = n > most / static_cast<uint64_t>(size) ? most + 1 : n * static_cast<uint64_t>(size);
  }
  if (n > most || shape.front() > max_rows)
    fail(path, "is truncated or damaged: its header promises " + text + " bytes, more than the file can hold");
  return n;
}

}  // namespace

std::vector<int64_t> read_idx_shape(const std::string& path) {
  common::GzFile file(path);
  std::vector<int64_t> shape = read_shape(file, path);
  common::check_memory(checked_bytes(shape, file.most_bytes(), path), path);
  return shape;
}

IdxArray read_idx(const std::string& path) {
  common::GzFile file(path);
  IdxArray array;
  array.shape = read_shape(file, path);
  const uint64_t bytes = checked_bytes(array.shape, file.most_bytes(), path);
  common::check_memory(bytes, path);
  array.data.resize(bytes);
  const size_t got = file.read(array.data.data(), array.data.size());
  if (got != array.data.size())
    fail(path, "is truncated: " + std::to_string(got) + " of " + std::to_string(array.data.size()) + " bytes of data");
  if (!file.at_end()) fail(path, "is longer than its header says");
  return array;
}

}  // namespace mnist
