// Checks for valid UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

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

inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some programs put it before a text in UTF-8

// Returns what is wrong with the text of a file, beginning with its path; "" = it is in UTF-8 and has no zero byte.
inline std::string encoding_problem(std::string_view text, const std::string& path) {
  const std::string_view mark = text.substr(0, 2);
  if (mark == "\xff\xfe" || mark == "\xfe\xff") return path + " is in UTF-16; convert it: iconv -f UTF-16 -t UTF-8";
  const unsigned char *p = reinterpret_cast<const unsigned char*>(text.data()), *end = p + text.size();
  for (size_t line = 1; p < end;) {
    const size_t n = utf8_character(p, end);
    if (n == 0)
      return path + ":" + std::to_string(line) +
             ": not text in UTF-8; convert it: iconv -f LATIN1 -t UTF-8, or whatever it is in";
    if (*p == 0) return path + ":" + std::to_string(line) + ": a zero byte: this is no text";
    line += *p == '\n';
    p += n;
  }
  return "";
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
