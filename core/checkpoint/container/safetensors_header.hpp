// The header of a safetensors file as values.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// strict: what write_safetensors writes. reference: what the format's reference reader takes, less repeated names.
enum class SafetensorsMode { strict, reference };

struct TensorInfo {
  std::string name, dtype;
  std::vector<uint64_t> shape;
  uint64_t begin = 0, end = 0;  // bytes, from the start of the data section
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorInfo> tensors;  // in the order of their bytes
  uint64_t data_begin = 0;          // bytes from the start of the file
};

// Reads and checks the header of a whole file of `size` bytes: JSON, names, dtypes, shapes, and that the tensors cover
// the data section exactly, without a hole or an overlap. Throws Error{checkpoint} that begins with `path`.
SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view file, SafetensorsMode mode);

}  // namespace levin::core
