// Checks for valid UTF-8.
#pragma once
#include <cstddef>
#include <string>

namespace common {

// Returns the number of bytes of the character at p; 0 = not valid. p must be before end.
inline size_t utf8_character(const unsigned char* p, const unsigned char* end) {
  if (*p < 0x80) return 1;
  const size_t n = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
  if (*p < 0xc2 || *p > 0xf4 || static_cast<size_t>(end - p) < n) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((p[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
  const bool out_of_range = (*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f);
  return overlong || out_of_range ? 0 : n;
}

inline bool is_utf8(const std::string& text) {
  const unsigned char *p = reinterpret_cast<const unsigned char*>(text.data()), *end = p + text.size();
  while (p < end) {
    const size_t n = utf8_character(p, end);
    if (n == 0) return false;
    p += n;
  }
  return true;
}

}  // namespace common
