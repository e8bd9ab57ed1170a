// A range of bytes that is read with bounds checks.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "levin/error.hpp"

namespace arrays {

// The bytes of a file or of a part of it. `name` is used in messages.
struct Bytes {
  const uint8_t* data = nullptr;
  uint64_t size = 0;
  std::string name;

  [[noreturn]] void fail(const std::string& what) const { throw levin::Error(LEVIN_E_IO, name + " " + what); }

  // Returns n bytes from `at`. Throws levin::Error if the range is not inside.
  std::string_view text(uint64_t at, uint64_t n) const {
    if (at > size || n > size - at) fail("is truncated or damaged: it ends inside a header");
    return {reinterpret_cast<const char*>(data) + at, n};
  }
  // Returns a little-endian number of up to 8 bytes.
  uint64_t number(uint64_t at, unsigned bytes) const {
    const std::string_view from = text(at, bytes);
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;) value = value << 8 | static_cast<uint8_t>(from[i]);
    return value;
  }
  bool starts_with(std::string_view with) const {
    return size >= with.size() && std::memcmp(data, with.data(), with.size()) == 0;
  }
};

}  // namespace arrays
