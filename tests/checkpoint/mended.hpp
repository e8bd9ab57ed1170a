// Damaged checkpoints whose headers pass the first tests.
#pragma once
#include <string>

#include "core/checkpoint/container/format.hpp"

namespace levin::core {

// Makes the length and the checksum fit again, so that what lies behind their tests is reached. Bytes that are too few
// stay as they are.
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
