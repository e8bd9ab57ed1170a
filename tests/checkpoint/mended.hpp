// Damaged checkpoints whose headers pass the first checks.
#pragma once
#include <string>

#include "core/checkpoint/container/format.hpp"

namespace levin::core {

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
