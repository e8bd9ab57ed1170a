// A small checkpoint that covers odd sizes, an empty tensor, a scalar and non-ASCII text.
#pragma once
#include <vector>

#include "core/checkpoint/container/format.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "tests/temp_folder.hpp"

namespace levin::core {

inline void spill(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The tensors' data lives as long as the program.
inline SafetensorsContent sample_content() {
  static const float weight[] = {0, -1.5f, 2.25f, 1e-30f, 3e30f, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  static const int64_t steps[] = {1, -2, 3, -4, 5, -6, 7, -8};
  static const float lr = 0.1f;
  static const uint8_t mask[] = {1, 0, 1};
  SafetensorsContent content;
  content.tensors = {{"model.weight", "F32", {5, 3}, weight, sizeof weight},
                     {"optimizer.steps", "I64", {8}, steps, sizeof steps},
                     {"optimizer.lr", "F32", {}, &lr, sizeof lr},
                     {"mask", "BOOL", {3, 1}, mask, sizeof mask},
                     {"empty", "F16", {0, 4}, nullptr, 0}};
  content.metadata = {{"format", "pt"}, {"note", "line\nh\xc3\xa4\xe2\x82\xac \"quoted\" \\"}};
  content.manifest = {
      {"epoch", 3}, {"config", {{"lr", 0.1}, {"name", "r\xc3\xa9sum\xc3\xa9"}}}, {"list", {1, nullptr, true}}};
  return content;
}

// Updates the length and the checksum, so that the checks behind them are reached. Files that are too short are
// returned unchanged.
inline std::string with_right_header(std::string bytes) {
  const size_t close = bytes.rfind('}');
  if (close == std::string::npos || close < header_checksum_at + checksum_length) return bytes;
  uint64_t length = close + 1 - length_bytes;
  while ((length + length_bytes) % tensor_alignment != 0 && length + length_bytes < bytes.size() &&
         bytes[length + length_bytes] == ' ')
    ++length;
  for (size_t i = 0; i < length_bytes; ++i) bytes[i] = static_cast<char>(length >> (8 * i) & 0xff);
  const std::string header = bytes.substr(0, length_bytes + length);
  bytes.replace(header_checksum_at, checksum_length, header_checksum(header));
  return bytes;
}

}  // namespace levin::core
