// Columns in messages count characters, as editors do, and not bytes.
#pragma once
#include <algorithm>
#include <string_view>

namespace levin::core {

// Returns the number of code points. Bytes that are not UTF-8 may count as one each or not at all.
inline size_t characters_in(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace levin::core
