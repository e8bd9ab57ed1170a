#include "unicode.hpp"

#include <algorithm>
#include <cstdlib>

namespace text {
namespace {

struct Range {
  uint32_t first, last;
  Kind kind;
};

void add_ranges(const char* p, Kind kind, std::vector<Range>& out) {
  uint32_t last = 0;
  while (*p) {
    char* end = nullptr;
    const auto first = last + static_cast<uint32_t>(std::strtoul(p, &end, 16));
    last = first;
    if (*end == ',') last += static_cast<uint32_t>(std::strtoul(end + 1, &end, 16));
    out.push_back({first, last, kind});
    p = end + 1;
  }
}

std::vector<Range> all_ranges() {
  std::vector<Range> out;
  add_ranges(letter_ranges, Kind::letter, out);
  add_ranges(digit_ranges, Kind::digit, out);
  add_ranges(number_ranges, Kind::number, out);
  add_ranges(mark_ranges, Kind::mark, out);
  for (const uint32_t space : {0x85u, 0xa0u, 0x1680u, 0x2028u, 0x2029u, 0x202fu, 0x205fu, 0x3000u})
    out.push_back({space, space, Kind::space});
  out.push_back({0x2000, 0x200a, Kind::space});
  std::sort(out.begin(), out.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  return out;
}

Kind ascii_kind(uint32_t c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::letter;
  if (c >= '0' && c <= '9') return Kind::digit;
  if (c == '_') return Kind::mark;
  return c == ' ' || (c >= 9 && c <= 13) ? Kind::space : Kind::other;
}

}  // namespace

Kind kind_of(uint32_t character) {
  if (character < 0x80) return ascii_kind(character);
  static const std::vector<Range> ranges = all_ranges();
  auto at = std::upper_bound(ranges.begin(), ranges.end(), character,
                             [](uint32_t c, const Range& range) { return c < range.first; });
  if (at == ranges.begin() || (--at)->last < character) return Kind::other;
  return at->kind;
}

uint32_t decode(const char* p, size_t& bytes) {
  const auto byte = [p](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(p[i])); };
  const uint32_t first = byte(0);
  bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (bytes == 1) return first;
  uint32_t code = first & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) code = code << 6 | (byte(i) & 0x3f);
  return code;
}

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> out;
  for (size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    const uint32_t code = decode(text.data() + at, bytes);
    out.push_back({code, kind_of(code), at, at + bytes});
  }
  return out;
}

void append(std::string& text, uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xff00u >> (more + 1) & 0xff) | c >> (6 * more));
  for (size_t i = more; i-- > 0;) text += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

}  // namespace text
