// The parsed header of a safetensors file.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

// strict: accepts what write_safetensors writes. reference: accepts what the format's reference reader accepts, except
// repeated names.
enum class SafetensorsMode { strict, reference };

struct TensorInfo {
  std::string name, dtype;
  std::vector<uint64_t> shape;
  uint64_t begin = 0, end = 0;  // in bytes, from the start of the data section
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorInfo> tensors;  // in the order of their bytes
  uint64_t data_begin = 0;          // in bytes, from the start of the file
};

// All functions throw Error{checkpoint}, whose message begins with `path`.

// Returns the header's length from `start`, the first 8 bytes of the file (or all of it, if it is shorter).
uint64_t safetensors_header_length(const std::string& path, std::string_view start, uint64_t file_size);

// Parses `text`, the header after the length. Checks names, dtypes and shapes, and that the tensors cover the rest of
// the file without gaps or overlaps.
SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view text, uint64_t file_size,
                                           SafetensorsMode mode);

// Checks only that names are unique, types are right and no field is missing. Throws std::runtime_error that says what
// is wrong. The tensors are in the order of the text, and data_begin is not set.
SafetensorsHeader read_header_json(std::string_view text, SafetensorsMode mode);

}  // namespace levin::core
